"""The state of Medieval Manor: its record, the setup (guide 2), and the checks of what must always be true."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sutler.core.bits import add, assign, bit, clear, count, count_both, first_from, has, merge, nth, remove
from sutler.core.chance import below
from sutler.core.record import HEADER, NOBODY, field, record, set_of
from sutler.core.rule import rule
from sutler.games.manor.box import (
    ANIMALS,
    CARDS,
    COLUMNS,
    CROPS,
    GOODS,
    KINDS,
    LANDS,
    MOST_AT_ONCE,
    PEASANTS,
    SEATS,
    TOKENS,
    S,
)
from sutler.games.manor.phases_actions_events import STAGE_OF, F, P

if TYPE_CHECKING:
    from sutler.games.manor.records import Box, State

SEAT = record(
    "Seat",
    field("tokens", "i2", TOKENS, by="token"),
    set_of("card", "hand", CARDS),
    set_of("card", "upgrades", CARDS),
    ("extra_draw", "i2"),  # cards drawn in addition in the draw phase that runs now
    ("extra_next", "i2"),  # cards drawn in addition in the draw phase of the next turn
    ("worked", "i2"),  # actions used in the work phase that runs now
    ("has_passed", "i1"),
    ("n_offers", "i1"),
)

OFFER_SLIP = record(
    "Offer",
    ("partner", "i1", (), "seat"),  # the other seat of the deal; the first is the seat whose turn it is to trade
    ("is_answer", "i1"),  # 1 if the partner writes this slip as an answer to the seat whose turn it is
    field("give", "i2", TOKENS, by="token"),
    field("want", "i2", TOKENS, by="token"),
    set_of("card", "give_cards", CARDS),
    set_of("card", "want_cards", CARDS),
)

STATE = record(
    "State",
    *HEADER,
    ("stage", "i1", (), "stage"),
    ("turn", "i2"),
    ("lord", "i1", (), "seat"),
    ("first", "i1", (), "seat"),  # the seat that began the phase
    ("kth", "i1"),  # the number of seats that are done with the phase, counted from `first`
    ("step", "i1"),  # the number of steps that the seat to act is done with in the phase
    ("used", "i2"),  # buys, swaps or conversions that the seat to act has made in the phase
    ("ban", "i1"),  # what nobody may do in this turn: BAN_CROPS, BAN_PLAY, or both
    ("is_reached", "i1"),  # 1 if a seat had enough victory tokens in this turn (9.22)
    ("due", "i2"),  # the number of goods, thefts or cards that are still to be chosen
    ("card", "i2", (), "card"),  # the card that is being played or used
    ("other", "i2", (), "card"),  # the first of two cards, while the second is chosen
    ("victim", "i1", (), "seat"),
    field("seats", SEAT, SEATS, by="seat"),
    field("offer", OFFER_SLIP),
    set_of("card", "deck", CARDS, seen_by="deck"),
    set_of("card", "discards", CARDS),
    set_of("card", "removed", CARDS),
    set_of("card", "aside", CARDS),  # cards drawn for three goods, of which one is kept (3.4)
    set_of("card", "hardships", CARDS, seen_by="hardships"),  # the separate deck of hardships, with option 9.3
    set_of(
        "card", "boxed", CARDS, seen_by="nobody", counted=True
    ),  # hardships left out of this game; nobody knows which (9.2)
    set_of("card", "unseen", CARDS),  # hardships that no seat has seen yet, with those left out (`boxed`)
    set_of("card", "table", CARDS),  # bounties played in this turn
    ("free", "u8", (), None, None, "derived"),  # the lands in play that hold no card, as a bit set
    ("open_kinds", "i2", (), None, None, "derived"),  # the kinds of land that have a free land, as a bit set
    field("place", "i1", LANDS, by="land"),  # the place of each land in reading order; NOBODY: not in play
    field("near", "u8", LANDS, by="land", seen_by="derived"),  # the lands beside each land, as a bit set
    field("lies", "i2", LANDS, "card", "land"),  # the card on each land, or NOBODY
    field("owner", "i1", LANDS, "seat", "land"),  # the seat that played the card on each land, or NOBODY
    ("crop_helps", "u8", (), None, None, "derived"),  # the lands whose card helps crops beside it, as a bit set
    ("animal_helps", "u8", (), None, None, "derived"),
)


# --- Setting up (guide 2) ----------------------------------------------------


@rule
def setup(box: Box, state: State) -> None:
    """Set up a game: lay the map, deal tokens and hands, choose the Lord (guide 2). Before, only `n_seats` and `rng` are set."""
    state.turn = 1
    state.stage = S.draw
    state.card = NOBODY
    state.other = NOBODY
    state.victim = NOBODY
    state.offer.partner = NOBODY
    lay_map(box, state)
    assign(state.deck, box.deck)
    for seat in range(state.n_seats):
        deal_start(box, state, seat)
    add_hardships(box, state)
    choose_lord(box, state)


@rule
def n_spaces(box: Box, state: State) -> int:
    """The number of lands on the map: twelve with two or three seats, all sixteen with more (2.1), none in a game without a map (9.4)."""
    if box.options.no_map == 1:
        return 0
    basic = 0
    for land in range(box.n_lands):
        if box.land[land].extra == 0:
            basic += 1
    if state.n_seats >= box.rules.big_map_seats:
        return int(box.n_lands)
    return basic


@rule
def is_on_edge(place: int, n_spaces: int) -> bool:
    """Does place number `place` of a map with `n_spaces` places (rows of COLUMNS, in reading order) lie on the edge of the map?"""
    row = place // COLUMNS
    column = place % COLUMNS
    return row == 0 or row == n_spaces // COLUMNS - 1 or column == 0 or column == COLUMNS - 1


@rule
def lay_map(box: Box, state: State) -> None:
    """Lay the map that the box fixes, or a random one with Road and River on the edge (2.1, 2.2)."""
    spaces = n_spaces(box, state)
    for land in range(LANDS):
        state.place[land] = NOBODY
        state.lies[land] = NOBODY
        state.owner[land] = NOBODY
    if spaces > 0:
        if box.layout[0] == NOBODY:
            lay_random_map(box, state, spaces)
        else:
            for place in range(spaces):
                state.place[box.layout[place]] = place
    recount(box, state)


@rule
def recount(box: Box, state: State) -> None:
    """Recompute the fields that are kept only for speed.

    These are neighbours, free lands, kinds with a free land, and lands whose card helps others.
    """
    state.free = np.uint64(0)
    state.crop_helps = np.uint64(0)
    state.animal_helps = np.uint64(0)
    for land in range(LANDS):
        state.near[land] = np.uint64(0)
        card = state.lies[land]
        if state.place[land] != NOBODY:
            for other in range(LANDS):
                if state.place[other] != NOBODY and are_neighbours(state.place[land], state.place[other]):
                    state.near[land] |= bit(other)
            if card == NOBODY:
                state.free |= bit(land)
        if card != NOBODY:
            if box.card[card].helps & bit(CROPS) != 0:
                state.crop_helps |= bit(land)
            if box.card[card].helps & bit(ANIMALS) != 0:
                state.animal_helps |= bit(land)
    state.open_kinds = kinds_with_free_land(box, state)


@rule
def lay_random_map(box: Box, state: State, spaces: int) -> None:
    """Lay a random map, all maps that keep the edge rule being equally likely (2.2): edge lands are placed first, then the others."""
    taken = np.uint64(0)
    for edge in range(1, -1, -1):
        for land in range(box.n_lands):
            in_play = box.land[land].extra == 0 or state.n_seats >= box.rules.big_map_seats
            if in_play and box.land[land].edge == edge:
                n_open = 0
                for place in range(spaces):
                    if taken & bit(place) == 0 and (edge == 0 or is_on_edge(place, spaces)):
                        n_open += 1
                k = below(state, n_open)
                for place in range(spaces):
                    if taken & bit(place) == 0 and (edge == 0 or is_on_edge(place, spaces)):
                        if k == 0:
                            state.place[land] = place
                        k -= 1
                taken |= bit(state.place[land])


@rule
def are_neighbours(place: int, other_place: int) -> bool:
    """Do two places of the map, given by number in reading order, touch along a side?"""
    rows = abs(place // COLUMNS - other_place // COLUMNS)
    columns = abs(place % COLUMNS - other_place % COLUMNS)
    return rows + columns == 1


@rule
def kinds_with_free_land(box: Box, state: State) -> int:
    """The kinds of land that have a free land, as a bit set."""
    kinds = 0
    for kind in range(KINDS):
        if state.free & box.kind_lands[kind] != 0:
            kinds |= 1 << kind
    return kinds


@rule
def deal_start(box: Box, state: State, seat: int) -> None:
    """Give a seat its first tokens and hand (2.3), and upgrades where options 9.20 or 9.21 ask for them.

    The deck has no hardships yet.
    """
    me = state.seats[seat]
    for token in range(TOKENS):
        me.tokens[token] = max(0, box.start_tokens[token] + box.extra_tokens[seat, token])
    me.tokens[PEASANTS] = max(1, me.tokens[PEASANTS])
    hand = state.seats[hand_holder(box, seat)].hand
    for _ in range(min(box.options.start_cards + box.extra_cards[seat], count(state.deck))):
        card = nth(state.deck, below(state, count(state.deck)))
        remove(state.deck, card)
        add(hand, card)
    for _ in range(box.options.start_upgrades + box.extra_upgrades[seat]):
        deal_upgrade(box, state, seat)


@rule
def deal_upgrade(box: Box, state: State, seat: int) -> None:
    """Give a seat a random upgrade from the deck, in play from the start, if the deck has one left (9.20)."""
    left = count_both(state.deck, box.upgrades)
    if left > 0:
        k = below(state, left)
        card = first_from(box.upgrades, 0)
        while k > 0 or not has(state.deck, card):
            if has(state.deck, card):
                k -= 1
            card = first_from(box.upgrades, card + 1)
        remove(state.deck, card)
        add(state.seats[seat].upgrades, card)


@rule
def add_hardships(box: Box, state: State) -> None:
    """Draw the hardships of this game at random and shuffle them into the deck, or keep them as a deck of their own (2.3, 9.2, 9.3)."""
    assign(state.hardships, box.hardships)
    assign(state.unseen, box.hardships)
    while count(state.hardships) > box.options.hardships:
        card = nth(state.hardships, below(state, count(state.hardships)))
        remove(state.hardships, card)
        add(state.boxed, card)
    if box.options.hardship_deck == 0:
        merge(state.deck, state.hardships)
        clear(state.hardships)


@rule
def hand_holder(box: Box, seat: int) -> int:
    """The seat in whose record the hand of `seat` is kept: the seat itself, or seat 0 where all share one hand (9.5)."""
    if box.options.common_hand == 1:
        return 0
    return int(seat)


@rule
def choose_lord(box: Box, state: State) -> None:
    """Make a seat the first Lord: the one that option 9.16 names, or one chosen at random (2.4)."""
    if 0 <= box.options.first_lord < state.n_seats:
        state.lord = box.options.first_lord
    else:
        state.lord = below(state, state.n_seats)
    state.first = state.lord
    state.to_act = state.lord


# --- What must always be true ------------------------------------------------


@rule
def check(box: Box, state: State) -> int:
    """Return 0, or the number in FAULTS of the first thing that is wrong with the state. The engine checks `recount`'s fields."""
    if not 0 <= state.to_act < state.n_seats:
        return F.absent_seat
    if not 0 <= state.lord < state.n_seats:
        return F.absent_lord
    if not 0 <= state.phase <= P.over or (
        state.phase not in (P.moving, P.over) and state.stage != STAGE_OF[state.phase]
    ):
        return F.wrong_phase
    for seat in range(state.n_seats):
        for token in range(TOKENS):
            if state.seats[seat].tokens[token] < 0:
                return F.debt
        if state.seats[seat].tokens[TOKENS - 1] < 1:
            return F.no_peasant
    if not is_map_whole(state):
        return F.bad_map
    if not is_decision_whole(state):
        return F.half_decision
    if not (0 <= state.first < state.n_seats and 0 <= state.kth <= state.n_seats and 0 <= state.stage <= S.end):
        return F.bad_count
    if state.due < 0 or state.used < 0 or state.step < 0 or state.turn < 1:
        return F.bad_count
    if state.phase in (P.pay, P.feed, P.grow_feed) and state.due >= MOST_AT_ONCE:
        return F.bad_count
    if not is_every_card_once(box, state):
        return F.lost_card
    for land in range(LANDS):
        card = state.lies[land]
        if card != NOBODY and has(box.bounties, card) and not has(state.table, card):
            return F.stray_card
        if card != NOBODY and not has(box.bounties, card) and not has(state.seats[state.owner[land]].upgrades, card):
            return F.stray_card
    card = first_from(state.unseen, 0)
    while card >= 0:
        if not (has(state.deck, card) or has(state.hardships, card) or has(state.boxed, card)):
            return F.seen_hardship
        card = first_from(state.unseen, card + 1)
    return 0


