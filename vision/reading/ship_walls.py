"""Tells ships' colours by their walls, in which the board is mirrored.

The camera looks down along a ship's wall, and the more steeply, the more the wall mirrors what lies beside its foot: a
blue wall on a pink board is purple to the eye. But what lies there is seen too. So for each colour the light of the
wall is taken apart into what a wall of that colour throws back and a share of the board beside it, and the colour is
the likelier the less is left, and the more usual it is for walls of that colour to be as bright.

Source: how much is mirrored at which angle is C. Schlick's approximation of Fresnel's law, An inexpensive BRDF model
for physically-based rendering, 1994.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Piece, Ship
from companion.squares import Square
from vision.appearance import Looks
from vision.frames import Picture
from vision.geometry import Floats
from vision.grid import MM_PER_PX, SHRINK, lean, tilt
from vision.logarithms import Layers, light_of, logarithms
from vision.reading.evidence import Scene, cut, on_canvas
from vision.reading.shapes import SHIP_MM, SHIP_RADIUS_MM, fill, hidden_by_ship, ship_ring
from vision.reading.ship_opening import find_opening

_PX_MM = MM_PER_PX / SHRINK
"""The size of a pixel of the canvas."""
SIDE_PX = 128
"""How much of the canvas is looked at round the middle of a square: as far as the top of a ship may lean."""
_MIDDLE = (SIDE_PX - 1) / 2
RIM_MM, EDGE_MM = 0.6, 1.2
"""So far from the rim, and from the wall's other edges, pixels show something else as well."""
BESIDE_PX = 5
"""The board is never mirrored more sharply than this."""
PARTS, LEAST_PX = 3, 6
"""A wall is looked at in so many parts from its foot up and from side to side, as its bands, neighbours and shadows
concern some of them only; less than so many pixels of it tell nothing."""
MIRRORED, UNLIKE, STRAIGHT_ON = float(np.exp(-1.0)), 0.45, 0.1
"""How much of the board a wall mirrors, as a share of what a polished one would that mirrors as much straight on as the
last number says; and how unlike that walls are (standard deviation of the logarithm)."""
BRIGHT, BRIGHT_COUNTS, UNEVEN = 0.55, 2, 0.9
"""How bright walls are beside pyramids of their colour, whose light comes from above; as how many known ships that
counts; and how unlike walls are (as before)."""
EXPLAINED = 0.003
"""What is left unexplained of the light of a part is never less than this share of it."""
COUNTS = 0.25
"""What the logarithm of what is left unexplained of a part counts in natural logarithms of odds."""
STEEP, SURE_PX = 5.0, 60
"""From known ships that are seen from so nearly above (degrees), or so little of (px), nothing is learned."""
TOP_COUNTS, COMMON_COUNTS = 1.0, 2.0
"""How many known ships it takes until they count as much as what pyramids look like, and how many of one colour until
those count as much as all ships together."""

TRUSTED = -1.0
"""What walls must tell of known ships, on average, for a table to trust them: the logarithm of how likely they make the
right colour. Of the usual ships they tell -0.6 at least; guessing tells -1.6."""

_SHARES = np.exp(UNLIKE * np.linspace(-2, 2, 9)) * MIRRORED
_UNUSUAL = -0.5 * np.linspace(-2, 2, 9) ** 2
_DARK = 0.002
"""Light that is as good as none."""


@dataclass(frozen=True)
class Wall:
    """What is seen of a wall, part by part: its light (the median), and that of the board which it mirrors (both N x 3,
    as in the light of the empty picture), and the cosine of the angle from straight on at which it is seen (N).

    tilt: how far from straight above it is seen, degrees. px: how much of it.
    """

    light: Floats
    beside: Floats
    facing: Floats
    tilt: float
    px: int

    @property
    def mirrors(self) -> Floats:
        """The share of the light beside it that each part throws back, if it were polished."""
        return np.asarray(STRAIGHT_ON + (1 - STRAIGHT_ON) * (1 - self.facing) ** 5, np.float64)


