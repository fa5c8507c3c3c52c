"""Bounds and rows: each price exactly, each victory exactly, and what moves up when a card before it leaves."""

import random
from typing import Any

import pytest

from sutler.contract.helpers import load_game
from sutler.core.events import new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.warfarm import box as b
from sutler.games.warfarm import scoring
from sutler.games.warfarm import state as s
from sutler.games.warfarm.phases_actions_events import R
from sutler.games.warfarm.rules import build, cards, goods, play, upkeep, use, winning

GAME = load_game("warfarm")
BOX = GAME.box
NAMES = GAME.names["card"]
PRICED = [name for i, name in enumerate(NAMES) if BOX.card[i].pay.any()]
MARKETS = [name for i, name in enumerate(NAMES) if BOX.card[i].does == b.MARKET]
STUDIES = [name for i, name in enumerate(NAMES) if BOX.card[i].does == b.STUDY]


def bare() -> Any:
    """Three farms with nothing at all, in the first seat's turn."""
    state = GAME.blank(3, 0)
    GAME.definition.setup(BOX, state)
    for me in state.seats:
        me.goods[:], me.spots[:] = 0, 0
    return state


def own(state: Any, wanted: Any, seat: int = 0) -> None:
    """Exactly these goods; units stand at home."""
    me = state.seats[seat]
    for good in range(b.GOODS):
        me.goods[good] = wanted[good]
        if good >= b.FARMER:
            me.spots[b.HOME_SPOT[good - b.FARMER]] = wanted[good]


def one_less(wanted: Any) -> list[list[int]]:
    """These goods with one less of one of them, for each that is asked for."""
    rows = []
    for good in range(b.GOODS):
        if wanted[good] > 0:
            rows.append([int(n) - (i == good) for i, n in enumerate(wanted)])
    return rows


@pytest.mark.parametrize("name", PRICED)
def test_a_card_costs_what_it_says(name: str) -> None:
    """4.1: with exactly its price it can be paid, with one less of anything not."""
    state, card = bare(), NAMES.index(name)
    own(state, BOX.card[card].pay)
    assert goods.can_pay(BOX, state, 0, card)
    for poor in one_less(BOX.card[card].pay):
        own(state, poor)
        assert not goods.can_pay(BOX, state, 0, card)


@pytest.mark.parametrize("made", range(b.GOODS - b.EXPLORER))
def test_a_unit_is_made_of_what_it_says(made: int) -> None:
    """5.1, 5.2: the tokens of its recipe and a Farmer, for a Cannon the Cannon card; one less of anything is too little."""
    state = bare()
    unit = b.EXPLORER + made
    wanted = [int(BOX.rules.recipe[unit - b.TOKENS, token]) for token in range(b.TOKENS)] + [0] * (b.GOODS - b.TOKENS)
    if unit != b.CANNON:
        wanted[b.FARMER] = 1
    own(state, wanted)
    state.seats[0].works[b.FOUNDRY] = int(unit == b.CANNON)
    assert build.why_not_build(BOX, state, 0, made) == R.fine
    for poor in one_less(wanted):
        own(state, poor)
        assert build.why_not_build(BOX, state, 0, made) in (R.too_few_tokens, R.no_farmer)
    own(state, wanted)
    state.seats[0].works[b.FOUNDRY] = 0
    assert (build.why_not_build(BOX, state, 0, made) == R.no_foundry) == (unit == b.CANNON)


@pytest.mark.parametrize("name", MARKETS)
def test_a_market_sells_at_its_prices(name: str) -> None:
    """11.8, 13.5: each thing for exactly its price, and for no less."""
    state, card = bare(), NAMES.index(name)
    coin, sold = b.COINS[BOX.card[card].coin], 0
    for thing in range(b.N_THINGS):
        price = int(BOX.card[card].prices[thing])
        for purse in range(6):
            state.seats[0].goods[coin] = purse
            reason = use.why_not_thing(BOX, state, 0, card, thing)
            if price == b.NOT_FOR_SALE:
                assert reason == R.not_sold
            else:
                assert reason == (R.fine if purse >= price else R.too_poor)
                sold += reason == R.fine
    assert sold


