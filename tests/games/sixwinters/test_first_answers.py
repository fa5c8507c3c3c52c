"""The first of all choices is one like any (1.12): place 0, obstacle 0, character 0, resource 0, a 1 on a die, region 0; and a may
that is not taken does nothing."""

import pytest

from games.sixwinters.test_second_reading import Table
from sutler.core.bits import add, clear
from sutler.core.events import new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import CHOICE, FACES, RES, SLOTS, TO
from sutler.games.sixwinters.cards.vocabulary import DO, WHO
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.rules import common, land
from sutler.games.sixwinters.rules.effects import ability, campaign, dice, people
from sutler.games.sixwinters.rules.effects import land as on_land

DECLINED = -1


def table_for(to: int = TO.choice, slots: int = 1) -> Table:
    """A table with the first character at place 4; the operation is one that no card is."""
    table = Table(2)
    op, state = table.op, table.state
    op.to, op.slots, op.places, op.tags, op.threat, op.skill = to, slots, 0, 0, NOBODY, NOBODY
    clear(op.lands)
    state.heroes[0].slot, state.heroes[1].slot = 4, 4
    table.frame.hero, table.frame.slot, table.frame.obstacle, table.frame.step = 0, 4, NOBODY, 0
    for r in range(RES):
        state.in_play[r] = n_dice_in_play(state, r)
    return table


@pytest.mark.parametrize("slot", [0, 1, 8])
def test_an_obstacle_comes_to_any_place(slot: int) -> None:
    """13.3: moved by its own text, by players, or placed by name; from the first place to the last."""
    table = table_for(slots=1 << slot)
    box, state, op, frame = table.box, table.state, table.op, table.frame
    for card in (0, 7):
        if not table.is_in_play(card):
            land.attach(box, state, new_event_buffer(), card, 5)
        frame.obstacle, frame.step = card, 0
        assert on_land.op_move_self(box, state, new_event_buffer(), op, frame)
        assert int(state.obstacle_at[card]) == slot
        land.unchain(state, card)
        clear(op.named)
        add(op.named, card)
        frame.step = 0
        assert on_land.op_place_obstacle(box, state, new_event_buffer(), op, frame)
        assert int(state.obstacle_at[card]) == slot
        op.to, frame.step = TO.choice, 0
        assert not on_land.op_move_obstacle(box, state, new_event_buffer(), op, frame)
        assert card in table.options()
        common.answered(state, card)
        assert not on_land.op_move_obstacle(box, state, new_event_buffer(), op, frame)
        assert table.options() == [other for other in range(SLOTS) if other != slot]
        there = 8 - slot if slot != 4 else 0
        common.answered(state, there)
        assert on_land.op_move_obstacle(box, state, new_event_buffer(), op, frame)
        assert int(state.obstacle_at[card]) == there


@pytest.mark.parametrize("answer", [0, 9, DECLINED])
def test_an_obstacle_is_discarded_if_it_is_chosen(answer: int) -> None:
    """13.3: obstacle 0 or another; or none, where the card leaves it open."""
    table = table_for()
    box, state, op, frame = table.box, table.state, table.op, table.frame
    for card in (0, 9):
        if not table.is_in_play(card):
            land.attach(box, state, new_event_buffer(), card, 3)
    op.count_of, op.optional, op.not_self, op.most, op.region, op.stress_mask = 2, 1, 0, 99, NOBODY, 0
    assert not on_land.op_discard_obstacles(box, state, new_event_buffer(), op, frame)
    assert {0, 9} <= set(table.options())
    assert int(state.may_decline) == 1
    common.answered(state, answer)
    is_over = on_land.op_discard_obstacles(box, state, new_event_buffer(), op, frame)
    assert bool(is_over) == (answer == DECLINED)
    for card in (0, 9):
        assert table.is_in_play(card) == (card != answer)
    if not is_over:
        common.answered(state, table.options()[0])
        assert on_land.op_discard_obstacles(box, state, new_event_buffer(), op, frame)
        assert table.options() == []