@rule
def is_map_whole(state: State) -> bool:
    """Is every land of the map at exactly one place, and do only lands in play have cards and owners (2.1)?"""
    taken = np.uint64(0)
    for land in range(LANDS):
        place = state.place[land]
        if not NOBODY <= place < LANDS or not NOBODY <= state.lies[land] < CARDS:
            return False
        if (state.lies[land] == NOBODY) != (state.owner[land] == NOBODY) or state.owner[land] >= state.n_seats:
            return False
        if place == NOBODY:
            if state.lies[land] != NOBODY:
                return False
        else:
            if taken & bit(place) != 0:
                return False
            taken |= bit(place)
    return True


@rule
def is_decision_whole(state: State) -> bool:
    """Does the state name everything that the open decision is about: the card, the second card, the other seat?"""
    phase = state.phase
    if not NOBODY <= state.card < CARDS or not NOBODY <= state.other < CARDS:
        return False
    if not NOBODY <= state.victim < state.n_seats or not NOBODY <= state.offer.partner < state.n_seats:
        return False
    if not 0 <= state.offer.is_answer <= 1:
        return False
    if state.card == NOBODY and phase in (P.choose_land, P.pay, P.convert, P.steal_from, P.steal, P.sell_good, P.spend):
        return False
    if state.other == NOBODY and phase in (P.swap_second, P.sell_second, P.sell_good):
        return False
    if state.victim == NOBODY and phase == P.steal:
        return False
    return state.offer.partner != NOBODY or (phase != P.compose and phase != P.answer)