@pytest.mark.parametrize("name", STUDIES)
def test_a_deck_is_opened_for_exactly_its_fee(name: str) -> None:
    """11.9, 12.6, 13.2: from each deck that the card opens, for its fee and for no less."""
    state, card = bare(), NAMES.index(name)
    one, opened = BOX.card[card], 0
    coin = b.COINS[one.coin]
    for deck in range(b.DECKS):
        fee = int(one.fees[deck])
        for purse in (max(0, fee - 1), fee):
            wanted = [20 * (one.unlocked == 1 and good >= b.TOKENS) for good in range(b.GOODS)]
            wanted[coin] = purse
            own(state, wanted)
            is_open = fee > 0 and purse >= fee and use.is_unlocked(BOX, state, 0, deck) >= one.unlocked
            assert (use.why_not_study(BOX, state, 0, card, deck) == R.fine) == is_open
            opened += is_open
    assert opened


def test_a_deck_asks_for_what_the_board_says() -> None:
    """8.2: exactly its units unlock it, one less does not."""
    state = bare()
    for deck in range(b.DECKS):
        own(state, BOX.deck[deck].needs)
        assert use.is_unlocked(BOX, state, 0, deck)
        for poor in one_less(BOX.deck[deck].needs):
            own(state, poor)
            assert not use.is_unlocked(BOX, state, 0, deck)


@pytest.mark.parametrize("water", range(7))
def test_a_fire_is_put_out_with_exactly_so_much(water: int) -> None:
    """4.9: five Water, no less; and there must be a Fire."""
    state = bare()
    state.seats[0].goods[b.WATER] = water
    assert play.why_not_extinguish(BOX, state, 0) == R.no_fire
    state.seats[0].goods[b.FIRE] = 1
    assert (play.why_not_extinguish(BOX, state, 0) == R.fine) == (water >= 5)


@pytest.mark.parametrize("which", ["farm", "growth"])
def test_a_victory_asks_for_exactly_its_goods(which: str) -> None:
    """14.1, 14.3: with exactly these it is won, with one less of anything not."""
    state = bare()
    wanted, has_won = (
        (BOX.rules.farm_win, scoring.has_farm_victory)
        if which == "farm"
        else (BOX.rules.growth_win, scoring.has_growth_victory)
    )
    own(state, wanted)
    assert has_won(BOX, state, 0)
    for poor in one_less(wanted):
        own(state, poor)
        assert not has_won(BOX, state, 0)


def test_three_different_miracles_win() -> None:
    """14.4: the third, not the second."""
    state = bare()
    miracles = [card for card in range(BOX.n_cards) if BOX.card[card].type == b.MIRACLE]
    for n, card in enumerate(miracles, 1):
        cards.mark_miracle(state, 0, card)
        cards.mark_miracle(state, 0, card)
        assert scoring.has_miracles_victory(BOX, state, 0) == (n >= 3)


@pytest.mark.parametrize("seed", range(12))
def test_without_a_winner_places_go_by_five_things_in_order(seed: int) -> None:
    """15.1: still in the game, Farmland, units, loose tokens, cards; whoever is level in all of them shares a place."""
    luck, state = random.Random(seed), bare()
    state.won_by = s.BY_TIME
    keys = []
    for seat, me in enumerate(state.seats):
        me.is_alive = luck.random() < 0.8
        own(state, [luck.randrange(2) for _ in range(b.GOODS)], seat)
        me.n_hand = luck.randrange(2)
        tokens = sum(int(me.goods[token]) for token in range(b.TOKENS) if token not in (b.FARMLAND, b.FIRE))
        units = int(me.goods[b.TOKENS :].sum())
        keys.append((int(me.is_alive), int(me.goods[b.FARMLAND]), units, tokens, int(me.n_hand)))
    for one in range(3):
        for other in range(3):
            assert bool(scoring.is_ahead(BOX, state, one, other)) == (keys[one] > keys[other])
        assert bool(scoring.is_first(BOX, state, one)) == (keys[one] == max(keys))