class ShipWalls:
    """Tells the colours of ships on the pictures of one table."""

    def __init__(self, colours: NDArray[np.floating[Any]]) -> None:
        """colours: the light of each colour's walls (5 x 3: blue, green, red), as ``learn_walls`` says. Raises
        ValueError for what that never says."""
        self._colours = np.asarray(colours, np.float64).reshape(len(COLOURS), 3)
        self._trusted = bool((self._colours > 0).all())
        if not (np.isfinite(self._colours).all() and (self._trusted or not self._colours.any())):
            raise ValueError("walls throw back some light of each colour")

    def told(self, scene: Scene, name: Square, stray_mm: Floats) -> Floats | None:
        """How much speaks against each colour of the ship that stands so far (x and y) from the middle of a square:
        natural logarithms of odds, 0 for the likeliest; None when too little can be seen of its wall, or walls are not
        to be trusted."""
        wall = _wall_seen(scene, name, stray_mm) if self._trusted else None
        return None if wall is None else self.told_by(wall)

    def told_by(self, wall: Wall) -> Floats:
        """The same of a wall."""
        own = self._colours[None, :, None]
        mirrored = (_SHARES[:, None, None] * (wall.mirrors[:, None] * wall.beside))[:, None]
        # Shares x colours x parts x 3.
        rest = wall.light - mirrored
        bright = np.maximum((rest * own).sum(axis=-1) / (own * own).sum(axis=-1), 0)
        left = ((rest - bright[..., None] * own) ** 2).sum(axis=-1) / np.maximum((wall.light**2).sum(axis=-1), _DARK**2)
        unusual = 0.5 * (np.log(np.maximum(np.median(bright, axis=-1), _DARK)) / UNEVEN) ** 2
        odds = (-COUNTS * np.log(left + EXPLAINED**2).sum(axis=-1) - unusual + _UNUSUAL[:, None]).max(axis=0)
        return np.asarray(odds - odds.max(), np.float64)


def learn_walls(shown: Sequence[tuple[Scene, Mapping[Square, Piece]]], looks: Looks) -> Floats:
    """The light of each colour's walls (5 x 3), from pictures of known pieces; 0 where they tell too little of these to
    be trusted, as the ships may be of another size.

    They are of the pyramids' colours, but lit from the side, and not by the same lamps.
    """
    walls = [
        (COLOURS.index(piece.colour), wall)
        for scene, pieces in shown
        for name, piece in pieces.items()
        if isinstance(piece, Ship) and (wall := _wall_seen(scene, name, find_opening(scene, name).stray_mm)) is not None
    ]
    colours = _colours_of(walls, looks)
    told = [(ShipWalls(colours).told_by(wall), colour) for colour, wall in walls]
    right = [odds[colour] - np.log(np.exp(odds).sum()) for odds, colour in told]
    return colours if not right or np.mean(right) > TRUSTED else np.zeros_like(colours)


def _colours_of(walls: Sequence[tuple[int, Wall]], looks: Looks) -> Floats:
    """The light of each colour's walls, from walls of known colours."""
    tops: Floats = light_of(looks.means[None, : len(COLOURS)].astype(np.float32))[0].astype(np.float64)
    tops = np.maximum(tops, _DARK)
    usual = np.linalg.norm(tops, axis=1, keepdims=True)
    unlike: dict[int, list[Floats]] = {}
    bright = [np.log(BRIGHT)] * BRIGHT_COUNTS
    for colour, wall in walls:
        if wall.tilt >= STEEP and wall.px >= SURE_PX:
            own = _own(wall)
            unlike.setdefault(colour, []).append(_hue(own) - _hue(tops[colour]))
            bright.append(np.log(np.median(np.linalg.norm(own, axis=1)) + _DARK) - np.log(usual[colour, 0]))
    every = [one for some in unlike.values() for one in some]
    common = np.median(every, axis=0) * len(every) / (len(every) + TOP_COUNTS) if every else 0.0
    found = tops.copy()
    for colour in range(len(COLOURS)):
        some = unlike.get(colour, [])
        more = (np.mean(some, axis=0) - common) * len(some) / (len(some) + COMMON_COUNTS) if some else 0.0
        found[colour] *= np.exp(common + more)
    level = np.exp(np.mean(bright)) * usual / np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(level * found, np.float64)


def _own(wall: Wall) -> Floats:
    """What each part throws back itself, if it mirrors as much as usual."""
    return np.asarray(np.maximum(wall.light - MIRRORED * wall.mirrors[:, None] * wall.beside, 0), np.float64)


