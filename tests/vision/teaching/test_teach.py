from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.measuring import changes
from vision.table import Table
from vision.teaching.setup_folder import Setup
from vision.teaching.teach import teach


def test_palettes_under_a_veil_teach_the_same_colours(setup: Setup, table: Table) -> None:
    veiled = [replace(palette, picture=changes.veil(palette.picture, (20.0, 10.0, 30.0))) for palette in setup.palettes]
    taught = teach(replace(setup, palettes=tuple(veiled)))
    assert np.abs(taught.learned["means"] - table.learned["means"]).max() < 0.1
    assert np.abs(taught.learned["hue"] - table.learned["hue"]).max() < 0.1
