"""Six Winters counted a second time (six_winters.py) over whole random campaigns, at the options' extremes too."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from sutler.contract.helpers import load_game, walk
from sutler.core.play.position import Position
from sutler.core.record import NOBODY
from sutler.core.rule import PLAIN_ONLY

from naive.six_winters import DICE, RESOURCES, Ledger, dice_seen

CAMPAIGNS = 1 if PLAIN_ONLY else 5
ENOUGH = 4_000  # decisions; the longest random campaigns have a quarter of it
FOUGHT = 12  # stress dice rolled and values tallied in a campaign, at least
FEW = 1_000  # decisions of a campaign of people who are keen on progress, in plain Python
LAID, COMPLETED = 12, 2  # dice laid on progress cards and cards completed in it, at least
EVERY = 10  # decisions, then all is compared: the ledger reads each event, so what is counted wrong once stays wrong
EXTREMES: list[tuple[int, dict[str, Any]]] = [
    (1, {}),
    (2, {}),
    (3, {}),
    (4, {}),
    (1, {"solo": "passes", "serve_both": True, "overflow": True, "unreachable": True}),
    (1, {"start_threats": 3, "difficulty": "difficult"}),
    (2, {"start_threats": -3, "difficulty": "easy", "deeds": "deeds", "stash": False}),
    (3, {"unreachable": True, "overflow": True, "skill_icon": "create"}),
    (4, {"tracks": "v20", "deeds": "experience", "serve_both": True, "start_threats": 3}),
    (2, {"critical": True, "start_threats": 3, "start_year": 3}),
]


def ledger_for(options: dict[str, Any]) -> Ledger:
    """A ledger that begins where a campaign with these options does."""
    numbers = "published_v20" if options.get("tracks") == "v20" else "numbers"
    return Ledger(options.get("start_threats", 0), options.get("start_year", 1), numbers)


def waiting_dice(pos: Position) -> list[tuple[str, int]]:
    """12.1: between two passes of a year the card at hand waits, with its dice, for the next character."""
    hero = pos.state.heroes[0]
    n = int(hero.n_path) if hero.character == NOBODY else 0
    return [(RESOURCES[int(die) // 6], int(die) % 6 + 1) for die in hero.path_die[:n]]


def assert_dice_are_there(pos: Position, view: dict[str, Any]) -> None:
    """1.4: of each resource no more than twelve dice, none of them nowhere; the supply is what does not lie open."""
    seen = dice_seen(view)
    seen.update(resource for resource, _value in waiting_dice(pos))
    for name in RESOURCES:
        assert 0 <= view["supply"][name] <= DICE
        assert view["supply"][name] == DICE - seen[name], name


def is_fought(pos: Position) -> bool:
    """Is an obstacle being overcome, or may one be in the next decision?"""
    return pos.state.over.obstacle >= 0 or any(one.block == "overcome" for one in pos.actions())


@pytest.mark.parametrize(("seats", "options"), EXTREMES[3:5] if PLAIN_ONLY else EXTREMES, ids=str)
def test_a_whole_campaign_is_counted_again(seats: int, options: dict[str, Any]) -> None:
    """Tracks, threat tags, dice, obstacles, conditions, burned cards and points, every few decisions of whole campaigns."""
    game, checked = load_game("sixwinters", **options), 0
    for seed in range(CAMPAIGNS):
        pos, ledger = game.new(seats, seed), ledger_for(options)
        ledger.n_players = seats
        ledger.read(pos.opening)
        before: dict[str, Any] = {}
        for here in walk(pos, seed=seed, most=ENOUGH):
            if here.decisions:
                told = here.decisions[-1].told
                checked += ledger.overcome(before, told) if before else 0
                ledger.read(told)
            before = here.view(None) if is_fought(here) else {}
            if len(here.decisions) % EVERY and not here.over:
                continue
            view = here.view(None)
            ledger.compare(view, waiting_dice(here))
            if not game.definition.is_midway(game.box, here.state):  # dice being rerolled lie nowhere
                assert_dice_are_there(here, view)
        assert pos.over, f"still going after {ENOUGH} decisions"
        if options.get("score_tracks") is None:
            assert pos.scores() == [ledger.score()] * seats
    assert checked > FOUGHT * CAMPAIGNS


def keen(pos: Position, most: int) -> Iterator[Position]:
    """Whoever can lay a die on a progress card does, or creates one: chance alone seldom completes a card."""
    luck = random.Random(pos.n_seats)
    while not pos.over and len(pos.decisions) < most:
        legal = pos.actions()
        wanted = (
            [one for one in legal if one.block == "put"]
            or [one for one in legal if one.block == "create"]
            or [one for one in legal if one.block not in ("done", "overcome")]
        )
        pos.play(luck.choice(wanted or legal))
        yield pos


@pytest.mark.parametrize(("seats", "options"), [(4, {}), (2, {"overflow": True, "start_year": 3})], ids=str)
def test_progress_cards_are_paid_and_bring_what_is_printed(seats: int, options: dict[str, Any]) -> None:
    """6.1 to 6.5: each die fits its cell, and each completed card brings as many steps as it has symbols."""
    pos, ledger = load_game("sixwinters", **options).new(seats, seats), ledger_for(options)
    ledger.n_players = seats
    ledger.read(pos.opening)
    for here in keen(pos, ENOUGH if not PLAIN_ONLY else FEW):
        ledger.read(here.decisions[-1].told)
        if len(here.decisions) % EVERY == 0:
            ledger.compare(here.view(None))
    assert ledger.n_laid >= LAID
    assert ledger.n_completed >= COMPLETED
