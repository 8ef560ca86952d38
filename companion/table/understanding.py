"""What a settled picture means in the game that is on: something that happened, a question, or nothing."""

from __future__ import annotations

from typing import Any

from companion.games.game import Game
from companion.journal.replay import Course
from companion.observation import Reading, Seen
from companion.referee.catch_up import catch_up, first_told, until_done
from companion.referee.weigh import Accept, Ask, Explanation, Unexplained, Wait, must_roll, weigh
from companion.table import words
from companion.table.doubt import Doubt, about_turns, about_ways, about_whether
from companion.table.hearing import Ears, agree
from companion.table.old_faces import OldFaces, seen_roll


def understand(
    game: Game[Any, Any],
    course: Course,
    reading: Reading,
    shown: Seen,
    old_faces: OldFaces,
    ears: Ears,
    again: bool,
) -> Explanation | Doubt | None:
    """The one thing that surely happened, after which there may be more in the picture; or what is in doubt. None when
    nothing happened, or it is not known yet what was heard.

    reading: what is believed of the picture, shown: what it shows. old_faces: no roll is due if the die shows one.
    again: whether the board was read more than once; what cannot be made out then is asked, not waited for.
    """
    if game.over(course.state):
        return None
    if must_roll(game, course.state):
        roll = seen_roll(game, course.state, reading, old_faces)
        if roll is not None:
            return roll
    if ears.question is not None:
        return None
    if course.pending and not agree(game, course.state, course.pending):
        return Doubt(words.INCOMPLETE)
    match weigh(game, course.state, reading, course.pending):
        case Accept(explanation):
            return explanation if explanation.actions else None
        case Ask(choices, squares):
            return about_turns(game, course.state, "What happened?", [(one,) for one in choices], squares)
        case Wait(reason, squares, choices):
            text = words.sentence(reason)
            if not (again and choices):
                return Doubt(text, squares)
            return about_whether(game, course.state, f"{text} {words.WHETHER}", choices, squares)
        case Unexplained(squares):
            ways = catch_up(game, course.state, reading, course.pending)
            certain = first_told(ways, course.pending)
            if certain is not None:
                return certain
            ways = until_done(ways) if ears.deferred else ways
            return about_ways(game, course.state, ways, shown, squares)
