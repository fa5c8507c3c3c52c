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


FARM = """() => {
  const box = (one) => one.getBoundingClientRect();
  const plate = box(document.querySelector('#plate')), scene = box(document.querySelector('#farm-0 .scene'));
  const decks = [...document.querySelectorAll('.deck')];
  return {
    top: Math.round(plate.top), seats: Math.round(box(document.querySelector('#seats')).height),
    heads: [...document.querySelectorAll('#farm-0 .yard .flat')].filter((one) => box(one).top < scene.top).length,
    yard: document.querySelectorAll('#farm-0 .yard .flat').length,
    decks: decks.some((one) => one.classList.contains('legal')) ? decks.filter((one) => box(one).bottom > plate.bottom).length : 0,
    asked: decks.some((one) => one.classList.contains('legal')),
    units: [...document.querySelectorAll('#seats .seat')].filter((seat) => [...seat.querySelectorAll('.cells > li')]
      .some((one) => box(one).right > box(seat).right)).length,
  };
}"""


def test_units_are_seen_from_head_to_foot_and_decks_in_both_rows(visit: Callable[..., Any]) -> None:
    """At 360 by 740 with the coach: the heads of whoever waits at home were cut off, and one of two rows of decks lay below the edge."""
    page = visit(width=360, height=740, has_touch=True, is_mobile=True, calm=True)
    page.goto("/")
    form = {**COACHED, "seat_1": "easy", "seat_2": "easy"}
    page.goto(page.request.post("/tables", form=form, max_redirects=0).headers["location"])
    drawn(page)
    found = []
    for _ in range(30):
        page.wait_for_selector(CHOICE)
        found.append(page.evaluate(FARM))
        if found[-1]["yard"] and any(one["asked"] for one in found):
            break
        every, before = offered(page), decision(page)
        wishes = ("begin Steel", "build Explorer", "explore", "build Soldier")
        chosen = next((one for wish in wishes for one in every if one["action"].startswith(wish)), every[0])
        page.evaluate("(id) => document.getElementById(id).click()", chosen["id"])
        wait_for_another(page, before)
    assert any(one["yard"] for one in found)
    assert any(one["asked"] for one in found)
    assert [one for one in found if one["heads"] or one["decks"] or one["units"]] == []
    assert len({(one["top"], one["seats"]) for one in found}) == 1
    assert found[0]["seats"] <= 84
