"""Settings: defaults, what is accepted, what is refused and how."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.config import Settings, read_settings
from companion.errors import BadConfig


def settings_of(folder: Path, text: str) -> Settings:
    (folder / "companion.toml").write_text(text, encoding="utf-8")
    return read_settings(folder)


def test_a_folder_without_settings_has_the_defaults(tmp_path: Path) -> None:
    settings = read_settings(tmp_path)
    assert settings.page.port == 8000
    assert settings.camera.size == (1536, 864)
    assert settings.journal_path == tmp_path / "journal.db"
    assert settings.pins_path is None


def test_an_empty_file_says_the_same_as_none(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == settings_of(tmp_path, "")


def test_settings_cannot_be_changed(tmp_path: Path) -> None:
    settings = read_settings(tmp_path)
    with pytest.raises(AttributeError):
        settings.page.port = 1  # type: ignore[misc]


def test_what_the_file_says_is_taken_and_the_rest_stays(tmp_path: Path) -> None:
    settings = settings_of(
        tmp_path,
        'pins = "pins.toml"\njournal = "/var/games.db"\n'
        '[page]\nport = 80\nnames = ["table.fritz.box"]\n[camera]\nfps = 5\nfocus_mm = 800\nhold_light = true\n',
    )
    assert settings.page.port == 80
    assert settings.page.names == ("table.fritz.box",)
    assert settings.page.host == ""
    assert settings.camera.fps == 5.0
    assert settings.camera.focus_mm == 800
    assert settings.camera.hold_light
    assert settings.pins_path == tmp_path / "pins.toml"
    assert settings.journal_path == Path("/var/games.db")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[page]\nport = 70000\n", "page.port: a whole number <= 65535 was expected, not 70000"),
        ('[page]\nport = "8000"\n', "page.port: a whole number was expected, not '8000'"),
        ("[page]\nport = true\n", "page.port: a whole number was expected, not True"),
        ("[page]\nnames = [1]\n", "page.names[0]: a text was expected, not [1]"),
        ("[page]\nprot = 8000\n", "page.prot: there is no such key; did you mean port?"),
        ("port = 8000\n", "port: there is no such key; known are journal, pins, page, camera"),
        ("[kamera]\n", "kamera: there is no such key; did you mean camera?"),
        ("[zzz]\n", "zzz: there is no such key; known are journal, pins, page, camera"),
        ("[camera]\nfps = 0\n", "camera.fps: a number >= 1.0 was expected, not 0"),
        ("[camera]\nwidth = 320\n", "camera.width: a whole number >= 640 was expected, not 320"),
        ('[camera]\nfocus_mm = "far"\n', "camera.focus_mm: a number was expected, not 'far'"),
        ("journal = 1\n", "journal: a text was expected, not 1"),
        ("page = 8000\n", "page: a table was expected, not 8000"),
        ("[camera]\nhold_light = 1\n", "camera.hold_light: true or false was expected, not 1"),
        ("[page\n", "is not a TOML file: "),
    ],
)
def test_what_is_wrong_is_named_with_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadConfig) as refused:
        settings_of(tmp_path, text)
    assert str(refused.value).startswith(f"{tmp_path / 'companion.toml'}: {message}")


def test_settings_that_cannot_be_read_are_an_error_and_not_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").mkdir()
    with pytest.raises(BadConfig, match=r"companion\.toml: cannot be read"):
        read_settings(tmp_path)


def test_every_setting_is_described_in_its_docstring() -> None:
    for kind in (Settings, type(Settings().page), type(Settings().camera)):
        described = kind.__doc__ or ""
        for field in msgspec.structs.fields(kind):
            if not isinstance(field.type, type(Settings)):
                assert f"{field.name}" in described, f"{kind.__name__}.{field.name}"
