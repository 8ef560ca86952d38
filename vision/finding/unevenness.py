"""How high a board lies that does not lie flat, from patches of its print.

Folded boards lie otherwise each time they are unfolded. A panel that lies some millimetres higher is seen a little
further from the point below the camera: that is not much, but fine print that is not where it is looked for is taken
for print that something covers.
"""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats, HeightField, Lens, Pose

KNOTS = 7
"""So many across, and down: boards are folded in two, in three, in four or in six."""
STIFF = 0.005
"""What bending costs beside a patch that is as far off: little enough for a fold."""
STEADY = 0.002
"""What it costs to be at another height than the plane."""
SPREADS_MM = (6.0, 3.0, 1.5, 0.8, 0.4, 0.2)
"""Patches that are further off hardly count, round by round."""
NOTICED_MM, NOTICED_SHARE = 0.15, 0.1
"""A board is flat where fewer patches are seen as far aside: that is half a px or less, and nothing to the reading."""
LEAST_PATCHES = 12
MOST_MM = 20.0
"""No board lies higher, or deeper."""
_TURN_MM = 100.0


def uneven(size_mm: tuple[float, float], lens: Lens, pose: Pose, known_mm: Floats, seen_px: Floats) -> Pose | None:
    """The camera's place over a board with its ``surface``; None where it is flat, or where no board bends like that.

    size_mm: the board's. pose: over the plane that fits it best. known_mm, seen_px: where patches of it are on the
    board, and where a picture shows them, some of them in the wrong place (N x 2).
    """
    if len(known_mm) < LEAST_PATCHES:
        return None
    shares = HeightField(size_mm, np.zeros((KNOTS, KNOTS))).shares(known_mm)
    # So far aside for each mm of height.
    lean = (known_mm - pose.eye[:2]) / pose.eye[2]
    # The plane fits best what is not flat: it may be moved and turned a little.
    middle = known_mm.mean(axis=0)
    one, none, (x, y) = np.ones(len(known_mm)), np.zeros(len(known_mm)), ((known_mm - middle) / _TURN_MM).T
    to_the_right = np.column_stack([shares * lean[:, :1], one, none, -y])
    down = np.column_stack([shares * lean[:, 1:], none, one, x])
    found = _fitting(np.concatenate([to_the_right, down]), (pose.on_plane(lens, seen_px) - known_mm).T.ravel())
    heights = found[:-3] / (1 + found[:-3] / pose.eye[2])
    aside_mm = np.abs(shares @ heights) * np.linalg.norm(lean, axis=1)
    if np.mean(aside_mm > NOTICED_MM) < NOTICED_SHARE or np.abs(heights).max() > MOST_MM:
        return None
    angle = np.arctan(found[-1] / _TURN_MM)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    moved = np.append(middle + found[-3:-1], 0) - turn @ np.append(middle, 0)
    surface = HeightField(size_mm, heights.reshape(KNOTS, KNOTS))
    return Pose(pose.rotation @ turn, pose.rotation @ moved + pose.shift, surface)


def _fitting(model: Floats, aside: Floats) -> Floats:
    """What fits how far aside patches are seen best: the knots' heights, and how far the plane moves (across, and down)
    and turns.

    model: how far aside each of these moves each patch, 2N x (knots + 3), to the right and then down. aside: 2N.
    """
    even, knot = np.diff(np.eye(KNOTS), 2, axis=0), np.eye(KNOTS)
    bends = np.concatenate([np.kron(knot, even), np.kron(even, knot)])
    held = np.zeros((model.shape[1],) * 2)
    held[: KNOTS**2, : KNOTS**2] = STIFF * bends.T @ bends + STEADY * np.eye(KNOTS**2)
    counts: Floats = np.ones(len(model))
    found: Floats = np.zeros(model.shape[1])
    for spread in SPREADS_MM:
        weighed = model * counts[:, None]
        found = np.asarray(np.linalg.solve(weighed.T @ model + held, weighed.T @ aside))
        off = np.linalg.norm((aside - model @ found).reshape(2, -1), axis=0)
        # Those in the wrong place hardly count (Geman and McClure 1987).
        counts = np.tile(1 / (1 + (off / spread) ** 2) ** 2, 2)
    return found
