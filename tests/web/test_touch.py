"""On a phone whatever is touched is 44 px high and wide: measured on the house's pages and on tables, links in running text aside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser
SMALL = """() => [...document.querySelectorAll('a[href], button, summary, input:not([type=hidden]), select, [role=tab]')]
  .filter((one) => {
    if (one.disabled || one.closest('[inert], [hidden], dialog:not([open]), .sr, .skip') || one.matches('.para')) return false;
    const style = getComputedStyle(one), box = one.getBoundingClientRect(), laid = getComputedStyle(one, '::after');
    if (!box.width || style.visibility === 'hidden' || style.display === 'inline') return false;
    const around = one.closest('label')?.getBoundingClientRect() ?? box;
    const wide = Math.max(around.width, parseFloat(laid.width) || 0), high = Math.max(around.height, parseFloat(laid.height) || 0);
    return wide < 43.5 || high < 43.5;
  }).map((one) => {
    const { width, height } = one.getBoundingClientRect();
    return `${one.tagName} ${one.id} ${one.className} ${Math.round(width)}x${Math.round(height)}`;
  })"""
"""What is smaller, with its size. An area around it counts: a label, or one that is laid over it."""


@pytest.fixture
def phone(visit: Callable[..., Any]) -> Any:
    return visit(width=390, height=844, has_touch=True, is_mobile=True)


def small(page: Any, address: str) -> list[str]:
    page.goto(address)
    page.wait_for_selector("html[data-drawn=yes]")
    found: list[str] = page.evaluate(SMALL)
    return found


@pytest.mark.parametrize("address", ["/?game=manor", "/me", "/learn/manor"])
def test_the_house_is_for_thumbs(phone: Any, address: str) -> None:
    assert small(phone, address) == []


@pytest.mark.parametrize("game", ["manor", "threeyears"])
def test_a_table_is_for_thumbs(phone: Any, game: str) -> None:
    form = {"game": game, "seat_0": "me", "seat_1": "me"}
    assert small(phone, phone.request.post("/tables", form=form, max_redirects=0).headers["location"]) == []


def test_the_room_in_which_one_waits_is_for_thumbs(phone: Any) -> None:
    form = {"game": "manor", "seat_0": "me", "seat_1": "link", "waits": "yes"}
    assert small(phone, phone.request.post("/tables", form=form, max_redirects=0).headers["location"]) == []
