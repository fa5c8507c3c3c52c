"""On a phone a partner's proposal leaves in sight what may be chosen instead; what is touched is measured in test_everywhere.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .short import decision, decisions, drawn, open_short, wait_for_another
from .test_everywhere import PHONE, SMALL

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(visit: Callable[..., Any]) -> Any:
    return visit(calm=True, **PHONE | {"locale": "en-US"})


OUT_OF_SIGHT = """() => {
  const sheet = document.querySelector('#prompt').getBoundingClientRect();
  return [...document.querySelectorAll('#choices .choice')].filter((one) => {
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
    assert phone.locator("#choices .choice[data-action]").count() == 3
    assert phone.evaluate(OUT_OF_SIGHT) == []
    assert phone.evaluate(SMALL) == []


OUT_OF_VIEW = """() => {
  const lit = [...document.querySelectorAll('#plate .legal')].filter((one) => one.getClientRects().length);
  const plate = document.querySelector('#plate').getBoundingClientRect();
  const ways = document.querySelector('.farm-ways');
  const top = Math.max(plate.top, ways ? ways.getBoundingClientRect().bottom : 0);
  const inView = (one) => { const box = one.getBoundingClientRect(); return box.bottom > top && box.top < plate.bottom; };
  return lit.length > 0 && !lit.some(inView);
}"""
TO_THE_END = (
    "() => { for (const one of document.querySelectorAll('#plate, #plate > *')) one.scrollTop = one.scrollHeight; }"
)
MOVES = 12


@pytest.mark.parametrize("game", ["warfarm", "sixwinters"])
def test_a_new_question_brings_what_it_is_about_into_view(phone: Any, game: str) -> None:
    """On a phone a board scrolls: wherever one has scrolled to, the next question shows something it asks about, if it is about the board.

    WARFARM shows one farm at a time; Six Winters begins with questions about nothing on its board.
    """
    open_short(phone, game)
    asked_below = 0
    for number in decisions(phone, MOVES):
        assert not number or not phone.evaluate(OUT_OF_VIEW), f"decision {decision(phone)}"
        phone.evaluate(TO_THE_END)
        asked_below += phone.evaluate(OUT_OF_VIEW)
        before = decision(phone)
        phone.evaluate("() => document.querySelector('#choices .choice[data-action]').click()")
        wait_for_another(phone, before)
    assert asked_below or game != "warfarm", "the end of the board shows everything: the test sees nothing"
