"""What operations on dice do (13.5, 9.4), reckoned a second time: values, how many, and that no die appears or vanishes."""

import random

import pytest

from games.sixwinters.scene import Scene
from games.sixwinters.test_second_reading import Table
from sutler.core.bits import members
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import FACES, RES, SLOTS, TURNS, UNTIL, WHICH
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.rules import common, turn
from sutler.games.sixwinters.rules.effects import ability, dice
from sutler.games.sixwinters.rules.land import difficulty

SEEDS = range(8)


class Acting(Table):
    """A table at which the first character uses an ability at its place."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.hero = next(h for h in range(4) if int(self.state.heroes[h].slot) != NOBODY)
        self.slot = int(self.state.heroes[self.hero].slot)
        self.frame.hero, self.frame.slot = self.hero, self.slot
        self.seat = self.state.seats[int(self.state.heroes[self.hero].seat)]
        for v in range(FACES):
            self.seat.dice[v] = self.luck.randrange(3)
        for r in range(RES):
            self.state.in_play[r] = n_dice_in_play(self.state, r)

    def sound(self) -> bool:
        """Dice in play are as many as are noted."""
        return [int(n) for n in self.state.in_play] == [int(n_dice_in_play(self.state, r)) for r in range(RES)]

    def gained(self) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Action dice and assets that have come since `before`, as values."""
        own = [v + 1 for v in range(FACES) for _ in range(int(self.seat.dice[v]) - self.before[0][v])]
        assets = [
            (slot, r, v + 1)
            for slot in range(SLOTS)
            for r in range(RES)
            for v in range(FACES)
            for _ in range(int(self.state.assets[slot, r, v]) - self.before[1][slot][r][v])
        ]
        return own, assets

    def begin(self, source: int) -> None:
        """A die has been paid."""
        self.frame.paid, self.frame.step, self.frame.chosen = source, 0, 0
        self.before = [int(n) for n in self.seat.dice], self.state.assets.astype(int).tolist()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("what", ["flip", "shift", "convert", "split"])
