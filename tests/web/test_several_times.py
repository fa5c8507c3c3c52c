"""What people often do several times in a row, such as paying equal dice, is one choice with a number."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

import sutler
from sutler.core.play.position import MAX_IN_A_ROW, Position

from .conftest import facts

SEATS = 3
TIMES = re.compile(r"""class="choice slim times"[^>]*hx-vals='([^']*)'""")


def build_phase(water: int = 6) -> Position:
    """WARFARM where the first seat builds with this much Water."""
    pos = sutler.load("warfarm", first_seat=0).new(seats=3, seed=1)
    while pos.choices(pos.seat)[0].block != "build":
        pos.play(pos.legal_ids()[-1])
    seat = pos.state.seats[pos.seat]
    seat.goods[1] = water
    return pos


def test_it_counts_no_further_than_the_rules_allow() -> None:
    """An Explorer takes a Farmer and a Water: the scarcer one says how many."""
    pos = build_phase()
    named = {one.name: one for one in pos.choices(pos.seat)}
    explorer = named["build Explorer"]
    assert 1 < explorer.times <= min(MAX_IN_A_ROW, int(pos.state.seats[pos.seat].goods[5]))
    assert named["end building"].times == 1
    before = pos.to_bytes()
    pos.times_in_a_row(explorer.id)
    assert pos.to_bytes() == before


def play_until_offered(client: TestClient, seat: str) -> tuple[str, int, str]:
    """(action, times, page) of the first choice with a number that a seat is offered."""
    for number in range(60):
        page = client.get(seat, params={"eyes": number % SEATS}).text
        if found := TIMES.search(page):
            vals = html.unescape(found[1])
            name, times = re.search(r'"action": "([^"]+)"', vals), re.search(r'"times": (\d+)', vals)
            assert name is not None
            assert times is not None
            return name[1], int(times[1]), page
        if first := re.search(r'data-action="([^"]+)"', page):
            sent = {"action": html.unescape(first[1]), "decision": facts(page)["decision"]}
            client.post(f"{seat}/play", data=sent)
    raise AssertionError("nothing was offered several times")


def test_one_click_does_it_as_often_as_it_says(client: TestClient, new_table: Callable[..., str]) -> None:
    seat = new_table(game="warfarm", seat_0="me", seat_1="me", seat_2="me", option_first_seat="0")
    name, times, page = play_until_offered(client, seat)
    before = int(facts(page)["decision"])
    answer = client.post(f"{seat}/play", data={"action": name, "decision": before, "times": times})
    assert answer.status_code == 200
    assert int(facts(client.get(seat).text)["decision"]) == before + times


@pytest.mark.parametrize("times", ["0", "-1", str(MAX_IN_A_ROW + 1), "many"])
def test_a_number_that_nobody_offers_is_refused(client: TestClient, new_table: Callable[..., str], times: str) -> None:
    seat = new_table(game="warfarm", seat_0="me", seat_1="me", seat_2="me", option_first_seat="0")
    page = client.get(seat, params={"eyes": 0}).text
    first = re.search(r'data-action="([^"]+)"', page)
    assert first is not None
    sent = {"action": html.unescape(first[1]), "decision": facts(page)["decision"], "times": times}
    assert client.post(f"{seat}/play", data=sent).status_code == 422
    assert facts(client.get(seat).text)["decision"] == facts(page)["decision"]
