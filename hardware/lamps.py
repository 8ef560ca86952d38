"""Lamps in the players' buttons, and a buzzer: both optional."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.errors import HardwareError
from hardware.pins import answering, buzzer_output, lamp_output
from hardware.profile import Profile

if TYPE_CHECKING:
    from gpiozero import LED, Buzzer


class Lamps:
    """The lamps and the buzzer of a pin profile; those that it does not name are simply not there.

    pin_factory: gpiozero's, that of the console. Raises HardwareError when a pin cannot be had.
    """

    def __init__(self, profile: Profile, pin_factory: Any) -> None:
        self._lamps: dict[str, LED] = {}
        self._buzzer: Buzzer | None = None
        try:
            for name, pin in profile.lamp_pins().items():
                self._lamps[name] = lamp_output(pin, pin_factory, _lamp(name))
            if profile.buzzer is not None:
                self._buzzer = buzzer_output(profile.buzzer, pin_factory)
        except HardwareError:
            self.close()
            raise

    def show(self, names: Collection[str]) -> None:
        """Light the lamps of these colours and no others. Raises HardwareError when one does not answer."""
        for name, lamp in self._lamps.items():
            with answering(_lamp(name)):
                lamp.value = name in names

    def buzz(self, seconds: float = 0.1) -> None:
        """Sound the buzzer; returns at once. Raises HardwareError when it does not answer."""
        if self._buzzer is not None:
            with answering("the buzzer"):
                # It beeps on a thread of its own, where nobody would see that its pin fails.
                self._buzzer.off()
                self._buzzer.beep(on_time=seconds, n=1)

    def close(self) -> None:
        """Turn everything off and give the pins back."""
        for device in (*self._lamps.values(), *([self._buzzer] if self._buzzer else [])):
            # One that does not answer keeps no other from going out, and nothing from ending.
            with suppress(HardwareError), answering("a lamp or the buzzer"):
                device.close()


def _lamp(name: str) -> str:
    return f"the {name} lamp"
