"""``companion markers``: a sheet of markers to print, for boards with little print of their own."""

from __future__ import annotations

from pathlib import Path

import click
from fpdf import FPDF

from companion.cli.numbers import Number
from companion.errors import StartError
from vision.markers import CELLS, COUNT, marker_cells

PAGE_MM = {"a4": (210, 297), "letter": (215.9, 279.4)}
MARGIN_MM = 15
COLUMNS, ROWS = 2, 4
LARGEST = 42.0
"""The side, in mm, of the largest markers that fit on a page together."""
SPACE = 1 / CELLS
"""White round a marker, as a share of its side, that has to be cut out with it."""

HOW_TO = (
    "Print at 100 %. Cut out at least two markers, better four, with the white round them, and fix them to the table "
    "close beside the board, one at each corner, flat and in full view of the camera. Then photograph the empty board, "
    "and teach the table. Neither markers nor board may be moved after that; the camera may."
)


@click.command(name="markers")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("markers.pdf"),
    show_default=True,
    help="The file to write.",
)
@click.option("--size-mm", type=Number(20, LARGEST), default=40, show_default=True, help="Side of a marker.")
@click.option("--paper", type=click.Choice(sorted(PAGE_MM)), default="a4", show_default=True, help="What to print on.")
def command(out: Path, size_mm: float, paper: str) -> None:
    """Write a PDF of markers to print, cut out and lay beside the board.

    Only a board with hardly any print needs them: all others are found by what is printed on them.
    """
    pdf = sheet(size_mm, PAGE_MM[paper])
    try:
        pdf.output(str(out))
    except OSError as error:
        raise StartError(f"{out}: the markers cannot be written ({error.strerror})") from None
    click.echo(f"{COUNT} markers to print, {size_mm:g} mm wide: {out}", err=True)


def sheet(size_mm: float, page_mm: tuple[float, float]) -> FPDF:
    """The page with all markers. size_mm: side of a marker. page_mm: width and height of the paper."""
    pdf = FPDF(format=page_mm)
    pdf.set_auto_page_break(False)
    pdf.set_margin(MARGIN_MM)
    pdf.add_page()
    pdf.set_font("helvetica", size=11)
    pdf.multi_cell(0, 5, HOW_TO, align="L")
    for number, (x, y) in enumerate(places(size_mm, page_mm, pdf.get_y())):
        _draw_marker(pdf, number, x, y, size_mm)
    return pdf


def places(size_mm: float, page_mm: tuple[float, float], top_mm: float) -> list[tuple[float, float]]:
    """Where each marker's left upper corner is, in mm from the page's. top_mm: how much of the page is taken."""
    across, down = (page_mm[0] - 2 * MARGIN_MM) / COLUMNS, (page_mm[1] - MARGIN_MM - top_mm) / ROWS
    spots = [divmod(number, COLUMNS) for number in range(COUNT)]
    return [
        (MARGIN_MM + (column + 0.5) * across - size_mm / 2, top_mm + (row + 0.5) * down - size_mm / 2)
        for row, column in spots
    ]


def _draw_marker(pdf: FPDF, number: int, x: float, y: float, size_mm: float) -> None:
    """A marker with its left upper corner at x, y (mm), a line to cut along, and its number outside of that."""
    space, cell = size_mm * SPACE, size_mm / CELLS
    pdf.set_draw_color(170)
    pdf.set_line_width(0.1)
    pdf.rect(x - space, y - space, size_mm + 2 * space, size_mm + 2 * space)
    pdf.set_fill_color(0)
    pdf.rect(x, y, size_mm, size_mm, style="F")
    pdf.set_fill_color(255)
    for row, cells in enumerate(marker_cells(number)):
        for column in cells.nonzero()[0]:
            pdf.rect(x + column * cell, y + row * cell, cell, cell, style="F")
    pdf.set_font("helvetica", size=9)
    pdf.set_xy(x + size_mm + space + 1, y - space)
    pdf.cell(6, 4, str(number))
