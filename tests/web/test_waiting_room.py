"""The room in which one waits for players: it tells who is here, and nothing of a deal that is dealt again when somebody joins."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sutler.core.play.registry import games

from .everywhere import barred_in_either_theme
from .short import drawn

WAITING = {"seat_0": "me", "name_0": "Agnes", "seat_1": "link", "name_1": "Wulf", "waits": "yes", "watch": "yes"}
DEALT = ('class="line"', "seat turn", 'aria-current="true"', 'class="score', 'class="goods', "stock")
"""What stands on a page that tells of a deal: lines of the log, whose turn it is, what seats have, what is left."""


def seats_of(game: str) -> dict[str, str]:
    third = {"seat_2": "link", "name_2": "Ebba"} if game == "warfarm" else {}
    return {"game": game, **WAITING, **third}


def parts_that_tell(page: str) -> list[str]:
    return [one for one in DEALT if one in page]


@pytest.mark.parametrize("game", games())
def test_nothing_of_a_deal_is_told_before_the_game_begins(client: TestClient, game: str) -> None:
    """WARFARM's room told "Fire strikes Wulf" of cards that were shuffled again as Wulf sat down."""
    seat = client.post("/tables", data=seats_of(game)).headers["location"]
    page = client.get(seat).text
    assert "The log begins with the game." in page
    assert parts_that_tell(page) == []
    past = client.get(f"{seat}?moment=0").text
    assert parts_that_tell(past) == []
    assert 'id="waiting"' in past
    assert client.get(f"{seat}/acts?since=0").text.count("<li") == 0
    assert client.get(f"{seat}/explain?key=sum:score:0").text == ""
    assert "The game has not begun." in client.get(f"{seat}/why?at=seat:0").text
    assert client.get(f"{seat}/hint?coach=true").status_code == 204
    watched = re.search(r"/watch/[\w-]+", page)
    assert watched
    assert parts_that_tell(client.get(watched[0]).text) == []

    client.post(f"{seat}/begin", data={"bots": "1"})
    begun = client.get(seat).text
    assert "The log begins with the game." not in begun
    assert 'id="waiting"' not in begun


def test_the_lobby_says_of_such_a_table_that_it_waits_and_not_whose_turn_it_is(client: TestClient) -> None:
    """Where the seed gave the first turn to whoever opened the table, the lobby said "Your turn at 1 table"."""
    seats = [client.post("/tables", data=seats_of("threeyears")).headers["location"] for _ in range(4)]
    page = client.get("/").text
    assert page.count("waiting for players") == len(seats)
    assert "your turn" not in page.casefold()
    assert "Waiting for you" not in client.get("/me").text


ROOM = """() => {
  const cut = [...document.querySelectorAll('#waiting :is(b, span, label, button, a, p)')].filter((one) => one.checkVisibility())
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
    .map((one) => one.textContent.trim());
  const seen = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  return {
    cut, wide: document.documentElement.scrollWidth - innerWidth,
    seats: seen(document.querySelector('#seats')), replay: seen(document.querySelector('.side .scrub')),
    scene: document.querySelector('#waiting .cover-scene').getBoundingClientRect().height,
    copy: document.querySelector('#waiting [data-copy]').getBoundingClientRect().bottom,
    buttons: [...document.querySelectorAll('#waiting button, #choices .choice')].filter(seen)
      .map((one) => one.getBoundingClientRect().height),
  };
}"""


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844), (360, 740)])
def test_the_room_is_the_page(visit: Callable[..., Any], width: int, height: int) -> None:
    """No empty seats, no replay, no board beside it; the link to send lies above the fold, at every size and in either theme."""
    page = visit(width=width, height=height, has_touch=width < 1000, calm=True)
    for game in ("warfarm", "threeyears"):
        page.goto(page.request.post("/tables", form=seats_of(game), max_redirects=0).headers["location"])
        drawn(page)
        page.wait_for_selector("#waiting")
        found = page.evaluate(ROOM)
        assert found["cut"] == []
        assert found["wide"] <= 0
        assert not found["seats"]
        assert not found["replay"]
        assert 80 <= found["scene"] <= 200
        assert found["copy"] <= height
        assert min(found["buttons"]) >= (44 if width < 1000 else 34)
        assert barred_in_either_theme(page, game) == []
