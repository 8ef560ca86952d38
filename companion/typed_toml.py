"""Settings files: TOML, typed once as a ``msgspec.Struct``; errors name file, key, what was expected and what came."""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.errors import BadConfig

Kind = TypeVar("Kind", bound=msgspec.Struct)

_AT = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<key>.*)`)?", re.DOTALL)
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    " | null": "",
}
_TYPE = re.compile("|".join(rf"\b{name}\b" if name.isalpha() else re.escape(name) for name in _WORDS))
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_MISSING = re.compile(r"Object missing required field `(.*)`")


def read_toml(path: Path, kind: type[Kind]) -> Kind:
    """What a TOML file says, as the type that it must have.

    kind: refuses unknown keys when it is declared with ``forbid_unknown_fields``. Raises BadConfig when the file cannot
    be read, is no TOML, or does not fit the type.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BadConfig(f"{path}: is not a text file") from None
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(f"{path}: is not a TOML file: {error}") from None
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise BadConfig(f"{path}: {_explain(str(error), data, kind)}") from None


def _explain(message: str, data: dict[str, Any], kind: type[msgspec.Struct]) -> str:
    """msgspec's message with the key in front, and what came or which key may have been meant."""
    match = _AT.fullmatch(message)
    assert match is not None
    what, key = match["what"], match["key"] or ""
    if unknown := _UNKNOWN.fullmatch(what):
        name = unknown[1]
        known = _fields_at(kind, key)
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        return f"{_join(key, name)}: there is no such key; {hint}"
    if missing := _MISSING.fullmatch(what):
        return f"{_join(key, missing[1])}: is missing"
    expected = _TYPE.sub(lambda name: _WORDS[name[0]], what.split(", got ")[0].removeprefix("Expected "))
    return f"{key}: {expected.replace('`', '')} was expected, not {_value_at(data, key)!r}"


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _fields_at(kind: Any, key: str) -> tuple[str, ...]:
    """The keys that a table of the file may have."""
    for part in filter(None, key.split(".")):
        kind = next(field.type for field in msgspec.structs.fields(kind) if field.encode_name == part)
    return tuple(field.encode_name for field in msgspec.structs.fields(kind))


def _value_at(data: Any, key: str) -> Any:
    for part in key.split("."):
        name, *index = part.split("[", 1)
        data = data[name]
        if index:
            break  # the place within a list is clear from the list itself
    return data
