"""Draws solids and their shadows into a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.simulated.light import LightField
from vision.simulated.shapes import Face, Solid
from vision.simulated.view import Floats, View

SHIFT = 4
"""Bits behind the point of polygon corners, so that edges are smooth."""

Mask = NDArray[np.uint8]


def draw_solids(picture: Picture, solids: Iterable[Solid], view: View, field: LightField) -> None:
    """Draw solids, those farther from the camera first."""
    for solid in sorted(solids, key=lambda s: -float(np.hypot(*(np.array(s.centre_mm) - view.eye[:2])))):
        _draw_solid(picture, solid, view, field)


def draw_shadows(picture: Picture, solids: Sequence[Solid], view: View, field: LightField) -> None:
    """Darken the table where solids keep the lamp's light away, and a little all round their feet."""
    hulls = [convex_hull(field.shadow_of(solid.outline_mm)) for solid in solids]
    darken(picture, shadow_mask(hulls, view, field.light.softness_mm), 0.9 * (1 - field.light.ambient))
    feet = [convex_hull(solid.outline_mm[:, :2]) for solid in solids]
    darken(picture, shadow_mask(feet, view, 4.0), 0.3)


def shadow_mask(hulls_mm: Iterable[Floats], view: View, softness_mm: float) -> Mask:
    """How much of the lamp is hidden (0 to 255) by shadows with these outlines on the board, in half size."""
    half = (view.size[0] // 2 + 1, view.size[1] // 2 + 1)
    mask = np.zeros(half[::-1], np.uint8)
    for hull in hulls_mm:
        corners = view.project(np.column_stack([hull, np.zeros(len(hull))])) / 2
        cv2.fillPoly(mask, [fixed_point(corners)], 255, cv2.LINE_AA, SHIFT)
    sigma = max(softness_mm * view.focal_px / view.height_mm / 4, 0.6)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.uint8)


def darken(picture: Picture, mask: Mask, share: float) -> None:
    """Take a share of the light away where a half size mask is 255, less of it where it is lower."""
    rows = np.flatnonzero(mask.max(axis=1))
    columns = np.flatnonzero(mask.max(axis=0))
    if not len(rows):
        return
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    region = picture[2 * top : 2 * bottom, 2 * left : 2 * right]
    grown = cv2.resize(mask[top:bottom, left:right], (2 * (right - left), 2 * (bottom - top)))
    keep = cv2.LUT(grown[: region.shape[0], : region.shape[1]], _keeping(share))
    region[:] = cv2.multiply(region, cv2.merge([keep] * 3), scale=1 / 255)


def _keeping(share: float) -> Mask:
    return np.round(255 * (1 - share * np.arange(256) / 255)).astype(np.uint8)


def _draw_solid(picture: Picture, solid: Solid, view: View, field: LightField) -> None:
    normals = _normals(solid.faces)
    middles = np.array([face.corners[0] for face in solid.faces]) * (1, 1, -1)
    towards = np.einsum("ij,ij->i", (view.eye - middles) * (1, 1, -1), normals)
    place = np.array(solid.centre_mm)
    shades = field.shade(normals, place)
    points = view.project(np.concatenate([face.corners for face in solid.faces]))
    gains = field.at(points[-1])
    start = 0
    for face, shade, facing in zip(solid.faces, shades, towards, strict=True):
        corners = points[start : start + len(face.corners)]
        start += len(face.corners)
        if facing > 0:
            colour = np.clip(np.array(face.paint) * face.tone * shade * gains, 0, 255)
            cv2.fillPoly(picture, [fixed_point(corners)], tuple(map(float, colour)), cv2.LINE_AA, SHIFT)


def _normals(faces: Sequence[Face]) -> Floats:
    """The unit normals of faces, N x 3."""
    first, second, third = np.array([face.corners[:3] for face in faces]).swapaxes(0, 1)
    normals = np.cross(second - first, third - second)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))


def convex_hull(*parts: Floats) -> Floats:
    """The corners of the convex hull of points (N x 2)."""
    return np.asarray(cv2.convexHull(np.concatenate(parts).astype(np.float32))[:, 0], np.float64)


def fixed_point(points: Floats) -> NDArray[np.int32]:
    """Corners (N x 2, px) as OpenCV wants them with ``SHIFT``."""
    return np.round(np.clip(points, -4000, 8000) * (1 << SHIFT)).astype(np.int32)
