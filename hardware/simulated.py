"""The console's twin: simulated pins, moved as a finger would, with faults to switch on.

Everything from the pin on is the real path: a SimulatedConsole has pins, a Console watches them.

    pins = SimulatedConsole(profile)
    console = Console(profile, on_press, clock, pins.factory)
    pins.press("red")
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from companion.errors import HardwareError
from hardware.profile import Profile

PI_4B = "b03115"
"""The board that the simulated pins are of, as the revision code that Raspberry Pi gives it."""


class SimulatedConsole:
    """Buttons to be pressed by a program.

    bounces: how often each contact opens and closes again before it rests. lose_edges: the system tells of no edge at
    all, as when its queue has run over; what the pins are at can still be seen. sleep: how to let a press take its
    time, ``time.sleep`` in life.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        bounces: int = 0,
        lose_edges: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        from gpiozero.pins.mock import MockFactory

        self.factory = MockFactory(PI_4B)
        # The pins tell of an edge within the call that makes it, so it is always new, whatever clock is in use.
        self.factory.ticks_diff = lambda later, earlier: 0.0
        self.bounces = bounces
        self.lose_edges = lose_edges
        self._sleep = sleep
        self._pins = {name: self.factory.pin(pin) for name, pin in profile.button_pins().items()}

    def press(self, name: str, seconds: float = 0.12) -> None:
        """Press a button and let it go. Raises HardwareError for a button that there is not."""
        self.hold(name)
        self._sleep(seconds)
        self.release(name)

    def hold(self, name: str) -> None:
        """Press a button down and keep it there: a stuck button, when nobody releases it."""
        self._move(name, down=True)

    def release(self, name: str) -> None:
        """Let a button go."""
        self._move(name, down=False)

    def _move(self, name: str, *, down: bool) -> None:
        pin = self._pins.get(name)
        if pin is None:
            raise HardwareError(f"there is no button {name!r} on the console, but {', '.join(self._pins)}")
        for _ in range(self.bounces):
            self._drive(pin, down)
            self._drive(pin, not down)
        self._drive(pin, down)

    def _drive(self, pin: Any, down: bool) -> None:
        pin.edges = "none" if self.lose_edges else "both"
        if down:
            pin.drive_low()
        else:
            pin.drive_high()
