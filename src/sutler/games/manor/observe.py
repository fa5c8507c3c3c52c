"""Hidden information in Medieval Manor: what a seat may know of fields that it cannot see, and how hidden cards are dealt again at random.

All hands are open (guide 3.7). Hidden are the order of the deck and the dice, which both come from the random number generator, and which
hardships were left out of the game (9.2). A hardship that may be left out is shown as a card that may still come.
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
def observe_element_deck(box: Box, state: State, seat: int, owner: int, out: Numbers, index: int) -> None:
    """Write 1 into `out`, from `index` on, for each card that may be in the deck: its cards, and hardships that may be left out (9.2)."""
    is_mixed = box.options.hardship_deck == 0 and not are_left_out_hardships_known(state)
    mark_possible_cards(state.deck, state.boxed, is_mixed, out, index)


@rule
def observe_element_hardships(box: Box, state: State, seat: int, owner: int, out: Numbers, index: int) -> None:
    """Write 1 into `out`, from `index` on, for each hardship that may still come from a deck of its own (9.3) or may be left out."""
    is_mixed = box.options.hardship_deck == 1 and not are_left_out_hardships_known(state)
    mark_possible_cards(state.hardships, state.boxed, is_mixed, out, index)


@rule
def are_left_out_hardships_known(state: State) -> bool:
    """Does everybody know which hardships were left out of this game, because all that are in it have been seen (9.2)?"""
    return count(state.unseen) == count(state.boxed)


@rule
def mark_possible_cards(cards: Bits, left_out: Bits, is_mixed: bool, out: Numbers, index: int) -> None:
    """Write 1 into `out`, from `index` on, for each card of the set `cards`.

    If `is_mixed`, do so for the cards of `left_out`, the hardships left out, too.
    """
    mark_set(out, index, cards)
    if is_mixed:
        mark_set(out, index, left_out)


@rule
def redeal(box: Box, state: State, seat: int, luck: Any) -> None:
    """Choose again at random, in place, which of the hardships not yet seen are left out, all choices being equally likely (9.2).

    `luck` is a source of random numbers. Hands and deck stay as they are; the order of the deck needs no redeal, since the
    deck is a set, drawn from at random (3.7).
    """
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
