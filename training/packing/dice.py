"""Packs pictures with dice drawn beside the board, for the networks that see dice (``vision/reading/die/sight.py``).

``python -m training.packing.dice OUT SETUPS...`` makes them of all pictures of set-up folders without a die of their
own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from training.drawing.dice import OTHER_MARKS, draw_die, marks_of
from training.packing.packs import pack_folders
from training.packing.pictures import Example
from training.packing.troubles import spoilt
from vision.frames import Picture
from vision.geometry import Floats
from vision.reading.die.camera import TOP_MM, DieCamera
from vision.reading.die.side import LEAST_DROP_MM
from vision.reading.die.sight import CELL_PX, SIDE, STEP_MM, patches_about, searched
from vision.reading.die.templates import DRAWING_MM, EDGE_MM, FACES, SQUARE
from vision.teaching.setup_folder import Setup

COPIES, DICE, APART_MM, BESIDE_PX = 6, 10, 34.0, 12.0
"""So many copies are made of each picture, with so many dice each, so far apart and from the board's edge."""
FINE_PX, SPOILT, OTHER, CLOTH = 120, 0.6, 0.1, 0.5
"""The side of what a die is drawn on; how often a copy is spoilt afterwards, how often a die is another cube, and how
often another cloth lies on the table."""
HERE_MM, UNSURE_MM = 3.5, 10.0
"""Cells no further than the first from a die's middle show one; those within the second are not asked about."""
NEAR_MM, OFF_MM, ELSEWHERE = 1.4, (4.5, 15.0), 12
"""A patch shows a die that is so far from its middle, and none if it is so far. And so many patches of a copy are of
places anywhere."""

NONE, DIE, NOT_ASKED = 0, 1, 2
"""What a cell of a picture shows."""

_MM = SIDE * STEP_MM


def pack(setup: Setup, examples: Iterator[Example], seed: int) -> dict[str, NDArray[Any]]:
    """A set-up's pictures as arrays: small pictures (N x height x width x 3) and their cells; patches (M x ``SIDE`` x
    ``SIDE`` x 3), how far below its upper face a die's lower one appears there (mm), and what they show: 0 nothing, or
    the number of one of ``FACES``, from 1 on."""
    rng = np.random.default_rng(seed)
    pictures, cells = [], []
    patches, drops, faces = list[Picture](), list[float](), list[int]()
    for example in examples:
        corners = np.asarray(example.corners_px, np.float64)
        camera = DieCamera.of(example.picture, corners, setup.board.size_mm)
        if example.die or camera is None:
            continue
        for _ in range(COPIES):
            ground = with_cloth(rng, example.picture, corners) if rng.random() < CLOTH else example.picture
            picture, dice = with_dice(rng, ground, camera, corners)
            if rng.random() < SPOILT:
                picture = spoilt(picture, rng)
            small = searched(picture)
            pictures.append(small)
            height, width = small.shape[:2]
            cells.append(cells_of(camera, corners, [middle for middle, face in dice if face], (width, height)))
            elsewhere = [camera.point(px, TOP_MM) for px in _beside(rng, picture, corners, ELSEWHERE)]
            looks = [*_looks(rng, camera, dice), *((place, 0) for place in elsewhere)]
            about, below = patches_about(camera, picture, [middle for middle, _ in looks])
            patches += [*about]
            drops += below
            faces += [face for _, face in looks]
    return {
        "pictures": np.array(pictures),
        "cells": np.array(cells),
        "patches": np.array(patches),
        "drops": np.array(drops, np.float32),
        "faces": np.array(faces, np.int64),
    }


