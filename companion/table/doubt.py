"""What the session asks: a sentence, the squares in question, and the answers that are offered as buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games.game import Game, Press
from companion.observation import Place, Seen
from companion.referee.catch_up import MAX_WAYS, Way
from companion.referee.weigh import Explanation, must_roll
from companion.table import words
from companion.table.snapshot import Choice


@dataclass(frozen=True)
class Doubt:
    """A question, or only what is wrong when there are no choices.

    turns, presses: what each choice means, by its id: actions that happened (none: the picture is wrong), or a press
    that was meant.
    """

    text: str
    squares: tuple[Place, ...] = ()
    choices: tuple[Choice, ...] = ()
    turns: Mapping[str, Sequence[Explanation]] = field(default_factory=dict)
    presses: Mapping[str, Press] = field(default_factory=dict)

    def asks_the_same(self, other: Doubt | None) -> bool:
        """Whether people read the same question, and the same answers."""
        return other is not None and (self.text, self.squares, self.choices) == (
            other.text,
            other.squares,
            other.choices,
        )


def about_turns(
    game: Game[Any, Any], state: Any, text: str, ways: Sequence[Sequence[Explanation]], squares: Sequence[Place]
) -> Doubt:
    """Which of these happened?"""
    turns = {str(number): way for number, way in enumerate(ways, 1)}
    choices = tuple(Choice(id=id_, text=words.happened(game, state, way)) for id_, way in turns.items())
    return Doubt(text, tuple(squares), choices, turns=turns)


def about_ways(game: Game[Any, Any], state: Any, ways: Sequence[Way], seen: Seen, squares: Sequence[Place]) -> Doubt:
    """Whether one of these ways happened; when there is none, or too many, whether the picture is wrong.

    seen: what the picture shows, squares: where that is not as it was.
    """
    if ways and len(ways) <= MAX_WAYS:
        asked = "It looks as if this happened. Did it?" if len(ways) == 1 else "What happened?"
        return about_turns(game, state, asked, [way.turns for way in ways], squares)
    text = words.unexplained(game, game.visible(state), seen, squares)
    return about_the_picture(f"{words.ROLL_FIRST} {text}" if must_roll(game, state) else text, squares)


def about_whether(
    game: Game[Any, Any], state: Any, text: str, explanations: Sequence[Explanation], squares: Sequence[Place]
) -> Doubt:
    """Did one of these happen, or nothing?"""
    happened = about_turns(game, state, text, [(one,) for one in explanations], squares)
    nothing = about_the_picture(text, squares)
    choices = (*happened.choices, *nothing.choices)
    return Doubt(text, tuple(squares), choices, turns={**happened.turns, **nothing.turns})


def about_the_picture(text: str, squares: Sequence[Place]) -> Doubt:
    """What is wrong, and whether it is the picture."""
    return Doubt(text, tuple(squares), (Choice(id="keep", text=words.KEEP),), turns={"keep": ()})


def about_presses(presses: Sequence[Press]) -> Doubt:
    """Which of these did the button mean?"""
    meant = {str(number): press for number, press in enumerate(presses, 1)}
    choices = tuple(Choice(id=id_, text=words.sentence(words.press_name(press))) for id_, press in meant.items())
    return Doubt("A button was pressed. Which of these was meant? If none, undo.", (), choices, presses=meant)
