"""The sheet that shows which pieces to lay on which squares of a board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from fpdf import FPDF

from companion.games.pacal.layout import LAKE, NO_SQUARE, Layout
from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.squares import position, square
from vision.teaching.laying import Laid

Shade: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

PAGE_MM, MARGIN_MM, HEAD_MM = (210, 297), 12.0, 46.0
"""The paper, what is left free of it on all sides, and what the words on top of a page take."""
SHADES: Mapping[str, Shade] = {
    "red": (194, 47, 39),
    "yellow": (244, 198, 44),
    "green": (38, 131, 74),
    "blue": (39, 99, 184),
    "purple": (124, 63, 166),
}
"""As on the page."""
INK, WHITE, LINE, VALUE = (42, 32, 24), (255, 255, 255), (200, 188, 164), (150, 138, 116)
SACRED, WATER = (246, 232, 190), (190, 218, 232)
THIN_MM, THICK_MM = 0.15, 0.9
"""Lines between squares, and between districts."""
BASE, STEP, SHIP, WALL, STONE = 0.86, 0.15, 0.76, 0.13, 0.44
"""Shares of a square: the foot of a pyramid and what each floor is smaller, a ship and its wall, a stone's side."""

HOW_TO = (
    "Turn this sheet until its districts, with their values, lie as the board's do. Lay just these pieces on it, and "
    "take {picture} with the camera as it stands for playing; where in its square a piece stands does not matter. "
    "A ring is a ship, a triangle a stone, and a square with R3 a red pyramid of 3 floors: R red, Y yellow, G green, "
    "B blue, P purple."
)


def sheet(layout: Layout, palettes: Mapping[str, Laid]) -> FPDF:
    """Pages that show what to lay, one for each palette; by the name of its picture."""
    pdf = FPDF(format=PAGE_MM)
    pdf.set_auto_page_break(False)
    pdf.set_margin(MARGIN_MM)
    for name, laid in palettes.items():
        pdf.add_page()
        pdf.set_text_color(INK)
        pdf.set_font("helvetica", "B", 18)
        pdf.cell(0, 10, f"{name}.jpg: {len(laid)} pieces", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("helvetica", size=11)
        pdf.multi_cell(0, 5, HOW_TO.format(picture=f"{name}.jpg"), align="L")
        _Page(pdf, layout).draw(laid)
    return pdf


class _Page:
    """Draws a board below a page's words, as large as there is room."""

    def __init__(self, pdf: FPDF, layout: Layout) -> None:
        self._pdf, self._layout = pdf, layout
        self._columns, self._rows = len(layout.districts[0]), len(layout.districts)
        across, down = PAGE_MM[0] - 2 * MARGIN_MM, PAGE_MM[1] - HEAD_MM - MARGIN_MM
        self._side = min(across / (self._columns + 1), down / (self._rows + 1))

    def draw(self, laid: Laid) -> None:
        for column in range(self._columns):
            self._write(square(column, 0)[0], self._corner(column, -1), INK, 11)
        for row in range(self._rows):
            self._write(str(row + 1), self._corner(-1, row), INK, 11)
        values = dict(self._layout.values)
        for name, letter, _ in self._layout.places():
            corner = self._corner(*position(name))
            if letter != NO_SQUARE:
                self._ground(letter, corner)
            if letter in values and name not in laid:
                self._write(str(values[letter]), corner, VALUE, 8, "")
        self._borders()
        for name, piece in laid.items():
            self._piece(piece, self._corner(*position(name)))

    def _corner(self, column: int, row: int) -> tuple[float, float]:
        """The left upper corner of a place of the grid; those before the first ones hold letters and numbers."""
        return MARGIN_MM + (column + 1) * self._side, HEAD_MM + (row + 1) * self._side

    def _ground(self, letter: str, corner: tuple[float, float]) -> None:
        self._pdf.set_fill_color(WATER if letter == LAKE else SACRED if letter == self._layout.sacred else WHITE)
        self._pdf.set_draw_color(LINE)
        self._pdf.set_line_width(THIN_MM)
        self._pdf.rect(*corner, self._side, self._side, "F" if letter == LAKE else "DF")

    def _borders(self) -> None:
        """Thick lines wherever one district ends."""
        self._pdf.set_draw_color(INK)
        self._pdf.set_line_width(THICK_MM)
        letters = {position(name): letter for name, letter, _ in self._layout.places()}
        for row in range(self._rows + 1):
            for column in range(self._columns + 1):
                x, y = self._corner(column, row)
                here, above, before = (
                    letters.get(place, NO_SQUARE) for place in ((column, row), (column, row - 1), (column - 1, row))
                )
                if here != above:
                    self._pdf.line(x, y, x + self._side, y)
                if here != before:
                    self._pdf.line(x, y, x, y + self._side)

    def _piece(self, piece: Piece, corner: tuple[float, float]) -> None:
        """A piece from above, in the middle of its square, with the first letter of its colour."""
        pdf, side = self._pdf, self._side
        x, y = corner[0] + side / 2, corner[1] + side / 2
        colour = piece.colours[0] if isinstance(piece, Stones) else piece.colour
        text, ink = colour[0].upper(), INK if colour == "yellow" else WHITE
        pdf.set_draw_color(INK)
        pdf.set_line_width(THIN_MM)
        pdf.set_fill_color(SHADES[colour])
        match piece:
            case Ship():
                for wide, fill in ((SHIP * side, SHADES[colour]), ((SHIP - 2 * WALL) * side, WHITE)):
                    pdf.set_fill_color(fill)
                    pdf.ellipse(x - wide / 2, y - wide / 2, wide, wide, "DF")
                ink = INK
            case Pyramid(floors=floors):
                for floor in range(floors):
                    wide = (BASE - floor * STEP) * side
                    pdf.rect(x - wide / 2, y - wide / 2, wide, wide, "DF")
                text += str(floors)
            case Stones():
                half, reach = STONE * side / 2, STONE * side / 3**0.5
                pdf.polygon([(x, y - reach), (x + half, y + reach / 2), (x - half, y + reach / 2)], style="DF")
                corner, ink = (corner[0], corner[1] + side / 3), INK
        self._write(text, corner, ink, 10)

    def _write(self, text: str, corner: tuple[float, float], ink: Shade, points: float, style: str = "B") -> None:
        """Text in the middle of a square with this left upper corner."""
        self._pdf.set_font("helvetica", style, points)
        self._pdf.set_text_color(ink)
        self._pdf.set_xy(*corner)
        self._pdf.cell(self._side, self._side, text, align="C")
