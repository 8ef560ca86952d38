"""The hands of the demo table: they carry a script out, as players would, and look at the page before they go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from companion.demo.script import Step
from companion.demo.touches import Touch, standings, touches
from companion.games.game import Game
from companion.table.snapshot import Snapshot
from companion.table.words import sentence

PATIENCE_SECONDS = 20.0
"""How long a step may take to be shown before the players enter it by hand."""

PRESS_SECONDS = 0.4
"""From the press of a button to the next thing that a player does."""

LOOK_SECONDS = 0.05
"""How often players look at the page while they wait."""


class Stage(Protocol):
    """What hands can do at a table, and what players see of the page."""

    def reach(self, visits: Sequence[Touch], t: float) -> float:
        """Visit squares one after the other from time t on; returns the time at which the hand has left the picture."""

    def press(self, button: str) -> None:
        """Press a button of the console."""

    def tap(self, action: Mapping[str, Any]) -> None:
        """Do an action on the page; the page may refuse it."""

    def choose(self, choice: str) -> None:
        """Answer the page's question."""

    def shown(self) -> Snapshot:
        """What the page shows."""


class Hands:
    """Carries a script out step by step: each begins when its time has come and all before it is shown.

    Players wait for the companion too, so a slow computer makes the game longer, never wrong; and where it asks what
    happened, and names what did, they say so. A step that is not shown within PATIENCE_SECONDS is entered by hand, as
    players would do with a misread board, and kept in ``by_hand``. When not even that helps (somebody else has a hand
    in the game), they are ``stuck`` and finished.
    """

    def __init__(
        self, steps: Sequence[Step], game: Game[Any, Any], state: Any, stage: Stage, starts_at: float = 0.0
    ) -> None:
        """steps: of a script. state: from which they go on. starts_at: the time at which it begins, in seconds."""
        self.by_hand: list[Step] = []
        self._game = game
        self._state = state
        self._stage = stage
        self._play = self._all(steps, starts_at)
        self._t = 0.0
        self._wake = 0.0
        self.finished = False
        self.stuck = False

    def advance(self, t: float) -> None:
        """Do whatever is due at time t, in seconds since the table was started."""
        self._t = t
        while not self.finished and t >= self._wake:
            wake = next(self._play, None)
            if wake is None:
                self.finished = True
            else:
                self._wake = wake

    def _all(self, steps: Sequence[Step], late: float) -> Iterator[float]:
        """Carries out step after step, each ``late`` seconds after its time; yields the time at which to go on."""
        for step in steps:
            yield step.t + late
            late = max(late, self._t - step.t)
            yield from self._one(step)
            if self.stuck:
                return

    def _one(self, step: Step) -> Iterator[float]:
        before = standings(self._game.state_to_json(self._state))
        action = self._game.action_from_json(step.action)
        happened = sentence(self._game.describe(action, self._game.to_act(self._state)))
        self._state = self._game.apply(self._state, action).state
        visits = touches(before, standings(self._game.state_to_json(self._state)))
        kind = step.action["type"]
        if kind == "fly":
            yield from self._press(step)  # a god stone is discarded before the ship flies
        elif kind == "roll":
            self._stage.tap(step.action)
        away = self._stage.reach(visits, self._t) if visits else self._t
        if kind == "stones":
            yield from self._press(step)  # as they drop
        yield away
        if kind not in ("fly", "stones"):
            yield from self._press(step)
        yield from self._until_shown(step, happened)

    def _press(self, step: Step) -> Iterator[float]:
        for button in step.presses:
            self._stage.press(button)
            yield self._t + PRESS_SECONDS
            meant = str(step.action.get("god", ""))
            for choice in self._stage.shown()["status"]["choices"]:
                if meant and meant in choice["text"]:
                    self._stage.choose(choice["id"])

    def _until_shown(self, step: Step, happened: str) -> Iterator[float]:
        patience = self._t + PATIENCE_SECONDS
        while not self._is_shown(step):
            for choice in self._stage.shown()["status"]["choices"]:
                if choice["text"] == happened:
                    self._stage.choose(choice["id"])
            if self._t > patience:
                if step in self.by_hand:
                    self.stuck = True
                    return
                self.by_hand.append(step)
                self._stage.tap(step.action)
                patience = self._t + PATIENCE_SECONDS
            yield self._t + LOOK_SECONDS

    def _is_shown(self, step: Step) -> bool:
        snapshot = self._stage.shown()
        shown = {**(snapshot["view"] or {}), "heard": snapshot["heard"]}
        return all(shown.get(key) == value for key, value in step.expect.items())
