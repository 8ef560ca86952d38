"""The hands of the demo table: they carry a script out, as players would, and look at the page before they go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from companion.demo.script import Script, Step
from companion.demo.touches import Touch, standings, touches
from companion.games.game import Game
from companion.table.snapshot import Snapshot

PATIENCE_SECONDS = 20.0
"""How long a step may take to be shown before the players keep it by hand."""


class Stage(Protocol):
    """What hands can do at a table."""

    def reach(self, visits: Sequence[Touch], t: float) -> float:
        """Visit squares one after the other from time t on; returns the time at which the hand has left the picture."""

    def press(self, button: str) -> None:
        """Press a button of the console."""

    def tap(self, action: Mapping[str, Any]) -> bool:
        """Do an action on the page; False when the page did not take it."""


class Hands:
    """Carries a script out step by step: each begins when its time has come and all before it is shown.

    Players wait for the companion too, so a slow computer makes the game longer, never wrong. A step that is not shown
    within PATIENCE_SECONDS is entered by hand and noted in ``by_hand``, as players would do with a misread board.
    """

    def __init__(self, script: Script, game: Game[Any, Any], stage: Stage, shown: Callable[[], Snapshot]) -> None:
        self.by_hand: list[Step] = []
        self._steps = list(script.steps)
        self._game = game
        self._stage = stage
        self._shown = shown
        opening = script.opening
        self._state = game.new(opening.players, opening.board, opening.options, None)
        self._late = 0.0
        self._busy_until = 0.0
        self._doing: Step | None = None
        self._presses: list[str] = []

    @property
    def finished(self) -> bool:
        """Whether all steps have been carried out and shown."""
        return self._doing is None and not self._steps

    def advance(self, t: float) -> None:
        """Do whatever is due at time t, in seconds since the table was started."""
        if t < self._busy_until:
            return
        if self._doing is not None:
            self._finish(self._doing, t)
        elif self._steps and t >= self._steps[0].t + self._late:
            self._begin(self._steps.pop(0), t)

    def _begin(self, step: Step, t: float) -> None:
        before = self._game.state_to_json(self._state)
        action = self._game.action_from_json(step.action)
        self._state = self._game.apply(self._state, action).state
        visits = touches(standings(before), standings(self._game.state_to_json(self._state)))
        self._doing = step
        self._presses = list(step.presses)
        # A god stone is discarded before the ship flies; stones are pressed as they drop.
        if step.action["type"] == "fly":
            self._press_all()
        self._busy_until = self._stage.reach(visits, t) if visits else t
        if step.action["type"] == "roll":
            self._stage.tap(step.action)

    def _finish(self, step: Step, t: float) -> None:
        self._press_all()
        if self._is_shown(step):
            self._doing = None
            if self._steps:
                self._late = max(self._late, t - self._steps[0].t)
        elif t > self._busy_until + PATIENCE_SECONDS:
            self._stage.tap(step.action)
            self.by_hand.append(step)
            self._busy_until = t

    def _press_all(self) -> None:
        while self._presses:
            self._stage.press(self._presses.pop(0))

    def _is_shown(self, step: Step) -> bool:
        snapshot = self._shown()
        view = snapshot["view"] or {}
        return all(
            (snapshot["heard"] if key == "heard" else view.get(key)) == value for key, value in step.expect.items()
        )
