"""The option that names a table's folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.config import DEFAULT_FOLDER


def table_folder(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--table``, given to the command as ``table_dir``: the usual folder if none is named."""
    return click.option(
        "--table",
        "table_dir",
        default=DEFAULT_FOLDER,
        show_default=True,
        type=click.Path(path_type=Path),
        help=help_text,
    )
