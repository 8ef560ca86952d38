from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.errors import BadSetup
from vision.measuring import changes
from vision.table import Table
from vision.teaching.setup_folder import Setup
from vision.teaching.teach import teach


def test_palettes_under_a_veil_teach_the_same_colours(setup: Setup, table: Table) -> None:
    veiled = [replace(palette, picture=changes.veil(palette.picture, (20.0, 10.0, 30.0))) for palette in setup.palettes]
    taught = teach(replace(setup, palettes=tuple(veiled)))
    assert np.abs(taught.learned["means"] - table.learned["means"]).max() < 0.1
    assert np.abs(taught.learned["hue"] - table.learned["hue"]).max() < 0.1


@pytest.mark.parametrize(("light", "trouble"), [(0.0, "too dark"), (0.03, "too dark"), (9.0, "far too bright")])
def test_an_empty_picture_in_which_nothing_is_seen_is_refused(setup: Setup, light: float, trouble: str) -> None:
    seen = np.clip(setup.empty * light, 0, 255).astype(np.uint8)
    with pytest.raises(BadSetup, match=rf"^empty\.jpg: the picture is {trouble}"):
        teach(replace(setup, empty=seen))


def test_an_empty_picture_without_colour_is_refused(setup: Setup) -> None:
    grey = np.repeat(setup.empty.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)
    with pytest.raises(BadSetup, match=r"^empty\.jpg: the picture has no colour"):
        teach(replace(setup, empty=grey))


def test_a_board_without_any_print_is_not_found_on_its_palettes(setup: Setup) -> None:
    plain = np.full_like(setup.empty, (120, 150, 180))
    with pytest.raises(BadSetup, match=r"^palette-1\.jpg: "):
        teach(replace(setup, empty=plain))


@pytest.mark.parametrize(
    ("size", "squares"), [((80.0, 450.0), (3, 14)), ((450.0, 89.0), (14, 3)), ((200.0, 450.0), (2, 14))]
)
def test_a_board_that_is_too_small_is_refused(
    setup: Setup, size: tuple[float, float], squares: tuple[int, int]
) -> None:
    columns, rows = squares
    board = replace(setup.board, size_mm=size, grid_mm=(5.0, 5.0, size[0] - 5, size[1] - 5), columns=columns, rows=rows)
    with pytest.raises(BadSetup, match=r"is too small to be read: it has .* 3 x 3 on 90 x 90 are needed"):
        teach(replace(setup, board=board))


def test_another_games_table_cannot_be_taught_yet(setup: Setup) -> None:
    with pytest.raises(BadSetup, match="a table for 'pacru' cannot be taught yet, only one for 'pacal'"):
        teach(replace(setup, game="pacru"))
