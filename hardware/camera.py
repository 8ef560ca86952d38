"""The Pi's camera through picamera2 (written against 0.3.38; 0.3.19 or newer has all that is used)."""

from __future__ import annotations

import contextlib
import os
import threading
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

from companion.errors import HardwareError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CLOSE_S = 2.0

LIGHT_PICTURES = 30
"""After this many pictures the automatics for exposure and white balance have come to rest."""

_CHECK = (
    "check that its cable sits right at both ends, with the Pi switched off (it looks for cameras when it starts), "
    "that the user is in the group video, and that `rpicam-hello --list-cameras` finds it"
)
_BUSY = (
    "something is still using it; stop that first (the table's service: `sudo systemctl stop companion`), or start the "
    "Pi anew"
)
_LIGHT = ("ExposureTime", "AnalogueGain", "ColourGains")


class PiCamera:
    """Pictures from a camera at the Pi.

    size: width and height of the pictures in px, 16:9 for what current cameras see. fps: pictures a second; one that is
    asked for comes within 1 / fps seconds. focus_mm: distance from lens to table for a camera with autofocus; None lets
    it focus by itself all the time. hold_light: once LIGHT_PICTURES were taken, keep exposure and white balance as they
    are, so that a hand over the board changes neither. timeout: seconds that a picture may take to come. number: which
    camera, as ``cameras()`` lists them.
    Raises HardwareError when there is no camera or it does not start.
    """

    def __init__(
        self,
        size: tuple[int, int] = (1536, 864),
        *,
        fps: float = 15.0,
        focus_mm: float | None = None,
        hold_light: bool = False,
        timeout: float = 2.0,
        number: int = 0,
    ) -> None:
        self._size = size
        self._frame_us = round(1_000_000 / fps)
        self._focus_mm = focus_mm
        self._timeout = timeout
        self._number = number
        self._hold_light = hold_light
        self._taken = 0
        self._light: dict[str, Any] = {}
        self._camera: Any = self._open()

    def capture(self) -> NDArray[np.uint8]:
        """The next picture: height x width x 3, BGR, uint8.

        Raises HardwareError when none comes within ``timeout`` seconds. The camera is closed then, and the next call
        opens it again: a cable that was put back brings it back.
        """
        camera = self._camera
        if camera is None:
            camera = self._camera = self._open()
        try:
            picture: NDArray[np.uint8] = camera.capture_array("main", wait=self._timeout)
            self._taken += 1
            if self._hold_light and self._taken == LIGHT_PICTURES:
                self._keep_light(camera)
        except TimeoutError:
            self.close()
            raise HardwareError(f"the camera has sent no picture for {self._timeout:g} seconds: {_CHECK}") from None
        except CancelledError:
            raise HardwareError("the camera was closed while it was taking a picture") from None
        except (RuntimeError, OSError) as error:
            self.close()
            raise HardwareError(f"the camera does not work any more ({error}): {_CHECK}") from None
        return picture

    def _keep_light(self, camera: Any) -> None:
        metadata = camera.capture_metadata(wait=self._timeout)
        # Giving the values switches the automatics off. Switching these off as well makes libcamera keep other, older
        # values (https://github.com/raspberrypi/picamera2/issues/933).
        self._light = {name: metadata[name] for name in _LIGHT if name in metadata}
        camera.set_controls(self._light)

    def close(self) -> None:
        """Give the camera back, within CLOSE_S seconds even when it hangs."""
        camera, self._camera = self._camera, None
        if camera is not None:
            closing = threading.Thread(target=_shut, args=(camera,), name="camera closing", daemon=True)
            closing.start()
            closing.join(CLOSE_S)

    def _open(self) -> Any:
        picamera2 = _library()
        # Made and opened apart: what could not be opened has to be tidied up too.
        camera = picamera2.Picamera2.__new__(picamera2.Picamera2)
        try:
            camera.__init__(self._number)
        except (RuntimeError, IndexError, OSError) as error:
            _close_pipe(camera)
            reason = _first_cause(error)
            advice = _BUSY if "resource busy" in reason else _CHECK
            raise HardwareError(f"no camera could be opened ({reason}): {advice}") from None
        try:
            camera.configure(
                camera.create_video_configuration(
                    # picamera2 names formats by their bits from high to low: in memory this is B, G, R.
                    main={"format": "RGB888", "size": self._size},
                    raw={"size": self._whole_sensor(camera)},
                    buffer_count=4,
                    controls={"FrameDurationLimits": (self._frame_us, self._frame_us)}
                    | self._focus(camera)
                    | self._light,
                    display=None,
                    encode=None,
                    # No picture is kept for later: one that is asked for is always newer than the question.
                    queue=False,
                )
            )
            camera.start()
        except (RuntimeError, ValueError, OSError) as error:
            _shut(camera)
            raise HardwareError(f"the camera does not start with {self._size} pixels ({error}): {_CHECK}") from None
        return camera

    def _whole_sensor(self, camera: Any) -> tuple[int, int]:
        """The size of a mode of the sensor that has all of the lens's picture.

        When none is asked for, picamera2 takes the mode next to the pictures' size, and that may be the sensor's middle
        only: with 1536 x 864 two thirds of what a Camera Module 3 sees.
        """
        width, height = camera.sensor_resolution
        if 2 * self._size[0] > width or 2 * self._size[1] > height:
            return width, height
        # Four pixels in one: quicker, less noise, and all sensors made for the Pi that are large enough have it.
        return width // 2, height // 2

    def _focus(self, camera: Any) -> dict[str, Any]:
        if "AfMode" not in camera.camera_controls:
            return {}
        from libcamera import controls

        if self._focus_mm is None:
            return {"AfMode": controls.AfModeEnum.Continuous}
        # The lens takes dioptres: one over the distance in metres.
        return {"AfMode": controls.AfModeEnum.Manual, "LensPosition": 1000 / self._focus_mm}