def crowded(luck: random.Random, seat: int) -> Any:
    """A farm with cards, Traps and units on each of them, some of which have acted."""
    state = bare()
    me = state.seats[seat]
    state.active = luck.randrange(3)
    tables = [card for card in range(BOX.n_cards) if BOX.card[card].type == b.TABLE]
    traps = [card for card in range(BOX.n_cards) if BOX.card[card].type == b.TRAP]
    me.n_table, me.n_traps = luck.randint(1, 4), luck.randint(1, 4)
    for slot in range(me.n_table):
        card = luck.choice(tables)
        me.table[slot] = card
        me.works[BOX.card[card].does] += 1
        me.posts[0, slot], me.posts[1, slot] = luck.randrange(3), luck.randrange(3)
        me.posts[2, slot] = luck.randint(0, int(BOX.card[card].n_workers))
        state.acted_card[slot] = luck.randrange(2)
    for hole in range(me.n_traps):
        me.traps[hole], me.trap_guards[hole] = luck.choice(traps), luck.randrange(3)
        state.acted_trap[hole] = luck.randrange(2)
    me.spots[b.LAND_FARMER] = luck.randrange(2)
    return state


@pytest.mark.parametrize("seed", range(20))
def test_a_table_card_that_leaves_sends_all_home_and_later_ones_move_up(seed: int) -> None:
    """4.3, 6.1, 6.4, 7.6: posts and who has acted move with their cards; without the Reform Farmers leave their posts."""
    luck = random.Random(seed)
    seat = luck.randrange(3)
    state = crowded(luck, seat)
    me, n = state.seats[seat], int(state.seats[seat].n_table)
    slot = luck.randrange(n)
    table = [int(card) for card in me.table[:n]]
    posts = [[int(x) for x in me.posts[:, k]] for k in range(n)]
    acted = [int(x) for x in state.acted_card[:n]]
    land = int(me.spots[b.LAND_FARMER])
    card = cards.take_off_table(BOX, state, seat, slot)
    assert card == table.pop(slot)
    soldiers, farmers, workers = posts.pop(slot)
    if seat == state.active:
        acted.pop(slot)
        acted.append(0)
    has_reform = any(BOX.card[one].does == b.CONSCRIPTION for one in table)
    home = {b.RESERVE: soldiers, b.FIELD: farmers, b.HOME: 0}
    if workers:
        home[b.HOME_SPOT[int(BOX.card[card].worker) - b.FARMER]] += workers
    if not has_reform:
        home[b.FIELD] += land + sum(row[1] for row in posts)
        posts = [[row[0], 0, row[2]] for row in posts]
    assert int(me.n_table) == n - 1
    assert [int(one) for one in me.table] == table + [NOBODY] * (b.SLOTS - n + 1)
    assert [[int(x) for x in me.posts[:, k]] for k in range(n)] == [*posts, [0, 0, 0]]
    assert [int(x) for x in state.acted_card[:n]] == acted
    assert {spot: int(me.spots[spot]) for spot in home} == home
    assert int(me.spots[b.LAND_FARMER]) == (land if has_reform else 0)
    worked = workers if workers and BOX.card[card].worker == b.FARMER else 0
    assert int(me.farming) == worked + (0 if has_reform else land)
    assert [int(k) for k in me.works] == [sum(BOX.card[one].does == does for one in table) for does in range(b.N_DOES)]


