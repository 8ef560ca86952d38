"""Is a picture fit to be read, and if not, why not (for people)."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture, Shades, least_and_most
from vision.quantiles import quantile

DARKEST, DARK = 14, 0.9
"""Grey level, and share of pixels: a picture of which more is darker cannot be read."""
BRIGHTEST = 0.5
"""Share of pixels that may be burnt out."""
COLOURLESS, GREY = 0.25, 0.02
"""A picture with a smaller share of the taught one's colourfulness has no colour; nor has one to teach with that has
less than the second: of 171 empty boards none had less than 0.1; a grey one has 0, but for what JPEG makes of it."""
SOFTEST, TELLING = 0.5, 0.2
"""A picture is blurred if more than half of the tiles that are sharpest on the taught one, such a share of all, have
less than such a share of their contrast there. Pieces and hands, sharp or not, do not lie on so many."""
SHARP, SOME = 0.8, 0.1
"""Where of so many of them such a share is left, the others may be covered by something large and plain: of a blurred
picture no tile shows so much, but for pieces."""
_TILE = 4


class Quality:
    """Judges pictures of one table beside the empty picture that was taught."""

    def __init__(self, taught: Picture, shades: Shades) -> None:
        """taught: the empty picture. shades: the same, straightened, in ``grey``."""
        small = _small(taught)
        self._colourfulness = _colourfulness(small, *least_and_most(small))
        detail = _detail(shades)
        self._telling = np.flatnonzero(detail >= quantile(detail, 1 - TELLING))
        self._detail = detail[self._telling]

    def light_trouble(self, picture: Picture) -> str | None:
        """What is wrong with the light of a picture; None when nothing is."""
        return light_trouble(picture, COLOURLESS * self._colourfulness)

    def sharpness_trouble(self, shades: Shades) -> str | None:
        """Whether a straightened picture (in ``grey``) is too blurred; None when it is sharp enough."""
        detail = _detail(shades)[self._telling]
        if np.mean(detail < SOFTEST * self._detail) <= 0.5:
            return None
        if np.mean(detail >= SHARP * self._detail) >= SOME:
            return (
                "something large lies over the board, or the picture is blurred; is there anything before the camera?"
            )
        return "the picture is blurred; did the camera move, or lose its focus?"


def light_trouble(picture: Picture, least_colour: float = GREY) -> str | None:
    """What is wrong with the light of a picture, also of one to teach with; None when nothing is.

    least_colour: the least colourfulness of one that has colour.
    """
    small = _small(picture)
    least, most = least_and_most(small)
    if float((most < DARKEST).mean()) > DARK:
        return "the picture is too dark; is the camera covered, or the light off?"
    if float((least > 250).mean()) > BRIGHTEST:
        return "the picture is far too bright; is a lamp shining into the camera?"
    if _colourfulness(small, least, most) < least_colour:
        return "the picture has no colour; is the camera set to black and white?"
    return None


def _small(picture: Picture) -> Picture:
    return np.ascontiguousarray(picture[6::24, 6::12])


def _colourfulness(picture: Picture, least: Shades, most: Shades) -> float:
    """How far the channels of a picture's pixels differ, whatever its brightness; see ``least_and_most``."""
    return float((most - least).mean() / (picture.mean() + 1))


def _detail(shades: Shades) -> NDArray[np.float32]:
    """Contrast of neighbouring pixels, whatever the brightness, in each tile of the board's middle."""
    height, width = shades.shape
    top = height // 4 // _TILE * _TILE
    size = (width // _TILE, (height - 2 * top) // _TILE)
    # Whole tiles are shrunk in a third of the time.
    shades = shades[top : top + size[1] * _TILE, : size[0] * _TILE]
    fine = cv2.absdiff(cv2.GaussianBlur(shades, (5, 5), 1.0), cv2.blur(shades, (9, 9)))
    # Scaled up first: what is left of a faint contrast after rounding is worth nothing.
    tiles = cv2.resize(cv2.convertScaleAbs(fine, alpha=4.0), size, interpolation=cv2.INTER_AREA).astype(np.float32) / 4
    level = cv2.resize(shades, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 4
    return np.asarray(tiles / level, np.float32).ravel()
