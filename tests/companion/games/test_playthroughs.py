"""Whole games as text, replayed and compared line by line: a changed rule shows as a difference that people can read.

``python tests/companion/games/test_playthroughs.py`` replays the actions of each file and writes what comes out; with
the names of files that are not there yet it plays new games, by a chance that the name seeds.
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
from companion.games.game import Game, canonical

FOLDER = Path(__file__).parent / "playthroughs"
BEGIN, ACTION = "new ", "> "


def told(game: Game[Any, Any], state: Any) -> Iterator[str]:
    """A position, as far as a reader of the file wants to follow it."""
    public = game.view(state, "public")
    track = ", ".join(f"{player} {points}" for player, points in public["track"].items())
    legal = game.legal(state)
    yield f"  {public['phase']} · round {public['round']} · {public['to_act']} · track {track} · {len(legal)} legal"
    seen = game.visible(state)
    yield "  " + "; ".join(f"{place} {game.name_content(seen[place])}" for place in sorted(seen))


def replay(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a playthrough, from its first line and its actions alone."""
    game: Game[Any, Any] | None = None
    state: Any = None
    for line in lines:
        if line.startswith(BEGIN):
            start = json.loads(line.removeprefix(BEGIN))
            game = games.get(start["game"])
            state = game.new(start["players"], start["board"], start["options"], None)
            yield line
        elif line.startswith(ACTION) and game is not None:
            round_ = game.view(state, "public")["round"]
            state, events = game.apply(state, game.action_from_json(json.loads(line.removeprefix(ACTION))))
            yield line
            yield from (f"  {event['text']}" for event in events)
            if game.over(state) or round_ != game.view(state, "public")["round"]:
                yield from told(game, state)
    assert game is not None
    yield f"score {canonical(game.score(state))}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_whole_game_goes_as_written_down(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, (got, right) in enumerate(zip(replay(lines), lines, strict=True), 1):
        assert got == right, f"line {number} of {path.name}"


def play(start: dict[str, Any], chance: random.Random) -> Iterator[str]:
    """A new game: whoever can build does, as high as can be, and stones are brought in whenever they can be."""
    game = games.get(start["game"])
    state = game.new(start["players"], start["board"], start["options"], None)
    yield BEGIN + canonical(start)
    while not game.over(state):
        actions = [game.action_to_json(action) for action in game.legal(state)]
        best = max(map(_worth, actions))
        action = chance.choice([action for action in actions if _worth(action) == best])
        state = game.apply(state, game.action_from_json(action)).state
        yield ACTION + canonical(action)


def _worth(action: dict[str, Any]) -> int:
    if action["type"] == "fly":
        return 0 if "god" in action else 1
    return int(action.get("floors", 0)) + len(action.get("into", []))


NEW_GAMES: dict[str, dict[str, Any]] = {
    "pacal-three.txt": {"game": "pacal", "players": ["red", "green", "blue"], "board": "reference", "options": {}},
    "pacal-two-master.txt": {
        "game": "pacal",
        "players": ["purple", "yellow"],
        "board": "reference",
        "options": {"master": True, "tilted_squares": True, "target": 25, "two_player_rotation": True},
    },
}


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for path in [FOLDER / name for name in names] or sorted(FOLDER.glob("*.txt")):
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines()
        else:
            lines = list(play(NEW_GAMES[path.name], random.Random(path.name)))
        path.write_text("\n".join(replay(lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
