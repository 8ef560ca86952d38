"""Known positions with their legal actions, next states, scores and explanations, compared as canonical JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.games.game import canonical
from companion.referee.lines import Referee

OWN = Path(__file__).parent / "vectors"
SHARED = Path(__file__).parents[4] / "shared" / "spec" / "vectors"
"""The whole collections, where the checkout lies beside them."""

FILES = [folder / f"{name}.jsonl" for name in games.names() for folder in (OWN, SHARED)]


def ask(referee: Referee, **message: Any) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(referee.answer(json.dumps(message).encode()))
    return reply


def answers(referee: Referee, row: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """What each part of a row asks, the answer, and the answer that is right."""
    if row["kind"] == "new":
        yield "new", ask(referee, **row["new"])["state"], row["state"]
        return
    yield "set", ask(referee, cmd="set", state=row["state"]), {"ok": True}
    if row["kind"] == "bad_state":
        yield "refused", ask(referee, cmd="set", state=row["bad"])["error"]["code"], "bad_state"
        yield "as before", ask(referee, cmd="state")["state"], row["state"]
    if "legal" in row:
        yield "legal", ask(referee, cmd="legal")["actions"], row["legal"]
    if row["kind"] == "explain":
        seen = {key: row[key] for key in ("squares", "cards") if key in row}
        reply = ask(referee, cmd="explain", presses=row["presses"], **seen)
        yield "explain", reply["explanations"], row["explanations"]
    if "error" in row:
        yield "refused", ask(referee, cmd="apply", action=row["action"])["error"]["code"], row["error"]
        yield "as before", ask(referee, cmd="state")["state"], row["state"]
    elif "action" in row:
        yield "apply", ask(referee, cmd="apply", action=row["action"])["state"], row["next"]
    if "visible" in row:
        reply = ask(referee, cmd="visible")
        yield "visible", reply.get("squares", reply.get("cards")), row["visible"]
    if "score" in row:
        yield "score", ask(referee, cmd="score")["score"], row["score"]


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.is_file()], ids=lambda path: f"{path.stem} {path.parts[-4]}"
)
def test_every_vector_agrees(path: Path) -> None:
    referee = Referee()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows
    wrong = [
        f"row {number}: {what}: {canonical(got)[:300]} instead of {canonical(right)[:300]}"
        for number, row in enumerate(rows, 1)
        for what, got, right in answers(referee, row)
        if canonical(got) != canonical(right)
    ]
    assert wrong == []
