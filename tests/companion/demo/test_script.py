"""The script format: what is written is read back, and a broken line is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.demo.script import parse_script, read_script, script_lines
from companion.errors import BadConfig

OPENING = '{"script": 1, "game": "pacal", "players": ["red", "blue"]}'


def test_a_script_is_read_as_it_was_written() -> None:
    lines = [OPENING, '{"t": 2.0, "action": {"type": "roll", "face": 3}, "presses": ["red"], "expect": {"heard": 1}}']
    script = parse_script(lines)
    assert script.steps[0].presses == ("red",)
    assert parse_script(script_lines(script)) == script


def test_empty_lines_and_remarks_say_nothing() -> None:
    assert len(parse_script(["# a remark", "", OPENING, "  # another", '{"t": 1, "action": {}}']).steps) == 1


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([], "no line that says which game"),
        ([OPENING.replace("1", "9")], "format 9, this version reads format 1"),
        ([OPENING, "{"], "line 2"),
        ([OPENING, '{"t": "soon", "action": {}}'], r"line 2: Expected `float`, got `str` - at `\$.t`"),
        ([OPENING, '{"t": 1, "action": {}, "pres": []}'], "line 2: .*unknown field `pres`"),
        ([OPENING, '{"t": 5, "action": {}}', '{"t": 4, "action": {}}'], "line 3: t 4 is before the step above it"),
    ],
)
def test_a_broken_script_is_refused_by_line(lines: list[str], complaint: str) -> None:
    with pytest.raises(BadConfig, match=complaint):
        parse_script(lines)


def test_a_missing_script_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="cannot be read"):
        read_script(tmp_path / "none.jsonl")
