"""Filmed turns, in the format of the shared scenes: a hand moves a ship, drops a stone, may build, and leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import bpy
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.observation import squares_to_json
from companion.squares import Square
from training.rendering.arms import Arm, draw_arm, put_moving
from training.rendering.light import change_light, put_light
from training.rendering.placing import Standing, draw_pyramid, draw_stones, stand
from training.rendering.scene import blurred
from training.rendering.studio import Studio, take_away
from training.rendering.things import put_die, put_supplies

Floats = NDArray[np.float64]

FPS = 4
EXPOSED = 1 / 30
"""Seconds for which a picture is exposed."""

BUILT = 0.5
"""How often something is built in a turn."""

COVERED = 0.5
"""How often stones come to light under the ship."""

_LIFTED_MM = 70.0
"""How high a piece is carried."""

_SEEN_MM = (50.0, 170.0)
"""How far a hand is in the picture that just comes in or goes out."""


@dataclass(frozen=True)
class Moment:
    """What one picture shows. hand: what it holds, or would, is there (x, y, height in mm); carried: that is this.

    under: what ships stand on, which nobody sees.
    """

    squares: Mapping[Square, Piece]
    placed: tuple[Standing, ...]
    hand: Floats | None = None
    carried: Standing | None = None
    under: Mapping[Square, Piece] = field(default_factory=dict)


def film(rng: Generator, studio: Studio, name: str) -> None:
    """Film a turn into a folder of the set-up's."""
    (studio.folder / name).mkdir()
    light = change_light(rng, studio.light, studio.middle, studio.camera.pose.eye.tolist())
    room_beside = list(studio.beside.taken)
    die, made = put_die(rng, studio.beside, studio.camera)
    made += put_supplies(rng, studio.beside, studio.pieces)
    made += put_light(light, studio.middle, studio.room)
    arm = draw_arm(rng, studio.middle)
    moments = None
    while moments is None:
        moments = _draw_turn(rng, studio, arm)
    blurred(True)
    shown: dict[Standing, list[bpy.types.Object]] = {}
    frames = []
    for at, moment in enumerate(moments):
        file = f"{at:03}"
        # What stands there stays the same piece: two of a sort are a little different.
        for one in shown.keys() - set(moment.placed):
            take_away(shown.pop(one))
        shown |= {one: studio.pieces.put(one, "piece") for one in moment.placed if one not in shown}
        held = []
        if moment.hand is None:
            arm.hide()
        else:
            place, high, way = moment.hand[:2], float(moment.hand[2]), _way(moments, at)
            arm.reach(place, high, way)
            if moment.carried is not None:
                held = studio.pieces.put(moment.carried, "held")
                foot = max(0.0, high - moment.carried.height(studio.pieces.sizes))
                for part in held:
                    put_moving(part, place, moment.carried.turn, foot, way)
        studio.shoot(rng, f"{name}/{file}", studio.camera, light)
        take_away(held)
        frame: dict[str, Any] = {"file": f"{file}.jpg", "t": at / FPS, "hand": moment.hand is not None}
        frame["squares"] = squares_to_json(moment.squares)
        frames.append(frame | ({"under_ships": squares_to_json(moment.under)} if moment.under else {}))
    blurred(False)
    take_away([*made, *arm.solids, *chain.from_iterable(shown.values())])
    studio.beside.taken = room_beside
    truth = {
        "fps": FPS,
        "die": die,
        "conditions": {"bumped": False, "light": light.words},
        "frames": frames,
        "before": frames[0]["squares"],
        "after": frames[-1]["squares"],
    }
    studio.write_truth(f"{name}/turn", truth)


def _way(moments: list[Moment], at: int) -> Floats:
    """How far the hand moves while a picture is taken, x and y in mm."""
    near = [one.hand for one in moments[max(at - 1, 0) : at + 2] if one.hand is not None]
    return np.asarray((near[-1] - near[0])[:2] / max(len(near) - 1, 1) * FPS * EXPOSED)


