"""Who leads, and how many pieces everybody has (spec: pacru, Score)."""

from __future__ import annotations

from typing import Any

from companion.games.pacru.state import State


def score(state: State) -> dict[str, Any]:
    """The score as it stands; when the game is over, the winner leads alone."""
    colours = [chevron.colour for chevron in state.chevrons.values()]
    return {
        "over": state.phase == "over",
        "players": {
            player: {
                "markers": state.on_board(player),
                "supply": state.supply[player],
                "chevrons": colours.count(player),
            }
            for player in state.players
        },
        "leaders": leaders(state),
    }


def leaders(state: State) -> list[str]:
    """The winner; before the end all who are not out and have most markers on the board, in turn order."""
    if state.winner is not None:
        return [state.winner]
    playing = [player for player in state.players if player not in state.out]
    most = max(map(state.on_board, playing))
    return [player for player in playing if state.on_board(player) == most]
