from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from companion.selftest.plan import Step
from companion.wiring import camera as wiring_camera
from companion.wiring import selftest
from hardware.camera import LIGHT_PICTURES
from vision.frames import Picture

STEP = Step((), {}, {})


class Camera:
    """Stands in for the Pi's camera: numbers its pictures by their brightness."""

    opened: ClassVar[list[Camera]] = []

    def __init__(self, size: tuple[int, int], **settings: Any) -> None:
        self.size, self.settings, self.taken, self.closed = size, settings, 0, False
        self.opened.append(self)

    def capture(self) -> Picture:
        assert not self.closed
        self.taken += 1
        return np.full((self.size[1], self.size[0], 3), self.taken, np.uint8)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> type[Camera]:
    monkeypatch.setattr(wiring_camera, "PiCamera", Camera)
    monkeypatch.setattr(Camera, "opened", [])
    return Camera


def test_the_camera_is_opened_with_the_tables_settings_and_closed_in_the_end(
    camera: type[Camera], tmp_path: Path
) -> None:
    (tmp_path / "companion.toml").write_text("[camera]\nwidth = 1280\nheight = 720\nhold_light = true\n")
    with selftest.from_camera(tmp_path):
        (opened,) = camera.opened
        assert opened.size == (1280, 720)
        assert opened.settings["hold_light"] is True
        assert not opened.closed
    assert opened.closed


def test_each_step_gets_a_new_picture_after_the_light_has_come_to_rest(camera: type[Camera], tmp_path: Path) -> None:
    with selftest.from_camera(tmp_path) as take:
        pictures = [take(STEP), take(STEP)]
    assert [int(picture[0, 0, 0]) for picture in pictures if picture is not None] == [
        LIGHT_PICTURES + 1,
        LIGHT_PICTURES + 2,
    ]


def test_the_pictures_of_a_folder_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name, shade in (("b.png", 20), ("a.png", 10)):
        cv2.imwrite(str(tmp_path / name), np.full((480, 640, 3), shade, np.uint8))
    take = selftest.from_folder(tmp_path)
    shades = [None if picture is None else int(picture[0, 0, 0]) for picture in (take(STEP), take(STEP), take(STEP))]
    assert shades == [10, 20, None]
