"""Personas of Medieval Manor (`bots.persona`): one for every living that the map offers.

The farmer plays whatever grows, the herdsman whatever grazes, the merchant what brings gold, the mason what brings resources; the
patriarch takes in every peasant he can; the builder wants upgrades, the pilgrim victory tokens, the bandit other people's goods; the
pedlar offers and takes every deal, the miser none, and plays cards where he could sell them; the lord plays on the castle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, first_from, has, want_range
from sutler.core.rule import rule as plan
from sutler.games.manor.box import (
    ANIMALS,
    BOUNTY,
    CARDS,
    CASTLE,
    CROPS,
    GOLD,
    LANDS,
    PEASANTS,
    RESOURCES,
    SEATS,
    UPGRADE,
    VICTORY,
)
from sutler.games.manor.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Bits
    from sutler.games.manor.records import Box, State

PLANS = (
    "farmer",
    "herdsman",
    "merchant",
    "mason",
    "pilgrim",
    "patriarch",
    "builder",
    "bandit",
    "lord",
    "pedlar",
    "miser",
)
FARM, HERD, TRADE, MASON, PILGRIM, PATRIARCH, BUILD, ROB, LORD, PEDLAR, MISER = range(len(PLANS))
LIVING = (CROPS, ANIMALS, GOLD, RESOURCES, VICTORY, PEASANTS)
"""The token that each of the first six personas lives on, in the order of PLANS."""


@plan
def wants_card(box: Box, who: int, card: int) -> bool:
    """Does this persona want the card?"""
    one = box.card[card]
    if who <= PATRIARCH:
        return one.type == BOUNTY and one.gain[LIVING[who]] > 0
    if who == BUILD:
        return one.type == UPGRADE
    if who == ROB:
        return one.steal.there == 1
    return who == LORD and int(one.on) >> CASTLE & 1 == 1


@plan
def want_suiting(box: Box, who: int, first: int, legal: Bits, out: Bits) -> None:
    """Mark the actions on cards that the persona wants, in a block of actions that name cards."""
    action = first_from(legal, first)
    while 0 <= action < first + CARDS:
        if wants_card(box, who, action - first):
            add(out, action)
        action = first_from(legal, action + 1)


@plan
def want_castle(box: Box, state: State, legal: Bits, out: Bits) -> None:
    """5.7: mark laying the card on the castle, where it can lie there, for the lord."""
    for land in range(LANDS):
        if box.land[land].kind == CASTLE and has(legal, A.on + land):
            add(out, A.on + land)


@plan
def wants(box: Box, state: State, who: int, legal: Bits, out: Bits) -> None:
    """Mark the actions that the persona would take here."""
    if state.phase == P.work:
        if who == MISER:
            want_range(A.place, CARDS, legal, out)
        else:
            want_suiting(box, who, A.place, legal, out)
    elif state.phase == P.keep:
        want_suiting(box, who, A.keep, legal, out)
    elif state.phase == P.choose_land and who == LORD:
        want_castle(box, state, legal, out)
    elif state.phase == P.offer and who == MISER:
        want_range(A.done, 1, legal, out)
    elif state.phase == P.offer and who == PEDLAR:
        want_range(A.offer, SEATS, legal, out)
    elif state.phase == P.answer and who == MISER:
        want_range(A.decline, 1, legal, out)
    elif state.phase == P.answer and who == PEDLAR:
        want_range(A.accept, 1, legal, out)
    elif state.phase == P.grow and who == PATRIARCH:
        want_range(A.grow, 1, legal, out)
    elif state.phase == P.convert and who == PATRIARCH and box.card[state.card].convert.give[PEASANTS] > 0:
        want_range(A.done, 1, legal, out)
