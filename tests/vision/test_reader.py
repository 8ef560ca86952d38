from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import BadPicture, BadTable
from companion.games.pacal.pieces import Ship, squares_from_json
from companion.observation import Reading, Seen
from vision import reader as vision_reader
from vision.finding.registration import BoardFinder
from vision.frames import Picture, read_picture
from vision.geometry import Floats, HeightField, Pose
from vision.grid import board_corners_mm
from vision.measuring import changes
from vision.measuring.changed_board import bent
from vision.reader import Reader
from vision.reading.supply import within_supply
from vision.table import Table


def wrong(reading: Reading, truth: Seen) -> set[str]:
    seen = reading.seen()
    return {name for name in {*seen, *truth} if seen.get(name) != truth.get(name)}


def truth_of(file: Path) -> Seen:
    return squares_from_json(json.loads(file.read_text(encoding="utf-8"))["squares"])


def bgr(picture: object) -> Picture:
    return np.asarray(np.clip(np.asarray(picture), 0, 255), np.uint8)


@pytest.mark.parametrize("name", ["still-002", "still-004"])
def test_stills_are_read(reader: Reader, setup_folder: Path, name: str) -> None:
    reading = reader.read(read_picture(setup_folder / f"{name}.jpg"))
    truth = truth_of(setup_folder / f"{name}.json")
    assert reading.usable
    assert len(wrong(reading, truth)) <= len(truth) // 20
    assert set(reading.seen()) == set(truth)


def test_what_ships_may_hide_is_told(reader: Reader, setup_folder: Path) -> None:
    reading = reader.read(read_picture(setup_folder / "still-002.jpg"))
    assert [reading.seen().get(name) for name in ("A2", "E3")] == [Ship("green"), Ship("blue")]
    # The squares behind these two.
    assert set(reading.unseen) == {"A1", "E2"}
    assert all(0 < p < 0.2 for contents in reading.unseen.values() for p in contents.values())


@pytest.mark.parametrize("levels", [changes.VEIL, (25.0, 25.0, 25.0), (-20.0, -20.0, -20.0)])
def test_under_a_veil_as_much_is_read(
    reader: Reader, still: Picture, truth: Seen, levels: tuple[float, float, float]
) -> None:
    veiled = reader.read(changes.veil(still, levels))
    assert veiled.usable
    assert veiled.die == reader.read(still).die
    assert len(wrong(veiled, truth)) <= len(truth) // 20
    assert all(veiled.confidence()[name] < 0.9 for name in wrong(veiled, truth))


def turned_away(picture: Picture, table: Table, degrees: float) -> Picture:
    """What a camera that is turned up by so much would have shown; black beyond what this one did."""
    height, width = picture.shape[:2]
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    rays = np.column_stack([table.lens.ideal(pixels), np.ones(len(pixels))])
    rays = rays @ cv2.Rodrigues(np.array([np.radians(degrees), 0.0, 0.0]))[0]
    x, y = table.lens.bend(rays[:, :2] / rays[:, 2:]).T.reshape(2, height, width).astype(np.float32)
    return bgr(cv2.remap(picture, x, y, cv2.INTER_LINEAR))


@pytest.mark.parametrize("veil", [(0.0, 0.0, 0.0), changes.VEIL])
def test_a_board_of_which_a_corner_is_outside_of_the_picture_is_read_under_a_veil_too(
    table: Table, reader: Reader, still: Picture, truth: Seen, veil: tuple[float, float, float]
) -> None:
    reading = reader.read(changes.veil(turned_away(still, table, 4), veil))
    assert reading.usable
    corners = np.array(reading.board_corners_px)
    assert ((corners < 0) | (corners > (1151, 647))).any()
    assert all(reading.confidence()[name] < 0.9 for name in wrong(reading, truth))
    assert len(wrong(reading, truth)) <= len(truth) // 20


