"""``companion markers`` writes a sheet on which every marker can be found by the camera."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.markers import LARGEST, PAGE_MM, SPACE, command, places, sheet
from companion.errors import StartError
from vision.markers import COUNT


def test_it_writes_a_pdf_of_one_page(tmp_path: Path) -> None:
    out = tmp_path / "markers.pdf"
    result = CliRunner().invoke(command, ["--out", str(out), "--size-mm", "40", "--paper", "letter"])
    assert result.exit_code == 0, result.output
    assert f"{COUNT} markers" in result.stderr
    assert out.read_bytes().startswith(b"%PDF-")
    assert sheet(40, PAGE_MM["letter"]).pages_count == 1


@pytest.mark.parametrize("paper", PAGE_MM)
def test_the_largest_markers_lie_apart_and_within_the_page_with_the_white_round_them(paper: str) -> None:
    width, height = PAGE_MM[paper]
    size = LARGEST * (1 + 2 * SPACE)
    for top in (30, 40):
        spots = [(x - LARGEST * SPACE, y - LARGEST * SPACE) for x, y in places(LARGEST, PAGE_MM[paper], top)]
        assert len(set(spots)) == COUNT
        assert all(x >= 0 and x + size <= width and top <= y and y + size <= height for x, y in spots)
        for (x, y), (other_x, other_y) in combinations(spots, 2):
            assert abs(x - other_x) >= size or abs(y - other_y) >= size


def test_a_place_where_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="nowhere"):
        CliRunner().invoke(command, ["--out", str(tmp_path / "nowhere" / "m.pdf")], catch_exceptions=False)
