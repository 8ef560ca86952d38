from __future__ import annotations

from companion.bench.goals import Goal, lines, share


def test_a_goal_says_what_was_wanted_and_whether_it_is_so() -> None:
    met, missed = lines([Goal("squares", "9", "at least 8", True), Goal("dice", "1", "all", False)])
    assert met.split() == ["squares", "9", "goal", "at", "least", "8:", "met"]
    assert missed.endswith("goal all: NOT MET")


def test_a_share_is_given_as_counts_and_percent() -> None:
    assert share(9, 10) == "9/10 90.00 %"
    assert share(0, 0) == "0/0"
