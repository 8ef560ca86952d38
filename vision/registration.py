"""Where the board lies in a picture, by comparing it with the empty board as it was taught.

Two steps: from an idea of the pose (the last one found, or one from features over the whole picture) small patches of
the empty board are looked for where they should be, and the pose is refitted to where they are. Patches that are
covered match badly or disagree, and do not count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.geometry import Floats, Lens, Pose, find_pose
from vision.grid import PX_PER_MM, board_corners_mm
from vision.light import grey
from vision.table import Table

PATCH_PX = 32
REACH_PX = 12
"""Half side of the patches compared, and how far they may have moved, in canvas px (0.5 mm)."""
MAX_PATCHES = 140
MIN_PATCHES = 12
MIN_MATCH = 0.6
"""Normalised correlation from which a patch counts as found."""
AGREE_PX = 1.5
"""How far, in canvas px, a patch may be off the refitted pose and still count."""
MIN_INLIERS = 15
"""Feature matches that must agree before the board counts as found anew."""


@dataclass(frozen=True)
class Registration:
    """The board found in a picture.

    error_mm: root mean square over the patches found.
    found: the share of patches found; covered ones are not.
    """

    lens: Lens
    pose: Pose
    error_mm: float
    found: float

    def scaled(self, scale: float) -> Registration:
        """The same for a picture that is ``scale`` times as large."""
        width, height = self.lens.size
        return replace(self, lens=self.lens.scaled((round(width * scale), round(height * scale))))

    def corners_px(self, table: Table) -> Floats:
        """The printed board's corners in the picture: the one at A1, then clockwise as seen from above; 4 x 2."""
        return self.pose.project(self.lens, board_corners_mm(table.board))


@dataclass(frozen=True)
class NotFound:
    """Why no board was found, for people."""

    reason: str


@dataclass(frozen=True)
class _Patches:
    centres: NDArray[np.int32]
    images: list[NDArray[np.uint8]]


class BoardFinder:
    """Finds a taught board in pictures. It holds what the table looks like, never what was seen last."""

    def __init__(self, table: Table) -> None:
        self._lens = table.lens
        self._canvas = table.canvas
        straight = table.canvas.straighten(table.empty, table.lens, table.pose)
        self._patches = _choose_patches(grey(straight))
        self._sift = cv2.SIFT.create(nfeatures=3000)
        empty = grey(table.empty)
        points, self._descriptors = self._sift.detectAndCompute(_even(empty), _board_mask(table, empty.shape))
        places = np.array([point.pt for point in points], np.float64).reshape(-1, 2)
        ideal = table.lens.ideal(places)
        self._points_mm = cv2.perspectiveTransform(ideal[:, None], np.linalg.inv(table.pose.homography()))[:, 0]

    def find(self, picture: Picture, guess: Pose) -> Registration | NotFound:
        """The board in a picture of the size that was taught.

        guess: where the camera was last; a few mm of difference are found from there, more by searching anew.
        """
        shades = grey(picture)
        refined = self._refine(shades, guess)
        if refined is not None and refined.found >= 0.35:
            return refined
        coarse = self._search(shades)
        if coarse is not None:
            anew = self._refine(shades, coarse)
            if anew is not None and (refined is None or anew.found > refined.found):
                refined = anew
        if refined is None or refined.found < 0.15:
            return NotFound("the board was not found in the picture; is all of it in view, and is it the one taught?")
        return refined

    def _refine(self, shades: NDArray[np.uint8], pose: Pose) -> Registration | None:
        for _ in range(3):
            straight = self._canvas.straighten(shades, self._lens, pose)
            expected, moved = _match_patches(straight, self._patches)
            if len(expected) < MIN_PATCHES:
                return None
            fit = self._fit(pose, expected, moved)
            if fit is None:
                return None
            new, error_px, inliers = fit
            shift = np.abs(new.project(self._lens, CENTRE_MM) - pose.project(self._lens, CENTRE_MM)).max()
            pose = new
            if shift < 0.05:
                break
        return Registration(self._lens, pose, error_px / PX_PER_MM, inliers / len(self._patches.images))

    def _fit(self, pose: Pose, expected: Floats, moved: Floats) -> tuple[Pose, float, int] | None:
        # The canvas was made with the old pose, so what it shows at ``moved`` is at this place in the picture:
        seen_px = pose.project(self._lens, self._canvas.to_mm(moved))
        known_mm = self._canvas.to_mm(expected)
        homography, mask = cv2.findHomography(known_mm, self._canvas.to_mm(moved), cv2.RANSAC, AGREE_PX / PX_PER_MM)
        if homography is None or mask.sum() < MIN_PATCHES:
            return None
        keep = mask.ravel() > 0
        fit = find_pose(self._lens, known_mm[keep], seen_px[keep])
        if fit is None:
            return None
        scale = self._lens.focal / fit[0].eye[2]
        return fit[0], fit[1] / scale * PX_PER_MM, int(keep.sum())

    def _search(self, shades: NDArray[np.uint8]) -> Pose | None:
        points, descriptors = self._sift.detectAndCompute(_even(shades), None)
        if descriptors is None or len(descriptors) < MIN_INLIERS or self._descriptors is None:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(self._descriptors, descriptors, k=2)
        good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.8 * pair[1].distance]
        if len(good) < MIN_INLIERS:
            return None
        known_mm = self._points_mm[[match.queryIdx for match in good]]
        seen_px = np.array([points[match.trainIdx].pt for match in good], np.float64)
        ideal = self._lens.ideal(seen_px)
        homography, mask = cv2.findHomography(known_mm, ideal, cv2.RANSAC, 3 / self._lens.focal)
        if homography is None or mask.sum() < MIN_INLIERS:
            return None
        keep = mask.ravel() > 0
        fit = find_pose(self._lens, np.asarray(known_mm[keep], np.float64), seen_px[keep])
        return None if fit is None else fit[0]


