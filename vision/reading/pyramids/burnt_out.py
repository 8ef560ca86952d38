"""What a picture still tells of the shape of pieces that are burnt out.

In bright or warm light plastic may be as red as a picture can show, and terraces hardly differ. Yellow plastic may be
as green as that too: then only its blue tells them apart.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.squares import Square
from vision.frames import Picture
from vision.grid import shrink
from vision.light.appearance import Map
from vision.logarithms import BURNT, OFFSET, levels_without
from vision.reading.details import brightness_of, details_of
from vision.reading.evidence import Scene
from vision.reading.places import cut, on_canvas

SIDE_PX, MUCH = 24, 0.85
"""How large a part of the canvas round a square's middle is looked at (px), and how large a share of that must be burnt
out: where brightness and blue both tell, they do not meet."""
MOST_BLUE, BLUE_TIMES = 129, 5.0
"""The grey level up to which blue is that of yellow plastic; and how much brighter that is than its blue: between two
and nine times on the tables that were measured, and of 81 such pyramids this tells most rightly."""


def is_burnt_out(scene: Scene, name: Square) -> bool:
    """Whether what stands on a square is, in one channel at least."""
    return float((_near(scene, name) >= BURNT).mean(axis=(0, 1)).max()) > MUCH


def only_blue_is_left(scene: Scene, name: Square) -> bool:
    """Whether what stands on a square is burnt out in green and red, but not in blue."""
    return float(_lost(_near(scene, name)).mean()) > MUCH


def by_blue(scene: Scene) -> Scene:
    """A scene whose shade and details are told by blue where green and red are burnt out."""
    small = shrink(scene.straight)
    shade = _with_blue(scene.shade.copy(), small, levels_without(scene.gain, small)[..., 0])
    return replace(scene, shade=shade, details=details_of(scene.straight, _brightness))


def _near(scene: Scene, name: Square) -> Picture:
    return cut(scene.straight, on_canvas(scene.about(name)[0]), SIDE_PX)


def _brightness(picture: Picture) -> Map:
    return _with_blue(brightness_of(picture), picture, picture[..., 0] + np.float32(OFFSET))


def _with_blue(logs: Map, picture: Picture, blue: Map) -> Map:
    """The logarithms of brightness, raised where the picture is burnt out to what its level of blue tells."""
    lost = _lost(picture)
    logs[lost] = np.maximum(logs[lost], np.log(BLUE_TIMES * blue[lost]))
    return logs


def _lost(picture: Picture) -> NDArray[np.bool_]:
    """Which pixels green and red tell nothing of."""
    return np.asarray(cv2.inRange(picture, (0, BURNT, BURNT), (MOST_BLUE, 255, 255)) > 0)
