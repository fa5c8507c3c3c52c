"""On a phone a partner's proposal leaves in sight what may be chosen instead; what is touched is measured in test_everywhere.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .short import drawn
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
