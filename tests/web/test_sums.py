"""A number on the table tells what it is made of, with paragraphs: by click, by Enter, by touch, now and in a look back."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from sutler.web.table import moves


def told(page: str) -> list[tuple[str, str]]:
    """Each part's points and paragraph."""
    rows = re.findall(r"<tr><td>([^<]*)</td><th[^>]*>.*?</th><td>(?:<a[^>]*>([^<]*)</a>)?</td></tr>", page)
    return [(points, rule) for points, rule in rows]


def test_numbers_tell_their_parts(client: TestClient) -> None:
    seat = client.post("/tables", data={"game": "bellum", "seat_0": "me", "seat_1": "me"}).headers["location"]
    page = client.get(seat).text
    assert 'data-explain="sum:score:0"' in page
    assert 'data-explain="sum:supply:Sweden"' in page
    supply = client.get(f"{seat}/explain", params={"key": "sum:supply:Sweden"}).text
    assert "Stralsund" in supply
    assert told(supply)[0] == ("+6", "10.3")
    assert told(client.get(f"{seat}/explain", params={"key": "sum:score:0", "moment": 0}).text)
    for wrong in ("sum:", "sum:score:9", "sum:score:x", "sum:supply:Nowhere", "sum:nonsense:1"):
        assert client.get(f"{seat}/explain", params={"key": wrong}).text == ""


def test_a_team_is_told_its_score_and_how_its_tracks_came_about(client: TestClient) -> None:
    """Six Winters: the score is the whole team's; a track's slip has its progress, its threat and what will raise that."""
    seat = client.post("/tables", data={"game": "sixwinters", "seat_0": "me", "seat_1": "me"}).headers["location"]
    assert told(client.get(f"{seat}/explain", params={"key": "sum:score:0"}).text) == [("+1", "11.8"), ("1", "")]
    military = client.get(f"{seat}/explain", params={"key": "res:military"}).text
    assert told(military) == [("+1", "2.1"), ("+5", "2.1")]
    assert military.count("<caption>") == 2
    assert client.get(f"{seat}/explain", params={"key": "res:technology"}).text.count("<caption>") == 1


WORDS = {"season", "size", "year", "track", "condition", "round", "dice"}
"""What the log says that is no thing on the table."""


@pytest.mark.parametrize("game", ["bellum", "manor", "sixwinters", "threeyears", "warfarm"])
def test_what_the_log_names_is_explained_where_it_lies_there(client: TestClient, game: str) -> None:
    """Hovered over, a name in the log told nothing in three games: it was asked for by its name, and known by its number."""
    seat = client.post("/tables", data={"game": game, **{f"seat_{i}": "me" for i in range(3)}}).headers["location"]
    house = cast("Any", client.app).state.house
    room = house.get_room(house.store.list_tables()[0])
    for _ in range(40):
        names = [action.name for action in room.pos.actions()]
        moves.play_action(room, (room.pos.seat,), room.decision, names[room.decision * 7 % len(names)])
    log = client.get(seat).text.split('id="log"')[1].split('id="talk-panel"')[0]
    keys = {html.unescape(key) for key in re.findall(r'data-explain="([^"]+)"', log)}
    asked = {key for key in keys if key.partition(":")[0] not in WORDS}
    dumb = {key for key in asked if not client.get(f"{seat}/explain", params={"key": key}).text.strip()}
    assert len(asked) > 4
    assert len(dumb) * 4 <= len(asked), f"nothing is said of {sorted(dumb)}"


@pytest.mark.browser
@pytest.mark.parametrize("touch", [False, True])
def test_a_number_is_asked_by_click_by_key_and_by_touch(visit: Callable[..., Any], touch: bool) -> None:
    page = visit(width=390 if touch else 1440, height=844, has_touch=touch)
    form = {"game": "threeyears", "seat_0": "me", "seat_1": "easy"}
    page.goto(page.request.post("/tables", form=form, max_redirects=0).headers["location"])
    page.wait_for_selector("#choices .choice[data-action]", state="attached")
    number = page.locator("#seat-0 button.score")
    number.tap() if touch else number.click()
    page.wait_for_selector("#slip .account >> text=together")
    page.keyboard.press("Escape")
    page.wait_for_selector("#slip", state="hidden")
    number.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#slip .account a.para")
