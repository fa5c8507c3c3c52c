"""An invitation is handed on: as a code to scan, by what the device shares with, and as a preview with the game's cover."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import segno
from fastapi.testclient import TestClient

import sutler
from sutler.web.view.jinja_templates import COVER_HEIGHT_PX, COVER_WIDTH_PX

from .test_rate_limits import TWO

WAITS = TWO | {"waits": "yes"}


def drawn(svg: str) -> set[tuple[int, int]]:
    """The dark modules of a code that is drawn as strokes: (column, row)."""
    (path,) = re.findall(r'd="(M4[ ,]4.5[^"]*)"', svg)
    found, x, y = set(), 0.0, 0.0
    for step, numbers in re.findall(r"([Mmh])([-\d. ,]+)", path):
        values = [float(one) for one in re.split("[ ,]", numbers.strip()) if one]
        if step == "h":
            found |= {(int(x) + i, int(y)) for i in range(int(values[0]))}
            x += values[0]
        else:
            x, y = (values[0], values[1]) if step == "M" else (x + values[0], y + values[1])
    return found


@pytest.mark.parametrize("form", [TWO, WAITS], ids=["at the table", "in the waiting room"])
def test_the_code_holds_the_invitation_and_nothing_is_asked_for_elsewhere(
    client: TestClient, form: dict[str, str]
) -> None:
    page = client.get(client.post("/tables", data=form).headers["location"]).text
    link = re.findall(r'value="(http://[^"]*/invited/\w+)"', page)[0]
    (svg,) = re.findall(r'<svg[^>]*class="qr".*?</svg>', page, re.DOTALL)
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    made = segno.make_qr(link, error="m").matrix
    assert drawn(svg) == {(x + 4, y + 4) for y, row in enumerate(made) for x, dark in enumerate(row) if dark}


def test_no_code_stands_where_nobody_is_missing(client: TestClient) -> None:
    page = client.get(
        client.post("/tables", data={"game": "manor", "seat_0": "me", "seat_1": "easy"}).headers["location"]
    )
    assert 'class="qr"' not in page.text


@pytest.mark.parametrize("game", sutler.games())
def test_the_preview_of_an_invitation_shows_the_cover(client: TestClient, game: str) -> None:
    """For whoever asks without a cookie, as messengers do: an absolute address, of a picture in the size that is said."""
    seats = {f"seat_{i}": "link" if i == 1 else "me" for i in range(max(2, sutler.load(game).min_seats))}
    page = client.get(client.post("/tables", data={"game": game, **seats}).headers["location"]).text
    invited = re.findall(r"/invited/\w+", page)[0]
    stranger = TestClient(client.app)
    preview = stranger.get(invited).text
    told = dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', preview))
    assert told["title"].endswith(sutler.load(game).title)
    assert told["description"]
    assert told["image"].startswith("http://testserver/games/")
    assert invited not in told.values(), "a preview passes no secret on"
    picture = stranger.get(told["image"])
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    assert "immutable" in picture.headers["cache-control"]
    frame = next(at for at in range(2, len(picture.content)) if picture.content[at : at + 2] == b"\xff\xc0")
    height, width = (int.from_bytes(picture.content[frame + at : frame + at + 2]) for at in (5, 7))
    assert (width, height) == (int(told["image:width"]), int(told["image:height"])) == (COVER_WIDTH_PX, COVER_HEIGHT_PX)


@pytest.mark.browser
def test_a_device_that_shares_is_given_the_link(visit: Callable[..., Any]) -> None:
    page = visit(calm=True)
    page.add_init_script("navigator.share = async (told) => { window.shared = told; }")
    page.goto(page.request.post("/tables", form=WAITS, max_redirects=0).headers["location"])
    link = page.input_value("#invite-2")
    page.click("[data-share]")
    assert page.evaluate("window.shared") == {
        "title": "Medieval Manor",
        "text": "Come and play Medieval Manor with me.",
        "url": link,
    }
    page.click("[popovertarget]")
    assert page.locator(".scan .qr").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator(".scan .qr").is_visible()


@pytest.mark.browser
def test_a_device_that_does_not_share_shows_no_button_for_it(visit: Callable[..., Any]) -> None:
    page = visit(calm=True)
    page.add_init_script("delete Navigator.prototype.share")
    page.goto(page.request.post("/tables", form=WAITS, max_redirects=0).headers["location"])
    page.wait_for_selector("#waiting [popovertarget]")
    assert not page.locator("[data-share]").is_visible()


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "de"])
def test_whoever_is_invited_on_a_small_phone_sees_the_button(visit: Callable[..., Any], language: str) -> None:
    """ "Take the seat" lay half below the edge of a phone of 360 by 740."""
    host, guest = visit(calm=True), visit(360, 740, calm=True, has_touch=True, is_mobile=True)
    answer = host.request.post("/tables", form=WAITS, max_redirects=0)
    page = host.request.get(answer.headers["location"]).text()
    guest.goto(f"/language/{language}")
    guest.goto(re.findall(r"/invited/\w+", page)[0])
    box = guest.locator(".joining button").bounding_box()
    assert box["y"] + box["height"] <= 740


@pytest.mark.browser
def test_on_a_phone_an_open_game_lies_before_the_covers(visit: Callable[..., Any]) -> None:
    """It lay at 1,437 of 2,265 pixels, below five covers and the form for a new table."""
    page = visit(360, 740, calm=True, has_touch=True, is_mobile=True)
    page.request.post("/tables", form=WAITS, max_redirects=0)
    page.goto("/")
    mine, covers = (
        page.locator('[aria-labelledby="mine"] li').first.bounding_box(),
        page.locator(".covers").bounding_box(),
    )
    assert mine["y"] + mine["height"] <= 740
    assert mine["y"] + mine["height"] <= covers["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
