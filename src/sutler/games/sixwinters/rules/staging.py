"""The staged progress cards (guide 6.6, 8.5): the deck, the row, and the obstacle that the lowest card brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import STAGED, STAGES
from sutler.games.sixwinters.rules.common import region_of
from sutler.games.sixwinters.rules.difficulty import matches
from sutler.games.sixwinters.rules.land import draw_obstacle, place, refill_draw
from sutler.games.sixwinters.state import CARD_DISCARD, IN_DECK, ON_STAGE
from sutler.games.sixwinters.vocabulary import DO, operation

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


@rule
def n_in_deck(box: Box, state: State, stage: int) -> int:
    """6.6: how many cards of a stage are in its deck."""
    n = 0
    for card in range(box.n_cards):
        if state.card_at[card] == IN_DECK and box.card[card].stage == stage:
            n += 1
    return n


@rule
def has_deck(box: Box, state: State, stage: int) -> bool:
    """6.6: is a card of a stage left in its deck?"""
    for card in range(box.n_cards):
        if state.card_at[card] == IN_DECK and box.card[card].stage == stage:
            return True
    return False


@rule
def next_stage(box: Box, state: State) -> None:
    """6.6: when the deck has run out, the next stage's comes; the last stage is made anew from its discards."""
    while not has_deck(box, state, state.stage_no) and state.stage_no < STAGES:
        state.stage_no += 1
    if not has_deck(box, state, state.stage_no):
        for card in range(box.n_cards):
            if state.card_at[card] == CARD_DISCARD and box.card[card].stage == state.stage_no:
                state.card_at[card] = IN_DECK


@rule
def any_in_deck(box: Box, state: State, stage: int) -> int:
    """6.6: a card of a stage that is in its deck, at random: nobody knows the order. NOBODY when there is none."""
    n = n_in_deck(box, state, stage)
    if n == 0:
        return NOBODY
    k = below(state, n)
    for card in range(box.n_cards):
        if state.card_at[card] == IN_DECK and box.card[card].stage == stage:
            if k == 0:
                return card
            k -= 1
    return NOBODY


@rule
def draw_card(box: Box, state: State) -> int:
    """6.6: a card of the present stage leaves the deck; NOBODY when there is none."""
    next_stage(box, state)
    card = any_in_deck(box, state, state.stage_no)
    if card != NOBODY:
        state.card_at[card] = ON_STAGE
        next_stage(box, state)
    return card


@rule
def refill_staging(box: Box, state: State) -> None:
    """6.6: cards slide down, new ones come on top."""
    at = STAGED - 1
    for i in range(STAGED - 1, -1, -1):
        card = state.staged[i]
        if card >= 0:
            state.staged[i] = NOBODY
            state.staged[at] = card
            at -= 1
    while at >= 0:
        card = draw_card(box, state)
        if card == NOBODY:
            return
        state.staged[at] = card
        at -= 1


@rule
def discard_staged(state: State, i: int) -> None:
    """8.5: a staged card is discarded."""
    if state.staged[i] >= 0:
        state.card_at[state.staged[i]] = CARD_DISCARD
        state.staged[i] = NOBODY


@rule
def bottom_staged(state: State) -> int:
    """8.5: the lowest staged card's place; NOBODY when there is none."""
    for i in range(STAGED - 1, -1, -1):
        if state.staged[i] >= 0:
            return i
    return NOBODY


@operation("redirect_new_obstacles", needs="deck tags to", holds=True)
@rule
def place_new(box: Box, state: State, events: Events) -> None:
    """8.5, 14.52, 14.65: one obstacle at the slot of the bottom staged card, which is discarded."""
    i = bottom_staged(state)
    if i == NOBODY:
        return
    slot = int(box.card[state.staged[i]].slot)
    discard_staged(state, i)
    region = region_of(box, slot)
    card = draw_obstacle(state, region)
    if card == NOBODY:
        return
    for k in range(state.n_ruled):
        row = state.ruled[k]
        op = box.ops[row.op]
        if (
            op.op == DO.redirect_new_obstacles
            and op.deck == region
            and row.slot >= 0
            and matches(box, card, op.tags, NOBODY, NOBODY)
        ):
            slot = int(row.slot)
    place(box, state, events, card, slot)
    refill_draw(state, region)
