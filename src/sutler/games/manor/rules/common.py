"""What all chapters of Medieval Manor share: gaining and losing, the turn's small steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow_set, count, forbid, has, remove
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.manor.box import BAN_CROPS, CROPS, MOST_TOKENS, PAIR, PEASANTS
from sutler.games.manor.phases_actions_events import E, R
from sutler.games.manor.state import hand_holder

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.manor.records import Box, State

# --- Gaining and losing (guide 3.3) ------------------------------------------


@rule
def may_gain(state: State, token: int) -> bool:
    """3.3 Blight: nobody gains crops by any means, neither from the supply nor from another seat."""
    return not (token == CROPS and state.ban & BAN_CROPS)


@rule
def receive(state: State, seat: int, token: int, n: int) -> None:
    """1.2: so many tokens more, up to the most that a seat can have."""
    me = state.seats[seat]
    me.tokens[token] = min(int(me.tokens[token]) + int(n), MOST_TOKENS)


@rule
def gain(box: Box, state: State, events: Events, seat: int, token: int, n: int) -> None:
    """Take tokens from the supply."""
    n = min(int(n), MOST_TOKENS - int(state.seats[seat].tokens[token]))
    if n > 0 and may_gain(state, token):
        receive(state, seat, token, n)
        tell(events, E.gained, seat, n, token)


@rule
def lose(box: Box, state: State, events: Events, seat: int, token: int, n: int) -> None:
    """Losses stop at 0 and never take the last peasant (3.3)."""
    spare = int(state.seats[seat].tokens[token])
    if token == PEASANTS:
        spare -= 1
    n = min(n, spare)
    if n > 0:
        state.seats[seat].tokens[token] -= n
        tell(events, E.lost, seat, n, token)


@rule
def pay(box: Box, state: State, events: Events, seat: int, token: int, n: int) -> None:
    """Hand tokens in, by choice."""
    if n > 0:
        state.seats[seat].tokens[token] -= n
        tell(events, E.paid, seat, n, token)


@rule
def discard_from_hand(box: Box, state: State, seat: int, card: int) -> None:
    """Put a hand card on the discard pile."""
    remove(state.seats[hand_holder(box, seat)].hand, card)
    add(state.discards, card)


@rule
def why_not_hand_card(box: Box, state: State, seat: int, card: int) -> int:
    """3.5, 5.9, 6.2, 8.1: a card of the hand one plays from."""
    if not has(state.seats[hand_holder(box, seat)].hand, card):
        return R.not_in_hand
    return R.fine


@rule
def why_not_pair(box: Box, state: State, seat: int, card: int) -> int:
    """3.5, 5.9: one of two different cards from the hand."""
    hand = state.seats[hand_holder(box, seat)].hand
    if not has(hand, card):
        return R.not_in_hand
    if card == state.other:
        return R.same_card
    if count(hand) < PAIR:
        return R.two_cards
    return R.fine


@rule
def allow_pair(box: Box, state: State, seat: int, first: int, out: Legal) -> None:
    """3.5, 5.9: the same, all at once."""
    hand = state.seats[hand_holder(box, seat)].hand
    if count(hand) >= PAIR:
        allow_set(out, first, hand)
        if state.other != NOBODY:
            forbid(out, first + state.other)


# --- Steps of a turn (guide 1.6) ----------------------------------------


@rule
def seat_in_turn(state: State) -> int:
    """The seat whose go it is in the running phase."""
    seat = state.first + state.kth
    if seat >= state.n_seats:
        seat -= state.n_seats
    return seat


@rule
def next_seat(state: State) -> None:
    """The next seat's go in this phase; `kth` reaches n_seats when all have had theirs."""
    state.kth += 1
    state.step = 0
    state.used = 0


@rule
def start_phase(state: State, events: Events, stage: int) -> None:
    """1.5: each phase begins with the Lord and goes clockwise."""
    tell(events, E.phase, stage)
    state.stage = stage
    state.first = state.lord
    state.kth = 0
    state.step = 0
    state.used = 0


@rule
def end_action(state: State) -> None:
    """5.1: the next seat has its action."""
    state.card = NOBODY
    pass_on(state)
    go_on(state)


@rule
def pass_on(state: State) -> None:
    """5.1: clockwise, round and round."""
    state.kth += 1
    if state.kth == state.n_seats:
        state.kth = 0
