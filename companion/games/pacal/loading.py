"""A state from its JSON form; one that is malformed or contradicts itself is refused (protocol, ``set``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, get_args

from companion.errors import BadLayout, BadState
from companion.games.pacal.check import check
from companion.games.pacal.ground import Ground, ground
from companion.games.pacal.layout import load_layout
from companion.games.pacal.options import MAX_FACE, options_from_json
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid
from companion.games.pacal.state import GODS, Ending, Phase, State, Supply
from companion.observation import Die
from companion.squares import Square

T = TypeVar("T")

KEYS = frozenset(State.__slots__) - {"ground"} | {"game"}
PLAYER_COUNTS = range(2, 6)


def state_from_json(data: Any) -> State:
    """A state from its JSON form. Raises BadState that says what is wrong."""
    fields = _object("the state", data)
    _keys("the state", fields, KEYS)
    if fields["game"] != "pacal":
        raise BadState(f"game is {fields['game']!r}, a state of 'pacal' was expected")
    try:
        players = players_from_json(fields["players"])
        options = options_from_json(fields["options"])
        place = ground(load_layout(board_from_json(fields["board"])), len(players))
    except (BadLayout, ValueError) as error:
        raise BadState(str(error)) from None
    state = State(
        board=fields["board"],
        options=options,
        players=players,
        phase=_one_of("phase", fields["phase"], get_args(Phase)),
        round=_number("round", fields["round"], 1),
        starter=_one_of("starter", fields["starter"], players),
        to_act=_one_of("to_act", fields["to_act"], players),
        roll=_roll(fields["roll"]),
        allowance=_number("allowance", fields["allowance"], 0, 2),
        ships=_by_player("ships", fields["ships"], players, lambda where, value: _ship(where, value, place)),
        stones=_stones(fields["stones"], players, place),
        pyramids=_pyramids(fields["pyramids"], players, place),
        supply=_by_player("supply", fields["supply"], players, _supply),
        track=_by_player("track", fields["track"], players, lambda where, value: _number(where, value, 0)),
        ending=None if fields["ending"] is None else _one_of("ending", fields["ending"], get_args(Ending)),
        ground=place,
    )
    problem = check(state)
    if problem is not None:
        raise BadState(problem)
    return state


def players_from_json(data: Any) -> tuple[str, ...]:
    """The players in turn order. Raises ValueError for colours that there are not, or a wrong number."""
    if isinstance(data, str) or not isinstance(data, Sequence):
        raise ValueError(f"players must be a list of colours, not {data!r}")
    for colour in data:
        if not isinstance(colour, str) or colour not in COLOURS:
            raise ValueError(f"players: {colour!r} is no colour of this game: {', '.join(COLOURS)}")
    if len(set(data)) != len(data):
        raise ValueError(f"players: each colour can play once only, not {', '.join(data)}")
    if len(data) not in PLAYER_COUNTS:
        raise ValueError(f"players: Pacal's Rocket is for 2 to 5 players, not {len(data)}")
    return tuple(data)


def board_from_json(data: Any) -> str:
    """The name of a board. Raises ValueError for what is no text."""
    if not isinstance(data, str):
        raise ValueError(f"board must be the name of a layout or the path of its file, not {data!r}")
    return data


def _object(where: str, data: Any) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise BadState(f"{where} must be an object, not {data!r}")
    return data


def _keys(where: str, data: Mapping[str, Any], expected: frozenset[str]) -> None:
    for key in sorted(expected - data.keys()):
        raise BadState(f"{where} has no {key!r}")
    for key in sorted(data.keys() - expected):
        raise BadState(f"{where} has {key!r}, which there is not")


def _one_of(where: str, value: Any, known: Sequence[T]) -> T:
    for entry in known:
        if isinstance(value, str) and value == entry:
            return entry
    raise BadState(f"{where} is {value!r}; one of {', '.join(map(str, known))} was expected")


def _number(where: str, value: Any, least: int, most: int | None = None) -> int:
    if type(value) is not int or value < least or (most is not None and value > most):
        bounds = f"from {least}" if most is None else f"from {least} to {most}"
        raise BadState(f"{where} is {value!r}; a whole number {bounds} was expected")
    return value


def _roll(value: Any) -> Die | None:
    if value is None or value == "arrows":
        return None if value is None else "arrows"
    return _number("roll", value, 1, MAX_FACE)


def _by_player(where: str, data: Any, players: tuple[str, ...], read: Callable[[str, Any], T]) -> dict[str, T]:
    fields = _object(where, data)
    _keys(where, fields, frozenset(players))
    return {player: read(f"{where} of {player}", fields[player]) for player in players}


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
    for name, colours in _object("stones", data).items():
        where = f"stones on {name}"
        counts = _object(where, colours)
        if not counts:
            raise BadState(f"{where}: squares with no stone are not listed")
        stones[_square("stones", name, place)] = {
            _one_of(where, colour, players): _number(f"{where}, {colour}", count, 1) for colour, count in counts.items()
        }
    return stones


def _pyramids(data: Any, players: tuple[str, ...], place: Ground) -> dict[Square, Pyramid]:
    pyramids: dict[Square, Pyramid] = {}
    for name, pyramid in _object("pyramids", data).items():
        where = f"the pyramid on {name}"
        fields = _object(where, pyramid)
        _keys(where, fields, frozenset(("colour", "floors")))
        colour = _one_of(f"{where}: its colour", fields["colour"], players)
        floors = _number(f"{where}: its number of floors", fields["floors"], 1, MAX_FLOORS)
        pyramids[_square("pyramids", name, place)] = Pyramid(colour, floors)
    return pyramids


def _supply(where: str, data: Any) -> Supply:
    fields = _object(where, data)
    _keys(where, fields, frozenset(Supply._fields))
    pyramids = fields["pyramids"]
    if not isinstance(pyramids, list) or len(pyramids) != MAX_FLOORS:
        raise BadState(f"{where}: pyramids must be {MAX_FLOORS} numbers, those with 1 to 5 floors, not {pyramids!r}")
    gods = fields["gods"]
    if not isinstance(gods, list) or any(type(god) is not int or god not in GODS for god in gods):
        raise BadState(f"{where}: gods must be a list of the god stones 2, 4 and 6 that are left, not {gods!r}")
    if gods != sorted(set(gods)):
        raise BadState(f"{where}: each god stone is there once, and they are sorted, not {gods!r}")
    return Supply(
        _number(f"{where}: stones", fields["stones"], 0),
        tuple(_number(f"{where}: pyramids with {i} floors", n, 0) for i, n in enumerate(pyramids, 1)),
        tuple(gods),
    )
