"""What goes wrong above a table at home, to be switched on at the simulated camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.frames import Picture
from vision.simulated.hand import HandPose
from vision.simulated.light import WARM_LAMP
from vision.simulated.scene import SceneState
from vision.simulated.view import View

BUMP_MM = (14.0, -9.0)
BUMP_DEG = 1.6


def _same_scene(scene: SceneState) -> SceneState:
    return scene


def _same_view(view: View) -> View:
    return view


def _same_picture(picture: Picture, t: float) -> Picture:
    return picture


@dataclass(frozen=True)
class Trouble:
    """One thing that goes wrong: with what is before the camera, with where it stands, or with its pictures.

    text: for people. frozen: the camera gives the same picture again and again.
    """

    text: str
    scene: Callable[[SceneState], SceneState] = _same_scene
    view: Callable[[View], View] = _same_view
    picture: Callable[[Picture, float], Picture] = _same_picture
    frozen: bool = False


def shadow_across(picture: Picture, t: float) -> Picture:
    """Somebody stands in the light: a soft, dark band lies across."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(0, 1, 64), np.linspace(0, 1, 36))
    band = np.clip((0.22 - np.abs(x - 0.25 - 0.35 * y)) / 0.08, 0, 1)
    return _times(picture, 1 - 0.5 * band, (width, height))


def glare(picture: Picture, t: float) -> Picture:
    """A lamp is mirrored in the glossy board: a bright spot that burns out in its middle."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(0, 1, 64), np.linspace(0, 1, 36))
    spot = 210 * np.exp(-(((x - 0.56) / 0.07) ** 2) - ((y - 0.42) / 0.1) ** 2)
    grown = cv2.resize(spot.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.add(picture, cv2.merge([grown] * 3), dtype=cv2.CV_8U), np.uint8)


def blur(picture: Picture, t: float) -> Picture:
    """The lens is out of focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), picture.shape[1] / 240), np.uint8)


def noise(picture: Picture, t: float) -> Picture:
    """The sensor is turned up very far, as in the dark."""
    chance = np.random.default_rng(round(abs(t) * 1000))
    height, width = picture.shape[:2]
    grain = np.round(chance.normal(0, 14, (height // 2 + 1, width // 2 + 1, 3))).astype(np.int16)
    grown = cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.add(picture, grown, dtype=cv2.CV_8U), np.uint8)


def black(picture: Picture, t: float) -> Picture:
    """The lens cap is on."""
    return np.zeros_like(picture)


def _resting(scene: SceneState) -> SceneState:
    hand = HandPose((250.0, 330.0), 0.0, 262.0, flat=True)
    return replace(scene, hands=(*scene.hands, hand))


TROUBLES: Mapping[str, Trouble] = {
    "lamp": Trouble("another lamp is on", scene=lambda scene: replace(scene, light=WARM_LAMP)),
    "shadow": Trouble("somebody's shadow lies across the board", picture=shadow_across),
    "glare": Trouble("a lamp is mirrored in the board", picture=glare),
    "blur": Trouble("the picture is out of focus", picture=blur),
    "noise": Trouble("the picture is noisy", picture=noise),
    "bump": Trouble("the camera was knocked", view=lambda view: view.bumped(BUMP_MM, BUMP_DEG)),
    "frozen": Trouble("the camera always gives the same picture", frozen=True),
    "black": Trouble("the picture is black", picture=black),
    "hand": Trouble("a hand rests on the board", scene=_resting),
}
"""By the name under which it is switched on."""


def _times(picture: Picture, gains: np.typing.NDArray[np.float64], size: tuple[int, int]) -> Picture:
    grown = cv2.resize(gains.astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.multiply(picture, cv2.merge([grown] * 3), dtype=cv2.CV_8U), np.uint8)
