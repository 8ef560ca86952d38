"""Accuracy over the collection of scenes where it lies beside the project, else over the set-up that stands here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.teach import board_of
from companion.games.pacal.pieces import squares_from_json
from vision.evaluate import Score, score, total
from vision.frames import read_picture
from vision.reader import Reader
from vision.setup_folder import read_setup
from vision.table import Table
from vision.teaching import teach

SHARED = Path(__file__).parents[3] / "shared" / "scenes" / "pacal"
SCENES = SHARED if SHARED.is_dir() else Path(__file__).parent / "pictures"


def taught(folder: Path) -> Table:
    return teach(read_setup(folder, board_of))


def score_stills(table: Table, folder: Path) -> Score:
    reader = Reader(table)
    scores = []
    for still in sorted(folder.glob("still-*.jpg")):
        truth = squares_from_json(json.loads(still.with_suffix(".json").read_text(encoding="utf-8"))["squares"])
        scores.append(score(reader.read(read_picture(still)), truth, table.board.squares))
    return total(scores)


def test_scenes_are_read_as_well_as_the_report_says() -> None:
    whole = total(score_stills(taught(folder), folder) for folder in sorted(SCENES.glob("setup*")))
    assert whole.unusable == 0
    assert whole.exact >= whole.pictures * 29 / 30 - 1e-9
    assert whole.certain_wrong == 0
    # Much is sure: of what is said with 0.99 or more, there is enough.
    assert sum(bin_[0] for bin_ in whole.bins[-2:]) > 0.9 * whole.squares


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the same board in several rooms")
def test_a_board_is_read_in_another_room_than_it_was_taught_in() -> None:
    first, *others = sorted(SHARED.glob("setup*"))
    table = taught(first)
    # Other lamps, and pieces of another box: further than light changes within an evening.
    whole = total(score_stills(table, folder) for folder in others)
    assert whole.unusable == 0
    assert whole.exact >= 0.9 * whole.pictures
    assert not [miss.text() for miss in whole.misses if miss.confidence >= 0.9]
