"""Every source of frames keeps the same promises."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import BadPicture
from vision.frames import Picture
from vision.sources import Files, Live, Source, folder

COUNT = 3


def picture(number: int) -> Picture:
    return np.full((360, 640, 3), 40 * (number + 1), np.uint8)


def written(path: Path) -> list[Path]:
    files = [path / f"{number:03d}.png" for number in range(COUNT)]
    for number, file in enumerate(files):
        cv2.imwrite(str(file), picture(number))
    return files


class Ticking:
    """A clock that only moves when somebody waits for it, and a camera that dies after some pictures."""

    def __init__(self) -> None:
        self.now = 10.0
        self.taken = 0
        self.closed = 0

    def capture(self) -> Picture:
        self.taken += 1
        return picture(self.taken - 1)

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def close(self) -> None:
        self.closed += 1


def live(path: Path) -> Source:
    camera = Ticking()
    return Live(camera.capture, lambda: camera.now, 4.0, camera.wait, camera.close)


MAKERS: dict[str, Callable[[Path], Source]] = {
    "files": lambda path: Files(written(path), 4.0),
    "folder": lambda path: (written(path), folder(path, 4.0))[1],
    "live": live,
}


@pytest.fixture(params=MAKERS)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Source:
    return MAKERS[request.param](tmp_path)


def test_frames_come_in_order(source: Source) -> None:
    frames = [source.read() for _ in range(COUNT)]
    assert [int(frame.picture[0, 0, 0]) for frame in frames if frame] == [40, 80, 120]


def test_times_are_a_period_apart(source: Source) -> None:
    times = [frame.t for frame in (source.read() for _ in range(COUNT)) if frame]
    assert np.diff(times) == pytest.approx([0.25, 0.25])


def test_nothing_comes_after_closing(source: Source) -> None:
    source.read()
    source.close()
    source.close()
    assert source.read() is None


@pytest.mark.parametrize("name", ["files", "folder"])
def test_files_end(name: str, tmp_path: Path) -> None:
    recorded = MAKERS[name](tmp_path)
    assert [recorded.read() is None for _ in range(COUNT + 2)] == [False] * COUNT + [True, True]


def test_frames_of_files_are_named(tmp_path: Path) -> None:
    written(tmp_path)
    first = folder(tmp_path).read()
    assert first is not None
    assert first.name == "000.png"


def test_a_folder_is_sorted_and_other_files_in_it_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "turn.json").write_text("{}")
    cv2.imwrite(str(tmp_path / "b.PNG"), picture(1))
    cv2.imwrite(str(tmp_path / "a.png"), picture(0))
    frames = folder(tmp_path)
    assert [frame.name for frame in (frames.read(), frames.read()) if frame] == ["a.png", "b.PNG"]
    assert frames.read() is None


def test_a_broken_frame_is_named_and_the_next_one_still_comes(tmp_path: Path) -> None:
    files = written(tmp_path)
    files[1].write_bytes(b"\xff\xd8 no more of it")
    frames = Files(files)
    frames.read()
    with pytest.raises(BadPicture, match=r"001\.png"):
        frames.read()
    last = frames.read()
    assert last is not None
    assert (last.name, last.t) == ("002.png", 0.5)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match=r"gone\.jpg"):
        Files([tmp_path / "gone.jpg"]).read()


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="no pictures in this folder"):
        folder(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="nowhere"):
        folder(tmp_path / "nowhere")


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="cannot be read"):
        folder(written(tmp_path)[0])


@pytest.mark.parametrize("fps", [0, -1.0, float("nan")])
def test_an_impossible_rate_is_refused(fps: float) -> None:
    with pytest.raises(ValueError, match="fps"):
        Files([], fps)
    with pytest.raises(ValueError, match="fps"):
        Live(lambda: picture(0), fps=fps)


def test_a_slow_reader_gets_fresh_pictures_not_a_backlog() -> None:
    camera = Ticking()
    stream = Live(camera.capture, lambda: camera.now, 4.0, camera.wait)
    stream.read()
    camera.now += 3.0
    times = [frame.t for frame in (stream.read(), stream.read()) if frame]
    assert times == pytest.approx([13.0, 13.25])


def test_what_a_camera_gives_is_checked() -> None:
    with pytest.raises(BadPicture, match="camera"):
        Live(lambda: np.zeros((4, 4, 3), np.uint8)).read()


def test_a_camera_is_closed_once(tmp_path: Path) -> None:
    camera = Ticking()
    stream = Live(camera.capture, on_close=camera.close)
    stream.close()
    stream.close()
    assert camera.closed == 1
