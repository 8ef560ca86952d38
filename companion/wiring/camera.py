"""The Pi's camera, with the settings of a table."""

from __future__ import annotations

from companion.config import Camera
from hardware.camera import PiCamera


def open_camera(eye: Camera) -> PiCamera:
    """The camera above a table; to be closed. Raises HardwareError when it cannot be had."""
    return PiCamera(
        eye.size, focus_mm=eye.focus_mm, hold_light=eye.hold_light, timeout=eye.timeout_s, number=eye.number
    )
