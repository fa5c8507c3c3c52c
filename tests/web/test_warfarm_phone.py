"""WARFARM on a phone: who is winning, choices that are read whole, a farm that is seen whole beside the coach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .short import CHOICE, decision, drawn, offered, wait_for_another

COACHED = {
    "game": "warfarm",
    "seat_0": "me",
    "name_0": "Agnes",
    "seat_1": "me",
    "seat_2": "me",
    "coach": "yes",
    "option_first_seat": "0",
}
OUTSIDE = """(all) => all.filter((one) => {
  const [box, own] = [document.getElementById("choices").getBoundingClientRect(), one.getBoundingClientRect()];
  return own.left < box.left - 4 || own.right > box.right + 4 || own.top < box.top - 4 || own.bottom > box.bottom + 4;
}).map((one) => one.textContent.trim())"""


def reach(page: Any, verb: str) -> None:
    """Play the first choice until one begins with `verb`; on a screen that is handed on it is taken over."""
    for _ in range(20):
        page.wait_for_selector(f"{CHOICE}, #choices [data-eyes]")
        if page.locator("#choices [data-eyes]").count():
            page.click("#choices [data-eyes]")
            page.wait_for_selector("#choices [data-eyes]", state="detached")
            continue
        found = offered(page)
        if any(one["action"].startswith(verb) for one in found):
            return
        before = decision(page)
        chosen = next((one for one in found if "Steel" in one["action"]), found[-1])
        page.evaluate("(id) => document.getElementById(id).click()", chosen["id"])
        wait_for_another(page, before)
    pytest.fail(f"nothing begins with {verb}")


@pytest.mark.parametrize("width", [360, 390])
def test_a_choice_that_can_be_repeated_is_read_whole(visit: Callable[..., Any], width: int) -> None:
    """Build Explorer and its ×2 stand beside Build Soldier; nothing is drawn out of sight to the left."""
    page = visit(width=width, height=844 if width == 390 else 740, has_touch=True, dark=True, calm=True)
    page.goto("/")
    page.goto(page.request.post("/tables", form=COACHED, max_redirects=0).headers["location"])
    drawn(page)
    reach(page, "build")
    page.wait_for_selector("#choices .times")
    assert page.locator("#choices .choice").count() == 4
    assert page.eval_on_selector_all("#choices .choice", OUTSIDE) == []


def test_each_seat_shows_the_victory_it_is_nearest_to(visit: Callable[..., Any]) -> None:
    page = visit(width=360, height=740, has_touch=True, dark=True, calm=True)
    page.goto("/")
    page.goto(page.request.post("/tables", form=COACHED, max_redirects=0).headers["location"])
    drawn(page)
    shown = page.locator("#seats .goals > li:visible")
    assert shown.count() == 3
    assert [text.split() for text in shown.all_inner_texts()] == [["farm", "8/24"]] * 3
    assert all(
        box["width"] > 30 for box in (one.bounding_box() for one in page.locator("#seats .goals .scale:visible").all())
    )


def test_the_farm_is_seen_whole_beside_the_coach(visit: Callable[..., Any]) -> None:
    """At 390 by 844, while nobody holds a card: the last row of one's field lies above the lower edge of the board."""
    page = visit(width=390, height=844, has_touch=True, dark=True, calm=True)
    page.goto("/")
    page.goto(page.request.post("/tables", form=COACHED, max_redirects=0).headers["location"])
    drawn(page)
    reach(page, "begin")
    lowest = page.locator("#farm-0 .plot").last.bounding_box()
    plate = page.locator("#plate").bounding_box()
    assert lowest["y"] + lowest["height"] <= plate["y"] + plate["height"]
