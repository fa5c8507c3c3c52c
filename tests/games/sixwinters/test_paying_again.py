"""Paying for ways, obstacles and campaign effects (5.10, 9.11, 11.1), reckoned a second time on tables laid out at random."""

import random

import pytest

from games.sixwinters.scene import Scene
from games.sixwinters.test_second_reading import Table
from sutler.core.bits import members
from sutler.core.events import new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import ABILITIES, EFFECTS, FACES, POOL, RES, SLOTS
from sutler.games.sixwinters.cards.vocabulary import DO, ICON
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.rules import abilities, actions, common, creating, land, payments
from sutler.games.sixwinters.rules.effects import dice as on_dice

SEEDS = range(10)


def table_with_owner(seed: int) -> tuple[Table, int, int]:
    """A table, its first character on its feet, and the seat that leads it."""
    table = Table(seed)
    h = next(h for h in range(4) if int(table.state.heroes[h].slot) != NOBODY)
    table.state.actor = h
    for r in range(RES):
        table.state.in_play[r] = n_dice_in_play(table.state, r)
    return table, h, int(table.state.heroes[h].seat)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_may_pay_for_a_way(seed: int) -> None:
    """5.10: action dice while some are owed; a pool die that is owed, or that may stand for an action die and is not owed itself."""
    table, h, seat = table_with_owner(seed)
    box, state, luck = table.box, table.state, table.luck
    here, there = int(state.heroes[h].slot), luck.randrange(SLOTS)
    kinds = luck.sample(range(RES), 2)
    for i, r in enumerate(kinds):
        box.ops[2 + i].op, box.ops[2 + i].resource = DO.pool_pays_movement, r
        box.ops[2 + i].region_to, box.ops[2 + i].region_from = table.region(there), NOBODY
        state.ruled[i].op, state.ruled[i].slot, state.ruled[i].obstacle = 2 + i, NOBODY, NOBODY
    state.n_ruled = 2
    for _ in range(8):
        state.owed = luck.randrange(3)
        for r in range(RES):
            state.owed_pool[r] = luck.choice((0, 0, 1, 2))
        for v in range(FACES):
            state.seats[seat].dice[v] = luck.randrange(2)
        wanted = [v for v in range(FACES) if state.owed > 0 and state.seats[seat].dice[v] > 0]
        for r in range(RES):
            pool = [v for v in range(FACES) if state.pools[r, v] > 0]
            n = int(state.pools[r].sum())
            spare = state.owed > 0 and r in kinds and n > state.owed_pool[r]
            if state.owed_pool[r] > 0 or spare:
                wanted += [POOL + r * FACES + v for v in pool]
        actions.offer_payment(box, state, h, there)
        assert table.options() == sorted(wanted)
        assert bool(actions.is_owing(state)) == bool(state.owed > 0 or any(int(n) > 0 for n in state.owed_pool))
        assert [r for r in range(RES) if actions.pays_way(box, state, r, here, there)] == sorted(kinds)
        for source in wanted:
            owed, due = int(state.owed), [int(n) for n in state.owed_pool]
            again = table.scene.d.state.copy(state)
            actions.pay_for_way(again, new_event_buffer(), seat, source)
            if source < FACES:
                assert (int(again.owed), int(again.seats[seat].dice[source])) == (
                    owed - 1,
                    int(state.seats[seat].dice[source]) - 1,
                )
                continue
            r, v = divmod(source - POOL, FACES)
            assert int(again.pools[r, v]) == int(state.pools[r, v]) - 1
            assert int(again.in_play[r]) == int(state.in_play[r]) - 1
            if due[r]:
                due[r] -= 1
            else:
                owed -= 1
            assert (int(again.owed), [int(n) for n in again.owed_pool]) == (owed, due)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_may_pay_off_an_obstacle(seed: int) -> None:
    """11.1: dice of every pool and every place whose kind is one of its tags; each counts its value; at the difficulty it is gone."""
    table, _, _ = table_with_owner(seed)
    box, state = table.box, table.state
    state.n_frames = 0
    for card in [card for slot in range(SLOTS) for card in table.lying(slot)]:
        kinds = [r for r in range(RES) if s.n_threat_tags(box, state, card, r) > 0]
        due = int(land.difficulty(box, state, card))
        payments.do_clear_obstacle(box, state, new_event_buffer(), 0, card)
        frame = state.frames[int(state.n_frames) - 1]
        wanted = [POOL + r * FACES + v for r in kinds for v in range(FACES) if state.pools[r, v] > 0]
        wanted += [FACES + r * FACES + v for r in kinds for v in range(FACES) if state.assets[:, r, v].any()]
        frame.chosen = max(0, due - 1)
        if due > 0:
            payments.step_settle(box, state, new_event_buffer(), frame)
            assert table.options() == sorted(wanted)
            if wanted:
                source = table.luck.choice(wanted)
                before = int(n_dice_in_play(state, (source - FACES) % (RES * FACES) // FACES))
                payments.settle_with(state, new_event_buffer(), source)
                assert int(frame.chosen) == due - 1 + source % FACES + 1
                assert int(n_dice_in_play(state, (source - FACES) % (RES * FACES) // FACES)) == before - 1
        frame.chosen = due
        payments.step_settle(box, state, new_event_buffer(), frame)
        assert not land.is_in_play(state, card)
        assert int(state.n_frames) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_which_campaign_effects_may_be_used(seed: int) -> None:
    """9.11, 14.28: gained, and with what they cost: assets here, dice of a pool; with an obstacle to spend them on."""
    table, h, seat = table_with_owner(seed)
    box, state, luck = table.box, table.state, table.luck
    slot = int(state.heroes[h].slot)
    state.effects = luck.randrange(1 << EFFECTS)
    for k in range(EFFECTS):
        reason = abilities.why_not_effect(box, state, seat, k)
        if not int(state.effects) >> k & 1 or k >= box.n_effects or box.effect[k].n == 0:
            assert reason != 0
            continue
        op = box.ops[box.effect[k].first]
        if op.op == DO.exchange_assets:
            room = int(state.in_play[op.gain]) + int(op.gains) <= int(box.rules.dice_each)
            wanted = int(state.assets[slot, op.resource].sum()) >= op.count_of and room
        elif op.op == DO.pay_asset:
            wanted = state.assets[slot, op.resource, op.value - 1] > 0 if reason == 0 else None
        elif op.op == DO.trade_two_for_one:
            wanted = any(int(state.pools[r].sum()) >= 2 for r in range(RES))
        elif op.op == DO.pay_pool:
            aim = box.ops[box.effect[k].first + 1]
            level = int(box.track[2].levels[int(state.threat[2]) - 1])
            total = sum((v + 1) * int(state.pools[op.resource, v]) for v in range(FACES))
            aims = [
                card
                for place in range(SLOTS)
                for card in table.lying(place)
                if table.fits(card, int(aim.tags), int(aim.threat), int(aim.skill))
                and (op.price == 0 or land.difficulty(box, state, card) < total)
            ]
            wanted = bool(aims) and (op.price == 1 or int(state.pools[op.resource].sum()) >= level)
        else:
            wanted = False
        if wanted is not None:
            assert (reason == 0) == bool(wanted), k


@pytest.mark.parametrize("seed", SEEDS)
def test_which_slots_of_a_mat_may_be_used(seed: int) -> None:
    """9.9, 14.42: one that the character has, six times a turn; an asset of its kind goes in while it is empty, and out again."""
    luck = random.Random(seed)
    seen = 0
    for c in range(7):
        scene = Scene(stash=True)
        scene.heroes(f"{scene.game.names['character'][c]} at Eastkeep").ready()
        box, state = scene.box, scene.state
        one, slot = state.heroes[0], int(state.heroes[0].slot)
        state.people[c].achievements = luck.randrange(7)
        state.actor = 0
        for r in range(RES):
            for v in range(FACES):
                state.assets[slot, r, v] = luck.randrange(2)
        full = 0
        for k in range(ABILITIES):
            printed = box.character[c].ability[k]
            is_slot = (
                printed.there == 1
                and printed.achievement <= state.people[c].achievements
                and printed.effect.n > 0
                and box.ops[printed.effect.first].op == DO.stash
            )
            one.stashed[k], one.stash[k] = luck.choice((0, 5, 6)), luck.choice((0, 1 + luck.randrange(36)))
            usable = is_slot and one.stashed[k] < 6
            full += bool(usable and one.stash[k] > 0)
            seen += is_slot
            assert (abilities.why_not_slot_of(box, state, 0, k) == 0) == bool(usable)
            assert (abilities.why_not_unstash(box, state, 0, k) == 0) == bool(usable and one.stash[k] > 0)
            for v in range(FACES):
                there = is_slot and state.assets[slot, box.ops[printed.effect.first].resource, v] > 0
                wanted = usable and one.stash[k] == 0 and there
                assert (abilities.why_not_stash(box, state, 0, k, v) == 0) == bool(wanted)
        assert int(abilities.n_in_slots(box, state, 0)) == full
    assert seen or seed


@pytest.mark.parametrize("seed", SEEDS)
def test_how_many_dice_one_action_die_moves(seed: int) -> None:
    """14.47: one, or at a place with a skill icon as many as the rank, one at least."""
    table, h, _ = table_with_owner(seed)
    box, state = table.box, table.state
    for slot in range(SLOTS):
        place = box.location[state.location_at[slot]]
        wanted = 1
        if place.icon == ICON.skill:
            wanted = max(1, int(state.people[state.heroes[h].character].skills[place.icon_of]))
        assert int(creating.most_at_once(box, state, h, slot)) == wanted
        assert int(actions.icon_at(box, state, slot)) == int(place.icon)
        for other in range(SLOTS):
            there = box.location[state.location_at[other]]
            for how, icon in ((actions.BY_SHIP, ICON.port), (actions.BY_GATE, ICON.magic_gate)):
                both = place.icon == icon and there.icon == icon
                assert bool(actions.has_way(box, state, slot, other, how)) == both
            assert actions.has_way(box, state, slot, other, actions.BY_FOOT)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_asset_after_another_is_taken_away(seed: int) -> None:
    """13.5: as many as said, or as there are; where only the lowest are meant, no other is offered."""
    table, _, _ = table_with_owner(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    op.count_of, op.scope, op.resources, op.which = (
        luck.randint(1, 4),
        2,
        luck.randrange(1, 1 << RES),
        luck.randrange(2),
    )
    table.frame.slot = 0
    lying = [
        v
        for r in range(RES)
        if int(op.resources) >> r & 1
        for v in range(FACES)
        for _ in range(int(state.assets[:, r, v].sum()))
    ]
    gone = []
    for _ in range(40):
        before = state.assets.copy()
        is_over = on_dice.op_remove_assets(box, state, new_event_buffer(), op, table.frame)
        removed = before.astype(int) - state.assets.astype(int)
        gone += [v for v in range(FACES) for _ in range(int(removed[:, :, v].sum()))]
        if is_over:
            break
        options = list(members(state.options))
        if options:
            state.answer = luck.choice(options)
            common.no_options(state)
    assert len(gone) == min(int(op.count_of), len(lying))
    if op.which == 0:
        assert sorted(gone) == sorted(lying)[: len(gone)]
