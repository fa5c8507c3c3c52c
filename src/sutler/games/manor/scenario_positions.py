"""Fill in the fields of a Medieval Manor position that a scenario file leaves out."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sutler.core.bits import add, has, members
from sutler.core.record import NOBODY
from sutler.games.manor.box import LANDS, S
from sutler.games.manor.phases_actions_events import STAGE_OF, P


def complete(box: Any, state: Any, written: Collection[str]) -> None:
    """Fill in the fields that a scenario file leaves out: owners of cards on lands, the stage, and the seats' progress in the phase.

    `written` names the fields that the file sets. Cards that the file puts nowhere go to the deck; if the file lists the deck, to the
    discards.
    """
    if "stage" not in written and state.phase not in (P.moving, P.over):
        state.stage = STAGE_OF[state.phase]
    if "first" not in written:
        state.first = state.lord
    if "kth" not in written and state.phase != P.answer:
        state.kth = (state.to_act - state.first) % state.n_seats
    if "step" not in written:
        state.step = {
            P.buy: 1,
            P.give_up: 1,
            P.keep: 1,
            P.swap: 2,
            P.swap_second: 2,
            P.feed: 1,
            P.grow: 1,
            P.grow_feed: 1,
        }.get(int(state.phase), 1 if state.stage == S.upgrade else 0)
    for land in range(LANDS):
        card = int(state.lies[land])
        if card != NOBODY:
            _set_card_owner(box, state, land, card)
    placed = [state.discards, state.removed, state.aside, state.hardships, state.boxed, state.table]
    placed += [cards for seat in state.seats for cards in (seat.hand, seat.upgrades)]
    for every in (box.deck, box.hardships):
        for card in members(every):
            if not has(state.deck, card) and not any(has(cards, card) for cards in placed):
                apart = box.options.hardship_deck == 1 and has(box.hardships, card)
                rest = state.discards if "deck" in written else state.deck
                add(state.hardships if apart else rest, card)
    for w in range(len(state.unseen)):
        state.unseen[w] &= state.deck[w] | state.hardships[w] | state.boxed[w]


def _set_card_owner(box: Any, state: Any, land: int, card: int) -> None:
    """Set the owner of the card on a land: the file's, else the seat that has the card as an upgrade, else the seat to act.

    The card is then put before the owner: among the upgrades, or a bounty on the table.
    """
    if state.owner[land] == NOBODY:
        having = [seat for seat in range(int(state.n_seats)) if has(state.seats[seat].upgrades, card)]
        state.owner[land] = having[0] if having else state.to_act
    add(state.table if has(box.bounties, card) else state.seats[state.owner[land]].upgrades, card)