def _draw_turn(rng: Generator, studio: Studio, arm: Arm) -> list[Moment] | None:
    """A turn, picture by picture; None when pieces found no room."""
    board, sizes = studio.board, studio.pieces.sizes
    before = studio.draw_position(rng, board)
    ships = [name for name, piece in before.items() if isinstance(piece, Ship)]
    free = [name for name in sorted(board.squares) if name not in before]
    if not ships or len(free) < 2:
        return None
    start, goal = str(rng.choice(ships)), str(rng.choice(free))
    colours = sorted({piece.colour for piece in before.values() if isinstance(piece, Ship)})
    ship = before[start]
    assert isinstance(ship, Ship)
    under: dict[Square, Piece] = {}
    if rng.random() < COVERED:
        under[start] = draw_stones(rng, colours, int(rng.integers(1, min(3, len(colours) + 1))))
    placed = stand(rng, board, sizes, {**before, goal: ship}, studio.turned)
    below = stand(rng, board, sizes, under, studio.turned)
    if placed is None or below is None:
        return None
    moved = next(one for one in placed if one.square == goal)
    lifted = next(one for one in placed if one.square == start)
    rest = tuple(one for one in placed if one.square not in (start, goal))
    bare = {name: piece for name, piece in before.items() if name != start}
    after = {**bare, **under, goal: ship}
    top = sizes.ship_height
    one, two = np.array([*lifted.at, top]), np.array([*moved.at, top])
    first = Moment(before, (*rest, lifted), under=under)
    air = Moment({**bare, **under}, (*rest, *below), carried=lifted)
    landed = Moment(after, (*rest, *below, moved))
    stone = Standing("stone", ship.colour, 1, moved.at, float(rng.uniform(0, 6)), goal)
    turn = [
        first,
        replace(first, hand=_edge(rng, studio, arm, one, 0.0)),
        replace(first, hand=one),
        *(replace(air, hand=_above(one + share * (two - one), _LIFTED_MM)) for share in (0.1, 0.55)),
        replace(landed, hand=two),
        replace(landed, hand=_above(two, 45), carried=stone),
    ]
    last, where = landed, two
    stones = [name for name, piece in after.items() if isinstance(piece, Stones)]
    if stones and rng.random() < BUILT:
        building = _build(rng, studio, arm, landed, str(rng.choice(stones)), draw_pyramid(rng, colours))
        if building is None:
            return None
        moments, where = building
        turn += moments
        last = replace(moments[-1], hand=None)
    return [*turn, replace(last, hand=_edge(rng, studio, arm, where, 60.0)), last, last]


def _build(
    rng: Generator, studio: Studio, arm: Arm, landed: Moment, site: Square, pyramid: Pyramid
) -> tuple[list[Moment], Floats] | None:
    """A hand takes the stones of a square away, fetches a pyramid and puts it there; and where that is. None when it
    found no room."""
    built = stand(rng, studio.board, studio.pieces.sizes, {site: pyramid}, studio.turned)
    if built is None:
        return None
    where = np.array([*built[0].at, built[0].height(studio.pieces.sizes)])
    bare = {name: piece for name, piece in landed.squares.items() if name != site}
    cleared = Moment(bare, tuple(one for one in landed.placed if one.square != site))
    moments = [
        replace(landed, hand=_above(where, 10)),
        replace(cleared, hand=_above(where, 50)),
        replace(cleared, hand=_edge(rng, studio, arm, where, 60.0)),
        replace(cleared, hand=_above(where, 60), carried=built[0]),
        Moment({**bare, site: pyramid}, (*cleared.placed, *built), where),
    ]
    return moments, where


def _above(at: Floats, high_mm: float) -> Floats:
    return np.array([at[0], at[1], at[2] + high_mm])


def _edge(rng: Generator, studio: Studio, arm: Arm, to: Floats, higher_mm: float) -> Floats:
    """Where a hand on its way to a place, or back, is just in the picture (x, y, height)."""
    out = arm.shoulder_mm - to[:2]
    out = out / np.linalg.norm(out)
    high = to[2] + higher_mm
    away = 0.0
    while away < 900:
        arm.reach(to[:2] + away * out, float(high), np.zeros(2))
        if not arm.seen(studio.camera):
            break
        away += 20
    at = to[:2] + max(0.0, away - float(rng.uniform(*_SEEN_MM))) * out
    return np.array([*at, high])
