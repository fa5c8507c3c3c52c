"""Taking from another seat (guide 5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import (
    add,
    allow_set,
    has,
    is_empty,
    remove,
)
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.manor.box import GOODS, STEAL_CARD
from sutler.games.manor.phases_actions_events import A, E, P, R
from sutler.games.manor.rules.common import may_gain, receive
from sutler.games.manor.rules.convert import start_conversion

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.manor.records import Box, State


@rule
def can_take(state: State, victim: int, good: int) -> bool:
    """5.5: a good the victim has; no crops under Blight, for nobody can gain them (3.3)."""
    return may_gain(state, good) and state.seats[victim].tokens[good] > 0


@rule
def has_loot(state: State, victim: int) -> bool:
    """5.5: is there a good to take?"""
    for good in range(GOODS):
        if can_take(state, victim, good):
            return True
    return False


@rule
def can_be_robbed(box: Box, state: State, seat: int, victim: int) -> bool:
    """5.5: another seat that has what the card steals."""
    if victim == seat or victim >= state.n_seats:
        return False
    if box.card[state.card].steal.what == STEAL_CARD:
        return box.options.common_hand == 0 and not is_empty(state.seats[victim].hand)
    return has_loot(state, victim)


@rule
def start_theft(box: Box, state: State, events: Events, seat: int) -> None:
    """5.5: a card that steals asks from whom, if anybody has anything."""
    if box.card[state.card].steal.there == 1:
        for victim in range(state.n_seats):
            if can_be_robbed(box, state, seat, victim):
                state.due = box.card[state.card].steal.count
                ask(state, P.steal_from, seat)
                return
    start_conversion(box, state, seat)


@rule
def why_not_steal_from(box: Box, state: State, seat: int, victim: int) -> int:
    """5.5: another seat that has what the card steals."""
    if victim == seat or victim >= state.n_seats:
        return R.not_another
    if state.card != NOBODY and box.card[state.card].steal.there == 1 and not can_be_robbed(box, state, seat, victim):
        return R.nothing_to_take
    return R.fine


@rule
def do_steal_from(box: Box, state: State, events: Events, seat: int, victim: int) -> None:
    """5.5: all of one card's theft is from the same seat."""
    state.victim = victim
    ask(state, P.steal, seat)


@rule
def why_not_steal_card(box: Box, state: State, seat: int, card: int) -> int:
    """5.5: a card of the victim's hand, if the card played steals cards."""
    if state.victim == NOBODY or state.card == NOBODY:
        return R.fine
    if box.card[state.card].steal.what != STEAL_CARD:
        return R.takes_goods
    if not has(state.seats[state.victim].hand, card):
        return R.they_lack_it
    return R.fine


@rule
def allow_steal_card(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.5: the same, all at once."""
    if box.card[state.card].steal.what == STEAL_CARD:
        allow_set(out, A.steal_card, state.seats[state.victim].hand)


@rule
def do_steal_card(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """5.5: hands are open, so the thief chooses."""
    victim = state.victim
    remove(state.seats[victim].hand, card)
    add(state.seats[seat].hand, card)
    tell(events, E.stole_card, seat, card, victim)
    after_theft(box, state, seat, is_empty(state.seats[victim].hand))


@rule
def why_not_steal_good(box: Box, state: State, seat: int, good: int) -> int:
    """5.5: a good the victim has; no crops under Blight (3.3)."""
    if state.victim == NOBODY or state.card == NOBODY:
        return R.fine
    if box.card[state.card].steal.what == STEAL_CARD:
        return R.takes_cards
    if not may_gain(state, good):
        return R.blight
    if not can_take(state, int(state.victim), good):
        return R.they_lack_it
    return R.fine


@rule
def do_steal_good(box: Box, state: State, events: Events, seat: int, good: int) -> None:
    """5.5: one good; fewer than the card says if there are fewer."""
    victim = state.victim
    state.seats[victim].tokens[good] -= 1
    receive(state, seat, good, 1)
    tell(events, E.stole, seat, good, victim)
    after_theft(box, state, seat, not has_loot(state, victim))


@rule
def after_theft(box: Box, state: State, seat: int, nothing_left: bool) -> None:
    """5.5: on with the theft, or with the card."""
    state.due -= 1
    if state.due == 0 or nothing_left:
        state.due = 0
        state.victim = NOBODY
        start_conversion(box, state, seat)
    else:
        ask(state, P.steal, seat)
