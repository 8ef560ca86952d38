"""Tables such as the reference scenes show: the game's own pieces, as many of them as in a game, a good camera.

The print is as theirs too (``board_print``). Everything else, grids, tables, lamps, lenses and places of the camera, is
as wide as for any rendered table.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.random import Generator

from companion.boards import Board
from companion.games.pacal.pieces import COLOURS, PYRAMIDS, STONES, Piece, Pyramid, Ship, Stones
from companion.squares import Square, distance
from training.rendering.camera_effects import Sensor
from training.rendering.placing import PieceSizes, draw_pyramid, draw_square, draw_stones
from vision.reading.shapes import BASE_MM, FLOOR_MM, SHIP_MM, STEP_MM

MANY, SPREAD, FEWEST, MOST = 19, 7, 6, 36
"""How many squares hold something: mean, standard deviation, limits."""
PYRAMID_SHARE = 0.4
"""The share of pyramids in what is no ship."""
STONES_TOGETHER = (0.43, 0.45, 0.1, 0.02)
"""How often there are one, two, three and four stones on a square."""
CROWDED, CROWDED_MOST, CROWDED_PYRAMIDS = 0.4, 80, 0.7
"""The share of squares that hold something in a crowd, how many at most, and the share of pyramids there."""
SHIP_AWAY = 0.25
"""How often a position as in the reference scenes lacks the ship of one of its players: of 30 stills 7 do."""
FLEET = 0.2
"""The share of ships in what a fleet's squares hold, beside a crowd's own."""
MORE_SHIPS = 10
"""How many ships more than in a game stand on boards that are rendered for their walls."""
HIDING_TOGETHER = (0.4, 0.4, 0.2)
"""How often there are none, one and two stones on the squares round ships that are to hide them."""
USUAL_DIM = 0.1
"""How dim an evening is at most (`light.Light`)."""


def usual_sizes(rng: Generator, square_mm: float) -> PieceSizes:
    """The game's pieces; smaller only on squares that are too small for them."""
    factor = min(1.0, 0.87 * square_mm / BASE_MM)
    return replace(
        PieceSizes.draw(rng, square_mm),
        base=BASE_MM * factor,
        step=STEP_MM * factor,
        floor=FLOOR_MM,
        ship_radius=14.3 * factor,
        ship_height=SHIP_MM,
        stone_side=13.0,
        stone_height=4.5,
        ship_wall=float(rng.uniform(1.2, 1.8)),
        ship_bottom=float(rng.uniform(1.0, 2.5)),
    )


def usual_position(
    rng: Generator, board: Board, many: float = MANY, most: int = MOST, pyramids: float = PYRAMID_SHARE
) -> dict[Square, Piece]:
    """What stands on each square in the middle of a game of two to five, if so many squares hold something on average
    and at most, and such a share of what is no ship are pyramids."""
    squares = sorted(board.squares)
    count = int(np.clip(rng.normal(many, SPREAD), FEWEST, most))
    ships = int(rng.integers(2, 6))
    colours = [str(name) for name in rng.permutation(COLOURS)[: max(ships, int(rng.integers(2, 6)))]]
    pieces: list[Piece] = [Ship(colour) for colour in colours[:ships]]
    for _ in range(max(1, count - ships)):
        if rng.random() < pyramids:
            pieces.append(draw_pyramid(rng, colours))
        else:
            stones = min(int(rng.choice([1, 2, 3, 4], p=STONES_TOGETHER)), len(colours))
            pieces.append(draw_stones(rng, colours, stones))
    taken: dict[Square, Piece] = {}
    for piece in pieces:
        # Anywhere: in the reference scenes pieces stand beside others no more often than by chance.
        taken[draw_square(rng, squares, taken, 0.0)] = piece
    return taken


