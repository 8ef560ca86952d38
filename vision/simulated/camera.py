"""The simulated camera: a twin of the one above the table, and the hands that play before it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.squares import Square
from vision.frames import Picture
from vision.simulated.choreography import Choreography, Visit, reach
from vision.simulated.scene import Renderer, SceneState, Standing
from vision.simulated.trouble import TROUBLES
from vision.simulated.view import View


class SimulatedCamera:
    """Takes pictures of a table that exists only as values. Every method may be called from any thread.

    renderer: draws the table. clock: tells the time in seconds; whoever runs the camera runs it as fast as they like.
    view: where the camera stands. start: what is before it at first; an empty table in daylight when not given.
    """

    def __init__(
        self, renderer: Renderer, clock: Callable[[], float], view: View | None = None, start: SceneState | None = None
    ) -> None:
        self._renderer = renderer
        self._clock = clock
        self._view = view or View()
        self._scene = start or SceneState()
        self._play: Choreography | None = None
        self._troubles: set[str] = set()
        self._last: Picture | None = None
        self._lock = threading.Lock()

    # -- as the real camera

    def capture(self) -> Picture:
        """The picture of this moment: BGR uint8 of the view's size."""
        t = self._clock()
        with self._lock:
            scene, view = self._at(t), self._view
            troubles = [TROUBLES[name] for name in TROUBLES if name in self._troubles]
            if self._last is not None and any(trouble.frozen for trouble in troubles):
                return self._last.copy()
            for trouble in troubles:
                scene, view = trouble.scene(scene), trouble.view(view)
            picture = self._renderer.render(scene, view, t)
            for trouble in troubles:
                picture = trouble.picture(picture, t)
            self._last = picture
            return picture.copy()

    def close(self) -> None:
        """Nothing is held that must be given back; the camera can still be used."""

    # -- what people do before it

    @property
    def view(self) -> View:
        """Where the camera stands, troubles aside."""
        return self._view

    def scene(self) -> SceneState:
        """What is before the camera now, troubles aside."""
        t = self._clock()
        with self._lock:
            return self._at(t)

    def place(self, square: Square, standing: Standing) -> None:
        """Put this, and nothing else, on a square at once, without a hand."""
        t = self._clock()
        with self._lock:
            self._at(t)
            self._scene = self._scene.placed(square, standing)
            if self._play is not None:
                self._play = replace(self._play, start=self._scene)

    def remove(self, square: Square) -> None:
        """Take everything off a square at once, without a hand."""
        self.place(square, Standing())

    def reach(self, visits: Sequence[Visit], t: float, arm_deg: float = 270.0) -> float:
        """Let a hand visit squares from time t on; returns the time at which it has left the picture.

        arm_deg: where the player sits, as on a map of the board. A hand that is still busy then is waited for.
        """
        now = self._clock()
        with self._lock:
            self._at(now)
            if self._play is not None:
                t = max(t, self._play.ends)
                self._scene, self._play = self._play.at(self._play.ends), None
            self._play = reach(self._scene, visits, t, self._renderer.printed.board, self._view, arm_deg)
            return self._play.ends

    def perform(self, play: Choreography) -> None:
        """Let a hand go any way; the table then is as it is at the way's end."""
        with self._lock:
            self._scene, self._play = play.start, play

    def switch(self, trouble: str, on: bool) -> None:
        """Switch a trouble on or off. Raises KeyError for one that ``trouble.TROUBLES`` does not have."""
        if trouble not in TROUBLES:
            raise KeyError(f"no trouble is called {trouble!r}; there are {', '.join(TROUBLES)}")
        with self._lock:
            (self._troubles.add if on else self._troubles.discard)(trouble)

    def _at(self, t: float) -> SceneState:
        """The scene now; a hand that has left leaves the table as it is."""
        if self._play is None:
            return self._scene
        if t >= self._play.ends:
            self._scene, self._play = self._play.at(t), None
            return self._scene
        return self._play.at(t)
