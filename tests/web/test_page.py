"""The page in a browser."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import BrowserContext, Page, Route, expect

from companion.errors import NotAllowed
from companion.table.outside import Act, Choose, NewGame, Pressed, Undo
from web import Server, WebSettings, create_app

KEY = "sun-pyramid-42"
DOUBT = {
    "kind": "doubt",
    "text": "was a pyramid built on E9?",
    "choices": [{"id": "built", "text": "yes, with 3 floors"}, {"id": "not", "text": "no"}],
    "squares": ["E9"],
}


def test_the_page_shows_the_table(visit: Callable[..., Any], flying: Any) -> None:
    page: Page = visit().page
    expect(page.locator("#turn h2")).to_have_text(f"{flying['to_act'].capitalize()}’s turn")
    for row, colour in enumerate(flying["players"]):
        cells = page.locator("#scores tbody tr").nth(row)
        expect(cells.locator(".points")).to_have_text(str(flying["score"]["players"][colour]["track"]))
        expect(cells.locator(".total")).to_contain_text(str(flying["score"]["players"][colour]["total"]))
    assert page.locator(".pieces > g").count() == len(
        set(flying["view"]["stones"]) | set(flying["view"]["pyramids"]) | set(flying["view"]["ships"].values())
    )
    expect(page.locator(".covered").first).to_be_visible()
    expect(page.locator("#turn .die")).to_have_attribute("aria-label", f"the die shows {flying['view']['roll']}")


def test_nothing_goes_wrong_and_nothing_is_fetched_from_elsewhere(visit: Callable[..., Any], address: str) -> None:
    visited = visit()
    expect(visited.page.locator(".pacal")).to_be_visible()
    visited.page.get_by_role("button", name="If it ended now").click()
    visited.page.locator(".flight").first.click()
    assert visited.console == []
    assert [url for url in visited.requests if not url.startswith(address)] == []


def test_a_change_at_the_table_is_shown_without_loading_anew(
    visit: Callable[..., Any], desk: Any, building: Any
) -> None:
    visited = visit()
    page: Page = visited.page
    expect(page.locator("#turn h2")).to_be_visible()
    loads = visited.requests.count(page.url)
    changed = copy.deepcopy(building)
    changed["score"]["players"][building["players"][0]]["track"] = 33
    desk.show(changed)
    expect(page.locator("#scores tbody tr").first.locator(".points")).to_have_text("33")
    expect(page.locator("#turn h2")).to_have_text(f"{building['to_act'].capitalize()}’s turn")
    assert visited.requests.count(page.url) == loads
    assert not [url for url in visited.requests if "snapshot.json" in url]


def test_the_squares_that_changed_last_are_marked(visit: Callable[..., Any], desk: Any, flying: Any) -> None:
    page: Page = visit().page
    expect(page.locator(".pacal")).to_be_visible()
    assert page.locator(".changed rect").count() == 0
    changed = copy.deepcopy(flying)
    colour = flying["players"][0]
    changed["view"]["ships"][colour] = "A1"
    desk.show(changed)
    expect(page.locator(".changed rect")).to_have_count(2)


def test_a_touched_build_shows_its_constellation(visit: Callable[..., Any], desk: Any, building: Any) -> None:
    desk.show(building)
    page: Page = visit().page
    best = max(building["outlook"]["builds"], key=lambda build: (build["scores"], build["floors"]))
    first = page.locator(".build").first
    expect(first).to_contain_text(f"+{best['scores']}")
    first.click()
    chosen = next(b for b in building["outlook"]["builds"] if b["text"] == first.get_attribute("title"))
    marked = page.locator(".used").evaluate_all("marks => marks.map(mark => mark.dataset.square)")
    assert sorted(marked) == sorted(chosen["uses"])
    expect(page.locator(".ghost")).to_have_count(1)
    first.click()
    expect(page.locator(".used")).to_have_count(0)


def test_flights_are_marked_with_the_stones_they_allow(visit: Callable[..., Any], flying: Any) -> None:
    page: Page = visit().page
    ordinary = {f["to"] for f in flying["outlook"]["flights"] if f["mode"] != "god"}
    expect(page.locator(".flight")).to_have_count(len(ordinary))
    page.get_by_role("button", name="With a god stone").click()
    by_god = {f["to"] for f in flying["outlook"]["flights"] if f["mode"] == "god"}
    expect(page.locator(".flight")).to_have_count(len(by_god))


def test_the_parts_of_the_scores_are_one_touch_away(visit: Callable[..., Any], flying: Any) -> None:
    page: Page = visit().page
    page.get_by_role("button", name="If it ended now").click()
    colour = flying["players"][1]
    score = flying["score"]["players"][colour]
    cells = page.locator("#scores tbody tr").nth(1).locator("td")
    expect(cells).to_contain_text([str(score[part]) for part in ("track", "water", "districts", "gods", "total")])


def test_a_viewer_has_no_button_that_does_nothing(visit: Callable[..., Any], desk: Any, building: Any) -> None:
    desk.show(building, status=DOUBT)
    page: Page = visit().page
    expect(page.locator(".doubt h2")).to_have_text("Was a pyramid built on E9?")
    expect(page.get_by_text("Yes, with 3 floors")).to_be_visible()
    assert page.get_by_role("button", name="Yes, with 3 floors").count() == 0
    expect(page.locator("#operator")).to_be_hidden()
    expect(page.get_by_role("link", name="Operator")).to_be_visible()


def test_a_doubt_is_answered_by_touching_a_choice(visit: Callable[..., Any], desk: Any, building: Any) -> None:
    desk.show(building, status=DOUBT)
    page: Page = visit(operator=True).page
    assert page.locator(".in-doubt").get_attribute("data-square") == "E9"
    with page.expect_response("**/do") as answer:
        page.get_by_role("button", name="Yes, with 3 floors").click()
    assert answer.value.status == 200
    assert desk.asked == [Choose("built", desk.snapshot()["version"])]


def test_the_operator_keeps_a_game_by_hand(visit: Callable[..., Any], desk: Any, building: Any) -> None:
    desk.show(building)
    page: Page = visit(operator=True).page
    for label in ("Undo", "Done: end the turn"):
        with page.expect_response("**/do"):
            page.get_by_role("button", name=label).click()
    page.locator(".build").first.click()
    with page.expect_response("**/do"):
        page.get_by_role("button", name="Do this by hand").click()
    undo, done, act = desk.asked
    assert undo == Undo(desk.snapshot()["version"])
    assert isinstance(done, Pressed)
    assert done.button == "done"
    assert isinstance(act, Act)
    assert act.action in [build["action"] for build in building["outlook"]["builds"]]


def test_the_operator_taps_the_die(visit: Callable[..., Any], desk: Any, flying: Any) -> None:
    roll: dict[str, Any] = {"action": {"type": "roll", "face": "arrows"}, "text": "the die shows arrows"}
    desk.show(flying, outlook={**flying["outlook"], "actions": [roll], "flights": [], "builds": []})
    page: Page = visit(operator=True).page
    with page.expect_response("**/do"):
        page.get_by_role("button", name="the die shows arrows").click()
    assert desk.asked == [Act(roll["action"], desk.snapshot()["version"])]


def test_what_the_table_refuses_is_said(visit: Callable[..., Any], desk: Any) -> None:
    desk.refuse = NotAllowed("the table has moved on; look again")
    page: Page = visit(operator=True).page
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#notice")).to_have_text("the table has moved on; look again")


def test_a_game_is_started_by_tapping_the_players_in_order(visit: Callable[..., Any], desk: Any, flying: Any) -> None:
    nothing: dict[str, Any] = {
        "view": None,
        "score": None,
        "board": None,
        "players": [],
        "to_act": None,
        "outlook": {},
        "log": [],
    }
    status = {"kind": "setup", "text": "no game yet", "choices": [], "squares": []}
    desk.show(flying, game=None, status=status, **nothing)
    page: Page = visit(operator=True).page
    expect(page.get_by_role("button", name="Start the game")).to_be_disabled()
    page.get_by_role("button", name=re.compile("Blue")).click()
    page.get_by_role("button", name=re.compile("Red")).click()
    page.get_by_text("Options").click()
    page.get_by_label(re.compile("Master variant")).check()
    with page.expect_response("**/do"):
        page.get_by_role("button", name="Start the game").click()
    assert desk.asked == [NewGame("pacal", ["blue", "red"], options={"master": True})]


def test_the_key_is_typed_into_the_form(visit: Callable[..., Any]) -> None:
    page: Page = visit().page
    page.get_by_role("link", name="Operator").click()
    page.get_by_label("Key").fill("a wrong one")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("not the operator key")
    page.get_by_label("Key").fill(KEY)
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


def test_the_camera_is_shown_in_place_of_the_board_and_back(visit: Callable[..., Any]) -> None:
    page: Page = visit().page
    with page.expect_response("**/picture.jpg*"):
        page.get_by_role("button", name="Camera").click()
    expect(page.locator(".pacal")).to_have_count(0)
    page.get_by_role("button", name="Camera").click()
    expect(page.locator(".pacal")).to_be_visible()


def test_the_end_shows_the_final_scoring_and_who_won(visit: Callable[..., Any], desk: Any, over: Any) -> None:
    desk.show(over)
    page: Page = visit().page
    for winner in over["score"]["leaders"]:
        expect(page.locator(".winners h2")).to_contain_text(winner.capitalize())
    assert page.locator(".final tbody th").all_inner_texts() == ["Track", "Water", "Districts", "God stones"]
    totals = [str(over["score"]["players"][colour]["total"]) for colour in over["players"]]
    expect(page.locator(".final tfoot td")).to_contain_text(totals)


def test_a_page_that_is_refused_a_stream_asks_for_news(
    visit: Callable[..., Any], app: Flask, desk: Any, building: Any
) -> None:
    assert all(app.extensions["companion-streams"].enter() for _ in range(32))
    visited = visit()
    page: Page = visited.page
    expect(page.locator("#turn h2")).to_be_visible()
    desk.show(building)
    expect(page.locator("#turn h2")).to_have_text(f"{building['to_act'].capitalize()}’s turn")
    assert page.locator("body").get_attribute("data-connection") == "polling"
    expect(page.locator("#connection")).to_be_hidden()


def test_a_lost_connection_is_said_and_so_is_its_return(
    visit: Callable[..., Any], server: Server, desk: Any, app: Flask, start: Callable[..., Server]
) -> None:
    page: Page = visit().page
    expect(page.locator("#turn h2")).to_be_visible()
    server.stop()
    expect(page.locator("#connection")).to_have_text("Not connected: what you see may be old.")
    expect(page.locator("#turn h2")).to_be_visible()
    again = create_app(desk, WebSettings(operator_key=KEY, title="Table 1"))
    start(again, server.port)
    expect(page.locator("#connection")).to_be_hidden(timeout=20_000)


def test_an_old_tablet_is_kept_up_to_date_and_taps(
    visit: Callable[..., Any], app: Flask, desk: Any, flying: Any, building: Any
) -> None:
    """As an iPad Air 2, which stays at iPadOS 15."""
    assert all(app.extensions["companion-streams"].enter() for _ in range(32))
    page: Page = visit(
        operator=True,
        prepare=lambda context: context.add_init_script("delete AbortSignal.timeout; delete Array.prototype.at"),
    ).page
    expect(page.locator("#turn h2")).to_have_text(f"{flying['to_act'].capitalize()}’s turn")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#notice")).to_be_hidden()
    desk.show(building)
    expect(page.locator("#turn h2")).to_have_text(f"{building['to_act'].capitalize()}’s turn")
    assert [type(command) for command in desk.asked] == [Undo]


def test_a_browser_that_cannot_run_the_page_says_so(visit: Callable[..., Any]) -> None:
    def too_old(context: BrowserContext) -> None:
        context.route("**/page.js", lambda route: route.fulfill(body="a ?? ?? b", content_type="text/javascript"))

    page: Page = visit(prepare=too_old).page
    expect(page.locator("#status")).to_contain_text("this browser is older than 2022")


def test_what_the_table_says_is_never_taken_for_markup(visit: Callable[..., Any], desk: Any, flying: Any) -> None:
    nasty = "<img src=x onerror=alert(1)>"
    desk.show(
        flying,
        title=nasty,
        status={"kind": "doubt", "text": nasty, "choices": [{"id": nasty, "text": nasty}], "squares": [nasty]},
        log=[{"seq": 1, "player": None, "text": nasty}],
    )
    visited = visit()
    expect(visited.page.locator("#status")).to_have_text(nasty)
    assert visited.page.locator("img[src=x]").count() == 0
    assert visited.console == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (800, 1280)])
def test_everything_fits_a_tablet(visit: Callable[..., Any], desk: Any, building: Any, width: int, height: int) -> None:
    desk.show(building)
    page: Page = visit(width=width, height=height).page
    expect(page.locator(".pacal")).to_be_visible()
    for part in ("#board", "#turn", "#scores", "#moves", "#log"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    scores = page.locator("#scores").evaluate("panel => panel.scrollWidth - panel.clientWidth")
    assert scores == 0


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (800, 1280)])
def test_where_nothing_can_be_done_the_log_takes_its_place(
    visit: Callable[..., Any], desk: Any, building: Any, width: int, height: int
) -> None:
    desk.show(building)
    page: Page = visit(width=width, height=height).page
    # All panels are there before anything is in them.
    expect(page.locator("#moves li").first).to_be_visible()
    expect(page.locator("#log li").first).to_be_visible()
    before = page.locator("#moves").bounding_box()
    desk.show({**building, "outlook": {**building["outlook"], "builds": [], "flights": []}})
    expect(page.locator("#moves")).to_be_hidden()
    log = page.locator("#log").bounding_box()
    assert before is not None and log is not None
    assert log["y"] == pytest.approx(before["y"], abs=1)
    assert log["y"] + log["height"] > height - 20


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
def test_a_phone_scrolls_only_downwards_and_shows_all_scores(
    visit: Callable[..., Any], desk: Any, building: Any, width: int, height: int
) -> None:
    five = ["red", "yellow", "green", "blue", "purple"]
    (first, *_), view = building["players"], building["view"]
    desk.show(
        {
            **building,
            "players": five,
            "view": {**view, "supply": dict.fromkeys(five, view["supply"][first])},
            "score": {**building["score"], "players": dict.fromkeys(five, building["score"]["players"][first])},
        }
    )
    page: Page = visit(width=width, height=height).page
    expect(page.locator("#scores tbody tr")).to_have_count(5)
    for _ in range(2):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#scores").evaluate("panel => panel.scrollWidth - panel.clientWidth") == 0
        page.get_by_role("button", name="If it ended now").click()


@pytest.mark.parametrize("operator", [False, True])
def test_whatever_can_be_touched_is_large_enough(visit: Callable[..., Any], operator: bool) -> None:
    page: Page = visit(operator=operator).page
    expect(page.locator(".pacal")).to_be_visible()
    if operator:
        expect(page.locator("#operator")).to_be_visible()
    boxes = page.locator("button:visible, a:visible").evaluate_all(
        "all => all.map(e => [e.textContent, e.getBoundingClientRect().width, e.getBoundingClientRect().height])"
    )
    assert boxes
    assert [box for box in boxes if min(box[1], box[2]) < 48] == []


def test_a_stream_refused_by_the_network_falls_back_too(visit: Callable[..., Any], desk: Any, building: Any) -> None:
    visited = visit()
    page: Page = visited.page

    def cut(route: Route) -> None:
        route.abort()

    page.route("**/stream", cut)
    page.reload()
    desk.show(building)
    expect(page.locator("#turn h2")).to_have_text(f"{building['to_act'].capitalize()}’s turn")
