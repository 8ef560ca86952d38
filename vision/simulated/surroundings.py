"""What lies still in the simulated picture: the table, the board on it, a mug, spare pieces."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.simulated import shapes
from vision.simulated.brush import SHIFT, darken, draw_shadows, draw_solids, fixed_point, shadow_mask
from vision.simulated.light import LightField
from vision.simulated.printed import PX_PER_MM, PrintedBoard, draw_board
from vision.simulated.view import View

Cover = Literal["wood", "cloth"]

TABLE_MM = 1800
"""The side of the square of table that is drawn, its middle under the board's."""

BOARD_THICKNESS_MM = 3.0


def draw_surroundings(printed: PrintedBoard, cover: Cover, view: View, field: LightField, seed: int) -> Picture:
    """A picture of the table with the empty board and what lies beside it."""
    width, height = printed.board.size_mm
    tabletop = draw_table(cover, seed)
    corner = np.array([width, height]) / 2 - TABLE_MM / 2
    picture = np.asarray(
        cv2.remap(tabletop, *_maps(view, corner, 1.0, -BOARD_THICKNESS_MM), cv2.INTER_LINEAR, None, cv2.BORDER_REFLECT),
        np.uint8,
    )
    edge = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    darken(picture, shadow_mask([edge], view, 12.0), 0.55)
    _lay_board(picture, draw_board(printed, seed), view)
    lit = cv2.multiply(picture, field.whole(view.size), dtype=cv2.CV_8U)
    picture = np.asarray(lit, np.uint8)
    things = spare_things(width, height, seed)
    draw_shadows(picture, things, view, field)
    draw_solids(picture, things, view, field)
    return picture


def draw_table(cover: Cover, seed: int) -> Picture:
    """A table top from above, one px to a millimetre, ``TABLE_MM`` square."""
    chance = np.random.default_rng([seed, 7])
    side = TABLE_MM
    if cover == "cloth":
        weave = np.full((side, side), 128, np.float32)
        weave[::3] += 7
        weave[:, ::3] += 7
        for axis in range(2):
            stripes = (np.arange(side) // 45 % 2 * -16).astype(np.float32)
            weave += stripes[:, None] if axis else stripes
        tone = weave + chance.normal(0, 5, (side, side)).astype(np.float32)
        return np.asarray(np.clip(tone[..., None] / 128 * (150, 142, 128), 0, 255), np.uint8)
    grain = cv2.resize(chance.normal(0, 1, (300, 10)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(chance.normal(0, 1, (side, 40)).astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR)
    planks = np.repeat(chance.normal(0, 1, side // 150 + 1), 150)[:side].astype(np.float32)
    tone = 1 + 0.09 * grain + 0.05 * fine + 0.05 * planks[:, None]
    tone[::150] *= 0.55
    tone[1::150] *= 0.75
    return np.asarray(np.clip(tone[..., None] * (72, 112, 158), 0, 255), np.uint8)


def spare_things(width: float, height: float, seed: int) -> list[shapes.Solid]:
    """A mug and the players' supplies beside a board of that size; they never change."""
    chance = np.random.default_rng([seed, 11])
    things = [shapes.mug(width + 170, 0.0)]
    for number, colour in enumerate(shapes.PAINT):
        x = -66.0 - 62.0 * (number % 2) if number < 3 else width + 72.0 + 66.0 * (number % 2)
        y = height * (0.14 + 0.3 * (number if number < 3 else number - 2.1))
        for spot in range(3):
            at = x + chance.normal(0, 5) - 14 + 30 * (spot % 2), y - 18 + 32 * (spot // 2) + chance.normal(0, 3)
            things.append(shapes.pyramid(colour, 1 + (number + spot) % 4, *at, turn=chance.uniform(0, 6), lift=-3))
        for _ in range(6):
            at = x + chance.uniform(-28, 28), y + 42 + chance.uniform(-9, 12)
            things.append(shapes.stone(colour, *at, turn=chance.uniform(0, 6), lift=-3))
    return things


def _lay_board(picture: Picture, art: Picture, view: View) -> None:
    """Warp the printed board into the picture, its cut edge below it."""
    height, width = (side / PX_PER_MM for side in art.shape[:2])
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    for lift, tone in ((-BOARD_THICKNESS_MM, (70, 92, 110)), (-1.0, (104, 128, 146))):
        outline = view.project(np.column_stack([_along(corners), np.full(160, lift)]))
        cv2.fillPoly(picture, [fixed_point(outline)], tone, cv2.LINE_AA, SHIFT)
    # A camera's pixel sees about 0.65 mm of board: the drawing is smoothed to that before it is sampled.
    smooth = cv2.GaussianBlur(art, (0, 0), 0.8)
    laid = cv2.remap(smooth, *_maps(view, np.zeros(2), PX_PER_MM, 0.0), cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
    mask = np.zeros(picture.shape[:2], np.uint8)
    outline = view.project(np.column_stack([_along(corners), np.zeros(160)]))
    cv2.fillPoly(mask, [fixed_point(outline)], 255, cv2.LINE_AA, SHIFT)
    share = mask[..., None].astype(np.float32) / 255
    picture[:] = np.round(laid * share + picture * (1 - share))


def _along(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """160 points along the sides of a board: the lens bends them."""
    parts = [np.linspace(a, b, 40, endpoint=False) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    return np.concatenate(parts)


def _maps(
    view: View, corner_mm: NDArray[np.float64], px_per_mm: float, height_mm: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """For each pixel the place in a drawing that begins at a corner on a level plane."""
    width, height = view.size
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    places = view.on_plane(np.column_stack([x.ravel(), y.ravel()]), height_mm)
    drawn = (places - corner_mm) * px_per_mm - 0.5
    return tuple(drawn[:, i].reshape(height, width).astype(np.float32) for i in (0, 1))  # type: ignore[return-value]
