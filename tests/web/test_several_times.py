"""What people often do several times in a row, such as paying equal dice, is one choice with a number."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

import sutler
from sutler.core.play.position import MAX_IN_A_ROW, Position
from sutler.core.play.registry import find_game_folder
from sutler.core.text.lesson import read_lessons

from . import test_lessons, test_puzzles
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


def offered_times(page: str) -> dict[str, int]:
    """{action: number} of the choices that a page offers several times in a row."""
    found = {}
    for one in TIMES.findall(page):
        vals = html.unescape(one)
        name, times = re.search(r'"action": "([^"]+)"', vals), re.search(r'"times": (\d+)', vals)
        assert name is not None
        assert times is not None
        found[name[1]] = int(times[1])
    return found


def test_a_lesson_takes_it_as_often_as_its_step_waits_for_it(client: TestClient) -> None:
    """The first lesson of Medieval Manor bakes four times; a fifth loaf, for which there are crops, is neither offered nor baked."""
    seat = test_lessons.sit_down(client)
    steps = read_lessons(find_game_folder("manor"))["first"].step
    bakes = next(number for number, step in enumerate(steps, 1) if "use Bakery" in step.wait)
    page = test_lessons.go_to(client, seat, bakes)
    before = int(facts(page)["decision"])
    assert offered_times(page) == {"use Bakery": 4}
    sent = {"action": "use Bakery", "decision": before, "times": 5}
    page = client.post(f"{seat}/play", data=sent).text
    assert int(facts(page)["decision"]) == before + 4
    assert test_lessons.said(page)[:2] == (bakes, "done")


@pytest.mark.parametrize(
    ("game", "number", "action"), [("manor", 1, "convert"), ("threeyears", 2, "exchange for offer 1")]
)
def test_a_puzzle_takes_it_several_times(client: TestClient, game: str, number: int, action: str) -> None:
    seat, puzzle = test_puzzles.sit_down(client, game, number), test_puzzles.puzzle_of(game, number)
    first = puzzle.line.index(action)
    for one in puzzle.line[:first]:
        test_puzzles.played(client, seat, one)
    page = client.get(seat).text
    before, times = int(facts(page)["decision"]), offered_times(page)[action]
    assert times > 1
    assert (
        int(
            facts(client.post(f"{seat}/play", data={"action": action, "decision": before, "times": times}).text)[
                "decision"
            ]
        )
        == before + times
    )