def test_a_die_becomes_others_of_its_kind(what: str, seed: int) -> None:
    """9.4: the opposite face, so much higher or lower, the faces shown, two that add up; an action die or an asset here."""
    table = Acting(seed)
    box, state, op = table.box, table.state, table.op
    assert table.sound(), "the table is laid out with all its dice counted"
    state.in_play[:] = 6
    for source in (2, 5, FACES + 2, FACES + 3 * FACES + 4, FACES + 5 * FACES + 1):
        table.begin(source)
        v, buffer = source % FACES + 1, new_event_buffer()
        if what == "flip":
            ability.op_flip(box, state, buffer, table.frame)
            wanted = [7 - v]
        elif what == "shift":
            op.by = 1 if v < FACES else -1
            ability.op_shift(box, state, buffer, op, table.frame)
            wanted = [v + int(op.by)]
        elif what == "convert":
            op.faces[:] = [6, 2, 0, 0, 0, 0]
            ability.op_convert(box, state, buffer, op, table.frame)
            wanted = [2, 6]
        else:
            is_done = ability.op_split(box, state, buffer, table.frame)
            parts = [n + 1 for n in members(state.options)]
            if not is_done:
                assert parts == list(range(1, v // 2 + 1))
                state.answer = parts[-1] - 1
                assert ability.op_split(box, state, buffer, table.frame)
            common.no_options(state)
            wanted = sorted([v // 2, v - v // 2])
        own, assets = table.gained()
        if source < FACES:
            assert (sorted(own), assets) == (sorted(wanted), [])
        else:
            assert own == []
            assert sorted(assets) == sorted((table.slot, (source - FACES) // FACES, n) for n in wanted)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("pool", [0, 1])
def test_each_die_of_the_value_brings_one_more(pool: int, seed: int) -> None:
    """9.4: old and new ones alike, in the pool that was chosen and in no other; assets as far as the supply goes."""
    table = Acting(seed)
    box, state, op = table.box, table.state, table.op
    state.in_play[:] = 0
    op.value, op.pools = table.luck.randint(1, FACES), 3
    table.begin(0)
    table.frame.step, table.frame.chosen = 2, pool
    assert ability.op_explode(box, state, new_event_buffer(), op, table.frame)
    own, assets = table.gained()
    if pool == 0:
        assert assets == []
        assert len(own) == int(table.seat.dice[op.value - 1])
    else:
        assert own == []
        assert {slot for slot, _, _ in assets} <= {table.slot}
        for r in range(RES):
            n = sum(kind == r for _, kind, _ in assets)
            assert n == int(state.in_play[r])
            due = int(state.assets[table.slot, r, op.value - 1])
            assert n == due if state.in_play[r] < box.rules.dice_each else n <= due


@pytest.mark.parametrize("seed", SEEDS)
def test_dice_that_are_rolled_again_stay_as_many(seed: int) -> None:
    """9.4, 13.5: action dice, assets here, assets of a region."""
    table = Acting(seed)
    box, state, op = table.box, table.state, table.op
    table.begin(0)
    for r in range(RES):
        for v in range(FACES):
            code = FACES + r * FACES + v
            state.chosen[code] = state.assets[table.slot, r, v]
            state.assets[table.slot, r, v] = 0
    held = [int(state.chosen[FACES + r * FACES : FACES + (r + 1) * FACES].sum()) for r in range(RES)]
    table.frame.step, table.frame.chosen = 3, 1
    assert ability.op_reroll(box, state, new_event_buffer(), op, table.frame, int(state.n_frames) - 1)
    assert [int(state.assets[table.slot, r].sum()) for r in range(RES)] == held
    assert not state.chosen.any()
    op.scope = 1
    before = state.assets.copy()
    dice.op_reroll_assets(box, state, new_event_buffer(), op, table.frame)
    near = [slot for slot in range(SLOTS) if table.region(slot) == table.region(table.slot)]
    for slot in range(SLOTS):
        assert [int(n) for n in state.assets[slot].sum(axis=1)] == [int(n) for n in before[slot].sum(axis=1)]
        if slot not in near:
            assert state.assets[slot].tolist() == before[slot].tolist()
    assert table.sound()


@pytest.mark.parametrize("seed", SEEDS)
def test_dice_of_a_pool_move_and_are_set(seed: int) -> None:
    """13.5: all set to a value; one added, of a value or rolled; the lowest laid on an obstacle, and from there taken to the place."""
    table = Acting(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    for r in range(RES):
        op.resource, op.value = r, luck.randint(1, FACES)
        n = int(state.pools[r].sum())
        buffer = new_event_buffer()
        dice.op_pool_set(state, buffer, op)
        assert [int(k) for k in state.pools[r]] == [n * (v + 1 == op.value) for v in range(FACES)]
        assert [one.kind for one in drain_events(table.scene.d.events, buffer)] == (["pool_set"] if n else [])
        for value in (0, 4):
            op.value, op.count_of = value, 2
            before = state.pools[r].copy()
            left = max(0, int(box.rules.dice_each) - int(state.in_play[r]))
            table.frame.step = 0
            dice.op_pool_add(box, state, new_event_buffer(), op, table.frame)
            assert int(state.pools[r].sum()) - int(before.sum()) == min(2, left)
            if value:
                assert int(state.pools[r, value - 1] - before[value - 1]) == min(2, left)
        assert table.sound()
    card = next(card for slot in range(SLOTS) for card in table.lying(slot))
    table.frame.obstacle = card
    state.n_on_cards = 0
    for r in range(RES):
        op.resource = r
        pool = [v for v in range(FACES) for _ in range(int(state.pools[r, v]))]
        n = int(state.n_on_cards)
        dice.op_pool_to_card(state, new_event_buffer(), op, table.frame)
        if pool and n < len(state.die_on):
            assert (int(state.die_on[n]), int(state.die_is[n])) == (card, r * FACES + min(pool))
        assert table.sound()
    laid = sorted(int(state.die_is[i]) for i in range(state.n_on_cards))
    table.begin(0)
    place = int(state.obstacle_at[card])
    dice.op_card_dice(state, new_event_buffer(), table.frame)
    assert sorted((slot, r * FACES + v - 1) for slot, r, v in table.gained()[1]) == [(place, code) for code in laid]
    assert int(state.n_on_cards) == 0
    assert table.sound()


@pytest.mark.parametrize("which", [WHICH.lowest, WHICH.highest])
@pytest.mark.parametrize("seed", SEEDS)
def test_each_player_loses_the_lowest_or_the_highest(seed: int, which: int) -> None:
    """13.5: so many action dice of every seat, as far as it has any; who has lost none is not named."""
    table = Acting(seed)
    state, op, luck = table.state, table.op, table.luck
    op.which, op.count_of = which, luck.randint(1, 3)
    hands = []
    for seat in range(4):
        state.seats[seat].dice[:] = [luck.choice((0, 0, 1, 2)) for _ in range(FACES)] if seat else 0
        hands.append([v for v in range(FACES) for _ in range(int(state.seats[seat].dice[v]))])
    buffer = new_event_buffer()
    dice.op_discard_action_die(state, buffer, op)
    told = {int(one.args[0]) for one in drain_events(table.scene.d.events, buffer)}
    assert told == {seat for seat in range(4) if hands[seat]}
    for seat in range(4):
        left = sorted(hands[seat], reverse=which == WHICH.highest)[int(op.count_of) :]
        assert sorted(left) == [v for v in range(FACES) for _ in range(int(state.seats[seat].dice[v]))]


@pytest.mark.parametrize("space", range(TURNS))
def test_which_turn_follows(space: int) -> None:
    """10.1, 14.57: the next space; a bonus turn only if a pile shows its season; after the last the session ends."""
    luck = random.Random(space)
    for _ in range(6):
        scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
        box, state = scene.box, scene.state
        state.space = space
        for region in range(3):
            for _ in range(luck.randrange(4)):
                state.n_draw[region] -= 1
        shown = [int(box.obstacle[state.draw[region, state.n_draw[region] - 1]].season) for region in range(3)]
        later = [k for k in range(space + 1, TURNS) if box.bonus[k] == 0 or int(box.season[k]) in shown]
        for track, until in enumerate((UNTIL.turn_end, UNTIL.season_end)):
            state.reduced[track], state.reduced_until[track] = 1, until
        state.k = state.sub = 0
        turn.step_time(box, state, new_event_buffer())
        if later:
            assert (int(state.space), int(state.part)) == (later[0], s.PART.event)
            same = box.season[space] == box.season[later[0]]
            assert [int(n) for n in state.reduced] == [0, 1 if same else 0]
        else:
            assert (int(state.space), int(state.part)) == (TURNS - 1, s.PART.clear)
            assert [int(n) for n in state.reduced] == [0, 0]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_hardest_of_a_region(seed: int) -> None:
    """8.3: all of the highest difficulty among the obstacles of the region, of no other."""
    table = Acting(seed)
    box, state = table.box, table.state
    for region in range(3):
        there = [card for slot in range(SLOTS) if table.region(slot) == region for card in table.lying(slot)]
        worst = max((int(difficulty(box, state, card)) for card in there), default=0)
        turn.offer_hardest(box, state, region)
        assert table.options() == sorted(card for card in there if int(difficulty(box, state, card)) == worst)
