"""The upgrade phase (guide 6): gains and conversions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, allow_set, first_from, has
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.manor.box import CARD_TOKEN, TOKENS
from sutler.games.manor.phases_actions_events import A, E, P, R
from sutler.games.manor.rules.common import discard_from_hand, gain, next_seat, why_not_hand_card
from sutler.games.manor.rules.convert import can_convert, exchange, why_not_exchange
from sutler.games.manor.state import hand_holder

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.manor.records import Box, State

# --- Upgrade phase (guide 6) -------------------------------------------------


@rule
def collect(box: Box, state: State, events: Events, seat: int) -> None:
    """6.1: each upgrade's simple gain, once a turn."""
    upgrades = state.seats[seat].upgrades
    card = first_from(upgrades, 0)
    while card >= 0:
        for token in range(TOKENS):
            gain(box, state, events, seat, token, int(box.card[card].gain[token]))
        card = first_from(upgrades, card + 1)


@rule
def has_conversion(box: Box, state: State, seat: int) -> bool:
    """6.2: is any of the seat's upgrades ready to convert?"""
    if state.used >= box.rules.most_conversions:
        return False
    upgrades = state.seats[seat].upgrades
    card = first_from(upgrades, 0)
    while card >= 0:
        if can_convert(box, state, seat, card):
            return True
        card = first_from(upgrades, card + 1)
    return False


@rule
def why_not_use(box: Box, state: State, seat: int, card: int) -> int:
    """6.2: an upgrade of yours whose conversion you can pay for."""
    if not has(state.seats[seat].upgrades, card):
        return R.not_owned
    return why_not_exchange(box, state, seat, card)


@rule
def allow_use(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.2: the same, all at once."""
    upgrades = state.seats[seat].upgrades
    card = first_from(upgrades, 0)
    while card >= 0:
        if can_convert(box, state, seat, card):
            allow(out, A.use + card)
        card = first_from(upgrades, card + 1)


@rule
def do_use(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """6.2: a conversion that costs cards asks which; any other is made at once."""
    state.used += 1
    if box.card[card].convert.give[CARD_TOKEN] > 0:
        state.card = card
        state.due = box.card[card].convert.give[CARD_TOKEN]
        ask(state, P.spend, seat)
    else:
        exchange(box, state, events, seat, card)
        go_on(state)


@rule
def why_not_spend(box: Box, state: State, seat: int, card: int) -> int:
    """6.2: a card of the hand."""
    return why_not_hand_card(box, state, seat, card)


@rule
def allow_spend(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.2: all of them."""
    allow_set(out, A.spend, state.seats[hand_holder(box, seat)].hand)


@rule
def do_spend(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """6.2: one hand card towards the conversion."""
    discard_from_hand(box, state, seat, card)
    tell(events, E.dropped, seat, card)
    state.due -= 1
    if state.due == 0:
        used = int(state.card)
        state.card = NOBODY
        exchange(box, state, events, seat, used)
        go_on(state)


@rule
def proceed_upgrade(box: Box, state: State, events: Events, seat: int) -> None:
    """6: gains first, then conversions in any order, any number of times."""
    if state.step == 0:
        collect(box, state, events, seat)
        state.step = 1
    if state.step == 1 and has_conversion(box, state, seat):
        ask(state, P.use, seat)
    else:
        next_seat(state)
