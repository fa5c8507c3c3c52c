"""The knowledge of a seat of Medieval Manor that no field shows, and redeals.

All hands are open (guide 3.7). Hidden are the order of the deck and the dice, both in the generator, and which
hardships were left out of the game (9.2): cards that may be either are shown as cards that may still come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import add, clear, count, first_from, mark_set, merge, remove
from sutler.core.chance import below
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Numbers
    from sutler.games.manor.records import Box, State


@rule
def see_deck(box: Box, state: State, seat: int, of: int, out: Numbers, at: int) -> None:
    """9.2: the cards that may come: those of the deck, and with them the hardships left out unseen."""
    is_mixed = box.options.hardship_deck == 0 and not are_boxed_known(state)
    may_come(state.deck, state.boxed, is_mixed, out, at)


@rule
def see_hardships(box: Box, state: State, seat: int, of: int, out: Numbers, at: int) -> None:
    """9.3: the hardships that may come, where they are a deck of their own, with those left out unseen."""
    is_mixed = box.options.hardship_deck == 1 and not are_boxed_known(state)
    may_come(state.hardships, state.boxed, is_mixed, out, at)


@rule
def are_boxed_known(state: State) -> bool:
    """9.2: once every hardship of this game has been seen, all others are known to be left out."""
    return count(state.unseen) == count(state.boxed)


@rule
def may_come(cards: Bits, boxed: Bits, is_mixed: bool, out: Numbers, at: int) -> None:
    """A 1 for each of these cards, and for each boxed one if nobody can tell them apart."""
    mark_set(out, at, cards)
    if is_mixed:
        mark_set(out, at, boxed)


@rule
def redeal(box: Box, state: State, seat: int, luck: Any) -> None:
    """9.2: any of the hardships not yet seen may be the ones left out. A deck without order is a set (3.7)."""
    missing = count(state.boxed)
    if missing == 0:
        return
    if box.options.hardship_deck == 1:
        merge(state.hardships, state.boxed)
    else:
        merge(state.deck, state.boxed)
    clear(state.boxed)
    left = count(state.unseen)
    card = first_from(state.unseen, 0)
    while card >= 0:
        if below(luck, left) < missing:
            missing -= 1
            remove(state.deck, card)
            remove(state.hardships, card)
            add(state.boxed, card)
        left -= 1
        card = first_from(state.unseen, card + 1)
