"""Entries are values with a JSON form that goes both ways."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import JournalError
from companion.journal.entries import (
    KINDS,
    WHYS,
    Accepted,
    Corrected,
    Entry,
    Pressed,
    Started,
    Undone,
    entry_from_json,
    entry_to_json,
)

plain = st.dictionaries(
    st.text(max_size=5), st.one_of(st.integers(-9, 9), st.text(max_size=5), st.lists(st.text(max_size=3))), max_size=3
)
entries = st.one_of(
    st.builds(
        Started,
        game=st.text(max_size=5),
        players=st.lists(st.text(max_size=5)).map(tuple),
        board=st.text(max_size=5),
        options=plain,
        seed=st.none() | st.integers(0, 9),
    ),
    st.builds(
        Accepted,
        actions=st.lists(plain, max_size=3).map(tuple),
        why=st.sampled_from(WHYS),
        used=st.lists(plain, max_size=2).map(tuple),
    ),
    st.builds(Pressed, press=plain),
    st.builds(Corrected, state=plain),
    st.just(Undone()),
)


@given(entries)
def test_an_entry_is_the_same_after_going_to_json_and_back(entry: Entry) -> None:
    data = json.loads(json.dumps(entry_to_json(entry)))
    assert entry_from_json(entry.kind, data) == entry


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        ("eaten", {}, "started"),
        ("accepted", {"actions": []}, "why"),
        ("accepted", {"actions": [], "why": "guessed"}, "guessed"),
        ("pressed", [], "pressed"),
        ("started", {"game": "pacal", "players": "red", "board": "reference"}, "players"),
    ],
)
def test_what_is_no_entry_is_refused_with_what_is_wrong(kind: str, data: Any, says: str) -> None:
    with pytest.raises(JournalError, match=says):
        entry_from_json(kind, data)


def test_every_entry_knows_its_kind() -> None:
    assert {kind: type_.kind for kind, type_ in KINDS.items()} == {kind: kind for kind in KINDS}
