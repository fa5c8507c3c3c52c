"""The table in a terminal: eighty columns, everything on it, at every stage of a campaign; and words for every action."""

from __future__ import annotations

import io
import random
import re

import pytest
from rich.console import Console

from games.sixwinters.scene import Scene
from sutler.cli.terminal_text import render_choices, render_prompt
from sutler.contract.helpers import play
from sutler.core.play.game import load
from sutler.core.text.drawing import draw_table
from sutler.games.sixwinters.text.terminal import _card_grid, draw, resource_letters


def printed(*things: object, width: int = 80) -> str:
    out = Console(width=width, file=io.StringIO(), record=True)
    for one in things:
        out.print(one)
    return out.export_text()


@pytest.mark.parametrize(("seats", "seed"), [(1, 4), (2, 7), (4, 2)])
def test_every_stage_fits_eighty_columns(seats, seed):
    """At each of many decisions of a random campaign: table, question and choices, none of it wider than a terminal."""
    pos, luck = load("sixwinters").new(seats, seed), random.Random(seed)
    seen = set()
    for step in range(160):
        if pos.over:
            break
        view = pos.view(pos.seat)
        if view["phase"] not in seen or step % 40 == 0:
            seen.add(view["phase"])
            text = printed(draw_table(pos, pos.seat), render_prompt(pos, pos.seat), render_choices(pos.choices(), 80))
            assert max(len(line) for line in text.splitlines()) <= 80
            assert "Brightdune" in text
            small = printed(
                draw_table(pos, pos.seat), render_prompt(pos, pos.seat), render_choices(pos.choices(), 40), width=40
            )
            assert max(len(line) for line in small.splitlines()) <= 40
            assert all(
                re.search(rf"^{resource_letters(one['res'])} {re.escape(one['name'])}", small, re.M)
                for one in view["slots"]
            )
            assert view["characters"][0]["name"] in text or view["me"] != 0
        for choice in pos.choices():
            assert choice.label, f"{choice.name} says nothing"
        pos.play(luck.choice(pos.actions()))
    assert {"missions", "characters", "staging", "placing", "actions"} <= seen


def test_the_overcome_shows_its_chances():
    """What the dialog of the browser shows stands in the terminal too."""
    pos, luck = load("sixwinters").new(2, 7), random.Random(7)
    for _ in range(400):
        if pos.over or pos.view(0)["overcome"]:
            break
        wanted = [one for one in pos.actions() if one.block == "overcome"]
        pos.play(wanted[0] if wanted else luck.choice(pos.actions()))
    text = printed(draw_table(pos, 0))
    assert "Overcoming" in text
    assert "chance to overcome it this round" in text


def test_when_all_is_over_nothing_is_said_of_what_might_come():
    """No ways, nothing that wakes, no staged cards; and a winter of one turn is told as one."""
    pos = load("sixwinters").new(2, 7)
    while pos.view(0)["phase"] != "actions":
        pos.play(pos.legal_ids()[0])
    view = pos.view(0)
    page = {"year": 1, "missions": [], "points": 2, "turns": 1}
    ended = printed(draw({**view, "stage": "over", "journal": [page], "danger": {"worst": ""}}))
    for word in (" away", " wakes", "Staged"):
        assert word in printed(draw(view))
        assert word not in ended
    assert "2 points, 1 turn\n" in ended


def test_everybody_sees_the_same_table():
    """All is open: what a seat sees differs from a watcher's only in whose way it tells."""
    pos, luck = load("sixwinters").new(2, 3), random.Random(3)
    for _ in range(60):
        mine, watcher = dict(pos.view(pos.seat)), dict(pos.view(None))
        assert mine.pop("seat") == pos.seat
        assert watcher.pop("seat") is None
        assert mine == watcher
        pos.play(luck.choice(pos.actions()))


def test_every_staged_card_can_be_read():
    pos = load("sixwinters").new(2, 7)
    while pos.view(0)["phase"] != "staging":
        pos.play(pos.actions()[0])
    told = printed(draw_table(pos, 0), width=40).split("Staged")[1]
    cards = pos.view(0)["staged"]
    assert len(cards) == 4
    for one in cards:
        grid = _card_grid(pos.view(0)["cards"][one]["cells"]).plain
        assert f"{one}\n" in told
        assert grid in told, one


def test_an_action_die_says_what_it_is():
    """Seen as a picture it needs no word; in a line of the terminal a number alone could be anything."""
    pos = (
        Scene().heroes("Fuscus at Guild of Strategy", "Thea at Loomwood").dice([3, 3, 4]).pools(technology=[1, 2]).go()
    )
    text = printed(render_choices(pos.choices(), 80))
    assert "Create Technology with action die 3" in text
    assert "with 3" not in text
    play(pos, "create with action 3")
    assert "Technology 2" in printed(render_choices(pos.choices(), 80)), "an asset says it anyway"


def test_a_card_shows_its_grid_what_is_laid_and_what_comes_next():
    cells = [
        {"r": r, "c": c, "type": kind, "value": value, "relation": "", "region": region, "start": (r, c) == (0, 0)}
        for r, c, kind, value, region in (
            (0, 0, "sorcery", 0, ""),
            (0, 1, "any", 0, "empire"),
            (1, 1, "any", 6, ""),
            (1, 2, "any", 0, ""),
        )
    ]
    assert _card_grid(cells).plain.splitlines() == ["[So]  Em", "      6     ·"]
    laid = _card_grid(cells, [(0, 0, "sorcery", 4)], [(0, 1)])
    assert laid.plain.splitlines() == ["So4   [Em]", "      6     ·"]


def test_what_a_location_does_stands_below_the_land():
    pos, luck = load("sixwinters").new(2, 7), random.Random(7)
    while not any(slot["text"] for slot in pos.view(0)["slots"]):
        pos.play(luck.choice(pos.actions()))
    text = " ".join(printed(draw_table(pos, 0)).split())
    for slot in pos.view(0)["slots"]:
        assert all(f"{slot['name']}: {words}" in text for words in slot["text"][:1])
