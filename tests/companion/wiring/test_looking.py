"""What the session is told of the frames, also when the camera fails and comes back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.errors import HardwareError
from companion.games.pacal import GAME
from companion.games.pacal.pieces import Pyramid, Stones
from companion.observation import Odds, Reading
from companion.table.outside import Happening, Settled, Watching
from companion.wiring.looking import Looker
from tests.companion.games.pacal.short import PASS, fly, place, roll, stones
from tests.companion.table.under_test import TableUnderTest, reading
from tests.vision.said import Said
from tests.vision.watching.test_watcher import Table, usable
from vision.frames import Frame, Picture
from vision.simulated.scene import Standing
from vision.watching.watcher import Watcher


class Loose:
    """A camera above a table, with a cable that may be loose."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.loose = False

    def read(self) -> Frame:
        self._table.t += 1 / self._table.fps
        if self.loose:
            raise HardwareError("no picture came")
        return Frame(self._table.camera.capture(), self._table.t)

    def close(self) -> None:
        pass


def told(looker: Looker, frames: int) -> list[Happening]:
    return [news for _ in range(frames) for news in looker.look() or ()]


def test_a_camera_that_came_back_is_told_of_and_the_board_read_though_nothing_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.wiring.looking.cover_ships", lambda picture, *_: picture)
    table = Table()
    camera, taught = Loose(table), table.taught
    looker = Looker(camera, table.watcher, taught)

    def kinds(news: list[Happening]) -> list[Any]:
        return [type(one) for one in news]

    assert kinds(told(looker, 8)) == [Watching, Settled, Watching]
    assert told(looker, 8) == []
    camera.loose = True
    with pytest.raises(HardwareError):
        looker.look()
    camera.loose = False
    again = told(looker, 8)
    assert again[0] == Watching("still")
    assert kinds(again) == [Watching, Settled, Watching]


def test_the_frame_after_a_reading_tells_whether_the_board_has_changed_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reading takes a while, and no frame is looked at; a pyramid may be put down, and 'done' pressed, meanwhile."""
    monkeypatch.setattr("companion.wiring.looking.cover_ships", lambda picture, *_: picture)
    table = Table()
    built: list[Standing] = []

    def read(picture: Picture) -> Reading:
        if built:
            table.camera.place("H3", built.pop())
        return usable(picture)

    looker = Looker(Loose(table), Watcher(table.taught, Said(read)), table.taught)
    first = told(looker, 8)
    assert first[0] == first[2] == Watching("still")
    assert isinstance(first[1], Settled)
    table.camera.remove("H3")
    built.append(Standing(pyramid=Pyramid("blue", 3)))
    news = told(looker, 12)
    before, after = (number for number, one in enumerate(news) if isinstance(one, Settled))
    assert news[before + 1] == Watching("moving")
    assert news[after:] == [news[after], Watching("still")]


def test_what_is_in_doubt_on_the_page_is_read_again_until_it_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Red flies off two stones of which one hardly shows: only some pictures of them have it."""
    monkeypatch.setattr("companion.wiring.looking.cover_ships", lambda picture, *_: picture)
    game = TableUnderTest(tmp_path / "journal.db")
    game.new_game("red", "blue")
    game.play(place("F6"), place("G7"), roll(3), fly("F3"), stones("red"), PASS)
    game.play(roll(3), fly("G4"), stones("blue", "red"), PASS, roll(2))
    flown = reading(GAME.visible(game.after(fly("D3"))))
    one, both = Stones(("red",)), Stones(("blue", "red"))

    def leaves(odds: Odds) -> Reading:
        return replace(flown, squares={**flown.squares, "F3": odds})

    pictures = iter([leaves({one: 0.97}), leaves({one: 0.97}), leaves({both: 0.87, one: 0.1})])
    table = Table()
    looker = Looker(Loose(table), Watcher(table.taught, Said(lambda picture: next(pictures))), table.taught)
    statuses: list[str] = []
    for _ in range(20):
        for news in looker.look() or ():
            game.session.handle(news)
        looker.signal(game.snapshot)
        statuses.append(game.status["kind"])
    assert statuses == ["doubt"] * statuses.count("doubt") + ["watching"] * statuses.count("watching")
    assert statuses[0] == "doubt"
    assert game.view["ships"]["red"] == "D3"
    game.journal.close()
