"""``companion teach``: learn a table from pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import click

from companion import games
from companion.boards import Board
from companion.errors import BadSetup
from companion.games.pacal.pieces import Pyramid
from companion.games.phrases import counted
from companion.table.folder import keep_layout
from vision.teaching.palettes import LIGHTS, Lesson, Match, ReadBack, learn
from vision.teaching.setup_folder import read_setup

MOST_LINES = 12
"""Nobody reads a longer list of doubts."""
OUTLOOK = dict(zip(LIGHTS, (98, 93, 80), strict=True))
"""Of how many boards in a hundred all squares were read right, but for pieces of which less than half was seen, where
at least such a share of the pieces was read back for sure: 926 of 940 stills on 188 rendered tables of which all were,
149 of 160 on 32, 36 of 45 on nine, and none of five on the one with fewer (``docs/reading-figures.md``)."""
_, SOME, FEW = LIGHTS
"""With a smaller share than the second the light is bad. With one smaller than the last something is wrong with the
whole table, which is not kept then: a lamp that was mirrored in most pieces left 42 of 55, corners that were off by 10
px 40 of 59."""

Name: TypeAlias = Callable[[Any], str]


@click.command(name="teach")
@click.argument("setup_dir", type=click.Path(path_type=Path))
@click.option("--out", "table_dir", required=True, type=click.Path(path_type=Path), help="Folder to keep the table in.")
@click.option("--anyway", is_flag=True, help="Keep the table also when palettes are wrong, learned without what is.")
def command(setup_dir: Path, table_dir: Path, anyway: bool) -> None:
    """Learn a table from the pictures in SETUP_DIR.

    The folder holds setup.json, empty.jpg and at least one palette-*.jpg with its .json; see docs/reading.md. What was
    learned is tried on the palettes: pieces that are read back with doubt, and pieces that are not what the JSON says.
    """
    setup = read_setup(setup_dir, board_of, _say)
    lesson = learn(setup, _say)
    for line in told(lesson, setup.game):
        click.echo(line)
    if lesson.read_back.share < FEW and not anyway:
        raise BadSetup(
            f"{setup_dir}: so few pieces are read back for sure that no table was written; put right what is wrong and "
            "take all pictures again, that of the empty board too (--anyway keeps what was learned)"
        )
    if not lesson.flawless and not anyway:
        raise BadSetup(
            f"{setup_dir}: the palettes do not show what their JSON says, so no table was written; put the pieces "
            "right and photograph them again, or correct the JSON (--anyway learns without what is wrong)"
        )
    if lesson.table is None:
        raise BadSetup(f"{setup_dir}: without what is wrong in the palettes too little is left to learn from")
    with keep_layout(table_dir, setup.layout):
        lesson.table.save(table_dir)
    click.echo(f"learned a table for {setup.game}, board {setup.board.name!r}: {table_dir}", err=True)


def _say(text: str) -> None:
    click.echo(text, err=True)


def board_of(game: str, layout: str) -> Board:
    """The board of a game's layout (a built-in name or a path).

    Raises BadCommand for a game that there is not, BadSetup for one without a board, BadLayout for a wrong layout.
    """
    board = games.get(game).board(layout)
    if board is None:
        raise BadSetup(f"{game} has no board, so there is no table to teach for it")
    return board


def told(lesson: Lesson, game: str) -> Iterator[str]:
    """What teaching found in the palettes, line by line: what is wrong, what is unsure, and a sum."""
    name = games.get(game).name_content
    yield from _strange(lesson)
    for palette, reason in lesson.unreadable.items():
        yield f"{palette}: cannot be read: {reason}"
    yield from _at_most([*_wrong(lesson.wrong, name), *(_unsure(match, name) for match in lesson.unsure)])
    if lesson.read_back.pieces:
        yield from _outlook(lesson.read_back)


def _outlook(back: ReadBack) -> Iterator[str]:
    """How many pieces were read back, and what that means for boards."""
    yield f"{back.sure} of {back.pieces} pieces on the palettes are read back for sure"
    boards = next((boards for share, boards in OUTLOOK.items() if back.share >= share), None)
    if boards is None:
        yield (
            "that is few: is each of board_corners_px, as said in setup.json or found, at the board's corner? Is a "
            "lamp mirrored in the board or the pieces? Turn it, or the camera, a little"
        )
        return
    yield f"where as many were, {boards} of 100 boards were read without a mistake"
    if back.share < SOME:
        yield (
            "that is few: is it dim here, or is a lamp mirrored in the board or the pieces? Give it more light, or "
            "turn the lamp or the camera a little, and take all pictures again; companion selftest counts how well "
            "boards are read as it is"
        )


def _strange(lesson: Lesson) -> Iterator[str]:
    for palette in lesson.strangers:
        yield f"{palette}: the pieces are nowhere where {_json(palette)} has them: is it the JSON of another picture?"
    if lesson.strangers and not lesson.matches:
        yield "no palette fits its JSON: does board_corners_px in setup.json begin at the corner next to A1?"


def _wrong(matches: Sequence[Match], name: Name) -> Iterator[str]:
    """Wrong squares in words; two whose pieces changed places are told together, also when one should be bare."""
    left = list(matches)
    while left:
        match = left.pop(0)
        other = next((o for o in left if _swapped(match, o)), None)
        if other is None:
            seen = _beside(match, match.seen, name)
            verb = "are" if _plural(seen) else "is"
            yield f"{match.palette}: {name(match.expected)} should be on {match.square}, but {seen} {verb} seen"
            continue
        left.remove(other)
        if match.expected is None or other.expected is None:
            here, there = (match, other) if match.expected is not None else (other, match)
            yield f"{here.palette}: {name(here.expected)} should be on {here.square}, but is seen on {there.square}"
        else:
            yield (
                f"{match.palette}: {name(match.expected)} should be on {match.square} and {name(other.expected)} on "
                f"{other.square}, but they are seen the other way round"
            )


def _swapped(match: Match, other: Match) -> bool:
    return (match.palette, match.expected, match.seen) == (other.palette, other.seen, other.expected)


def _unsure(match: Match, name: Name) -> str:
    start = f"{match.palette}: unsure of {match.square}, {name(match.expected)}: "
    likely = match.odds.get(match.expected, 0.0)
    others = [content for content in match.odds if content != match.expected]
    if not others:
        return f"{start}anything else is possible"
    other = max(others, key=lambda content: match.odds[content])
    what = _beside(match, other, name)
    verb = "are" if _plural(what) else "is"
    if match.odds[other] > likely:
        return f"{start}{what} {verb} likelier"
    return f"{start}{what} {verb} {'nearly as likely' if match.odds[other] > likely / 2 else 'possible'}"


def _beside(match: Match, content: Any, name: Name) -> str:
    """A content in words, beside what was expected: of the same pyramid but for its floors only these are named."""
    pair = match.expected, content
    if isinstance(pair[0], Pyramid) and isinstance(pair[1], Pyramid) and pair[0].colour == pair[1].colour:
        return counted(pair[1].floors, "floor")
    return name(content)


def _plural(words: str) -> bool:
    return (words.endswith("floors") and words[0].isdigit()) or words.endswith("stones")


def _at_most(lines: list[str]) -> Iterator[str]:
    yield from lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        yield f"... and {len(lines) - MOST_LINES} more"


def _json(palette: str) -> str:
    return palette.removesuffix(".jpg") + ".json"
