"""Whether what somebody tapped was meant for what is on by now."""

from __future__ import annotations

from companion.errors import NotAllowed
from companion.table import words
from companion.table.doubt import Doubt
from companion.table.publish import Publisher


class Versions:
    """Since which version of the snapshot the game, and what is asked, are what they are.

    What is tapped on a page that shows an older one was meant for something else.
    """

    def __init__(self, publisher: Publisher, playing: object) -> None:
        """playing: the game that is on and its course, a new object whenever one of them changes."""
        self._publisher = publisher
        self._changed = self._asked = publisher.next_version
        self._playing = playing
        self._doubt: Doubt | None = None

    def note(self, playing: object, doubt: Doubt | None) -> None:
        """What the next snapshot shows."""
        if playing is not self._playing:
            self.change()
        if doubt is None or not doubt.asks_the_same(self._doubt):
            self._asked = self._publisher.next_version
        self._playing, self._doubt = playing, doubt

    def change(self) -> None:
        """Something else is meant from the next snapshot on."""
        self._changed = self._publisher.next_version

    def published(self, newest: int) -> None:
        """This version is the newest: what changes nothing that is shown has none of its own."""
        self._changed, self._asked = min(self._changed, newest), min(self._asked, newest)

    def refuse_stale(self, version: int | None, question: bool = False) -> None:
        """Raises NotAllowed for a tap on a snapshot from before the game, or for an answer the question, became what it
        is.

        version: that of the page it was tapped on, None when nobody knows. question: whether it answers what is asked.
        """
        since = max(self._asked, self._changed) if question else self._changed
        # One that is still to come is of a run before this one: a Pi without a clock can start in the past.
        if version is not None and not since <= version < self._publisher.next_version:
            raise NotAllowed(words.STALE)
