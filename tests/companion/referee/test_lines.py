"""The referee protocol: every command, every error code, and nothing that ends the process."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest

from companion.games.game import canonical
from companion.referee.lines import MAX_MESSAGE, Referee

NEW: dict[str, Any] = {"cmd": "new", "game": "pacal", "players": ["red", "blue", "green"]}


def ask(referee: Referee, message: Any) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(referee.answer(json.dumps(message).encode()))
    return reply


def code(reply: dict[str, Any]) -> str:
    assert reply["ok"] is False and set(reply) == {"ok", "error"}
    assert reply["error"]["message"]
    return str(reply["error"]["code"])


@pytest.fixture
def referee() -> Referee:
    referee = Referee()
    assert ask(referee, NEW)["ok"]
    return referee


def test_a_new_game_begins_with_its_first_state(referee: Referee) -> None:
    state = ask(referee, {**NEW, "board": "reference", "options": {"master": True}, "seed": 7})["state"]
    assert (state["phase"], state["to_act"], state["options"]) == ("place", "red", {"master": True})
    assert ask(referee, {"cmd": "state"})["state"] == state


def test_a_game_is_played_command_by_command(referee: Referee) -> None:
    for square in ("F6", "G7", "H8"):
        reply = ask(referee, {"cmd": "apply", "action": {"type": "place", "square": square}})
        assert reply["ok"] and reply["events"][0]["event"] == "place"
    ask(referee, {"cmd": "apply", "action": {"type": "roll", "face": 5}})
    actions = ask(referee, {"cmd": "legal"})["actions"]
    assert {"type": "fly", "mode": "straight", "to": "F1"} in actions
    assert actions == sorted(actions, key=canonical)
    assert ask(referee, {"cmd": "visible"})["squares"] == {
        "F6": {"ship": "red"},
        "G7": {"ship": "blue"},
        "H8": {"ship": "green"},
    }
    score = ask(referee, {"cmd": "score"})["score"]
    assert score["leaders"] == ["red", "blue", "green"]
    assert ask(referee, {"cmd": "view", "viewer": "public"}) == ask(referee, {"cmd": "view", "viewer": "blue"})


def test_explain_tells_what_was_done_or_what_is_nearest(referee: Referee) -> None:
    seen = {"F6": {"ship": "red"}}
    assert ask(referee, {"cmd": "explain", "squares": seen, "presses": []}) == {
        "ok": True,
        "explanations": [[{"type": "place", "square": "F6"}]],
        "nearest": [],
    }
    wrong = ask(referee, {"cmd": "explain", "squares": {"A1": {"ship": "red"}}, "presses": []})
    assert wrong["explanations"] == [] and wrong["nearest"][0]["message"]
    assert ask(referee, {"cmd": "explain", "squares": {}, "presses": []}) == {
        "ok": True,
        "explanations": [],
        "nearest": [],
    }


def test_explain_changes_nothing(referee: Referee) -> None:
    before = ask(referee, {"cmd": "state"})
    ask(referee, {"cmd": "explain", "squares": {"F6": {"ship": "red"}}, "presses": [{"press": "done"}]})
    assert ask(referee, {"cmd": "state"}) == before


@pytest.mark.parametrize("cmd", ["state", "legal", "apply", "visible", "explain", "score", "view"])
def test_a_command_that_needs_a_game_says_so(cmd: str) -> None:
    assert code(ask(Referee(), {"cmd": cmd})) == "no_game"


LINES: list[tuple[bytes, str]] = [
    (b"", "bad_json"),
    (b"\n", "bad_json"),
    (b"   \r\n", "bad_json"),
    (b"{", "bad_json"),
    (b"3", "bad_json"),
    (b"[]", "bad_json"),
    (b"null", "bad_json"),
    (b"NaN", "bad_json"),
    (b'{"cmd":NaN}', "bad_json"),
    (b'{"cmd":-Infinity}', "bad_json"),
    (b'{"cmd":"state"} {"cmd":"state"}', "bad_json"),
    (b"\xff\xfe", "bad_json"),
    (b'{"cmd":"\xff"}', "bad_json"),
    (b"[" * 100_000, "bad_json"),
    (b'{"cmd":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "bad_json"),
    (b'{"cmd":' + b"9" * 10_000 + b"}", "bad_json"),
    (b"{}", "bad_command"),
    (b'{"cmd":"castle"}', "bad_command"),
    (b'{"cmd":["state"]}', "bad_command"),
    (b'{"cmd":{"state":1}}', "bad_command"),
    (b'{"cmd":"\\ud800"}', "bad_command"),
    (b'{"cmd":1e999}', "bad_command"),
    (b'{"cmd":"new"}', "bad_command"),
    (b'{"cmd":"new","game":"chess","players":["red","blue"]}', "bad_command"),
    (b'{"cmd":"new","game":"game","players":["red","blue"]}', "bad_command"),
    (b'{"cmd":"new","game":"\\ud800","players":["red","blue"]}', "bad_command"),
    (b'{"cmd":"new","game":"pacal"}', "bad_command"),
    (b'{"cmd":"new","game":"pacal","players":["red"]}', "bad_command"),
    (b'{"cmd":"new","game":"pacal","players":[["red"],"blue"]}', "bad_command"),
    (b'{"cmd":"new","game":"pacal","players":["red","blue"],"options":[]}', "bad_command"),
    (b'{"cmd":"new","game":"pacal","players":["red","blue"],"options":{"x":1}}', "bad_command"),
    (b'{"cmd":"new","game":"pacal","players":["red","blue"],"board":"moon"}', "bad_command"),
    (b'{"cmd":"new","game":"pacal","players":["red","blue"],"board":3}', "bad_command"),
    (b'{"cmd":"new","game":"pacal","players":["red","blue"],"board":"\\u0000"}', "bad_command"),
    (b'{"cmd":"new","game":"pacal","players":["red","blue"],"seed":"x"}', "bad_command"),
    (b'{"cmd":"new","game":"pacal","players":["red","blue"],"start":1}', "bad_command"),
    (b'{"cmd":"set"}', "bad_command"),
    (b'{"cmd":"set","state":3}', "bad_state"),
    (b'{"cmd":"set","state":{}}', "bad_state"),
    (b'{"cmd":"set","state":{"game":"chess"}}', "bad_state"),
    (b'{"cmd":"set","state":{"game":["pacal"]}}', "bad_state"),
    (b'{"cmd":"set","state":{"game":"pacal"}}', "bad_state"),
    (b'{"cmd":"apply"}', "bad_command"),
    (b'{"cmd":"apply","action":7}', "bad_command"),
    (b'{"cmd":"apply","action":{}}', "illegal_action"),
    (b'{"cmd":"apply","action":{"type":"pass"}}', "illegal_action"),
    (b'{"cmd":"apply","action":{"type":"place","square":"A1"}}', "illegal_action"),
    (b'{"cmd":"apply","action":{"type":' + b"[" * 900 + b"]" * 900 + b"}}", "illegal_action"),
    (b'{"cmd":"explain"}', "bad_command"),
    (b'{"cmd":"explain","squares":[]}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A0":{"ship":"red"}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"ship":"pink"}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"ship":["red"]}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"stones":[["red"]]}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"stones":[]}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"pyramid":{"colour":"red","floors":6}}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"pyramid":{"colour":"red","floors":0}}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"pyramid":{"colour":"red","floors":true}}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"pyramid":{"colour":"red","floors":1,"more":1}}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"pyramid":{"colour":"red","floors":1},"more":1}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"ship":"red","stones":["red"]}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":{"stones":["red"],"more":1}}}', "bad_command"),
    (b'{"cmd":"explain","squares":{"A1":null}}', "bad_command"),
    (b'{"cmd":"explain","squares":{},"presses":{}}', "bad_command"),
    (b'{"cmd":"explain","squares":{},"presses":[1]}', "bad_command"),
    (b'{"cmd":"explain","squares":{},"presses":[{"press":"undo"}]}', "bad_command"),
    (b'{"cmd":"explain","squares":{},"presses":[{"press":"god","value":true}]}', "bad_command"),
    (b'{"cmd":"explain","squares":{},"presses":[{"press":"god","value":2,"ship":"red"}]}', "bad_command"),
    (b'{"cmd":"explain","squares":{},"presses":[{"press":"stone","ship":"red","value":2}]}', "bad_command"),
    (b'{"cmd":"explain","squares":{},"presses":[{"press":"done","ship":"red"}]}', "bad_command"),
    (b'{"cmd":"view"}', "bad_command"),
    (b'{"cmd":"view","viewer":"pink"}', "bad_command"),
    (b'{"cmd":"view","viewer":["red"]}', "bad_command"),
]


@pytest.mark.parametrize(("line", "right"), LINES, ids=[str(line[:60]) for line, _ in LINES])
def test_a_wrong_line_gets_its_code_and_changes_nothing(referee: Referee, line: bytes, right: str) -> None:
    before = ask(referee, {"cmd": "state"})
    assert code(json.loads(referee.answer(line))) == right
    assert ask(referee, {"cmd": "state"}) == before


def test_a_message_quotes_no_more_of_a_long_line_than_people_read(referee: Referee) -> None:
    message = ask(referee, {"cmd": "x" * 5000})["error"]["message"]
    assert message.startswith("cmd is 'xxx") and message.endswith("x…")
    assert len(message) == MAX_MESSAGE + 1
    assert not ask(referee, {"cmd": "x"})["error"]["message"].endswith("…")


def test_a_state_that_contradicts_itself_leaves_the_old_one(referee: Referee) -> None:
    state = ask(referee, {"cmd": "state"})["state"]
    wrong = {**state, "stones": {"A1": {"red": 11}}}
    assert code(ask(referee, {"cmd": "set", "state": wrong})) == "bad_state"
    assert ask(referee, {"cmd": "state"})["state"] == state
    assert ask(referee, {"cmd": "set", "state": state}) == {"ok": True}


JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    2.5,
    10**40,
    1e999,
    "",
    "A1",
    "red",
    "\ud800",
    [],
    {},
    [[]],
    {"a": {}},
    ["red", "blue"],
    "pacal",
]


def spoilt(chance: random.Random, value: Any) -> Any:
    """A value with one part of it, anywhere, replaced by something else."""
    if chance.random() < 0.3 or not isinstance(value, dict | list) or not value:
        return chance.choice(JUNK)
    if isinstance(value, list):
        at = chance.randrange(len(value))
        return [*value[:at], spoilt(chance, value[at]), *value[at + 1 :]]
    key = chance.choice(list(value))
    if chance.random() < 0.15:
        return {name: entry for name, entry in value.items() if name != key}
    if chance.random() < 0.15:
        return {**value, chance.choice(["x", "A1", "\ud800", "red", "type"]): chance.choice(JUNK)}
    return {**value, key: spoilt(chance, value[key])}


def garbage(chance: random.Random, state: dict[str, Any]) -> bytes:
    """A line that is wrong in some way, or now and then is not."""
    message = chance.choice(
        [
            NEW,
            {"cmd": "set", "state": state},
            {"cmd": "apply", "action": {"type": "stones", "into": ["red"], "from": ["supply"]}},
            {"cmd": "apply", "action": {"type": "build", "at": "A1", "floors": 1, "uses": ["A1"]}},
            {"cmd": "apply", "action": {"type": "fly", "mode": "god", "to": "A1", "god": 2}},
            {
                "cmd": "explain",
                "squares": {"A1": {"ship": "red"}, "B1": {"stones": ["red"]}},
                "presses": [{"press": "done"}],
            },
            {"cmd": "view", "viewer": "red"},
            {"cmd": "legal"},
        ]
    )
    line = json.dumps(spoilt(chance, message)).encode()
    if chance.random() < 0.2:
        at = chance.randrange(len(line) + 1)
        line = line[:at] + chance.randbytes(chance.randrange(4)) + line[at + chance.randrange(3) :]
    return line.replace(b"\n", b" ")


def test_thousands_of_garbage_lines_get_an_answer_each() -> None:
    chance = random.Random(11)
    referee = Referee()
    state = ask(referee, NEW)["state"]
    for square in ("F6", "G7", "H8"):
        ask(referee, {"cmd": "apply", "action": {"type": "place", "square": square}})
    state = ask(referee, {"cmd": "apply", "action": {"type": "roll", "face": 4}})["state"]
    for _ in range(6000):
        reply = json.loads(referee.answer(garbage(chance, state)))
        assert reply["ok"] is True or reply["error"]["code"] in (
            "bad_json",
            "bad_command",
            "bad_state",
            "illegal_action",
            "no_game",
        )
    assert ask(referee, {"cmd": "set", "state": state}) == {"ok": True}


def test_the_process_answers_each_line_and_ends_with_its_input() -> None:
    lines = [b"\xff\x00garbage", b"", json.dumps(NEW).encode(), b'{"cmd":"legal"}', b'{"cmd":"visible"}']
    run = subprocess.run(
        [sys.executable, "-c", "from companion.cli import main; main()", "referee"],
        input=b"\n".join(lines),
        capture_output=True,
        check=False,
    )
    replies = [json.loads(line) for line in run.stdout.splitlines()]
    assert [reply["ok"] for reply in replies] == [False, False, True, True, True]
    assert (run.returncode, run.stderr) == (0, b"")


def test_each_reply_comes_before_the_next_line_is_sent() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "from companion.cli import main; main()", "referee"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for _ in range(3):
            process.stdin.write(b'{"cmd":"state"}\n')
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["error"]["code"] == "no_game"
        process.stdin.close()


def test_the_rules_need_no_heavy_library() -> None:
    check = (
        "import sys; import companion.cli.referee; from companion import games; games.get('pacal'); "
        "print([name for name in ('cv2', 'numpy', 'flask', 'gpiozero', 'sqlite3') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
