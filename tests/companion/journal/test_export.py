"""A game for other programs."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner, Result

from companion import games
from companion.cli.export import command
from companion.errors import JournalError
from companion.journal.entries import Accepted, Started, Undone
from companion.journal.export import BG_STATS_LINK, as_bgstats, as_csv, as_json
from companion.journal.store import Journal

PACAL = games.get("pacal")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """Game 1 is over, game 2 has only begun; a minute between entries."""
    times = (1_700_000_000.0 + 60 * n for n in range(100_000))
    journal = Journal.open(path, lambda: next(times))
    started = Started("pacal", ("red", "blue"), "reference", {"target": 10})
    game = journal.start(started).game
    state, chance = PACAL.new(started.players, started.board, started.options, None), random.Random(1)
    while not PACAL.over(state):
        legal = PACAL.legal(state)
        builds = [action for action in legal if PACAL.action_to_json(action)["type"] == "build"]
        action = chance.choice(builds or legal)
        state = PACAL.apply(state, action).state
        journal.append(game, Accepted((PACAL.action_to_json(action),), "seen"))
    journal.append(journal.start(started).game, Accepted(({"type": "place", "square": "F6"},), "seen"), Undone())
    yield journal
    journal.close()


def test_json_holds_the_whole_game(journal: Journal) -> None:
    data = json.loads(as_json(PACAL, journal.entries(1)))
    state = PACAL.new(data["players"], data["board"], data["options"], None)
    for action in data["actions"]:
        assert action["player"] == PACAL.to_act(state)
        state = PACAL.apply(state, PACAL.action_from_json(action["action"])).state
    assert data["state"] == PACAL.state_to_json(state)
    assert data["score"] == PACAL.score(state)
    assert data["over"]
    assert data["started"] == "2023-11-14T22:13:20+00:00"
    assert data["ended"] > data["started"]


def test_what_was_taken_back_is_not_among_the_actions(journal: Journal) -> None:
    data = json.loads(as_json(PACAL, journal.entries(2)))
    assert data["actions"] == []
    assert not data["over"]
    assert data["ended"] is None


def test_csv_has_a_row_for_each_thing_that_happened_and_adds_up_to_the_track(journal: Journal) -> None:
    rows = list(csv.DictReader(as_csv(PACAL, journal.entries(1)).splitlines()))
    track = json.loads(as_json(PACAL, journal.entries(1)))["state"]["track"]
    for player, points in track.items():
        assert sum(int(row["points"] or 0) for row in rows if row["player"] == player) == points
    actions = [json.loads(row["action"]) for row in rows if row["action"]]
    assert actions[0]["type"] == "place"
    assert rows[-1]["what"].startswith("The game is over")


def test_bg_stats_gets_date_minutes_players_scores_and_winners(journal: Journal) -> None:
    link = as_bgstats(PACAL, journal.entries(1))
    assert link.startswith(BG_STATS_LINK)
    play = json.loads(unquote(link.removeprefix(BG_STATS_LINK)))
    score = json.loads(as_json(PACAL, journal.entries(1)))["score"]
    assert play["playDate"] == "2023-11-14 22:13:20"
    assert play["durationMin"] == len(journal.entries(1)) - 1
    assert play["game"]["name"] == "Pacal's Rocket"
    assert {player["name"]: player["score"] for player in play["players"]} == {
        name.capitalize(): result["total"] for name, result in score["players"].items()
    }
    assert [player["sourcePlayerId"] for player in play["players"] if player["winner"]] == score["leaders"]
    assert [player["startPlayer"] for player in play["players"]] == [True, False]
    assert min(player["rank"] for player in play["players"]) == 1


def test_bg_stats_takes_no_game_that_is_not_over(journal: Journal) -> None:
    with pytest.raises(JournalError, match="game 2 is not over"):
        as_bgstats(PACAL, journal.entries(2))


def run(*arguments: int | str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


@pytest.mark.parametrize(("form", "begins"), [("json", "{"), ("csv", "seq,time,"), ("bgstats", "https://")])
def test_the_command_writes_each_form_while_the_table_has_the_journal_open(
    journal: Journal, path: Path, form: str, begins: str
) -> None:
    for where in (("--journal", path), ("--table", path.parent)):
        result = run(1, "--format", form, *where)
        assert result.exit_code == 0
        assert result.stdout.startswith(begins)
        assert result.stdout.endswith("\n")


def test_a_game_that_is_not_there_is_answered_with_those_that_are(journal: Journal, path: Path) -> None:
    result = run(7, "--journal", path)
    assert isinstance(result.exception, JournalError)
    assert "there is no game 7" in str(result.exception)
    assert "1 (pacal, red, blue, 2023-11-1" in str(result.exception)
    assert "; 2 (pacal" in str(result.exception)


def test_an_empty_journal_says_so(tmp_path: Path) -> None:
    Journal.open(tmp_path / "journal.db", lambda: 0.0).close()
    assert "no game has been started yet" in str(run(1, "--table", tmp_path).exception)


def test_without_a_folder_the_journal_is_looked_for_where_run_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "table/journal.db: there is no journal" in str(run(1).exception)
    (tmp_path / "table").mkdir()
    Journal.open(tmp_path / "table" / "journal.db", lambda: 0.0).close()
    assert "no game has been started yet" in str(run(1).exception)


def test_the_journal_is_the_one_of_the_tables_settings(tmp_path: Path) -> None:
    Journal.open(tmp_path / "evenings.db", lambda: 0.0).close()
    (tmp_path / "companion.toml").write_text('journal = "evenings.db"\n', encoding="utf-8")
    assert "evenings.db; no game has been started yet" in str(run(1, "--table", tmp_path).exception)