def _hue(light: Floats) -> Floats:
    """Logarithms of light (… x 3) apart from how bright it is, in the middle of all that is given."""
    logs = np.log(light + _DARK)
    return np.asarray(np.median((logs - logs.mean(axis=-1, keepdims=True)).reshape(-1, 3), axis=0), np.float64)


def _wall_seen(scene: Scene, name: Square, stray_mm: Floats) -> Wall | None:
    """What is seen of the wall of a ship that stands so far from the middle of a square; None when that is too
    little."""
    middle, eye = scene.about(name)
    eye = eye - (*stray_mm, 0)
    foot = middle + stray_mm / MM_PER_PX
    y, x = np.nonzero(_wall_mask(eye))
    if len(y) < LEAST_PX:
        return None
    straight: Picture = cut(scene.straight, on_canvas(foot), SIDE_PX)
    gain: Layers = cut(scene.gain, foot, SIDE_PX // SHRINK)
    side, height, facing, beside_mm = _on_wall(
        np.asarray((np.column_stack([x, y]) - _MIDDLE) * _PX_MM, np.float64), eye
    )
    # The ship leans away from what it mirrors, so that cannot be far from its foot.
    beside_x, beside_y = np.clip((beside_mm / _PX_MM + _MIDDLE).round().astype(int), 0, SIDE_PX - 1).T
    light = _light(straight, gain, x, y)
    beside = _light(np.asarray(cv2.blur(straight, (BESIDE_PX, BESIDE_PX)), np.uint8), gain, beside_x, beside_y)
    part = _third(height) * PARTS + _third(side)
    order, many = part.argsort(kind="stable"), np.bincount(part)
    many = many[many > 0]
    begins = np.append(0, many.cumsum()[:-1])
    means = np.add.reduceat(np.column_stack([beside, facing])[order], begins) / many[:, None]
    return Wall(
        np.array([np.sort(some, axis=0)[len(some) // 2] for some in np.split(light[order], begins[1:])]),
        means[:, :3],
        means[:, 3],
        tilt(eye),
        len(y),
    )


def _wall_mask(eye: Floats) -> NDArray[np.bool_]:
    """Which pixels round the middle of a ship's foot show its wall."""
    rim = lean(eye, ship_ring((0.0, 0.0), RIM_MM), SHIP_MM)
    return np.asarray((_filled(_px(hidden_by_ship(eye, -EDGE_MM))) > 0) & (_filled(_px(rim)) == 0))


def _px(points_mm: Floats) -> Floats:
    return np.asarray(points_mm / _PX_MM + _MIDDLE, np.float64)


def _filled(outline_px: Floats) -> NDArray[np.uint8]:
    shape = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    fill(shape, outline_px)
    return shape


def _on_wall(seen_mm: Floats, eye: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """For places of the board plane (N x 2 mm from the middle of a ship's foot) where its wall is seen: how far to the
    side and how high on the wall that is (N each), the cosine of the angle from straight on (N), and which place of the
    board is mirrored there (N x 2)."""
    ray = seen_mm - eye[:2]
    long = (ray**2).sum(axis=1)
    # Where the ray from the eye first is as far from the ship's axis as its wall.
    half = ray @ eye[:2]
    before = np.maximum(half**2 - long * (eye[:2] @ eye[:2] - SHIP_RADIUS_MM**2), 0)
    share = (-half - np.sqrt(before)) / long
    height = (1 - share) * eye[2]
    foot = eye[:2] + share[:, None] * ray
    normal = foot / SHIP_RADIUS_MM
    length = np.sqrt(long + eye[2] ** 2)
    facing = -(ray * normal).sum(axis=1)
    mirrored = ray + 2 * facing[:, None] * normal
    beside = foot + mirrored * (height / eye[2])[:, None]
    side = normal @ np.array([-eye[1], eye[0]]) / max(float(np.hypot(eye[0], eye[1])), 1e-6)
    return side, height, np.clip(facing / length, 0, 1), beside


def _light(straight: Picture, gain: Layers, x: NDArray[np.intp], y: NDArray[np.intp]) -> Floats:
    """The light (N x 3) of some pixels, as in the light of the empty picture."""
    logs = logarithms(straight[y, x][None]) - gain[y // SHRINK, x // SHRINK][None]
    return np.asarray(light_of(logs)[0], np.float64)


def _third(values: Floats) -> NDArray[np.intp]:
    """Which of so many equally large parts each value is in."""
    return values.argsort().argsort() * PARTS // len(values)
