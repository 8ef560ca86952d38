"""From a set-up's pictures to a table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.errors import BadSetup
from companion.games.pacal.pieces import squares_from_json
from vision.appearance import edge_contrast, learn_noise
from vision.frames import Picture
from vision.geometry import HALF_FIELD, Floats, Lens, find_pose
from vision.grid import board_corners_mm
from vision.light import compare, grey, shadow_hue
from vision.logarithms import Layers, logarithms
from vision.markers import find_markers, on_board_plane
from vision.reading.learning import Sample, clear_of_pieces, learn_pieces
from vision.registration import BoardFinder, NotFound
from vision.setup_folder import Palette, Setup
from vision.table import Table

Progress = Callable[[str], None]

NO_HUE = (0.0, 0.0)
ANY_HUE = 1.5
"""Shadows may change the hue of a table that is not yet known so much."""

MAX_CORNER_ERROR_PX = 6.0
"""Corners that are further off than this from any camera's view of such a board are not the board's corners."""


def teach(setup: Setup, progress: Progress | None = None) -> Table:
    """The table that a set-up shows.

    progress: is told what is being done, in words. Raises BadSetup when the corners fit no camera, or a palette's board
    is not found or its pieces are unknown to the game.
    """
    say = progress or (lambda text: None)
    say("finding out how the camera looks at the board")
    lens = find_lens(setup.board, setup.corners_px, setup.empty)
    bare = _with_markers(Table(setup.board, lens, setup.corners_px, setup.empty))
    if bare.markers:
        say(f"markers beside the board: {', '.join(map(str, bare.markers))}")
    canvas = bare.canvas
    straight = canvas.straighten(setup.empty, lens, bare.pose)
    empty = logarithms(straight)
    contrast = edge_contrast(empty)
    finder = BoardFinder(bare)
    seen = []
    for palette in setup.palettes:
        say(f"looking at the pieces of {palette.name}")
        seen.append(_look(bare, finder, palette, empty))
    say("learning what pieces and bare board look like, and measuring the pieces")
    masks = [sample.bare for sample in seen]
    differences = np.concatenate([sample.change.difference[sample.bare] for sample in seen])
    hue = shadow_hue(differences, NO_HUE, reach=ANY_HUE)
    samples = [replace(sample, change=compare(sample.straight, empty, hue)) for sample in seen]
    noise = learn_noise([sample.change for sample in samples], masks, contrast)
    learned = learn_pieces(setup.board, canvas, samples, noise, hue, contrast)
    return replace(bare, learned=learned.to_arrays())


def _with_markers(table: Table) -> Table:
    """The table with the printed markers that lie beside the board in its empty picture, if there are any."""
    seen = find_markers(grey(table.empty))
    return replace(table, markers=on_board_plane(seen, table.lens, table.pose, table.board.size_mm))


def _look(bare: Table, finder: BoardFinder, palette: Palette, empty: Layers) -> Sample:
    try:
        pieces = squares_from_json(palette.squares)
    except ValueError as error:
        raise BadSetup(f"{palette.name.removesuffix('.jpg')}.json: {error}") from None
    found = finder.find(palette.picture, bare.pose)
    if isinstance(found, NotFound):
        raise BadSetup(f"{palette.name}: {found.reason}")
    canvas, eye = bare.canvas, found.pose.eye
    straight = canvas.straighten(palette.picture, bare.lens, found.pose)
    reached = canvas.reached(bare.lens, found.pose) & canvas.reached(bare.lens, bare.pose)
    clear = reached & clear_of_pieces(bare.board, canvas, eye, pieces)
    return Sample(palette.name, pieces, straight, compare(straight, empty, NO_HUE), eye, reached, clear)


def find_lens(board: Board, corners_px: Floats, empty: Picture) -> Lens:
    """The lens: the focal length assumed, and the distortion that makes the board's printed lines straight.

    Raises BadSetup when the corners fit no camera above such a board.
    """
    size = (empty.shape[1], empty.shape[0])
    focal = size[0] / 2 / math.tan(HALF_FIELD)
    logs = np.log(grey(empty).astype(np.float32) + 8)
    tried = np.arange(-0.1, 0.1001, 0.01)
    scores = np.array([_straightness(board, corners_px, logs, Lens(size, focal, float(k1))) for k1 in tried])
    best = int(np.clip(scores.argmax(), 1, len(tried) - 2))
    left, middle, right = scores[best - 1 : best + 2]
    bend = left - 2 * middle + right
    k1 = tried[best] + (0.005 * (left - right) / bend if bend < 0 else 0.0)
    lens = Lens(size, focal, float(k1))
    fit = find_pose(lens, board_corners_mm(board), corners_px)
    if fit is None or fit[1] > MAX_CORNER_ERROR_PX:
        raise BadSetup(
            f"board_corners_px fit no camera's view of a board of {board.size_mm[0]:g} x {board.size_mm[1]:g} mm; "
            "they must be the printed board's corners, beginning at the one at A1, clockwise"
        )
    return lens


def _straightness(board: Board, corners_px: Floats, logs: NDArray[np.float32], lens: Lens) -> float:
    """How sharply columns and rows of the straightened board differ: most where printed lines come out straight."""
    fit = find_pose(lens, board_corners_mm(board), corners_px)
    if fit is None:
        return 0.0
    step = 0.5
    xs = np.arange(-6, board.size_mm[0] + 6, step)
    ys = np.arange(-6, board.size_mm[1] + 6, step)
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    places = fit[0].project(lens, points).astype(np.float32).reshape(len(ys), len(xs), 2)
    straight = cv2.remap(logs, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
    columns, rows = np.diff(straight, axis=1).mean(axis=0), np.diff(straight, axis=0).mean(axis=1)
    return float(np.sum(columns**2) + np.sum(rows**2))
