"""Counting terraces on the palettes of the set-up that stands here: pictures of known pieces, 1152 px wide."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

import vision.reading.pyramids.terraces
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid, squares_from_json
from companion.squares import Square
from vision.frames import Picture
from vision.light.appearance import Looks
from vision.measuring.changes import brightness, noise
from vision.reading.crops import Asked
from vision.reading.evidence import Scene
from vision.reading.pyramids import fit as pyramid_fit
from vision.reading.pyramids.fit import Patch, Stand
from vision.reading.pyramids.terraces import MOST, TerraceCounter, learn_size
from vision.reading.shapes import PyramidSize
from vision.teaching.setup_folder import Palette, Setup

ANY = np.zeros((25, MAX_FLOORS))
"""No number of floors is likelier than another."""


@pytest.fixture(scope="module")
def counter(looks: Looks) -> TerraceCounter:
    found = TerraceCounter.of(looks, 1.0)
    assert found is not None
    return found


def pyramids(palette: Palette) -> dict[Square, Pyramid]:
    pieces = squares_from_json(palette.squares)
    return {name: piece for name, piece in pieces.items() if isinstance(piece, Pyramid)}


def asked(there: dict[Square, Pyramid]) -> list[Asked]:
    return [(name, COLOURS.index(piece.colour)) for name, piece in there.items()]


@pytest.mark.parametrize(
    "change", [None, partial(noise, seed=1), partial(brightness, factor=0.5)], ids=["as it is", "noise", "dim"]
)
def test_most_pyramids_are_counted_by_their_terraces_alone(
    look: Callable[[Picture], Scene],
    setup: Setup,
    counter: TerraceCounter,
    change: Callable[[Picture], Picture] | None,
) -> None:
    right: list[bool] = []
    for palette in setup.palettes:
        there = pyramids(palette)
        found = counter.count(
            look(change(palette.picture) if change else palette.picture), asked(there), ANY[: len(there)]
        )
        right += (found.argmax(axis=1) + 1 == [piece.floors for piece in there.values()]).tolist()
    assert len(right) == 25
    assert sum(right) > 16


def test_the_likeliest_number_has_0_and_no_other_less_than_most(
    look: Callable[[Picture], Scene], setup: Setup, counter: TerraceCounter
) -> None:
    scene, there = look(setup.palettes[0].picture), pyramids(setup.palettes[0])
    found = counter.count(scene, asked(there), ANY[: len(there)])
    assert found.shape == (len(there), MAX_FLOORS)
    assert found.max(axis=1).tolist() == [0.0] * len(there)
    assert found.min() == -MOST
    assert counter.count(scene, [], ANY[:0]).shape == (0, MAX_FLOORS)


def test_only_numbers_that_may_still_be_the_likeliest_are_looked_at_closely(
    look: Callable[[Picture], Scene], setup: Setup, counter: TerraceCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = set()

    def close_look(patch: Patch, size: PyramidSize, floors: int, stand: Stand) -> float:
        looked.add(floors)
        return 0.0

    monkeypatch.setattr(pyramid_fit, "_close_look", close_look)
    scene, there = look(setup.palettes[0].picture), pyramids(setup.palettes[0])
    counter.count(scene, asked(there), np.tile([-9.0, -0.7, -0.7, -9.0, -9.0], (len(there), 1)))
    assert looked == {2, 3}


def test_a_channel_that_is_burnt_out_does_not_count(looks: Looks, counter: TerraceCounter) -> None:
    """Of a blue piece all that is seen is in green and red then; white pieces have nothing better."""
    blue, seen = COLOURS.index("blue"), np.full((84, 84, 3), 100, np.float32)
    plain = counter.channels(seen, blue)[0]
    assert plain[0] > plain[1] > 0
    seen[..., 0] = 255
    burnt = counter.channels(seen, blue)[0]
    assert burnt[0] == 0
    assert burnt[1] / burnt[2] == pytest.approx(plain[1] / plain[2])
    assert counter.channels(np.full_like(seen, 255), blue)[0] == pytest.approx(plain)


def test_pyramids_have_the_usual_size_or_are_not_counted_by_their_terraces(
    look: Callable[[Picture], Scene], setup: Setup, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(piece: Pyramid) -> Pyramid:
        return Pyramid(piece.colour, MAX_FLOORS + 1 - piece.floors)

    monkeypatch.setattr(vision.reading.pyramids.terraces, "TRUSTED_USUAL", -1.0)
    shown = [(look(palette.picture), pyramids(palette)) for palette in setup.palettes]
    assert learn_size(shown, looks) == 1.0
    others = [(scene, {name: other(piece) for name, piece in there.items()}) for scene, there in shown]
    assert learn_size(others, looks) == 0.0
    assert TerraceCounter.of(looks, 0.0) is None


def test_pyramids_of_another_size_are_counted_only_if_that_tells_more(
    looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may have other proportions too."""
    tells = {1.0: -0.8, 1.05: -1.0}
    monkeypatch.setattr(
        vision.reading.pyramids.terraces, "_told", lambda *given: np.full(50, tells.get(given[-1], -1.5))
    )
    assert learn_size([], looks) == 1.0
    tells[1.0] = -1.2
    tells[1.05] = -0.8
    assert learn_size([], looks) == 0.0
    tells[1.05] = -0.6
    assert learn_size([], looks) == 1.05
