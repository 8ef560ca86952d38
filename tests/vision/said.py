"""A stand-in for the reader of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.observation import Reading
from vision.frames import Picture


@dataclass
class Said:
    """Says of a picture what a function does; expected: the pictures that it was shown before it had to.
    corners: where it finds the board's (4 x 2, px); sought: how often it was asked for them."""

    says: Callable[[Picture], Reading]
    expected: list[Picture] = field(default_factory=list)
    corners: NDArray[np.float64] | None = None
    sought: int = 0

    def read(self, picture: Picture) -> Reading:
        return self.says(picture)

    def locate(self, picture: Picture) -> NDArray[np.float64] | None:
        self.sought += 1
        return self.corners

    def expect(self, picture: Picture) -> None:
        self.expected.append(picture)
