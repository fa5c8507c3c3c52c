"""The state of WARFARM: its record, the setup (guide 2), and the checks of what must always be true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import below
from sutler.core.record import HEADER, NOBODY, field, record
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    CARDS,
    FARMER,
    FARMLAND,
    FIELD,
    GOODS,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HOLES,
    MIRACLE,
    N_DOES,
    PERMANENT,
    PLAIN_SPOTS,
    SEATS,
    SLOTS,
    SOLDIER,
    SPOT_UNIT,
    TABLE,
    TRAP,
    TRAP_SOLDIER,
    VISITING,
    WORKERS,
)
from sutler.games.warfarm.phases_actions_events import F, P

if TYPE_CHECKING:
    from sutler.games.warfarm.records import Box, State

# The steps of a turn (guide 1.8): the values of `state.step`.
START, YIELD, PLAYING, BUILDING, DEFENDING, ATTACKING, EXPLORING, ENDING = range(8)

# Effects of cards that take several decisions: the values of `state.job`.
NO_JOB, THING_JOB, PEACE_JOB, SEIZE_JOB, DECK_JOB, OFFER_JOB, CALL_JOB, PLAGUE_JOB, LIFE_JOB, KARMA_JOB = range(10)

# The ways to win: the values of `state.won_by`.
NOT_WON, BY_FARM, BY_MILITARY, BY_GROWTH, BY_MIRACLES, BY_TIME, BY_STANDSTILL = range(7)

SEAT = record(
    "Seat",
    ("is_alive", "i1"),
    field("goods", "i2", GOODS, by="good"),  # loose tokens; all units of the seat, wherever they stand
    field("spots", "i2", PLAIN_SPOTS, by="spot"),  # units by spot, without those on cards
    field("hand", "i1", CARDS, by="card", seen_by="owner"),  # the number of copies of each design
    ("n_hand", "i2"),
    field("shown", "i1", CARDS, by="card"),  # Permanents and Miracles before the seat
    field("miracles", "u8", bits="card"),  # the designs of Miracle that the seat has played, as a bit set
    ("n_table", "i1"),
    field("table", "i1", SLOTS, "card"),
    field("posts", "i1", (3, SLOTS)),  # rows: guarding Soldiers, guarding Farmers and workers on each Table card
    ("n_traps", "i1"),
    field("traps", "i1", HOLES, "card", seen_by="owner"),
    field("trap_guards", "i1", HOLES),
    field("works", "i1", N_DOES, by="does", seen_by="derived"),  # the number of Table cards for each value of `does`
    ("farming", "i2"),  # Farmers in the field that bring Water next turn
    ("praying", "i2"),  # Disciples at home that bring Religion next turn
    ("is_bound", "i1"),  # 1 if the seat has played Life or Death and draws no more
    field("opened", "i2", bits="deck"),  # decks that the seat has once unlocked, as a bit set
    field("peace", "i1", seen_by="peace", bits="seat"),  # seats that may not attack this one, as a bit set
)

STATE = record(
    "State",
    *HEADER,
    ("step", "i1", (), "step"),
    ("part", "i1"),  # the number of parts that the seat to act is done with in the step
    ("active", "i1", (), "seat"),
    ("first", "i1", (), "seat"),
    ("round_no", "i2"),
    ("quiet", "i2"),  # the number of rounds in a row in which nothing happened
    ("is_stirred", "i1"),  # 1 if something has happened in this round
    field("won_by", "i1", named="won_by"),
    ("winner", "i1", (), "seat"),
    # the effect of a card that is being carried out
    field("job", "i1", named="job"),
    ("card", "i1", (), "card"),
    ("times", "i1"),
    ("left", "i1"),  # the number of units, things or shots still to be chosen
    ("turn_k", "i1"),  # which opponent is asked, counted from the active seat
    ("victim", "i1", (), "seat"),
    field("blows", "i1", SEATS, by="seat"),
    # the turn
    ("doubles", "i1"),  # the number of Resource cards that still give twice as much
    ("has_package", "i1"),  # 1 if an Explorer came back from the Resource deck
    ("is_surprise", "i1"),
    ("torch", "i1"),  # the next Table card whose optional gain is asked about
    ("n_built", "i2"),  # Soldiers built in this turn
    ("weapon", "i1"),
    ("weapon_spot", "i2", (), "spot"),
    ("n_hired", "i1"),  # the number of attacks by Mercenaries
    ("n_manned", "i2"),  # the number of Cannons that have shot
    ("n_shots", "i2"),  # shots left to the Cannon that is being used
    ("n_operators", "i2"),
    ("acted_reserve", "i2"),  # Soldiers that have attacked and stayed where they stood (Active Troops)
    ("acted_land", "i2"),
    field("acted_card", "i1", SLOTS),
    field("acted_trap", "i1", HOLES),
    ("n_drawn", "i2"),  # the number of cards drawn with Table cards
    # the round (12.10)
    field("lost", "i2", SEATS, by="seat"),  # Farmland, units and tokens that the seat has lost since its own turn began
    field("robber", "i1", SEATS, "seat", by="seat"),  # the seat that caused the last of these losses
    # Traps whose owner is asked whether they spring
    ("trap_k", "i1"),
    field("trap_does", "i1", named="does"),
    field("martyrs", "i1", SEATS, by="seat"),
    field("monks", "i1", SEATS, by="seat"),
    field("seats", SEAT, SEATS, by="seat"),
    field("deck", "i1", CARDS, by="card", seen_by="nobody"),
    field("discards", "i1", CARDS, by="card"),
)


# --- Setting up (guide 2) ----------------------------------------------------


@rule
def setup(box: Box, state: State) -> None:
    """Set up a game: three equal farms, the decks, the first seat (guide 2). Before, only `n_seats` and `rng` are set."""
    state.winner = NOBODY
    state.card = NOBODY
    state.victim = NOBODY
    state.weapon_spot = NOBODY
    for seat in range(SEATS):
        state.robber[seat] = NOBODY
    for card in range(box.n_cards):
        state.deck[card] = box.card[card].copies
    for seat in range(SEATS):
        me = state.seats[seat]
        me.is_alive = 1
        for good in range(GOODS):
            me.goods[good] = box.rules.start[good]
        me.spots[FIELD] = box.rules.start[FARMER]
        for slot in range(SLOTS):
            me.table[slot] = NOBODY
        for hole in range(HOLES):
            me.traps[hole] = NOBODY
    state.first = box.options.first_seat
    if box.options.first_seat == NOBODY:
        state.first = below(state, SEATS)
    state.active = state.first
    state.to_act = state.first


@rule
def recount(box: Box, state: State) -> None:
    """Recompute the fields that are kept only for speed: units owned, sizes of hands, numbers of Table cards by what they do."""
    for seat in range(SEATS):
        me = state.seats[seat]
        for unit in range(FARMER, GOODS):
            me.goods[unit] = count_units(box, state, seat, unit)
        me.n_hand = 0
        for card in range(CARDS):
            me.n_hand += me.hand[card]
        for does in range(N_DOES):
            me.works[does] = 0
        for slot in range(me.n_table):
            me.works[box.card[me.table[slot]].does] += 1


@rule
def count_units(box: Box, state: State, seat: int, unit: int) -> int:
    """The number of units of a kind that a seat owns, counted spot by spot (1.4)."""
    me = state.seats[seat]
    n = 0
    for spot in range(PLAIN_SPOTS):
        if SPOT_UNIT[spot] == unit:
            n += me.spots[spot]
    for slot in range(me.n_table):
        if unit == SOLDIER:
            n += me.posts[GUARD_SOLDIERS, slot]
        if unit == FARMER:
            n += me.posts[GUARD_FARMERS, slot]
        if unit == box.card[me.table[slot]].worker:
            n += me.posts[WORKERS, slot]
    if unit == SOLDIER:
        for hole in range(me.n_traps):
            n += me.trap_guards[hole]
    return n


@rule
def n_units_at(state: State, seat: int, spot: int) -> int:
    """The number of units that a seat has at a spot (1.4)."""
    me = state.seats[seat]
    if spot < PLAIN_SPOTS:
        return int(me.spots[spot])
    if spot < CARD_FARMER:
        return int(me.posts[GUARD_SOLDIERS, spot - CARD_SOLDIER])
    if spot < CARD_WORKER:
        return int(me.posts[GUARD_FARMERS, spot - CARD_FARMER])
    if spot < TRAP_SOLDIER:
        return int(me.posts[WORKERS, spot - CARD_WORKER])
    return int(me.trap_guards[spot - TRAP_SOLDIER])


@rule
def kind_of_unit_at(box: Box, state: State, seat: int, spot: int) -> int:
    """The kind of unit that stands at a spot of a seat (1.4)."""
    if spot < PLAIN_SPOTS:
        return SPOT_UNIT[spot]
    if spot < CARD_FARMER:
        return SOLDIER
    if spot < CARD_WORKER:
        return FARMER
    if spot < TRAP_SOLDIER:
        slot = spot - CARD_WORKER
        if slot < state.seats[seat].n_table:
            return int(box.card[state.seats[seat].table[slot]].worker)
        return FARMER
    return SOLDIER


@rule
def n_units(state: State, seat: int) -> int:
    """The number of units of a seat, wherever they stand (9.1)."""
    total = 0
    for unit in range(FARMER, GOODS):
        total += state.seats[seat].goods[unit]
    return total


@rule
def n_cards(state: State, seat: int) -> int:
    """The number of cards of a seat: hand, Table cards, Traps, Permanents and Miracles together (9.2)."""
    me = state.seats[seat]
    total = int(me.n_hand) + int(me.n_table) + int(me.n_traps)
    for card in range(CARDS):
        total += me.shown[card]
    return total


@rule
def n_seats_in_game(state: State) -> int:
    """The number of seats that are still in the game."""
    n = 0
    for seat in range(SEATS):
        n += state.seats[seat].is_alive
    return n


@rule
def nth_seat_after(seat: int, n_places: int) -> int:
    """The seat that is `n_places` places after `seat` in turn order."""
    other = int(seat) + int(n_places)
    if other >= SEATS:
        other -= SEATS
    return other


# --- What must always be true ------------------------------------------------


@rule
def check(box: Box, state: State) -> int:
    """Return 0, or the number in FAULTS of the first thing that is wrong with the state. The engine checks `recount`'s fields."""
    if not 0 <= state.to_act < SEATS or not 0 <= state.active < SEATS:
        return F.nobody_acts
    if state.phase != P.over and state.seats[state.to_act].is_alive == 0:
        return F.nobody_acts
    for seat in range(SEATS):
        if state.robber[seat] == seat:
            return F.own_robber
        fault = find_seat_fault(box, state, seat)
        if fault != 0:
            return fault
    for card in range(CARDS):
        if not is_every_copy_somewhere(box, state, card):
            return F.copy_lost
    return 0


