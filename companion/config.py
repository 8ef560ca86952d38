"""Settings of a table: ``companion.toml`` in the table's folder, if there is one; the rest has defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from companion.errors import BadConfig
from companion.typed_toml import read_toml

FILE_NAME = "companion.toml"

DEFAULT_FOLDER = Path("table")
"""The table that is meant when none is named."""


class Page(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the page is found.

    host: the address to listen on, "" for all of the machine's. port: 0 is any free one. names: further names by which
    the page may be opened, as a router gives them. streams: how many tablets and phones are kept up to date live; more
    than these look again every few seconds.
    """

    host: str = ""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    names: tuple[str, ...] = ()
    streams: Annotated[int, Meta(ge=1, le=200)] = 32


class Camera(Struct, frozen=True, forbid_unknown_fields=True):
    """The camera above the table.

    width, height: of its pictures, in px; a table must be taught with pictures of the same shape. fps: how many of them
    are looked at in a second, if the Pi is quick enough. focus_mm: distance from lens to table, for a camera with
    autofocus that is not to hunt. hold_light: keep exposure and white balance as they are at the start. timeout_s: a
    picture that takes longer means that the camera is dead. number: which camera, when there are two.
    """

    width: Annotated[int, Meta(ge=640, le=4608)] = 1536
    height: Annotated[int, Meta(ge=360, le=3456)] = 864
    fps: Annotated[float, Meta(ge=1, le=60)] = 5.0
    focus_mm: Annotated[float, Meta(ge=50, le=5000)] | None = None
    hold_light: bool = False
    timeout_s: Annotated[float, Meta(ge=0.5, le=10)] = 2.0
    number: Annotated[int, Meta(ge=0, le=3)] = 0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.width, self.height


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a table.

    journal: the file that keeps the games. pins: the pin profile; None is the default wiring. Both are paths as they
    can be opened; in the file they may be relative to its folder.
    """

    journal: str = "journal.db"
    pins: str | None = None
    page: Page = Page()
    camera: Camera = Camera()

    @property
    def journal_path(self) -> Path:
        return Path(self.journal)

    @property
    def pins_path(self) -> Path | None:
        return None if self.pins is None else Path(self.pins)


def read_settings(folder: Path) -> Settings:
    """The settings of the table in a folder; all defaults when it has no ``companion.toml``.

    Raises BadConfig, naming file, key, what was expected and what came.
    """
    path = folder / FILE_NAME
    try:
        there = path.exists()
    except OSError as error:
        raise BadConfig(f"{path}: cannot be read ({error.strerror})") from None
    settings = read_toml(path, Settings) if there else Settings()
    return msgspec.structs.replace(
        settings,
        journal=str(folder / settings.journal),
        pins=None if settings.pins is None else str(folder / settings.pins),
    )
