"""The work phase (guide 5): placing bounties and upgrades, and what they bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sutler.core.bits import (
    add,
    allow_range,
    allow_word,
    bit,
    clear,
    count,
    first_from,
    has,
    merge,
    popcount,
    remove,
)
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.manor.box import (
    ANIMALS,
    BAN_PLAY,
    CASTLE,
    COST_RANGE,
    CROPS,
    GOLD,
    LANDS,
    MOST_AT_ONCE,
    PAIR,
    PEASANTS,
    RESOURCES,
    TOKENS,
    UPGRADE,
    S,
)
from sutler.games.manor.phases_actions_events import A, E, P, R
from sutler.games.manor.rules.common import end_action, gain, lose, pass_on, pay, seat_in_turn, start_phase
from sutler.games.manor.rules.draw_phase import draw_card
from sutler.games.manor.rules.theft import start_theft
from sutler.games.manor.state import hand_holder, kinds_with_free_land, money_of

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Events, Legal, Word
    from sutler.games.manor.records import Box, State

# --- Work phase (guide 5) ----------------------------------------------------


@rule
def has_action(state: State, seat: int) -> bool:
    """5.1: as many actions as peasants, counted live, until the seat passes."""
    me = state.seats[seat]
    return me.has_passed == 0 and me.worked < me.tokens[PEASANTS]


@rule
def upgrade_cost_base(box: Box, state: State, seat: int) -> int:
    """5.8: 3 + upgrades owned, less 3 with the Brick Maker. A card's own change comes on top; never below 0."""
    upgrades = state.seats[seat].upgrades
    cost = box.rules.upgrade_cost + count(upgrades)
    card = first_from(box.discounters, 0)
    while card >= 0:
        if has(upgrades, card):
            cost -= box.card[card].discount
        card = first_from(box.discounters, card + 1)
    return cost


@rule
def cost_of(box: Box, state: State, seat: int, card: int) -> int:
    """5.8: what an upgrade would cost this seat now, in gold and resources."""
    return max(0, upgrade_cost_base(box, state, seat) + box.card[card].cost_change)


@rule
def affordable_class(box: Box, state: State, seat: int) -> int:
    """5.8: the row of `box.up_to` with the upgrades this seat can pay for."""
    spare = money_of(state, seat) - upgrade_cost_base(box, state, seat)
    return min(max(spare, -COST_RANGE - 1), COST_RANGE) + COST_RANGE


@rule
def has_room(box: Box, state: State, card: int) -> bool:
    """5.2: is a land free on which this card may lie? Without a map there always is (9.4)."""
    return box.options.no_map == 1 or state.free & box.card[card].lands != 0


@rule
def why_not_place(box: Box, state: State, seat: int, card: int) -> int:
    """5.2, 5.8: a hand card that fits a free land and, if an upgrade, can be paid; none in a rebellion (3.3)."""
    if has(box.hardships, card):
        return R.never_played
    if not has(state.seats[hand_holder(box, seat)].hand, card):
        return R.not_in_hand
    if state.ban & BAN_PLAY:
        return R.rebellion
    if not has_room(box, state, card):
        return R.no_room
    if box.card[card].type == UPGRADE and cost_of(box, state, seat, card) > money_of(state, seat):
        return R.too_dear
    return R.fine


@rule
def placeable(box: Box, state: State, hand: Bits, paid: int, w: int) -> Word:
    """5.2, 5.8: the same for one word of the hand at once; `paid` is the seat's affordable class."""
    cards = box.bounties[w]
    if paid >= 0:
        cards = cards | box.up_to[paid, w]
    cards = cards & hand[w]
    if box.options.no_map == 0:
        cards = cards & box.fits[state.open_kinds, w]
    return cards


