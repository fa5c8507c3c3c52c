"""The tool that asks whether a broken power could have helped it (tools/ruin.py), on turns of which the answer is known."""

import random
from collections import Counter

import pytest

import programs
from games.bellum.table import game

ruin = programs.tool("ruin")

FAR_APART = {"Gustav Adolf": "1005", "Banér": "1004"}


@pytest.fixture(autouse=True)
def _random_bots(monkeypatch):
    """What is counted does not hang on who plays, and random bots play in no time, compiled or not."""
    monkeypatch.setattr(ruin, "BOT", "random")


def lives(start, at_random):
    """In how many of six tries Sweden comes through its turn after this one."""
    last = (int(start.state.round_no) + 1, 0)
    return sum(ruin.survives(start, last, random.Random(k), at_random) for k in range(6))


@pytest.mark.parametrize("at_random", [True, False])
def test_who_cannot_be_broken_never_is(at_random):
    """11.2: strength falls by 2 a turn at most, and nobody is near enough to fight."""
    start = game(leaders=FAR_APART, levels={"Sweden": (6, 15)})
    before = start.to_bytes()
    assert lives(start, at_random) == 6
    assert start.to_bytes() == before  # every try begins at the same turn


@pytest.mark.parametrize("at_random", [True, False])
def test_who_can_feed_nobody_is_broken_whatever_it_plays(at_random):
    """10.3, 11.2, 13.2: late in the war an HQ supplies nothing, and no city is left: 3 strength last for two turns."""
    start = game(year=1644, leaders=FAR_APART, levels={"Sweden": (0, 3)})
    assert lives(start, at_random) == 0


def test_a_war_is_cut_into_its_turns():
    """7.1: one for every power and round; a position for each, as it stood when the turn began."""
    pos, turns = ruin.war(3)
    assert len({turn for turn, _ in turns}) == len(turns) > 4
    for turn, start in turns:
        assert ruin.turn_of(start) == turn
        assert [one.action for one in start.decisions] == [one.action for one in pos.decisions[: len(start.decisions)]]


def test_what_is_counted_fits_together():
    """A war that ends by ruin is tried twice over from each of two turns; what saves it once saves it in one try at least."""
    found = Counter()
    for seed in range(3):
        ruin.asked(seed, 2, found)
    wars = found["wars that ended by ruin"]
    assert wars > 0
    for way in ("a random turn", "other luck alone"):
        for back in (1, 2):
            once, all_tries = (
                found[f"{what} by {way}, {back} before its last"] for what in ("saved", "of all tries, saved")
            )
            assert once <= all_tries <= 2 * once <= 4 * wars
    assert found["supply left when its last turn began"] <= wars
