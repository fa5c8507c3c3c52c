"""Standing orders on a phone, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from .short import decision, open_short, wait_for_another

pytestmark = pytest.mark.browser


def test_given_and_ended_with_a_thumb(visit: Callable[..., Any]) -> None:
    """On a phone: an order beside the question, its seal in sight while it stands, ended with one tap, kept over a reload."""
    page = visit(width=390, height=844, calm=True, has_touch=True, is_mobile=True)
    page.goto("/?game=manor")
    page.evaluate(
        """() => { const form = new FormData(); const seats = {game: "manor", seat_0: "me", name_0: "Agnes", seat_1: "link"};
        for (const [key, value] of Object.entries(seats)) form.append(key, value);
        return fetch("/tables", {method: "POST", body: form}).then(answer => { location.href = answer.url; }); }"""
    )
    page.wait_for_url(re.compile("/seat/"))
    page.wait_for_selector("body[data-ready=yes]")
    page.locator("#open-log").tap()
    page.locator(".orders summary").tap()
    page.locator("#orders button", has_text="Decline every offer").tap()
    page.locator("[data-side-close]").tap()
    seal = page.locator("#choices .stands")
    seal.wait_for()
    box = seal.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    prompt = page.locator("#prompt").bounding_box()
    assert prompt is not None
    assert box["y"] + box["height"] <= prompt["y"] + prompt["height"] + 1
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    seal.tap()
    seal.wait_for(state="detached")


def attacking(visit: Callable[..., Any], **more: str) -> Any:
    """A table of WARFARM on a small phone: a Soldier in reserve, and the question whether it attacks."""
    page = visit(width=360, height=740, calm=True, has_touch=True, is_mobile=True)
    open_short(page, "warfarm", seat_1="easy", seat_2="easy", **more)
    for action in ("begin with Steel", "build Soldier", "end building", "end posting"):
        page.wait_for_selector(f'#choices [data-action="{action}"]', state="attached")
        before = decision(page)  # read late: bots may have begun meanwhile
        page.eval_on_selector(f'#choices [data-action="{action}"]', "one => one.click()")
        wait_for_another(page, before)
    page.wait_for_selector('#choices [data-action="attack with a Soldier"]')
    return page


def test_an_order_beside_two_choices_is_whole(visit: Callable[..., Any]) -> None:
    """Its words were drawn out of a row that had to be pushed sideways, cut in the middle of a word."""
    page = attacking(visit)
    order = page.locator("#choices .order")
    box = order.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["height"] >= 44
    assert page.evaluate(
        "() => { const box = document.querySelector('#choices'); return box.scrollWidth <= box.clientWidth; }"
    )
    assert order.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight")


def test_what_the_coach_advises_is_in_sight_on_a_phone(visit: Callable[..., Any]) -> None:
    """The fifth of five targets lay 500 pixels to the right of the phone while the coach named it."""
    page = attacking(visit, coach="yes")
    told = '<h3 data-advised="hit Farmland of seat 2">Best now: <b>Farmland</b></h3><p class="because">Why: it is open.</p>'
    page.route("**/hint?coach=true", lambda route: route.fulfill(body=told, content_type="text/html"))
    page.eval_on_selector('#choices [data-action="attack with a Soldier"]', "one => one.click()")
    advised = page.locator('#choices .advised[data-action="hit Farmland of seat 2"]')
    advised.wait_for()
    page.wait_for_function("document.body.dataset.coached === document.getElementById('table').dataset.decision")
    box = advised.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


def test_the_coach_says_two_lines_of_its_reason_on_a_small_phone(visit: Callable[..., Any]) -> None:
    """One line of it, and the upper half of the next, were to be seen: "Why: it leaves you stronger units and"."""
    page = visit(width=360, height=740, calm=True, has_touch=True, is_mobile=True)
    told = f'<h3 data-advised="begin with Steel">Best now: <b>Steel</b></h3><p class="because">Why: {"it is good " * 7}.</p>'
    page.route("**/hint?coach=true", lambda route: route.fulfill(body=told, content_type="text/html"))
    open_short(page, "warfarm", seat_1="easy", seat_2="easy", coach="yes")
    because, slip = page.locator("#coach-says .because"), page.locator("#coach .saying")
    because.wait_for()
    reason, seen = because.bounding_box(), slip.bounding_box()
    assert reason["height"] > 30, "two lines"
    assert reason["y"] + reason["height"] <= seen["y"] + seen["height"]


WAITING = "<span class='asking' data-waits>You asked to take your last step back. Waiting for an answer.</span>"


def test_a_request_to_take_back_leaves_every_choice_whole_and_a_refusal_is_told(visit: Callable[..., Any]) -> None:
    """Its line pushed "Pass" half under the board of a phone; a refusal only made the line go away."""
    page = attacking(visit)
    told = "() => { document.dispatchEvent(new CustomEvent('htmx:after:swap', { bubbles: true })); }"
    page.evaluate("line => document.getElementById('choices').insertAdjacentHTML('afterbegin', line)", WAITING)
    page.evaluate(told)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    whole = page.locator("#prompt").bounding_box()
    last = page.locator('#choices [data-action="end attacking"]').bounding_box()
    assert last["y"] + last["height"] <= whole["y"] + whole["height"]
    page.evaluate("() => document.querySelector('[data-waits]').remove()")
    page.evaluate(told)
    page.get_by_text("Your request to take back was refused.").first.wait_for(state="attached")


def test_most_of_the_row_is_for_what_one_says(visit: Callable[..., Any]) -> None:
    """On a phone the button "Say" was wider than the field beside it."""
    page = attacking(visit)
    page.locator("#open-log").tap()
    page.locator("#tab-talk").tap()
    page.locator(".say button").wait_for()
    field, button = page.locator("#say").bounding_box(), page.locator(".say button").bounding_box()
    assert field["width"] > 3 * button["width"]
    assert button["height"] >= 44
