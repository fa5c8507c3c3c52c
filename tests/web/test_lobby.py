"""The lobby as it is seen: covers in a row, whole or with a way to the rest, and files chosen in the page's own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser

DRAWN = "html[data-drawn=yes]"
PICTURES = """() => [...document.querySelectorAll('.cover')].map((cover) =>
  cover.querySelector('.scene').getBoundingClientRect().top - cover.getBoundingClientRect().top)"""
SEEN = "() => [...document.querySelectorAll('.along i')].map((one) => one.classList.contains('seen'))"


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_all_covers_have_their_pictures_at_one_height(visit: Callable[..., Any], locale: str) -> None:
    """A title or a mood of two lines lets none of them hang lower."""
    page = visit(width=1440, height=900, locale=locale, calm=True)
    page.goto("/")
    page.wait_for_selector(DRAWN)
    heights = page.evaluate(PICTURES)
    assert len(heights) == 5
    assert max(heights) - min(heights) < 1
    assert page.locator(".along").is_hidden()


def test_a_phone_opens_with_the_first_cover_whole_and_leads_on_to_the_others(visit: Callable[..., Any]) -> None:
    page = visit(width=390, height=844, calm=True)
    page.goto("/")
    page.wait_for_selector(DRAWN)
    assert page.evaluate(SEEN) == [True, False, False, False, False]
    assert page.locator(".cover.chosen h2").inner_text() == "Medieval Manor"
    assert page.locator("[data-along='-1']").is_disabled()
    for seen in range(1, 5):
        page.click("[data-along='1']")
        page.wait_for_function(f"() => ({SEEN})()[{seen}]")
    assert page.locator("[data-along='1']").is_disabled()


def test_a_file_is_chosen_in_the_words_of_the_page(visit: Callable[..., Any]) -> None:
    """The browser's own control speaks the browser's language, whatever the page's."""
    page = visit(calm=True, locale="de-DE")
    page.goto("/")
    page.wait_for_selector(DRAWN)
    chooser = page.locator(".upload .file")
    assert chooser.inner_text().split("\n") == ["Datei wählen", "noch keine gewählt"]
    page.locator("#file").set_input_files({"name": "winter.json", "mimeType": "application/json", "buffer": b"{}"})
    assert chooser.locator(".called").inner_text() == "winter.json"
