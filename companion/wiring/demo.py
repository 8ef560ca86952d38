"""The demo table: a simulated camera, console and players. From the picture and the pin on, all is the real thing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion import games
from companion.boards import name_of
from companion.demo.hands import Hands
from companion.demo.player import play_on
from companion.demo.script import FORMAT, Opening, Script
from companion.demo.touches import Touch, standings
from companion.demo.writing import write_steps
from companion.errors import BadConfig, CompanionError
from companion.table.outside import Act, Choose, Desk, Happening, NewGame
from companion.table.snapshot import Snapshot
from companion.wiring.looking import Looker
from hardware.buttons import Console
from hardware.profile import read_profile
from hardware.simulated import SimulatedConsole
from vision.reader import Reader
from vision.simulated.camera import SimulatedCamera
from vision.simulated.choreography import Visit
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer, Standing
from vision.simulated.setup import write_setup
from vision.simulated.view import View
from vision.sources import Live
from vision.table import Table
from vision.teaching.setup_folder import read_setup
from vision.teaching.teach import teach
from vision.watching.watcher import Watcher

GAME = "pacal"
BOARD = "reference"
PLAYERS = ("red", "blue")
SEAT_DEG = {"red": 270.0, "blue": 80.0}
"""Where the players sit, as on a map of the board."""

VIEW = View(size=(1280, 720))
FPS = 8.0
PAUSE_SECONDS = 60.0
"""How long a finished game is shown before the players begin another."""
CLEARING_SECONDS = 6.0
"""So long before that they have cleared the board: a reading of it that still has pieces would fit no game's start."""


class DemoTable:
    """A table that exists only in this program, and the people who play at it.

    desk: the table's session, as the page has it. on_press: told of each press of a button, as on a Pi. clock: seconds
    from 0; wait: sleeps for so many of its seconds. state: of a game that goes on; None begins a new one. script: what
    is played then; None lets the players play as they like. seed: of the games that they play. view, fps: of the
    camera. say: told what takes a while.
    Raises CompanionError for a script that cannot be played.
    """

    def __init__(
        self,
        desk: Desk,
        on_press: Callable[[str, float], None],
        clock: Callable[[], float],
        wait: Callable[[float], None],
        *,
        state: Any = None,
        script: Script | None = None,
        seed: int = 2,
        view: View = VIEW,
        fps: float = FPS,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._desk = desk
        self._clock = clock
        self._game = games.get(GAME)
        self._seed = seed
        self._script = None if script is None else _checked(script)
        renderer = Renderer(printed_board(GAME, BOARD), seed=seed)
        table = teach_simulated(renderer, view, say)
        self.camera = SimulatedCamera(renderer, clock, view)
        source = Live(self.camera.capture, clock, fps, wait, self.camera.close)
        self._looker = Looker(source, Watcher(table, Reader(table)), table)
        profile = read_profile()
        self._pins = SimulatedConsole(profile, sleep=wait)
        self._console = Console(profile, on_press, clock, self._pins.factory, look_every=None)
        self._player = PLAYERS[0]
        self._rest_until: float | None = None
        self._reach_until = 0.0
        # The line of the log with which the game began that the hands play; None where it began before them.
        self._began: int | None = None
        self.hands = self._sit_down(state)

    def look(self) -> list[Happening] | None:
        """Let the players do what is due, then take the next frame and say what it means."""
        self._play()
        return self._looker.look()

    def signal(self, snapshot: Snapshot) -> None:
        """Look again where something is in doubt; the demo's console has no lamps."""
        self._looker.signal(snapshot)

    def close(self) -> None:
        self._console.close()
        self._looker.close()

    def _play(self) -> None:
        now, shown = self._clock(), self._desk.snapshot()
        self._player = shown["to_act"] or self._player
        if self._begun_by_somebody(shown):
            if now < self._reach_until:
                return
            self._rest_until = None
            # Nothing is hidden in a game that has just begun: what is shown is all of its state.
            self.hands = self._sit_down(self._game.state_from_json(shown["view"]))
        self.hands.advance(now)
        if not self.hands.finished:
            return
        if self._rest_until is None:
            self._rest_until = now + PAUSE_SECONDS
        elif now >= self._rest_until:
            self._rest_until = None
            self._seed += 1
            self.hands = self._sit_down(None)
        elif now >= self._rest_until - CLEARING_SECONDS:
            self._clear()

    def _begun_by_somebody(self, shown: Snapshot) -> bool:
        """Whether a game has just begun that the players did not begin: they play that one, then."""
        return len(shown["log"]) == 1 and shown["log"][0]["seq"] != self._began

    def _sit_down(self, state: Any) -> Hands:
        """Players begin a game, or go on with one: its pieces are on the board."""
        script = self._script if state is None else None
        if state is None:
            opening = script.opening if script else Opening(FORMAT, GAME, PLAYERS, BOARD)
            self._desk.do(NewGame(GAME, opening.players, BOARD, opening.options))
            state = self._game.new(opening.players, BOARD, opening.options, None)
        self._began = self._desk.snapshot()["log"][0]["seq"]
        # Stones that were heard before a pulled plug: the players take the presses back, and will make them again.
        for _ in range(self._desk.snapshot()["heard"]):
            self.press("undo")
        self._clear()
        for square, here in standings(self._game.state_to_json(state)).items():
            self.camera.place(square, Standing(*here))
        self.steps = script.steps if script else play_on(self._game, state, self._seed)
        return Hands(self.steps, self._game, state, self, self._clock())

    def _clear(self) -> None:
        for square in self.camera.scene().squares:
            self.camera.remove(square)

    # -- what the players' hands can do (companion.demo.hands.Stage)

    def reach(self, visits: Sequence[Touch], t: float) -> float:
        there = [Visit(touch.square, Standing(*touch.leaves), touch.carries) for touch in visits]
        self._reach_until = self.camera.reach(there, t, SEAT_DEG.get(self._player, 270.0))
        return self._reach_until

    def press(self, button: str) -> None:
        self._pins.press(button)

    def tap(self, action: Mapping[str, Any]) -> None:
        self._ask(lambda: self._desk.do(Act(action, self._desk.snapshot()["version"])))

    def choose(self, choice: str) -> None:
        self._ask(lambda: self._desk.do(Choose(choice, self._desk.snapshot()["version"])))

    def shown(self) -> Snapshot:
        return self._desk.snapshot()

    def _ask(self, request: Callable[[], object]) -> None:
        try:
            request()
        except CompanionError:
            # A page that refuses says why; players look at it and try again later.
            return


def _checked(script: Script) -> Script:
    """The script itself when the demo table can play it.

    Raises BadConfig for another game or board, IllegalAction for a step that the rules do not allow.
    """
    opening = script.opening
    if (opening.game, opening.board) != (GAME, BOARD):
        raise BadConfig(
            f"the demo table plays {GAME} on board {BOARD!r}, not {opening.game} on {name_of(opening.board)!r}"
        )
    game = games.get(GAME)
    actions = [game.action_from_json(step.action) for step in script.steps]
    write_steps(game, game.new(opening.players, BOARD, opening.options, None), actions)
    return script


def teach_simulated(renderer: Renderer, view: View, say: Callable[[str], None]) -> Table:
    """The table of a simulated camera, learned from its pictures like any other."""
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        say("taking the pictures from which the demo table is learned")
        write_setup(Path(folder), renderer, view)
        return teach(read_setup(Path(folder), lambda game, layout: renderer.printed.board), say)
