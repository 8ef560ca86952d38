"""Which faces of the die are no roll, because they lay there before."""

from __future__ import annotations

from typing import Any

from companion.games.game import Game
from companion.observation import Die, Reading
from companion.referee.weigh import SURE, Explanation


class OldFaces:
    """The faces that the die was seen to show, or rolled, before the roll that is due: none of them is that roll.

    Until a picture was seen it is any face: the die that lies there then may have lain there for long.
    """

    def __init__(self, rolled: Die | None) -> None:
        """rolled: the face that was rolled last."""
        self._faces: set[Die | None] = {rolled}
        self._any = True

    def __contains__(self, face: Die | None) -> bool:
        return self._any or face in self._faces

    def add(self, face: Die | None) -> None:
        """The die shows this face, and that is not the roll that is due."""
        self._faces.add(face)

    def look(self, face: Die | None) -> None:
        """A picture shows this face; in the first one it lay there before."""
        if self._any:
            self._faces.add(face)
            self._any = False

    def rolled(self, face: Die) -> None:
        """The die was rolled and shows this face: the next roll may be any other."""
        self._faces = {face}


def seen_roll(game: Game[Any, Any], state: Any, reading: Reading, old_faces: OldFaces) -> Explanation | None:
    """The roll that a picture shows, when another face surely lies there than before."""
    die = reading.die
    if die is None or die in old_faces or reading.die_confidence < SURE:
        return None
    rolls = [action for action in game.legal(state) if game.action_to_json(action)["face"] == die]
    return Explanation((rolls[0],), game.apply(state, rolls[0]).state) if rolls else None