CENTRE_MM = np.array([[0.0, 0.0], [400.0, 0.0], [400.0, 400.0], [0.0, 400.0]])
"""Points whose movement tells when a pose has settled."""


def _even(shades: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same local contrast everywhere, so that features are found in dim corners too."""
    return np.asarray(cv2.createCLAHE(2.0, (8, 8)).apply(shades), np.uint8)


def _board_mask(table: Table, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    mask = np.zeros(shape, np.uint8)
    outline = table.pose.project(table.lens, board_corners_mm(table.board))
    cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255)
    return mask


def _choose_patches(shades: NDArray[np.uint8]) -> _Patches:
    corners = cv2.goodFeaturesToTrack(shades, MAX_PATCHES, 0.01, PATCH_PX * 0.8, blockSize=9)
    half = PATCH_PX // 2
    border = half + REACH_PX + 1
    height, width = shades.shape
    centres, images = [], []
    for x, y in np.zeros((0, 2)) if corners is None else corners[:, 0].round().astype(int):
        if border <= x < width - border and border <= y < height - border:
            centres.append((x, y))
            images.append(shades[y - half : y + half, x - half : x + half].copy())
    return _Patches(np.array(centres, np.int32).reshape(-1, 2), images)


def _match_patches(straight: NDArray[np.uint8], patches: _Patches) -> tuple[Floats, Floats]:
    """Canvas px of the patches that were found: where they should be, and where they are."""
    half, reach = PATCH_PX // 2, REACH_PX
    expected, moved = [], []
    for (x, y), image in zip(patches.centres, patches.images, strict=True):
        area = straight[y - half - reach : y + half + reach, x - half - reach : x + half + reach]
        match = cv2.matchTemplate(area, image, cv2.TM_CCOEFF_NORMED)
        _, best, _, (column, row) = cv2.minMaxLoc(match)
        if best < MIN_MATCH or not (0 < column < 2 * reach and 0 < row < 2 * reach):
            continue
        dx = _peak(*(float(value) for value in match[row, column - 1 : column + 2]))
        dy = _peak(*(float(value) for value in match[row - 1 : row + 2, column]))
        expected.append((x, y))
        moved.append((x + column - reach + dx, y + row - reach + dy))
    return np.array(expected, np.float64).reshape(-1, 2), np.array(moved, np.float64).reshape(-1, 2)


def _peak(left: float, middle: float, right: float) -> float:
    """Offset of a parabola's top through three values, -0.5 to 0.5."""
    bend = left - 2 * middle + right
    return 0.0 if bend >= 0 else float(np.clip(0.5 * (left - right) / bend, -0.5, 0.5))
