"""What cards in play change all the time (guide 13.8), read a second time: tables laid out at random, standing effects invented."""

import random
from typing import Any

import pytest

from games.sixwinters.scene import Scene
from sutler.core.events import new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import FACES, N_REGIONS, NO_MOVE, POOL, RES, SCOPE, SLOTS, SPACES
from sutler.games.sixwinters.cards.vocabulary import DO
from sutler.games.sixwinters.rules import actions, cards, creating, land, tracks

SEEDS = range(12)
KINDS = (
    *("difficulty", "difficulty_self", "stress_pool_sum", "forbid_overcome", "no_teamwork", "leave_cost", "move_cost"),
    *("pool_as_action_dice", "pool_pays_movement", "forbid_create_asset", "forbid_trade", "wild_on_progress"),
    *("forbid_complete", "pool_cancels_scheme"),
)


class Table:
    """A table with obstacles, dice and some standing effects of every kind."""

    def __init__(self, seed: int) -> None:
        luck = self.luck = random.Random(seed)
        scene = Scene(2)
        names = scene.game.names
        self.here = luck.randrange(SLOTS)
        scene.heroes(f"Thea at {names['slot'][self.here]}", "Keel at Loomwood")
        self.lying = luck.sample(range(scene.box.n_obstacles), 8)
        for card in self.lying:
            slot = luck.randrange(SLOTS)
            land.attach(scene.box, scene.state, new_event_buffer(), card, slot)
        scene.ready()
        state = self.state = scene.state
        box = self.box = scene.d.box.copy(scene.box)
        for r in range(RES):
            state.pools[r, luck.randrange(FACES)] = luck.randrange(3)
        state.seats[0].dice[luck.randrange(FACES)] = luck.randrange(4)
        state.threat[:] = [luck.randint(1, SPACES) for _ in range(RES)]
        for card in luck.sample(self.lying, 2):
            n = int(state.n_on_cards)
            state.die_on[n], state.die_is[n], state.n_on_cards = card, luck.randrange(RES * FACES), n + 1
        self.rows: list[tuple[Any, Any]] = []
        state.n_ruled = 0
        for i, kind in enumerate(luck.sample(KINDS, 8), 1):
            op, row = box.ops[i], state.ruled[i - 1]
            op.op = getattr(DO, kind)
            op.tags = luck.choice((0, int(box.obstacle[luck.choice(self.lying)].tags)))
            op.threat, op.resource = luck.choice((NOBODY, *range(RES))), luck.randrange(RES)
            op.resources, op.by = luck.randrange(1 << RES), luck.choice((-1, 1, 2))
            op.scope = luck.choice((SCOPE.here, SCOPE.region, SCOPE.all))
            op.extra, op.price, op.from_here = luck.randrange(3), luck.randrange(3), luck.randrange(2)
            op.region, op.region_to, op.region_from = (luck.choice((NOBODY, *range(N_REGIONS))) for _ in range(3))
            op.extra_pool, op.schemes = luck.choice((NOBODY, *range(RES))), luck.randrange(1 << RES)
            row.op, row.slot = i, luck.choice((NOBODY, self.here, luck.randrange(SLOTS)))
            row.obstacle = luck.choice((NOBODY, luck.choice(self.lying)))
            state.n_ruled = i
            self.rows.append((op, row))

    def region(self, slot: int) -> int:
        return int(self.box.place[slot].region) if 0 <= slot < SLOTS else NOBODY

    def of(self, *kinds: str) -> list[tuple[Any, Any]]:
        return [(op, row) for op, row in self.rows if op.op in [getattr(DO, kind) for kind in kinds]]

    def level(self, r: int) -> int:
        return int(self.box.track[r].levels[int(self.state.threat[r]) - 1])

    def has_threat(self, card: int, r: int) -> bool:
        return s.n_threat_tags(self.box, self.state, card, r) > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_how_hard_an_obstacle_is(seed: int) -> None:
    """1.11, 7.1, 7.2, 7.4: its difficulty and stress dice, whether it may be overcome, and by how many."""
    table = Table(seed)
    box, state = table.box, table.state
    for card in table.lying:
        one, at = box.obstacle[card], int(state.obstacle_at[card])
        due = int(one.difficulty) + int(box.rules.harder[2])
        for op, row in table.of("difficulty"):
            fits = (op.tags == 0 or int(one.tags) & int(op.tags)) and (
                op.threat == NOBODY or table.has_threat(card, int(op.threat))
            )
            near = {
                int(SCOPE.all): True,
                int(SCOPE.here): at == int(row.slot),
                int(SCOPE.region): NOBODY != table.region(int(row.slot)) == table.region(at),
            }[int(op.scope)]
            due += int(op.by) if fits and near else 0
        for _, row in table.of("difficulty_self"):
            if int(row.obstacle) == card:
                due += sum(int(state.die_is[i]) % FACES + 1 for i in range(state.n_on_cards) if state.die_on[i] == card)
        assert int(land.difficulty(box, state, card)) == due
        sums = [op for op, row in table.of("stress_pool_sum") if int(row.obstacle) == card]
        dice = max((table.level(r) for r in range(RES) if table.has_threat(card, r)), default=0)
        if sums:
            dice = sum(table.level(r) for r in range(RES) if int(sums[0].resources) >> r & 1)
        assert int(land.n_stress_dice(box, state, card)) == dice
        barred = any(
            op.threat != NOBODY and table.has_threat(card, int(op.threat)) for op, _ in table.of("forbid_overcome")
        )
        assert bool(land.is_barred(box, state, card)) == barred
        alone = any(int(row.obstacle) == card for _, row in table.of("no_teamwork"))
        assert bool(land.is_for_one(box, state, card)) == alone


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_way_costs(seed: int) -> None:
    """5.2, 5.10, 14.13, 14.31, 14.54: the way's price, what cards and weather add or take off, pool dice asked for or allowed."""
    table = Table(seed)
    box, state, luck = table.box, table.state, table.luck
    here = table.here
    have = int(state.seats[0].dice.sum())
    for change, least in ((0, 0), (-1, 1), (-2, 0), (1, 0)):
        state.move_change, state.move_least = change, least
        for there in (slot for slot in range(SLOTS) if slot != here):
            region = table.region(there)
            for how in (actions.BY_FOOT, actions.BY_SHIP, actions.BY_ABILITY):
                price = {
                    actions.BY_FOOT: int(box.location[state.location_at[here]].move[region]),
                    actions.BY_SHIP: int(box.rules.port_cost),
                }.get(how, 0)
                for op, row in table.of("move_cost"):
                    meant = op.region_to in (NOBODY, region)
                    if meant and op.from_here and int(row.slot) == here and op.price > 0 and how == actions.BY_FOOT:
                        price = min(price, int(op.price))
                for op, row in table.of("leave_cost", "move_cost"):
                    if op.op == DO.leave_cost:
                        price += int(op.extra) if int(row.slot) == here else 0
                    elif op.region_to in (NOBODY, region) and not op.from_here:
                        price += int(op.extra)
                if price > 0 and change:
                    price = max(min(price, least), price + change)
                assert int(actions.dice_price(box, state, here, there, how)) == price
                asked = [
                    sum(
                        op.extra_pool == r and not op.from_here and op.region_to in (NOBODY, region)
                        for op, _ in table.of("move_cost")
                    )
                    for r in range(RES)
                ]
                assert [int(actions.pool_price(box, state, there, r)) for r in range(RES)] == asked
                serves = [
                    any(op.resource == r and int(row.slot) == here for op, row in table.of("pool_as_action_dice"))
                    or any(
                        op.resource == r and (op.region_to == region or op.region_from == table.region(here))
                        for op, _ in table.of("pool_pays_movement")
                    )
                    for r in range(RES)
                ]
                assert [bool(actions.pays_way(box, state, r, here, there)) for r in range(RES)] == serves
                for source in (NOBODY, luck.randrange(FACES), POOL + luck.randrange(RES * FACES)):
                    pools = [
                        int(state.pools[r].sum()) - (source >= POOL and (source - POOL) // FACES == r)
                        for r in range(RES)
                    ]
                    dice = have - (0 <= source < FACES)
                    enough = all(pools[r] >= asked[r] for r in range(RES))
                    if dice < price:
                        dice += sum(pools[r] - asked[r] for r in range(RES) if serves[r])
                    can = bool(actions.can_afford_beside(box, state, 0, there, how, source))
                    assert can == (enough and dice >= price)


@pytest.mark.parametrize("seed", SEEDS)
def test_where_there_is_no_way(seed: int) -> None:
    """14.69: a place without a way out or in is entered and left only within its region."""
    table = Table(seed)
    box, state, luck = table.box, table.state, table.luck
    for slot in range(SLOTS):
        for region in range(N_REGIONS):
            box.location[state.location_at[slot]].move[region] = luck.choice((0, 1, 2, NO_MOVE))
    for one in range(SLOTS):
        for other in range(SLOTS):
            a, b = (box.location[state.location_at[slot]].move for slot in (one, other))
            shut = NO_MOVE in (a[table.region(other)], b[table.region(one)])
            wanted = table.region(one) != table.region(other) and shut
            assert bool(actions.is_barred_way(box, state, one, other)) == wanted


@pytest.mark.parametrize("seed", SEEDS)
def test_what_may_be_created_traded_and_laid(seed: int) -> None:
    """5.7, 6.1, 8.9, 9.11, 14.57, 14.66: what schemes and other cards forbid or allow."""
    table = Table(seed)
    box, state, luck = table.box, table.state, table.luck
    state.scheme = luck.randrange(5)
    for r in range(RES):
        for slot in range(SLOTS):
            forbidden = any(
                op.resource == r and op.region in (NOBODY, table.region(slot))
                for op, _ in table.of("forbid_create_asset")
            )
            assert bool(creating.is_forbidden(box, state, r, slot)) == forbidden
        wild = any(op.resource == r for op, _ in table.of("wild_on_progress"))
        assert bool(cards.is_wild(box, state, r)) == wild
        cancels = any(
            op.resource == r and int(op.schemes) >> int(box.scheme[state.scheme].resource) & 1
            for op, _ in table.of("pool_cancels_scheme")
        )
        assert bool(tracks.pool_cancels(box, state, r)) == cancels
        for n in range(4):
            dice = [luck.randrange(RES * FACES) for _ in range(4)]
            laid = {r, *(code // FACES for code in dice[:n])}
            kept = any(int(op.resource) in laid for op, _ in table.of("forbid_complete"))
            state.heroes[0].path_die[:4] = dice
            assert bool(cards.is_kept_open(box, state, state.heroes[0].path_die, n, r)) == kept
        for into in range(RES):
            state.in_play[into] = luck.choice((0, int(box.rules.dice_each) - 1, int(box.rules.dice_each)))
            turns = int(box.wheel[r]) == into if box.wheel[r] >= 0 else box.wheel[into] >= 0
            banned = any(op.resource == r for op, _ in table.of("forbid_trade"))
            wanted = r != into and state.in_play[into] < box.rules.dice_each and turns and not banned
            assert bool(creating.trades_into(box, state, r, into)) == wanted


def test_which_cells_touch_and_which_values_follow() -> None:
    """6.1: along a side or at a corner; one more, one less, the same."""
    for a in range(16):
        for b in range(16):
            near = max(abs(a // 4 - b // 4), abs(a % 4 - b % 4)) == 1
            assert bool(cards.are_neighbours(a, b)) == near
    from sutler.games.sixwinters.box import RELATION

    for before in range(1, 7):
        for v in range(1, 7):
            assert bool(cards.fits_relation(int(RELATION.plus_one), before, v)) == (v - before == 1)
            assert bool(cards.fits_relation(int(RELATION.minus_one), before, v)) == (before - v == 1)
