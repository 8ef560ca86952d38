"""The operator's key is made once, for its owner alone, and is on the disk before anybody is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.errors import StartError
from companion.wiring.keys import FILE_NAME, operator_key


def test_a_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    key = operator_key(tmp_path)
    assert operator_key(tmp_path) == key
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_a_key_is_on_the_disk_before_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append((tmp_path / FILE_NAME).read_text()))
    key = operator_key(tmp_path)
    assert synced == [f"{key}\n"]


def test_a_file_that_a_full_disk_left_empty_is_given_a_key(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    key = operator_key(tmp_path)
    assert key and operator_key(tmp_path) == key


def test_a_key_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="can be neither read nor kept"):
        operator_key(tmp_path / "nowhere")
