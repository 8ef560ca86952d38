"""From a picture of a taught table to a reading."""

from __future__ import annotations

import cv2
import numpy as np

from companion.errors import BadTable
from companion.observation import Reading
from vision.appearance import edge_contrast
from vision.frames import Picture, check_picture
from vision.light import compare
from vision.logarithms import logarithms
from vision.quality import light_trouble, sharpness_trouble
from vision.reading.die import read_die
from vision.reading.evidence import Scene, weigh
from vision.reading.pacal import Pieces, read_squares
from vision.registration import BoardFinder, NotFound, Registration
from vision.table import Table

SIDES_AGREE = 0.01
"""How far the ratio of a picture's sides may differ from the taught one's for it to be of the same camera."""


class Reader:
    """Reads pictures of one table. It remembers where the board was last, so that the next one is found fast."""

    def __init__(self, table: Table) -> None:
        """Raises BadTable when the table was taught for a game that cannot be read, or what it learned is broken."""
        if table.game != "pacal":
            raise BadTable(f"a table for {table.game!r} cannot be read, only one for 'pacal'")
        try:
            self._pieces = Pieces.from_arrays(table.learned)
        except (KeyError, IndexError, ValueError):
            raise BadTable("what this table learned is incomplete; teach it again") from None
        self._table = table
        self._finder = BoardFinder(table)
        self._pose = table.pose
        straight = table.canvas.straighten(table.empty, table.lens, table.pose)
        self._empty = logarithms(straight)
        self._empty_straight = straight
        self._contrast = edge_contrast(self._empty)
        self._reached = table.canvas.reached(table.lens, table.pose)

    def read(self, picture: Picture) -> Reading:
        """What is on the board.

        picture: of the taught camera, in any size with the taught sides' ratio. Returns a reading; not usable, with a
        reason for people, when the picture is too dark or blurred, or the board is not found. Raises BadPicture for an
        array of the wrong type or shape.
        """
        return self.read_with_registration(picture)[0]

    def read_with_registration(self, picture: Picture) -> tuple[Reading, Registration | None]:
        """The reading and where the board is, for drawing over the picture (of the size given); see ``read``."""
        check_picture(picture)
        table = self._table
        width, height = table.lens.size
        if abs(picture.shape[1] / picture.shape[0] * height / width - 1) > SIDES_AGREE:
            return self._unusable(
                f"the picture is {picture.shape[1]} x {picture.shape[0]} px, but the table was taught with "
                f"{width} x {height} px: it is another camera's"
            ), None
        scale = picture.shape[1] / width
        if picture.shape[:2] != (height, width):
            method = cv2.INTER_AREA if scale > 1 else cv2.INTER_CUBIC
            picture = np.asarray(cv2.resize(picture, (width, height), interpolation=method), np.uint8)
        if (trouble := light_trouble(picture, table.empty)) is not None:
            return self._unusable(trouble), None
        found = self._finder.find(picture, self._pose)
        if isinstance(found, NotFound):
            return self._unusable(found.reason), None
        self._pose = found.pose
        straight = table.canvas.straighten(picture, table.lens, found.pose)
        if (trouble := sharpness_trouble(straight, self._empty_straight)) is not None:
            return self._unusable(trouble), None
        scene = self._look(straight, found)
        die = read_die(picture, found.corners_px(table), table.board.size_mm)
        given = found.scaled(scale)
        corners = tuple((float(x), float(y)) for x, y in given.corners_px(table))
        reading = Reading(
            table.game,
            table.board.name,
            read_squares(scene, self._pieces),
            die.die,
            die.odds[die.die],
            board_corners_px=corners,
        )
        return reading, given

    def _look(self, straight: Picture, found: Registration) -> Scene:
        table = self._table
        change = compare(straight, self._empty, self._pieces.looks.hue)
        reached = self._reached & table.canvas.reached(table.lens, found.pose)
        return weigh(table.board, table.canvas, found.pose.eye, change, self._pieces.looks, self._contrast, reached)

    def _unusable(self, reason: str) -> Reading:
        return Reading(self._table.game, self._table.board.name, usable=False, reason=reason)
