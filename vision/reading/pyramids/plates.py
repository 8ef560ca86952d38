"""The shadow of a ship, on board of a piece's colour, looks like a plate of that colour: a pyramid of one floor."""

from __future__ import annotations

from companion.games.pacal.pieces import COLOURS, Pyramid
from companion.observation import Odds
from companion.squares import Square
from vision.reading.evidence import Scene
from vision.reading.odds import with_told

DOUBTED, SURE = 0.02, 0.98
"""A plate is looked at that is likelier than the first and less likely than the second."""
LIKE, DARK, PRINT, SHADOW = 5.0, 0.6, 0.2, -3.0
"""What fits its colour by less than the first (logarithm of densities) better than board in shadow, is darker than the
empty board by the second (logarithm), and shows so much of the print is a shadow; that speaks against a pyramid by the
last (natural logarithm of odds). Of 1,088 looks at plates on 93 tables, plain, dim, bright and in noise, 45 are doubted
so, none of which is such; of sixteen looks at bare squares that were a plate by more than a tenth all are."""


def without_shadow(scene: Scene, name: Square, odds: Odds) -> Odds:
    """The probabilities of the contents of a square, given what tells a plate that may lie there from a shadow."""
    shadows = {
        content.colour
        for content, p in odds.items()
        if isinstance(content, Pyramid)
        and content.floors == 1
        and DOUBTED < p < SURE
        and _is_shadow(scene, name, content)
    }
    # A shadow is no higher pyramid of its colour either.
    none = [content for content in odds if isinstance(content, Pyramid) and content.colour in shadows]
    return with_told(odds, none, SHADOW) if none else odds


def _is_shadow(scene: Scene, name: Square, plate: Pyramid) -> bool:
    """Whether the middle of a square looks like bare board in shadow, rather than like a plate."""
    index = scene.places.names.index(name)
    rows, columns = (_middle(part) for part in scene.places.window(index))
    if scene.print_left[index] <= PRINT or float(scene.brighter[rows, columns].mean()) >= -DARK:
        return False
    fit = scene.fits[COLOURS.index(plate.colour), rows, columns]
    return float((scene.bare[rows, columns] - fit).mean()) > -LIKE


def _middle(part: slice) -> slice:
    """The middle half of some rows or columns."""
    quarter = (part.stop - part.start) // 4
    return slice(part.start + quarter, part.stop - quarter)