@pytest.mark.parametrize("seed", range(12))
def test_a_trap_that_leaves_sends_its_guards_home_and_later_ones_move_up(seed: int) -> None:
    """4.5, 7.6: guards and who has acted move with their Traps."""
    luck = random.Random(seed)
    seat = luck.randrange(3)
    state = crowded(luck, seat)
    me, n = state.seats[seat], int(state.seats[seat].n_traps)
    hole = luck.randrange(n)
    traps, guards = [int(card) for card in me.traps[:n]], [int(k) for k in me.trap_guards[:n]]
    acted = [int(x) for x in state.acted_trap[:n]]
    assert cards.take_up_trap(BOX, state, seat, hole) == traps.pop(hole)
    assert int(me.spots[b.RESERVE]) == guards.pop(hole)
    if seat == state.active:
        acted.pop(hole)
        acted.append(0)
    assert int(me.n_traps) == n - 1
    assert [int(one) for one in me.traps] == traps + [NOBODY] * (b.HOLES - n + 1)
    assert [int(k) for k in me.trap_guards[:n]] == [*guards, 0]
    assert [int(x) for x in state.acted_trap[:n]] == acted


@pytest.mark.parametrize("seed", range(12))
def test_of_equal_cards_the_first_is_meant(seed: int) -> None:
    """1.4, 15.9: equal cards with equal posts, and equal Traps with as many guards, are one choice: that of the first.

    Others see of a Trap its deck only, or by option not even that.
    """
    luck = random.Random(seed)
    state = crowded(luck, 0)
    me = state.seats[0]
    me.n_table = me.n_traps = 4
    traps = [card for card in range(BOX.n_cards) if BOX.card[card].type == b.TRAP][:3]
    for k in range(4):
        me.table[k], me.posts[:, k] = luck.randrange(2), [luck.randrange(2) for _ in range(3)]
        me.traps[k], me.trap_guards[k] = luck.choice(traps), luck.randrange(2)
    rows = [(int(me.table[k]), *(int(x) for x in me.posts[:, k])) for k in range(4)]
    assert [bool(cards.is_like_earlier(state, 0, k)) for k in range(4)] == [rows[k] in rows[:k] for k in range(4)]
    holes = [(int(me.traps[k]), int(me.trap_guards[k])) for k in range(4)]
    backs = [(int(BOX.card[card].deck), guards) for card, guards in holes]
    for hidden in range(2):
        box = GAME.definition.box.copy(BOX)
        box.options.hidden_traps = hidden
        for k in range(4):
            assert bool(cards.is_trap_like_earlier(box, state, 0, k, True)) == (holes[k] in holes[:k])
            is_like = not hidden and backs[k] in backs[:k]
            assert bool(cards.is_trap_like_earlier(box, state, 0, k, False)) == is_like


@pytest.mark.parametrize("unit", range(b.FARMER, b.GOODS))
@pytest.mark.parametrize("seed", range(4))
def test_a_unit_that_is_spent_comes_from_home_first(unit: int, seed: int) -> None:
    """4.1: from home, then from guard at the Farmland, then from cards, then from work, last from Traps."""
    luck = random.Random(seed)
    state = crowded(luck, 0)
    me = state.seats[0]
    home = b.HOME_SPOT[unit - b.FARMER]
    land = {b.FARMER: b.LAND_FARMER, b.SOLDIER: b.LAND_SOLDIER}.get(unit)
    me.spots[home] = 1
    if land is not None:
        me.spots[land] = 1
    ways = [home] + ([land] if land is not None else [])
    row = {b.SOLDIER: 0, b.FARMER: 1}.get(unit)
    first = {0: b.CARD_SOLDIER, 1: b.CARD_FARMER}
    n = int(me.n_table)
    if row is not None:
        ways += [first[row] + slot for slot in range(n) if me.posts[row, slot] > 0]
    ways += [
        b.CARD_WORKER + slot
        for slot in range(n)
        if me.posts[2, slot] > 0 and int(BOX.card[me.table[slot]].worker) == unit
    ]
    if unit == b.SOLDIER:
        ways += [b.TRAP_SOLDIER + hole for hole in range(me.n_traps) if me.trap_guards[hole] > 0]
    for spot in ways:
        assert int(goods.own_spot_of(BOX, state, 0, unit)) == spot
        n_there = int(s.n_units_at(state, 0, spot))
        goods.move_at(state, 0, spot, -n_there)
    assert int(goods.own_spot_of(BOX, state, 0, unit)) == NOBODY