def connected() -> list[str]:
    """The models of the cameras that are connected. Raises HardwareError when there is none."""
    found = cameras()
    if not found:
        raise HardwareError(f"no camera is connected: {_CHECK}")
    return found


def cameras() -> list[str]:
    """The models of the cameras that are connected, if any.

    Raises HardwareError when the camera system cannot be asked.
    """
    picamera2 = _library()
    try:
        return [str(info["Model"]) for info in picamera2.Picamera2.global_camera_info()]
    except (RuntimeError, OSError) as error:
        raise HardwareError(f"the camera system does not answer ({error}): {_CHECK}") from None


def _shut(camera: Any) -> None:
    # What has timed out still waits in the camera's queue, and closing would wait behind it for ever.
    camera.cancel_all_and_flush()
    # A camera that cannot be given back is lost either way; opening it again will say so.
    with contextlib.suppress(RuntimeError, OSError):
        camera.close()


def _close_pipe(camera: Any) -> None:
    # A camera that could not be opened keeps its pipe's end for writing open (0.3.38 has no line that closes it), and
    # opening is tried again every few seconds: within the hour the table could open no file any more.
    with contextlib.suppress(AttributeError, OSError):
        camera.notifymeread.close()
        os.close(camera.notifyme_w)


def _first_cause(error: BaseException) -> str:
    """What went wrong at first: picamera2 itself only says that the camera's start "did not complete"."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)


def _library() -> Any:
    try:
        import picamera2
    except ImportError as error:
        raise HardwareError(
            f"the camera library is missing ({error}): "
            "on a Raspberry Pi install python3-picamera2, elsewhere play the demo"
        ) from None
    except ValueError as error:
        # What numpy raises when a library beside picamera2 was built against another numpy.
        raise HardwareError(f"picamera2 does not fit the installed numpy ({error}): run `make clean run`") from None
    return picamera2
