"""What can contradict itself in a state. A state that legal actions lead to passes every one of these checks."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.pacal.pieces import PYRAMIDS, STONES
from companion.games.pacal.state import State, starter_of
from companion.games.phrases import counted


def check(state: State) -> str | None:
    """What is wrong with a state, in a sentence for people, or None when nothing is."""
    for problems in (_board, _pieces, _phase, _players, _end):
        for problem in problems(state):
            return problem
    return None


def _board(state: State) -> Iterator[str]:
    """Things that cannot stand where they do."""
    ships: dict[str, str] = {}
    for colour, square in state.ships.items():
        if square is None:
            continue
        if square in ships:
            yield f"two ships, {ships[square]} and {colour}, are on {square} (FLY-8)"
        ships[square] = colour
        if square in state.pyramids:
            yield f"the {colour} ship is on {square}, where there is a pyramid (FLY-8)"
    for name, colours in state.stones.items():
        if name in state.pyramids:
            yield f"there are stones and a pyramid on {name} (BUILD-3)"
        for colour, count in colours.items():
            if count > 1 and name not in ships:
                yield f"{count} {colour} stones can be seen on {name}; two of a colour go back to the supply (FLY-2)"


def _pieces(state: State) -> Iterator[str]:
    """Pieces that are too many or too few (SETUP-2)."""
    for player in state.players:
        supply = state.supply[player]
        stones = supply.stones + sum(colours.get(player, 0) for colours in state.stones.values())
        if stones != STONES:
            yield f"{player} has {stones} stones in the supply and on the board together; there are {STONES} (SETUP-2)"
        for floors, known in enumerate(PYRAMIDS, 1):
            built = sum(pyramid == (player, floors) for pyramid in state.pyramids.values())
            if built + supply.pyramids[floors - 1] != known:
                yield (
                    f"{player} has {built + supply.pyramids[floors - 1]} pyramids of {floors} floors in the supply and "
                    f"on the board together; there are {known} (SETUP-2)"
                )


def _phase(state: State) -> Iterator[str]:
    """Roll and allowance that do not fit the phase."""
    if state.phase in ("fly", "stones", "build"):
        if state.roll is None:
            yield f"the phase is {state.phase}, but nothing has been rolled (ROUND-1)"
        elif state.roll not in state.options.faces:
            yield f"roll is {state.roll!r}, which is not on the die: {', '.join(map(str, state.options.faces))} (R-DIE)"
    elif state.roll is not None:
        yield f"the phase is {state.phase}, so roll must be null, not {state.roll!r}"
    if state.phase == "stones" and not state.allowance:
        yield "the phase is stones, but no stone may be brought in (TURN-1)"
    if state.phase != "stones" and state.allowance:
        yield f"the phase is {state.phase}, so allowance must be 0, not {state.allowance}"


def _players(state: State) -> Iterator[str]:
    """Whose turn it cannot be."""
    starter = starter_of(state.players, state.round, state.first_rotates)
    if state.starter != starter:
        yield f"round {state.round} is started by {starter}, not by {state.starter} (ROUND-1)"
    missing = [player for player in state.players if state.ships[player] is None]
    if state.phase == "place":
        yield from _placing(state, missing)
    elif missing:
        yield f"the ship of {missing[0]} is not on the board, and the phase is {state.phase} (SETUP-4)"
    if state.phase == "roll" and len(state.players) > 2 and state.to_act != state.starter:
        yield f"{state.starter} starts the round and rolls, not {state.to_act} (ROUND-1)"


def _placing(state: State, missing: list[str]) -> Iterator[str]:
    """While ships are placed, in turn order on the sacred district, nothing else has happened (SETUP-4)."""
    if not missing:
        yield "the phase is place, but all ships are on the board (SETUP-4)"
    elif tuple(missing) != state.players[-len(missing) :]:
        yield f"ships are placed in turn order, so {missing[0]} cannot have been left out (SETUP-4)"
    elif state.to_act != missing[0]:
        yield f"the next ship to be placed is that of {missing[0]}, not of {state.to_act} (SETUP-4)"
    for player, square in state.ships.items():
        if square is not None and square not in state.ground.sacred:
            yield f"the {player} ship is placed on {square}, which is not in the sacred district (SETUP-4)"
    untouched = all(supply.pyramids == PYRAMIDS and len(supply.gods) == 3 for supply in state.supply.values())
    if state.round != 1 or state.stones or not untouched or any(state.track.values()):
        yield "the ships are still being placed, but there is more on the board or on the track already (SETUP-4)"


def _end(state: State) -> Iterator[str]:
    """An end that has not come, or has been missed (END-1 to END-3)."""
    left = {player: sum(supply.pyramids) for player, supply in state.supply.items()}
    reached = [player for player, points in state.track.items() if points >= state.target]
    for player, count in left.items():
        if count == 0 or (count == 1 and not (state.ending == "penultimate" and player == state.to_act)):
            left_over = counted(count, "pyramid")
            yield f"{player} has {left_over} left: the game ended with the last but one that was built (END-1)"
    if state.ending == "penultimate":
        if left[state.to_act] != 1:
            left_over = counted(left[state.to_act], "pyramid")
            yield f"ending is penultimate, but {state.to_act} has {left_over} left, not 1 (END-1)"
        if state.phase != "over":
            yield f"ending is penultimate, so the phase must be over, not {state.phase} (END-1)"
        return
    if (state.ending == "target") != bool(reached):
        yield (
            f"ending is {state.ending!r}, but {'nobody' if not reached else reached[0]} has reached the "
            f"{state.target} points that end the game ({_rule(state)})"
        )
    if state.ending is None and state.phase == "over":
        yield "the phase is over, but ending does not say why (END-1 to END-3)"
    if state.ending == "target":
        yield from _after_target(state, reached)


def _after_target(state: State, reached: list[str]) -> Iterator[str]:
    """Who can be at it once a player has the points that end the game."""
    if len(state.players) == 2:
        if state.phase != "over" or reached != [state.to_act]:
            yield f"{reached[0]} has {state.target} points or more, so their turn was the last one (END-3)"
        return
    last = state.after(state.to_act) == state.starter
    if state.phase == "over" and not last:
        yield f"the round is played to its end, but {state.to_act} is not the last in it (END-2)"
    if state.phase == "roll":
        yield "the points that end the game were reached, so there is no new round (END-2)"
    # Who scores is at it (SCORE-1): points of an earlier round would have made that the last one.
    waiting = () if state.phase == "over" else tuple(_still_to_come(state))
    for player in reached:
        if player in waiting:
            yield (
                f"{player} has {state.target} points or more, so this is the last round, "
                f"but {player} has had no turn in it yet (END-2)"
            )


def _still_to_come(state: State) -> Iterator[str]:
    """The player to act and those after them in this round."""
    player = state.to_act
    yield player
    while (player := state.after(player)) != state.starter:
        yield player


def _rule(state: State) -> str:
    return "END-3" if len(state.players) == 2 else "END-2"
