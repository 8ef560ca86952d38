"""The Pi camera's adapter against a stand-in that is as strict as picamera2 itself.

The stand-in has those methods of ``picamera2.Picamera2`` 0.3.38 that exist for this purpose, with the signatures of its
source; anything else fails as it would there. Frames come only as long as ``frames`` lasts.
"""

from __future__ import annotations

import enum
import os
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from companion.errors import HardwareError
from hardware.camera import LIGHT_PICTURES, PiCamera, cameras, connected

STREAM_KEYS = {"format", "size", "stride", "preserve_ar"}
CONTROLS = {"FrameDurationLimits", "ExposureTime", "AnalogueGain", "ColourGains", "AeEnable", "AwbEnable"}
AUTOFOCUS_CONTROLS = {"AfMode", "LensPosition"}
MODES = {(1536, 864): (3072, 1728), (2304, 1296): (4608, 2592), (4608, 2592): (4608, 2592)}
"""The sizes in which a Camera Module 3's sensor is read, and how many of its pixels are seen then (imx708.c)."""


class AfModeEnum(enum.Enum):
    Manual = 0
    Auto = 1
    Continuous = 2


class Picamera2:
    connected: ClassVar[list[dict[str, Any]]]
    supported: ClassVar[set[str]]
    opened: ClassVar[list[Picamera2]]
    frames: ClassVar[float]
    start_error: ClassVar[Exception | None]
    close_waits_for: ClassVar[threading.Event | None]

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return Picamera2.connected

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        self.notifyme_r, self.notifyme_w = os.pipe2(os.O_NONBLOCK)
        self.notifymeread = os.fdopen(self.notifyme_r, "rb")
        self.is_open: bool = False
        if camera_num >= len(self.connected):
            raise RuntimeError(f'No camera number {camera_num} found - use "rpicam-hello --list-cameras" to check')
        if any(camera.is_open for camera in self.opened):
            busy = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from busy
        self.is_open = True
        self.started = False
        self.waiting = 0
        self.configuration: dict[str, Any] = {}
        self.controls: dict[str, Any] = {}
        self.opened.append(self)

    @property
    def sensor_resolution(self) -> tuple[int, int]:
        return max(MODES)

    @property
    def seen(self) -> tuple[int, int]:
        """How many pixels of the sensor are in the picture: the mode next to the raw stream's size is taken."""
        width, height = self.configuration["raw"].get("size", self.configuration["main"]["size"])
        return MODES[min(MODES, key=lambda mode: abs(mode[0] - width) + abs(mode[1] - height))]

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return dict.fromkeys(self.supported, (0, 1, None))

    def create_video_configuration(
        self,
        main: dict[str, Any] = {},  # noqa: B006
        lores: Any = None,
        raw: Any = {},  # noqa: B006
        transform: Any = None,
        colour_space: Any = None,
        buffer_count: int = 6,
        controls: dict[str, Any] = {},  # noqa: B006
        display: str | None = "main",
        encode: str | None = "main",
        queue: bool = True,
        sensor: Any = {},  # noqa: B006
        use_case: str = "video",
    ) -> dict[str, Any]:
        for key in main:
            if key not in STREAM_KEYS:
                raise ValueError(f"Bad key {key!r}: valid stream configuration keys are {STREAM_KEYS}")
        for key in raw:
            if key not in STREAM_KEYS:
                raise ValueError(f"Bad key {key!r}: valid stream configuration keys are {STREAM_KEYS}")
        return {"main": main, "raw": raw, "buffer_count": buffer_count, "controls": controls, "queue": queue}

    def configure(self, camera_config: dict[str, Any] | None = None) -> None:
        assert camera_config is not None
        self.configuration = camera_config
        self.set_controls(camera_config["controls"])

    def start(self, config: Any = None, show_preview: bool = False) -> None:
        if self.start_error is not None:
            raise self.start_error
        self.started = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name, value in controls.items():
            if name not in self.supported:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            self.controls[name] = value

    def capture_array(self, name: str = "main", wait: Any = None, signal_function: Any = None) -> Any:
        width, height = self.configuration[name]["size"]
        self._next(wait)
        # The order of the bytes in memory, by the name of the format.
        colour = {"RGB888": (255, 0, 0), "BGR888": (0, 0, 255)}[self.configuration[name]["format"]]
        return np.full((height, width, 3), colour, np.uint8)

    def capture_metadata(self, wait: Any = None, signal_function: Any = None) -> dict[str, Any]:
        self._next(wait)
        return {"ExposureTime": 20_000, "AnalogueGain": 2.5, "ColourGains": (1.5, 2.0), "Lux": 300.0}

    def cancel_all_and_flush(self) -> None:
        self.waiting = 0

    def close(self) -> None:
        if self.close_waits_for is not None:
            self.close_waits_for.wait()
        if self.waiting:
            raise AssertionError("closing would wait for ever behind a job that is still waiting for a frame")
        self.is_open = self.started = False

    def _next(self, wait: Any) -> None:
        assert self.started
        if Picamera2.frames < 0:
            raise CancelledError
        if Picamera2.frames < 1:
            assert isinstance(wait, float), "without a timeout this would wait for ever"
            self.waiting += 1
            raise TimeoutError
        Picamera2.frames -= 1


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Pi with one Camera Module 3 that delivers as many frames as it is asked for."""
    picamera2, libcamera = ModuleType("picamera2"), ModuleType("libcamera")
    picamera2.Picamera2 = Picamera2  # type: ignore[attr-defined]
    libcamera.controls = SimpleNamespace(AfModeEnum=AfModeEnum)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", picamera2)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    Picamera2.connected = [{"Model": "imx708", "Location": 2, "Rotation": 180, "Id": "/base/soc/i2c0mux", "Num": 0}]
    Picamera2.supported = CONTROLS | AUTOFOCUS_CONTROLS
    Picamera2.opened = []
    Picamera2.frames = float("inf")
    Picamera2.start_error = None
    Picamera2.close_waits_for = None
    yield
    for camera in Picamera2.opened:
        camera.notifymeread.close()
        os.close(camera.notifyme_w)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_picture_is_blue_green_red_in_the_size_asked_for() -> None:
    camera = PiCamera((1280, 720))
    picture = camera.capture()
    assert picture.shape == (720, 1280, 3)
    assert picture.dtype == np.uint8
    assert picture[0, 0].tolist() == [255, 0, 0]
    camera.close()


@pytest.mark.parametrize("size", [(1280, 720), (1536, 864), (2304, 1296), (2560, 1440), (4608, 2592)])
def test_all_that_the_lens_shows_is_in_the_picture(size: tuple[int, int]) -> None:
    PiCamera(size)
    assert Picamera2.opened[0].seen == (4608, 2592)


def test_no_more_of_the_sensor_is_read_than_the_pictures_need() -> None:
    PiCamera((1536, 864))
    assert Picamera2.opened[0].configuration["raw"]["size"] == (2304, 1296)


def test_no_picture_is_older_than_the_question() -> None:
    PiCamera()
    assert Picamera2.opened[0].configuration["queue"] is False


def test_the_frame_rate_is_a_frame_duration() -> None:
    PiCamera(fps=10)
    assert Picamera2.opened[0].controls["FrameDurationLimits"] == (100_000, 100_000)


def test_autofocus_goes_on_unless_the_distance_is_given() -> None:
    PiCamera().close()
    assert Picamera2.opened[0].controls["AfMode"] is AfModeEnum.Continuous
    PiCamera(focus_mm=500)
    assert Picamera2.opened[1].controls["AfMode"] is AfModeEnum.Manual
    assert Picamera2.opened[1].controls["LensPosition"] == 2.0


def test_a_camera_without_autofocus_is_left_alone() -> None:
    Picamera2.supported = CONTROLS
    PiCamera(focus_mm=500)
    assert set(Picamera2.opened[0].controls) == {"FrameDurationLimits"}


def test_light_is_held_once_it_has_come_to_rest() -> None:
    camera = PiCamera(hold_light=True)
    controls = Picamera2.opened[0].controls
    for _ in range(LIGHT_PICTURES - 1):
        camera.capture()
    assert "ExposureTime" not in controls
    camera.capture()
    assert (controls["ExposureTime"], controls["AnalogueGain"], controls["ColourGains"]) == (20_000, 2.5, (1.5, 2.0))
    assert "AeEnable" not in controls


def test_light_is_left_alone_unless_it_is_to_be_held() -> None:
    camera = PiCamera()
    for _ in range(LIGHT_PICTURES + 1):
        camera.capture()
    assert "ExposureTime" not in Picamera2.opened[0].controls


def test_light_that_is_held_is_still_held_after_the_camera_came_back() -> None:
    camera = PiCamera(hold_light=True)
    for _ in range(LIGHT_PICTURES):
        camera.capture()
    Picamera2.frames = 0
    with pytest.raises(HardwareError):
        camera.capture()
    Picamera2.frames = 1
    camera.capture()
    assert Picamera2.opened[1].controls["ExposureTime"] == 20_000


def test_a_camera_that_stops_sending_is_an_error_and_comes_back_with_the_next_call() -> None:
    camera = PiCamera(timeout=0.5)
    camera.capture()
    Picamera2.frames = 0
    with pytest.raises(HardwareError, match=r"has sent no picture for 0\.5 seconds: check that its cable"):
        camera.capture()
    assert not Picamera2.opened[0].is_open
    Picamera2.connected = []
    with pytest.raises(HardwareError, match="no camera could be opened"):
        camera.capture()
    Picamera2.connected = [{"Model": "imx708"}]
    Picamera2.frames = 1
    assert camera.capture().shape == (864, 1536, 3)


def test_a_camera_that_hangs_while_closing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.camera.CLOSE_S", 0.05)
    Picamera2.close_waits_for = threading.Event()
    camera = PiCamera()
    started = time.monotonic()
    camera.close()
    assert time.monotonic() - started < 20
    assert Picamera2.opened[0].is_open
    Picamera2.close_waits_for.set()


def test_a_camera_that_is_closed_meanwhile_is_an_error() -> None:
    camera = PiCamera()
    Picamera2.frames = -1
    with pytest.raises(HardwareError, match="closed while it was taking a picture"):
        camera.capture()


def test_no_camera_says_what_to_check() -> None:
    Picamera2.connected = []
    with pytest.raises(HardwareError, match=r"no camera could be opened .*rpicam-hello --list-cameras"):
        PiCamera()
    assert cameras() == []
    with pytest.raises(HardwareError, match=r"no camera is connected: .*rpicam-hello --list-cameras"):
        connected()


def test_a_camera_that_is_in_use_says_so_and_blames_no_cable() -> None:
    PiCamera()
    with pytest.raises(HardwareError, match=r"could be opened \(.*resource busy\): .*systemctl stop companion") as told:
        PiCamera()
    assert "cable" not in str(told.value)


@pytest.mark.parametrize("why", ["none is there", "it is in use"])
def test_a_camera_that_is_tried_all_evening_leaves_no_files_open(why: str) -> None:
    if why == "none is there":
        Picamera2.connected = []
    else:
        PiCamera()
    before = open_files()
    for _ in range(20):
        with pytest.raises(HardwareError):
            PiCamera()
    assert open_files() == before


def test_a_camera_that_does_not_start_is_closed_again() -> None:
    Picamera2.start_error = RuntimeError("Failed to start camera")
    with pytest.raises(HardwareError, match=r"does not start with \(1536, 864\) pixels \(Failed to start camera\)"):
        PiCamera()
    assert not Picamera2.opened[0].is_open


def test_closing_twice_is_no_trouble() -> None:
    camera = PiCamera()
    camera.close()
    camera.close()
    assert not Picamera2.opened[0].is_open


def test_the_connected_cameras_are_listed_by_model() -> None:
    assert cameras() == connected() == ["imx708"]


def test_a_camera_system_that_does_not_answer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> list[dict[str, Any]]:
        raise RuntimeError("Failed to start camera manager")

    monkeypatch.setattr(Picamera2, "global_camera_info", staticmethod(fail))
    with pytest.raises(HardwareError, match=r"does not answer \(Failed to start camera manager\)"):
        cameras()


def test_a_computer_without_the_library_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(HardwareError, match=r"camera library is missing .*install python3-picamera2"):
        PiCamera()
