"""What is printed on a board: districts, grid lines, water, values and borders, drawn anew for each board."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.pacal.layout import LAKE, NO_SQUARE
from training.rendering.board_layout import DrawnBoard
from training.rendering.patterns import motif, noise, ornament

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]

PX_PER_MM = 3.0


@dataclass(frozen=True)
class _Style:
    """How one board is drawn; saturation and value are the middles of what its districts have."""

    saturation: float
    value: float
    spread: float
    paper: Colour
    ink: Colour
    water: Colour
    line_mm: float
    line_strength: float
    line_gaps: float
    border_mm: float
    motif_strength: float
    ornaments: float
    values: str
    track: bool


def draw_print(rng: Generator, board: DrawnBoard, usual: bool) -> Image:
    """The print of a board, seen from above with A1 at the top left; height x width x 3, BGR.

    usual: light paper, dark ink and colours that pieces stand out from, as on the reference board.
    """
    style = _draw_style(rng)
    if usual:
        style = _usual_style(rng, style)
    width, height = board.layout.size_mm
    image = np.empty((round(height * PX_PER_MM), round(width * PX_PER_MM), 3), np.uint8)
    image[:] = style.paper
    owner = _owners(board, image.shape[:2])
    image = _paint_districts(rng, style, image, owner)
    _draw_margin(rng, style, image, board)
    _draw_grid(rng, style, image, board)
    _draw_borders(style, image, owner)
    _draw_river(rng, style, image, board)
    _draw_signs(rng, style, image, board)
    return _age(rng, image)


def _draw_style(rng: Generator) -> _Style:
    kind = rng.choice(["tinted", "plain", "saturated", "dark", "parchment", "grey"], p=[0.3, 0.2, 0.2, 0.12, 0.1, 0.08])
    saturation, value, spread = {
        "tinted": (0.3, 0.75, 0.12),
        "plain": (0.45, 0.65, 0.15),
        "saturated": (0.75, 0.7, 0.2),
        "dark": (0.5, 0.35, 0.12),
        "parchment": (0.25, 0.8, 0.05),
        "grey": (0.06, 0.6, 0.15),
    }[str(kind)]
    dark_paper = rng.random() < 0.25
    paper = _colour(
        rng.uniform(0.05, 0.15), rng.uniform(0.0, 0.4), rng.uniform(0.1, 0.35) if dark_paper else rng.uniform(0.7, 0.95)
    )
    dark_ink = rng.random() < 0.75
    ink = _colour(
        rng.uniform(0, 1), rng.uniform(0, 0.5), rng.uniform(0.02, 0.3) if dark_ink else rng.uniform(0.75, 1.0)
    )
    return _Style(
        saturation=saturation,
        value=value,
        spread=spread,
        paper=paper,
        ink=ink,
        water=_colour(rng.normal(0.57, 0.04), rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.9)),
        line_mm=float(rng.choice([0.0, 0.3, 0.5, 0.8, 1.2, 2.0])),
        line_strength=float(rng.uniform(0.2, 1.0)),
        line_gaps=float(rng.choice([0.0, 0.0, 0.1, 0.5])),
        border_mm=float(rng.choice([0.0, 0.6, 1.0, 1.6, 2.6])),
        motif_strength=float(rng.choice([0.0, 0.15, 0.3, 0.6])),
        ornaments=float(rng.choice([0.0, 0.05, 0.15, 0.4])),
        values=str(rng.choice(["disc", "disc", "digit", "none"])),
        track=bool(rng.random() < 0.5),
    )


def _usual_style(rng: Generator, style: _Style) -> _Style:
    return replace(
        style,
        saturation=float(rng.uniform(0.15, 0.45)),
        value=float(rng.uniform(0.6, 0.8)),
        spread=0.08,
        paper=_colour(rng.uniform(0.07, 0.13), rng.uniform(0.05, 0.3), rng.uniform(0.8, 0.95)),
        ink=_colour(rng.uniform(0, 1), rng.uniform(0, 0.5), rng.uniform(0.1, 0.35)),
        motif_strength=float(rng.choice([0.0, 0.1, 0.2, 0.3])),
    )


def _colour(hue: float, saturation: float, value: float) -> Colour:
    """BGR, 0 to 255."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return 255 * blue, 255 * green, 255 * red


