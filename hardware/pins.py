"""The Pi's pins through gpiozero, with a pin factory that is always passed and never gpiozero's class-wide default."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import HardwareError

if TYPE_CHECKING:
    from gpiozero import LED, Buzzer, InputDevice


MODEL_FILE = Path("/proc/device-tree/model")


def pi_model() -> str | None:
    """Which Raspberry Pi this is ("Raspberry Pi 5 Model B Rev 1.0"), None when it is another computer."""
    try:
        model = MODEL_FILE.read_text(encoding="utf-8").strip("\0\n")
    except (OSError, ValueError):
        return None
    return model if "Raspberry Pi" in model else None


def open_pins() -> Any:
    """The pin factory of the Pi that this runs on; ``close()`` gives all its pins back.

    One is enough: closing any of them resets the pins of all. Raises HardwareError when there are no pins, saying what
    to do.
    """
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise HardwareError(
            f"the GPIO library is missing ({error}): on a Raspberry Pi install python3-lgpio, elsewhere play the demo"
        ) from None
    except OSError as error:
        raise HardwareError(
            f"the GPIO library cannot start ({error}): it makes a pipe in the folder in which it is started; "
            "start in one that can be written to"
        ) from None
    try:
        return LGPIOFactory()
    except _errors() as error:
        raise HardwareError(
            f"the GPIO pins cannot be used ({error}): they need a Raspberry Pi, and a user in the group gpio"
        ) from None


def button_input(pin: int, pin_factory: Any, what: str) -> InputDevice:
    """The input of a button that connects a BCM pin to ground. Raises HardwareError when the pin cannot be had."""
    from gpiozero import InputDevice

    with _having(what, pin):
        return InputDevice(pin, pull_up=True, pin_factory=pin_factory)


def lamp_output(pin: int, pin_factory: Any, what: str) -> LED:
    """A lamp that is lit when its BCM pin is high. Raises HardwareError when the pin cannot be had."""
    from gpiozero import LED

    with _having(what, pin):
        return LED(pin, pin_factory=pin_factory)


def buzzer_output(pin: int, pin_factory: Any) -> Buzzer:
    """A buzzer that sounds while its BCM pin is high. Raises HardwareError when the pin cannot be had."""
    from gpiozero import Buzzer

    with _having("the buzzer", pin):
        return Buzzer(pin, pin_factory=pin_factory)


@contextmanager
def answering(what: str) -> Iterator[None]:
    """Use pins that were had. Raises HardwareError when they fail, saying what does not answer."""
    try:
        yield
    except _errors() as error:
        raise HardwareError(f"{what} does not answer ({error})") from None


@contextmanager
def _having(what: str, pin: int) -> Iterator[None]:
    try:
        yield
    except _errors() as error:
        raise HardwareError(f"{what} cannot have pin {pin} ({error}): is another program using it?") from None


def _errors() -> tuple[type[Exception], ...]:
    """What gpiozero lets through of itself, the system and lgpio, whose error has no base but Exception."""
    from gpiozero import GPIOZeroError

    try:
        from lgpio import error
    except ImportError:
        return GPIOZeroError, OSError
    return GPIOZeroError, OSError, error
