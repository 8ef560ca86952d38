"""Is a picture fit to be read, and if not, why not (for people)."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Picture
from vision.light import grey

DARKEST = 14.0
"""Grey level: a picture of which nine tenths are darker than this cannot be read."""
BRIGHTEST = 0.5
"""Share of pixels that may be burnt out."""
COLOURLESS = 0.25
"""Share of the taught picture's colourfulness below which a picture has no colour."""
SOFTEST = 0.3
"""Share of the taught picture's fine detail below which a picture is blurred."""


def light_trouble(picture: Picture, taught: Picture) -> str | None:
    """What is wrong with the light of a picture, compared with the one taught; None when nothing is."""
    small = _small(picture)
    bright = float(np.percentile(small.max(axis=2), 90))
    if bright < DARKEST:
        return "the picture is too dark; is the camera covered, or the light off?"
    if float((small.min(axis=2) > 250).mean()) > BRIGHTEST:
        return "the picture is far too bright; is a lamp shining into the camera?"
    reference = _small(taught)
    if _colourfulness(small) < COLOURLESS * _colourfulness(reference):
        return "the picture has no colour; is the camera set to black and white?"
    return None


def sharpness_trouble(straight: Picture, empty: Picture) -> str | None:
    """Whether a straightened picture is too blurred beside the empty one; None when it is sharp enough."""
    if _detail(straight) < SOFTEST * _detail(empty):
        return "the picture is blurred; did the camera move, or lose its focus?"
    return None


def _small(picture: Picture) -> Picture:
    return np.asarray(cv2.resize(picture, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA), np.uint8)


def _colourfulness(picture: Picture) -> float:
    channels = picture.astype(np.float32)
    return float(np.mean(channels.max(axis=2) - channels.min(axis=2)) / (np.mean(channels) + 1))


def _detail(straight: Picture) -> float:
    """Contrast of neighbouring pixels, whatever the brightness; the median over the board."""
    shades = grey(straight).astype(np.float32)
    fine = cv2.GaussianBlur(shades, (0, 0), 1.0) - cv2.GaussianBlur(shades, (0, 0), 3.0)
    share = np.abs(fine) / (cv2.GaussianBlur(shades, (0, 0), 6.0) + 4)
    return float(np.percentile(share, 90))
