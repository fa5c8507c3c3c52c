"""Two cards from the hand for a good (guide 5.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.manor.phases_actions_events import A, E, P, R
from sutler.games.manor.rules.common import allow_pair, discard_from_hand, end_action, may_gain, receive, why_not_pair

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.manor.records import Box, State


@rule
def why_not_sell(box: Box, state: State, seat: int, card: int) -> int:
    """5.9: one of two different cards from the hand."""
    return why_not_pair(box, state, seat, card)


@rule
def allow_sell(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.9: each hand card, but none twice."""
    allow_pair(box, state, seat, A.sell, out)


@rule
def do_sell(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """5.9: two cards from the hand; which good comes next."""
    if state.phase == P.work:
        state.other = card
        ask(state, P.sell_second, seat)
    else:
        state.card = card
        ask(state, P.sell_good, seat)


@rule
def why_not_gain(box: Box, state: State, seat: int, good: int) -> int:
    """5.9: any good; no crops under Blight (3.3)."""
    if not may_gain(state, good):
        return R.blight
    return R.fine


@rule
def do_gain(box: Box, state: State, events: Events, seat: int, good: int) -> None:
    """5.9: one good of any type."""
    state.seats[seat].worked += 1
    discard_from_hand(box, state, seat, state.card)
    discard_from_hand(box, state, seat, state.other)
    tell(events, E.sold, seat, state.other, state.card, good)
    state.other = NOBODY
    receive(state, seat, good, 1)
    end_action(state)
