"""A war on a phone, by thumb alone: four powers on one screen of 390 pixels, from 1644 to the peace."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from web.conftest import house, no_luck, visit  # noqa: F401
from web.everywhere import kind_of
from web.short import ASKED, CHOICE, decision, is_over, open_short, wait_for_another

pytestmark = pytest.mark.browser

WIDTH, HEIGHT = 390, 844
LOOKS = 2
"""So many decisions of each kind are looked at, then every eighth: to measure all that lies on the screen takes longer than to play."""
SMALL = """() => [...document.querySelectorAll('.map text, #seats *, #prompt p, #prompt h2, #choices *, #battle *, .years *, #beside *')]
  .filter((one) => one.getBoundingClientRect().width > 0 && !one.closest('.sr, kbd') && getComputedStyle(one).opacity !== '0'
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((one) => [one.textContent.trim().slice(0, 20), parseFloat(getComputedStyle(one).fontSize) * (one.getScreenCTM?.().a ?? 1)])
  .filter(([, size]) => size && size < 11.45)"""
"""Letters too small to be read, at the scale in which the map has opened."""
SMALL_KEYS = """() => [...document.querySelectorAll('#prompt button, #beside button, #battle button, .lens button, .tiny')]
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.width > 2 && box.bottom > 0 && (box.width < 43.5 || box.height < 43.5))
  .map(([one, box]) => [one.outerHTML.slice(0, 90), box.width, box.height])"""
BARE = """hex => {
  const box = hex.getBoundingClientRect(), plate = document.querySelector('.map').getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (x < 0 || x > innerWidth || y < plate.top || y > plate.bottom) return false;
  const top = document.elementFromPoint(x, y);
  return hex.contains(top) || top?.closest('.map .leader') !== null;
}"""
"""Does a thumb meet this area, or the leader in it?"""


def looked_at(page: Any) -> None:
    """At a decision: nothing sideways, all four powers above, the choices in the sheet below, everything legible."""
    page.wait_for_function(
        f"() => ({SMALL})().length === 0"
    )  # the map opens anew when the choices have taken their room
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    powers = [page.locator("#seats .seat").nth(i).bounding_box() for i in range(4)]
    assert all(one["x"] >= 0 and one["x"] + one["width"] <= WIDTH + 1 for one in powers)
    sheet, plate = page.locator("#prompt").bounding_box(), page.locator(".map").bounding_box()
    assert max(one["y"] + one["height"] for one in powers) <= plate["y"] + 1
    assert sheet["y"] >= HEIGHT / 2 - 60, "the sheet leaves half of the screen to the map"
    assert sheet["y"] + sheet["height"] >= HEIGHT - 1, "and lies where the thumb is"
    assert page.evaluate(SMALL_KEYS) == []
    if page.locator("#prompt.folds").count():
        small = page.locator(".tiny").bounding_box()
        for one in page.locator("#choices :is(.offered, .pinned) > :is(.choice:not([data-for]), details)").all():
            key = one.bounding_box()
            assert key["x"] >= small["x"] + small["width"], "beside the small map"
            assert key["y"] + key["height"] <= page.locator("[data-list]").bounding_box()["y"] + 1, (
                "above the way to the list"
            )


def tap_one(page: Any, done: dict[str, int]) -> str:
    """On the map where something is lit: the first touch shows what comes of it, the second does it. Else in the sheet."""
    before = decision(page)
    lit = page.locator(".map .reach .hex.legal, .map .leader.legal")
    bare = [i for i in range(lit.count()) if lit.nth(i).evaluate(BARE)]
    way = min(("map", "list"), key=lambda one: done.get(one, 0) / {"map": 4, "list": 1}[one])
    pads = page.locator("#choices .choice.pad")
    if page.locator("#battle[data-secret]").count():
        pads.nth(0).tap()
        pads.nth(1).tap()
        assert decision(page) == before, "the first touch takes a number up, another one instead"
        assert page.locator(".choice.pad[aria-pressed=true]").count() == 1
        assert page.inner_text("#choices [data-seal]").startswith("Seal it: 1 of ")
        page.locator("#choices [data-seal]").tap()
        way = "sealed"
    elif bare and way == "map":
        lit.nth(bare[done.get("map", 0) % len(bare)]).tap(force=True)
        page.wait_for_function(
            "before => document.querySelector('body.armed, #slip:not([hidden]) .menu')"
            " || document.getElementById('table').dataset.decision !== before",
            arg=before,
        )
        if page.locator("body.armed").count():
            assert decision(page) == before, "the first touch only shows"
            page.locator("#beside [data-do]").tap()
        elif page.locator("#slip:not([hidden]) .menu").count():
            page.locator("#slip .menu .choice").first.tap()
    elif page.locator("#prompt .choices .choice[data-action]:not([data-for]):visible").count():
        page.locator("#prompt .choices .choice[data-action]:not([data-for]):visible").last.tap()
        way = "sheet"
    else:
        page.locator("[data-list]").tap()
        page.locator(f"{CHOICE}:visible").first.tap()
        way = "list"
    wait_for_another(page, before)
    return way


def test_a_whole_war_by_thumb(visit: Any) -> None:  # noqa: F811
    page = visit(width=WIDTH, height=HEIGHT, has_touch=True, is_mobile=True, dark=True)
    open_short(page, "bellum")
    ways: dict[str, int] = {}
    seen: Counter[str] = Counter()
    for _ in range(200):
        if is_over(page):
            break
        if page.locator("#choices [data-eyes]").count():
            page.locator("#choices [data-eyes]").tap()
            page.wait_for_selector("#choices [data-eyes]", state="detached")
            page.wait_for_selector(ASKED, state="attached")
            continue
        kind = kind_of(page)
        seen[kind] += 1
        if seen[kind] <= LOOKS or seen[kind] % 8 == 0:
            looked_at(page)
        way = tap_one(page, ways)
        ways[way] = ways.get(way, 0) + 1
    assert page.locator("#reckoning").is_visible()
    assert "Together" in page.inner_text("#reckoning")
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    assert ways["map"] >= 10, ways
    assert {"list", "sheet", "sealed"} <= set(ways), ways
