"""From a picture of a taught table to a reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadTable
from companion.observation import Reading
from companion.squares import Square
from vision.finding.registration import BoardFinder, NotFound, Registration
from vision.frames import Part, Picture, Shades, check_picture, grey
from vision.geometry import Floats
from vision.grid import SHRINK, Canvas, in_picture, shrink
from vision.light.appearance import Looks
from vision.light.veil import without
from vision.quality import Quality
from vision.reading.candidates import candidates
from vision.reading.covered import covered_squares, trouble_over
from vision.reading.die.memory import DieMemory
from vision.reading.die.taught import TaughtTable
from vision.reading.evidence import EmptyBoard, Photo, Scene, usual_shades
from vision.reading.learning import MATERIALS
from vision.reading.network import SquareNetwork
from vision.reading.pacal import Answers, SquareReader, with_mirrors
from vision.reading.pyramids.close_look import CloseLook
from vision.reading.pyramids.floors import Closer, FloorCounter
from vision.reading.pyramids.terraces import TerraceCounter
from vision.reading.rivals import Rivals
from vision.reading.ships.behind import unseen_contents
from vision.reading.ships.colour_bleeding import ColourBleeding
from vision.reading.ships.looker import ShipLooker
from vision.reading.ships.walls import ShipWalls
from vision.reading.stones.finder import StoneFinder
from vision.reading.stones.tips import TipFinder
from vision.reading.supply import within_supply
from vision.table import Table

ROUNDED_PX = 1.0
"""A picture of the same camera in another size may be higher or lower by as much, as its sides are whole."""
MOVED_PX = 0.5
"""A square that is seen so far from where it was has been moved, or rose."""


@dataclass(frozen=True)
class _View:
    """The camera's place, with what straightens its pictures ready.

    part: the rows and columns of the picture that show what is straightened. map_x, map_y: where in them each pixel of
    the straightened picture comes from. reached: which pixels of the maps are in the picture.
    """

    found: Registration
    part: Part
    map_x: NDArray[np.float32]
    map_y: NDArray[np.float32]
    reached: NDArray[np.bool_]

    @staticmethod
    def of(table: Table, canvas: Canvas, found: Registration) -> _View:
        map_x, map_y = canvas.picture_map(table.lens, found.pose)
        reached = in_picture(table.lens, map_x, map_y)
        columns, rows = (_shown(places, side) for places, side in zip((map_x, map_y), table.lens.size, strict=True))
        map_x -= columns.start
        map_y -= rows.start
        return _View(found, (rows, columns), map_x, map_y, np.ascontiguousarray(reached[::SHRINK, ::SHRINK]))

    def straighten(self, picture: Picture) -> Picture:
        """The board seen from straight above; black where the picture does not reach."""
        # OpenCV moves four channels in less than half of the time of three.
        four = cv2.cvtColor(picture[self.part], cv2.COLOR_BGR2BGRA)
        straight = cv2.remap(four, self.map_x, self.map_y, cv2.INTER_LINEAR)
        return np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGRA2BGR), np.uint8)

    def show(self, picture: Picture) -> tuple[Picture, Shades, Picture]:
        """The same, that in grey, and in the size of the maps (``shrink``)."""
        straight = self.straighten(picture)
        return straight, grey(straight), shrink(straight)


@dataclass(frozen=True)
class _Seen:
    """What a picture shows of the board before it is read: see ``covered_squares`` and ``SquareReader.ask``.

    trouble: why it cannot be read (for people), None where it can.
    """

    scene: Scene
    covered: Mapping[Square, float]
    answers: Answers
    trouble: str | None


def _shown(places: NDArray[np.float32], side: int) -> slice:
    """The rows or columns of a picture with so many that show such places, also between pixels; at least one."""
    first, last = (int(min(max(place, 0), side - 1)) for place in (places.min(), places.max()))
    return slice(first, min(last + 2, side))


class Reader:
    """Reads pictures of one table. It remembers where the board was last, so that the next one is found fast."""

    def __init__(self, table: Table, supplied: bool = True) -> None:
        """supplied: whether no more pieces of a sort are on the board than players have (SETUP-2), as in a game.
        Raises BadTable when the table was taught for a game that cannot be read, or what it learned is broken."""
        if table.game != "pacal":
            raise BadTable(f"a table for {table.game!r} cannot be read, only one for 'pacal'")
        try:
            self._looks = Looks.from_arrays(MATERIALS, table.learned)
            self._usual_print = table.learned["print"].astype(np.float64).reshape(len(table.board.squares))
            ships = ShipLooker(ShipWalls(self._looks), ColourBleeding(self._looks))
            terraces = TerraceCounter.of(self._looks, float(table.learned["pyramid_size"]))
            quick, thorough, close = (float(much) for much in table.learned["floors_overstated"])
            closer: list[Closer] = [CloseLook(self._looks, close), *([terraces] if terraces else [])]
            network = SquareNetwork(FloorCounter(closer, (quick, thorough)))
            # Tables that were taught before stones were searched for say nothing of that.
            stones = StoneFinder(self._looks, bool(table.learned.get("stones_found", True)))
            rivals = Rivals(self._looks)
            self._squares = SquareReader(
                usual_shades(self._looks), network, rivals, stones, ships, TipFinder(self._looks)
            )
        except (KeyError, IndexError, TypeError, ValueError):
            raise BadTable("what this table learned is incomplete; teach it again") from None
        self._table = table
        self._supplied = supplied
        self._finder = BoardFinder(table)
        self._canvas = Canvas.to_read(table.board)
        self._taught = self._view = _View.of(table, self._canvas, Registration(table.lens, table.pose, 0.0, 1.0))
        straight = self._taught.straighten(table.empty)
        self._quality = Quality(table.empty, grey(straight))
        self._empty = EmptyBoard(table.board, self._canvas, straight)
        self._die = DieMemory(TaughtTable.of(table.empty, table.corners_px, table.board.size_mm, table.lens))

    def read(self, picture: Picture) -> Reading:
        """What is on the board.

        picture: of the taught camera, in any size with the taught sides' ratio. Returns a reading; not usable, with a
        reason for people, when the picture is too dark or blurred, or the board is not found. Raises BadPicture for an
        array of the wrong type or shape.
        """
        return self.read_with_registration(picture)[0]

    def read_with_registration(self, picture: Picture) -> tuple[Reading, Registration | None]:
        """The reading and where the board is, for drawing over the picture (of the size given); see ``read``."""
        table = self._table
        width, height = table.lens.size
        if (resized := self._in_taught_size(picture)) is None:
            return self._unusable(
                f"the picture is {picture.shape[1]} x {picture.shape[0]} px, but the table was taught with "
                f"{width} x {height} px: it is another camera's"
            ), None
        scale = picture.shape[1] / width
        seen = self._look(resized)
        if isinstance(seen, _Seen) and seen.trouble is not None:
            seen = self._look_again(resized) or seen
        if isinstance(seen, str):
            return self._unusable(seen), None
        if seen.trouble is not None:
            return self._unusable(seen.trouble), None
        scene, found = seen.scene, self._view.found
        die = self._die.read(scene.photo.picture, found.corners_px(table), table.board.size_mm)
        given = found.scaled(scale)
        corners = tuple((float(x), float(y)) for x, y in given.corners_px(table))
        squares, hidden = self._squares.read(scene, seen.answers, seen.covered)
        squares = with_mirrors(within_supply(squares) if self._supplied else squares, scene)
        reading = Reading(
            table.game,
            table.board.name,
            squares,
            die.die,
            die.odds[die.die],
            board_corners_px=corners,
            unseen=unseen_contents(squares, hidden),
        )
        return reading, given

    def expect(self, picture: Picture) -> None:
        """Look for the die in a picture in which the table may not have settled yet, so that the next ``read`` need not
        where it finds the same beside the board: half of its time goes into that otherwise. Nothing is done where the
        board is not where it was. Raises BadPicture as ``read`` does."""
        if (resized := self._in_taught_size(picture)) is None:
            return
        _, shades, small = self._view.show(resized)
        if self._empty.in_place(shades, small):
            veil = self._empty.veils.find(small, self._view.reached)
            plain = resized if veil is None else without(veil, resized)
            self._die.expect(plain, self._view.found.corners_px(self._table), self._table.board.size_mm)

    def locate(self, picture: Picture) -> Floats | None:
        """The printed board's corners in a picture: 4 x 2, px, that at A1 first; None when it is not found. Where it is
        elsewhere now the next ``read`` need not search for it again. Raises BadPicture as ``read`` does."""
        if (resized := self._in_taught_size(picture)) is None or isinstance(self._show(resized), NotFound):
            return None
        return self._view.found.scaled(picture.shape[1] / resized.shape[1]).corners_px(self._table)

    def _in_taught_size(self, picture: Picture) -> Picture | None:
        """A picture as large as was taught; None where its sides have another ratio. Raises BadPicture."""
        height, width = check_picture(picture).shape[:2]
        taught_width, taught_height = size = self._table.lens.size
        if abs(height - width * taught_height / taught_width) > ROUNDED_PX:
            return None
        if (width, height) == size:
            return picture
        method = cv2.INTER_AREA if width > taught_width else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(picture, size, interpolation=method), np.uint8)

    def _look(self, picture: Picture) -> _Seen | str:
        """What a picture of the taught size shows, or why that cannot be said.

        A veil is taken off the picture first; ``Scene.photo`` is without it.
        """
        if (trouble := self._quality.light_trouble(picture)) is not None:
            return trouble
        shown = self._show(picture)
        if isinstance(shown, NotFound):
            return shown.reason
        straight, shades, small = shown
        if (veil := self._empty.veils.find(small, self._view.reached)) is not None:
            picture = without(veil, picture)
            straight, shades, small = self._view.show(picture)
        if (trouble := self._quality.sharpness_trouble(shades) or self._empty.hues.trouble(small)) is not None:
            return trouble
        found, reached = self._view.found, self._taught.reached & self._view.reached
        photo = Photo(picture, self._table.lens, found.pose)
        scene = self._empty.look(photo, straight, small, self._looks, reached)
        asked = candidates(scene)
        covered, answers = covered_squares(scene, self._usual_print, asked), self._squares.ask(scene, asked)
        return _Seen(scene, covered, answers, trouble_over(covered, answers.over, scene))

    def _look_again(self, picture: Picture) -> _Seen | None:
        """What a picture shows if the board is only thought to be where it was: where a panel of it rose, print that is
        not in its place looks covered. None where it lies as it did, or where that is not what is wrong."""
        known, lens = self._view, self._table.lens
        found = self._finder.find(picture, known.found.pose)
        if isinstance(found, NotFound):
            return None
        middles = self._empty.places.centres_mm
        moved = found.pose.project(lens, middles) - known.found.pose.project(lens, middles)
        if np.linalg.norm(moved, axis=1).max() < MOVED_PX:
            return None
        self._view = _View.of(self._table, self._canvas, found)
        seen = self._look(picture)
        if isinstance(seen, _Seen) and seen.trouble is None:
            return seen
        self._view = known
        return None

    def _show(self, picture: Picture) -> tuple[Picture, Shades, Picture] | NotFound:
        """A picture of the taught size as ``_View.show`` gives it, wherever the board is now."""
        shown = self._view.show(picture)
        if self._empty.in_place(*shown[1:]):
            return shown
        found = self._finder.find(picture, self._view.found.pose)
        if isinstance(found, NotFound):
            return found
        self._view = _View.of(self._table, self._canvas, found)
        return self._view.show(picture)

    def _unusable(self, reason: str) -> Reading:
        return Reading.unusable(self._table.game, self._table.board.name, reason)