@rule
def find_seat_fault(box: Box, state: State, seat: int) -> int:
    """Return 0, or the number in FAULTS of the first thing that is wrong with what one seat owns."""
    me = state.seats[seat]
    for spot in range(PLAIN_SPOTS):
        if me.spots[spot] < 0:
            return F.negative
    if me.spots[VISITING + seat] != 0:
        return F.negative  # nobody visits the own board
    for good in range(GOODS):
        if me.goods[good] < 0 and good != FARMLAND:
            return F.negative
        if good >= FARMER and me.goods[good] != count_units(box, state, seat, good):
            return F.miscounted
    if me.is_alive == 1 and me.goods[FARMLAND] <= 0:
        return F.landless
    if me.is_alive == 0 and (n_units(state, seat) > 0 or n_cards(state, seat) > 0):
        return F.out_owns
    for card in range(CARDS):
        if me.hand[card] < 0 or me.shown[card] < 0:
            return F.copy_lost
        if me.shown[card] > 0 and box.card[card].type != PERMANENT and box.card[card].type != MIRACLE:
            return F.misplaced
    for slot in range(SLOTS):
        if (slot < me.n_table) != (me.table[slot] != NOBODY):
            return F.misplaced
        if slot < me.n_table and box.card[me.table[slot]].type != TABLE:
            return F.misplaced
        for row in range(3):
            if me.posts[row, slot] < 0 or (slot >= me.n_table and me.posts[row, slot] != 0):
                return F.negative
    for hole in range(HOLES):
        if (hole < me.n_traps) != (me.traps[hole] != NOBODY):
            return F.misplaced
        if hole < me.n_traps and box.card[me.traps[hole]].type != TRAP:
            return F.misplaced
        if me.trap_guards[hole] < 0 or (hole >= me.n_traps and me.trap_guards[hole] != 0):
            return F.negative
    return 0


@rule
def is_every_copy_somewhere(box: Box, state: State, card: int) -> bool:
    """Do all places together hold exactly as many copies of a design as the box has (1.7)?"""
    n = int(state.deck[card]) + int(state.discards[card])
    if state.deck[card] < 0 or state.discards[card] < 0:
        return False
    for seat in range(SEATS):
        me = state.seats[seat]
        n += int(me.hand[card]) + int(me.shown[card])
        for slot in range(me.n_table):
            if me.table[slot] == card:
                n += 1
        for hole in range(me.n_traps):
            if me.traps[hole] == card:
                n += 1
    return n == box.card[card].copies