def test_a_new_turn_has_forgotten_the_last_one() -> None:
    """1.8: whatever was counted for a turn begins at nothing."""
    state = bare()
    single = [
        *("doubles", "has_package", "is_surprise", "torch", "n_built", "weapon", "n_hired", "n_manned", "n_shots"),
        *("n_operators", "acted_reserve", "acted_land", "trap_k", "turn_k", "n_drawn", "job", "left", "times"),
    ]
    for name in single:
        setattr(state, name, 2)
    state.blows[:], state.acted_card[:], state.acted_trap[:] = 2, 2, 2
    state.weapon_spot = state.card = state.victim = 1
    upkeep.forget_turn(state)
    assert {name: int(getattr(state, name)) for name in single} == dict.fromkeys(single, 0)
    assert not state.blows.any()
    assert not state.acted_card.any()
    assert not state.acted_trap.any()
    assert (int(state.weapon_spot), int(state.card), int(state.victim)) == (NOBODY, NOBODY, NOBODY)


def test_who_is_out_leaves_nothing_and_is_visited_by_nobody() -> None:
    """14.5, 14.6: all cards in the discards, no token and no unit left, guests at home again."""
    state = crowded(random.Random(3), 1)
    me = state.seats[1]
    me.goods[:], me.farming, me.praying, me.peace = 3, 2, 2, 1
    me.hand[5], me.n_hand, me.shown[7] = 2, 2, 1
    state.martyrs[1] = state.monks[1] = state.blows[1] = 1
    for other in (0, 2):
        state.seats[other].spots[b.VISITING + 1] = other + 1
    before = state.discards.copy()
    table, traps = [int(c) for c in me.table[: me.n_table]], [int(c) for c in me.traps[: me.n_traps]]
    winning.leave_game(state, new_event_buffer(), 1)
    for card in (5, 5, 7, *table, *traps):
        before[card] += 1
    assert state.discards.tolist() == before.tolist()
    assert not any(x.any() for x in (me.goods, me.spots, me.posts, me.trap_guards, me.hand, me.shown, me.works))
    assert (int(me.n_hand), int(me.n_table), int(me.n_traps), int(me.is_alive), int(me.peace)) == (0, 0, 0, 0, 0)
    assert (int(me.farming), int(me.praying)) == (0, 0)
    assert all(card == NOBODY for card in (*me.table, *me.traps))
    assert (int(state.martyrs[1]), int(state.monks[1]), int(state.blows[1])) == (0, 0, 0)
    for other in (0, 2):
        assert int(state.seats[other].spots[b.VISITING + 1]) == 0
        assert int(state.seats[other].spots[b.HOME]) == other + 1


@pytest.mark.parametrize(("limits", "won_by"), [({"max_rounds": 3}, s.BY_TIME), ({"max_rounds": 0}, s.BY_STANDSTILL)])
def test_a_game_that_only_ends_has_no_winner(limits: dict[str, int], won_by: int) -> None:
    """15.1, 15.2: rounds are counted one by one; the last one allowed ends the game, and nobody has won it."""
    box = load_game("warfarm", **limits, standstill_rounds=2).box
    state = bare()
    state.round_no, rounds = 1, []
    while state.won_by == s.NOT_WON:
        rounds.append((int(state.round_no), int(state.quiet)))
        state.is_stirred = int(len(rounds) == 1 or limits["max_rounds"] > 0)
        winning.end_round(box, state, new_event_buffer())
    expected = [(1, 0), (2, 0), (3, 0)] if limits["max_rounds"] else [(1, 0), (2, 0), (3, 1)]
    assert rounds == expected
    assert (int(state.won_by), int(state.winner)) == (won_by, NOBODY)
