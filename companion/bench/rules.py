"""How fast the rules are, beside a chess library that lists the moves of middle-game positions in the same run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import linear_regression, median
from typing import Any

from companion import games
from companion.bench.positions import POSITIONS, positions
from companion.errors import StartError

ROUNDS = 9
"""Each call is timed so often, and the median counts."""

GOAL_EXPLAIN = 0.02
"""Seconds that explaining a whole turn may take, median."""

CHESS_SEED = 1
CHESS_PLIES = range(20, 61)


@dataclass(frozen=True)
class Listing:
    """One listing of legal actions: how long it took, in seconds, and how many it listed."""

    seconds: float
    actions: int


@dataclass(frozen=True)
class Figures:
    """What was measured of one game, one entry a position, in seconds. listings: by the phase of the turn."""

    listings: dict[str, list[Listing]]
    apply: list[float]
    explain: list[float]


def measure(name: str) -> Figures:
    """The figures of one game's rules, on its fixed positions."""
    game = games.get(name)
    by_phase = positions(name)
    found = [position for some in by_phase.values() for position in some]
    return Figures(
        {
            phase: [Listing(_seconds(partial(game.legal, one.state)), len(game.legal(one.state))) for one in some]
            for phase, some in by_phase.items()
        },
        [_seconds(partial(game.apply, position.state, position.action)) for position in found],
        [_seconds(partial(game.explain, position.turn_start, position.seen, position.presses)) for position in found],
    )


def measure_chess() -> list[Listing]:
    """How long python-chess takes to list the legal moves of middle-game positions, always the same.

    Raises StartError when it is not installed: it is there for developers only.
    """
    try:
        import chess
    except ImportError:
        raise StartError(
            "python-chess, which the rules are compared with, is not installed: pip install chess"
        ) from None
    chance = random.Random(CHESS_SEED)
    boards: list[chess.Board] = []
    while len(boards) < POSITIONS:
        board = chess.Board()
        for _ in range(chance.choice(CHESS_PLIES)):
            if board.is_game_over():
                break
            board.push(chance.choice(list(board.legal_moves)))
        if not board.is_game_over():
            boards.append(board)
    return [Listing(_seconds(partial(list, board.legal_moves)), board.legal_moves.count()) for board in boards]


def report(figures: dict[str, Figures], chess: list[Listing]) -> Iterator[str]:
    """A table for people: listings beside python-chess, and the medians and worst of apply and explain.

    A listing has a part that does not grow with the number of actions. So each is compared with what python-chess takes
    for as many: by a straight line through its own positions.
    """
    slope, base = linear_regression([one.actions for one in chess], [one.seconds for one in chess])
    heads = f"{'positions':>10}{'actions':>9}{'median':>9}{'an action':>12}{'python-chess, as many':>24}{'ratio':>8}"
    yield f"{'listing':<18}{heads}"
    rows = {"python-chess": chess}
    rows |= {f"{name}, {phase}": some for name, one in figures.items() for phase, some in one.listings.items()}
    for name, some in rows.items():
        theirs = [base + slope * one.actions for one in some]
        ratio = median(one.seconds / other for one, other in zip(some, theirs, strict=True))
        taken, each = median(one.seconds for one in some), median(one.seconds / one.actions for one in some)
        yield (
            f"{name:<18}{len(some):>10}{median(one.actions for one in some):>9g}{_us(taken):>9}{each * 1e6:>9.2f} us"
            f"{_us(median(theirs)):>24}{ratio:>8.2f}"
        )
    yield ""
    yield f"{'':<18}{'apply':>10}{'worst':>11}{'explain':>13}{'worst':>11}"
    for name, one in figures.items():
        times = (median(one.apply), max(one.apply), median(one.explain), max(one.explain))
        yield f"{name:<18}{_us(times[0]):>10}{_us(times[1]):>11}{_us(times[2]):>13}{_us(times[3]):>11}"
    yield f"goals: ratio at most 1 in the phases fly, build and turn; explain at most {GOAL_EXPLAIN * 1e3:g} ms"


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} us"


def _seconds(call: Callable[[], Any]) -> float:
    """The median time of a call."""
    taken = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begin)
    return median(taken)