def _px(mm: float) -> int:
    return round(mm * PX_PER_MM)


def _corner(board: DrawnBoard, row: float, column: float) -> tuple[float, float]:
    """The upper left corner of a square, in px."""
    left, top, right, bottom = board.layout.grid_mm
    rows, columns = board.grid
    x, y = left + (right - left) * column / columns, top + (bottom - top) * row / rows
    return x * PX_PER_MM, y * PX_PER_MM


def _box(board: DrawnBoard, row: int, column: int) -> tuple[slice, slice]:
    left, top = _corner(board, row, column)
    right, bottom = _corner(board, row + 1, column + 1)
    return slice(round(top), round(bottom)), slice(round(left), round(right))


def _owners(board: DrawnBoard, shape: tuple[int, ...]) -> NDArray[np.int32]:
    """For each px the code of the district's character, 0 outside the grid and where there is no square."""
    owner = np.zeros(shape, np.int32)
    for row, line in enumerate(board.layout.districts):
        for column, letter in enumerate(line):
            owner[_box(board, row, column)] = 0 if letter == NO_SQUARE else ord(letter)
    return owner


def _paint_districts(rng: Generator, style: _Style, image: Image, owner: NDArray[np.int32]) -> Image:
    hue = rng.uniform()
    canvas = image.astype(np.float32)
    tile = (image.shape[0], image.shape[1])
    for code in np.unique(owner[owner > 0]):
        hue += rng.uniform(0.12, 0.45)
        if style.spread <= 0.05:
            hue = rng.normal(0.1, 0.03)
        colour = _colour(hue, rng.normal(style.saturation, style.spread), rng.normal(style.value, style.spread))
        if code == ord(LAKE):
            colour = style.water
        strength = style.motif_strength * rng.uniform(0.3, 1.0)
        shade = motif(rng, tile, PX_PER_MM)[..., None] * strength
        light = 255.0 if rng.random() < 0.5 else 0.0
        filled = np.asarray(colour, np.float32) * (1 - shade) + light * shade
        mine = owner == code
        canvas[mine] = filled[mine]
    return np.asarray(np.clip(canvas, 0, 255), np.uint8)


def _draw_grid(rng: Generator, style: _Style, image: Image, board: DrawnBoard) -> None:
    """Lines between squares: full, with gaps, thick, thin or none."""
    if not style.line_mm:
        return
    drawn = image.copy()
    rows, columns = board.grid
    bare = set(rng.choice(list("ABCDEFGHIJKLMNOP"), 4)) if rng.random() < 0.3 else set()
    for row in range(rows + 1):
        for column in range(columns + 1):
            here = board.layout.districts[min(row, rows - 1)][min(column, columns - 1)]
            for end in ((row, column + 1), (row + 1, column)):
                inside = end[0] <= rows and end[1] <= columns
                if not inside or here in bare or rng.random() < style.line_gaps:
                    continue
                start_px, end_px = (np.round(_corner(board, *at)).astype(int) for at in ((row, column), end))
                cv2.line(drawn, start_px.tolist(), end_px.tolist(), style.ink, max(1, _px(style.line_mm)), cv2.LINE_AA)
    cv2.addWeighted(drawn, style.line_strength, image, 1 - style.line_strength, 0, dst=image)


def _draw_borders(style: _Style, image: Image, owner: NDArray[np.int32]) -> None:
    if not style.border_mm:
        return
    edge = np.zeros(owner.shape, np.uint8)
    edge[:, 1:] |= (owner[:, 1:] != owner[:, :-1]).astype(np.uint8)
    edge[1:] |= (owner[1:] != owner[:-1]).astype(np.uint8)
    size = max(1, _px(style.border_mm))
    image[cv2.dilate(edge, np.ones((size, size), np.uint8)) > 0] = style.ink


def _draw_river(rng: Generator, style: _Style, image: Image, board: DrawnBoard) -> None:
    if not board.river:
        return
    corners = np.array([_corner(board, *at) for at in board.river])
    steps = np.concatenate([np.linspace(a, b, 12, endpoint=False) for a, b in pairwise(corners)])
    path = np.round(steps + rng.normal(0, _px(0.5), steps.shape)).astype(np.int32)
    wide = _px(rng.uniform(3, 9))
    darker = tuple(0.6 * part for part in style.water)
    cv2.polylines(image, [path], False, darker, wide + _px(1.5), cv2.LINE_AA)
    cv2.polylines(image, [path], False, style.water, wide, cv2.LINE_AA)


