"""A table without camera, buttons and page: a session over a real journal, told what happens by the tests."""

from pathlib import Path

import pytest

from companion import games
from companion.journal.replay import replay
from companion.journal.store import Journal
from companion.observation import Reading
from companion.table.outside import Act, Choose, NewGame, Pressed, Settled, Undo
from companion.table.publish import Publisher
from companion.table.session import Session

PACAL = games.get("pacal")
SQUARES = sorted(PACAL.board("reference").squares)


def reading(seen, die=None, chance=None):
    """A reading of a board that is sure of every square; with ``chance`` (a random generator) a less sure one, with one
    square of those that hold nothing that cannot be read at all."""
    squares = {}
    for name in SQUARES:
        content = seen.get(name)
        squares[name] = {content: 1.0}
        if chance is not None:
            doubt = chance.uniform(0.001, 0.02)
            other = chance.choice([None, *seen.values()])
            squares[name] = {content: 1 - doubt, other: doubt} if other != content else {content: 1 - doubt}
    if chance is not None:
        blind = chance.choice([name for name in SQUARES if name not in seen])
        squares[blind] = {None: 0.3, **dict.fromkeys(list(seen.values())[:3], 0.1)}
    return Reading("pacal", "reference", squares, die)


class TableUnderTest:
    """A session with its journal, and short words for what happens around it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = 1_000_000.0
        self.start()

    def start(self):
        """Switch it on, again too."""
        self.journal = Journal.open(self.path, self._clock)
        self.publisher = Publisher()
        self.session = Session(self.journal, self.publisher)

    def restart(self):
        self.journal.close()
        self.start()

    def _clock(self):
        self.now += 1
        return self.now

    @property
    def course(self):
        return self.session._record.now[1]

    @property
    def state(self):
        return self.course.state

    @property
    def snapshot(self):
        return self.publisher.snapshot()

    @property
    def status(self):
        return self.snapshot["status"]

    @property
    def entries(self):
        return [recorded.entry for recorded in self.journal.entries(self.journal.newest())]

    def new_game(self, *players, **options):
        return self.session.handle(NewGame("pacal", players or ("red", "blue"), options=options))

    def settle(self, seen=None, die=None, chance=None):
        """A settled picture of a board; of the one that should be there, when none is given."""
        seen = PACAL.visible(self.state) if seen is None else seen
        return self.session.handle(Settled(reading(seen, die, chance), 0.0, b"jpeg"))

    def press(self, *buttons):
        for button in buttons:
            self.session.handle(Pressed(button, 0.0))
        return self.snapshot

    def act(self, **action):
        return self.session.handle(Act(action, self.snapshot["version"]))

    def choose(self, number=1):
        return self.session.handle(Choose(self.status["choices"][number - 1]["id"], self.snapshot["version"]))

    def undo(self):
        return self.session.handle(Undo())

    def after(self, *actions):
        """The state after actions that happen on the board but were not told yet."""
        state = self.state
        for data in actions:
            state = PACAL.apply(state, PACAL.action_from_json(data)).state
        return state

    def play(self, *actions):
        """Do actions by hand."""
        for data in actions:
            self.act(**data)

    def show(self, *actions, die=None):
        """Do actions on the board, and let the camera see it."""
        return self.settle(PACAL.visible(self.after(*actions)), die)

    def replayed(self):
        """What the journal adds up to."""
        return replay(PACAL, self.journal.entries(self.journal.newest()))


@pytest.fixture
def table(tmp_path):
    table = TableUnderTest(tmp_path / "journal.db")
    yield table
    table.journal.close()


@pytest.fixture
def game():
    return PACAL


@pytest.fixture
def perfect():
    """From what is on a board to a reading of it."""
    return reading


def place(square):
    return {"type": "place", "square": square}


def roll(face):
    return {"type": "roll", "face": face}


def fly(to, mode="straight", **more):
    return {"type": "fly", "mode": mode, "to": to, **more}


def stones(*into):
    return {"type": "stones", "into": list(into), "from": ["supply"] * len(into)}


def build(at, floors, *uses):
    return {"type": "build", "at": at, "floors": floors, "uses": list(uses)}


PASS = {"type": "pass"}


@pytest.fixture
def do():
    """Actions in short words."""

    class Do:
        place, roll, fly, stones, build = map(staticmethod, (place, roll, fly, stones, build))
        PASS = PASS

    return Do


@pytest.fixture
def three(table):
    """Three ships are placed; red has to roll."""
    table.new_game("red", "blue", "green")
    table.play(place("F6"), place("G7"), place("H8"))
    table.settle()
    return table


@pytest.fixture
def second_round(table):
    """Two players; red has to fly in round 2, a 2 is rolled. Under red's ship on F3 lie a red and a blue stone, under
    blue's on G4 a blue one."""
    table.new_game("red", "blue")
    table.play(place("F6"), place("G7"), roll(3), fly("F3"), stones("red"), PASS)
    table.play(roll(3), fly("G4"), stones("blue", "red"), PASS, roll(2))
    table.settle()
    return table


@pytest.fixture
def unbuilt(second_round):
    """As ``second_round``; red has flown on to D3, and may bring in stones and build on F3."""
    second_round.show(fly("D3"))
    return second_round
