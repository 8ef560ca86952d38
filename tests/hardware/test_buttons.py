"""What counts as a press, on contacts and through the whole console on simulated pins."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import HardwareError
from hardware.buttons import BOUNCE_S, STUCK_S, Console, Contact
from hardware.profile import BUTTONS, read_profile
from hardware.simulated import SimulatedConsole

PROFILE = read_profile()


class Table:
    """A console on simulated pins, with a clock that only the test moves."""

    def __init__(self) -> None:
        self.t = 100.0
        self.pressed: list[tuple[str, float]] = []
        self.stuck: list[str] = []
        self.pins = SimulatedConsole(PROFILE, sleep=self.wait)
        self.console = self.watch()

    def watch(self) -> Console:
        return Console(
            PROFILE,
            lambda name, t: self.pressed.append((name, t)),
            lambda: self.t,
            self.pins.factory,
            on_stuck=self.stuck.append,
            look_every=None,
        )

    def wait(self, seconds: float) -> None:
        self.t += seconds

    def names(self) -> list[str]:
        return [name for name, _ in self.pressed]


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.console.close()


# -- contacts


def test_a_falling_edge_after_rest_is_a_press() -> None:
    contact = Contact(down=False, since=0.0)
    assert contact.edge(True, 1.0)
    assert not contact.edge(False, 1.2)
    assert contact.edge(True, 1.5)


def test_the_limit_between_bounce_and_press_is_bounce_s() -> None:
    assert Contact(down=False, since=0.0).edge(True, BOUNCE_S)
    assert not Contact(down=False, since=0.0).edge(True, BOUNCE_S * 0.999)


@given(
    presses=st.lists(
        st.tuples(
            st.lists(st.floats(0, BOUNCE_S * 0.99), max_size=7).filter(lambda gaps: len(gaps) % 2 == 0),
            st.floats(BOUNCE_S, STUCK_S),
            st.lists(st.floats(0, BOUNCE_S * 0.99), max_size=7).filter(lambda gaps: len(gaps) % 2 == 0),
            st.floats(BOUNCE_S * 1.01, 60),
        ),
        max_size=6,
    )
)
def test_every_press_counts_once_however_its_contact_bounces(
    presses: list[tuple[list[float], float, list[float], float]],
) -> None:
    contact, t, counted = Contact(down=False, since=-1.0), 0.0, 0
    for going_down, held, coming_up, rested in presses:
        for down, gaps, rest in ((True, going_down, held), (False, coming_up, rested)):
            level = down
            counted += contact.edge(level, t)
            for gap in gaps:
                t += gap
                level = not level
                counted += contact.edge(level, t)
            t += rest
    assert counted == len(presses)


def test_a_press_whose_release_was_lost_before_counts() -> None:
    contact = Contact(down=False, since=0.0)
    assert contact.edge(True, 1.0)
    assert contact.edge(True, 2.0)


def test_an_edge_that_is_told_after_it_was_seen_does_not_count_twice() -> None:
    contact = Contact(down=False, since=0.0)
    assert contact.look(True, 1.08)
    assert not contact.edge(True, 1.0)
    assert not contact.edge(False, 1.2)
    assert contact.edge(True, 1.5)


def test_a_contact_that_is_down_from_the_start_is_no_press_and_gets_stuck() -> None:
    contact = Contact(down=True, since=0.0)
    assert not contact.look(True, 5.0)
    assert contact.gets_stuck(STUCK_S)
    assert not contact.look(False, 20.0)
    assert not contact.look(False, 20.1)
    assert not contact.stuck
    assert contact.look(True, 21.0)


def test_a_contact_is_stuck_once_until_it_has_been_up() -> None:
    contact = Contact(down=True, since=0.0)
    assert not contact.gets_stuck(STUCK_S * 0.999)
    assert contact.gets_stuck(STUCK_S)
    assert not contact.gets_stuck(STUCK_S * 2)
    assert not contact.edge(True, 30)  # an edge that a stuck contact makes out of nothing
    assert not contact.edge(False, 40)
    assert not contact.edge(True, 40 + BOUNCE_S / 2)  # it slipped for a moment
    assert not contact.gets_stuck(60)
    assert not contact.edge(False, 70)
    assert contact.edge(True, 71)


# -- the console


@pytest.mark.parametrize("name", BUTTONS)
def test_each_button_is_heard_by_its_name_and_time(table: Table, name: str) -> None:
    table.pins.press(name)
    assert table.pressed == [(name, 100.0)]


def test_holding_does_not_repeat(table: Table) -> None:
    table.pins.hold("red")
    for _ in range(50):
        table.wait(0.1)
        table.console.look()
    table.pins.release("red")
    assert table.names() == ["red"]


def test_a_bouncing_contact_is_one_press_each_time(table: Table) -> None:
    table.pins.bounces = 5
    for _ in range(3):
        table.pins.press("done")
        table.wait(0.2)
    assert table.names() == ["done"] * 3


def test_two_buttons_pressed_at_once_both_count(table: Table) -> None:
    table.pins.hold("red")
    table.pins.hold("god")
    table.wait(0.1)
    table.pins.release("red")
    table.pins.release("god")
    assert table.names() == ["red", "god"]


def test_pressing_twice_quickly_is_two_presses(table: Table) -> None:
    table.pins.press("yellow", 0.06)
    table.wait(0.06)
    table.pins.press("yellow", 0.06)
    assert table.names() == ["yellow", "yellow"]


def test_a_stuck_button_is_reported_once_and_the_others_go_on(table: Table) -> None:
    table.pins.hold("undo")
    table.wait(STUCK_S - 0.1)
    table.console.look()
    assert table.stuck == []
    table.wait(0.2)
    table.console.look()
    table.console.look()
    assert table.stuck == ["undo"]
    assert table.console.stuck == {"undo"}
    table.pins.press("done")
    assert table.names() == ["undo", "done"]


def test_a_stuck_button_works_again_once_it_came_up(table: Table) -> None:
    table.pins.hold("undo")
    table.wait(STUCK_S)
    table.console.look()
    table.pins.release("undo")
    table.wait(0.1)
    table.console.look()
    assert table.console.stuck == frozenset()
    table.pins.press("undo")
    assert table.names() == ["undo", "undo"]


def test_an_edge_that_was_lost_is_made_good_by_looking(table: Table) -> None:
    table.pins.lose_edges = True
    table.pins.hold("blue")
    table.wait(0.1)
    table.console.look()
    table.wait(0.1)
    table.pins.release("blue")
    table.wait(0.1)
    table.console.look()
    table.pins.lose_edges = False
    table.wait(0.1)
    table.pins.press("blue")
    assert table.names() == ["blue", "blue"]


def test_a_press_after_a_lost_release_counts_even_if_nobody_looked(table: Table) -> None:
    table.pins.hold("green")
    table.wait(0.1)
    table.pins.lose_edges = True
    table.pins.release("green")
    table.pins.lose_edges = False
    table.wait(0.1)
    table.pins.press("green")
    assert table.names() == ["green", "green"]


def test_a_press_that_nothing_proves_is_not_counted(table: Table) -> None:
    table.pins.lose_edges = True
    table.pins.press("purple")
    table.console.look()
    assert table.names() == []


def test_edges_that_are_told_late_keep_their_own_times() -> None:
    pressed: list[float] = []
    pins = SimulatedConsole(PROFILE)
    pins.factory.ticks_diff = lambda later, earlier: 0.4
    console = Console(PROFILE, lambda name, t: pressed.append(t), lambda: 100.0, pins.factory, look_every=None)
    pins.hold("red")
    console.close()
    assert pressed == [99.6]


def test_edges_with_times_of_another_origin_count_when_they_are_told() -> None:
    pressed: list[float] = []
    pins = SimulatedConsole(PROFILE)
    pins.factory.ticks_diff = lambda later, earlier: -1.7e9
    console = Console(PROFILE, lambda name, t: pressed.append(t), lambda: 100.0, pins.factory, look_every=None)
    pins.hold("red")
    console.close()
    assert pressed == [100.0]


def test_a_console_looks_by_itself() -> None:
    heard = threading.Event()
    pins = SimulatedConsole(PROFILE, lose_edges=True)
    console = Console(PROFILE, lambda name, t: heard.set(), time.monotonic, pins.factory, look_every=0.01)
    pins.hold("red")
    assert heard.wait(10)
    console.close()


def test_closing_gives_all_pins_back_and_hears_nothing_more(table: Table) -> None:
    table.console.close()
    table.pins.press("red")
    assert table.names() == []
    again = table.watch()
    table.pins.press("red")
    assert table.names() == ["red"]
    again.close()


def test_pins_that_another_device_holds_are_an_error_that_names_them(table: Table) -> None:
    with pytest.raises(HardwareError, match=r"the red button cannot have pin 5 .*is another program using it"):
        table.watch()


def test_a_computer_without_pins_says_what_to_do() -> None:
    with pytest.raises(HardwareError, match=r"on a Raspberry Pi install python3-lgpio|they need a Raspberry Pi"):
        Console(PROFILE, lambda name, t: None, time.monotonic)


def test_a_folder_in_which_the_library_cannot_make_its_pipe_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # lgpio 0.2.2.0 when it is imported where it may not write: the number of what is not there is an error's.
    (tmp_path / "lgpio.py").write_text("open('.lgd-nfy-3', 'rb')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for module in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(HardwareError, match=r"cannot start \(.*\.lgd-nfy-3'\): .* start in one that can be written to"):
        Console(PROFILE, lambda name, t: None, time.monotonic)


def test_a_button_that_there_is_not_cannot_be_pressed(table: Table) -> None:
    with pytest.raises(HardwareError, match="no button 'orange' on the console, but red, yellow"):
        table.pins.press("orange")
