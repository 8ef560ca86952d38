from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.cli.teach import board_of
from training.packing.packs import Pack
from training.packing.pictures import read_examples
from vision.teaching.setup_folder import read_setup

FOLDER = Path(__file__).parent.parent / "vision" / "pictures" / "setup"


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pack], Path]:
    """Packs the pictures of the set-up that stands here, and says in which file."""

    def of(pack: Pack) -> Path:
        file = tmp_path_factory.mktemp("packs") / "setup.npz"
        np.savez(file, allow_pickle=False, **pack(read_setup(FOLDER, board_of), read_examples(FOLDER), 1))
        return file

    return of
