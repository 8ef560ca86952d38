"""The short rules for people tell all that the code goes by: every option, and every rule that a message can name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.games.reference import read_reference

ROOT = Path(__file__).parents[3]
SPEC = ROOT.parent / "shared" / "spec"
ID = re.compile(r"\b(?:PACRU-|POMP-)?(?:R(?:-[A-Z]+)+|(?!R-)[A-Z]{3,}-\d+)\b")


@pytest.fixture(params=games.names())
def game(request: pytest.FixtureRequest) -> Any:
    return games.get(request.param)


def ids(name: str) -> set[str]:
    reference = read_reference(name)
    rules = {rule_id for section in reference.sections for rule in section.rules for rule_id in rule.ids}
    return rules | {ruling.id for ruling in reference.rulings}


def test_its_title_is_the_games(game: Any) -> None:
    assert read_reference(game.name).title == game.title


def test_every_option_is_told_once_with_its_ruling_and_what_it_changes(game: Any) -> None:
    told = {ruling.option: ruling for ruling in read_reference(game.name).rulings if ruling.option}
    assert sorted(told) == sorted(option.name for option in game.options)
    for option in game.options:
        assert (told[option.name].id, bool(told[option.name].changed)) == (option.ruling, True)


def test_no_id_is_told_twice(game: Any) -> None:
    reference = read_reference(game.name)
    every = [rule_id for section in reference.sections for rule in section.rules for rule_id in rule.ids]
    every += [ruling.id for ruling in reference.rulings]
    assert len(every) == len(set(every))


def test_every_rule_that_the_code_names_is_told(game: Any) -> None:
    folder = ROOT / "companion" / "games" / game.name
    named = {found for path in folder.glob("*.py") for found in ID.findall(path.read_text(encoding="utf-8"))}
    assert named and named <= ids(game.name)


@pytest.mark.parametrize("name", games.names())
def test_every_rule_of_the_specification_is_told(name: str) -> None:
    path = SPEC / f"{name}.md"
    specified = set(ID.findall(path.read_text(encoding="utf-8"))) if path.is_file() else set()
    # Within its own specification a rule is now and then named without the game's prefix.
    known = ids(name)
    assert specified <= known | {rule_id.removeprefix("PACRU-").removeprefix("POMP-") for rule_id in known}
