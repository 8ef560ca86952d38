"""A collection of scenes with their truth: folders setup-* with stills, and recordings of filmed turns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from companion.errors import BadSetup
from companion.games.pacal.pieces import squares_from_json
from companion.observation import Die, Seen
from companion.squares import Square

Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Still:
    """One picture of a table, with its truth.

    name: setup and file, for people. hidden: squares with a piece of which others leave less than half to be seen. die:
    what it shows, None when there is none; die_hidden: less than half of it can be seen. corners_px: of the printed
    board, that at A1 first. bumped: whether the camera was since the table was taught.
    """

    name: str
    file: Path
    seen: Seen
    hidden: frozenset[Square]
    die: Die | None
    die_hidden: bool
    corners_px: Corners
    bumped: bool = False

    @property
    def seed(self) -> int:
        """For chance that is always the same with this picture, whichever others are measured beside it."""
        return crc32(self.name.encode())


@dataclass(frozen=True)
class FilmFrame:
    """One picture of a recording. t: in seconds. hand: whether any part of a hand or arm is in the picture."""

    file: Path
    t: float
    hand: bool
    seen: Seen


def find_setups(scenes: Path, only: Sequence[str] = ()) -> list[Path]:
    """The set-ups in a folder of scenes. only: the ends of the names of those that are wanted, ``"02"`` for
    ``setup-02``; all when empty. Raises BadSetup when there are none, or no such."""
    found = sorted(path for path in scenes.glob("setup-*") if path.is_dir())
    if not found:
        raise BadSetup(f"{scenes}: has no setup-* folders; a folder of scenes was expected")
    for end in only:
        if not any(is_named(path, end) for path in found):
            raise BadSetup(f"{scenes}: has no setup {end!r}; there are {', '.join(path.name for path in found)}")
    return [path for path in found if not only or any(is_named(path, end) for end in only)]


def is_named(setup: Path, end: str) -> bool:
    """Whether a set-up is meant by its whole name or by what follows ``setup-``."""
    return setup.name in (end, f"setup-{end}")


def read_stills(setup: Path) -> list[Still]:
    """The stills of a set-up in the order of their names. Raises BadSetup when a truth is missing or broken."""
    return [_read_still(setup, file) for file in sorted(setup.glob("still-*.jpg"))]


def read_recordings(setup: Path) -> dict[str, list[FilmFrame]]:
    """The recordings of a set-up, by their names. Raises BadSetup when a truth is missing or broken."""
    return {f"{setup.name}/{file.parent.name}": _read_film(file) for file in sorted(setup.glob("turn-*/turn.json"))}


def _read_still(setup: Path, file: Path) -> Still:
    truth = _read(file.with_suffix(".json"))
    try:
        corners = truth["board_corners_px"] if "board_corners_px" in truth else _corners(setup)
        return Still(
            f"{setup.name}/{file.name}",
            file,
            squares_from_json(truth["squares"]),
            frozenset(truth.get("hidden", {})) - {"die"},
            truth.get("die"),
            "die" in truth.get("hidden", {}),
            tuple((float(x), float(y)) for x, y in corners),
            bool(truth.get("conditions", {}).get("bumped", False)),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadSetup(f"{file.with_suffix('.json')}: the truth of a still was expected ({error!r})") from None


def _corners(setup: Path) -> Any:
    return _read(setup / "setup.json")["board_corners_px"]


def _read_film(file: Path) -> list[FilmFrame]:
    try:
        frames = [
            FilmFrame(
                file.parent / frame["file"], float(frame["t"]), bool(frame["hand"]), squares_from_json(frame["squares"])
            )
            for frame in _read(file)["frames"]
        ]
        if len(frames) < 2:
            raise ValueError("fewer than two frames")
        return frames
    except (ValueError, KeyError, TypeError) as error:
        raise BadSetup(f"{file}: the truth of a recording was expected ({error!r})") from None


def _read(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadSetup(f"{file}: a truth was expected ({error!r})") from None
    if not isinstance(data, dict):
        raise BadSetup(f"{file}: an object was expected, not {type(data).__name__}")
    return data
