"""Whole games as text, replayed and compared line by line: a changed rule shows as a difference that people can read.

``python tests/companion/games/test_playthroughs.py`` replays the actions of each file and writes what comes out; with
the names of files that are not there yet it plays new games. ``--bare FILE`` plays
eight games like them and writes only their actions, for ``companion bench``.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.games.game import Game, Press, canonical

FOLDER = Path(__file__).parent / "playthroughs"
BEGIN, ACTION = "new ", "> "
POSITION_EVERY = 12


def new_game(start: dict[str, Any]) -> tuple[Game[Any, Any], Any]:
    game = games.get(start["game"])
    more = {key: start[key] for key in start.keys() - {"game", "players", "board", "options", "seed"}}
    state = game.new(start["players"], start.get("board", "reference"), start["options"], start.get("seed"), more)
    return game, state


def position(game: Game[Any, Any], state: Any) -> Iterator[str]:
    """A position, as far as a reader of the file wants to follow it."""
    counts = [
        f"{player}: {', '.join(f'{name} {count}' for name, count in own.items())}"
        for player, own in game.score(state)["players"].items()
    ]
    yield f"  {game.to_act(state)} to act, {len(game.legal(state))} legal · {' · '.join(counts)}"
    seen = game.visible(state)
    yield "  " + "; ".join(f"{place} {game.name_content(seen[place])}" for place in sorted(seen))


def replay(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a playthrough, from its first line and its actions alone."""
    game: Game[Any, Any] | None = None
    state: Any = None
    count = 0
    for line in lines:
        if line.startswith(BEGIN):
            game, state = new_game(json.loads(line.removeprefix(BEGIN)))
            yield line
        elif line.startswith(ACTION) and game is not None:
            state, events = game.apply(state, game.action_from_json(json.loads(line.removeprefix(ACTION))))
            yield line
            yield from (f"  {event['text']}" for event in events)
            count += 1
            if game.over(state) or count % POSITION_EVERY == 0:
                yield from position(game, state)
    assert game is not None
    yield f"score {canonical(game.score(state))}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_whole_game_goes_as_written_down(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, (got, right) in enumerate(zip(replay(lines), lines, strict=True), 1):
        assert got == right, f"line {number} of {path.name}"


@pytest.mark.parametrize("name", games.names())
def test_there_are_games_of_each_kind(name: str) -> None:
    starts = [json.loads(path.read_text(encoding="utf-8").splitlines()[0][4:]) for path in FOLDER.glob("*.txt")]
    assert len([start for start in starts if start["game"] == name]) >= 2


def play(start: dict[str, Any], chance: random.Random) -> Iterator[str]:
    """A new game of players who look one action ahead, at a few of the actions they have."""
    game, state = new_game(start)
    yield BEGIN + canonical(start)
    while not game.over(state):
        legal = [game.action_to_json(action) for action in game.legal(state)]
        some = chance.choices(legal, [LIKELY.get(action["type"], 1.0) for action in legal], k=LOOKED_AT)
        actions = [filled_by(chance, action) for action in some]
        player = game.to_act(state)
        ends = [game.apply(state, game.action_from_json(action)).state for action in actions]
        best = max(range(len(ends)), key=lambda i: worth(game.score(ends[i])["players"], player))
        state = ends[best]
        yield ACTION + canonical(actions[best])


def worth(score: dict[str, dict[str, Any]], player: str) -> int:
    """How well a player stands, in the figures that a game's score has."""

    def own(counts: dict[str, Any]) -> int:
        return int(counts.get("total") or 0) + int(counts.get("markers", 0)) + 5 * int(counts.get("chevrons", 0))

    return own(score[player]) * len(score) - sum(map(own, score.values()))


def filled_by(chance: random.Random, action: dict[str, Any]) -> dict[str, Any]:
    """An action with its open choices made."""
    made = dict(action)
    for key, value in action.items():
        if isinstance(value, dict) and "choose" in value:
            picked = sorted(chance.sample(range(len(value["from"])), value["choose"]))
            made[key] = [value["from"][i] for i in picked]
    return made


LOOKED_AT = 8
LIKELY = {"rotate": 0.3, "statue": 0.01, "permit": 0.1, "volcano": 0.3, "pass": 0.1}
"""Actions that players rather leave, beside the others."""

START_CARD = {"building": "temple", "colour": "red", "value": 6}

NEW_GAMES: dict[str, dict[str, Any]] = {
    "pacal-three.txt": {"game": "pacal", "players": ["red", "green", "blue"], "options": {}},
    "pacal-two-master.txt": {
        "game": "pacal",
        "players": ["purple", "yellow"],
        "options": {"master": True, "tilted_squares": True, "target": 25, "two_player_rotation": True},
    },
    "pacru-two.txt": {"game": "pacru", "players": ["red", "yellow"], "options": {}},
    "pacru-four-official.txt": {
        "game": "pacru",
        "players": ["blue", "red", "yellow", "green"],
        "options": {"rules": "official"},
    },
    "pompeji-three.txt": {"game": "pompeji", "players": ["red", "blue", "green"], "options": {}, "seed": 5},
    "pompeji-two-hidden.txt": {
        "game": "pompeji",
        "players": ["yellow", "purple"],
        "options": {"hands": "hidden", "permits": 2},
        "start": START_CARD,
    },
}

CHANCE = {"pacru-two.txt": 23, "pacru-four-official.txt": 15}
"""Seeds of games in which much happens: pincers, connections, meetings, rotations."""

BARE_GAMES, LONGEST_TURN = 8, 6


def bare(path: Path) -> Iterator[str]:
    """The actions of some games of the kind that the file is named after, turn by turn, of all numbers of players."""
    name = path.stem
    game = games.get(name)
    for seed in range(BARE_GAMES):
        count = game.players[seed % len(game.players)]
        start = {"game": name, "players": list(game.colours[:count]), "options": {}, "seed": seed}
        yield from by_turns(list(play(start, random.Random(f"{name} {seed}"))))


def by_turns(lines: list[str]) -> Iterator[str]:
    """The lines of a game with an empty one after each turn: the longest run of actions that explain takes for one."""
    game, state = new_game(json.loads(lines[0].removeprefix(BEGIN)))
    yield lines[0]
    actions = [game.action_from_json(json.loads(line.removeprefix(ACTION))) for line in lines[1:]]
    while actions:
        after, length = state, 1
        told: list[Press] = []
        for count, action in enumerate(actions[:LONGEST_TURN], 1):
            after = game.apply(after, action).state
            told += game.told(action)
            if tuple(actions[:count]) in game.explain(state, game.visible(after), told):
                length = count
        for action in actions[:length]:
            yield ACTION + canonical(game.action_to_json(action))
            state = game.apply(state, action).state
        yield ""
        actions = actions[length:]


def main(names: list[str]) -> None:
    if names[:1] == ["--bare"]:
        Path(names[1]).write_text("\n".join(bare(Path(names[1]))) + "\n", encoding="utf-8")
        return
    FOLDER.mkdir(exist_ok=True)
    for path in [FOLDER / name for name in names] or sorted(FOLDER.glob("*.txt")):
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines()
        else:
            lines = list(play(NEW_GAMES[path.name], random.Random(CHANCE.get(path.name, path.name))))
        path.write_text("\n".join(replay(lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
