from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import cli

PICTURES = Path(__file__).parents[2] / "vision" / "pictures" / "setup"


@pytest.fixture(scope="session")
def teaching(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A table's folder, and what was said while it was taught."""
    folder = tmp_path_factory.mktemp("taught") / "table"
    result = CliRunner().invoke(cli, ["teach", str(PICTURES), "--out", str(folder)])
    assert result.exit_code == 0, result.output
    return folder, result


@pytest.fixture(scope="session")
def table(teaching: tuple[Path, Result]) -> Path:
    return teaching[0]
