"""Conversions (guide 5.4, 6.2): of a bounty while it is played, of upgrades in their own phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import (
    count,
)
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.manor.box import CARD_TOKEN, CROPS, PARTS, PEASANTS, TOKENS
from sutler.games.manor.phases_actions_events import E, P, R
from sutler.games.manor.rules.common import end_action, gain, may_gain, pay
from sutler.games.manor.rules.draw_phase import draw_card, has_cards
from sutler.games.manor.state import hand_holder

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.manor.records import Box, Convert, State


@rule
def why_not_exchange(box: Box, state: State, seat: int, card: int) -> int:
    """5.4, 6.2: does the seat have what one conversion of this card costs? Never the last peasant."""
    conversion = box.card[card].convert
    me = state.seats[seat]
    if conversion.there == 0:
        return R.no_conversion
    for token in range(TOKENS):
        n = int(conversion.give[token])
        if n > 0 and me.tokens[token] < n + int(token == PEASANTS):
            return R.too_little
    if (
        conversion.give[CARD_TOKEN] > 0
        and count(state.seats[hand_holder(box, seat)].hand) < conversion.give[CARD_TOKEN]
    ):
        return R.too_little
    if brings_only_crops(state, conversion):
        return R.blight
    if conversion.get[CARD_TOKEN] > 0 and not has_cards(state):
        return R.no_cards
    return R.fine


@rule
def can_convert(box: Box, state: State, seat: int, card: int) -> bool:
    """5.4, 6.2: can one conversion of this card be made?"""
    return why_not_exchange(box, state, seat, card) == R.fine


@rule
def brings_only_crops(state: State, conversion: Convert) -> bool:
    """3.3 Blight: a conversion that brings nothing but crops would now bring nothing, so it is not offered."""
    if may_gain(state, CROPS) or conversion.get[CROPS] == 0:
        return False
    for part in range(PARTS):
        if part != CROPS and conversion.get[part] > 0:
            return False
    return True


@rule
def start_conversion(box: Box, state: State, seat: int) -> None:
    """5.4: a bounty's conversion can be made only now, any number of times."""
    if can_convert(box, state, seat, state.card):
        ask(state, P.convert, seat)
    else:
        end_action(state)


@rule
def exchange(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """5.4, 6.2: pay the tokens of one conversion and take what it brings."""
    conversion = box.card[card].convert
    tell(events, E.converted, seat, card)
    for token in range(TOKENS):
        pay(box, state, events, seat, token, int(conversion.give[token]))
    for token in range(TOKENS):
        gain(box, state, events, seat, token, int(conversion.get[token]))
    for _ in range(conversion.get[CARD_TOKEN]):
        draw_card(box, state, events, seat)


@rule
def why_not_convert(box: Box, state: State, seat: int) -> int:
    """5.4: what one conversion of the card just played costs."""
    if state.phase == P.convert:
        return why_not_exchange(box, state, seat, int(state.card))
    return R.fine


@rule
def do_convert(box: Box, state: State, events: Events, seat: int) -> None:
    """5.4: once more."""
    exchange(box, state, events, seat, int(state.card))
    start_conversion(box, state, seat)
