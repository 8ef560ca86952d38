"""Only whole pictures of the right kind come in."""

from __future__ import annotations

import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import BadPicture
from vision.frames import Picture, check_picture, encode_jpeg, mean_picture, read_picture


def written(suffix: str, picture: Picture) -> bytes:
    return cv2.imencode(suffix, picture)[1].tobytes()


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_a_whole_picture_is_read(tmp_path: Path, still: Picture, suffix: str) -> None:
    path = tmp_path / f"whole{suffix}"
    # Phones write more after the picture's end.
    path.write_bytes(written(suffix, still) + b"more of the phone's own")
    assert read_picture(path).shape == still.shape


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.999])
def test_a_picture_that_was_cut_off_is_refused(tmp_path: Path, still: Picture, suffix: str, share: float) -> None:
    data = written(suffix, still)
    path = tmp_path / f"cut{suffix}"
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(BadPicture, match=r"beginning of a picture|broken"):
        read_picture(path)


def test_a_picture_that_claims_more_pixels_than_there_can_be_is_refused(tmp_path: Path, still: Picture) -> None:
    data = bytearray(cv2.imencode(".png", still[:8, :8])[1].tobytes())
    data[16:24] = (100_000).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(bytes(data[12:29])).to_bytes(4, "big")
    (tmp_path / "huge.png").write_bytes(data)
    with pytest.raises(BadPicture, match=r"huge\.png: is no picture, or a broken one"):
        read_picture(tmp_path / "huge.png")


def test_a_jpeg_with_a_small_picture_in_its_head_that_was_cut_off_is_refused(tmp_path: Path, still: Picture) -> None:
    small = encode_jpeg(np.asarray(cv2.resize(still, (160, 90)), np.uint8))
    data = written(".jpg", still)
    head = b"\xff\xe1" + (len(small) + 2).to_bytes(2, "big") + small
    path = tmp_path / "phone.jpg"
    path.write_bytes(data[:2] + head + data[2:])
    assert read_picture(path).shape == still.shape
    path.write_bytes((data[:2] + head + data[2:])[: len(head) + len(data) // 2])
    with pytest.raises(BadPicture, match=r"beginning of a picture|broken"):
        read_picture(path)


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((600, 800), np.uint8),
        np.zeros((600, 800, 4), np.uint8),
        np.zeros((600, 800, 3), np.float32),
        np.zeros((90, 160, 3), np.uint8),
    ],
    ids=["grey", "with transparency", "of floats", "too small"],
)
def test_another_kind_of_array_is_refused_with_what_came(picture: Picture) -> None:
    with pytest.raises(BadPicture, match=r"expected|needed"):
        check_picture(picture)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_mean_of_pictures_is_theirs_to_the_next_grey_level(count: int) -> None:
    pictures = [*np.random.default_rng(count).integers(0, 256, (count, 40, 60, 3), np.uint8)]
    mean = mean_picture(pictures)
    assert mean.dtype == np.uint8
    assert np.abs(mean - np.mean(pictures, axis=0)).max() <= 0.5
