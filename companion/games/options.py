"""What the players of a game can agree on besides its rules: each option as a value that checks what it is set to.

A game lists its options once; reading them from JSON, the reference for people and the tests all go by that list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Kind(Protocol):
    """What an option can be set to."""

    def read(self, value: Any) -> Any:
        """The option's value from its JSON form. Raises ValueError with what was expected, ``true or false``."""

    def examples(self) -> Sequence[Any]:
        """Some values in their JSON form: all, where there are few."""

    def words(self) -> str:
        """What it can be set to, for people."""


@dataclass(frozen=True)
class Switch:
    """On or off."""

    def read(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError(self.words())
        return value

    def examples(self) -> Sequence[Any]:
        return (False, True)

    def words(self) -> str:
        return "true or false"


@dataclass(frozen=True)
class Number:
    """A whole number of something. most: None for no limit."""

    of: str
    least: int
    most: int | None = None

    def read(self, value: Any) -> int:
        if type(value) is not int or value < self.least or (self.most is not None and value > self.most):
            raise ValueError(self.words())
        return value

    def examples(self) -> Sequence[Any]:
        return (self.least, self.least + 9 if self.most is None else self.most)

    def words(self) -> str:
        limits = f"from {self.least}" if self.most is None else f"from {self.least} to {self.most}"
        return f"a whole number of {self.of} {limits}"


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    values: tuple[str, ...]

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.values:
            raise ValueError(self.words())
        return value

    def examples(self) -> Sequence[Any]:
        return self.values

    def words(self) -> str:
        return " or ".join(f'"{value}"' for value in self.values)


@dataclass(frozen=True)
class ListOf:
    """A list, not empty, whose every entry some test accepts. entries: what they are, for people."""

    entries: str
    accepts: Callable[[Any], bool]
    example: tuple[Any, ...]

    def read(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not value or not all(map(self.accepts, value)):
            raise ValueError(self.words())
        return tuple(value)

    def examples(self) -> Sequence[Any]:
        return ([self.example[0]], list(self.example))

    def words(self) -> str:
        return f"a list of {self.entries}"


@dataclass(frozen=True)
class Option:
    """A ruling that players can choose.

    ruling: the ID of the ruling or rule that it changes. default: its value, in JSON form, where it is not given; None
    where the rules have it depend on something.
    """

    name: str
    ruling: str
    kind: Kind
    default: Any


def read_options(title: str, options: Sequence[Option], data: Any) -> dict[str, Any]:
    """The options that were given, by name, in the order given.

    title: how messages name the game. Raises ValueError that says which is wrong and what was expected.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"options must be an object, not {data!r}")
    known = {option.name: option for option in options}
    values = {}
    for name, value in data.items():
        if name not in known:
            raise ValueError(f"{title} has no option {name!r}; there are: {', '.join(known)}")
        try:
            values[name] = known[name].kind.read(value)
        except ValueError as error:
            raise ValueError(f"option {name} must be {error}, not {value!r}") from None
    return values