def test_a_board_of_which_a_side_is_outside_of_the_picture_is_not_usable_and_why_is_said(
    table: Table, reader: Reader, still: Picture
) -> None:
    reading = reader.read(turned_away(still, table, 8))
    assert not reading.usable
    assert (reading.reason or "").startswith("a part of the board is outside of the picture, over A1, B1, ")


@pytest.mark.parametrize("levels", [(0.0, 0.0, 0.0), changes.VEIL])
def test_a_die_that_was_expected_is_not_looked_for_again(
    table: Table, reader: Reader, still: Picture, searches: list[Picture], levels: tuple[float, float, float]
) -> None:
    picture = changes.veil(still, levels)
    reader.expect(picture)
    expected = reader.read(picture)
    assert len(searches) == 1
    reader.expect(np.full_like(picture, 60))
    reader.expect(picture[:, : picture.shape[1] // 2])
    assert len(searches) == 1
    assert expected == Reader(table).read(picture)


@pytest.mark.parametrize("scale", [1, 2])
def test_the_board_is_located_where_it_is_read(
    table: Table, reader: Reader, still: Picture, monkeypatch: pytest.MonkeyPatch, scale: int
) -> None:
    turned = np.repeat(np.repeat(changes.turn(still, 2.0, 0.01), scale, axis=0), scale, axis=1)
    located = reader.locate(turned)
    monkeypatch.setattr(BoardFinder, "find", lambda *rest: pytest.fail("the board was sought again"))
    corners = reader.read(turned).board_corners_px
    assert located is not None
    assert corners is not None
    np.testing.assert_allclose(located, corners, atol=1e-9)
    assert np.abs(located / scale - table.corners_px).max() > 10


def test_no_board_is_located_where_none_is_seen(reader: Reader, still: Picture) -> None:
    assert reader.locate(np.full_like(still, 90)) is None
    assert reader.locate(still[:, : still.shape[1] // 2]) is None


def test_a_loaded_table_reads_the_same(table: Table, reader: Reader, still: Picture, tmp_path: Path) -> None:
    table.save(tmp_path / "table")
    assert Reader(Table.load(tmp_path / "table")).read(still).seen() == reader.read(still).seen()


@pytest.mark.parametrize("spread", [0.0, -1.0, np.nan])
def test_a_table_whose_colours_are_broken_is_a_bad_table(table: Table, spread: float) -> None:
    broken = {**table.learned, "spreads": np.full_like(table.learned["spreads"], spread)}
    with pytest.raises(BadTable, match="teach it again"):
        Reader(replace(table, learned=broken))


@pytest.mark.parametrize("size", [-1.0, 0.1, 3.0, np.nan, [1.0, 1.0]])
def test_a_table_whose_pyramids_have_no_such_size_is_a_bad_table(table: Table, size: float | list[float]) -> None:
    broken = {**table.learned, "pyramid_size": np.array(size, np.float32)}
    with pytest.raises(BadTable, match="teach it again"):
        Reader(replace(table, learned=broken))


@pytest.mark.parametrize("overstated", [[0.0, 1.0, 1.0], [1.0, np.nan, 1.0], [1.0, 1.0, 7.0], [1.0, 1.0], 1.0])
def test_a_table_that_doubts_floors_by_no_such_number_is_a_bad_table(
    table: Table, overstated: float | list[float]
) -> None:
    broken = {**table.learned, "floors_overstated": np.array(overstated, np.float32)}
    with pytest.raises(BadTable, match="teach it again"):
        Reader(replace(table, learned=broken))


def test_the_empty_board_is_empty(table: Table, reader: Reader) -> None:
    assert reader.read(table.empty).seen() == {}


def test_probabilities_add_up_and_every_square_has_them(table: Table, reader: Reader, still: Picture) -> None:
    reading = reader.read(still)
    assert set(reading.squares) == table.board.squares
    for odds in reading.squares.values():
        assert all(0 <= p <= 1 for p in odds.values())
        assert 0.95 <= sum(odds.values()) <= 1 + 1e-9


def test_only_a_game_shows_no_more_than_players_have(table: Table, reader: Reader, still: Picture) -> None:
    anything, game = Reader(table, supplied=False).read(still).squares, reader.read(still).squares
    assert anything != game
    assert game == within_supply(anything)


def test_the_corners_are_found(table: Table, reader: Reader, still: Picture) -> None:
    assert np.array(reader.read(still).board_corners_px) == pytest.approx(table.corners_px, abs=0.5)


def bump(table: Table, picture: Picture) -> tuple[Picture, Floats]:
    """The picture as the camera would take it after a push, and the board's corners in it; pieces stay flat."""
    turn = cv2.Rodrigues(np.radians([0.5, -0.5, 2.5]))[0]
    pushed = Pose(np.asarray(turn @ table.pose.rotation), table.pose.shift + np.array([18.0, -12.0, 6.0]))
    columns, rows = np.meshgrid(np.arange(1152.0), np.arange(648.0))
    on_board = pushed.on_plane(table.lens, np.column_stack([columns.ravel(), rows.ravel()]))
    places = table.pose.project(table.lens, on_board).astype(np.float32).reshape(648, 1152, 2)
    moved = cv2.remap(picture, places[..., 0], places[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return bgr(moved), pushed.project(table.lens, board_corners_mm(table.board))


def test_the_board_is_found_again_after_a_bump(table: Table, reader: Reader, still: Picture, truth: Seen) -> None:
    bumped, corners = bump(table, still)
    reading = reader.read(bumped)
    assert np.array(reading.board_corners_px) == pytest.approx(corners, abs=0.5)
    assert len(wrong(reading, truth)) <= 2
    assert len(wrong(reader.read(still), truth)) <= 2


@pytest.mark.parametrize("most_mm", [4.0, 8.0])
def test_a_folded_board_is_read_as_if_it_were_flat_and_flat_again(
    table: Table, reader: Reader, still: Picture, most_mm: float
) -> None:
    flat = reader.read(still).seen()
    surface = HeightField(table.board.size_mm, most_mm * np.array([[0.0, 0.6, 1.0], [0.8, 1.0, 0.4], [0.9, 0.3, 0.0]]))
    assert reader.read(bent(still, table.lens, table.pose, surface)).seen() == flat
    assert reader.read(still).seen() == flat


@pytest.mark.parametrize("factor", [0.5, 1.4])
def test_other_exposures_are_read(reader: Reader, still: Picture, truth: Seen, factor: float) -> None:
    assert len(wrong(reader.read(bgr(still * factor)), truth)) <= 2


def test_a_warm_cast_is_read(reader: Reader, still: Picture, truth: Seen) -> None:
    assert len(wrong(reader.read(bgr(still * np.array([0.8, 1.0, 1.12]))), truth)) <= 2


HANDS = [1, 3, 5, 10, 21, 38]


@pytest.mark.parametrize("seed", HANDS)
def test_a_picture_with_a_hand_over_the_board_is_not_usable_and_says_where(
    table: Table, reader: Reader, still: Picture, seed: int
) -> None:
    corners = [(float(x), float(y)) for x, y in table.corners_px]
    reading = reader.read(changes.all_changes(table.board, corners, table.lens, seed)["hand"](still))
    assert not reading.usable and reading.squares == {}
    reason = reading.reason or ""
    assert reason.startswith("something lies over the board on ") and reason.endswith("; is it a hand?")
    shares = changes.under_hand(table.board, corners, seed, still)
    named = re.findall(r"\b[A-Z]\d+\b", reason)
    assert len(named) >= 3 and all(shares.get(name, 0.0) > 0 for name in named)


@pytest.mark.parametrize("seed", HANDS)
def test_nothing_under_a_hand_is_said_for_sure(
    table: Table, reader: Reader, still: Picture, truth: Seen, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As where but a part of it is seen, over fewer squares.
    monkeypatch.setattr(vision_reader, "trouble_over", lambda covered, over, scene: None)
    corners = [(float(x), float(y)) for x, y in table.corners_px]
    shares = changes.under_hand(table.board, corners, seed, still)
    under = [name for name in truth if shares.get(name, 0.0) > 0.3]
    clean = reader.read(still).confidence()
    # How many floors these two pyramids have is not quite sure without a hand either.
    sure = [name for name in under if name not in ("A8", "A10")]
    assert sure and all(clean[name] > 0.9 for name in sure)
    reading = reader.read(changes.all_changes(table.board, corners, table.lens, seed)["hand"](still))
    assert reading.usable
    assert all(reading.confidence()[name] < min(0.9, clean[name]) for name in under)


def test_a_picture_of_another_size_is_read_and_its_corners_are_in_its_own_pixels(
    table: Table, reader: Reader, still: Picture, truth: Seen
) -> None:
    larger = bgr(cv2.resize(still, (1536, 864), interpolation=cv2.INTER_CUBIC))
    reading = reader.read(larger)
    assert len(wrong(reading, truth)) <= 2
    assert np.array(reading.board_corners_px) == pytest.approx((table.corners_px + 0.5) * 4 / 3 - 0.5, abs=0.7)


@pytest.mark.parametrize("size", [(1024, 768), (1280, 724), (1152, 643)])
def test_a_picture_of_other_sides_is_not_usable(reader: Reader, still: Picture, size: tuple[int, int]) -> None:
    reading = reader.read(bgr(cv2.resize(still, size)))
    assert not reading.usable
    assert "another camera" in (reading.reason or "")
    assert reading.squares == {}
    assert (reading.die, reading.die_confidence) == (None, 0.0)


def test_an_upside_down_picture_is_read_in_the_boards_own_order(
    table: Table, reader: Reader, still: Picture, truth: Seen
) -> None:
    reading = reader.read(bgr(cv2.rotate(still, cv2.ROTATE_180)))
    turned = np.array([1151.0, 647.0]) - table.corners_px
    assert np.array(reading.board_corners_px) == pytest.approx(turned, abs=1.0)
    assert {*reading.seen()} == {*truth}


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda picture: picture * 0.02, "dark"),
        (lambda picture: np.full_like(picture, 255), "bright"),
        (lambda picture: np.repeat(picture.mean(axis=2, keepdims=True), 3, axis=2), "no colour"),
        (lambda picture: picture.mean(axis=2, keepdims=True) * (0.7, 0.9, 1.2), "not those that were taught"),
        (lambda picture: picture[..., ::-1], "red and blue are exchanged"),
        (lambda picture: cv2.GaussianBlur(picture, (0, 0), 12), "not found|blurred"),
        (lambda picture: picture[:, ::-1], "not found"),
        (lambda picture: np.random.default_rng(1).integers(0, 255, picture.shape), "not found"),
    ],
)
def test_what_cannot_be_read_says_why(reader: Reader, still: Picture, spoil: object, reason: str) -> None:
    assert callable(spoil)
    reading = reader.read(bgr(spoil(still)))
    assert not reading.usable
    assert any(word in (reading.reason or "") for word in reason.split("|"))
    assert reading.squares == {}
    assert reading.board_corners_px is None


@pytest.mark.parametrize("shape", [(648, 1152), (648, 1152, 4), (100, 100, 3)])
def test_an_array_of_the_wrong_shape_is_a_bad_picture(reader: Reader, shape: tuple[int, ...]) -> None:
    with pytest.raises(BadPicture):
        reader.read(np.zeros(shape, np.uint8))


def test_floats_are_a_bad_picture(reader: Reader) -> None:
    with pytest.raises(BadPicture):
        reader.read(np.zeros((648, 1152, 3), np.float32))
