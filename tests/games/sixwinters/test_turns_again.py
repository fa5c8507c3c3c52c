"""New obstacles, activation and arrivals (8.2, 8.5, 14.52, 14.54, 9.10), followed step by step on tables laid out at random."""

import random

import pytest

from games.sixwinters.scene import Scene
from games.sixwinters.test_second_reading import Table
from sutler.core.bits import clear, members
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import MOMENT, RES, SLOTS
from sutler.games.sixwinters.cards.vocabulary import BODY, DO, PSYCHE
from sutler.games.sixwinters.rules import common, heroes, land, missions, overcome, turn

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_where_a_new_obstacle_comes(seed: int) -> None:
    """8.5, 14.52: to the place of the lowest staged card, which is discarded, from its region's pile; a card may draw it to itself."""
    table = Table(seed)
    box, state, luck = table.box, table.state, table.luck
    op = box.ops[3]
    op.op, op.threat, op.skill = DO.redirect_new_obstacles, NOBODY, NOBODY
    for _ in range(6):
        land.refill_staging(box, state, new_event_buffer())
        op.tags, op.deck = table.tags(), luck.randrange(3)
        state.n_ruled = 1
        state.ruled[0].op, state.ruled[0].slot = 3, luck.choice((NOBODY, *range(SLOTS)))
        state.ruled[0].obstacle = NOBODY
        staged = [int(card) for card in state.staged]
        lowest = int(land.bottom_staged(state))
        assert lowest == max(i for i, card in enumerate(staged) if card != NOBODY)
        slot = int(box.card[staged[lowest]].slot)
        region = table.region(slot)
        top = int(state.draw[region, state.n_draw[region] - 1])
        drawn_here = (
            op.deck == region and state.ruled[0].slot != NOBODY and table.fits(top, int(op.tags), NOBODY, NOBODY)
        )
        rows = [int(state.ruled[0].slot)] if drawn_here else []
        land.place_new(box, state, new_event_buffer())
        assert int(state.obstacle_at[top]) == [*rows, slot][0]
        assert int(state.card_at[staged[lowest]]) == s.CARD_AT.discard
        assert int(state.staged[lowest]) == NOBODY


