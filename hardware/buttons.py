"""The console: a button for each ship's colour, for the god stone, done and undo.

What a press is, is decided here and not by GPIO libraries, which differ in it. A button connects its pin to ground, so
a press is a falling edge. It counts when the pin had been quiet before: edges that follow each other sooner than
``BOUNCE_S`` are one contact that bounces. Holding a button down does nothing more. A button held for ``STUCK_S`` is
reported once as stuck and then ignored until it comes up. Edges that the system lost are made good by looking at the
pins now and then; a press that was over before anyone looked stays lost, because nothing proves that it was one.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.errors import HardwareError
from hardware.pins import button_input, open_pins
from hardware.profile import Profile

if TYPE_CHECKING:
    from gpiozero import InputDevice

BOUNCE_S = 0.03
STUCK_S = 10.0
LOOK_S = 0.1
"""How often the pins are looked at besides their edges."""

MAX_AGE_S = 2.0
"""An edge that seems older than this has its time from another clock."""

STOP_S = 2.0


@dataclass
class Contact:
    """One button's contact, told of its pin's levels with the time of each in seconds.

    down: what the contact is believed to be. since: when it last changed. stuck: it was held for too long and has not
    been up for ``BOUNCE_S`` since.
    """

    down: bool
    since: float
    stuck: bool = False

    def edge(self, down: bool, t: float) -> bool:
        """Take an edge in; True when it is a press.

        A falling edge while the contact was believed to be down is one too: the rising edge before it was lost.
        """
        self._unstick(t)
        quiet = t - self.since >= BOUNCE_S
        self.down, self.since = down, t
        return down and quiet and not self.stuck

    def look(self, down: bool, t: float) -> bool:
        """Take in what the pin is at, edge or no edge; True when it is a press that no edge told of."""
        if down != self.down:
            return self.edge(down, t)
        self._unstick(t)
        return False

    def gets_stuck(self, t: float) -> bool:
        """True once, when the contact has been down for STUCK_S."""
        if not self.down or self.stuck or t - self.since < STUCK_S:
            return False
        self.stuck = True
        return True

    def _unstick(self, t: float) -> None:
        if not self.down and t - self.since >= BOUNCE_S:
            self.stuck = False


class Console:
    """The buttons of a pin profile, watched until it is closed.

    on_press: called with the button's name and the clock's time in seconds, from GPIO's thread: it must only hand over.
    clock: seconds that never run backwards, ``time.monotonic`` in life. pin_factory: gpiozero's; None opens the Pi's
    own, and closes it again. on_stuck: called once with the name of a button that has been down for STUCK_S.
    look_every: seconds between two looks at the pins; None leaves it to the caller to call ``look``.
    Raises HardwareError when there are no pins or they cannot be had.
    """

    def __init__(
        self,
        profile: Profile,
        on_press: Callable[[str, float], None],
        clock: Callable[[], float],
        pin_factory: Any = None,
        *,
        on_stuck: Callable[[str], None] = lambda name: None,
        look_every: float | None = LOOK_S,
    ) -> None:
        self._buttons: dict[str, _Button] = {}
        self._on_stuck = on_stuck
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._owns_pins = pin_factory is None
        self.pin_factory = open_pins() if pin_factory is None else pin_factory
        try:
            for name, pin in profile.button_pins().items():
                device = button_input(pin, self.pin_factory, f"the {name} button")
                self._buttons[name] = _Button(name, device, on_press, clock)
        except HardwareError:
            self.close()
            raise
        if look_every is not None:
            self._thread = threading.Thread(target=self._look_on, args=(look_every,), name="console", daemon=True)
            self._thread.start()

    @property
    def stuck(self) -> frozenset[str]:
        """The buttons that are stuck now."""
        return frozenset(name for name, button in self._buttons.items() if button.contact.stuck)

    def look(self) -> None:
        """Look at each pin: make lost edges good and notice buttons that are stuck."""
        for name, button in self._buttons.items():
            if button.look():
                self._on_stuck(name)

    def close(self) -> None:
        """Stop watching and give all pins back. Raises HardwareError when the thread does not end in STOP_S seconds."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(STOP_S)
            if self._thread.is_alive():
                raise HardwareError(f"the console's thread did not end within {STOP_S:g} seconds")
        for button in self._buttons.values():
            button.close()
        self._buttons = {}
        if self._owns_pins:
            self.pin_factory.close()

    def _look_on(self, every: float) -> None:
        while not self._stop.wait(every):
            self.look()


class _Button:
    """A contact on a pin."""

    def __init__(
        self, name: str, device: InputDevice, on_press: Callable[[str, float], None], clock: Callable[[], float]
    ) -> None:
        self._name = name
        self._device = device
        self._on_press = on_press
        self._clock = clock
        self._lock = threading.Lock()
        # Down from the start is no press: nobody saw it go down. Up from the start has been up for long.
        down = bool(device.is_active)
        self.contact = Contact(down, clock() if down else -math.inf)
        device.pin.edges = "both"
        # gpiozero's own Button swallows a press whose release was lost, so the edges are taken from the pin itself.
        # The pin holds its callback weakly; the console keeps this object.
        device.pin.when_changed = self._changed

    def look(self) -> bool:
        """Look at the pin; True when the button has just got stuck."""
        with self._lock:
            t = self._clock()
            pressed = self.contact.look(bool(self._device.is_active), t)
            stuck = self.contact.gets_stuck(t)
        if pressed:
            self._on_press(self._name, t)
        return stuck

    def close(self) -> None:
        self._device.pin.when_changed = None
        self._device.close()

    def _changed(self, ticks: float, level: int) -> None:
        # Edges may be told late and together when the computer is busy; their own times tell them apart. Where the
        # ticks' origin is not the factory's (kernels before 5.7), the time of the telling has to do.
        age = self._device.pin_factory.ticks_diff(self._device.pin_factory.ticks(), ticks)
        with self._lock:
            t = self._clock() - (age if 0 <= age < MAX_AGE_S else 0)
            pressed = self.contact.edge(not level, t)
        if pressed:
            self._on_press(self._name, t)
