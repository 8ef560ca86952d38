"""Pacal's Rocket: its rules, and the face that every game shows (spec: pacal)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from companion.boards import Board
from companion.errors import BadCommand
from companion.games.fields import read_players
from companion.games.game import Game, Press, Step, Turn
from companion.games.options import Option
from companion.games.pacal import explain, outlook, scoring, turn, view, words
from companion.games.pacal.actions import Action, BringIn, Fly, Pass, action_from_json
from companion.games.pacal.events import events
from companion.games.pacal.ground import ground
from companion.games.pacal.layout import load_layout
from companion.games.pacal.loading import PLAYER_COUNTS, state_from_json
from companion.games.pacal.options import OPTIONS, options_from_json
from companion.games.pacal.pieces import (
    COLOURS,
    DonePress,
    GodPress,
    StonePress,
    press_from_json,
    squares_from_json,
)
from companion.games.pacal.refusal import why_not
from companion.games.pacal.state import State, Supply
from companion.observation import Place, Seen, squares_to_json

__all__ = ["GAME", "PacalsRocket"]


class PacalsRocket:
    """Pacal's Rocket as a ``Game``."""

    name: str = "pacal"
    title: str = "Pacal's Rocket"
    colours: tuple[str, ...] = COLOURS
    players = PLAYER_COUNTS
    options: tuple[Option, ...] = OPTIONS
    buttons: tuple[str, ...] = (*COLOURS, "god", "done")

    def board(self, board: str) -> Board:
        return load_layout(board).board()

    def new(
        self,
        players: Sequence[str],
        board: str,
        options: Mapping[str, Any],
        seed: int | None,
        more: Mapping[str, Any] | None = None,
    ) -> State:
        """Nothing is drawn at the start, so the seed changes nothing; there is nothing more to be given."""
        if more:
            raise BadCommand(f"a new game of {self.title} takes no {', '.join(sorted(more))}")
        try:
            seats = read_players(self.title, self.colours, PLAYER_COUNTS, players)
            rulings = options_from_json(options)
        except ValueError as error:
            raise BadCommand(str(error)) from None
        layout = load_layout(board)
        return State(
            board=board,
            options=rulings,
            players=seats,
            phase="place",
            round=1,
            starter=seats[0],
            to_act=seats[0],
            roll=None,
            allowance=0,
            ships=dict.fromkeys(seats),
            stones={},
            pyramids={},
            supply=dict.fromkeys(seats, Supply()),
            track=dict.fromkeys(seats, 0),
            ending=None,
            ground=ground(layout, len(seats)),
        )

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
        if not turn.is_legal(state, action):
            raise why_not(state, action)
        following = turn.after(state, action)
        return Step(following, events(state, action, following))

    def to_act(self, state: State) -> str:
        return state.to_act

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def visible(self, state: State) -> Seen:
        return view.visible(state)

    def seen_to_json(self, seen: Seen) -> dict[str, Any]:
        return {"squares": squares_to_json(seen)}

    def seen_from_json(self, message: Mapping[str, Any]) -> Seen:
        try:
            return squares_from_json(message.get("squares"))
        except ValueError as error:
            raise BadCommand(f"squares: {error}") from None

    def press_from_json(self, data: Any) -> Press:
        try:
            return press_from_json(data)
        except ValueError as error:
            raise BadCommand(str(error)) from None

    def presses(self, state: State, button: str) -> list[Press]:
        if state.phase == "over":
            return []
        if button == "done":
            return [DonePress()]
        if button == "god" and state.phase in ("roll", "fly"):
            return [GodPress(value) for value in state.supply[state.to_act].gods]
        if state.ships.get(button) is not None:
            return [StonePress(button)]
        return []

    def told(self, action: Action) -> tuple[Press, ...]:
        match action:
            case BringIn(into):
                return tuple(map(StonePress, into))
            case Fly(god=int(value)):
                return (GodPress(value),)
            case Pass():
                return (DonePress(),)
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
        return words.name_piece(content)

    def outlook(self, state: State) -> dict[str, Any]:
        return outlook.outlook(state)

    def drawing(self, state: State) -> dict[str, Any]:
        return outlook.drawing(state)


GAME: Game[State, Action] = PacalsRocket()
