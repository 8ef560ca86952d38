"""Pictures as opponent logarithms, and back to amounts of light.

In logarithms a change of light, exposure or white balance adds the same number everywhere it reaches. In amounts of
light it multiplies, and what a mirror adds is a plain sum.
"""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

Layers: TypeAlias = NDArray[np.float32]
"""height x width x 3, float32."""

Hue: TypeAlias = tuple[float, float]
"""How much blue - green and red - green change for each unit by which a shadow darkens: its light is another lamp's."""

OFFSET = 6.0
"""Added before the logarithm, in grey levels: what sensor noise there is in the dark counts for no more than this."""
GAMMA = 2.2
"""Of the camera's pictures: light is its grey levels to this power."""

WHITE = float(np.log(255 + OFFSET))
"""The logarithm of what a pixel can show at most."""

BURNT = 250
"""Grey level from which on a channel is taken for cut off."""
_LOG = np.log(np.arange(256, dtype=np.float32) + OFFSET).astype(np.float32)
_OPPONENT = np.array([[1, -1, 0], [0, -1, 1], [1 / 3, 1 / 3, 1 / 3]], np.float32)
TO_BGR = np.linalg.inv(_OPPONENT.astype(np.float64)).astype(np.float32)
"""From opponent logarithms to those of blue, green and red."""


def logarithms(straight: Picture) -> Layers:
    """Opponent logarithms of a picture: blue - green, red - green, and the mean of the three."""
    return np.asarray(cv2.transform(cv2.LUT(straight, _LOG), _OPPONENT), np.float32)


def light_of(logs: Layers) -> Layers:
    """Amounts of light (blue, green, red; 1 is white) of opponent logarithms."""
    levels = cv2.exp(cv2.transform(logs, TO_BGR)) - np.float32(OFFSET)
    return np.asarray(cv2.pow(np.maximum(levels / np.float32(255), 0), GAMMA), np.float32)


def lights_of(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Amounts of light of single colours, as ``light_of`` says: N x 3."""
    return np.asarray(light_of(np.asarray(logs, np.float32)[None])[0], np.float64)


def logarithms_of(light: Layers) -> Layers:
    """The inverse of ``light_of``; less light than none is none."""
    levels = cv2.pow(np.maximum(light, 0), 1 / GAMMA) * np.float32(255)
    return opponent(np.asarray(levels + np.float32(OFFSET), np.float32))


def logarithms_without(gain: Layers, straight: Picture) -> Layers:
    """Opponent logarithms of a picture as it would be in light that lacks ``gain``: see ``levels_without``."""
    return opponent(levels_without(gain, straight))


def levels_without(gain: Layers, straight: Picture) -> Layers:
    """The grey levels (blue, green, red) of a picture as it would be in light that lacks ``gain``, and ``OFFSET``: they
    are divided by it.

    In dark channels that takes less than the gain: the better part of their logarithm is ``OFFSET``, which is no light.
    """
    return np.asarray(straight * cv2.exp(cv2.transform(gain, -TO_BGR)) + np.float32(OFFSET), np.float32)


def opponent(levels: Layers) -> Layers:
    """Opponent logarithms of grey levels (blue, green, red) that are all more than 0."""
    return np.asarray(cv2.transform(cv2.log(levels), _OPPONENT), np.float32)


def brightness(levels: Layers, least: float = 0.0) -> NDArray[np.float32]:
    """The logarithm of the root mean square of each pixel's three channels, height x width.

    Of saturated colours, as pieces have them, it has the least noise: it goes by the channels that are bright, whereas
    the usual grey goes mostly by green. levels: they are squared in place, as a copy takes longer. least: what that of
    a black pixel would be.
    """
    np.multiply(levels, levels, out=levels)
    logs = cv2.log(cv2.transform(levels, np.array([[1 / 3, 1 / 3, 1 / 3, least**2]], np.float32)))
    return np.asarray(np.multiply(logs, np.float32(0.5), out=logs), np.float32)


def as_shown(expected: Layers, gain: Layers, picture: Picture) -> Layers:
    """Opponent logarithms as a picture shows them in light that adds ``gain`` to them, less that gain again: where that
    is burnt out, no channel is brighter than white.

    picture: the same part as both of them, BGR.
    """
    burnt = (picture >= BURNT).any(axis=2)
    shown = expected.copy()
    shown[burnt] -= cut_off(shown[burnt], gain[burnt])
    return shown


def cut_off(expected: NDArray[np.float32], gain: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a picture cannot show of opponent logarithms (… x 3) in light that adds ``gain`` to them: by how much their
    channels are brighter than white then, in opponent logarithms again."""
    over = np.maximum((expected + gain) @ TO_BGR.T - np.float32(WHITE), 0)
    return np.asarray(over @ _OPPONENT.T, np.float32)