@pytest.mark.parametrize("seed", SEEDS)
def test_each_obstacle_of_a_place_is_woken_once(seed: int) -> None:
    """8.2, 14.58: in their order, those that have come meanwhile too; where nothing lay, one of the region comes and sleeps."""
    table = Table(seed)
    box, state = table.box, table.state
    clear(state.woken)
    for slot in range(SLOTS):
        state.k, state.sub = slot, 1
        there = table.lying(slot)
        order, card = [], int(state.head[slot])
        while card != NOBODY:
            order.append(card)
            card = int(state.after[card])
        assert sorted(order) == there
        for n, card in enumerate(order):
            frames = int(state.n_frames)
            buffer = new_event_buffer()
            turn.wake_obstacle(box, state, buffer, slot)
            has_text = box.obstacle[card].effect[MOMENT.activation].n > 0
            told = [(one.kind, int(one.args[0])) for one in drain_events(table.scene.d.events, buffer)]
            assert told == ([("obstacle_woken", card)] if has_text else [])
            assert int(state.n_frames) - frames == has_text
            assert [c for c in order if c in set(members(state.woken))] == order[: n + 1]
            while int(state.n_frames) > frames:
                common.pop(state)
        turn.wake_obstacle(box, state, new_event_buffer(), slot)
        assert (int(state.k), int(state.sub)) == (slot + 1, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_arrives_meets_each_obstacle_that_waits(seed: int) -> None:
    """14.54: those with a text for who enters, the first of the row first."""
    table = Table(seed)
    box, state = table.box, table.state
    for slot in range(SLOTS):
        state.n_frames = 0
        order, card = [], int(state.head[slot])
        while card != NOBODY:
            order.append(card)
            card = int(state.after[card])
        waiting = [card for card in order if box.obstacle[card].effect[MOMENT.enter].n > 0]
        heroes.arrive(box, state, new_event_buffer(), 0, slot)
        assert int(state.heroes[0].slot) == slot
        frames = [int(state.frames[f].obstacle) for f in range(int(state.n_frames))]
        assert frames == waiting[::-1], "what is laid last goes first"


@pytest.mark.parametrize("track", [PSYCHE, BODY])
@pytest.mark.parametrize("seed", range(6))
def test_who_may_take_stress_for_another(seed: int, track: int) -> None:
    """9.10: the first other character on its feet with such an ability for this track; as much of it as it likes."""
    luck = random.Random(seed)
    scene = Scene(3)
    names = luck.sample(list(scene.game.names["character"]), 3)
    scene.heroes(*(f"{name} at Eastkeep" for name in names)).ready()
    box, state = scene.box, scene.state
    able = []
    for h in range(3):
        c = int(state.heroes[h].character)
        state.people[c].achievements = luck.choice((0, 3, 6))
        if luck.random() < 0.3:
            state.heroes[h].slot = NOBODY
        for k in range(len(box.character[c].ability)):
            one = box.character[c].ability[k]
            if (
                one.there == 1
                and one.achievement <= state.people[c].achievements
                and one.effect.n > 0
                and box.ops[one.effect.first].op == DO.absorb_stress
                and box.ops[one.effect.first].track == track
                and state.heroes[h].slot != NOBODY
            ):
                able.append(h)
    for h in range(3):
        others = [other for other in sorted(set(able)) if other != h]
        assert int(heroes.absorber(box, state, h, track)) == (others[0] if others else NOBODY)


@pytest.mark.parametrize("seed", SEEDS)
def test_which_copies_a_mission_may_bring(seed: int) -> None:
    """14.19, 14.29: of an obstacle's copies those in play, or else those of the reserve before those in piles; none that is spoken for."""
    table = Table(seed)
    box, state, luck = table.box, table.state, table.luck
    for card in luck.sample(range(box.n_obstacles), 10):
        if not table.is_in_play(card) and luck.random() < 0.5:
            land.burn_obstacle(box, state, new_event_buffer(), card)
    for k in range(2):
        for i in range(len(state.tasks[k].then_card)):
            state.tasks[k].then_card[i] = luck.randrange(box.n_obstacles)
    spoken = {int(card) for k in range(2) for card in state.tasks[k].then_card}
    for group in {int(box.obstacle[card].group) for card in range(box.n_obstacles)}:
        copies = [
            card
            for card in range(box.n_obstacles)
            if int(box.obstacle[card].group) == group
            and int(state.obstacle_at[card]) != s.BURNED
            and card not in spoken
        ]
        for in_play in (True, False):
            meant = [card for card in copies if table.is_in_play(card) == in_play]
            spare = [card for card in meant if int(state.obstacle_at[card]) == s.RESERVE]
            missions.copies(box, state, group, in_play)
            assert table.options() == (spare or meant)
    for card in range(box.n_obstacles):
        assert bool(missions.is_spoken_for(state, card)) == (card in spoken)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_goes_on_overcoming(seed: int) -> None:
    """7.8, 14.61, 14.79: whoever has left the place is out of it; it goes on while one who takes part has a die or an asset."""
    table = Table(seed)
    box, state, over, luck = table.box, table.state, table.state.over, table.luck
    card = luck.choice([card for slot in range(SLOTS) for card in table.lying(slot)])
    slot = int(state.obstacle_at[card])
    for _ in range(6):
        over.obstacle, over.joined, over.leader = card, luck.randint(1, 15), luck.randrange(4)
        for h in range(4):
            state.heroes[h].slot = luck.choice((slot, slot, (slot + 1) % SLOTS))
            state.seats[h].dice[:] = 0
            state.seats[h].dice[luck.randrange(6)] = luck.choice((0, 0, 1))
        state.assets[slot] = 0
        state.assets[slot, luck.randrange(RES), 2] = luck.choice((0, 0, 1))
        state.assets[(slot + 1) % SLOTS] = 0
        staying = [h for h in range(4) if int(over.joined) >> h & 1 and int(state.heroes[h].slot) == slot]
        leader = int(over.leader)
        overcome.let_go(state, new_event_buffer())
        assert [h for h in range(4) if int(over.joined) >> h & 1] == staying
        assert int(over.leader) == (leader if leader in staying else min(staying, default=0))
        seats = [int(state.heroes[h].seat) for h in staying]
        lying = bool(staying) and state.assets[slot].any()
        more = any(state.seats[seat].dice.any() for seat in seats) or lying
        assert bool(overcome.has_more(box, state)) == bool(more)
        assert (overcome.why_not_again(box, state, 0) == 0) == bool(more)
        over.asked = luck.randrange(16)
        unset = [h for h in staying if not int(over.asked) >> h & 1]
        assert bool(overcome.may_still_set(box, state)) == bool(unset and state.assets[slot].any())
        assert int(overcome.first_joined(state)) == (staying[0] if staying else NOBODY)
