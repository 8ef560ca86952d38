"""Pictures and frames: the arrays that everything in ``vision`` works on, checked at the door."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadPicture

Picture: TypeAlias = NDArray[np.uint8]
"""height x width x 3, BGR, uint8."""
Shades: TypeAlias = NDArray[np.uint8]
"""A picture without its colours: height x width, uint8."""
Part: TypeAlias = tuple[slice, slice]
"""Rows and columns of a picture, or of maps."""

MIN_WIDTH_PX = 640
"""Below this a square of the board has too few pixels to tell the pieces apart."""

JPEG_QUALITY = 80
JPEG_START, JPEG_SCAN, JPEG_END = b"\xff\xd8", b"\xff\xda", b"\xff\xd9"
PNG_START, PNG_END = b"\x89PNG", b"IEND\xaeB`\x82"


@dataclass(frozen=True)
class Frame:
    """One picture of a stream.

    t: when it was taken, in seconds on the source's own clock. name: the file it came from, if it came from one.
    """

    picture: Picture
    t: float
    name: str | None = None


def check_picture(picture: Picture, where: str = "picture") -> Picture:
    """The picture itself when it has the right type and shape. Raises BadPicture saying what came instead."""
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
        raise BadPicture(f"{where}: height x width x 3 of uint8 was expected, not {picture.shape} of {picture.dtype}")
    height, width = picture.shape[:2]
    if max(height, width) < MIN_WIDTH_PX:
        raise BadPicture(f"{where}: only {width} x {height} pixels; at least {MIN_WIDTH_PX} across are needed")
    return picture


def read_picture(path: Path) -> Picture:
    """A picture from a file. Raises BadPicture when the file is missing, broken, cut off or no picture."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadPicture(f"{path}: cannot be read ({error.strerror})") from None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error:
        # A head that promises more pixels than OpenCV takes.
        picture = None
    if picture is None:
        raise BadPicture(f"{path}: is no picture, or a broken one; JPEG or PNG was expected")
    if _cut_off(data):
        raise BadPicture(f"{path}: only the beginning of a picture; was it copied whole?")
    return check_picture(np.asarray(picture, np.uint8), str(path))


def _cut_off(data: bytes) -> bool:
    """Whether the end of a picture's file is missing. OpenCV makes up what is not there, in grey."""
    if data.startswith(JPEG_START):
        # After the last scan comes the end; a small picture within the file's head has an end of its own.
        return data.rfind(JPEG_END) < data.rfind(JPEG_SCAN)
    return data.startswith(PNG_START) and PNG_END not in data


def encode_jpeg(picture: Picture, quality: int = JPEG_QUALITY) -> bytes:
    """The picture as a JPEG file of a quality up to 100; if that is not given, small enough for a tablet."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def mean_picture(pictures: Collection[Picture]) -> Picture:
    """The mean of pictures of the same size, of which there is at least one: as each, with less noise."""
    first, *others = pictures
    if not others:
        return first
    total = first.astype(np.uint16)
    for picture in others:
        cv2.add(total, picture, total, dtype=cv2.CV_16U)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(pictures)), np.uint8)


def channels(layers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The three channels of a picture or of layers, each in one piece; in half the time of OpenCV's ``split``."""
    first, second, third = (cv2.extractChannel(layers, index) for index in range(3))
    return first, second, third


def grey(picture: Picture) -> Shades:
    """The picture without its colours."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def least_and_most(picture: Picture) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The darkest and the brightest channel of each pixel."""
    blue, green, red = channels(picture)
    least, most = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
    return np.asarray(least, np.uint8), np.asarray(most, np.uint8)
