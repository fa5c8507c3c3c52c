"""Playing cards (guide 4.1 to 4.7) and putting out Fire (4.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import (
    CALL,
    DECKS,
    FARMLAND,
    FIRE,
    GIVE,
    HOLES,
    HOMELAND,
    LIFE,
    MANAGEMENT,
    MIRACLE,
    MOST_DOUBLED,
    OFFERING,
    PACKAGE,
    PEACE,
    PERMANENT,
    PLAGUE,
    RESOURCE,
    SEATS,
    SLOTS,
    SURPRISE,
    TABLE,
    TRAP,
    WATER,
)
from sutler.games.warfarm.phases_actions_events import A, E, P, R
from sutler.games.warfarm.rules.cards import draw_card, give_up_everything, lay_card, leave_hand, mark_miracle
from sutler.games.warfarm.rules.common import enter, is_at_peace, is_opponent, start_job, stir
from sutler.games.warfarm.rules.goods import can_pay, gain_all
from sutler.games.warfarm.rules.losses import pay_price
from sutler.games.warfarm.rules.use import has_use
from sutler.games.warfarm.state import BUILDING, CALL_JOB, LIFE_JOB, OFFER_JOB, PEACE_JOB, PLAGUE_JOB, THING_JOB

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.warfarm.records import Box, State

# --- The play step (guide 4.1) -----------------------------------------------------


@rule
def proceed_play(box: Box, state: State, events: Events, seat: int) -> None:
    """4.1: as many cards as one likes. With an empty hand and nothing to use there is nothing to ask."""
    if state.seats[seat].n_hand > 0 or why_not_extinguish(box, state, seat) == R.fine or has_use(box, state, seat):
        ask(state, P.play, seat)
    else:
        enter(state, BUILDING)


@rule
def do_end_play(box: Box, state: State, events: Events, seat: int) -> None:
    """4.1: no more cards; on to building."""
    enter(state, BUILDING)
    go_on(state)


# --- Playing a card (guide 4.2 to 4.7) -------------------------------------------


@rule
def why_not_play(box: Box, state: State, seat: int, card: int) -> int:
    """4.1: a card in the hand, with room for it, whose price can be paid and whose condition holds."""
    me = state.seats[seat]
    if card >= box.n_cards or me.hand[card] <= 0:
        return R.not_in_hand
    one = box.card[card]
    if (one.type == TABLE and me.n_table >= SLOTS) or (one.type == TRAP and me.n_traps >= HOLES):
        return R.no_room
    if one.type == RESOURCE or one.type == TABLE or one.type == TRAP:
        return R.fine
    if not can_pay(box, state, seat, card):
        return R.too_dear
    if one.does == HOMELAND and me.goods[FARMLAND] >= one.below:
        return R.too_much_land
    if one.does == PACKAGE and state.has_package == 0:
        return R.no_explorer_back
    return R.fine


@rule
def allow_play(box: Box, state: State, seat: int, out: Legal) -> None:
    """4.1: the same for the cards of the hand."""
    if state.seats[seat].n_hand > 0:
        for card in range(box.n_cards):
            if state.seats[seat].hand[card] > 0 and why_not_play(box, state, seat, card) == R.fine:
                allow(out, A.play + card)


@rule
def do_play(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """4.1: the card leaves the hand and takes its place."""
    one = box.card[card]
    leave_hand(state, seat, card)
    stir(state)
    go_on(state)
    if one.type == TRAP:
        me = state.seats[seat]
        me.traps[me.n_traps] = card
        me.n_traps += 1
        if box.options.hidden_traps == 1:
            tell(events, E.set_secret, seat)
        else:
            tell(events, E.set_trap, seat, one.deck)
        return
    tell(events, E.played, seat, card)
    if one.type == TABLE:
        lay_card(box, state, seat, card)
    elif one.type == RESOURCE:
        state.discards[card] += 1
        play_resource(box, state, events, seat, card)
    else:
        if one.type == MIRACLE or one.type == PERMANENT:
            state.seats[seat].shown[card] += 1
        else:
            state.discards[card] += 1
        if one.type == MIRACLE:
            mark_miracle(state, seat, card)
        if one.does != PEACE:
            pay_price(box, state, events, seat, card)
        work_once(box, state, events, seat, card)


@rule
def play_resource(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """4.2: take what the card shows; doubled by Resource Management (11.5)."""
    times = 1
    if state.doubles > 0:
        state.doubles -= 1
        times = 2
    if box.card[card].does == GIVE:
        gain_all(box, state, events, seat, card, times)
    else:
        start_job(state, THING_JOB, card)
        state.times = times


@rule
def is_spared(box: Box, state: State, seat: int, other: int) -> bool:
    """12.11: a Peace Contract holds against Life or Death (but see 15.11)."""
    return box.options.life_breaks_peace == 0 and is_at_peace(state, seat, other)


@rule
def work_once(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """4.4, 4.6, 4.7: what Once cards, Permanents and Miracles do."""
    one = box.card[card]
    does = one.does
    if does == MANAGEMENT:
        state.doubles = min(int(state.doubles) + int(one.count), MOST_DOUBLED)
    elif does == PACKAGE:
        for deck in range(DECKS):
            for _ in range(one.draws[deck]):
                draw_card(box, state, events, seat, deck)
    elif does == PEACE:
        start_job(state, PEACE_JOB, card)
    elif does == HOMELAND:
        gain_all(box, state, events, seat, card, 1)
    elif does == SURPRISE:
        state.is_surprise = 1
    elif does == OFFERING:
        start_job(state, OFFER_JOB, card)
        state.left = one.count
    elif does == CALL:
        start_job(state, CALL_JOB, card)
        state.left = one.count
    elif does == PLAGUE:
        start_job(state, PLAGUE_JOB, card)
        state.turn_k = 1
        state.left = one.count
    elif does == LIFE:
        state.seats[seat].shown[card] -= 1  # the card itself stays
        give_up_everything(state, events, seat)
        state.seats[seat].shown[card] += 1
        state.seats[seat].is_bound = 1
        start_job(state, LIFE_JOB, card)
        for other in range(SEATS):
            if is_opponent(state, seat, other) and not is_spared(box, state, seat, other):
                state.blows[other] = one.count


# --- Putting out Fire (guide 4.9) --------------------------------------------------


@rule
def why_not_extinguish(box: Box, state: State, seat: int) -> int:
    """4.9: a Fire and enough Water."""
    if state.seats[seat].goods[FIRE] == 0:
        return R.no_fire
    if state.seats[seat].goods[WATER] < box.rules.extinguish:
        return R.too_little_water
    return R.fine


@rule
def do_extinguish(box: Box, state: State, events: Events, seat: int) -> None:
    """4.9: one Fire is out."""
    state.seats[seat].goods[WATER] -= box.rules.extinguish
    state.seats[seat].goods[FIRE] -= 1
    stir(state)
    tell(events, E.extinguished, seat, box.rules.extinguish, WATER)
    go_on(state)
