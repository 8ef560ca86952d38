"""What a ship hides: it is so tall that a stone on the square behind it may not be seen at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import Stones
from companion.observation import Content, Odds, likeliest
from companion.squares import Square
from vision.grid import MM_PER_PX, READ_PX_PER_MM
from vision.reading.evidence import Scene
from vision.reading.odds import SETS, colours_of, stones_of
from vision.reading.places import on_canvas
from vision.reading.shapes import fill, hidden_by_ship
from vision.reading.ships.opening import Openings

BEHIND_SHIP = 0.2
"""How likely stones lie on a square that looks bare and is all behind ships; on others as much less as they would be
seen (``all_hidden``). Of 291 such squares of which ships hide 0.3 to 0.7 two held one, of 35 with more six."""
MORE_BEHIND, MOST_BEHIND = 1.4, 0.6
"""How likely a further stone lies on a square that shows some, for the square of the share that ships hide, and at
most: on half of the squares with stones there are more than one. Of stones laid by chance a further one is unseen on
4 % of the squares of which ships hide a quarter, on 30 % where nearly half, on 65 % where three quarters."""
LEAST_UNSEEN = 1e-3
"""What is less likely unseen than this is not listed."""


def behind_ships(scene: Scene, ships: Collection[Square]) -> dict[Square, float]:
    """How much of each square other than the ships' own they hide from the camera, those left out that are all seen."""
    names = scene.places.names
    hidden = np.zeros(scene.bare.shape, np.uint8)
    for name in ships:
        middle, eye = scene.about(name)
        # The outline's own pixels are filled too: half a pixel more than what is hidden.
        fill(hidden, middle + hidden_by_ship(eye, -MM_PER_PX / 2) / MM_PER_PX)
    shares = scene.places.sums(hidden) / scene.places.areas
    return {names[index]: float(shares[index]) for index in np.flatnonzero(shares) if names[index] not in ships}


def hidden_pixels(openings: Openings, ships: Iterable[Square]) -> NDArray[np.uint8]:
    """1 for each pixel of the straightened picture on which ships hide the board, else 0: each ship where it stands on
    its square, as its opening tells."""
    scene = openings.scene
    hidden = np.zeros(scene.straight.shape[:2], np.uint8)
    for name in ships:
        middle, eye = scene.about(name)
        stray_mm = openings.of(name).stray_mm
        outline = stray_mm + hidden_by_ship(eye - (*stray_mm, 0))
        fill(hidden, np.asarray(on_canvas(middle) + outline * READ_PX_PER_MM, np.float64))
    return hidden


def doubted(odds: Odds, share: float) -> Odds:
    """The probabilities on a square of which ships hide a share: stones may stand there, or more of them."""
    stone, another = BEHIND_SHIP * all_hidden(share), min(MORE_BEHIND * share**2, MOST_BEHIND)
    return {
        content: p * (1 - stone) if content is None else p * (1 - another) if isinstance(content, Stones) else p
        for content, p in odds.items()
    }


def unseen_contents(
    squares: Mapping[Square, Odds], hidden: Mapping[Square, float]
) -> dict[Square, dict[Content, float]]:
    """Of squares of which ships hide a share, and that look bare or show stones: what else may lie there, with how
    likely it shows no more than that: at least as often, for each further stone."""
    found: dict[Square, dict[Content, float]] = {}
    for name, share in hidden.items():
        shown, unseen = colours_of(likeliest(squares[name])), all_hidden(share)
        if shown is None or unseen < LEAST_UNSEEN:
            continue
        more = [colours for colours in SETS if {*colours} > {*shown}]
        found[name] = {stones_of(colours): unseen ** (len(colours) - len(shown)) for colours in more}
    return found


def all_hidden(share: float) -> float:
    """How likely nothing is seen of the stones on a square of which ships hide a share: so often it is where one to
    four lie by chance. Of one alone no less often."""
    return share**3
