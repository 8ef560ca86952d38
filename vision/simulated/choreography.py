"""What simulated hands do, as timed waypoints: they come in, carry pieces about, and leave the picture."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.boards import Board
from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.squares import Square
from vision.reading.shapes import FLOOR_MM
from vision.simulated.hand import HandPose
from vision.simulated.scene import SceneState, Standing
from vision.simulated.shapes import SHIP_HEIGHT_MM
from vision.simulated.view import View

COME_SECONDS = 0.6
CARRY_SECONDS = 0.5
LOWER_SECONDS = 0.25
TRAVEL_MM = 75.0
"""How high the finger tips are above the board on their way: what hangs from them clears ships."""


class Waypoint(NamedTuple):
    """Where the finger tips are at a time, in seconds and board mm; between waypoints they move smoothly.

    carries: what hangs from them from then on. leaves: what is on squares from then on.
    """

    t: float
    at_mm: tuple[float, float]
    height_mm: float = TRAVEL_MM
    carries: Piece | None = None
    leaves: tuple[tuple[Square, Standing], ...] = ()


class Visit(NamedTuple):
    """The hand comes to a square and leaves it like this; ``carries`` is the ship in the hand afterwards."""

    square: Square
    leaves: Standing
    carries: Ship | None = None


@dataclass(frozen=True)
class Choreography:
    """A scene and a hand's way through it; the hand is seen from the first waypoint to the last.

    start: the scene before; waypoints: at least two, ordered by time; arm_deg: see ``HandPose``.
    """

    start: SceneState
    waypoints: tuple[Waypoint, ...]
    arm_deg: float = 270.0

    @property
    def ends(self) -> float:
        """When the hand has left the picture, in seconds."""
        return self.waypoints[-1].t

    def at(self, t: float) -> SceneState:
        """The scene at a time."""
        passed = bisect_right(self.waypoints, t, key=lambda waypoint: waypoint.t)
        scene = self.start
        for waypoint in self.waypoints[:passed]:
            for square, standing in waypoint.leaves:
                scene = scene.placed(square, standing)
        if not 0 < passed < len(self.waypoints):
            return scene
        return replace(scene, hands=(*scene.hands, self._hand(t, *self.waypoints[passed - 1 : passed + 1])))

    def _hand(self, t: float, last: Waypoint, coming: Waypoint) -> HandPose:
        share = (t - last.t) / max(coming.t - last.t, 1e-9)
        share = share * share * (3 - 2 * share)
        x, y, height = (
            a + (b - a) * share
            for a, b in zip((*last.at_mm, last.height_mm), (*coming.at_mm, coming.height_mm), strict=True)
        )
        return HandPose((x, y), height, self.arm_deg, last.carries)


def reach(
    start: SceneState, visits: Sequence[Visit], t: float, board: Board, view: View, arm_deg: float = 270.0
) -> Choreography:
    """A hand that comes in from outside the picture at time t, visits squares one after the other, and leaves.

    What it brings to a square that it leaves with more than before, it carries on its way there.
    """
    if not visits:
        raise ValueError("a hand needs at least one square to visit")
    outside = beyond(view, board.centre_mm(visits[0].square), arm_deg)
    scene = start
    held = _brought(scene, visits[0], None)
    waypoints = [Waypoint(t, outside, TRAVEL_MM, held)]
    now = t + COME_SECONDS
    for number, visit in enumerate(visits):
        place = board.centre_mm(visit.square)
        waypoints.append(Waypoint(now, place, TRAVEL_MM, held))
        low = max(_height(held), _height(visit.carries), 8.0)
        scene = scene.placed(visit.square, visit.leaves)
        following = visits[number + 1] if number + 1 < len(visits) else None
        held = _brought(scene, following, visit.carries) if following else visit.carries
        now += LOWER_SECONDS
        # A ship that was lifted is in the hand at once; what is fetched from a supply only appears once it is up.
        waypoints.append(Waypoint(now, place, low, visit.carries, ((visit.square, visit.leaves),)))
        now += LOWER_SECONDS
        waypoints.append(Waypoint(now, place, TRAVEL_MM, held))
        now += CARRY_SECONDS
    outside = beyond(view, board.centre_mm(visits[-1].square), arm_deg)
    waypoints.append(Waypoint(now - CARRY_SECONDS + COME_SECONDS, outside, TRAVEL_MM))
    return Choreography(start, tuple(waypoints), arm_deg)


def beyond(view: View, at_mm: tuple[float, float], arm_deg: float) -> tuple[float, float]:
    """The nearest place in the arm's direction from which no finger reaches into the picture."""
    margin = 0.08 * view.size[0]
    for far in range(0, 3000, 20):
        x = at_mm[0] + far * math.cos(math.radians(arm_deg))
        y = at_mm[1] - far * math.sin(math.radians(arm_deg))
        px, py = view.project([(x, y, TRAVEL_MM)])[0]
        if not (-margin <= px < view.size[0] + margin and -margin <= py < view.size[1] + margin):
            break
    return x, y


def _brought(scene: SceneState, visit: Visit, in_hand: Ship | None) -> Piece | None:
    """What a hand carries on its way to a visit."""
    if in_hand is not None:
        return in_hand
    before = scene.squares.get(visit.square, Standing())
    if visit.leaves.ship not in (None, before.ship):
        return visit.leaves.ship
    if visit.leaves.pyramid not in (None, before.pyramid):
        return visit.leaves.pyramid
    for colour in visit.leaves.stones:
        if visit.leaves.stones.count(colour) > before.stones.count(colour):
            return Stones((colour,))
    return None


def _height(piece: Piece | None) -> float:
    match piece:
        case Ship():
            return SHIP_HEIGHT_MM
        case Pyramid(_, floors):
            return floors * FLOOR_MM
    return 0.0
