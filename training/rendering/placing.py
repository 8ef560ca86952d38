"""Where pieces stand: positions of a game, and the places of pieces within their squares."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.boards import Board
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Piece, Pyramid, Ship, Stones
from companion.squares import Square, distance

Floats = NDArray[np.float64]

TURNED, OFTEN_TURNED = 0.04, 0.6
"""How often a large piece does not stand along the board's lines, but turned by any angle; and how often pyramids do
on boards that are rendered to learn from such."""


@dataclass(frozen=True)
class PieceSizes:
    """Sizes of one set of pieces, in mm; gap is how far apart pieces stay."""

    base: float
    step: float
    floor: float
    ship_radius: float
    ship_height: float
    ship_wall: float
    ship_bottom: float
    stone_side: float
    stone_height: float
    bevel: float

    @staticmethod
    def draw(rng: Generator, square_mm: float) -> PieceSizes:
        base = rng.uniform(22, min(28, 0.87 * square_mm))
        return PieceSizes(
            base=base,
            step=min(rng.uniform(4.0, 5.6), (base - 3.5) / 4),
            floor=rng.uniform(4.8, 6.2),
            ship_radius=rng.uniform(11, min(17, 0.46 * square_mm)),
            ship_height=rng.uniform(28, 42),
            ship_wall=rng.uniform(1.2, 4.0),
            ship_bottom=0.0,
            stone_side=rng.uniform(11.7, 14.6),
            stone_height=rng.uniform(3.2, 5.0),
            bevel=rng.uniform(0.15, 0.7),
        )


@dataclass(frozen=True)
class Standing:
    """One piece as it stands: its kind is ``ship``, ``pyramid`` or ``stone``; floors is 1 for all but pyramids.

    at: the middle of its foot in mm on the board. turn: radians. square: where it stands, None beside the board.
    """

    kind: str
    colour: str
    floors: int
    at: tuple[float, float]
    turn: float
    square: Square | None

    def foot(self, sizes: PieceSizes, margin_mm: float = 0.0) -> Floats:
        """Its outline on the board, N x 2 mm."""
        match self.kind:
            case "ship":
                return _polygon(self, 12, sizes.ship_radius + margin_mm)
            case "pyramid":
                return _polygon(self, 4, (sizes.base / 2 + margin_mm) * np.sqrt(2))
            case _:
                return _polygon(self, 3, sizes.stone_side / np.sqrt(3) + 2 * margin_mm)

    def height(self, sizes: PieceSizes) -> float:
        match self.kind:
            case "ship":
                return sizes.ship_height
            case "pyramid":
                return sizes.floor * self.floors
            case _:
                return sizes.stone_height


def _polygon(piece: Standing, count: int, radius: float) -> Floats:
    angle = piece.turn + np.pi / count + np.arange(count) * 2 * np.pi / count
    return piece.at + radius * np.column_stack([np.cos(angle), np.sin(angle)])


def apart(one: Floats, other: Floats) -> bool:
    """Whether two convex outlines (N x 2) have no point in common."""
    for outline in (one, other):
        sides = np.roll(outline, -1, axis=0) - outline
        normals = np.column_stack([sides[:, 1], -sides[:, 0]])
        a, b = one @ normals.T, other @ normals.T
        if np.any(a.max(axis=0) < b.min(axis=0)) or np.any(b.max(axis=0) < a.min(axis=0)):
            return True
    return False


def draw_position(rng: Generator, board: Board) -> dict[Square, Piece]:
    """What stands on each square in a still: sparse or full, spread or crowded, each number of floors as often."""
    squares = sorted(board.squares)
    count = max(3, round(len(squares) * rng.choice([0.06, 0.12, 0.2, 0.3, 0.42, 0.55, 0.72])))
    colours = list(rng.permutation(COLOURS)[: int(rng.integers(2, 6))])
    weights = rng.dirichlet([2.0, 4.0, 4.0])
    taken: dict[Square, Piece] = {}
    crowded = rng.random() < 0.5
    while len(taken) < count:
        name = draw_square(rng, squares, taken, 0.8 if crowded else 0.0)
        taken[name] = _draw_piece(rng, colours, weights, taken)
    return taken


def draw_pyramids(rng: Generator, board: Board) -> dict[Square, Piece]:
    """A board with as many pyramids of all sorts as can be told apart, and nothing else."""
    squares = sorted(board.squares)
    count = round(len(squares) * rng.uniform(0.2, 0.4))
    chosen = [str(name) for name in rng.choice(squares, count, replace=False)]
    return {name: draw_pyramid(rng, COLOURS) for name in chosen}


def draw_square(rng: Generator, squares: Iterable[Square], taken: Collection[Square], crowded: float) -> Square:
    """A free square; with the probability ``crowded`` one that touches a taken one, if there is any."""
    free = [name for name in squares if name not in taken]
    near = [name for name in free if any(distance(name, other) == 1 for other in taken)]
    return str(rng.choice(near if crowded and near and rng.random() < crowded else free))


def draw_stones(rng: Generator, colours: Sequence[str], many: int) -> Stones:
    """So many stones of different colours."""
    return Stones(tuple(sorted(str(name) for name in rng.choice(colours, many, replace=False))))


def draw_pyramid(rng: Generator, colours: Sequence[str]) -> Pyramid:
    """A pyramid of one of these colours, each number of floors as often."""
    return Pyramid(str(rng.choice(colours)), int(rng.integers(1, MAX_FLOORS + 1)))


def _draw_piece(rng: Generator, colours: list[str], weights: Floats, taken: dict[Square, Piece]) -> Piece:
    kind = rng.choice(["ship", "pyramid", "stones"], p=weights)
    ships = [piece.colour for piece in taken.values() if isinstance(piece, Ship)]
    colour = str(rng.choice(colours))
    if kind == "ship" and colour not in ships:
        return Ship(colour)
    if kind == "stones" or rng.random() < weights[2]:
        most = min(len(colours), 4)
        chance = np.array([0.5, 0.27, 0.15, 0.08])[:most]
        many = int(rng.choice(np.arange(1, most + 1), p=chance / chance.sum()))
        return draw_stones(rng, colours, many)
    return Pyramid(colour, int(rng.integers(1, MAX_FLOORS + 1)))


def stand(
    rng: Generator, board: Board, sizes: PieceSizes, seen: dict[Square, Piece], turned: float = TURNED
) -> list[Standing] | None:
    """Each piece at its place, none through another; None when they found no room. turned: how often pyramids are
    turned by any angle."""
    placed: list[Standing] = []
    feet: list[Floats] = []
    slack = min(board.square_mm) / 2
    for name, piece in seen.items():
        colours = piece.colours if isinstance(piece, Stones) else (piece.colour,)
        kind = {"Ship": "ship", "Pyramid": "pyramid", "Stones": "stone"}[type(piece).__name__]
        floors = piece.floors if isinstance(piece, Pyramid) else 1
        often = turned if isinstance(piece, Pyramid) else TURNED
        for colour in colours:
            for _ in range(300):
                one = Standing(kind, colour, floors, *_place(rng, kind, often, slack, board.centre_mm(name)), name)
                foot = one.foot(sizes, 0.2)
                within = kind != "stone" or np.all(np.abs(foot - board.centre_mm(name)) < slack + 1.0)
                near = (other for other in feet if np.hypot(*(other.mean(axis=0) - one.at)) < 45)
                if within and all(apart(foot, other) for other in near):
                    break
            else:
                return None
            placed.append(one)
            feet.append(foot)
    return placed


def _place(
    rng: Generator, kind: str, turned: float, slack: float, middle: tuple[float, float]
) -> tuple[tuple[float, float], float]:
    """Where a piece is put and how it is turned: people put large ones about the middle, and stones anywhere."""
    if kind == "stone":
        offset, turn = rng.uniform(-slack, slack, 2), rng.uniform(0, 2 * np.pi)
    else:
        offset, turn = np.clip(rng.normal(0, 1.3, 2), -3.5, 3.5), rng.normal(0, np.radians(7))
        if rng.random() < turned:
            turn = rng.uniform(0, np.pi)
    return (float(middle[0] + offset[0]), float(middle[1] + offset[1])), float(turn)
