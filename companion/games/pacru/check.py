"""What can contradict itself in a state. A state that legal actions lead to passes every one of these checks.

Whether the player to act can move is not looked at (spec: pacru, State).
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.pacru.state import SETS, State
from companion.games.phrases import counted


def check(state: State) -> str | None:
    """What is wrong with a state, in a sentence for people, or None when nothing is."""
    for problems in (_board, _pieces, _players, _end):
        for problem in problems(state):
            return problem
    return None


def _board(state: State) -> Iterator[str]:
    """Chevrons that cannot stand where they do."""
    for name, chevron in state.chevrons.items():
        owner = state.markers.get(name, chevron.colour)
        if owner != chevron.colour:
            yield f"on {name} a chevron of {chevron.colour} stands on a marker of {owner} (PACRU-MOVE-3)"


def _pieces(state: State) -> Iterator[str]:
    """Pieces that are too many or too few (PACRU-SETUP-1)."""
    pieces = SETS[len(state.players)]
    on_board, colours = list(state.markers.values()), [chevron.colour for chevron in state.chevrons.values()]
    for player in state.players:
        markers = on_board.count(player) + state.supply[player]
        if markers != pieces.markers:
            yield (
                f"{player} has {counted(markers, 'marker')} in the supply and on the board together; with "
                f"{len(state.players)} players there are {pieces.markers} (PACRU-SETUP-1)"
            )
        if colours.count(player) > pieces.chevrons:
            yield (
                f"{player} has {counted(colours.count(player), 'chevron')}; with {len(state.players)} players there "
                f"are {pieces.chevrons} (PACRU-SETUP-1)"
            )


def _players(state: State) -> Iterator[str]:
    """Players who are in the game and cannot be, or the other way round, while it is on."""
    if state.phase == "over":
        return
    with_chevrons = {chevron.colour for chevron in state.chevrons.values()}
    for player in state.players:
        if player not in with_chevrons and player not in state.out:
            yield f"{player} has no chevron on the board, so out must name {player} (PACRU-OUT-2)"
        if player in with_chevrons and player in state.out:
            yield f"{player} is out, but has a chevron on the board (PACRU-OUT-1)"
        if not state.supply[player]:
            yield f"{player} has put the last marker on the board, so the game is over (PACRU-END-1)"
    if state.to_act in state.out:
        yield f"{state.to_act} is out and cannot be the one to act (PACRU-OUT-1)"


def _end(state: State) -> Iterator[str]:
    """An end that has not come, or does not say who won and why (PACRU-END-1, PACRU-END-2)."""
    for key, value in (("winner", state.winner), ("ending", state.ending)):
        if state.phase == "over" and value is None:
            yield f"the phase is over, so {key} must not be null"
        if state.phase != "over" and value is not None:
            yield f"{key} is {value!r}, so the phase must be over, not {state.phase}"
