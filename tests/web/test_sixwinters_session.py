"""A whole year of Six Winters in two browsers, one of them a phone: from the missions to the reckoning, nobody waiting for a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sutler.core.compilation.warm import ensure_warm_in_background

from .everywhere import barred_in_either_theme

pytestmark = pytest.mark.browser

Visit = Callable[..., Any]
CHOICE = "#choices .choice[data-action]"
MENU = "#slip:not([hidden]) .menu .choice"
WISHES = (
    *(
        "put ",
        "overcome ",
        "serve ",
        "raise ",
        "take staged",
        "add ",
        "roll",
        "cancel ",
        "create with",
        "take ",
        "again",
    ),
    *("ready", "done, saving 2", "done, saving 1", "done, saving 0", "go on"),
)
"""What is done rather than anything else, so that a year is played out and comes to an end."""
SMALL = """() => [...document.querySelectorAll('#choices .choice, #choices summary, .ptabs button, .stood .ob button')]
  .filter(one => one.offsetParent && one.getBoundingClientRect().height < 43.5).map(one => one.outerHTML.slice(0, 120))"""
TINY = """() => [...document.querySelectorAll('#table *, #seats *')]
  .filter(one => one.offsetParent && [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .filter(one => !one.closest('kbd, .sr, svg') && parseFloat(getComputedStyle(one).fontSize) < 11.45)
  .map(one => [getComputedStyle(one).fontSize, one.outerHTML.slice(0, 120)])"""
MOVED = "Number(document.getElementById('table').dataset.decision) !== was"
WIDE = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.fixture(scope="module", autouse=True)
def compiled_rules() -> None:
    """A year has hundreds of decisions: wait for the machine code first."""
    warming = ensure_warm_in_background(["sixwinters"])
    assert warming.wait_until_compiled(1800), "compiling took too long"
    warming.stop_compiling()  # else the lab's share follows, beside the tests


def ready(page: Any) -> None:
    page.wait_for_selector("html[data-drawn=yes]")
    page.wait_for_selector("body[data-ready=yes]")


def decision(page: Any) -> int:
    return int(page.get_attribute("#table", "data-decision"))


def open_year(page: Any, second: str = "link", **options: str) -> str:
    """A table for one session; returns the friend's link."""
    form = {
        "game": "sixwinters",
        "seat_0": "me",
        "name_0": "Agnes",
        "seat_1": second,
        "option_sessions": "1",
        **options,
    }
    answer = page.request.post("/tables", form=form, max_redirects=0, timeout=120_000)
    assert answer.status == 303, answer.text()
    page.goto(answer.headers["location"])
    ready(page)
    return str(page.locator(".invite input").first.input_value()) if second == "link" else ""


def offered(page: Any) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.eval_on_selector_all(
        CHOICE, "all => all.map(one => ({id: one.id, action: one.dataset.action, at: one.dataset.for ?? ''}))"
    )
    return [one for one in found if not one["action"].startswith("step in")]


def in_the_step(page: Any) -> bool:
    """May this page act now, in the step in which anybody acts?"""
    return any(one["action"].startswith("done") for one in offered(page))


def choose(page: Any, partner: Any = None) -> str | None:
    """The most wished-for thing: on the board where it lies there, else by its button. A partner agrees, where it takes two."""
    choices = offered(page)
    if not choices:
        return None
    best = next((one for wish in WISHES for one in choices if one["action"].startswith(wish)), choices[0])
    before = decision(page)
    same = [one["id"] for one in choices if one["at"] == best["at"]]
    spot = page.locator(f'#table [data-at="{best["at"]}"]') if best["at"] else None
    if spot is not None and spot.count() == 1 and spot.is_visible() and spot.is_enabled():
        spot.click()
        if len(same) > 1:  # several things can be done there
            page.locator(MENU).nth(same.index(best["id"])).click()
    else:
        by_button(page, best["id"])
    if partner is not None:
        page.wait_for_function(f"was => {MOVED} || document.querySelector('.proposal')", arg=before)
        if page.locator(".proposal").count():
            partner.click("[data-proposal]")
    page.wait_for_function(f"was => {MOVED}", arg=before)
    return best["action"]


def by_button(page: Any, choice: str) -> None:
    """Out of its kind if the kinds are folded; out of the list of all if the rest lies on the board."""
    button = page.locator(f"#{choice}")
    if not button.is_visible():
        page.locator(f"details.folded:has(#{choice}) > summary").click()
    elif button.bounding_box()["width"] < 20:
        page.click("[data-list]")
    button.click()


def test_a_whole_year_in_two_browsers_one_a_phone(visit: Visit) -> None:
    agnes = visit(width=1440, height=900)
    tamsin = visit(width=390, height=844, dark=True, has_touch=True, is_mobile=True)
    tamsin.goto(open_year(agnes))
    tamsin.fill("#name", "Tamsin")
    tamsin.click("text=Take the seat")
    ready(tamsin)
    agnes.wait_for_selector("#seats >> text=Tamsin")
    moves: dict[str, list[str]] = {"agnes": [], "tamsin": []}
    out_of_turn = False
    for step in range(2000):
        if agnes.locator("#reckoning").count():
            break
        acting = agnes if agnes.locator("#seat-0.turn").count() else tamsin
        resting = tamsin if acting is agnes else agnes
        resting.wait_for_function(
            "at => Number(document.getElementById('table').dataset.decision) === at", arg=decision(acting)
        )
        if not out_of_turn and in_the_step(resting) and in_the_step(acting):
            acting, resting, out_of_turn = resting, acting, True  # whoever likes takes the word
        done = choose(acting, resting)
        assert done is not None, acting.locator("#prompt h2").inner_text()
        moves["agnes" if acting is agnes else "tamsin"].append(done)
        other = tamsin if acting is agnes else agnes
        now = decision(acting)
        other.wait_for_function("at => Number(document.getElementById('table').dataset.decision) >= at", arg=now)
        if step % 9 == 0:
            assert tamsin.evaluate(WIDE) <= 0, "nothing runs out of the phone"
            assert tamsin.evaluate(SMALL) == []
            assert tamsin.evaluate(TINY) == []
    assert out_of_turn, "two people acted in one step without waiting for a turn"
    assert agnes.locator("#reckoning").count() == 1
    tamsin.wait_for_selector("#reckoning")
    assert min(len(one) for one in moves.values()) > 5
    assert any(one.startswith("overcome") for one in moves["agnes"] + moves["tamsin"])
    agnes.click("[data-toggle-reckoning]")
    assert agnes.locator(".journal .winter").first.locator(".results li").count() == 2, "the journal tells the year"


def test_two_click_at_once_and_nothing_is_lost(visit: Visit) -> None:
    """Both see the same table; the second click was given before the first one was seen, and it still counts."""
    agnes = visit(width=1280)
    tamsin = visit(width=1280)
    tamsin.goto(open_year(agnes))
    tamsin.fill("#name", "Tamsin")
    tamsin.click("text=Take the seat")
    ready(tamsin)
    while not (in_the_step(agnes) and in_the_step(tamsin)):
        acting = agnes if agnes.locator("#seat-0.turn").count() else tamsin
        choose(acting, tamsin if acting is agnes else agnes)
        now = decision(acting)
        for page in (agnes, tamsin):
            page.wait_for_function("at => Number(document.getElementById('table').dataset.decision) === at", arg=now)
    now = decision(agnes)
    answers = []
    for page, seat in ((agnes, 0), (tamsin, 1)):
        base = page.get_attribute("body", "data-base")
        action = next(one["action"] for one in offered(page) if one["action"].startswith("done, saving 2"))
        form = {"action": action, "decision": str(now), "eyes": str(seat)}
        answers.append(page.request.post(f"{base}/play", form=form, headers={"HX-Request": "true"}))
    assert [one.status for one in answers] == [200, 200]
    assert "That was already decided" not in answers[1].text()


@pytest.mark.parametrize("width", [1440, 360])
def test_nothing_serious_for_axe(visit: Visit, width: int) -> None:
    """The missions, the land, an overcome under way, and the parts of a phone; each by day and by candle."""
    page = visit(width=width, height=900 if width > 400 else 740, calm=True)
    found: list[str] = []

    def check(name: str) -> None:
        found.extend(barred_in_either_theme(page, name))

    open_year(page, second="me")
    check("missions")
    while not any(one["action"].startswith("done") for one in offered(page)):
        choose(page)
    check("land")
    if width < 400:
        for pane in ("mats", "trade", "cards", "winter", "here"):
            page.click(f'.ptabs [data-pane="{pane}"]')
            check(pane)
            assert page.evaluate(WIDE) <= 0
    for _ in range(60):
        if page.locator("#overcome").count():
            break
        choose(page)
    check("overcome")
    assert not found, "\n".join(found)
