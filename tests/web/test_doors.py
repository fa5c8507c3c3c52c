"""Where somebody comes in: the administrator's door, a code for another device, players found by game."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.core.play.registry import games

from .everywhere import barred_in_either_theme

SIZES = [(1440, 900), (390, 844), (360, 740)]


def test_a_wrong_password_brings_the_door_again(client: TestClient) -> None:
    """It led to a page of trouble without a field: whoever had mistyped went back by the browser's arrow."""
    answer = client.post("/admin", data={"word": "wrong"})
    assert answer.status_code == 403
    assert "This is not the password." in answer.text
    assert 'name="word"' in answer.text
    assert "This is not the password." not in client.get("/admin").text


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_door_has_one_field_with_its_label_and_a_button(visit: Callable[..., Any], width: int, height: int) -> None:
    """The field was a line without a frame; what is asked for stands with it on one slip, whole and large enough for a thumb."""
    page = visit(width=width, height=height, has_touch=width < 1000)
    page.goto("/admin")
    page.wait_for_selector("html[data-drawn=yes]")
    slip = page.locator(".doorway").bounding_box()
    boxes = [page.locator(f".doorway {one}").bounding_box() for one in ("label", "input", "button", ".help")]
    assert all(slip["x"] <= one["x"] and one["x"] + one["width"] <= slip["x"] + slip["width"] <= width for one in boxes)
    assert [one["y"] for one in boxes] == sorted(one["y"] for one in boxes)
    assert min(boxes[1]["height"], boxes[2]["height"]) >= 44
    assert boxes[1]["width"] == boxes[2]["width"]
    assert slip["y"] + slip["height"] <= height
    assert page.evaluate("() => document.activeElement.name") == "word"
    assert barred_in_either_theme(page, "door") == []


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_code_can_be_scanned_and_stands_in_its_field_on_the_other_device(
    visit: Callable[..., Any], width: int, height: int
) -> None:
    """Ten letters were typed from one screen into another. What was scanned is used when the button is pressed, not before."""
    desk, phone = visit(width=width, height=height), visit(width=360, height=740, has_touch=True)
    desk.goto("/me")
    desk.click("form[action$='/me/code'] button")
    desk.wait_for_selector("#code .qr")
    letters, drawn = (desk.locator(f"#code > {one}").bounding_box() for one in ("b", ".qr"))
    card = desk.locator("#code").bounding_box()
    assert letters["x"] + letters["width"] <= card["x"] + card["width"] <= width
    assert drawn["width"] >= 140
    assert not (
        letters["x"] < drawn["x"] + drawn["width"]
        and drawn["x"] < letters["x"] + letters["width"]
        and letters["y"] < drawn["y"] + drawn["height"]
        and drawn["y"] < letters["y"] + letters["height"]
    )
    assert barred_in_either_theme(desk, "code") == []

    code = desk.inner_text("#code > b")
    phone.goto(f"/me#code={code}")
    phone.wait_for_selector("html[data-drawn=yes]")
    assert phone.input_value("#typed") == code
    assert "#" not in phone.url, "it does not stay in the address"
    phone.click(".joining button >> text=Go on here")
    phone.wait_for_url("**/me")
    known = [{one["name"]: one["value"] for one in page.context.cookies()}["sutler_browser"] for page in (desk, phone)]
    assert known[0] == known[1]


def buttons_of(page: str) -> dict[str, str]:
    """The words of the button that finds players, by game."""
    found = re.findall(r'<button class="[^"]*" name="game" value="(\w+)">(.*?)</button>', page)
    return {game: html.unescape(re.sub("<[^>]+>", "", words)) for game, words in found}


def test_players_are_found_for_any_game_with_one_click(app: FastAPI) -> None:
    """Only for the game whose cover was chosen; and nothing said where somebody waits."""
    with TestClient(app, follow_redirects=False) as agnes, TestClient(app, follow_redirects=False) as wulf:
        assert list(buttons_of(agnes.get("/").text)) == list(buttons_of(agnes.get("/?game=warfarm").text))
        assert set(buttons_of(agnes.get("/").text)) == set(games())
        agnes.post("/find", data={"game": "warfarm"})
        assert "waits" not in buttons_of(agnes.get("/").text)["warfarm"], "one's own table is no company"
        waits = {game for game, words in buttons_of(wulf.get("/").text).items() if "1 waits" in words}
        assert waits == {"warfarm"}
        assert wulf.post("/find", data={"game": "warfarm"}).status_code == 303
