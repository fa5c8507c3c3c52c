"""Puzzles at the table: played freely, told solved or not, and remembered by the browser that solved them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.core.play.puzzle import Puzzle, read_puzzles
from sutler.core.play.registry import find_game_folder, games
from sutler.web.game_shelf import Shelf

from .conftest import actions, facts

Visit = Callable[..., Any]


def puzzle_of(game: str, number: int) -> Puzzle:
    return read_puzzles(find_game_folder(game))[number - 1]


def sit_down(client: TestClient, game: str = "threeyears", number: int = 1) -> str:
    """The table of a puzzle; returns its address."""
    answer = client.post(f"/puzzles/{game}/{number}")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def played(client: TestClient, seat: str, action: str) -> str:
    decision = facts(client.get(seat).text)["decision"]
    return client.post(f"{seat}/play", data={"action": action, "decision": decision}).text


def slip(page: str) -> str:
    """The text of the puzzle's slip."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page[page.index('id="puzzle-says"') :].split("</section>")[0]))


def pressed(client: TestClient, seat: str, do: str) -> Any:
    decision = facts(client.get(seat).text)["decision"]
    return client.post(f"{seat}/puzzle", data={"do": do, "decision": decision})


def test_the_best_line_solves_it(client: TestClient) -> None:
    seat, puzzle = sit_down(client), puzzle_of("threeyears", 1)
    assert "Make the most points this turn." in slip(client.get(seat).text)
    assert "best line" not in slip(client.get(seat).text).replace("The best line needs no luck.", "")
    for action in puzzle.line:
        page = played(client, seat, action)
    assert "Solved." in slip(page)
    assert f"All {puzzle.proof.positions} positions" in slip(page)
    assert "Your turn is <b>over</b>." in page
    assert not actions(client.get(seat).text), "after the turn nothing is offered"


def test_a_lesser_line_is_told_and_the_best_can_be_played(client: TestClient) -> None:
    seat = sit_down(client)
    assert pressed(client, seat, "show").status_code == 422, "the line is shown afterwards"
    page = played(client, seat, "done")
    assert "Not the best." in slip(page)
    assert "34 can be reached" in slip(page)
    late = client.post(f"{seat}/play", data={"action": "done", "decision": facts(client.get(seat).text)["decision"]})
    assert late.status_code == 422
    page = pressed(client, seat, "again").text
    assert facts(client.get(seat).text)["decision"] == "0"
    played(client, seat, "buy row 1")
    pressed(client, seat, "back")
    played(client, seat, "done")
    page = pressed(client, seat, "show").text
    assert "Solved." in slip(page)


def test_a_choice_is_one_decision(client: TestClient) -> None:
    """The first step alone is judged, though the seat might go on."""
    game, number = next(
        (game, i)
        for game in games()
        for i, one in enumerate(read_puzzles(find_game_folder(game)), 1)
        if one.goal == "choice"
    )
    seat, best = sit_down(client, game, number), puzzle_of(game, number).line[0]
    assert "Find the best choice." in slip(client.get(seat).text)
    other = next(one for one in actions(client.get(seat).text) if one != best)
    assert "Something else is better." in slip(played(client, seat, other))
    assert not actions(client.get(seat).text)
    pressed(client, seat, "again")
    page = played(client, seat, best)
    assert "Solved." in slip(page)
    assert "Normal bots played on" in slip(page)


def test_it_is_nobody_elses_and_in_no_list(client: TestClient) -> None:
    seat = sit_down(client)
    assert sit_down(client) == seat, "whoever asks again comes to where it was left"
    lobby = client.get("/").text
    assert seat not in lobby, "a puzzle is no open table"
    client.cookies.clear()
    assert sit_down(client) != seat
    assert client.post("/puzzles/threeyears/99").status_code == 404
    assert client.get("/puzzles/market").status_code == 404


@pytest.mark.parametrize("game", games())
def test_every_game_has_its_page(client: TestClient, game: str) -> None:
    page = client.get(f"/puzzles/{game}").text
    assert page.count('<li data-puzzle="') == len(read_puzzles(find_game_folder(game)))
    assert all(f'href="/puzzles/{one}"' in page for one in games())


def test_the_lobby_has_the_puzzle_of_the_day(app: FastAPI, client: TestClient) -> None:
    """By the house's clock: one a day, the whole day, the games in their turn."""

    def on(day: int, hour: int = 0) -> str:
        app.state.house.store.now = lambda: datetime(2026, 11, day, hour, tzinfo=UTC)
        return re.search(r'id="puzzle"[^>]*data-puzzle="([^"]+)"', client.get("/").text)[1]

    assert on(2) == on(2, 23)
    week = [on(day) for day in range(2, 7)]
    assert {one.split(":")[0] for one in week} == set(games())


def test_the_browser_remembers_what_it_has_solved(visit: Visit, house: str) -> None:
    """In its own notes, marked on the page of puzzles; another browser knows nothing of it."""
    page = visit()
    page.goto(f"{house}/puzzles/threeyears")
    page.click(".puzzle-list li:nth-child(1) button")
    page.wait_for_selector("#puzzle-says")
    for i, action in enumerate(puzzle_of("threeyears", 1).line):
        page.wait_for_selector(f'#table[data-decision="{i}"]', state="attached")
        page.evaluate(f"""document.querySelector('[data-action="{action}"]').click()""")
    page.wait_for_selector("#puzzle-says[data-solved]")
    page.click("#lesson footer a")
    page.wait_for_selector('[data-puzzle="threeyears:1"] .solved:not([hidden])')
    assert page.locator(".solved:visible").count() == 1
    other = visit()
    other.goto(f"{house}/puzzles/threeyears")
    assert other.locator(".solved:visible").count() == 0


def test_the_lobby_names_the_puzzle_of_the_day_without_its_rules(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading a game takes seconds, which nobody waits for who only looks in."""
    asked: list[object] = []
    monkeypatch.setattr(Shelf, "load_game", lambda _self, *which: asked.append(which))
    assert 'id="puzzle"' in client.get("/").text
    assert asked == []


SPILT = """() => [...document.querySelectorAll('.land .card')].flatMap(card => {
  const box = card.getBoundingClientRect(), arms = card.querySelector('.shield')?.getBoundingClientRect();
  const parts = [...card.querySelectorAll('.yield small, .yield b, .also')].filter(one => one.getClientRects().length);
  return parts.filter(one => {
    const part = one.getBoundingClientRect();
    const covered = arms && part.left < arms.right - 2 && part.top < arms.bottom - 2 && part.bottom > arms.top + 2;
    return part.bottom > box.bottom + 1 || part.right > box.right + 1 || covered;
  }).map(one => `${card.dataset.piece}: ${one.textContent.trim()}`);
})"""
"""What a card on the map says and does not hold, or what its owner's arms lie over."""


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1440, 900), (1280, 800), (390, 844)], ids=["desk", "small desk", "phone"])
def test_what_a_card_on_a_crowded_map_says_stays_on_the_card(visit: Visit, house: str, size: tuple[int, int]) -> None:
    """Sixteen lands, nearly all of them taken: what has no room is left out, and is told when one asks."""
    page = visit(width=size[0], height=size[1], calm=True)
    answer = page.request.post("/puzzles/manor/6", max_redirects=0)
    page.goto(answer.headers["location"])
    page.wait_for_selector("html[data-drawn=yes]")
    page.evaluate("document.fonts.ready")
    assert page.locator(".land .card").count() > 12
    assert page.evaluate(SPILT) == []