def _draw_signs(rng: Generator, style: _Style, image: Image, board: DrawnBoard) -> None:
    """Ornaments on some squares, and each district's value on one of its squares."""
    side = min(board.layout.board().square_mm) * PX_PER_MM
    first: dict[str, list[tuple[int, int]]] = {}
    for row, line in enumerate(board.layout.districts):
        for column, letter in enumerate(line):
            if letter in (LAKE, NO_SQUARE):
                continue
            first.setdefault(letter, []).append((row, column))
            if rng.random() < style.ornaments:
                at = np.add(_corner(board, row + 0.5, column + 0.5), rng.normal(0, side / 12, 2))
                colour = style.ink if rng.random() < 0.5 else _colour(*rng.uniform(0, 1, 3))
                ornament(rng, image, at, side * rng.uniform(0.3, 0.8), colour)
    for letter, value in board.layout.values:
        row, column = first[letter][rng.integers(len(first[letter]))]
        x, y = (round(part) for part in _corner(board, row + 0.5, column + 0.5))
        if style.values == "disc":
            cv2.circle(image, (x, y), round(side * 0.27), style.ink, -1, cv2.LINE_AA)
            cv2.circle(image, (x, y), round(side * 0.25), style.paper, -1, cv2.LINE_AA)
        if style.values != "none":
            _write(image, str(value), (x, y), side * 0.25, style.ink)


def _draw_margin(rng: Generator, style: _Style, image: Image, board: DrawnBoard) -> None:
    """The board's edge, and fields for counting points where there is room."""
    height, width = image.shape[:2]
    if rng.random() < 0.6:
        cv2.rectangle(image, (0, 0), (width - 1, height - 1), style.ink, _px(rng.uniform(0.5, 3)))
    left, top, right, bottom = board.layout.grid_mm
    room = min(left, top, board.layout.size_mm[0] - right, board.layout.size_mm[1] - bottom)
    if not style.track or room < 9:
        return
    field, middle = room * 0.85 * PX_PER_MM, room / 2 * PX_PER_MM
    around = [(x, middle) for x in np.arange(middle, width - middle, field * 1.1)]
    around += [(width - middle, y) for y in np.arange(middle, height - middle, field * 1.1)]
    around += [(x, height - middle) for x in np.arange(width - middle, middle, -field * 1.1)]
    around += [(middle, y) for y in np.arange(height - middle, middle, -field * 1.1)]
    filled = _colour(rng.uniform(), rng.uniform(0, 0.6), rng.uniform(0.4, 1))
    for number, (x, y) in enumerate(around):
        half = field / 2
        box = [round(float(part)) for part in (x - half, y - half, x + half, y + half)]
        cv2.rectangle(image, (box[0], box[1]), (box[2], box[3]), filled if number % 5 else style.water, -1)
        cv2.rectangle(image, (box[0], box[1]), (box[2], box[3]), style.ink, 2)
        _write(image, str(number), (round(float(x)), round(float(y))), field * 0.35, style.ink)


def _write(image: Image, text: str, middle: tuple[int, int], height: float, colour: Colour) -> None:
    scale = height / 22
    thick = max(1, round(height / 9))
    (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
    start = middle[0] - wide // 2, middle[1] + tall // 2
    cv2.putText(image, text, start, cv2.FONT_HERSHEY_DUPLEX, scale, colour, thick, cv2.LINE_AA)


def _age(rng: Generator, image: Image) -> Image:
    """Paper grain, uneven ink and, on some boards, the fold down the middle."""
    shape = (image.shape[0], image.shape[1])
    tone = 1 + rng.uniform(0, 0.1) * noise(rng, shape, 60) + rng.uniform(0, 0.06) * noise(rng, shape, 1.5)
    aged = (image * tone[..., None]).astype(np.float32)
    if rng.random() < 0.4:
        aged[:, shape[1] // 2 - 1 : shape[1] // 2 + 2] *= np.float32(0.5)
        if rng.random() < 0.5:
            aged[shape[0] // 2 - 1 : shape[0] // 2 + 2] *= np.float32(0.5)
    return np.asarray(np.clip(aged, 0, 255), np.uint8)
