"""Between values that are equally far apart: where a parabola through three of them is highest."""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats

_FLAT = -1e-12
"""What bends less, or upwards, has no top: that is taken to lie beyond the higher side."""


def vertex(three: Floats) -> Floats:
    """How far from the second value the vertex is, in steps: -1 to 1 (0.5 at most where that is the largest).

    three: 3 x ..., for each of the last axes by itself. Of values that go on rising it would be anywhere beyond these.
    """
    left, middle, right = three
    bend = np.minimum(left - 2 * middle + right, _FLAT)
    return np.asarray(np.clip(0.5 * (left - right) / bend, -1, 1), np.float64)
