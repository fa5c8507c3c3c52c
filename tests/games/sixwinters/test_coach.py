"""The coach: what threatens next, read off the open table."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from sutler.games.sixwinters.bot.coach import add_dangers_to_view, chance_of_at_least_one, format_percent

SCENE = json.loads((Path(__file__).parents[2] / "web" / "sixwinters_scene.json").read_text(encoding="utf-8"))


@pytest.fixture
def view() -> dict[str, Any]:
    """Year 2, summer: Keel at Goldspike, Siege and Volley with four dice on it."""
    return copy.deepcopy(SCENE["view"])


def test_the_scheme_counts_the_dice_that_come(view):
    """Four dice lie there. Before the roll come two threats steps, this turn's and the bonus turn's: three tags lay three each,
    and threat 9 rises to 11, which is level 5 (8.6 to 8.8).
    """
    scheme = add_dangers_to_view(view)["danger"]["scheme"]
    assert (scheme["dice"], scheme["adds"]) == (10, 6)
    works = {row["value"]: row["chance"] for row in scheme["rows"]}
    assert works[5] == pytest.approx(1 - (5 / 6) ** 10)
    assert works[6] == 0, "above the threat level nothing happens"
    assert "summer bonus turn" in scheme["when"]


def test_a_scheme_gets_no_more_dice_than_there_are(view):
    """8.7: four are left in the supply, so four come; a full track lays what it cannot rise (8.6)."""
    view["supply"]["military"] = 4
    assert add_dangers_to_view(view)["danger"]["scheme"]["adds"] == 4
    view["tracks"][2].update(threat=12, tags=3)
    assert add_dangers_to_view(view)["danger"]["scheme"]["adds"] == 4 + 2


def test_a_rolled_scheme_is_told_as_it_lies(view):
    """What shows comes, what does not show does not."""
    view["scheme"]["dice"] = [["military", 2], ["military", 6]]
    rows = add_dangers_to_view(view)["danger"]["scheme"]["rows"]
    assert [row["chance"] for row in rows] == [0, 1, 0, 0, 0, 0]


def test_a_bonus_turn_rolls_at_once(view):
    """In a bonus turn the scheme is rolled at its end."""
    for i, one in enumerate(view["clock"]):
        one["state"] = "now" if i == 4 else "next"
    assert add_dangers_to_view(view)["danger"]["scheme"]["when"] == "at the end of this turn"


def test_assets_that_could_cancel(view):
    """An asset cancels a die of its own resource and at most its value: the Military 2 stops a 1 or a 2."""
    rows = add_dangers_to_view(view)["danger"]["scheme"]["rows"]
    assert [row["shields"] for row in rows[:3]] == [1, 1, 0]


def test_tracks_about_to_rise(view):
    """Three tags are one more than is free; two are none."""
    assert {one["res"]: one["over"] for one in add_dangers_to_view(view)["danger"]["tracks"]} == {
        "espionage": 1,
        "military": 1,
    }


def test_what_wakes_and_what_moves(view):
    """The piles show summer, fall, winter: Guild of Strategy, Loomwood and all Settled Lands; an empty slot draws one."""
    wakes = {one["place"]: one for one in add_dangers_to_view(view)["danger"]["wakes"]}
    assert "Sunbridle Bay" not in wakes
    view["slots"][1]["obstacles"] = []
    moved = {one["place"]: one for one in add_dangers_to_view(view)["danger"]["wakes"]}
    assert moved["Guild of Strategy"]["moves"] == "Tripwire"


def test_the_last_box_is_the_greatest_danger(view):
    """Nothing is worse than a character about to leave."""
    body = view["characters"][2]["stress"]["body"]
    body.update(value=1, at=3, marked=[True, True, True])
    assert add_dangers_to_view(view)["danger"]["worst"] == "Keel is out for the year at 1 more body stress."


def test_the_odds_of_the_worked_example(view):
    """X6 before the roll: Keel cannot fail, whatever four dice show, and is not knocked out."""
    view["overcome"] = {**SCENE["overcome"], "stage": "pools", "rolled": []}
    odds = add_dangers_to_view(view)["overcome"]["odds"]
    assert odds["win"] == 1
    assert odds["who"][0]["out"] == 0
    assert sum(row["chance"] for row in odds["rows"]) == pytest.approx(1)
    assert [tuple(die) for die in odds["spent"]] == [("action", 1), ("technology", 2), ("technology", 3)]


def test_percents_never_promise_too_much():
    """What is open is never 0% or 100%."""
    assert [format_percent(p) for p in (0, 0.001, 0.5, 0.9999, 1)] == ["0%", "under 1%", "50%", "over 99%", "100%"]
    assert chance_of_at_least_one(0) == 0
