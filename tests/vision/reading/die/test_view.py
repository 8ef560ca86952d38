"""What is known of a picture in which a die is looked for."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.reading.die.drawn_dice import BOARD_MM, CLOTH, Table
from vision.reading.die.view import DieView


def test_sharpening_makes_pips_darker_and_nothing_whiter_than_the_white_round_it() -> None:
    table = Table(CLOTH).board().die(2, (-75, 240), 20, light=0.7)
    picture = table.picture(noise=1.0)
    view = DieView.of(picture, table.corners_px(), BOARD_MM)
    assert view is not None
    assert np.all(view.sharp <= cv2.dilate(picture, np.ones((3, 3), np.uint8)))
    assert view.sharp.min() < picture.min() - 10
