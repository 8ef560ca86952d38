"""Why an action is not legal, by the ID of the rule that it breaks."""

from __future__ import annotations

from companion.errors import IllegalAction
from companion.games.pacal.actions import SUPPLY, Action, BringIn, Build, Fly, Pass, Place, Roll
from companion.games.pacal.building import constellations, filled_gaps, heights_for
from companion.games.pacal.flight import rolled_flights
from companion.games.pacal.state import Phase, State
from companion.games.pacal.stones import origins, ships_to_fill
from companion.games.phrases import counted, listed
from companion.squares import Square

PHASES: dict[Phase, tuple[tuple[type, ...], str]] = {
    "place": ((Place,), "places the ship"),
    "roll": ((Roll,), "rolls the die"),
    "fly": ((Fly,), "flies"),
    "stones": ((BringIn,), "brings in stones, or none"),
    "build": ((Build, Pass), "builds, or passes"),
    "over": ((), ""),
}
"""The actions of each phase, and what the player to act does in it."""


def why_not(state: State, action: Action) -> IllegalAction:
    """The rule that an action breaks; the action must be one that is not legal."""
    kinds, doing = PHASES[state.phase]
    if state.phase == "over":
        return IllegalAction("TURN-1", "the game is over")
    if not isinstance(action, kinds):
        return IllegalAction("TURN-1", f"it is not the time for this: {state.to_act} now {doing}")
    match action:
        case Place(square):
            return _place(state, square)
        case Roll(face):
            return IllegalAction("R-DIE", f"{face} is not on the die: {', '.join(map(str, state.options.faces))}")
        case Fly():
            return _flight(state, action)
        case BringIn():
            return _stones(state, action)
        case Build():
            return _build(state, action)
        case Pass():
            return IllegalAction("BUILD-6", "passing is always allowed here")


def _place(state: State, square: Square) -> IllegalAction:
    if square not in state.ground.sacred:
        return IllegalAction("SETUP-4", f"{square} is not in the sacred district, where ships are placed")
    return IllegalAction("SETUP-4", f"there is a ship on {square} already")


def _why_not_free(state: State, square: Square) -> str | None:
    """Why the player to act cannot fly to a square at all (FLY-8), None when it is free."""
    if square in state.ground.lake:
        return f"{square} is in the lake"
    if square in state.ground.covered:
        return f"{square} is covered with this number of players"
    if square not in state.ground.district:
        return f"{square} is no square of this board"
    if square in state.pyramids:
        return f"there is a pyramid on {square}"
    for colour, ship in state.ships.items():
        if ship == square and colour != state.to_act:
            return f"the {colour} ship is on {square}"
    return None


def _flight(state: State, flight: Fly) -> IllegalAction:
    player, to = state.to_act, flight.to
    start = state.ships[player]
    occupied = _why_not_free(state, to)
    if occupied is not None:
        return IllegalAction("FLY-8", occupied)
    if flight.mode == "god":
        return _god(state, flight)
    if flight.mode == "stranded":
        return IllegalAction("FLY-10", f"{player} is not stranded: there is another flight, or a god stone left")
    if flight.mode == "arrows" and state.roll != "arrows":
        return IllegalAction("FLY-6", f"the die shows {state.roll}, not the arrows")
    if flight.mode != "arrows" and state.roll == "arrows":
        rule = "FLY-4" if flight.mode == "straight" else "FLY-5"
        return IllegalAction(rule, f"the die shows the arrows: there is no {flight.mode} flight without a number")
    if state.round == 1 and flight.mode == "turning":
        return IllegalAction("FLY-9", "in the first round every flight goes straight, out of the sacred district")
    if state.round == 1 and to in state.ground.sacred:
        return IllegalAction(
            "FLY-9", f"in the first round every flight must leave the sacred district, and {to} is in it"
        )
    if flight.mode == "turning":
        if to == start:
            return IllegalAction("FLY-5", f"a turning flight may not end on {to}, where it began")
        return IllegalAction("FLY-5", f"from {start} no way with a turn leads to {to} in exactly {state.roll} squares")
    if flight.mode == "arrows":
        return IllegalAction("FLY-6", f"{to} is not straight ahead of {start}, or the edge or a cover is between")
    return IllegalAction(
        "FLY-4",
        f"from {start} a straight flight goes {state.roll} squares, or up to the last before an obstacle: not to {to}",
    )


