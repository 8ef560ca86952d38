"""Small patches of a straightened picture, looked for again in another one: which of them are found, and where.

Patches that are covered match badly; those on a print that repeats itself may be found in the wrong place. Both are for
the caller to sort out: the right ones agree with each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.frames import Shades
from vision.geometry import Floats
from vision.parabola import vertex

MIN_MATCH = 0.6
"""Normalised correlation from which a patch counts as found."""
QUALITY = 0.01
"""How much weaker a corner of the print may be than the strongest and still be worth a patch."""


@dataclass(frozen=True)
class Patches:
    """Patches of one straightened picture, those on the strongest corners of the print first.

    centres: N x 2, px. images: ``side`` px square each. reach: how far, in px, each is looked for.
    """

    centres: NDArray[np.int32]
    images: tuple[Shades, ...]
    side: int
    reach: int

    def __len__(self) -> int:
        return len(self.images)

    @staticmethod
    def of(shades: Shades, where: Shades, most: int, side: int, reach: int) -> Patches:
        """At most so many patches of a picture, no two of them nearer to each other than most of their side.

        where: height x width, not 0 where their centres may be.
        """
        corners = cv2.goodFeaturesToTrack(shades, most, QUALITY, side * 0.8, mask=where, blockSize=9)
        half = side // 2
        height, width = shades.shape
        centres, images = [], []
        for x, y in np.zeros((0, 2)) if corners is None else corners[:, 0].round().astype(int):
            # They can be compared with what is a pixel aside.
            if half < x < width - half and half < y < height - half:
                centres.append((x, y))
                images.append(shades[y - half : y + half, x - half : x + half].copy())
        return Patches(np.array(centres, np.int32).reshape(-1, 2), tuple(images), side, reach)

    def match(self, shades: Shades) -> tuple[Floats, Floats]:
        """The patches that are found in another picture of the same size: their centres, and where those are now; px.

        A patch whose best place is at the border of its reach does not count.
        """
        border = self.side // 2 + self.reach
        wide = cv2.copyMakeBorder(shades, border, border, border, border, cv2.BORDER_CONSTANT)
        expected, found, around = [], [], []
        for (x, y), image in zip(self.centres, self.images, strict=True):
            area = wide[y : y + 2 * border, x : x + 2 * border]
            match = cv2.matchTemplate(area, image, cv2.TM_CCOEFF_NORMED)
            _, best, _, (column, row) = cv2.minMaxLoc(match)
            if best < MIN_MATCH or not (0 < column < 2 * self.reach and 0 < row < 2 * self.reach):
                continue
            expected.append((x, y))
            found.append((x + column - self.reach, y + row - self.reach))
            around.append(match[row - 1 : row + 2, column - 1 : column + 2])
        near = np.array(around, np.float64).reshape(-1, 3, 3)
        between = np.stack([vertex(near[:, 1].T), vertex(near[:, :, 1].T)], axis=1)
        return np.array(expected, np.float64).reshape(-1, 2), np.array(found).reshape(-1, 2) + between

    def still(self, shades: Shades, most: float) -> int:
        """How many patches another picture of the same size shows where they were, so many px off at most (less than
        half a pixel), and better than a pixel to any side: ``match`` says the same of these, but for those that fit
        still better further away, and takes five times as long."""
        left, top = (self.centres - self.side // 2 - 1).T
        around = sliding_window_view(shades, (self.side + 2,) * 2)[top, left].astype(np.float32)
        places = sliding_window_view(around, (self.side,) * 2, axis=(1, 2)).reshape(len(self), 9, self.side**2)
        total, squares = places.sum(axis=2), np.einsum("nps,nps->np", places, places)
        strength = np.sqrt(np.maximum(squares - total**2 / self.side**2, 1.0))
        found = ((places @ self._contrasts)[..., 0] / strength).reshape(-1, 3, 3)
        here = found[:, 1, 1]
        still = (here >= MIN_MATCH) & (here == found.max(axis=(1, 2)))
        for before, after in ((found[:, 1, 0], found[:, 1, 2]), (found[:, 0, 1], found[:, 2, 1])):
            # The parabola's vertex, without a division by what may be nothing.
            still &= np.abs(before - after) <= 2 * most * (2 * here - before - after)
        return int(np.count_nonzero(still))

    @cached_property
    def _contrasts(self) -> NDArray[np.float32]:
        """How the pixels of each patch differ from its mean, with a sum of squares of 1: patches x pixels x 1."""
        images = np.reshape(self.images, (len(self), self.side**2, 1)).astype(np.float32)
        images -= images.mean(axis=1, keepdims=True)
        return np.asarray(images / np.maximum(np.linalg.norm(images, axis=1, keepdims=True), 1.0), np.float32)
