"""``companion rules`` prints what people need: every rule, every ruling, and what to set to change it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from companion import games
from companion.cli.rules import command
from companion.games.reference import read_reference


@pytest.mark.parametrize("name", games.names())
def test_it_prints_every_rule_within_the_width_of_the_window(name: str) -> None:
    result = CliRunner().invoke(command, [name], env={"COLUMNS": "60"})
    reference = read_reference(name)
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= 60
    printed = " ".join(result.output.split())
    for section in reference.sections:
        assert section.heading in printed
        assert all(f"{rule.text} [{', '.join(rule.ids)}]" in printed for rule in section.rules)


def test_an_option_is_printed_with_what_to_set_it_to() -> None:
    printed = " ".join(CliRunner().invoke(command, ["pacal"]).output.split())
    assert "Option diagonal_lines: false. Only across, and up and down." in printed
    assert "Option target: a whole number of points from 1." in printed


def test_a_game_that_there_is_not_is_refused_with_those_there_are() -> None:
    result = CliRunner().invoke(command, ["chess"])
    assert result.exit_code != 0 and "'pacal'" in result.output
