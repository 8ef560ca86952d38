"""A table's folder: the layout of the board in it, beside what teaching wrote, the settings and the journal."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.boards import LAYOUT_FILE
from companion.errors import BadTable


def keep_layout(folder: Path, layout: str) -> None:
    """Keep the layout that a table was taught with: a built-in one by its name, a file as a copy in the table's folder.

    Raises BadTable when it cannot be written.
    """
    kept = folder / LAYOUT_FILE
    try:
        if Path(layout).is_file():
            fresh = kept.with_suffix(".new")
            shutil.copyfile(layout, fresh)
            fresh.replace(kept)
        else:
            kept.unlink(missing_ok=True)
    except OSError as error:
        raise BadTable(f"{kept}: the board's layout cannot be kept ({error.strerror})") from None


def layout_of(folder: Path, name: str) -> str:
    """The layout to play with: the copy in the table's folder, or the built-in one of that name."""
    kept = folder / LAYOUT_FILE
    return str(kept.resolve()) if kept.is_file() else name