@rule
def allow_place(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.2, 5.8: the same, all at once."""
    if state.ban & BAN_PLAY:
        return
    hand = state.seats[hand_holder(box, seat)].hand
    paid = affordable_class(box, state, seat)
    for w in range(len(hand)):
        cards = placeable(box, state, hand, paid, w)
        if cards != 0:
            allow_word(out, A.place + w * 64, cards)


@rule
def can_act(box: Box, state: State, seat: int) -> bool:
    """5.10: is there anything to do but pass: two cards for a good, or a card that can be played?"""
    hand = state.seats[hand_holder(box, seat)].hand
    if count(hand) >= PAIR:
        return True
    if state.ban & BAN_PLAY:
        return False
    paid = affordable_class(box, state, seat)
    for w in range(len(hand)):
        if placeable(box, state, hand, paid, w) != 0:
            return True
    return False


@rule
def do_place(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """5.2: the card leaves the hand; where it goes comes next."""
    state.card = card
    if box.options.no_map == 1:
        tell(events, E.played, seat, card)
        play_card(box, state, events, seat, NOBODY)
    else:
        ask(state, P.choose_land, seat)


@rule
def lands_for(box: Box, state: State, card: int) -> Word:
    """5.2: the free lands this card may lie on, as bits."""
    return state.free & box.card[card].lands


@rule
def why_not_on(box: Box, state: State, seat: int, land: int) -> int:
    """5.2: a free land that suits the card."""
    if state.place[land] == NOBODY:
        return R.no_such_land
    if state.free & bit(land) == 0:
        return R.taken
    if state.card != NOBODY and lands_for(box, state, int(state.card)) & bit(land) == 0:
        return R.wrong_land
    return R.fine


@rule
def allow_on(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.2: the same, all at once."""
    allow_word(out, A.on, lands_for(box, state, int(state.card)))


@rule
def do_on(box: Box, state: State, events: Events, seat: int, land: int) -> None:
    """5.2: the card occupies the land until the phase ends."""
    card = int(state.card)
    tell(events, E.placed, seat, card, land)
    state.lies[land] = card
    state.owner[land] = seat
    state.free &= ~bit(land)
    kind = box.land[land].kind
    if state.free & box.kind_lands[kind] == 0:
        state.open_kinds &= ~(1 << int(kind))
    play_card(box, state, events, seat, land)


@rule
def play_card(box: Box, state: State, events: Events, seat: int, land: int) -> None:
    """5.2 to 5.8: an upgrade is paid for, a bounty pays; a card on the Castle makes its player Lord."""
    card = int(state.card)
    state.seats[seat].worked += 1
    remove(state.seats[hand_holder(box, seat)].hand, card)
    if is_at_castle(box, card, land):
        make_lord(state, events, seat)
    if box.card[card].type == UPGRADE:
        state.due = cost_of(box, state, seat, card)
        add(state.seats[seat].upgrades, card)
        pay_upgrade(box, state, events, seat)
    else:
        add(state.table, card)
        harvest(box, state, events, seat, land)
        if land != NOBODY:
            lend_help(box, state, card, land)
        start_theft(box, state, events, seat)


@rule
def is_at_castle(box: Box, card: int, land: int) -> bool:
    """5.7, 9.4: played on the Castle; without a map, a card that could lie nowhere else."""
    if land != NOBODY:
        return box.land[land].kind == CASTLE
    return bool(box.card[card].on == bit(CASTLE))


@rule
def make_lord(state: State, events: Events, seat: int) -> None:
    """5.7: at once; the order of the running phase stays."""
    if state.lord != seat:
        state.lord = seat
        tell(events, E.lordship, seat)


@rule
def yield_of(box: Box, state: State, card: int, land: int, token: int) -> int:
    """5.3: what a bounty brings of one token on a land: printed, the land's bonus, one for each helping neighbour.

    Bonuses count only for a token that the card itself gains, and a malus never takes the yield below 0.
    """
    n = int(box.card[card].gain[token])
    if n > 0 and land != NOBODY:
        n += box.land[land].bonus[token]
        if token == CROPS:
            n += popcount(state.near[land] & state.crop_helps)
        if token == ANIMALS:
            n += popcount(state.near[land] & state.animal_helps)
        n = max(n, 0)
    return n


@rule
def harvest(box: Box, state: State, events: Events, seat: int, land: int) -> None:
    """5.3, 5.6: a bounty pays its tokens at once, then takes what it costs, then draws."""
    card = int(state.card)
    played = box.card[card]
    for token in range(TOKENS):
        gain(box, state, events, seat, token, yield_of(box, state, card, land, token))
    for token in range(TOKENS):
        lose(box, state, events, seat, token, int(played.lose[token]))
    for _ in range(played.draw_now):
        draw_card(box, state, events, seat)
    state.seats[seat].extra_next += played.draw_next


@rule
def lend_help(box: Box, state: State, card: int, land: int) -> None:
    """5.3: from now on the card helps bounties that are played next to it."""
    if box.card[card].helps & bit(CROPS) != 0:
        state.crop_helps |= bit(land)
    if box.card[card].helps & bit(ANIMALS) != 0:
        state.animal_helps |= bit(land)


@rule
def least_gold(state: State, seat: int) -> int:
    """5.8: the least gold a payment of `due` money can hold."""
    return max(0, state.due - state.seats[seat].tokens[RESOURCES])


@rule
def most_gold(state: State, seat: int) -> int:
    """5.8: the most gold it can hold."""
    return min(state.due, state.seats[seat].tokens[GOLD])


@rule
def why_not_pay_gold(box: Box, state: State, seat: int, gold: int) -> int:
    """5.8: no more gold than you have or owe, and the rest in resources."""
    if state.phase == P.pay and not least_gold(state, seat) <= gold <= most_gold(state, seat):
        return R.bad_split
    return R.fine


@rule
def allow_pay_gold(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.8: the same, all at once."""
    least = least_gold(state, seat)
    allow_range(out, A.pay_gold + least, most_gold(state, seat) - least + 1)


@rule
def pay_upgrade(box: Box, state: State, events: Events, seat: int) -> None:
    """5.8: gold and resources in any mix; the payer is asked only where there is a choice."""
    least = least_gold(state, seat)
    if least == most_gold(state, seat) or state.due >= MOST_AT_ONCE:
        do_pay_gold(box, state, events, seat, least)
    else:
        ask(state, P.pay, seat)


@rule
def do_pay_gold(box: Box, state: State, events: Events, seat: int, gold: int) -> None:
    """5.8: so much in gold, the rest in resources."""
    pay(box, state, events, seat, GOLD, gold)
    pay(box, state, events, seat, RESOURCES, state.due - gold)
    state.due = 0
    end_action(state)


@rule
def do_finish(box: Box, state: State, events: Events, seat: int) -> None:
    """5.10: the seat's remaining actions are gone; who can do nothing else is only skipped."""
    if can_act(box, state, seat):
        state.seats[seat].has_passed = 1
        tell(events, E.passed, seat)
    end_action(state)


@rule
def proceed_work(box: Box, state: State, events: Events) -> None:
    """5.1, 5.10: one action at a time, clockwise, skipping seats that are done or can do nothing now."""
    for _ in range(state.n_seats):
        seat = seat_in_turn(state)
        if has_action(state, seat) and can_act(box, state, seat):
            ask(state, P.work, seat)
            return
        pass_on(state)
    end_work(box, state, events)


@rule
def end_work(box: Box, state: State, events: Events) -> None:
    """5.11: bounties go to the discards; upgrades have gone to their owners; the lands are free again."""
    merge(state.discards, state.table)
    clear(state.table)
    for land in range(LANDS):
        if state.lies[land] != NOBODY:
            state.lies[land] = NOBODY
            state.owner[land] = NOBODY
            state.free |= bit(land)
    state.open_kinds = kinds_with_free_land(box, state)
    state.crop_helps = np.uint64(0)
    state.animal_helps = np.uint64(0)
    for seat in range(state.n_seats):
        state.seats[seat].worked = 0
        state.seats[seat].has_passed = 0
    start_phase(state, events, S.upgrade)
