"""A game kept by hand through the page's own requests, with the real session behind them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.journal.store import Journal
from companion.table.loop import Loop
from companion.table.publish import Publisher
from companion.table.session import Session
from web import WebSettings, create_app

KEY = "sun-pyramid-42"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Loop]:
    journal = Journal.open(tmp_path / "journal.db", clock=lambda: 0.0)
    publisher = Publisher()
    loop = Loop(Session(journal, publisher), publisher)
    loop.start()
    yield loop
    loop.stop()
    journal.close()


@pytest.fixture
def operator(table: Loop) -> FlaskClient:
    client = create_app(table, WebSettings(operator_key=KEY)).test_client()
    assert client.get(f"/operator?key={KEY}").status_code == 303
    return client


def do(client: FlaskClient, **command: Any) -> Any:
    answer = client.post("/do", json=command)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def next_action(snapshot: Any, turn: int) -> Any:
    """A way to go on: a build where there is one, another flight every turn, as many stones as may be."""
    outlook = snapshot["outlook"]
    if snapshot["view"]["phase"] == "build" and outlook["builds"]:
        return outlook["builds"][0]["action"]
    flights = [flight["action"] for flight in outlook["flights"] if flight["mode"] != "god"]
    actions = [entry["action"] for entry in outlook["actions"]]
    if flights:
        return flights[turn * 7 % len(flights)]
    return max(actions, key=lambda action: (len(action.get("into", [])), action.get("face") == 3, json.dumps(action)))


def test_a_game_can_be_kept_by_hand_and_shows_nothing_hidden(operator: FlaskClient, table: Loop) -> None:
    assert operator.get("/snapshot.json").get_json()["game"] is None
    snapshot = do(operator, do="new", game="pacal", players=["red", "blue", "green"])
    hidden = 0
    for turn in range(120):
        assert snapshot == operator.get("/snapshot.json").get_json()
        view = snapshot["view"]
        if view["phase"] == "over":
            break
        assert not set(view["stones"]) & set(view["ships"].values())
        lying = sum(owners.get("red", 0) for owners in view["stones"].values())
        hidden += 10 - view["supply"]["red"]["stones"] - lying
        snapshot = do(operator, do="act", action=next_action(snapshot, turn), version=snapshot["version"])
    assert hidden > 0, "no stone was ever hidden, so nothing was shown to be kept"
    assert any(player["track"] for player in snapshot["score"]["players"].values())
    assert do(operator, do="undo")["view"] != snapshot["view"]


def test_an_action_from_an_old_snapshot_is_refused_with_a_sentence(operator: FlaskClient) -> None:
    old = do(operator, do="new", game="pacal", players=["red", "blue"])
    action = old["outlook"]["actions"][0]["action"]
    do(operator, do="act", action=action, version=old["version"])
    answer = operator.post("/do", json={"do": "act", "action": action, "version": old["version"]})
    assert answer.status_code == 409
    assert "moved on" in answer.get_json()["error"]


def test_what_the_rules_refuse_is_answered_with_the_rule(operator: FlaskClient) -> None:
    snapshot = do(operator, do="new", game="pacal", players=["red", "blue"])
    command = {"do": "act", "action": {"type": "place", "square": "A1"}, "version": snapshot["version"]}
    answer = operator.post("/do", json=command)
    assert answer.status_code == 409
    assert answer.get_json()["error"].startswith("SETUP-4")


@pytest.mark.parametrize(
    "wrong", [{"game": "chess"}, {"game": "pompeji"}, {"players": ["red", "red"]}, {"options": {"speed": 3}}]
)
def test_a_game_that_there_is_not_is_refused_with_a_sentence(operator: FlaskClient, wrong: dict[str, Any]) -> None:
    answer = operator.post("/do", json={"do": "new", "game": "pacal", "players": ["red", "blue"], **wrong})
    assert answer.status_code in (400, 409, 422), answer.text
    assert answer.get_json()["error"]
