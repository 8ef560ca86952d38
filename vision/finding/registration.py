"""Where the board lies in a picture, by comparing it with the empty board as it was taught.

From an idea of the pose, small patches of the empty board are looked for where they should be, and the pose is refitted
to where they are. Patches that are covered match badly or disagree, and do not count. An idea of the pose is the last
one found; after a bump, larger patches looked for further away give another; after anything worse, features that are
compared over the whole picture. Where patches are seen a little beside the places that the pose says, the board does
not lie flat, and they tell how high it lies. Where printed markers lie beside the board, they tell at once, and a board
with hardly any print is found by them alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.patches import Patches
from vision.finding.tiles import Tiles
from vision.finding.unevenness import uneven
from vision.frames import Picture, Shades, grey
from vision.geometry import Floats, Lens, Pose, find_pose
from vision.grid import Canvas, board_corners_mm, shrink
from vision.markers import find_markers
from vision.table import Table

PATCHES, PATCH_PX, REACH_PX = 140, 32, 12
"""How many small patches there are at most, their side, and how far they may have moved; canvas px (0.5 mm)."""
BUMPED, BUMP_PX, BUMP_REACH_PX = 70, 40, 52
"""The same for what a bump moved, on a canvas of half the size (1 mm a px)."""
FAINTEST = 0.015
"""The contrast of a feature, as OpenCV's SIFT counts it: less than its usual, for boards in poor light."""
MIN_PATCHES = 12
AGREE_MM = 0.75
"""How far a patch may be off the refitted pose and still count."""
BUMP_AGREE_MM = 3.0
FITS_MM = 1.5
"""How far patches may be off the place of the camera that fits them best, as root mean square: real ones are up to 0.3,
those of a picture that was moved instead of the camera 1.2."""
MIN_INLIERS = 15
"""Feature matches that must agree before the board counts as found anew."""
CLEARLY, BARELY = 0.6, 0.15
"""The share of the patches that must be found for the board to be there for sure, and at the least. Where the fields of
a score track are another track's fields, and lines between squares other lines, half of them may be."""
PRINTED = 40
"""A board with fewer patches than these has too little print to be told by it."""
LEAST_MARKERS = 2
MARKERS_AGREE_MM = 1.5
"""Markers that are further than this from where they were beside each other have been moved."""


