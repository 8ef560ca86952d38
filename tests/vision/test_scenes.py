"""Accuracy over the collection of scenes where it lies beside the project, else over the set-up that stands here."""

from __future__ import annotations

import json
from pathlib import Path

from companion.cli.teach import board_of
from companion.games.pacal.pieces import squares_from_json
from vision.evaluate import Score, score, total
from vision.frames import read_picture
from vision.reader import Reader
from vision.setup_folder import read_setup
from vision.teaching import teach

SHARED = Path(__file__).parents[3] / "shared" / "scenes" / "pacal"
SCENES = SHARED if SHARED.is_dir() else Path(__file__).parent / "pictures"


def score_setup(folder: Path) -> Score:
    table = teach(read_setup(folder, board_of))
    reader = Reader(table)
    scores = []
    for still in sorted(folder.glob("still-*.jpg")):
        truth = squares_from_json(json.loads(still.with_suffix(".json").read_text(encoding="utf-8"))["squares"])
        scores.append(score(reader.read(read_picture(still)), truth, table.board.squares))
    return total(scores)


def test_scenes_are_read_as_well_as_the_report_says() -> None:
    whole = total(score_setup(folder) for folder in sorted(SCENES.glob("setup*")))
    assert whole.unusable == 0
    assert whole.occupied_right >= 0.97 * whole.occupied
    assert whole.bare_wrong <= whole.bare / 500
    # Of what is said with 0.99 or more, so good as nothing is wrong.
    sure, right = (sum(bin_[index] for bin_ in whole.bins[-2:]) for index in (0, 1))
    assert sure > 0.7 * whole.squares
    assert right >= 0.999 * sure
