"""The demo's hands: they wait for what is shown, press and tap as the script says, and know when to give up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from companion import games
from companion.demo.hands import PATIENCE_SECONDS, Hands
from companion.demo.player import play_script
from companion.demo.script import Script, Step
from companion.demo.touches import Touch
from companion.table.snapshot import Snapshot

PACAL = games.get("pacal")
PLAYERS = ("red", "blue")


class Obedient:
    """A table that shows just what the script expects next, once everything for it has been done."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.done: list[str] = []
        self.choices: list[dict[str, str]] = []
        self._expected = [step.expect for step in steps]
        self.blind = False

    def reach(self, visits: Sequence[Touch], t: float) -> float:
        self.done.append(f"reach {' '.join(visit.square for visit in visits)}")
        return t + 3.0

    def press(self, button: str) -> None:
        self.done.append(f"press {button}")
        if button == "god":
            self.choices = [{"id": "1", "text": "God stone 2."}, {"id": "2", "text": "God stone 4."}]

    def tap(self, action: Mapping[str, Any]) -> None:
        self.done.append(f"tap {action['type']}")

    def choose(self, choice: str) -> None:
        self.done.append(f"choose {choice}")
        self.choices = []

    def shown(self) -> Snapshot:
        view = {} if self.blind or not self._expected else self._expected[0]
        heard = view.get("heard", -1)
        return cast(Snapshot, {"view": view, "heard": heard, "status": {"choices": self.choices}})


def play(script: Script, stage: Obedient, seconds: float, every: float = 0.25) -> Hands:
    state = PACAL.new(PLAYERS, "reference", {}, None)
    hands = Hands(script.steps, PACAL, state, stage)
    t = 0.0
    while t < seconds and not hands.finished:
        hands.advance(t)
        t += every
    return hands


def one_step(action: dict[str, Any], presses: tuple[str, ...] = (), **expect: Any) -> Script:
    script = play_script(PACAL, PLAYERS, "reference", {}, seed=2, max_turns=1)
    return Script(script.opening, (Step(1.0, action, presses, expect),))


def test_a_ship_is_placed_by_a_hand_when_its_time_has_come() -> None:
    script = one_step({"type": "place", "square": "F6"}, heard=0)
    stage = Obedient(script.steps)
    assert play(script, stage, 0.9).finished is False
    assert stage.done == []
    assert play(script, stage, 10).finished is True
    assert stage.done == ["reach F6"]


def test_players_say_what_happened_where_they_are_asked() -> None:
    script = one_step({"type": "place", "square": "F6"}, heard=0)
    stage = Obedient(script.steps)
    stage.blind = True
    stage.choices = [
        {"id": "1", "text": "Red places the ship on F7."},
        {"id": "2", "text": "Red places the ship on F6."},
    ]
    play(script, stage, PATIENCE_SECONDS)
    assert stage.done == ["reach F6", "choose 2"]


def test_what_is_never_shown_is_entered_by_hand_once_and_then_given_up() -> None:
    script = one_step({"type": "place", "square": "F6"}, heard=0)
    stage = Obedient(script.steps)
    stage.blind = True
    hands = play(script, stage, 3 * PATIENCE_SECONDS)
    assert hands.finished
    assert hands.stuck
    assert hands.by_hand == [script.steps[0]]
    assert stage.done == ["reach F6", "tap place"]


def test_a_god_stone_is_pressed_and_named_before_the_ship_flies() -> None:
    state = PACAL.new(PLAYERS, "reference", {}, None)
    for action in ({"type": "place", "square": "F6"}, {"type": "place", "square": "H8"}, {"type": "roll", "face": 5}):
        state = PACAL.apply(state, PACAL.action_from_json(action)).state
    # Not by the rules of round 1, but hands do what the script says; so a later round is set.
    data = PACAL.state_to_json(state) | {"round": 2}
    state = PACAL.state_from_json(data)
    step = Step(0.0, {"type": "fly", "mode": "god", "god": 4, "to": "A1"}, ("god",), {})
    stage = Obedient(())
    hands = Hands((step,), PACAL, state, stage)
    for tick in range(40):
        hands.advance(tick * 0.25)
    assert hands.finished
    assert stage.done == ["press god", "choose 2", "reach F6 A1"]