@rule
def is_every_card_once(box: Box, state: State) -> bool:
    """Is each card of the box in exactly one place?

    All places together must hold every card, and their counts must add up to the number of cards.
    """
    n = count(state.deck) + count(state.discards) + count(state.removed) + count(state.aside)
    n += count(state.hardships) + count(state.table) + count(state.boxed)
    for seat in range(SEATS):
        n += count(state.seats[seat].hand) + count(state.seats[seat].upgrades)
    for w in range(len(state.deck)):
        found = state.deck[w] | state.discards[w] | state.removed[w] | state.aside[w]
        found |= state.hardships[w] | state.table[w] | state.boxed[w]
        for seat in range(SEATS):
            found |= state.seats[seat].hand[w] | state.seats[seat].upgrades[w]
        if found != box.deck[w] | box.hardships[w]:
            return False
    return n == count(box.deck) + count(box.hardships)


@rule
def food_of(state: State, seat: int) -> int:
    """The number of a seat's crops and animals together."""
    return state.seats[seat].tokens[0] + state.seats[seat].tokens[1]


@rule
def money_of(state: State, seat: int) -> int:
    """The number of a seat's gold and resources together."""
    return state.seats[seat].tokens[2] + state.seats[seat].tokens[3]


@rule
def goods_of(state: State, seat: int) -> int:
    """The number of a seat's goods together: crops, animals, gold and resources."""
    total = 0
    for good in range(GOODS):
        total += state.seats[seat].tokens[good]
    return total
