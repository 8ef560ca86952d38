"""``companion palettes``: what to lay for the pictures that a table is taught from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from fpdf import FPDF

from companion.boards import Board, is_path
from companion.cli.teach import board_of
from companion.errors import BadSetup
from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.observation import squares_to_json
from companion.palettes import Laid, palettes_to_lay
from companion.selftest.words import SYMBOLS, drawing
from companion.squares import position, square

GAME, FORMAT = "pacal", 1
SHEET = "palettes.pdf"

PAGE_MM, MARGIN_MM, HEAD_MM = (210, 297), 12.0, 42.0
"""The paper, what is left free of it on all sides, and what the words on top of a page take."""
SHADES = {
    "red": (194, 47, 39),
    "yellow": (244, 198, 44),
    "green": (38, 131, 74),
    "blue": (39, 99, 184),
    "purple": (124, 63, 166),
}
"""As on the page."""
PALE, INK = (176, 160, 130), (42, 32, 24)
BASE, STEP, SHIP, WALL, STONE = 0.86, 0.15, 0.76, 0.13, 0.44
"""Shares of a square: the foot of a pyramid and what each floor is smaller, a ship and its wall, a stone's side."""

HOW_TO = (
    "Lay these pieces on the board, A1 at its printed corner, and take {picture} with the camera as it stands for "
    "playing. Nothing else is on the board; where in its square a piece stands does not matter. A ring is a ship, a "
    "triangle a stone, and a square with R3 a red pyramid of 3 floors: R red, Y yellow, G green, B blue, P purple."
)


@click.command(name="palettes")
@click.argument("setup_dir", type=click.Path(path_type=Path))
@click.option(
    "--board",
    "layout",
    default="reference",
    show_default=True,
    help="A built-in board, or the name of a layout file in SETUP_DIR.",
)
def command(setup_dir: Path, layout: str) -> None:
    """Say what to lay on the board for the pictures from which a table is taught.

    Writes to SETUP_DIR what teaching needs beside the pictures, and a sheet to print or look at that shows two
    palettes. With their pictures, and that of the empty board, companion teach learns the table.
    """
    own = setup_dir / layout
    if is_path(layout) and not own.is_file():
        raise BadSetup(f"{own}: is no file; the layout of a board of your own must be in the folder of its pictures")
    board = board_of(GAME, str(own) if own.is_file() else layout)
    palettes = {f"palette-{number}": laid for number, laid in enumerate(palettes_to_lay(board), 1)}
    files = {"setup.json": _json({"format": FORMAT, "game": GAME, "board": layout})}
    for name, laid in palettes.items():
        files[f"{name}.json"] = _json({"format": FORMAT, "squares": squares_to_json(laid)})
    _write(setup_dir, {name: text.encode() for name, text in files.items()}, bytes(sheet(board, palettes).output()))
    click.echo(SYMBOLS)
    for name, laid in palettes.items():
        click.echo(f"\n{name}.jpg shows:\n\n{drawing(board, laid)}")
    click.echo(f"\nThe same to print: {setup_dir / SHEET}. Take empty.jpg first, with nothing on the board.", err=True)


def sheet(board: Board, palettes: Mapping[str, Laid]) -> FPDF:
    """Pages that show what to lay, one for each palette; by the name of its picture."""
    pdf = FPDF(format=PAGE_MM)
    pdf.set_auto_page_break(False)
    pdf.set_margin(MARGIN_MM)
    side = min(
        (PAGE_MM[0] - 2 * MARGIN_MM) / (board.columns + 1), (PAGE_MM[1] - HEAD_MM - MARGIN_MM) / (board.rows + 1)
    )
    for name, laid in palettes.items():
        pdf.add_page()
        pdf.set_text_color(INK)
        pdf.set_font("helvetica", "B", 18)
        pdf.cell(0, 10, f"{name}.jpg: {len(laid)} pieces", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("helvetica", size=11)
        pdf.multi_cell(0, 5, HOW_TO.format(picture=f"{name}.jpg"), align="L")
        _draw_board(pdf, board, laid, side)
    return pdf


def _draw_board(pdf: FPDF, board: Board, laid: Laid, side: float) -> None:
    """The grid below a page's head, squares so wide (mm), with its letters and numbers and what is laid."""
    for column in range(board.columns):
        _write_in(pdf, square(column, 0)[0], _corner(column, -1, side), side, INK, 11)
    for row in range(board.rows):
        _write_in(pdf, str(row + 1), _corner(-1, row, side), side, INK, 11)
    pdf.set_line_width(0.2)
    for name in sorted(board.squares):
        left, top = _corner(*position(name), side)
        pdf.set_draw_color(PALE)
        pdf.rect(left, top, side, side)
        if name in laid:
            _draw(pdf, laid[name], (left + side / 2, top + side / 2), side)


def _corner(column: int, row: int, side: float) -> tuple[float, float]:
    """The left upper corner of a place of the grid; those before the first ones hold letters and numbers."""
    return MARGIN_MM + (column + 1) * side, HEAD_MM + (row + 1) * side


def _draw(pdf: FPDF, piece: Piece, middle: tuple[float, float], side: float) -> None:
    """A piece from above, about the middle of its square, with the first letter of its colour."""
    x, y = middle
    pdf.set_draw_color(INK)
    colour = piece.colours[0] if isinstance(piece, Stones) else piece.colour
    pdf.set_fill_color(SHADES[colour])
    text, ink = colour[0].upper(), INK if colour == "yellow" else (255, 255, 255)
    match piece:
        case Ship():
            for share, fill in ((SHIP, SHADES[colour]), (SHIP - 2 * WALL, (255, 255, 255))):
                pdf.set_fill_color(fill)
                pdf.ellipse(x - share * side / 2, y - share * side / 2, share * side, share * side, "DF")
            ink = INK
        case Pyramid(floors=floors):
            for floor in range(floors):
                wide = (BASE - floor * STEP) * side
                pdf.rect(x - wide / 2, y - wide / 2, wide, wide, "DF")
            text += str(floors)
        case Stones():
            reach = STONE * side / 3**0.5
            pdf.polygon(
                [(x, y - reach), (x + STONE * side / 2, y + reach / 2), (x - STONE * side / 2, y + reach / 2)],
                style="DF",
            )
            y, ink = y + side / 3, INK
    _write_in(pdf, text, (x - side / 2, y - side / 2), side, ink, 10)


def _write_in(
    pdf: FPDF, text: str, corner: tuple[float, float], side: float, ink: tuple[int, int, int], points: float
) -> None:
    """Text in the middle of a square with this left upper corner."""
    pdf.set_font("helvetica", "B", points)
    pdf.set_text_color(ink)
    pdf.set_xy(*corner)
    pdf.cell(side, side, text, align="C")


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data) + "\n"


def _write(folder: Path, files: Mapping[str, bytes], pages: bytes) -> None:
    """Write files that are not there already, and the sheet; none of them if one cannot be. Raises BadSetup, also where
    one is there that says something else."""
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            if (folder / name).exists() and (folder / name).read_bytes() != data:
                raise BadSetup(
                    f"{folder / name}: is there already and says something else; choose another folder, or remove it"
                )
        for name, data in (*files.items(), (SHEET, pages)):
            written.append(folder / name)
            written[-1].write_bytes(data)
    except OSError as error:
        for file in written:
            with suppress(OSError):
                file.unlink()
        raise BadSetup(f"{error.filename or folder}: cannot be written ({error.strerror})") from None
