"""Standing orders on a phone, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

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
