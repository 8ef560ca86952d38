"""A stand-in for the reader of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.observation import Reading
from vision.frames import Picture


@dataclass
class Said:
    """Says of a picture what a function does; expected: the pictures that it was shown before it had to."""

    says: Callable[[Picture], Reading]
    expected: list[Picture] = field(default_factory=list)

    def read(self, picture: Picture) -> Reading:
        return self.says(picture)

    def expect(self, picture: Picture) -> None:
        self.expected.append(picture)
