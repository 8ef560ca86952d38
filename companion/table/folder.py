"""A table's folder: the layout of the board in it, beside what teaching wrote, the settings and the journal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.boards import LAYOUT_FILE
from companion.errors import BadTable, CompanionError


@contextmanager
def keep_layout(folder: Path, layout: str) -> Iterator[None]:
    """Keep the layout that a table was taught with: a built-in one by its name, a file as a copy in the table's folder.

    While a copy is ready, but not yet in its place, the caller saves the table: when that fails nothing has changed.
    Raises BadTable when the layout cannot be written.
    """
    kept, there = folder / LAYOUT_FILE, folder.is_dir()
    fresh = kept.with_suffix(".new") if Path(layout).is_file() else None
    try:
        if fresh is not None:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(layout, fresh)
        yield
        if fresh is None:
            kept.unlink(missing_ok=True)
        else:
            fresh.replace(kept)
    except (OSError, CompanionError) as error:
        # What cannot be written to may not be cleaned up either.
        with suppress(OSError):
            if fresh is not None:
                fresh.unlink(missing_ok=True)
            if not there:
                folder.rmdir()
        if isinstance(error, CompanionError):
            raise
        raise BadTable(f"{kept}: the board's layout cannot be kept ({error.strerror})") from None


def layout_of(folder: Path, name: str) -> str:
    """The layout to play with: the copy in the table's folder, or the built-in one of that name."""
    kept = folder / LAYOUT_FILE
    return str(kept.resolve()) if kept.is_file() else name
