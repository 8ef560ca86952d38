"""What takes longer than a second says what it is doing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[str], None]
"""Is told what is being done, in words."""


def unheard(text: str) -> None:
    """Progress that nobody is told."""
