"""A state from its JSON form; one that is malformed or contradicts itself is refused (protocol, ``set``)."""

from __future__ import annotations

from typing import Any, get_args

from companion.errors import BadLayout, BadState
from companion.games.fields import read_by_player, read_number, read_object, read_players, read_word
from companion.games.pacru.check import check
from companion.games.pacru.ground import load_board
from companion.games.pacru.options import options_from_json
from companion.games.pacru.pieces import COLOURS, FIELDS, HEADINGS, Chevron
from companion.games.pacru.state import SETS, Ending, Phase, State
from companion.squares import Square

KEYS = frozenset(State.__slots__) | {"game"}
PLAYER_COUNTS = range(min(SETS), max(SETS) + 1)


def state_from_json(data: Any) -> State:
    """A state from its JSON form. Raises BadState that says what is wrong."""
    fields = read_object("the state", data, KEYS)
    if fields["game"] != "pacru":
        raise BadState(f"game is {fields['game']!r}, a state of 'pacru' was expected")
    try:
        players = read_players("Pacru", COLOURS, PLAYER_COUNTS, fields["players"])
        options = options_from_json(fields["options"])
        board = _board(fields["board"])
    except (BadLayout, ValueError) as error:
        raise BadState(str(error)) from None
    most = SETS[len(players)].markers
    state = State(
        board=board,
        options=options,
        players=players,
        phase=read_word("phase", fields["phase"], get_args(Phase)),
        turn=read_number("turn", fields["turn"], 1),
        to_act=read_word("to_act", fields["to_act"], players),
        chevrons=_chevrons(fields["chevrons"], players),
        markers=_markers(fields["markers"], players),
        supply=read_by_player(
            "supply", fields["supply"], players, lambda where, value: read_number(where, value, 0, most)
        ),
        out=_out(fields["out"], players),
        winner=None if fields["winner"] is None else read_word("winner", fields["winner"], players),
        ending=None if fields["ending"] is None else read_word("ending", fields["ending"], get_args(Ending)),
    )
    problem = check(state)
    if problem is not None:
        raise BadState(problem)
    return state


def _board(data: Any) -> str:
    if not isinstance(data, str):
        raise ValueError(f"board must be the name of a layout or the path of its file, not {data!r}")
    load_board(data)
    return data


def _field(where: str, name: str) -> Square:
    if name not in FIELDS:
        raise BadState(f"{where}: {name!r} is no field of the board, which are {FIELDS[0]} to {FIELDS[-1]}")
    return name


def _chevrons(data: Any, players: tuple[str, ...]) -> dict[Square, Chevron]:
    chevrons = {}
    for name, chevron in read_object("chevrons", data).items():
        where = f"the chevron on {_field('chevrons', name)}"
        fields = read_object(where, chevron, frozenset(("colour", "heading")))
        colour = read_word(f"{where}: its colour", fields["colour"], players)
        chevrons[name] = Chevron(colour, read_word(f"{where}: its heading", fields["heading"], HEADINGS))
    return chevrons


def _markers(data: Any, players: tuple[str, ...]) -> dict[Square, str]:
    return {
        _field("markers", name): read_word(f"the marker on {name}", colour, players)
        for name, colour in read_object("markers", data).items()
    }


def _out(data: Any, players: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(data, list):
        raise BadState(f"out must be a list of players, not {data!r}")
    out = tuple(read_word("out", player, players) for player in data)
    for player in out:
        if out.count(player) > 1:
            raise BadState(f"out names {player} more than once")
    return out
