"""A game of the journal for other programs: JSON, CSV, or a link that hands the play to the app BG Stats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.errors import JournalError
from companion.games.game import Game
from companion.journal.entries import Recorded
from companion.journal.replay import Course, replay

FORMAT = 1
COLUMNS = ("seq", "time", "player", "what", "points", "why", "action")

BG_STATS_LINK = "https://app.bgstatsapp.com/createPlay.html?data="
"""Opens BG Stats with a play filled in (its documents: 'Linking and pushing to BG Stats from other apps')."""

SOURCE = "Companion"
"""What BG Stats remembers its users' matches of games and players under: it must never change."""


def as_json(game: Game[Any, Any], entries: Sequence[Recorded]) -> str:
    """A game as one JSON object: how it was set up, every action that stands, the last state and the score.

    entries: all of the game. An unfinished game is exported too, with what lies hidden in it.
    """
    course = replay(game, entries)
    data = {
        "format": FORMAT,
        "number": course.number,
        "game": course.started.game,
        "board": course.started.board,
        "options": course.started.options,
        "players": course.started.players,
        "started": _iso(entries[0].t),
        "ended": _iso(_ended(course)) if game.over(course.state) else None,
        "over": game.over(course.state),
        "actions": [
            {
                "seq": line.seq,
                "time": _iso(line.t),
                "player": line.player,
                "action": line.action,
                "why": line.why,
                "events": line.events,
            }
            for line in course.log
            if line.action is not None
        ],
        "state": game.state_to_json(course.state),
        "score": game.score(course.state),
    }
    return json.dumps(data, indent=2)


def as_csv(game: Game[Any, Any], entries: Sequence[Recorded]) -> str:
    """A game as a table: one row for each action that stands, and for each correction and undo."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for line in replay(game, entries).log:
        action = "" if line.action is None else json.dumps(line.action, sort_keys=True)
        writer.writerow(
            (line.seq, _iso(line.t), line.player or "", line.text, line.points or "", line.why or "", action)
        )
    return text.getvalue().rstrip("\n")


def as_bgstats(game: Game[Any, Any], entries: Sequence[Recorded]) -> str:
    """A link that opens BG Stats with the play filled in: date, minutes, players, scores, winners.

    Raises JournalError when the game is not over.
    """
    course = replay(game, entries)
    if not game.over(course.state):
        raise JournalError(f"game {course.number} is not over; BG Stats takes finished games only")
    began, ended = entries[0].t, _ended(course)
    players = _players(game, course)
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{course.number}-{began:.0f}",
        "playDate": f"{datetime.fromtimestamp(began, UTC):%Y-%m-%d %H:%M:%S}",
        "durationMin": max(1, round((ended - began) / 60)),
        "game": {
            "name": game.title,
            "sourceGameId": game.name,
            "highestWins": True,
            "noPoints": not any("score" in player for player in players),
        },
        "players": players,
    }
    return BG_STATS_LINK + quote(json.dumps(play, separators=(",", ":")))


def _players(game: Game[Any, Any], course: Course) -> list[dict[str, Any]]:
    score = game.score(course.state)
    # A game that is won otherwise than by points has no totals.
    totals = {player: result["total"] for player, result in score["players"].items() if "total" in result}
    players = []
    for name in course.started.players:
        player = {"name": name.capitalize(), "sourcePlayerId": name, "winner": name in score["leaders"]}
        player["startPlayer"] = name == course.started.players[0]
        if name in totals:
            player["score"] = totals[name]
            player["rank"] = 1 + sum(total > totals[name] for total in totals.values())
        players.append(player)
    return players


def _ended(course: Course) -> float:
    """When the last thing that stands was accepted: presses and undos after the end do not count."""
    return max(line.t for line in course.log)


def _iso(t: float) -> str:
    return datetime.fromtimestamp(t, UTC).isoformat(timespec="seconds")
