"""For how long a thread has been at one and the same thing: that tells when it hangs."""

from __future__ import annotations

from collections.abc import Callable


class Busy:
    """A context for each thing that a thread does; ``seconds`` may be asked by any other.

    clock: tells the time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """For how long it has been at it; 0 while it does nothing."""
        since = self._since
        return 0.0 if since is None else self._clock() - since

    def __enter__(self) -> None:
        self._since = self._clock()

    def __exit__(self, *_: object) -> None:
        self._since = None