def supplied_position(rng: Generator, board: Board) -> dict[Square, Piece]:
    """The same of no more pieces than players have (SETUP-2)."""
    pyramids = {colour: [n for n, many in enumerate(PYRAMIDS, 1) for _ in range(many)] for colour in COLOURS}
    stones = dict.fromkeys(COLOURS, STONES)
    supplied: dict[Square, Piece] = {}
    for name, piece in usual_position(rng, board).items():
        match piece:
            case Ship():
                supplied[name] = piece
            case Pyramid(colour, _) if pyramids[colour]:
                supplied[name] = Pyramid(colour, pyramids[colour].pop(int(rng.integers(len(pyramids[colour])))))
            case Stones(colours) if left := tuple(colour for colour in colours if stones[colour]):
                supplied[name] = Stones(left)
                for colour in left:
                    stones[colour] -= 1
    return supplied


def played_position(rng: Generator, board: Board) -> dict[Square, Piece]:
    """The same with a ship of each player that has pieces there, as in a game; or of all but one (``SHIP_AWAY``)."""
    supplied = supplied_position(rng, board)
    each = [piece.colours if isinstance(piece, Stones) else (piece.colour,) for piece in supplied.values()]
    players = sorted(set(chain.from_iterable(each)))
    away = Ship(str(rng.choice(players))) if rng.random() < SHIP_AWAY else None
    pieces = {name: piece for name, piece in supplied.items() if piece != away}
    for ship in map(Ship, players):
        if ship != away and ship not in pieces.values():
            pieces[draw_square(rng, sorted(board.squares), pieces, 0.0)] = ship
    return pieces


def more_ships(rng: Generator, board: Board) -> dict[Square, Piece]:
    """A supplied position with some ships more, of any colours: to learn from, in the palettes' own light."""
    pieces = supplied_position(rng, board)
    free = [name for name in sorted(board.squares) if name not in pieces]
    for name in rng.permutation(free)[:MORE_SHIPS]:
        pieces[str(name)] = Ship(str(rng.choice(COLOURS)))
    return pieces


def crowd(rng: Generator, board: Board, pyramids: float = CROWDED_PYRAMIDS) -> dict[Square, Piece]:
    """The same with three times as many pieces."""
    return usual_position(rng, board, CROWDED * len(board.squares), CROWDED_MOST, pyramids)


def fleet(rng: Generator, board: Board) -> dict[Square, Piece]:
    """A crowd with ships in place of some pieces, more than one of a colour: ships before and behind all sorts."""
    pieces = crowd(rng, board)
    ships = rng.choice(list(pieces), int(FLEET * len(pieces)), replace=False)
    return pieces | {str(name): Ship(str(rng.choice(COLOURS))) for name in ships}


def hiding(rng: Generator, board: Board) -> dict[Square, Piece]:
    """A game's ships, with stones on most squares round each: of many of them but a tip is seen, or nothing."""
    ships: dict[Square, Piece] = {}
    for colour in COLOURS:
        ships[draw_square(rng, sorted(board.squares), ships, 0.0)] = Ship(colour)
    pieces, left = dict(ships), dict.fromkeys(COLOURS, STONES)
    for name in sorted(board.squares):
        many = int(rng.choice([0, 1, 2], p=HIDING_TOGETHER))
        colours = [colour for colour in COLOURS if left[colour]]
        if name not in ships and min(distance(name, ship) for ship in ships) == 1 and 0 < many <= len(colours):
            pieces[name] = stones = draw_stones(rng, colours, many)
            for colour in stones.colours:
                left[colour] -= 1
    return pieces


def usual_sensor(rng: Generator) -> Sensor:
    """A camera that meters each picture, and is in focus."""
    return replace(
        Sensor.draw(rng),
        automatic=True,
        brightness=float(np.exp(rng.normal(0.35, 0.12))),
        noise=float(rng.uniform(0.0002, 0.0006)),
        blur_px=float(rng.choice([0.3, 0.5, 0.7], p=[0.4, 0.4, 0.2])),
        sharpening=float(rng.uniform(0.5, 1.2)),
        saturation=float(rng.uniform(0.9, 1.2)),
    )
