"""Pin profiles: what is accepted, what is refused and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadConfig
from hardware.profile import BUTTONS, LAST_PIN, RESERVED, read_profile

BUTTON_LINES = "red = 5\nyellow = 6\ngreen = 13\nblue = 19\npurple = 26\ngod = 16\ndone = 20\nundo = 21\n"


def profile_file(folder: Path, text: str) -> Path:
    path = folder / "pins.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_default_profile_has_every_button_and_nothing_else() -> None:
    profile = read_profile()
    assert tuple(profile.button_pins()) == BUTTONS
    assert profile.lamp_pins() == {}
    assert profile.buzzer is None


def test_lamps_and_buzzer_are_optional_one_by_one(tmp_path: Path) -> None:
    path = profile_file(tmp_path, f"buzzer = 25\n[buttons]\n{BUTTON_LINES}[lamps]\nred = 17\nblue = 2\n")
    profile = read_profile(path)
    assert profile.lamp_pins() == {"red": 17, "blue": 2}
    assert profile.buzzer == 25


def test_the_lines_that_the_default_profile_offers_can_be_used(tmp_path: Path) -> None:
    default = (Path(__file__).parents[2] / "hardware" / "pins.toml").read_text(encoding="utf-8")
    offered = [line[2:] for line in default.splitlines() if line.startswith("# ") and ("=" in line or "[" in line)]
    lamps = [line for line in offered if line.split(" = ")[0] in BUTTONS or line == "[lamps]"]
    assert len(lamps) == 6
    assert "buzzer = 25" in offered
    path = profile_file(tmp_path, "\n".join(["buzzer = 25", "[buttons]", BUTTON_LINES, *lamps]))
    assert len(read_profile(path).lamp_pins()) == 5


REFUSED = {
    "a pin used twice": (
        BUTTON_LINES.replace("god = 16", "god = 5"),
        "buttons.god: pin 5 is already that of buttons.red",
    ),
    "a lamp on a button's pin": (
        BUTTON_LINES + "[lamps]\ngreen = 21\n",
        "lamps.green: pin 21 is already that of buttons.undo",
    ),
    "a pin that the header has not": (
        BUTTON_LINES.replace("= 16", "= 28"),
        "buttons.god: the header has the pins 2 to",
    ),
    "a negative pin": (BUTTON_LINES.replace("= 16", "= -1"), "buttons.god: the header has the pins 2 to 27"),
    "a text": (BUTTON_LINES.replace("= 16", '= "GPIO16"'), "buttons.god: a whole number was expected, not 'GPIO16'"),
    "a fraction": (BUTTON_LINES.replace("= 16", "= 1.5"), "buttons.god: a whole number was expected, not 1.5"),
    "true": (BUTTON_LINES.replace("= 16", "= true"), "buttons.god: a whole number was expected, not True"),
    "a missing button": (BUTTON_LINES.replace("god = 16\n", ""), "buttons.god: is missing"),
    "a misspelt button": (BUTTON_LINES + "yelow = 7\n", "buttons.yelow: there is no such key; did you mean yellow?"),
    "a lamp for no player": (BUTTON_LINES + "[lamps]\nundo = 7\n", "lamps.undo: there is no such key; "),
    "an unknown table": (BUTTON_LINES + "[lamp]\nred = 7\n", "lamp: there is no such key; did you mean lamps?"),
    "no number for a lamp": (BUTTON_LINES + '[lamps]\nred = "7"\n', "lamps.red: a whole number was expected, not '7'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_profile_is_refused_with_file_and_key(tmp_path: Path, case: str) -> None:
    text, message = REFUSED[case]
    path = profile_file(tmp_path, "[buttons]\n" + text)
    with pytest.raises(BadConfig) as refused:
        read_profile(path)
    assert str(refused.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize("pin", RESERVED)
def test_reserved_pins_are_refused_with_the_reason(tmp_path: Path, pin: int) -> None:
    path = profile_file(tmp_path, "[buttons]\n" + BUTTON_LINES.replace("red = 5", f"red = {pin}"))
    with pytest.raises(BadConfig, match=f"buttons.red: pin {pin} is reserved, .*{RESERVED[pin]}"):
        read_profile(path)


def test_every_pin_that_is_not_reserved_can_be_a_button(tmp_path: Path) -> None:
    free = [pin for pin in range(2, LAST_PIN + 1) if pin not in RESERVED]
    for start in range(len(free)):
        pins = [free[(start + i) % len(free)] for i in range(len(BUTTONS))]
        lines = [f"{name} = {pin}" for name, pin in zip(BUTTONS, pins, strict=True)]
        path = profile_file(tmp_path, "\n".join(["[buttons]", *lines]))
        assert list(read_profile(path).button_pins().values()) == pins


def test_a_file_that_is_not_there_or_no_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"nowhere\.toml: cannot be read \(No such file"):
        read_profile(tmp_path / "nowhere.toml")
    with pytest.raises(BadConfig, match=r"pins\.toml: is not a TOML file: "):
        read_profile(profile_file(tmp_path, "[buttons\n"))
    (tmp_path / "pins.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadConfig, match=r"pins\.toml: is not a text file"):
        read_profile(tmp_path / "pins.toml")
