"""On a phone whatever is touched is 44 px high and wide: measured on the house's pages and on tables, links in running text aside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .everywhere import pages, phases, waiting_room
from .short import FORMS, drawn

pytestmark = pytest.mark.browser
SMALL = """() => [...document.querySelectorAll('a[href], button, summary, input:not([type=hidden]), select, [role=tab]')]
  .filter((one) => {
    if (one.disabled || one.closest('[inert], [hidden], dialog:not([open]), .sr, .skip') || one.matches('.para')) return false;
    const style = getComputedStyle(one), box = one.getBoundingClientRect(), laid = getComputedStyle(one, '::after');
    if (!one.checkVisibility({ visibilityProperty: true }) || style.display === 'inline' || style.pointerEvents === 'none') return false;
    if (!box.width || style.clipPath === 'inset(50%)') return false;
    const around = one.closest('label')?.getBoundingClientRect() ?? box;
    const wide = Math.max(box.width, around.width, parseFloat(laid.width) || 0);
    const high = Math.max(box.height, around.height, parseFloat(laid.height) || 0);
    return wide < 43.5 || high < 43.5;
  }).map((one) => {
    const { width, height } = one.getBoundingClientRect();
    return `${one.tagName} ${one.id} ${one.className} ${Math.round(width)}x${Math.round(height)}`;
  })"""
"""What is smaller, with its size. An area around it counts: a label, or one that is laid over it. What takes no touch, and what
only a keyboard comes to, does not."""


@pytest.fixture
def phone(visit: Callable[..., Any]) -> Any:
    return visit(width=390, height=844, calm=True, has_touch=True, is_mobile=True)


def test_the_house_is_for_thumbs(phone: Any) -> None:
    found = {name: small for name in pages(phone) if (small := phone.evaluate(SMALL))}
    assert found == {}


def test_the_room_in_which_one_waits_is_for_thumbs(phone: Any) -> None:
    waiting_room(phone)
    assert phone.evaluate(SMALL) == []


CUT_THROUGH = """() => {
  const box = document.querySelector('#choices')?.getBoundingClientRect();
  return [...document.querySelectorAll('#choices > .choice')].filter((one) => {
    const { top, bottom, height } = one.getBoundingClientRect();
    return height && bottom > box.top + 1 && top < box.bottom - 1 && (top < box.top - 1 || bottom > box.bottom + 1);
  }).concat([...document.querySelectorAll('.advisor')].filter((one) => one.scrollHeight > one.clientHeight + 1))
    .map((one) => `cut through: ${one.textContent}`);
}"""
"""Choices of which the screen shows a sliver, and cards of the hand whose foot does not fit."""


@pytest.mark.parametrize("game", list(FORMS))
def test_every_phase_of_a_table_is_for_thumbs(phone: Any, game: str) -> None:
    """A short game to its end, looked at whenever something new is asked: what is touched is large, and shown whole or not at all."""
    found = {
        name: small for name in phases(phone, game) if (small := phone.evaluate(SMALL) + phone.evaluate(CUT_THROUGH))
    }
    assert found == {}


OUT_OF_SIGHT = """() => {
  const sheet = document.querySelector('#prompt').getBoundingClientRect();
  return [...document.querySelectorAll('#choices > .choice')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.top < sheet.top || box.bottom > sheet.bottom + 1;
  }).map((one) => one.textContent);
}"""


def test_a_proposal_leaves_the_choices_in_sight(visit: Callable[..., Any], phone: Any) -> None:
    """What a partner proposes comes above what may be chosen instead, on a phone too."""
    agnes = visit()
    form = {"game": "sixwinters", "seat_0": "me", "name_0": "Agnes", "seat_1": "link", "option_sessions": "1"}
    agnes.goto(agnes.request.post("/tables", form=form, max_redirects=0).headers["location"])
    drawn(agnes)
    phone.goto(agnes.locator(".invite input").first.input_value())
    phone.fill("#name", "Tamsin")
    phone.click("text=Take the seat")
    drawn(phone)
    agnes.wait_for_selector("#seats >> text=Tamsin")
    agnes.locator("#choices .choice[data-action]").first.click()
    phone.wait_for_selector("#choices .proposal")
    assert phone.locator("#choices > .choice[data-action]").count() == 3
    assert phone.evaluate(OUT_OF_SIGHT) == []
    assert phone.evaluate(SMALL) == []
