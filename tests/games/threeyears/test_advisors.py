"""What is printed on an influence card is seen on it: the longest names with what they bring, on a phone and at a desk."""

from __future__ import annotations

from typing import Any

import pytest

from sutler.games.threeyears import GAME
from web.conftest import house, no_luck, visit  # noqa: F401

pytestmark = pytest.mark.browser
OVERFULL = """(names) => {
  const li = document.querySelector('.suit .cards > li').cloneNode(true), card = li.querySelector('.advisor');
  document.querySelector('.suit .cards').append(li);
  card.querySelector('.symbols')?.remove();
  const despair = '<svg class="icon k-despair"><use href="#i-despair"/></svg>';
  card.insertAdjacentHTML('beforeend', `<span class="symbols"><b class="red"><span>2${despair}</span></b></span>`);
  return names.filter((name) => {
    card.querySelector('.name').firstChild.textContent = name;
    return card.scrollHeight > card.clientHeight + 1 || card.scrollWidth > card.clientWidth + 1;
  });
}"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1920, 1080), (390, 844), (360, 740)])
def test_every_advisors_name_and_stakes_fit_the_card(visit: Any, width: int, height: int) -> None:  # noqa: F811
    """All 58, each with a stake below its name."""
    page = visit(width=width, height=height)
    form = {"game": "threeyears", "seat_0": "me", "seat_1": "easy"}
    page.goto(page.request.post("/tables", form=form, max_redirects=0).headers["location"])
    page.wait_for_selector("html[data-drawn=yes]")
    page.wait_for_selector(".suit .advisor")
    assert page.evaluate(OVERFULL, [entry["name"] for entry in GAME.printed["influence"]]) == []
