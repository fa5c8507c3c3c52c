"""The log tells everything: a decision that changes what everybody sees is told by an event; one that is offered changes something."""

from __future__ import annotations

import random
from typing import Any

import pytest

from contract.bookkeeping import GOING_ON, field_of, is_among
from contract.options import OPTION_SETS, seats_for
from sutler.contract.cases import GAMES, SMALLEST_TABLES, Case
from sutler.core.play.game import load
from sutler.core.play.position import Position

PENDING: dict[str, tuple[str, ...]] = {
    "bellum": ("retreat_first", "fight", "mover", "moved", "calls"),
    "manor": ("step", "kth", "other", "card", "used", "due", "offer", "seats.n_offers"),
    "sixwinters": (
        *(
            "frames",
            "n_frames",
            "options",
            "may_decline",
            "owed",
            "owed_pool",
            "picked",
            "answer",
            "n_taken",
            "n_passes",
        ),
        *("part", "k", "sub", "over.asked", "over.stage", "ruled", "n_ruled"),
    ),
    "threeyears": ("kth", "suit", "ones", "twos", "used", "icon"),
    "warfarm": ("part", "step", "trap_k", "seats.farming"),
}
"""By game: what says only whose turn it is and what of a decision is made; what comes of it is told when all of it is made."""
PRICES: dict[str, tuple[str, ...]] = {
    "manor": ("seats.tokens",),
    "sixwinters": ("seats.dice", "pools", "assets"),
    "threeyears": ("seats.tracks",),
    "warfarm": ("seats.goods", "seats.spots"),
}
"""By game: what actions are paid with."""
GIVING_UP: dict[str, tuple[str, ...]] = {"warfarm": ("extinguish", "unit")}
"""By game: actions whose whole meaning is to give something up, at a limit, to a card or for a price that is paid piece by piece."""
GAMES_PLAYED = 2
STEPS = 80


def values(pos: Position, public: bool) -> dict[str, Any]:
    """Every value of the state, by its path: all of them, or those that everybody sees."""
    return {
        path: tuple(value.tolist()) if one.is_set else int(value)
        for path, one, value in pos.game.definition.STATE.iter_values(pos.state)
        if field_of(path) not in GOING_ON and (not public or one.seen_by == "everybody")
    }


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_what_everybody_sees_change_is_told(case: Case) -> None:
    """No public value changes by a decision that is told by nothing, but what is going on."""
    for seed in range(GAMES_PLAYED):
        pos, luck = case.new_position(seed), random.Random(seed)
        for _ in range(STEPS):
            if pos.over:
                break
            before = values(pos, public=True)
            action = luck.choice(pos.actions())
            if pos.play(action):
                continue
            after = values(pos, public=True)
            silent = {
                field_of(path)
                for path in before
                if before[path] != after[path] and not is_among(path, PENDING.get(case.game, ()))
            }
            assert not silent, f"{action.name} changes {', '.join(sorted(silent))} and nobody says so"


@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name in GAMES for options in OPTION_SETS.get(name, [{}])],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_what_is_offered_changes_more_than_its_price(name: str, options: dict[str, object]) -> None:
    """Whatever leaves everything as it is, but for what is paid and whose turn it is, says "enough", "ready", or none of something."""
    game = load(name, **options)
    seats = seats_for(game)
    for seed in range(GAMES_PLAYED):
        pos, luck = game.new(seats, seed), random.Random(seed)
        for _ in range(STEPS):
            if pos.over:
                break
            before, action = values(pos, public=False), luck.choice(pos.actions())
            block = pos.game.definition.actions.blocks[action.block]
            may_be_idle = block.free or block.tone in ("quiet", "commit") or 0 in action.args[-1:]
            seat, phase = pos.seat, int(pos.state.phase)
            pos.play(action)
            may_be_idle |= (
                pos.seat == seat and int(pos.state.phase) != phase
            )  # half of a decision: the rest is asked next
            after = values(pos, public=False)
            changed = {path for path in before if before[path] != after[path]}
            if not may_be_idle and action.block not in GIVING_UP.get(name, ()):
                more = {path for path in changed if not is_paid(name, seat, path, before[path], after[path])}
                assert more, f"{action.name} changes nothing but {', '.join(sorted(changed)) or 'whose turn it is'}"


def is_paid(name: str, seat: int, path: str, before: Any, after: Any) -> bool:
    """Is this change one of a price: the seat, or all together, have less of what is paid with?"""
    is_ones_own = not path.startswith("seats[") or path.startswith(f"seats[{seat}]")
    return is_ones_own and is_among(path, PRICES.get(name, ())) and isinstance(before, int) and after < before
