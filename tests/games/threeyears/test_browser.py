"""A whole war in a real browser: one person against three bots, by the sets above the hand, on the table and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sutler.core.compilation.warm import ensure_warm_in_background
from web.conftest import house, no_luck, visit  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.compiled]

FORM = {
    "game": "threeyears",
    "option_marker_spaces": "1",
    "seat_0": "me",
    "name_0": "Agnes",
    **{f"seat_{i}": "easy" for i in (1, 2, 3)},
}
CHOICE = "#choices .choice[data-action]"
TURN_OR_END = f"() => document.querySelector('#reckoning, {CHOICE}') !== null"
AT_REST = """() => document.getAnimations().every(
  one => one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity)"""
MOVED = "before => document.getElementById('table').dataset.decision !== before"
WANTED = ("play", "use", "stake", "on", "draft", "buy", "exchange", "look", "target", "blight", "resolve", "discard")


@pytest.fixture(scope="module", autouse=True)
def compiled_rules() -> Iterator[None]:
    """Three bots in plain Python would make it long: wait for the machine code first."""
    warming = ensure_warm_in_background(["threeyears"])
    assert warming.wait_until_compiled(1800), "compiling took too long"
    yield
    warming.stop_compiling()


def open_table(page: Any, **options: str) -> None:
    """A table with three bots, and the page drawn."""
    answer = page.request.post("/tables", form={**FORM, **options}, max_redirects=0)
    assert answer.status == 303
    page.goto(answer.headers["location"])
    page.wait_for_selector("body[data-ready=yes]")


def choose(page: Any, turn: int) -> str:
    """Something sensible: on the table, by its number, or by its button. Returns the way and the kind of choice."""
    before = page.get_attribute("#table", "data-decision")
    choices = page.eval_on_selector_all(
        CHOICE, "all => all.map(one => ({id: one.id, number: one.dataset.number, "
        "action: one.dataset.action, at: one.dataset.for ?? ''}))"
    )  # fmt: skip
    best = next((one for want in WANTED for one in choices if one["action"].startswith(want)), choices[0])
    if best["action"].startswith("play") and turn % 4 == 3:
        best = next(one for one in choices if one["action"] == "pass")
    spot = page.locator(f'#table [data-at="{best["at"]}"]')
    if best["at"] and turn % 3 != 2 and spot.count() == 1:
        spot.click()
        way = "table"
    elif turn % 2:
        page.keyboard.type(best["number"])
        way = "keyboard"
    else:
        page.eval_on_selector_all(CHOICE, "(all, id) => all.find(one => one.id === id).click()", best["id"])
        way = "button"
    page.wait_for_function(MOVED, arg=before)
    return f"{way} {best['action'].split()[0]}"


def test_a_whole_war(visit: Any) -> None:  # noqa: F811
    """Three years to the reckoning: sets, stakes, drafts, targets and interludes on the table, and nothing breaks."""
    page = visit()
    open_table(page)
    done = set()
    for turn in range(600):
        page.wait_for_function(TURN_OR_END)
        if page.locator("#reckoning").count():
            break
        done.add(choose(page, turn))
    assert page.locator("#reckoning").count() == 1
    assert {"table play", "table draft", "table buy"} <= done
    assert {how.split()[0] for how in done} == {"table", "keyboard", "button"}
    told = page.inner_text("#reckoning")
    assert "Renown" in told
    assert "Despair" in told
    assert page.locator(".breakdown tfoot td").count() >= 4


def test_on_a_phone(visit: Any) -> None:  # noqa: F811
    """360 pixels wide: claims, sets and hand fit; nothing scrolls sideways through a year of decisions."""
    page = visit(width=360, height=740, dark=True)
    open_table(page, option_years="1")
    for turn in range(200):
        page.wait_for_function(TURN_OR_END)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        if page.locator("#reckoning").count():
            break
        choose(page, turn)
    assert page.locator("#reckoning").count() == 1


def test_what_cannot_be_done_says_why(visit: Any) -> None:  # noqa: F811
    """Pointing at a claim card explains it."""
    page = visit()
    open_table(page)
    page.wait_for_function(TURN_OR_END)
    page.wait_for_function(AT_REST)  # else the card slides away under the pointer
    page.hover(".claim .title >> nth=0")  # its icons explain themselves
    page.wait_for_selector("#slip[data-kind=explain]:not([hidden])")
    assert "claim card" in page.inner_text("#slip")
