"""A whole game of WARFARM in a real browser: one person against two bots, on the board, by buttons and by keyboard."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from sutler.core.compilation.warm import ensure_warm_in_background
from web.conftest import house, no_luck, visit  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.compiled]

CHOICE = "#choices .choice[data-action]"
OPEN = "() => document.querySelector('#reckoning, #choices .choice[data-action]') !== null"
MOVED = "before => document.getElementById('table').dataset.decision !== before || document.querySelector('#reckoning')"
AT_THE_TOP = """id => {
  const [farm, ways] = [document.getElementById(id), document.querySelector('.farm-ways')].map((one) => one.getBoundingClientRect());
  return Math.abs(farm.top - ways.bottom) < 12;
}"""
IN_SIGHT = """id => {
  const [one, plate] = [document.getElementById(id), document.getElementById('plate')].map((box) => box.getBoundingClientRect());
  return one.top >= plate.top && one.bottom <= plate.bottom + 1;
}"""
ROUNDS = "4"
"""After so many the farms are compared: enough to see every step but the rarest."""
PATIENCE = 240_000  # milliseconds for bots on a busy machine
AT_LAST = ("end", "leave", "discard", "surrender")
"""What is chosen when nothing else is: so that cards are played, units built, posted, sent out and used to attack."""


@pytest.fixture(scope="module", autouse=True)
def compiled_rules() -> Iterator[None]:
    """Bots in plain Python would take minutes a round: wait for the machine code first."""
    warming = ensure_warm_in_background(["warfarm"])
    assert warming.wait_until_compiled(1800), "compiling took too long"
    yield
    warming.stop_compiling()


def open_table(page: Any, **form: str) -> None:
    """A new table: this browser's seat, and a bot in each of the others."""
    seats = {"seat_0": "me", "name_0": "Agnes", "seat_1": "easy", "seat_2": "easy"}
    answer = page.request.post("/tables", form={"game": "warfarm", **seats, **form}, max_redirects=0, timeout=120_000)
    assert answer.status == 303
    page.goto(answer.headers["location"])
    page.wait_for_selector("body[data-ready=yes]")
    page.wait_for_function(OPEN, timeout=PATIENCE)


def choose(page: Any, luck: random.Random) -> str:
    """A choice where it is lit on the board, by its number or by its button. Returns how."""
    before = page.get_attribute("#table", "data-decision")
    all_of_them = page.eval_on_selector_all(
        CHOICE, "all => all.map(one => [one.dataset.action, one.dataset.number, one.dataset.for ?? ''])"
    )
    wanted = [one for one in all_of_them if not one[0].startswith(AT_LAST)] or all_of_them
    action, number, at = luck.choice(wanted)
    alone = [one[2] for one in all_of_them].count(at) == 1
    spot = page.locator(f'#table [data-at="{at}"]')
    if at and alone and spot.count() == 1 and luck.random() < 0.6:
        spot.dispatch_event("click")
        how = "board"
    elif number and len(number) == 1 and luck.random() < 0.5:
        page.keyboard.press(number)
        how = "keyboard"
    else:
        page.eval_on_selector_all(CHOICE, "(all, name) => all.find(one => one.dataset.action === name).click()", action)
        how = "button"
    page.wait_for_function(MOVED, arg=before, timeout=PATIENCE)
    return how


def test_a_whole_game(visit):  # noqa: F811
    """Three seats, two bots, to the reckoning; what is lit, explained and refused on the way; the replay after it."""
    page = visit()
    open_table(page, option_first_seat="0", option_max_rounds=ROUNDS)
    assert page.locator(".farm").count() == 3
    assert page.locator(".deck").count() == 10
    assert page.locator(".deck.open").count() == 1, "at first only the Resource deck is unlocked"
    page.locator('#farm-1 [data-at="land:1"]').dispatch_event("click")  # nobody attacks yet, and it says why
    page.wait_for_selector("#slip:not([hidden])")
    page.keyboard.press("Escape")
    luck, ways, phases = random.Random(2), set(), set()
    for _ in range(400):
        page.wait_for_function(OPEN, timeout=PATIENCE)
        if page.locator("#reckoning").count():
            break
        phases |= set(page.locator(".phases [aria-current]").all_inner_texts())  # none before the first turn
        ways.add(choose(page, luck))
    assert page.locator("#reckoning").count() == 1
    assert ways == {"board", "keyboard", "button"}
    assert {"Play", "Build", "Explore and farm"} <= phases
    assert "wins" in page.locator("#prompt h2").inner_text()
    page.locator(".line-at").first.click()
    page.wait_for_selector("body.looking-back")
    assert page.locator(".farm").count() == 3


def test_on_a_phone(visit):  # noqa: F811
    """360 pixels wide: farms, decks and choices fit; nothing scrolls sideways; a card says what it does."""
    page = visit(width=360, height=740, dark=True)
    open_table(page)
    luck = random.Random(4)
    for _ in range(8):
        page.wait_for_function(OPEN, timeout=PATIENCE)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        if page.locator("#reckoning").count():
            break
        choose(page, luck)
    page.wait_for_function(OPEN, timeout=PATIENCE)
    for seat in (1, 2, 0):  # one farm fills the plate; the ways above it lead to each
        page.locator(f'.farm-ways a[href="#farm-{seat}"]').click()
        page.wait_for_function(AT_THE_TOP, arg=f"farm-{seat}")
        assert page.evaluate("document.scrollingElement.scrollTop") == 0, "the page itself stays"
    page.locator('.farm-ways a[href="#decks"]').click()
    page.wait_for_function(IN_SIGHT, arg="decks")
    page.locator('[data-explain="deck:Farm I"]').first.hover()
    page.wait_for_selector("#slip:not([hidden])")
    assert "Water Wheel" in page.locator("#slip").inner_text()