@dataclass(frozen=True)
class Registration:
    """The board found in a picture.

    pose: with the board's ``surface`` where that is not flat.
    error_mm: root mean square over the patches found, or the markers' corners.
    found: the share of patches, or markers, found; covered ones are not.
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


class BoardFinder:
    """Finds a taught board in pictures. It holds what the table looks like, never what was seen last."""

    def __init__(self, table: Table) -> None:
        self._size_mm = table.board.size_mm
        self._lens = table.lens
        self._canvas = table.canvas
        self._taught = table.pose
        self._corners_mm = board_corners_mm(table.board)
        self._markers = table.markers
        straight = grey(table.canvas.straighten(table.empty, table.lens, table.pose))
        self._coarse = Canvas.to_read(table.board)
        self._tiles = Tiles(table.board, shrink(self._coarse.straighten(table.empty, table.lens, table.pose)))
        # What lies beside the board may lie elsewhere tomorrow.
        printed = _filled(straight.shape, table.canvas.to_px(self._corners_mm))
        self._patches = Patches.of(straight, printed, PATCHES, PATCH_PX, REACH_PX)
        self._large = Patches.of(_halved(straight), _halved(printed), BUMPED, BUMP_PX, BUMP_REACH_PX)
        self._sift = cv2.SIFT.create(nfeatures=3000, contrastThreshold=FAINTEST)
        board = _filled(table.empty.shape[:2], table.pose.project(table.lens, self._corners_mm))
        places, self._descriptors = self._features(grey(table.empty), board)
        self._points_mm = table.pose.on_plane(table.lens, places)

    def find(self, picture: Picture, guess: Pose) -> Registration | NotFound:
        """The board in a picture of the size that was taught.

        guess: where the camera was last, however flat the board lay then; a few mm of difference are found from there,
        a bump near there, more by searching anew.
        """
        shades, guess = grey(picture), replace(guess, surface=None)
        if self._markers and len(self._patches) < PRINTED:
            return self._by_markers(shades) or NotFound(
                f"the board was not found: at least {LEAST_MARKERS} of the printed markers must be in view, "
                "and lie where they lay when the table was taught"
            )
        best, right = None, False
        for search in (self._there, self._marked, self._bumped, self._put_back, self._anew):
            coarse = search(shades, guess)
            refined = None if coarse is None else self._refine(shades, coarse)
            if refined is None:
                continue
            in_place = self._in_its_squares(picture, refined)
            if best is None or (in_place, refined.found) > (right, best.found):
                best, right = refined, in_place
            if right and best.found >= CLEARLY:
                break
        if best is None or best.found < BARELY:
            return NotFound("the board was not found in the picture; is all of it in view, and is it the one taught?")
        return best

    def _in_its_squares(self, picture: Picture, found: Registration) -> bool:
        """Whether it is not a square off, where the lines between squares fit as well."""
        return self._tiles.in_place(shrink(self._coarse.straighten(picture, found.lens, found.pose)))

    def _by_markers(self, shades: Shades) -> Registration | None:
        """The board by the markers alone; None when too few are seen, or one of them was moved."""
        if not self._markers:
            return None
        seen = find_markers(shades)
        known = [number for number in self._markers if number in seen]
        if len(known) < LEAST_MARKERS:
            return None
        fit = find_pose(
            self._lens,
            np.concatenate([self._markers[number] for number in known]),
            np.concatenate([seen[number] for number in known]),
        )
        if fit is None:
            return None
        error_mm = fit[1] * fit[0].eye[2] / self._lens.focal
        if error_mm > MARKERS_AGREE_MM:
            return None
        return Registration(self._lens, fit[0], error_mm, len(known) / len(self._markers))

    def _there(self, shades: Shades, guess: Pose) -> Pose:
        """The pose guessed: mostly the board is where it was."""
        return guess

    def _marked(self, shades: Shades, guess: Pose) -> Pose | None:
        found = self._by_markers(shades)
        return None if found is None else found.pose

    def _refine(self, shades: Shades, pose: Pose) -> Registration | None:
        for _ in range(3):
            known_mm, moved_mm = self._matched(shades, pose)
            seen_px = pose.project(self._lens, moved_mm)
            fit = self._fit(known_mm, moved_mm, seen_px, AGREE_MM)
            if fit is None:
                return None
            new, error_px, inliers = fit
            moved_px = new.project(self._lens, self._corners_mm) - pose.project(self._lens, self._corners_mm)
            pose = new
            if np.abs(moved_px).max() < 0.05:
                break
        error_mm = error_px * pose.eye[2] / self._lens.focal
        # Patches that agree with each other, but with no place of the camera, are not where they seem to be.
        if error_mm > FITS_MM:
            return None
        flat = Registration(self._lens, pose, error_mm, inliers / len(self._patches))
        bent = uneven(self._size_mm, self._lens, pose, known_mm, seen_px)
        return flat if bent is None else self._bent(shades, flat, bent)

    def _bent(self, shades: Shades, flat: Registration, pose: Pose) -> Registration:
        """The board as ``uneven`` found it to lie, if more of it is where it should be than if it were flat."""
        known_mm, moved_mm = self._matched(shades, pose)
        seen_px = pose.project(self._lens, moved_mm)
        # Patches that were out of reach of the plane may tell more.
        pose = uneven(self._size_mm, self._lens, flat.pose, known_mm, seen_px) or pose
        off_mm = np.linalg.norm(pose.project(self._lens, known_mm) - seen_px, axis=1) * pose.eye[2] / self._lens.focal
        near_mm = off_mm[off_mm < AGREE_MM]
        if (found := len(near_mm) / len(self._patches)) < flat.found:
            return flat
        return Registration(self._lens, pose, float(np.sqrt(np.mean(near_mm**2))), found)

    def _matched(self, shades: Shades, pose: Pose) -> tuple[Floats, Floats]:
        """The patches that are found where a pose shows them, or near there: where they are, and where they seem to be
        in a picture that is straightened with it; N x 2 each, mm."""
        known, moved = self._patches.match(self._canvas.straighten(shades, self._lens, pose))
        return self._canvas.to_mm(known), self._canvas.to_mm(moved)

    def _bumped(self, shades: Shades, guess: Pose) -> Pose | None:
        """A pose after a bump: a few centimetres and degrees away from the one guessed."""
        straight = _halved(self._canvas.straighten(shades, self._lens, guess))
        expected, moved = (self._canvas.to_mm(2 * places + 0.5) for places in self._large.match(straight))
        fit = self._fit(expected, moved, guess.project(self._lens, moved), BUMP_AGREE_MM)
        return None if fit is None else fit[0]

    def _put_back(self, shades: Shades, guess: Pose) -> Pose | None:
        """A pose near the one that was taught: whoever bumps a camera puts it back."""
        return self._bumped(shades, self._taught)

    def _fit(
        self, known_mm: Floats, moved_mm: Floats, seen_px: Floats, agree_mm: float
    ) -> tuple[Pose, float, int] | None:
        """The pose that fits patches that a picture straightened with another pose shows elsewhere.

        moved_mm: where that has them. seen_px: where they are in the picture itself.

        Returns it with its error (root mean square, px) and the number of patches that agree.
        """
        if len(known_mm) < MIN_PATCHES:
            return None
        homography, mask = cv2.findHomography(known_mm, moved_mm, cv2.RANSAC, agree_mm)
        if homography is None or mask.sum() < MIN_PATCHES:
            return None
        keep = mask.ravel() > 0
        fit = find_pose(self._lens, known_mm[keep], seen_px[keep])
        return None if fit is None else (*fit, int(keep.sum()))

    def _anew(self, shades: Shades, guess: Pose) -> Pose | None:
        """The pose by features over the whole picture, wherever the camera is now."""
        places, descriptors = self._features(shades, None)
        if descriptors is None or len(descriptors) < MIN_INLIERS or self._descriptors is None:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(self._descriptors, descriptors, k=2)
        good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.8 * pair[1].distance]
        if len(good) < MIN_INLIERS:
            return None
        known_mm = self._points_mm[[match.queryIdx for match in good]]
        seen_px = places[[match.trainIdx for match in good]]
        ideal = self._lens.ideal(seen_px)
        homography, mask = cv2.findHomography(known_mm, ideal, cv2.RANSAC, 3 / self._lens.focal)
        if homography is None or mask.sum() < MIN_INLIERS:
            return None
        keep = mask.ravel() > 0
        fit = find_pose(self._lens, np.asarray(known_mm[keep], np.float64), seen_px[keep])
        return None if fit is None else fit[0]

    def _features(self, shades: Shades, mask: Shades | None) -> tuple[Floats, NDArray[np.float32] | None]:
        """The places (N x 2, px) and descriptors of a picture's features.

        Of the picture in half its size: that is fine enough, and takes a quarter of the memory, which is a lot.
        """
        small = None if mask is None else _halved(mask)
        points, descriptors = self._sift.detectAndCompute(_even(_halved(shades)), small)
        places = 2 * np.array([point.pt for point in points], np.float64).reshape(-1, 2) + 0.5
        return places, None if descriptors is None else np.asarray(descriptors, np.float32)


def _halved(shades: Shades) -> Shades:
    height, width = shades.shape
    return np.asarray(cv2.resize(shades, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8)


def _even(shades: Shades) -> Shades:
    """The same local contrast everywhere, so that features are found in dim corners too."""
    return np.asarray(cv2.createCLAHE(2.0, (8, 8)).apply(shades), np.uint8)


def _filled(shape: tuple[int, ...], outline_px: Floats) -> Shades:
    """255 within an outline (N x 2), 0 elsewhere."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline_px).astype(np.int32), 255)
    return mask
