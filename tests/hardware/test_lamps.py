"""Lamps and buzzer on simulated pins."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from gpiozero import PinInvalidState
from gpiozero.pins.mock import MockFactory, MockPin

from companion.errors import HardwareError
from hardware.lamps import Lamps
from hardware.profile import Profile, read_profile


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    default = (Path(__file__).parents[2] / "hardware" / "pins.toml").read_text(encoding="utf-8")
    path = tmp_path / "pins.toml"
    path.write_text("buzzer = 25\n" + default + "\n[lamps]\nred = 17\ngreen = 22\n", encoding="utf-8")
    return read_profile(path)


@pytest.fixture
def pins() -> Any:
    return MockFactory()


def test_exactly_the_named_lamps_are_lit(profile: Profile, pins: Any) -> None:
    lamps = Lamps(profile, pins)
    for names, expected in (({"red"}, (1, 0)), ({"red", "green"}, (1, 1)), ({"green"}, (0, 1)), (set(), (0, 0))):
        lamps.show(names)
        assert (pins.pin(17).state, pins.pin(22).state) == expected
    lamps.close()


def test_a_colour_without_a_lamp_is_no_trouble(profile: Profile, pins: Any) -> None:
    lamps = Lamps(profile, pins)
    lamps.show({"blue", "red"})
    assert pins.pin(17).state == 1
    lamps.close()


def test_the_buzzer_sounds_for_a_while_and_falls_silent(profile: Profile, pins: Any) -> None:
    lamps = Lamps(profile, pins)
    changes = pins.pin(25).states
    before = len(changes)
    lamps.buzz(0.01)
    deadline = time.monotonic() + 20
    while len(changes) < before + 2 and time.monotonic() < deadline:
        time.sleep(0.005)
    assert [change.state for change in changes[before:]] == [True, False]
    lamps.close()


def test_a_profile_without_lamps_and_buzzer_can_be_shown_and_sounded(pins: Any) -> None:
    lamps = Lamps(read_profile(), pins)
    lamps.show({"red"})
    lamps.buzz()
    lamps.close()
    assert pins.pins == {}


def test_closing_gives_the_pins_back_once(profile: Profile, pins: Any) -> None:
    lamps = Lamps(profile, pins)
    lamps.close()
    again = Lamps(profile, pins)
    again.show({"red"})
    lamps.close()
    assert pins.pin(17).state == 1
    again.close()


def test_a_pin_in_use_is_an_error_that_names_it_and_leaves_nothing_behind(profile: Profile, pins: Any) -> None:
    first = Lamps(Profile(buttons=profile.buttons, buzzer=22), pins)
    with pytest.raises(HardwareError, match="the green lamp cannot have pin 22"):
        Lamps(profile, pins)
    first.close()
    Lamps(profile, pins).close()


def fails(pin: MockPin, *_: Any) -> None:
    raise PinInvalidState(f"{pin!r} fails")


def test_a_lamp_that_fails_while_it_is_used_is_an_error_that_names_it(
    profile: Profile, pins: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lamps = Lamps(profile, pins)
    monkeypatch.setattr(MockPin, "_set_state", fails)
    with pytest.raises(HardwareError, match="the red lamp does not answer"):
        lamps.show({"red"})
    with pytest.raises(HardwareError, match="the buzzer does not answer"):
        lamps.buzz()


def test_a_lamp_that_fails_to_go_out_keeps_no_other_from_it(
    profile: Profile, pins: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lamps = Lamps(profile, pins)
    closed: list[str] = []

    def close(pin: MockPin) -> None:
        if pin.info.name not in closed:
            closed.append(pin.info.name)
            fails(pin)

    monkeypatch.setattr(MockPin, "close", close)
    lamps.close()
    assert closed == ["GPIO17", "GPIO22", "GPIO25"]
