"""Card games from a file at the default table, in a browser: row, hand, tableau, tokens and tracks; a phone too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sutler.cardkit.installed_card_games import card_game

from .contrast import too_faint
from .short import decision, drawn, wait_for_another
from .test_everywhere import DESK, PHONE, SMALL, WIDE

pytestmark = pytest.mark.browser
CARDS = Path(__file__).parents[2] / "examples" / "cards"
FERRY = Path(__file__).parents[1] / "cardkit" / "ferry.toml"
CUT = """
[...document.querySelectorAll(".paper")].filter((paper) => {
  const box = paper.getBoundingClientRect(), parts = [...paper.querySelectorAll(".title, .scene, .scene > *, .says, .facts-of, .fact")];
  return parts.some((part) => part.scrollHeight > part.clientHeight + 1 && part.matches(".says, .title, .scene")
    || part.getBoundingClientRect().bottom > box.bottom + 1 || part.getBoundingClientRect().right > box.right + 1);
}).map((paper) => paper.innerText)
"""
"""The texts of all cards of which a part is cut off, or stands out of the card."""
SCREENS = [(DESK, False), (DESK, True), (PHONE | {"locale": "en-US"}, False)]


@pytest.fixture(autouse=True)
def on_the_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both examples, quicker as they stand than compiled."""
    monkeypatch.setenv("SUTLER_GAMES", "")
    for file in (CARDS / "stalls.toml", CARDS / "highwater.toml", FERRY):
        monkeypatch.setattr(card_game(file).definition.home, "interpreted", True)


def sit_down(page: Any, game: str) -> None:
    """A table of this game, all three seats at this screen."""
    form = {"game": game, "seat_0": "me", "name_0": "Agnes", "seat_1": "me", "seat_2": "me"}
    answer = page.request.post("/tables", form=form, max_redirects=0)
    assert answer.status == 303, answer.text()
    page.goto(answer.headers["location"])
    look(page)


def look(page: Any) -> None:
    """Wait for what is asked; where there are secrets, the screen first goes to the seat that decides."""
    page.wait_for_selector("#choices [data-eyes], #choices .choice[data-action]")
    if page.locator("#choices [data-eyes]").count():
        page.locator("#choices [data-eyes]").first.click()
        page.wait_for_selector("#choices .choice[data-action]")
    drawn(page)


def titles(page: Any, where: str) -> list[str]:
    """The names of the cards in a part of the page."""
    return [str(one) for one in page.locator(f"{where} .paper .title").all_inner_texts()]


def sound(page: Any, other: Any) -> None:
    """Nothing is wider than the screen, too small for a thumb, or too faint."""
    assert page.evaluate(WIDE) == []
    if page.viewport_size["width"] < 600:
        assert page.evaluate(SMALL) == []
    measured, faint = too_faint(page, other, "card game")
    assert measured > 10
    assert faint == []


@pytest.mark.parametrize(("screen", "dark"), SCREENS, ids=["desk", "candle", "phone"])
def test_a_row_to_buy_from_and_what_one_has(visit: Callable[..., Any], screen: dict[str, Any], dark: bool) -> None:
    """Market Stalls: three wares are laid out with what they cost; one that is bought lies before its owner, and another comes."""
    page = visit(calm=True, dark=dark, **screen)
    sit_down(page, "stalls")
    laid_out = titles(page, ".middle")
    assert len(laid_out) == 3
    assert len(titles(page, ".card-hand")) == 1
    assert page.locator("#seats .goods b").first.inner_text() == "5"
    sound(page, visit(calm=True))
    bought = page.locator(".middle .paper.legal .title").first.inner_text()
    page.locator(".middle .paper.legal button").first.click()
    page.wait_for_selector("#choices [data-eyes]")
    assert page.locator("#seat-0 .before", has_text=bought).count() == 1


@pytest.mark.parametrize(("screen", "dark"), SCREENS, ids=["desk", "candle", "phone"])
def test_tracks_that_all_share_and_a_hand(visit: Callable[..., Any], screen: dict[str, Any], dark: bool) -> None:
    """High Water: two tracks of twelve steps, the decks, a hand of two helpers that say what they do, one's villager before one."""
    page = visit(calm=True, dark=dark, **screen)
    sit_down(page, "highwater")
    assert page.locator(".track-of").count() == 2
    assert page.locator(".track-of").first.locator(".steps i").count() == 12
    assert page.locator(".track-of").first.locator(".steps i.full").count() == 2
    assert len(titles(page, ".card-hand")) == 2
    assert all(page.locator(".card-hand .says").all_inner_texts())
    assert len(titles(page, ".own")) == 1
    assert page.locator(".deck").count() == 5
    sound(page, visit(calm=True))


@pytest.mark.parametrize(("screen", "dark"), SCREENS, ids=["desk", "candle", "phone"])
def test_cards_are_whole_and_sums_are_told(visit: Callable[..., Any], screen: dict[str, Any], dark: bool) -> None:
    """Ferry of Fools: no card's text is cut off, however long; one's boat says what its cards come to, and each seat does."""
    page = visit(calm=True, dark=dark, **screen)
    sit_down(page, "ferry")
    assert page.locator(".own h4").all_inner_texts()[0].startswith("Your boat")
    assert page.locator(".own h4 .sum").all_inner_texts() == ["0 weight", "0 fare"]
    assert page.locator("#seats .before .sum").count() == 6
    for _ in range(7):
        assert page.evaluate(CUT) == []
        before = decision(page)
        page.locator("#choices .choice[data-action]").first.click()
        wait_for_another(page, before)
        look(page)
    sound(page, visit(calm=True))


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_more_games_than_five_lie_in_the_lobby_as_the_five_do(
    visit: Callable[..., Any], screen: dict[str, Any]
) -> None:
    """Covers are as wide as each other, five in a row at a desk, all in one row that is pushed on a phone."""
    page = visit(calm=True, **screen)
    page.goto("/")
    boxes = page.evaluate(
        "[...document.querySelectorAll('.covers > li')].map((li) => li.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 8
    assert len({round(box["width"]) for box in boxes}) == 1
    assert len({round(box["top"]) for box in boxes}) == (2 if screen is DESK else 1)
    assert page.evaluate(WIDE) == []
