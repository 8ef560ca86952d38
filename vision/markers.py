"""Printed markers that lie beside a board with little print of its own, so that the camera knows where the board is.

ArUco markers of the dictionary 4X4_50 (Garrido-Jurado et al., Pattern Recognition 47, 2014), found by OpenCV.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Lens, Pose

COUNT = 8
"""The markers that there are: numbers 0 to 7."""
CELLS = 6
"""Cells on each side of a marker, its black border included."""

Markers: TypeAlias = Mapping[int, Floats]
"""The corners of markers by their number: top left, then clockwise; 4 x 2."""

_DICTIONARY = cv2.aruco.DICT_4X4_50


def marker_cells(number: int) -> NDArray[np.bool_]:
    """Which cells of a marker are white, row by row; ``CELLS`` x ``CELLS``."""
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, CELLS)) > 0


def find_markers(shades: NDArray[np.uint8]) -> dict[int, Floats]:
    """The markers in a picture (height x width, uint8), their corners in px."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_DICTIONARY), parameters)
    corners, numbers, _ = detector.detectMarkers(shades)
    if numbers is None:
        return {}
    found = {
        int(number): np.asarray(four[0], np.float64) for number, four in zip(numbers.ravel(), corners, strict=True)
    }
    return {number: found[number] for number in sorted(found) if number < COUNT}


def on_board_plane(markers: Markers, lens: Lens, pose: Pose, size_mm: tuple[float, float]) -> dict[int, Floats]:
    """Where markers beside a board lie on its plane, in mm; those on the board itself, where pieces go, are left out.

    size_mm: width and height of the printed board.
    """
    placed = {number: pose.on_plane(lens, corners) for number, corners in markers.items()}
    return {number: mm for number, mm in placed.items() if not np.all((mm > 0) & (mm < size_mm))}
