"""Rules that take a short way where nothing can come of the long one: both are asked, over campaigns played by chance."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sutler.contract.helpers import load_game
from sutler.core.bits import members
from sutler.core.play.position import Position
from sutler.games.sixwinters.box import ABILITIES, PAY, RES, SLOTS
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules.abilities import can_pay, why_not_pay_ability
from sutler.games.sixwinters.rules.actions import (
    BY_FOOT,
    BY_GATE,
    BY_SHIP,
    can_afford,
    dice_price,
    pays_way,
    pool_price,
)
from sutler.games.sixwinters.rules.common import has_ability, is_in, n_dice, pool_size, region_of
from sutler.games.sixwinters.rules.land import difficulty

SOURCES = 78  # of a die that pays


def positions(seats: int, seed: int, step: int) -> Iterator[tuple[Position, int]]:
    """Every so many positions, with each character on its feet."""
    pos, luck = load_game("sixwinters").new(seats, seed=seed), random.Random(seed)
    for number in range(900):
        if pos.over:
            return
        pos.play(luck.choice(pos.legal_ids()))
        if number % step == 0:
            for h in range(int(pos.state.n_heroes)):
                if is_in(pos.state, h):
                    yield pos, h


def test_what_pays_an_ability_is_looked_for_among_the_dice_that_are_there() -> None:
    """9.4: the short way finds something to pay with where one of all sources does."""
    found = [0, 0]
    for pos, h in positions(2, 3, 5):
        box, state = pos.game.box, pos.state
        for k in range(ABILITIES):
            one = box.character[state.heroes[h].character].ability[k]
            if has_ability(box, state, h, k) and one.pay not in (PAY.stress, PAY.none):
                whole = any(why_not_pay_ability(box, state, h, k, source) == 0 for source in range(SOURCES))
                assert bool(can_pay(box, state, h, k)) == whole
                found[whole] += 1
    assert min(found) > 50


def test_a_way_is_afforded_whether_or_not_pools_are_looked_at() -> None:
    """5.10, 14.13, 14.31: pools are passed over only where no card in play speaks of them."""
    found = [0, 0]
    for pos, h in (one for seed in (3, 4) for one in positions(2, seed, 9)):
        box, state = pos.game.box, pos.state
        here, dice = int(state.heroes[h].slot), int(n_dice(state, int(state.heroes[h].seat)))
        for there in range(SLOTS):
            for how in (BY_FOOT, BY_SHIP):
                due = [int(pool_price(box, state, there, r)) for r in range(RES)]
                lies = [int(pool_size(state, r)) for r in range(RES)]
                more = sum(lies[r] - due[r] for r in range(RES) if pays_way(box, state, r, here, there))
                whole = all(due[r] <= lies[r] for r in range(RES)) and dice + more >= int(
                    dice_price(box, state, here, there, how)
                )
                assert bool(can_afford(box, state, h, there, how)) == whole
                found[whole] += 1
    assert min(found) > 50


def test_a_price_is_a_regions() -> None:
    """5.2, 14.54: the ways to all places of a region cost the same, so it is reckoned once for each region."""
    changed = 0
    for pos, h in positions(2, 3, 9):
        box, state = pos.game.box, pos.state
        here = int(state.heroes[h].slot)
        for how in (BY_FOOT, BY_SHIP, BY_GATE):
            prices: dict[int, set[int]] = {}
            for there in range(SLOTS):
                prices.setdefault(int(region_of(box, there)), set()).add(int(dice_price(box, state, here, there, how)))
            assert all(len(one) == 1 for one in prices.values())
        printed = [int(n) for n in box.location[state.location_at[here]].move]
        changed += any(
            dice_price(box, state, here, there, BY_FOOT) != printed[int(region_of(box, there))]
            for there in range(SLOTS)
        )
    assert changed > 3, "no card in play changed a price"


def test_two_choices_of_the_actions_step_are_seen_without_reckoning_the_others() -> None:
    """5.1, 5.9: bots that only look at a position of the actions step are shown two of its choices, in nearly all."""
    game = load_game("sixwinters")
    found = [0, 0]
    for pos, _ in positions(2, 3, 3):
        if pos.state.phase == P.act:
            seen = game.definition.actions.ids_record.new()
            found[bool(game.definition.two_of(pos.game.box, pos.state, seen))] += 1
            assert set(members(seen.ids)) <= set(pos.legal_ids())
    assert found[1] > 20 * found[0], found


def test_the_picture_tells_each_obstacles_difficulty_as_the_rules_do() -> None:
    """1.11: the picture asks once which cards bear on it."""
    added = 0
    for pos, _ in positions(2, 6, 10):
        harder = int(pos.game.box.rules.harder[pos.n_seats])
        for number, one in pos.view(0)["obstacles"].items():
            assert one["difficulty"] == int(difficulty(pos.game.box, pos.state, int(number)))
            added += one["difficulty"] != one["printed"] + harder
    assert added > 5
