"""The end phase (guide 8): the hand limit, and whether the game ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow_set, count, first_from
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.manor.box import MAX_TURN
from sutler.games.manor.phases_actions_events import A, E, P
from sutler.games.manor.rules.common import discard_from_hand, next_seat, why_not_hand_card
from sutler.games.manor.rules.draw_phase import start_turn
from sutler.games.manor.scoring import add_end_values, has_a_winner
from sutler.games.manor.state import hand_holder

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.manor.records import Box, State

# --- End phase (guide 8) -----------------------------------------------------


@rule
def hand_limit(box: Box, state: State, seat: int) -> int:
    """8.1: three cards, and one more for each upgrade that says so; a common hand counts everybody's (9.5)."""
    limit = int(box.options.hand_limit)
    for s in range(state.n_seats):
        if s == seat or box.options.common_hand == 1:
            upgrades = state.seats[s].upgrades
            card = first_from(upgrades, 0)
            while card >= 0:
                limit += box.card[card].hand_size
                card = first_from(upgrades, card + 1)
    return limit


@rule
def is_over_limit(box: Box, state: State, seat: int) -> bool:
    """8.1: does this seat hold too many cards? The Lord, who comes first, answers for a common hand (9.5)."""
    return count(state.seats[hand_holder(box, seat)].hand) > hand_limit(box, state, seat)


@rule
def why_not_discard(box: Box, state: State, seat: int, card: int) -> int:
    """8.1: a card of the hand."""
    return why_not_hand_card(box, state, seat, card)


@rule
def allow_discard(box: Box, state: State, seat: int, out: Legal) -> None:
    """8.1: all of them."""
    allow_set(out, A.discard, state.seats[hand_holder(box, seat)].hand)


@rule
def do_discard(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """8.1: one card of the seat's choice."""
    discard_from_hand(box, state, seat, card)
    tell(events, E.dropped, seat, card)
    go_on(state)


@rule
def proceed_end(box: Box, state: State, events: Events, seat: int) -> None:
    """8.1: down to the limit, one seat after the other."""
    if is_over_limit(box, state, seat):
        ask(state, P.limit, seat)
    else:
        next_seat(state)


@rule
def note_victory(box: Box, state: State, events: Events) -> None:
    """9.22: by option it is enough to have had the victory tokens at any moment of the turn."""
    if box.options.any_moment == 1 and state.is_reached == 0 and has_a_winner(box, state):
        state.is_reached = 1
        tell(events, E.reached, box.options.victory)


@rule
def end_turn(box: Box, state: State, events: Events) -> None:
    """8.2, 8.3, 9.22: with enough victory somewhere the game ends; else the next turn begins."""
    if state.is_reached == 1 or has_a_winner(box, state):
        tell(events, E.ended)
        for seat in range(state.n_seats):
            tell_end_values(box, state, events, seat)
        add_end_values(box, state)
        state.phase = P.over
    else:
        state.turn = min(int(state.turn) + 1, MAX_TURN)
        start_turn(box, state, events)


@rule
def tell_end_values(box: Box, state: State, events: Events, seat: int) -> None:
    """8.3: name each upgrade that is worth something at the end."""
    upgrades = state.seats[seat].upgrades
    n = count(upgrades)
    card = first_from(upgrades, 0)
    while card >= 0:
        worth = box.card[card].end.victory + box.card[card].end.per_upgrade * n
        if worth != 0:
            tell(events, E.end_value, card, worth, seat)
        card = first_from(upgrades, card + 1)
