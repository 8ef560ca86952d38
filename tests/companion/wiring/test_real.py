"""The real table's parts where some are not there."""

from __future__ import annotations

import contextlib
from typing import Any, ClassVar

import pytest

from companion.config import Camera
from companion.errors import HardwareError
from companion.wiring import camera as wiring_camera
from companion.wiring import real
from companion.wiring.real import _LateCamera, _open_pins, _Signals
from hardware.profile import read_profile


class PiCamera:
    """Stands in for the Pi's camera; plugged: whether it is there."""

    plugged: ClassVar[bool] = False
    closed: ClassVar[int] = 0

    def __init__(self, size: tuple[int, int], **settings: Any) -> None:
        if not PiCamera.plugged:
            raise HardwareError("no camera could be opened")
        self.size = size

    def capture(self) -> tuple[int, int]:
        return self.size

    def close(self) -> None:
        PiCamera.closed += 1


def test_a_camera_that_is_missing_at_the_start_is_there_once_its_cable_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring_camera, "PiCamera", PiCamera)
    camera = _LateCamera(Camera(width=1280, height=720))
    for _ in range(2):
        with pytest.raises(HardwareError, match="no camera could be opened"):
            camera.capture()
    camera.close()
    monkeypatch.setattr(PiCamera, "plugged", True)
    picture: Any = camera.capture()
    assert picture == (1280, 720)
    camera.close()
    assert PiCamera.closed == 1


class Console:
    """Stands in for the buttons of a Pi."""

    pin_factory = None

    def __init__(self, *_: Any) -> None:
        self.closed = False

    def close(self) -> None:
        self.closed = True


def gone(*_: Any) -> Any:
    raise HardwareError("the pins cannot be used")


@pytest.mark.parametrize(
    ("part", "says"), [("Console", "the table's buttons do not work: the pins"), ("Lamps", "the lamps do not work")]
)
def test_buttons_or_lamps_that_cannot_be_had_are_said_once_and_done_without(
    monkeypatch: pytest.MonkeyPatch, part: str, says: str
) -> None:
    monkeypatch.setattr(real, "Console", Console)
    monkeypatch.setattr(real, part, gone)
    said: list[str] = []
    with contextlib.ExitStack() as opened:
        assert _open_pins(read_profile(), lambda button, t: None, said.append, opened) is None
    (sentence,) = said
    assert sentence.startswith(says)


class Lamps:
    """Stands in for lamps and a buzzer; broken: whether they fail."""

    def __init__(self) -> None:
        self.lit: list[list[str]] = []
        self.buzzes = 0
        self.broken = self.closed = False

    def show(self, names: list[str]) -> None:
        if self.broken:
            raise HardwareError("the red lamp does not answer")
        self.lit.append(names)

    def buzz(self) -> None:
        self.buzzes += 1

    def close(self) -> None:
        self.closed = True


def at(to_act: str | None, kind: str = "ready") -> Any:
    return {"to_act": to_act, "status": {"kind": kind}}


def test_lamps_follow_the_game_and_the_buzzer_sounds_once_a_doubt() -> None:
    lamps: Any = Lamps()
    signals = _Signals(lamps, pytest.fail)
    for snapshot in (at("red"), at("red", "doubt"), at("red", "doubt"), at(None), at("blue", "doubt")):
        signals.show(snapshot)
    assert lamps.lit == [["red"], ["red"], ["red"], [], ["blue"]]
    assert lamps.buzzes == 2


def test_lamps_that_fail_are_said_once_and_done_without() -> None:
    lamps: Any = Lamps()
    said: list[str] = []
    signals = _Signals(lamps, said.append)
    signals.show(at("red"))
    lamps.broken = True
    signals.show(at("blue"))
    signals.show(at("red"))
    assert lamps.lit == [["red"]]
    assert lamps.closed
    (sentence,) = said
    assert sentence.startswith("the lamps do not work any more: the red lamp does not answer")
