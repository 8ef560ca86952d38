"""What was understood, drawn over the picture; and ships painted over, for pictures that players may see."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import Pyramid, Ship, Stones
from companion.observation import Content, Reading
from companion.squares import Square
from vision.frames import Picture, check_picture
from vision.geometry import Floats, Lens, Pose, find_pose
from vision.grid import board_corners_mm
from vision.reading.shapes import FLOOR_MM, SHIP_MM, floor_squares, ship_ring
from vision.table import Table

BGR = {
    "red": (40, 40, 230),
    "yellow": (0, 215, 255),
    "green": (60, 180, 40),
    "blue": (230, 90, 30),
    "purple": (200, 40, 150),
}
DOUBTFUL = 0.9
"""Squares of which less is certain are framed in red."""
POSSIBLE_SHIP = 0.005
"""A square that holds a ship with this probability has its opening painted over, ..."""
WANDER_MM = 8.0
"""... for ships that stand so far from its middle or are that much wider than usual, ..."""
SHIP_HEIGHTS_MM = (27.0, SHIP_MM, 43.0)
"""... and as tall as these."""


def draw(picture: Picture, table: Table, reading: Reading) -> Picture:
    """A copy of the picture with the board's outline and what was read drawn over it, or the reason why nothing was.

    picture: the one that was read. Raises BadPicture for an array of the wrong type or shape.
    """
    drawn = check_picture(picture).copy()
    view = _view(picture, table, reading)
    if view is None:
        _write(drawn, reading.reason or "not read", (20, 40), (60, 60, 255))
        return drawn
    lens, pose = view
    _outline(drawn, pose.project(lens, board_corners_mm(table.board)), (255, 255, 255))
    confidence = reading.confidence()
    for name, content in reading.seen().items():
        sure = confidence[name]
        if sure < DOUBTFUL:
            _outline(drawn, pose.project(lens, _square_mm(table, name)), (0, 0, 255))
        _draw_content(drawn, lens, pose, table, name, content)
        x, y = pose.project(lens, [table.board.centre_mm(name)])[0]
        _write(drawn, f"{name} {sure:.2f}", (int(x) - 22, int(y) + 22), (255, 255, 255))
    return drawn


def cover_ships(picture: Picture, table: Table, reading: Reading) -> Picture:
    """A copy of the picture in which nobody can look into a ship: what lies there is hidden from the players.

    Every opening that may be one is painted over, wherever on its square the ship stands. A picture that could not be
    read is made so coarse that no stone can be made out. Raises BadPicture for an array of the wrong type or shape.
    """
    covered = check_picture(picture).copy()
    view = _view(picture, table, reading)
    if view is None:
        height, width = picture.shape[:2]
        coarse = cv2.resize(picture, (width // 48, height // 48), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    lens, pose = view
    for name, odds in reading.squares.items():
        ships = {content.colour: p for content, p in odds.items() if isinstance(content, Ship)}
        if sum(ships.values()) < POSSIBLE_SHIP:
            continue
        ring = ship_ring(table.board.centre_mm(name), WANDER_MM)
        rims = [pose.project(lens, np.column_stack([ring, np.full(len(ring), height)])) for height in SHIP_HEIGHTS_MM]
        outline = np.asarray(cv2.convexHull(np.concatenate(rims).astype(np.float32))[:, 0], np.float64)
        cv2.fillPoly(covered, [_corners(outline)], BGR[max(ships, key=lambda colour: ships[colour])])
    return covered


def _view(picture: Picture, table: Table, reading: Reading) -> tuple[Lens, Pose] | None:
    if not reading.usable or reading.board_corners_px is None:
        return None
    lens = table.lens.scaled((picture.shape[1], picture.shape[0]))
    fit = find_pose(lens, board_corners_mm(table.board), np.array(reading.board_corners_px))
    return None if fit is None else (lens, fit[0])


def _draw_content(drawn: Picture, lens: Lens, pose: Pose, table: Table, name: Square, content: Content) -> None:
    centre = table.board.centre_mm(name)
    match content:
        case Ship(colour):
            ring = ship_ring(centre)
            for height in (0.0, SHIP_MM):
                points = pose.project(lens, np.column_stack([ring, np.full(len(ring), height)]))
                _outline(drawn, points, BGR[colour])
        case Pyramid(colour, floors):
            for floor, square in enumerate(floor_squares(centre, floors), start=1):
                points = pose.project(lens, np.column_stack([square, np.full(4, floor * FLOOR_MM)]))
                _outline(drawn, points, BGR[colour])
        case Stones(colours):
            x, y = pose.project(lens, [centre])[0]
            for index, colour in enumerate(colours):
                cv2.circle(drawn, (int(x) - 16 + 8 * index, int(y) - 18), 4, BGR[colour], -1, cv2.LINE_AA)
                cv2.circle(drawn, (int(x) - 16 + 8 * index, int(y) - 18), 4, (255, 255, 255), 1, cv2.LINE_AA)


def _square_mm(table: Table, name: Square) -> Floats:
    width, height = table.board.square_mm
    offsets = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * (width, height)
    return np.asarray(table.board.centre_mm(name) + offsets, np.float64)


def _outline(drawn: Picture, points: Floats, colour: tuple[int, int, int]) -> None:
    for width, shade in ((3, (0, 0, 0)), (1, colour)):
        cv2.polylines(drawn, [_corners(points)], True, shade, width, cv2.LINE_AA)


def _corners(points: NDArray[np.floating[Any]]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.round(points).astype(np.int32)


def _write(drawn: Picture, text: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    for width, shade in ((3, (0, 0, 0)), (1, colour)):
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.38, shade, width, cv2.LINE_AA)
