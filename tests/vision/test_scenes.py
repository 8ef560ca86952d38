"""Accuracy over the collection of scenes where it lies beside the project, else over the pictures that stand here."""

from __future__ import annotations

from pathlib import Path

from companion.bench.reading import accuracy_goals, measure, taught
from companion.bench.scenes import read_stills
from companion.cli.teach import board_of
from vision.frames import read_picture
from vision.measuring.evaluate import Score, score, total
from vision.reader import Reader
from vision.table import Table
from vision.teaching.setup_folder import read_setup
from vision.teaching.teach import teach

PICTURES = Path(__file__).parent / "pictures"
SHARED = Path(__file__).parents[3] / "shared" / "scenes" / "pacal"
SCENES = SHARED if SHARED.is_dir() else PICTURES


def score_stills(table: Table, folder: Path) -> Score:
    reader = Reader(table)
    return total(
        score(reader.read(read_picture(still.file)), still.seen, table.board.squares) for still in read_stills(folder)
    )


def test_scenes_are_read_as_well_as_the_report_says() -> None:
    tables = {folder: taught(folder, board_of)[0] for folder in sorted(SCENES.glob("setup*"))}
    whole = total(one.score for folder, table in tables.items() for one in measure(folder, table, ()))
    assert whole.pictures > 0
    assert whole.unusable == 0
    assert [goal.what for goal in accuracy_goals("all", whole) if not goal.met] == []
    # Much is sure: of what is said with 0.99 or more, there is enough.
    assert sum(bin_[0] for bin_ in whole.bins[-2:]) > 0.9 * whole.squares


def test_a_board_is_read_in_another_room_than_it_was_taught_in(table: Table) -> None:
    # Other lamps, and pieces of another box: further than light changes within an evening.
    rooms = [score_stills(table, PICTURES / "other-room")]
    if SHARED.is_dir():
        first, *others = sorted(SHARED.glob("setup*"))
        taught = teach(read_setup(first, board_of))
        rooms += [score_stills(taught, folder) for folder in others]
    whole = total(rooms)
    assert whole.pictures > 0
    assert whole.unusable == 0
    assert whole.exact >= 0.9 * whole.pictures
    assert not [miss.text() for miss in whole.misses if miss.confidence >= 0.9]
