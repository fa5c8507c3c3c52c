"""Seasonal stakes (guide 6): gathering the cards played, and tying stakes to claim cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow, clear, count, count_both, first_from, has, merge, remove
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.threeyears.box import S
from sutler.games.threeyears.phases_actions_events import A, E, P, R
from sutler.games.threeyears.rules.common import start_stage

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.threeyears.records import Box, State

# Steps of this stage.
GATHER, TIE = range(2)


@rule
def gather(box: Box, state: State, events: Events) -> None:
    """6.1: of all cards played, those of the season with symbols become stakes; the others are discarded."""
    n = 0
    for seat in range(state.n_seats):
        me = state.seats[seat]
        n += count(me.shown) + count(me.spent)
        merge(state.discards, me.shown)
        merge(state.discards, me.spent)
        clear(me.shown)
        clear(me.spent)
    if n > 0:
        tell(events, E.cleared, n)


@rule
def is_stake(box: Box, state: State, card: int) -> bool:
    """6.1: a card of the season that carries symbols."""
    return has(box.symbols[state.season], card)


@rule
def find_stakes(box: Box, state: State, events: Events) -> None:
    """6.1: before the cards played are discarded, take the stakes out."""
    for seat in range(state.n_seats):
        me = state.seats[seat]
        for earlier in range(2):
            cards = me.shown
            if earlier == 1:
                cards = me.spent
            card = first_from(cards, 0)
            while card >= 0:
                if is_stake(box, state, card):
                    remove(cards, card)
                    add(state.loose, card)
                    tell(events, E.stake, card)
                card = first_from(cards, card + 1)
    if count(state.loose) == 0:
        tell(events, E.no_stakes)
    gather(box, state, events)


@rule
def is_loose(box: Box, state: State, kind: int) -> bool:
    """6.2: is a stake of this kind still to be assigned?"""
    return count_both(state.loose, box.kind[kind].cards) > 0


@rule
def why_not_stake(box: Box, state: State, seat: int, kind: int) -> int:
    """6.2: one of those not assigned yet."""
    if state.phase == P.stake and (kind >= box.n_kinds or not is_loose(box, state, kind)):
        return R.no_stake
    return R.fine


@rule
def slot_of(state: State, claim: int) -> int:
    """Where a claim card lies on the board; NOBODY when it does not."""
    for slot in range(state.n_seats):
        if state.offer[slot] == claim:
            return slot
    return NOBODY


@rule
def can_tie(state: State, slot: int) -> bool:
    """6.3: a claim card may take a stake when no other has fewer."""
    for other in range(state.n_seats):
        if count(state.tied[other]) < count(state.tied[slot]):
            return False
    return True


@rule
def proceed_stakes(box: Box, state: State, events: Events) -> None:
    """6.2: the lead player assigns one stake after another."""
    if state.step == GATHER:
        find_stakes(box, state, events)
        state.step = TIE
    if count(state.loose) == 0:
        start_stage(state, S.draft)
        return
    n = 0
    for kind in range(box.first_kind[state.season], box.first_kind[state.season + 1]):
        if is_loose(box, state, kind):
            n += 1
            state.kind = kind
    if n > 1:
        ask(state, P.stake, state.lead)
    else:
        choose_claim(box, state, events)


@rule
def choose_claim(box: Box, state: State, events: Events) -> None:
    """6.3: ask for the claim card where more than one may take the stake."""
    n = 0
    only = NOBODY
    for slot in range(state.n_seats):
        if can_tie(state, slot):
            n += 1
            only = slot
    if n > 1:
        ask(state, P.stake_on, state.lead)
    else:
        tie(box, state, events, only)


@rule
def do_stake(box: Box, state: State, events: Events, seat: int, kind: int) -> None:
    """6.2: this stake next."""
    state.kind = kind
    go_on(state)
    choose_claim(box, state, events)


@rule
def why_not_on(box: Box, state: State, seat: int, claim: int) -> int:
    """5.1, 6.3: a claim card on the board, and none of the others has fewer stakes."""
    slot = slot_of(state, claim)
    if slot == NOBODY:
        return R.not_offered
    if state.phase == P.stake_on and not can_tie(state, slot):
        return R.has_more_stakes
    return R.fine


@rule
def allow_on(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.3: the claim cards that may take a stake."""
    for slot in range(state.n_seats):
        if can_tie(state, slot):
            allow(out, A.on + int(state.offer[slot]))


@rule
def do_on(box: Box, state: State, events: Events, seat: int, claim: int) -> None:
    """6.2: the stake goes to this claim card."""
    tie(box, state, events, slot_of(state, claim))


@rule
def tie(box: Box, state: State, events: Events, slot: int) -> None:
    """6.2: the stake lies on this claim card."""
    card = first_from(state.loose, 0)
    while box.card[card].kind != state.kind:
        card = first_from(state.loose, card + 1)
    remove(state.loose, card)
    add(state.tied[slot], card)
    tell(events, E.tied, state.lead, card, state.offer[slot])
    go_on(state)


@rule
def clear_stakes(state: State, events: Events) -> None:
    """7.6: stakes go to the influence discard pile, claim cards face up under their deck."""
    n = 0
    for slot in range(state.n_seats):
        n += count(state.tied[slot])
        merge(state.discards, state.tied[slot])
        clear(state.tied[slot])
    if n > 0:
        tell(events, E.stakes_gone, n)
