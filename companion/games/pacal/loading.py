"""A state from its JSON form; one that is malformed or contradicts itself is refused (protocol, ``set``)."""

from __future__ import annotations

from typing import Any, get_args

from companion.errors import BadLayout, BadState
from companion.games.fields import read_by_player, read_number, read_object, read_players, read_word
from companion.games.pacal.check import check
from companion.games.pacal.ground import Ground, ground
from companion.games.pacal.layout import load_layout
from companion.games.pacal.options import MAX_FACE, options_from_json
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid
from companion.games.pacal.state import GODS, Ending, Phase, State, Supply
from companion.observation import Die
from companion.squares import Square

KEYS = frozenset(State.__slots__) - {"ground"} | {"game"}
PLAYER_COUNTS = range(2, 6)


def state_from_json(data: Any) -> State:
    """A state from its JSON form. Raises BadState that says what is wrong."""
    fields = read_object("the state", data, KEYS)
    if fields["game"] != "pacal":
        raise BadState(f"game is {fields['game']!r}, a state of 'pacal' was expected")
    try:
        players = read_players("Pacal's Rocket", COLOURS, PLAYER_COUNTS, fields["players"])
        options = options_from_json(fields["options"])
        place = ground(load_layout(board_from_json(fields["board"])), len(players))
    except (BadLayout, ValueError) as error:
        raise BadState(str(error)) from None
    state = State(
        board=fields["board"],
        options=options,
        players=players,
        phase=read_word("phase", fields["phase"], get_args(Phase)),
        round=read_number("round", fields["round"], 1),
        starter=read_word("starter", fields["starter"], players),
        to_act=read_word("to_act", fields["to_act"], players),
        roll=_roll(fields["roll"]),
        allowance=read_number("allowance", fields["allowance"], 0, 2),
        ships=read_by_player("ships", fields["ships"], players, lambda where, value: _ship(where, value, place)),
        stones=_stones(fields["stones"], players, place),
        pyramids=_pyramids(fields["pyramids"], players, place),
        supply=read_by_player("supply", fields["supply"], players, _supply),
        track=read_by_player("track", fields["track"], players, lambda where, value: read_number(where, value, 0)),
        ending=None if fields["ending"] is None else read_word("ending", fields["ending"], get_args(Ending)),
        ground=place,
    )
    problem = check(state)
    if problem is not None:
        raise BadState(problem)
    return state


def board_from_json(data: Any) -> str:
    """The name of a board. Raises ValueError for what is no text."""
    if not isinstance(data, str):
        raise ValueError(f"board must be the name of a layout or the path of its file, not {data!r}")
    return data


def _roll(value: Any) -> Die | None:
    if value is None or value == "arrows":
        return None if value is None else "arrows"
    return read_number("roll", value, 1, MAX_FACE)


def _square(where: str, name: Any, place: Ground) -> Square:
    if isinstance(name, str):
        if name in place.district:
            return name
        if name in place.lake:
            raise BadState(f"{where}: {name} is a square of the lake, nothing can stand there")
        if name in place.covered:
            raise BadState(f"{where}: {name} is under a cover with this number of players (SETUP-3)")
    raise BadState(f"{where}: {name!r} is no square of the board")


def _ship(where: str, value: Any, place: Ground) -> Square | None:
    return None if value is None else _square(where, value, place)


def _stones(data: Any, players: tuple[str, ...], place: Ground) -> dict[Square, dict[str, int]]:
    stones: dict[Square, dict[str, int]] = {}
    for name, colours in read_object("stones", data).items():
        where = f"stones on {name}"
        counts = read_object(where, colours)
        if not counts:
            raise BadState(f"{where}: squares with no stone are not listed")
        stones[_square("stones", name, place)] = {
            read_word(where, colour, players): read_number(f"{where}, {colour}", count, 1)
            for colour, count in counts.items()
        }
    return stones


def _pyramids(data: Any, players: tuple[str, ...], place: Ground) -> dict[Square, Pyramid]:
    pyramids: dict[Square, Pyramid] = {}
    for name, pyramid in read_object("pyramids", data).items():
        where = f"the pyramid on {name}"
        fields = read_object(where, pyramid, frozenset(("colour", "floors")))
        colour = read_word(f"{where}: its colour", fields["colour"], players)
        floors = read_number(f"{where}: its number of floors", fields["floors"], 1, MAX_FLOORS)
        pyramids[_square("pyramids", name, place)] = Pyramid(colour, floors)
    return pyramids


def _supply(where: str, data: Any) -> Supply:
    fields = read_object(where, data, frozenset(Supply._fields))
    pyramids = fields["pyramids"]
    if not isinstance(pyramids, list) or len(pyramids) != MAX_FLOORS:
        raise BadState(f"{where}: pyramids must be {MAX_FLOORS} numbers, those with 1 to 5 floors, not {pyramids!r}")
    gods = fields["gods"]
    if not isinstance(gods, list) or any(type(god) is not int or god not in GODS for god in gods):
        raise BadState(f"{where}: gods must be a list of the god stones 2, 4 and 6 that are left, not {gods!r}")
    if gods != sorted(set(gods)):
        raise BadState(f"{where}: each god stone is there once, and they are sorted, not {gods!r}")
    return Supply(
        read_number(f"{where}: stones", fields["stones"], 0),
        tuple(read_number(f"{where}: pyramids with {i} floors", n, 0) for i, n in enumerate(pyramids, 1)),
        tuple(gods),
    )