@pytest.mark.parametrize("slot", [0, 6])
def test_assets_come_to_any_place(slot: int) -> None:
    """1.5: rolled where the card says, so many."""
    table = table_for(slots=1 << slot)
    state, op, frame = table.state, table.op, table.frame
    op.resource, op.count_of = 0, 2
    state.assets[:, 0], state.pools[0], state.in_play[0] = 0, 0, 0
    assert dice.op_add_asset(table.box, state, new_event_buffer(), op, frame)
    assert int(state.assets[slot, 0].sum()) == int(state.assets[:, 0].sum()) == 2
    op.to, op.slots = TO.slot, 1 << slot | 1 << 4
    assert dice.op_add_asset(table.box, state, new_event_buffer(), op, frame)
    assert [int(state.assets[place, 0].sum()) for place in (slot, 4)] == [4, 2]


@pytest.mark.parametrize("answer", [0, 3, DECLINED])
def test_a_value_may_be_a_one(answer: int) -> None:
    """9.4, 13.5: a pool die of any value becomes an action die, an asset, or is set; nothing does where nothing is chosen."""
    table = table_for()
    box, state, op, frame = table.box, table.state, table.op, table.frame
    state.pools[:], state.assets[:] = 0, 0
    state.pools[2, [0, 3]] = 1
    for r in range(RES):
        state.in_play[r] = n_dice_in_play(state, r)
    seat = state.seats[int(state.heroes[0].seat)]
    op.resource, op.optional, op.count_of, op.value = 2, 1, 1, CHOICE
    frame.step = 1
    common.answered(state, answer)
    before = [int(n) for n in seat.dice]
    assert ability.op_pool_to_action_die(state, new_event_buffer(), op, frame)
    gained = [int(n) - old for n, old in zip(seat.dice, before, strict=True)]
    assert gained == [int(v == answer) for v in range(FACES)]
    assert [int(n) for n in state.pools[2]] == [int(v in (0, 3) and v != answer) for v in range(FACES)]
    frame.step = 1
    common.answered(state, answer)
    assert dice.op_pool_add(box, state, new_event_buffer(), op, frame)
    assert [int(n) for n in state.pools[2]] == [int(v in (0, 3)) for v in range(FACES)]
    frame.step, frame.todo = 1, 0
    common.answered(state, answer)
    assert dice.op_pool_to_assets(state, new_event_buffer(), op, frame)
    assert [int(n) for n in state.assets[4, 2]] == [int(v == answer) for v in range(FACES)]
    assert [int(n) for n in state.in_play] == [int(n_dice_in_play(state, r)) for r in range(RES)]


@pytest.mark.parametrize("r", [0, 5, DECLINED])
def test_an_asset_may_become_any_kind(r: int) -> None:
    """9.4: of the value of the die that was paid."""
    table = table_for()
    state, frame = table.state, table.frame
    state.assets[:], state.in_play[:] = 0, 0
    frame.paid, frame.step = FACES + 3 * FACES + 2, 1
    common.answered(state, r)
    assert ability.op_change_asset(table.box, state, new_event_buffer(), table.op, frame)
    lying = [(kind, v + 1) for kind in range(RES) for v in range(FACES) if state.assets[4, kind, v]]
    assert lying == ([(r, 3)] if r != DECLINED else [])


@pytest.mark.parametrize("c", [0, 4])
def test_any_character_gains_a_reserve_action_or_leaves(c: int) -> None:
    """8.9, 11.2: the first of the list as the others, by name or chosen; who is dead gains nothing."""
    table = table_for()
    box, state, op, frame = table.box, table.state, table.op, table.frame
    person = state.people[c]
    for number, name in enumerate((c, NOBODY)):
        op.op, op.who, op.character, op.number = DO.gain_reserve_action, WHO.one_unlocked, name, 5 + number
        person.state, person.reserves = s.UNLOCKED, 0
        frame.step, frame.chosen = 0, NOBODY
        if name == NOBODY:
            assert not campaign.op_reserve_action(box, state, new_event_buffer(), op, frame)
            assert c in table.options()
            common.answered(state, c)
        assert campaign.op_reserve_action(box, state, new_event_buffer(), op, frame)
        assert int(person.reserves) == 1 << 5 + number
    person.state, person.reserves, op.character, frame.step = s.DEAD, 0, c, 0
    assert campaign.op_reserve_action(box, state, new_event_buffer(), op, frame)
    assert int(person.reserves) == 0
    person.state, frame.step, op.op = s.UNLOCKED, 0, DO.kill_character
    assert not campaign.op_kill(box, state, new_event_buffer(), op, frame)
    common.answered(state, c)
    assert campaign.op_kill(box, state, new_event_buffer(), op, frame)
    assert int(person.state) == s.DEAD
    h = int(person.hero)
    assert h == NOBODY or int(state.heroes[h].slot) == NOBODY


