"""What the session is told when the camera fails and comes back."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import HardwareError
from companion.table.outside import Happening, Settled, Watching
from companion.wiring.looking import Looker
from tests.vision.watching.test_watcher import Table
from vision.frames import Frame


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

    assert kinds(told(looker, 8)) == [Watching, Settled]
    assert told(looker, 8) == []
    camera.loose = True
    with pytest.raises(HardwareError):
        looker.look()
    camera.loose = False
    again = told(looker, 8)
    assert again[0] == Watching("still")
    assert kinds(again) == [Watching, Settled]
