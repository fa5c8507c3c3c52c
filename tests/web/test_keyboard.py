"""A game of each title is finished by keyboard alone: by the numbers of choices, by Tab to the board, by the list of all."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from .short import ASKED, decision, is_over, offered, open_short, wait_for_another, wanted

pytestmark = pytest.mark.browser

AT = "wanted => document.activeElement?.matches(wanted) ?? false"


def tab_to(page: Any, spot: str, most: int = 400) -> None:
    """On with Tab until it is focused: whoever has only a keyboard can do no more."""
    for _ in range(most):
        if page.evaluate(AT, spot):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{spot} cannot be reached: {page.evaluate('() => document.activeElement.outerHTML')[:200]}")


def uncover(page: Any) -> None:
    """The screen is handed over: the only thing that can be done."""
    page.keyboard.press("Home")
    tab_to(page, "#choices [data-eyes]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#choices [data-eyes]", state="detached")
    page.wait_for_selector(ASKED, state="attached")


def on_the_board(page: Any, one: dict[str, str]) -> bool:
    """By Tab to its place and Enter, and by its number in the slip if several things can be done there."""
    spots = page.locator(f'#table [data-at="{one["at"]}"], #seats [data-at="{one["at"]}"]')
    if not one["at"] or spots.count() != 1 or not spots.first.is_visible():
        return False
    tab_to(page, f'[data-at="{one["at"]}"]')
    page.keyboard.press("Enter")
    if page.locator("#slip:not([hidden]) .menu").count():
        page.keyboard.press("Enter")
    return True


def from_the_list(page: Any, one: dict[str, str]) -> None:
    page.keyboard.press(",")
    page.wait_for_selector("body.listing")
    tab_to(page, f"#{one['id']}")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("game", ["bellum", "threeyears", "warfarm", "sixwinters"])
def test_a_game_is_finished_by_keyboard_alone(visit: Callable[..., Any], game: str) -> None:
    """Manor's stands in test_browser.py, on a small phone."""
    page = visit(width=1280, height=800)
    open_short(page, game)
    luck, ways = random.Random(3), dict.fromkeys(("number", "board", "list"), 0)
    for turn in range(1500):
        if is_over(page):
            break
        if page.locator("#choices [data-eyes]").count():
            uncover(page)
            continue
        one, before, way = wanted(game, offered(page), luck), decision(page), "number"
        if turn % 6 == 2 and on_the_board(page, one):
            way = "board"
        elif turn % 6 == 5:
            from_the_list(page, one)
            way = "list"
        else:
            page.keyboard.type(one["key"])
        if page.locator("#choices [data-seal]").count():  # from the list or the board it is sealed with a second key
            page.keyboard.press("Enter")
        ways[way] += 1
        wait_for_another(page, before)
    assert page.locator("#reckoning").count() == 1
    assert page.locator(".phases [aria-current]").count() == 0, "a game that is over is in no phase"
    assert min(ways.values()) > 0, ways