def with_cloth(rng: Generator, picture: Picture, corners_px: Floats) -> Picture:
    """A copy of a picture in which the table has another cloth, with stripes, checks, dots or blots of two colours."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    turn, wide = rng.uniform(0, np.pi), rng.uniform(6, 60)
    along, across = (x * np.cos(turn) + y * np.sin(turn)) / wide, (y * np.cos(turn) - x * np.sin(turn)) / wide
    waves = np.sin(2 * np.pi * along), np.sin(2 * np.pi * across)
    few = rng.normal(0, 1, (max(round(height / wide), 2), max(round(width / wide), 2))).astype(np.float32)
    blots = cv2.resize(few, (width, height), interpolation=cv2.INTER_CUBIC)
    edge = rng.uniform(-0.5, 0.5)
    kind = int(rng.integers(5))
    share = [
        waves[0] > edge,
        ((waves[0] > 0) * 1.0 + (waves[1] > 0)) / 2,
        waves[0] * waves[1] > abs(edge),
        np.clip(blots + 0.5, 0, 1),
        np.sin(2 * np.pi * along + 2 * blots) > edge,
    ][kind]
    share = cv2.GaussianBlur(np.asarray(share, np.float32), (0, 0), rng.uniform(0.6, 2.5))[..., None]
    paper = _paper(picture)
    one, other = (paper * rng.uniform(0.05, 1.0) * rng.uniform(*hues, 3) for hues in ((0.85, 1.0), (0.4, 1.0)))
    # The light on the table is that of the picture, and so is how uneven it is.
    shade = cv2.GaussianBlur(picture, (0, 0), 12).max(axis=-1, keepdims=True).astype(np.float32)
    light = np.clip(picture / (shade + 8), 0.5, 1.3)
    cloth = light * (share * one + (1 - share) * other)
    board = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(board, np.round(corners_px).astype(np.int32), 1)
    return np.where(board[..., None] > 0, picture, np.clip(np.round(cloth), 0, 255).astype(np.uint8))


def with_dice(
    rng: Generator, picture: Picture, camera: DieCamera, corners_px: Floats
) -> tuple[Picture, list[tuple[Floats, int]]]:
    """A copy of a picture with dice beside the board: where the middle of each upper face is (mm on its plane), and the
    number of its face among ``FACES``, from 1 on; 0 for another cube."""
    light = _paper(picture) / 255
    copy, dice = picture.copy(), list[tuple[Floats, int]]()
    for px in _beside(rng, picture, corners_px, 4 * DICE):
        middle = camera.point(px, TOP_MM)
        if len(dice) == DICE or any(np.hypot(*(middle - other)) < APART_MM for other, _ in dice):
            continue
        face = 0 if rng.random() < OTHER else int(rng.integers(len(FACES))) + 1
        marks = marks_of(FACES[face - 1] if face else int(rng.choice(OTHER_MARKS)), rng)
        _draw_on(rng, copy, camera, middle, marks, light)
        dice.append((middle, face))
    return copy, dice


def _paper(picture: Picture) -> Floats:
    """What a white sheet looks like in a picture, BGR."""
    return np.asarray(np.percentile(picture[::4, ::4].reshape(-1, 3), 97, axis=0), np.float64)


def _draw_on(
    rng: Generator, picture: Picture, camera: DieCamera, middle_mm: Floats, marks: list[Floats], light: Floats
) -> None:
    """Draw a die on a picture itself."""
    corners = camera.px(camera.upright_mm(middle_mm[None], _MM * SQUARE)[0]).astype(np.float32)
    left, top = np.floor(corners.min(axis=0)).astype(int) - 1
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 2
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, picture.shape[1]), min(bottom, picture.shape[0])
    there = picture[top:bottom, left:right]
    corners -= np.array([left, top], np.float32)
    to_px = cv2.getPerspectiveTransform((FINE_PX * (SQUARE + 0.5) - 0.5).astype(np.float32), corners)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(there, to_px, (FINE_PX, FINE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    canvas = np.asarray(seen, np.float32) / np.float32(255)
    drop = float(np.hypot(*camera.drop(middle_mm)))
    draw_die(canvas, _MM, marks, drop, light, rng)
    # Towards its edge the patch becomes what was there, so that it has none.
    off = np.abs(np.mgrid[:FINE_PX, :FINE_PX] / (FINE_PX - 1) - 0.5).max(axis=0)
    share = np.clip((0.5 - off) * 12, 0, 1).astype(np.float32)
    drawn, shown = (cv2.warpPerspective(layer, to_px, there.shape[1::-1]) for layer in (canvas, share))
    grain = rng.normal(0, rng.uniform(0.5, 2.5), there.shape)
    levels = np.clip(drawn, 0, 1) * 255 + grain
    there[:] = np.clip(np.round(there + shown[..., None] * (levels - there)), 0, 255).astype(np.uint8)


def cells_of(
    camera: DieCamera, corners_px: Floats, middles_mm: list[Floats], size_px: tuple[int, int]
) -> NDArray[np.uint8]:
    """What each cell of a small picture shows. size_px: of that, across and down."""
    scale = size_px[0] / camera.lens.size[0]
    across, down = (length // CELL_PX for length in size_px)
    board = np.zeros((down, across), np.uint8)
    to_cells = scale / CELL_PX
    cv2.fillConvexPoly(board, np.round((corners_px + 0.5) * to_cells - 0.5).astype(np.int32), 1)
    cells = np.where(board > 0, NOT_ASKED, NONE).astype(np.uint8)
    y, x = np.mgrid[:down, :across]
    rows = np.stack([(x + 0.5) / to_cells - 0.5, (y + 0.5) / to_cells - 0.5], axis=-1)
    for middle in middles_mm:
        centre, *around = camera.px(middle + np.array([(0, 0), (1, 0), (0, 1)]))
        px_per_mm = float(np.mean([np.hypot(*(one - centre)) for one in around]))
        far = np.hypot(*np.moveaxis(rows - centre, -1, 0)) / px_per_mm
        cells[far < UNSURE_MM] = NOT_ASKED
        cells[(far < HERE_MM) | (far == far.min())] = DIE
    return cells


def _looks(rng: Generator, camera: DieCamera, dice: list[tuple[Floats, int]]) -> Iterator[tuple[Floats, int]]:
    """Places on and beside dice, and what each shows; but for those of which the picture cuts the drawing off."""
    for middle, face in dice:
        if camera.sees(DRAWING_MM, middle, 0.0):
            yield middle + rng.uniform(-NEAR_MM, NEAR_MM, 2), face
        turn = rng.uniform(0, 2 * np.pi)
        yield middle + rng.uniform(*OFF_MM) * np.array([np.cos(turn), np.sin(turn)]), 0
        drop = camera.drop(middle)
        if (far := float(np.hypot(*drop))) > LEAST_DROP_MM:
            # The middle of a side, whose drawing is no upper face's.
            yield middle + drop / far * (EDGE_MM + far) / 2 + rng.uniform(-2, 2, 2), 0


def _beside(rng: Generator, picture: Picture, corners_px: Floats, many: int) -> list[tuple[float, float]]:
    """Px of a picture beside the board."""
    height, width = picture.shape[:2]
    outline, places = corners_px.astype(np.float32), list[tuple[float, float]]()
    for _ in range(10 * many):
        px = float(rng.uniform(8, width - 8)), float(rng.uniform(8, height - 8))
        if cv2.pointPolygonTest(outline, px, True) < -BESIDE_PX:
            places.append(px)
        if len(places) == many:
            break
    return places


if __name__ == "__main__":
    pack_folders(__doc__, pack)