def _god(state: State, flight: Fly) -> IllegalAction:
    player = state.to_act
    if flight.god not in state.supply[player].gods:
        return IllegalAction("FLY-7", f"{player} has no god stone {flight.god}")
    if state.round == 1 and rolled_flights(state):
        return IllegalAction(
            "FLY-9", f"in the first round a god stone is for who cannot leave otherwise, and {player} can"
        )
    if state.round == 1:
        return IllegalAction(
            "FLY-9", f"in the first round the god stone leads out of the sacred district, {flight.to} is in it"
        )
    return IllegalAction("FLY-7", f"a god stone takes the ship to another square, and it is on {flight.to} already")


def _stones(state: State, action: BringIn) -> IllegalAction:
    player = state.to_act
    if action.into not in ships_to_fill(state):
        allowed = "one into the own ship" if state.allowance == 1 else "one into the own ship, then one into another's"
        return IllegalAction("STONE-1", f"{player} may bring in none, or {allowed}, not {list(action.into)}")
    if len(action.origin) != len(action.into):
        return IllegalAction("STONE-2", f"{counted(len(action.into), 'stone')} cannot come from {list(action.origin)}")
    supply = state.supply[player].stones
    if not origins(state, len(action.into)):
        return IllegalAction(
            "STONE-2", f"{player} has {counted(supply, 'stone')} in the supply, and too few to be seen"
        )
    if action.origin.count(SUPPLY) < min(supply, len(action.into)):
        return IllegalAction("STONE-2", f"stones come from the supply first, and {player} has {supply} there")
    if action.origin.count(SUPPLY) > supply:
        return IllegalAction("STONE-2", f"{player} has only {counted(supply, 'stone')} in the supply")
    seen = set(state.stones_seen(player))
    for name in action.origin:
        if name not in seen and name != SUPPLY:
            return IllegalAction("STONE-2", f"no stone of {player} can be seen on {name}")
    return IllegalAction(
        "STONE-2", f"'from' names the supply first, then different squares sorted as text: {list(action.origin)}"
    )


def _build(state: State, build: Build) -> IllegalAction:
    player, uses = state.to_act, build.uses
    stones = set(state.stones_seen(player))
    for name in uses:
        pyramid = state.pyramids.get(name)
        if name not in stones and (pyramid is None or pyramid.colour != player):
            return IllegalAction("BUILD-1", f"{name} has no marker of {player} that can be seen")
    known = next((floors for floors, squares in constellations(state, player) if squares == uses), None)
    if known is None:
        return IllegalAction("BUILD-1", f"{_squares(uses)} are no constellation, or are not sorted as text")
    if not stones.intersection(uses):
        return IllegalAction(
            "BUILD-2", f"a constellation has at least one stone, and {_squares(uses)} has only pyramids"
        )
    if state.options.empty_gaps and (filled := filled_gaps(state, known, uses)):
        return IllegalAction("R-GAPS", f"the gaps of the constellation must be empty squares, and {filled[0]} is not")
    if build.at not in uses:
        return IllegalAction(
            "BUILD-3", f"the pyramid goes on a square of the constellation, and {build.at} is not in it"
        )
    heights = heights_for(state, player, known)
    if build.floors not in heights:
        return _wrong_height(state, build, known, heights)
    pyramids = [name for name in uses if name not in stones]
    if state.options.master and (len(pyramids) > 1 or build.at not in pyramids):
        return IllegalAction("BUILD-7", "in the master variant only stones count, and the one pyramid that is replaced")
    return IllegalAction(
        "BUILD-4",
        f"the pyramid on {build.at} has {state.pyramids[build.at].floors} floors: only a lower one is replaced",
    )


def _wrong_height(state: State, build: Build, known: int, heights: tuple[int, ...]) -> IllegalAction:
    player = state.to_act
    if not heights:
        return IllegalAction("BUILD-5", f"{player} has no pyramid of {counted(known, 'floor')} or fewer left")
    if heights == (known,):
        rule = "BUILD-1" if build.floors > known else "BUILD-5"
        allowed = f"the constellation of {_squares(build.uses)} is for {counted(known, 'floor')}"
        return IllegalAction(rule, f"{allowed}, and {player} has such a pyramid: not {build.floors}")
    allowed = listed([str(height) for height in heights])
    return IllegalAction("BUILD-5", f"{player} may use {allowed} floors here, not {build.floors}")


def _squares(names: tuple[Square, ...]) -> str:
    return listed(names) if names else "no squares"
