"""What lies under a ship is in no snapshot, whatever the session says."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.game import canonical
from companion.games.pacal import GAME
from companion.games.pacal.pieces import Pyramid
from companion.games.pacal.state import State
from companion.journal.store import Journal
from companion.table.outside import Correct, NewGame, Pressed, Settled, Watching
from companion.table.publish import Publisher
from companion.table.session import Session
from tests.companion.games.pacal.short import roll
from tests.companion.table.under_test import TableUnderTest, reading


def hidden_otherwise(state: State, chance: random.Random) -> State | None:
    """The same position with other stones under the ships, as far as everybody can see; None when that cannot be."""
    data = json.loads(canonical(GAME.state_to_json(state)))
    under = [name for name in data["ships"].values() if name is not None]
    colours = [(name, colour) for name in under for colour in data["stones"].get(name, {})]
    if len(under) < 2 or not colours:
        return None
    name, colour = chance.choice(colours)
    to = chance.choice([other for other in under if other != name])
    stones = data["stones"]
    stones[name][colour] -= 1
    stones[name] = {key: count for key, count in stones[name].items() if count}
    if not stones[name]:
        del stones[name]
    stones.setdefault(to, {})[colour] = stones.get(to, {}).get(colour, 0) + 1
    try:
        return GAME.state_from_json(data)
    except ValueError:
        return None


def random_states(seed: int, count: int) -> Iterator[State]:
    """Positions of a random game after each flight, or after stones were brought in."""
    chance = random.Random(seed)
    state = GAME.new(("red", "blue", "green"), "reference", {}, None)
    while count and not GAME.over(state):
        state = GAME.apply(state, chance.choice(GAME.legal(state))).state
        if state.phase in ("stones", "build", "fly"):
            count -= 1
            yield state


def shown(tmp_path: Path, state: State, name: str) -> list[str]:
    """Everything a table shows in this position: at rest, with stones heard, in doubt, after undo."""
    journal = Journal.open(tmp_path / name, lambda: 0.0)
    session = Session(journal, Publisher())
    session.handle(NewGame("pacal", state.players))
    snapshots = [session.handle(Correct(GAME.state_to_json(state)))]
    now = GAME.visible(state)
    snapshots.append(session.handle(Settled(reading(now), 0.0)))
    snapshots += [session.handle(Pressed(button, 0.0)) for button in (state.to_act, "blue", "god", "undo", "undo")]
    snapshots.append(session.handle(Settled(reading({**now, "A1": Pyramid("purple", 2)}), 0.0)))
    snapshots.append(session.handle(Watching("dead")))
    snapshots.append(session.handle(Pressed("done", 0.0)))
    journal.close()
    return [canonical(snapshot) for snapshot in snapshots]


@pytest.mark.parametrize("seed", range(3))
def test_positions_that_differ_only_in_what_is_hidden_look_the_same_to_the_last_byte(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    compared = 0
    for number, state in enumerate(random_states(seed, 60)):
        other = hidden_otherwise(state, chance)
        if other is None or number % 4:
            continue
        assert GAME.visible(other) == GAME.visible(state)
        pair = [shown(tmp_path, one, f"{number}-{side}.db") for side, one in enumerate((state, other))]
        assert pair[0] == pair[1]
        compared += 1
    assert compared > 3


def test_the_log_and_the_questions_do_not_say_into_which_ship_a_stone_went(tmp_path: Path) -> None:
    own: list[str] = []
    both: list[str] = []
    for presses, texts in ((("red", "blue"), own), (("red", "green"), both)):
        journal = Journal.open(tmp_path / f"{presses[1]}.db", lambda: 0.0)
        session = Session(journal, Publisher())
        session.handle(NewGame("pacal", ("red", "blue", "green")))
        state = GAME.new(("red", "blue", "green"), "reference", {}, None)
        for data in (
            {"type": "place", "square": "F6"},
            {"type": "place", "square": "G7"},
            {"type": "place", "square": "H8"},
            {"type": "roll", "face": 3},
            {"type": "fly", "mode": "straight", "to": "F3"},
        ):
            state = GAME.apply(state, GAME.action_from_json(data)).state
        session.handle(Correct(GAME.state_to_json(state)))
        for button in (*presses, "done", "undo"):
            texts.append(canonical(session.handle(Pressed(button, 0.0))))
        journal.close()
    assert own == both


def test_what_the_camera_saw_is_not_shown_once_a_ship_flew_onto_it_unseen(unbuilt: TableUnderTest) -> None:
    unbuilt.press("done")
    assert unbuilt.snapshot["seen"]["F3"] == {"stones": ["blue", "red"]}
    assert unbuilt.snapshot["has_picture"]
    unbuilt.session.handle(Watching("dead"))
    unbuilt.act(**roll(3))
    unbuilt.act(type="fly", mode="god", god=2, to="F3")
    assert unbuilt.view["ships"]["blue"] == "F3"
    assert "F3" not in unbuilt.snapshot["seen"] and "F3" not in unbuilt.view["stones"]
    assert not unbuilt.snapshot["has_picture"] and unbuilt.publisher.picture() is None
    unbuilt.settle()
    assert unbuilt.snapshot["seen"]["F3"] == {"ship": "blue"}
    assert unbuilt.snapshot["has_picture"]
