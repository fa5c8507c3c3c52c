"""Exploring and farming (guide 8) and the end of a turn (9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import AMBUSH, AWAY, CAMP, CARDS, FIELD, MIRACLE
from sutler.games.warfarm.phases_actions_events import A, E, P, R
from sutler.games.warfarm.rules.cards import (
    is_like_earlier,
    is_trap_like_earlier,
    leave_hand,
    take_off_table,
    take_up_trap,
)
from sutler.games.warfarm.rules.common import enter, stir
from sutler.games.warfarm.rules.goods import remove_unit
from sutler.games.warfarm.rules.traps import next_trap
from sutler.games.warfarm.rules.use import is_unlocked
from sutler.games.warfarm.state import ENDING, n_cards

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.warfarm.records import Box, State

# --- Exploring and farming (guide 8) -----------------------------------------------------


@rule
def why_not_explore(box: Box, state: State, seat: int, deck: int) -> int:
    """8.1, 8.2: an Explorer at home, and a deck that is unlocked now."""
    if state.seats[seat].spots[CAMP] == 0:
        return R.no_explorer
    if not is_unlocked(box, state, seat, deck):
        return R.locked
    return R.fine


@rule
def do_explore(box: Box, state: State, events: Events, seat: int, deck: int) -> None:
    """8.1: an Explorer goes to a deck and is back next turn."""
    state.seats[seat].spots[CAMP] -= 1
    state.seats[seat].spots[AWAY + deck] += 1
    stir(state)
    tell(events, E.explores, seat, deck)
    go_on(state)


@rule
def do_end_explore(box: Box, state: State, events: Events, seat: int) -> None:
    """8.1: the other Explorers stay at home."""
    state.part = 1
    go_on(state)


@rule
def proceed_explore(box: Box, state: State, events: Events, seat: int) -> None:
    """8: explore, then farm; then Guards fall upon the Explorers (12.7)."""
    if state.part == 0 and state.seats[seat].spots[CAMP] > 0:
        ask(state, P.explore, seat)
    elif state.part <= 1:
        idle = int(state.n_operators) * int(box.options.crews_idle)
        state.seats[seat].farming = max(0, state.seats[seat].spots[FIELD] - idle)
        state.trap_k = 0
        state.part = 2
    elif not next_trap(box, state, events, AMBUSH):
        enter(state, ENDING)


# --- The limits (guide 9) ---------------------------------------------------------------------


@rule
def card_count(box: Box, state: State, seat: int) -> int:
    """9.2: the cards that count against the limit (15.6: those in the hand only)."""
    if box.options.hand_limit_only == 1:
        return int(state.seats[seat].n_hand)
    return n_cards(state, seat)


@rule
def can_drop_any(box: Box, state: State, seat: int) -> bool:
    """9.2: a Permanent stays; is there anything else to discard?"""
    me = state.seats[seat]
    if me.n_hand > 0:
        return True
    if box.options.hand_limit_only == 1:
        return False
    if me.n_table > 0 or me.n_traps > 0:
        return True
    for card in range(CARDS):
        if me.shown[card] > 0 and box.card[card].type == MIRACLE:
            return True
    return False


@rule
def dismiss(box: Box, state: State, events: Events, seat: int, spot: int) -> None:
    """9.1: a unit is given up; nobody mourns it."""
    tell(events, E.dismissed, seat, spot)
    remove_unit(box, state, seat, spot)
    go_on(state)


@rule
def why_not_drop(box: Box, state: State, seat: int, card: int) -> int:
    """9.2: a card of the hand."""
    if state.seats[seat].hand[card] <= 0:
        return R.not_in_hand
    return R.fine


@rule
def do_drop(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """9.2: a card from the hand."""
    leave_hand(state, seat, card)
    tell(events, E.dropped, seat, card)
    note_drop(state, card)


@rule
def why_not_drop_card(box: Box, state: State, seat: int, slot: int) -> int:
    """9.2, 15.6: a card on the table; of equal ones the first."""
    if box.options.hand_limit_only == 1:
        return R.hand_only
    if slot >= state.seats[seat].n_table:
        return R.not_on_table
    if is_like_earlier(state, seat, slot):
        return R.alike
    return R.fine


@rule
def allow_drop_card(box: Box, state: State, seat: int, out: Legal) -> None:
    """9.2: the same, card by card."""
    for slot in range(state.seats[seat].n_table):
        if why_not_drop_card(box, state, seat, slot) == R.fine:
            allow(out, A.drop_card + slot)


@rule
def do_drop_card(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """9.2: a Table card; whoever stands on it goes home."""
    card = take_off_table(box, state, seat, slot)
    tell(events, E.dropped_card, seat, card, slot)
    note_drop(state, card)


@rule
def why_not_drop_trap(box: Box, state: State, seat: int, hole: int) -> int:
    """9.2, 15.6: a Trap; of equal ones the first."""
    if box.options.hand_limit_only == 1:
        return R.hand_only
    if hole >= state.seats[seat].n_traps:
        return R.no_trap
    if is_trap_like_earlier(box, state, seat, hole, True):
        return R.alike
    return R.fine


@rule
def do_drop_trap(box: Box, state: State, events: Events, seat: int, hole: int) -> None:
    """9.2: a Trap."""
    card = take_up_trap(box, state, seat, hole)
    tell(events, E.dropped_trap, seat, card, hole)
    note_drop(state, card)


@rule
def why_not_drop_miracle(box: Box, state: State, seat: int, card: int) -> int:
    """9.2, 15.6: a Miracle on the table; a Permanent stays."""
    if box.options.hand_limit_only == 1:
        return R.hand_only
    if state.seats[seat].shown[card] == 0:
        return R.not_on_table
    if box.card[card].type != MIRACLE:
        return R.stays
    return R.fine


@rule
def do_drop_miracle(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """9.2: a Miracle; it has been played all the same (14.4)."""
    state.seats[seat].shown[card] -= 1
    tell(events, E.dropped_miracle, seat, card)
    note_drop(state, card)


@rule
def note_drop(state: State, card: int) -> None:
    """9.2: it goes to the discards of its deck."""
    state.discards[card] += 1
    go_on(state)
