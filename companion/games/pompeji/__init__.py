"""Pompeji: its rules, and the face that every game shows (spec: pompeji)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from companion.errors import BadCommand
from companion.games.game import Game, Press, Step, Turn
from companion.games.options import Option
from companion.games.pompeji import beginning, explain, outlook, refusal, scoring, turn, view, words
from companion.games.pompeji.actions import Action, Discard, Draw, Permit, PlaceStatue, action_from_json
from companion.games.pompeji.beginning import PLAYER_COUNTS
from companion.games.pompeji.events import events
from companion.games.pompeji.loading import state_from_json
from companion.games.pompeji.options import OPTIONS
from companion.games.pompeji.pieces import (
    COLOURS,
    DRAWINGS,
    DiscardPress,
    DrawPress,
    PermitPress,
    StatuePress,
    cards_from_json,
    cards_to_json,
    press_from_json,
)
from companion.games.pompeji.state import State
from companion.observation import Place, Seen

__all__ = ["GAME", "Pompeji"]


class Pompeji:
    """Pompeji as a ``Game``."""

    name: str = "pompeji"
    title: str = "Pompeji"
    colours: tuple[str, ...] = COLOURS
    players = PLAYER_COUNTS
    options: tuple[Option, ...] = OPTIONS
    buttons = (*COLOURS, "statue", "discard", *DRAWINGS)

    def board(self, board: str) -> None:
        return None

    def new(
        self,
        players: Sequence[str],
        board: str,
        options: Mapping[str, Any],
        seed: int | None,
        more: Mapping[str, Any] | None = None,
    ) -> State:
        """more: ``deck``, a built-in name or the path of a deck file, and with hidden hands ``start``, the start card.

        There is no printed board, so any but the one that is meant when none is named is refused.
        """
        if board != "reference":
            raise BadCommand(f"{self.title} has no printed board, so there is no {board!r}; deck names its cards")
        return beginning.new(players, options, seed, more or {})

    def state_from_json(self, data: Any) -> State:
        return state_from_json(data)

    def state_to_json(self, state: State) -> dict[str, Any]:
        return state.to_json()

    def action_from_json(self, data: Any) -> Action:
        return action_from_json(data)

    def action_to_json(self, action: Action) -> dict[str, Any]:
        return action.to_json()

    def legal(self, state: State) -> list[Action]:
        return turn.legal(state)

    def apply(self, state: State, action: Action) -> Step[State]:
        broken = refusal.why_not(state, action)
        if broken is not None:
            raise broken
        following = turn.after(state, action)
        return Step(following, events(state, action, following))

    def to_act(self, state: State) -> str:
        return state.to_act

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def visible(self, state: State) -> Seen:
        return view.visible(state.city)

    def seen_to_json(self, seen: Seen) -> dict[str, Any]:
        return {"cards": cards_to_json(seen)}

    def seen_from_json(self, message: Mapping[str, Any]) -> Seen:
        try:
            return cards_from_json(message.get("cards"))
        except ValueError as error:
            raise BadCommand(f"cards: {error}") from None

    def press_from_json(self, data: Any) -> Press:
        try:
            return press_from_json(data)
        except ValueError as error:
            raise BadCommand(str(error)) from None

    def presses(self, state: State, button: str) -> list[Press]:
        """A colour is that player's permit. A discard can be any card that nobody has seen: it tells no hand."""
        if state.phase == "turn" and button in turn.permits(state):
            return [PermitPress(button)]
        if state.phase == "turn" and button == "statue":
            statues = turn.statues(state, turn.places_in(state))
            return [StatuePress(*said) for said in dict.fromkeys((one.building, one.colour) for one in statues)]
        if state.phase == "turn" and button == "discard":
            return [DiscardPress(card) for card in state.unseen()]
        return [DrawPress(drawing) for drawing in turn.choices(state) if drawing == button]

    def told(self, action: Action) -> tuple[Press, ...]:
        match action:
            case PlaceStatue(_, _, building, colour):
                return (StatuePress(building, colour),)
            case Discard(card):
                return (DiscardPress(card),)
            case Permit(player):
                return (PermitPress(player),)
            case Draw(drawing):
                return (DrawPress(drawing),)
        return ()

    def score(self, state: State) -> dict[str, Any]:
        return scoring.score(state)

    def view(self, state: State, viewer: str) -> dict[str, Any]:
        return view.view(state, viewer)

    def turns(
        self, state: State, presses: Sequence[Press], fixed: Collection[Place] = ()
    ) -> Iterator[Turn[State, Action]]:
        return explain.turns(state, presses, fixed)

    def explain(self, state: State, seen: Seen, presses: Sequence[Press]) -> list[tuple[Action, ...]]:
        return explain.explain(state, seen, presses)

    def describe(self, action: Action, player: str) -> str:
        return words.describe(action, player)

    def name_content(self, content: Any) -> str:
        return words.name(content)

    def outlook(self, state: State) -> dict[str, Any]:
        return outlook.outlook(state)

    def drawing(self, state: State) -> dict[str, Any]:
        return outlook.drawing(state)


GAME: Game[State, Action] = Pompeji()
