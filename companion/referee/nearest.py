"""What is wrong when no turn explains what is seen: the turns that come closest, and where they differ from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from companion.games.game import Game, Press
from companion.observation import Place, Seen
from companion.squares import reading_order

MAX_TURNS = 1000
"""How many turns are looked at: enough for almost every position, and few enough to answer at once."""

MAX_ENTRIES = 3
MAX_SQUARES_NAMED = 3


def nearest(game: Game[Any, Any], state: Any, seen: Seen, presses: Sequence[Press]) -> list[dict[str, Any]]:
    """The turns that come closest to what is seen, best first; empty when nothing is seen to have changed.

    Each entry has the ``actions``, the ``squares`` that differ (``seen`` and ``expected``, null for nothing) and a
    ``message`` for people. A turn that fits but for one press stands first, for then a button is what was forgotten.
    """
    if not presses and not _differences(seen, game.visible(state)):
        return []
    entries = list(_by_one_press(game, state, seen, presses))
    ranked = sorted(
        (
            (_differences(seen, game.visible(after)), actions)
            for actions, after in _candidates(game, state, seen, presses)
        ),
        key=lambda entry: (len(entry[0]), len(entry[1])),
    )
    entries += [_entry(game, state, actions, differences) for differences, actions in ranked[:MAX_ENTRIES]]
    return entries[:MAX_ENTRIES]


def _candidates(
    game: Game[Any, Any], state: Any, seen: Seen, presses: Sequence[Press]
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Nothing at all, and the turns that are looked at: those first that change only what is seen to have changed."""
    now = game.visible(state)
    unchanged = [place for place in now if now[place] == seen.get(place)]
    turns = chain(game.turns(state, presses, unchanged), game.turns(state, presses))
    told: set[tuple[Any, ...]] = set()
    yield (), state
    for actions, after in islice(turns, MAX_TURNS):
        if actions not in told:
            told.add(actions)
            yield actions, after


def _differences(seen: Seen, expected: Seen) -> dict[Place, dict[str, Any]]:
    """The places where two boards differ, with the contents of both."""
    places = {place for place, _ in seen.items() ^ expected.items()}
    return {place: {"seen": seen.get(place), "expected": expected.get(place)} for place in places}


def _by_one_press(game: Game[Any, Any], state: Any, seen: Seen, presses: Sequence[Press]) -> Iterator[dict[str, Any]]:
    """Turns that fit exactly if one press had been made besides, or one had not been; the first of each kind."""
    missing = [press for button in game.buttons for press in game.presses(state, button)]
    tries = [("missing", press, [*presses, press]) for press in missing]
    tries += [("too many", press, [*presses[:i], *presses[i + 1 :]]) for i, press in enumerate(presses)]
    told = set()
    for verdict, press, others in tries:
        data = press.to_json()
        kind = (verdict, data["press"])
        explanations = game.explain(state, seen, others) if kind not in told else []
        if explanations:
            told.add(kind)
            wanted = "was not pressed" if verdict == "missing" else "was pressed"
            yield {
                "actions": [game.action_to_json(action) for action in explanations[0]],
                "squares": {},
                "press": {"verdict": verdict, **data},
                "message": f"{_told(game, state, explanations[0])}: the board fits, but {_name(data)} {wanted}.",
            }


def _entry(
    game: Game[Any, Any], state: Any, actions: Sequence[Any], differences: dict[Place, dict[str, Any]]
) -> dict[str, Any]:
    places = sorted(differences, key=reading_order)
    named = [
        f"{place}: {game.name_content(differences[place]['seen'])} seen, "
        f"{game.name_content(differences[place]['expected'])} expected"
        for place in places[:MAX_SQUARES_NAMED]
    ]
    more = len(places) - len(named)
    problem = "; ".join(named) + (f"; and {more} more" if more else "")
    return {
        "actions": [game.action_to_json(action) for action in actions],
        "squares": {
            place: {side: content and content.to_json() for side, content in differences[place].items()}
            for place in places
        },
        "message": f"{_told(game, state, actions)}: {problem or 'the board fits, but not the buttons'}.",
    }


def _told(game: Game[Any, Any], state: Any, actions: Sequence[Any]) -> str:
    player = game.to_act(state)
    return (
        "If " + ", then ".join(game.describe(action, player) for action in actions)
        if actions
        else "If nothing was done"
    )


def _name(press: dict[str, Any]) -> str:
    """A press in words: ``stone (blue)``, ``god (4)``, ``done``."""
    details = ", ".join(str(value) for key, value in press.items() if key != "press")
    return f"{press['press']} ({details})" if details else str(press["press"])
