"""A whole war in a real browser: one person against three bots, on the map, with what is sealed, by mouse and by keyboard."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from sutler.core.compilation.warm import ensure_warm_in_background
from web.conftest import house, no_luck, visit  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.compiled]

FORM = {"game": "bellum", "seat_0": "me", "name_0": "Agnes", "option_city_tiles": "random", "option_drawn": "1"}
CHOICE = "#choices .choice[data-action]"
ON_TOP = """hex => {
  const box = hex.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return hex.contains(top) || top?.closest(".map .leader") !== null;
}"""
"""Does the mouse meet this hex, or a leader in it, or do the buttons of the map lie over it?"""
MENU = "#slip:not([hidden]) .menu"
PATIENCE = 240_000  # milliseconds, for bots on a busy machine


@pytest.fixture(scope="module", autouse=True)
def compiled_rules() -> Iterator[None]:
    """Three bots in plain Python would take minutes a round: wait for the machine code first."""
    warming = ensure_warm_in_background(["bellum"])
    assert warming.wait_until_compiled(1800), "compiling took too long"
    yield
    warming.stop_compiling()


def decision(page: Any) -> str:
    return str(page.get_attribute("#table", "data-decision"))


def wait_for_turn(page: Any) -> bool:
    """Until there is something to choose (True) or the war is over (False)."""
    page.wait_for_selector(f"{CHOICE}, #reckoning", state="attached", timeout=PATIENCE)
    return not page.locator("#reckoning").count()


def choose(page: Any, luck: random.Random, done: set[str]) -> str:
    """A choice that is sealed, on the map by mouse or keyboard, or by its button. Returns how.

    A way of the map that was not yet `done` comes before luck: a short war has few decisions on the map.
    A hex that both leaders can reach asks which of them goes (12.4).
    """
    before = decision(page)
    if page.locator("#battle[data-secret]").count():
        page.locator("#choices .choice.pad").last.click()
        assert decision(page) == before, "a click takes a number up, and seals nothing"
        page.locator("#choices [data-seal]").click()
        how = "sealed"
    else:
        names = page.eval_on_selector_all(CHOICE, "all => all.map(one => one.dataset.action)")
        spots = page.eval_on_selector_all(".map .reach .hex.legal", "all => all.map(one => one.id)")
        if spots and (not {"map", "keyboard"} <= done or luck.random() < 0.6):
            spot = page.locator(f"#{luck.choice(spots)}")
            if "keyboard" not in done or luck.random() < 0.5 or not spot.evaluate(ON_TOP):
                spot.focus()
                page.keyboard.press("Enter")
                how = "keyboard"
            else:
                spot.click(force=True)  # the mouse, whatever stands on the hex
                how = "map"
            if page.locator(MENU).count():
                page.locator(f"{MENU} .choice").nth(luck.randrange(page.locator(f"{MENU} .choice").count())).click()
        else:
            name = "end turn" if "end turn" in names and luck.random() < 0.5 else luck.choice(names)
            page.eval_on_selector_all(
                CHOICE, "(all, name) => all.find(one => one.dataset.action === name).click()", name
            )
            how = "button"
    wait_for_decision_after(page, before)
    return how


def wait_for_decision_after(page: Any, before: str) -> None:
    page.wait_for_function(
        "before => document.getElementById('table').dataset.decision !== before || document.querySelector('#reckoning')",
        arg=before,
        timeout=PATIENCE,
    )


def test_a_whole_war(visit):  # noqa: F811
    """Four seats, three bots, to the reckoning; zoom, ranges and explanations on the way; nothing breaks."""
    page = visit()
    answer = page.request.post(
        "/tables", form={**FORM, **{f"seat_{i}": "easy" for i in (1, 2, 3)}}, max_redirects=0, timeout=120_000
    )
    assert answer.status == 303
    page.goto(answer.headers["location"])
    page.wait_for_selector("body[data-ready=yes]")
    assert wait_for_turn(page)
    assert page.locator(".map .reach .hex").count() == 172
    assert page.locator(".map .leader").count() == 8

    page.locator('[data-lens="in"]').click()
    assert float(page.evaluate("document.documentElement.style.getPropertyValue('--map-k')")) > 1
    page.locator('[data-lens="all"]').click()
    page.locator(".seats .power").first.hover()
    assert page.locator(".map .hex.ranged").count() > 0
    page.locator("#h0102").dispatch_event("click")  # the open sea: not legal, and it says why
    page.wait_for_selector("#slip:not([hidden])")

    luck = random.Random(5)
    ways: set[str] = set()
    for _ in range(400):
        if not wait_for_turn(page):
            break
        ways.add(choose(page, luck, ways))
    assert page.locator("#reckoning").count() == 1
    assert {"map", "keyboard", "button"} <= ways
    assert "Together" in page.locator("#reckoning").inner_text()


TWICE = """() => {
  const aims = [...document.querySelectorAll('#choices .choice:not(.quiet)[data-for]')].map(one => one.dataset.for);
  return aims.find((at, i) => aims.indexOf(at) !== i) ?? null;
}"""
"""A spot that two choices aim at."""


def test_either_leader_to_one_hex(visit):  # noqa: F811
    """12.4: who has called to and fro may send either; a hex that both can reach asks which, by mouse and by keyboard."""
    page = visit()
    answer = page.request.post(
        "/tables", form={**FORM, **{f"seat_{i}": "easy" for i in (1, 2, 3)}}, max_redirects=0, timeout=120_000
    )
    page.goto(answer.headers["location"])
    page.wait_for_selector("body[data-ready=yes]")
    at = None
    for _ in range(200):
        assert wait_for_turn(page), "the war ended before anybody could be called"
        if at := page.evaluate(TWICE):
            break
        names = page.eval_on_selector_all(CHOICE, "all => all.map(one => one.dataset.action)")
        calls = [name for name in names if name.startswith("lead ")]
        before = decision(page)
        page.locator(f'#choices [data-action="{(calls or names)[0]}"]').dispatch_event("click")
        wait_for_decision_after(page, before)
    before = decision(page)
    hex_of = page.locator(f'.map .reach [data-at="{at}"]')
    hex_of.focus()
    page.keyboard.press("Enter")
    assert page.locator(f"{MENU} .choice").count() == 2
    page.keyboard.press("Escape")
    assert page.locator(MENU).count() == 0
    assert decision(page) == before
    assert hex_of.evaluate("one => one === document.activeElement")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    wait_for_decision_after(page, before)


def test_on_a_phone(visit):  # noqa: F811
    """360 pixels wide: the map, the choices and the seats fit; nothing scrolls sideways."""
    page = visit(width=360, height=740)
    answer = page.request.post(
        "/tables", form={**FORM, **{f"seat_{i}": "easy" for i in (1, 2, 3)}}, max_redirects=0, timeout=120_000
    )
    page.goto(answer.headers["location"])
    page.wait_for_selector("body[data-ready=yes]")
    assert wait_for_turn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(".map").bounding_box()["height"] > 100
