from __future__ import annotations

from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.observation import Content, Reading
from companion.selftest.marks import Mark, Marks, Verdict, mark, result

STANDING: dict[str, Piece] = {"A1": Ship("red"), "B2": Pyramid("blue", 3), "C3": Stones(("green", "red"))}
SQUARES = 9


def reading(**changes: dict[Content | None, float]) -> Reading:
    squares: dict[str, dict[Content | None, float]] = {f"{c}{r}": {None: 0.99} for c in "ABC" for r in (1, 2, 3)}
    squares |= {name: {piece: 0.99, None: 0.01} for name, piece in STANDING.items()}
    return Reading("pacal", "any", squares | changes)


def many(right: int, wrong: int, unsure: int = 0) -> list[Marks]:
    """Marks of so many squares with pieces, the wrong ones by their floors."""
    good = mark(reading(), {"B2": STANDING["B2"]}, 1)
    bad = mark(reading(B2={Pyramid("blue", 2): 0.95}), {"B2": STANDING["B2"]}, 1)
    weak = mark(reading(B2={Pyramid("blue", 3): 0.6}), {"B2": STANDING["B2"]}, 1)
    found = [Marks(m.pieces, (), 0) for m in (good, bad, weak)]
    return [found[0]] * (right - unsure) + [found[1]] * wrong + [found[2]] * unsure


def test_a_perfect_reading_has_nothing_wrong_and_nothing_unsure() -> None:
    marks = mark(reading(), STANDING, SQUARES)
    assert [m.square for m in marks.pieces] == ["A1", "B2", "C3"]
    assert (marks.wrong, marks.unsure, marks.bare) == ((), (), 6)


def test_other_floors_and_things_on_bare_squares_are_wrong() -> None:
    marks = mark(reading(B2={Pyramid("blue", 2): 0.7}, C1={Ship("green"): 0.6}), STANDING, SQUARES)
    assert marks.wrong == (
        Mark("B2", Pyramid("blue", 3), Pyramid("blue", 2), 0.7),
        Mark("C1", None, Ship("green"), 0.6),
    )


def test_a_right_square_below_the_limit_is_unsure() -> None:
    marks = mark(reading(B2={Pyramid("blue", 3): 0.7, Pyramid("blue", 2): 0.3}), STANDING, SQUARES)
    assert not marks.wrong
    assert [m.square for m in marks.unsure] == ["B2"]


def test_all_pieces_of_a_picture_that_cannot_be_read_are_missed_and_its_reason_is_given() -> None:
    dark = mark(Reading("pacal", "any", usable=False, reason="the picture is too dark"), STANDING, SQUARES)
    assert len(dark.wrong) == 3
    end = result([dark, mark(reading(), STANDING, SQUARES)])
    assert (end.pieces, end.right, end.verdict) == (6, 3, Verdict.CHANGE)
    assert end.reason == "the picture is too dark"


def test_the_verdict_follows_how_many_squares_are_right_and_sure() -> None:
    assert result(many(200, 0)).verdict is Verdict.GOOD
    assert result(many(199, 1)).verdict is Verdict.GOOD
    assert result(many(200, 0, unsure=20)).verdict is Verdict.GOOD
    assert result(many(200, 0, unsure=30)).verdict is Verdict.WORKS
    assert result(many(195, 5)).verdict is Verdict.WORKS
    assert result(many(150, 50)).verdict is Verdict.CHANGE


def test_things_seen_on_bare_squares_count_like_missed_pieces() -> None:
    ghost = mark(reading(C1={Ship("green"): 0.6}), STANDING, SQUARES)
    assert result([ghost] * 3).verdict is Verdict.CHANGE
    assert "bare squares" in str(result([ghost] * 3).reason)


def test_the_reason_is_the_mistake_made_most_often() -> None:
    assert "floors" in str(result(many(10, 3)).reason)
    other = mark(reading(A1={Ship("purple"): 0.9}), STANDING, SQUARES)
    assert "red is taken for other things" in str(result([*many(10, 1), other, other]).reason)
    assert result(many(10, 0)).reason is None


def test_the_json_says_what_was_expected_and_what_is_seen() -> None:
    data = mark(reading(B2={Pyramid("blue", 2): 0.7}), STANDING, SQUARES).to_json()
    assert data["usable"] is True
    assert data["squares"]["B2"] == {
        "expected": {"pyramid": {"colour": "blue", "floors": 3}},
        "seen": {"pyramid": {"colour": "blue", "floors": 2}},
        "confidence": 0.7,
        "right": False,
    }
