"""The pin profile: which pin of the Pi's header is which button, lamp or buzzer."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import msgspec

from companion.errors import BadConfig
from companion.typed_toml import read_toml

COLOURS = ("red", "yellow", "green", "blue", "purple")
BUTTONS = (*COLOURS, "god", "done", "undo")

FIRST_PIN, LAST_PIN = 2, 27
"""The header's GPIO pins, in BCM numbers."""

RESERVED = MappingProxyType(
    {
        0: "it identifies boards that are plugged onto the header",
        1: "it identifies boards that are plugged onto the header",
        14: "the Pi's serial console uses it",
        15: "the Pi's serial console uses it",
    }
)

Pin: TypeAlias = int


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pin of each button; the button connects it to ground."""

    red: Pin
    yellow: Pin
    green: Pin
    blue: Pin
    purple: Pin
    god: Pin
    done: Pin
    undo: Pin


class Lamps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pin of each player's lamp, None where there is none; the lamp is lit when it is high."""

    red: Pin | None = None
    yellow: Pin | None = None
    green: Pin | None = None
    blue: Pin | None = None
    purple: Pin | None = None


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every pin in use, in BCM numbers."""

    buttons: Buttons
    lamps: Lamps = Lamps()
    buzzer: Pin | None = None

    def button_pins(self) -> dict[str, Pin]:
        """Each button's pin."""
        return {name: getattr(self.buttons, name) for name in BUTTONS}

    def lamp_pins(self) -> dict[str, Pin]:
        """The pin of each lamp that there is."""
        pins = {name: getattr(self.lamps, name) for name in COLOURS}
        return {name: pin for name, pin in pins.items() if pin is not None}


def read_profile(path: Path | None = None) -> Profile:
    """The pin profile of a TOML file; without one the default wiring, ``pins.toml`` beside this module.

    Raises BadConfig for an unknown or missing name, a pin that the header does not have, one that is reserved, and one
    that is used twice.
    """
    if path is None:
        with resources.as_file(resources.files("hardware") / "pins.toml") as default:
            return _checked(read_toml(default, Profile), default)
    return _checked(read_toml(path, Profile), path)


def _checked(profile: Profile, path: Path) -> Profile:
    users: dict[Pin, str] = {}
    for key, pin in _keys(profile):
        if pin in RESERVED:
            raise BadConfig(f"{path}: {key}: pin {pin} is reserved, {RESERVED[pin]}; please choose another")
        if not FIRST_PIN <= pin <= LAST_PIN:
            raise BadConfig(
                f"{path}: {key}: the header has the pins {FIRST_PIN} to {LAST_PIN} (BCM numbers), there is no pin {pin}"
            )
        if pin in users:
            raise BadConfig(f"{path}: {key}: pin {pin} is already that of {users[pin]}; each needs its own")
        users[pin] = key
    return profile


def _keys(profile: Profile) -> list[tuple[str, Pin]]:
    keys = [(f"buttons.{name}", pin) for name, pin in profile.button_pins().items()]
    keys += [(f"lamps.{name}", pin) for name, pin in profile.lamp_pins().items()]
    if profile.buzzer is not None:
        keys.append(("buzzer", profile.buzzer))
    return keys