@pytest.mark.parametrize("c", [0, 3])
def test_any_character_is_taught_healed_or_marked(c: int) -> None:
    """14.15, 14.33, 14.35: a condition marked on any sheet, a base value raised, a condition erased."""
    table = table_for()
    box, state, op, frame = table.box, table.state, table.op, table.frame
    person = state.people[c]
    person.state, person.hero = s.UNLOCKED, NOBODY
    person.marks[:] = 0
    op.who, op.track, op.box_no, op.op = WHO.one_unlocked, 1, 2, DO.condition
    assert not people.op_condition(box, state, new_event_buffer(), op, frame)
    common.answered(state, c)
    assert people.op_condition(box, state, new_event_buffer(), op, frame)
    assert [int(n) for n in person.marks] == [0, 0b010]
    op.who, op.op, frame.step, frame.target = WHO.other_reserve, DO.clear_condition, 0, (c + 1) % 7
    assert not people.op_person(box, state, new_event_buffer(), op, frame)
    common.answered(state, c)
    assert not people.op_person(box, state, new_event_buffer(), op, frame)
    assert table.options() == [4]
    common.answered(state, 4)
    assert people.op_person(box, state, new_event_buffer(), op, frame)
    assert [int(n) for n in person.marks] == [0, 0]
    for base, most in ((3, FACES), (5, FACES), (4, 4)):
        person.start[1], op.op, op.by, op.most, frame.step = base, DO.base_stress_up, 2, most, 0
        done = people.op_person(box, state, new_event_buffer(), op, frame)
        if c not in table.options():
            assert base >= most
            common.no_options(state)
            continue
        assert not done
        common.answered(state, c)
        assert people.op_person(box, state, new_event_buffer(), op, frame)
        assert int(person.start[1]) == min(base + 2, most)


@pytest.mark.parametrize("slot", [0, 7, DECLINED])
def test_who_may_move_goes_to_any_other_place(slot: int) -> None:
    """13.2, 14.69: each character meant, one after another, or stays."""
    table = table_for()
    box, state, op, frame = table.box, table.state, table.op, table.frame
    op.who, op.optional = WHO.self, 1
    f = int(state.n_frames) - 1
    for one in range(SLOTS):
        state.head[one] = NOBODY
    assert not people.op_free_move(box, state, new_event_buffer(), op, frame, f)
    assert table.options() == [one for one in range(SLOTS) if one != 4]
    common.answered(state, slot)
    assert people.op_free_move(box, state, new_event_buffer(), op, frame, f)
    assert int(state.heroes[0].slot) == (slot if slot != DECLINED else 4)


@pytest.mark.parametrize("die", [0, 5])
@pytest.mark.parametrize("value", [0, 5])
def test_an_action_die_is_set_to_any_value(value: int, die: int) -> None:
    """14.57: one that is there, to any face; or none."""
    table = table_for()
    box, state, op, frame = table.box, table.state, table.op, table.frame
    op.who, op.optional = WHO.self, 1
    seat = state.seats[int(state.heroes[0].seat)]
    seat.dice[:] = 0
    seat.dice[die] = 2
    assert not people.op_set_action_die(box, state, new_event_buffer(), op, frame)
    assert table.options() == [die]
    common.answered(state, die)
    assert not people.op_set_action_die(box, state, new_event_buffer(), op, frame)
    assert table.options() == list(range(FACES))
    common.answered(state, value)
    assert people.op_set_action_die(box, state, new_event_buffer(), op, frame)
    wanted = [0] * FACES
    wanted[die] += 1
    wanted[value] += 1
    assert [int(n) for n in seat.dice] == wanted
    frame.step = 0
    assert not people.op_set_action_die(box, state, new_event_buffer(), op, frame)
    common.answered(state, DECLINED)
    assert people.op_set_action_die(box, state, new_event_buffer(), op, frame)
    assert [int(n) for n in seat.dice] == wanted
