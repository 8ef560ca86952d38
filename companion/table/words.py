"""What the session says to people. Only what everybody at the table may know comes in here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from companion.games.game import Game, Press
from companion.observation import Place, Seen
from companion.referee.weigh import Explanation

MAX_SQUARES = 4
"""So many squares are named in a sentence; people see the rest on the board."""

SETUP = "No game is on. Choose the game and who plays."
HANDS = "Waiting until no hand is over the board."
MOVING = "Waiting until the board is still."
DEAD = "No picture comes from the camera: look at its cable. Meanwhile the game can be kept by hand."
DONE_WAITS = "'Done' waits until the board can be seen; or choose here how the turn ended."
DONE_AGAIN = "If nothing was built, press 'done' again; else choose the build here."
DEFERRED_UNDONE = "The last press is taken back; 'done' still waits for the picture."
DONE_TWICE = "'Done' was heard twice; once is enough."
UNCOUNTED = "What is heard after that does not count: press it when the board has been read."
UNCLEAR = "What was heard after 'done' was pressed twice is not counted: press it again."
UNDONE = (
    "Taken back. The board still shows it: nothing is taken from the picture until the board is changed, "
    "'done' is pressed or something is chosen here."
)
ROLL_FIRST = "If the die was rolled, tap what it shows."
INCOMPLETE = "What was heard is not a whole yet. Press what is missing, or take the last press back."
WHETHER = "What happened, if anything?"
KEEP = "Nothing happened: the page is right, the picture is not."
STALE = "the table has moved on since; look again and choose again"


def lost(why: str) -> str:
    """That the newest game cannot be gone on with, and what can be done."""
    return f"The last game cannot be gone on with: {why}. It is still in the journal. Start a new game."


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:].removesuffix(".") + "."


def turn(player: str, rolls: bool, die: Any, rolled: bool, pending: Iterable[Press]) -> str:
    """Whose turn it is, and what was heard that waits for the picture.

    die: the face that lies on the table while it is to be rolled, None when there is none or it has just been rolled.
    rolled: whether that is the face that was rolled last. If it is not, nobody knows since when it lies there.
    """
    if rolls and die is not None:
        again = f"If it shows {_face(die)} again, tap that here"
        already = "" if rolled else f", also if {_face(die)} is the roll already"
        return f"{player.capitalize()} rolls the die. {again}{already}."
    text = f"{player.capitalize()} rolls the die." if rolls else f"{player.capitalize()}'s turn."
    return text + heard(pending)


def heard(pending: Iterable[Press]) -> str:
    """What was heard that waits for the picture; nothing when there is none."""
    said = _list([press_name(press) for press in pending])
    return f" Heard: {said}." if said else ""


def deferred(game: Game[Any, Any], buttons: Iterable[str]) -> str:
    """What was heard that counts once 'done' is answered; nothing when there is none."""
    names = ["a stone" if button in game.colours else f"'{button}'" for button in buttons]
    if names[:1] == ["'done'"]:
        return DONE_TWICE if set(names) == {"'done'"} else f"{DONE_TWICE} {UNCOUNTED}"
    return f"Heard for the next turn: {_list(names)}." if names else ""


def kept(squares: Sequence[Place]) -> str:
    """On which squares people know better than the picture; nothing when there is none."""
    return f" Kept by hand, not by the picture: {', '.join(squares)}." if squares else ""


def press_name(press: Press) -> str:
    """A press in words; it never tells into which ship a stone went."""
    match press.to_json():
        case {"press": "god", "value": value}:
            return f"god stone {value}"
        case {"press": "stone"}:
            return "a stone"
        case {"press": name}:
            return f"'{name}'"
    return "a button"


def happened(game: Game[Any, Any], state: Any, turns: Sequence[Explanation]) -> str:
    """Actions from a state on, as one sentence for a button."""
    texts = []
    for explanation in turns:
        for action in explanation.actions:
            texts.append(game.describe(action, game.to_act(state)))
            state = game.apply(state, action).state
    return sentence("; ".join(texts))


def unexplained(game: Game[Any, Any], now: Seen, seen: Seen, squares: Sequence[Place]) -> str:
    """That nothing allowed leads to what is seen, and what is seen where.

    now: what was to be seen before, which everybody may know; what was expected afterwards may lie under a ship.
    """
    told = [
        f"{name} holds {game.name_content(seen.get(name))}, not {game.name_content(now.get(name))}"
        for name in squares[:MAX_SQUARES]
        if seen.get(name) != now.get(name)
    ]
    if not told:
        return "The board cannot be made out well enough to go on."
    more = "…" if len(squares) > len(told) else "."
    return f"No move that is allowed now leads to this: {'; '.join(told)}{more}"


def unfitting(game: Game[Any, Any], button: str, player: str) -> str:
    """That a button means nothing now."""
    if button == "done":
        return f"'Done' was pressed, but {player} cannot end the turn now: it was not counted."
    if button == "god":
        return f"The god button was pressed, but {player} cannot use a god stone now: it was not counted."
    if button in game.colours:
        return f"A stone was heard, but {player} cannot bring in that stone now: it was not counted."
    return f"There is no button {button!r} in this game."


def over(leaders: Sequence[str]) -> str:
    """Who has won."""
    names = " and ".join(leader.capitalize() for leader in leaders)
    return f"The game is over: {names} {'wins' if len(leaders) == 1 else 'win together'}."


def _list(names: Sequence[str]) -> str:
    """Names of presses in their order, stones that follow each other counted."""
    rows = [(name, len(list(same))) for name, same in groupby(names)]
    return ", ".join(f"{count} stones" if name == "a stone" and count > 1 else name for name, count in rows)


def _face(die: Any) -> str:
    return f"the {die}" if isinstance(die, str) else str(die)
