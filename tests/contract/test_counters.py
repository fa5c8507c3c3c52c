"""Counters as wide as the rules allow: the greatest value that each can reach fits its field, and random games stay below it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import sutler
from contract.bookkeeping import GOING_ON, field_of
from contract.options import OPTION_SETS, seats_for
from sutler.contract.cases import GAMES

GREATEST: dict[str, dict[str, int]] = {
    "bellum": {
        "powers.supply": 400,  # every city and the HQ: 6 a city at most
        "powers.strength": 1600,  # begins at 99 at most, and gains a battle's spoils for each of eight leaders in each turn
        "n_fed": 192,
        "n_pillaged": 192,
        "fed_from": 1600,
        "began": 0xFF,
        "fought": 0xFF,
        "moved": 0xFF,
        "fight.side": 0xFF,
        "fight.foes": 0xFF,
        "fight.to_retreat": 0xFF,
    },
    "manor": {
        "seats.tokens": 9999,
        "turn": 9999,
        "seats.worked": 9999,
        "seats.extra_draw": 2000,  # two for each card of the box
        "seats.extra_next": 2000,
        "used": 9999,
        "due": 9999,
    },
    "threeyears": {
        "seats.renown": 9999,
        "seats.hope": 999,
        "seats.doom": 9999,
        "seats.scouts": 999,
        "total": 999,
        "due": 200,
        "owed": 200,
        "looks": 999,
    },
    "warfarm": {
        "seats.goods": 9999,
        "seats.spots": 9999,
        "doubles": 120,
        "round_no": 9999,
        "quiet": 9999,
        "n_built": 9999,
        "n_manned": 9999,
        "n_shots": 9999,
        "n_operators": 9999,
        "n_drawn": 9999,
        "lost": 9999,
        "seats.farming": 9999,
        "seats.praying": 9999,
        "seats.n_hand": 9999,
    },
    "sixwinters": {"people.xp": 9999, "over.total": 999, "owed": 99, "n_frames": 16, "seats.dice": 99, "pools": 99},
}
"""Fields that count without the box's parts setting a bound, by game: the greatest value that the rules, or a cap in them, allow."""
STEPS = 400


@pytest.mark.parametrize("game", sorted(GREATEST))
def test_the_greatest_value_fits(game: str) -> None:
    """No field that counts is too narrow for what the rules can bring it to."""
    blank = sutler.load(game).blank(sutler.load(game).max_seats, 0)
    types = {field_of(path): one.type for path, one, _ in sutler.load(game).definition.STATE.iter_values(blank)}
    for field, greatest in GREATEST[game].items():
        assert greatest <= int(np.iinfo(types[field]).max), f"{game}: {field} is {types[field]}"


def signed(game: Any, state: Any) -> dict[str, tuple[int, int]]:
    """Every signed number of a state by its path: its value, and the greatest of its field's type."""
    return {
        path: (int(value), int(np.iinfo(one.type).max))
        for path, one, value in game.definition.STATE.iter_values(state)
        if not one.is_set and np.dtype(one.type).kind == "i" and field_of(path) not in GOING_ON
    }


@pytest.mark.parametrize(
    ("game", "options"), [(game, options) for game in GAMES for options in OPTION_SETS.get(game, [{}])],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_random_games_stay_below(game: str, options: dict[str, object]) -> None:
    """With every set of options: what is bounded stays within its bound, and nothing comes to the end of its field's type."""
    rules, luck = sutler.load(game, **options), random.Random(3)
    pos = rules.new(seats_for(rules, fewest=False), seed=3)
    bound = GREATEST.get(game, {})
    for n in range(STEPS):
        if pos.over:
            break
        pos.play(luck.choice(pos.legal_ids()))
        if n % 20 == 0:
            for path, (value, greatest) in signed(rules, pos.state).items():
                assert -greatest <= value < greatest, path
                assert value <= bound.get(field_of(path), greatest), path
