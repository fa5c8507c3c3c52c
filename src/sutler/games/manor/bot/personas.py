"""Personas of Medieval Manor (`bots.persona`): bots that take whatever actions one hand-written plan wants, a plan for each way to play.

The farmer plays cards that yield crops, the herdsman animals, the merchant gold, the mason resources; the pilgrim wants victory tokens, the
builder upgrades, the bandit other seats' goods; the patriarch takes in every peasant; the pedlar offers and accepts every deal; the miser
makes none, and plays cards rather than sell them; the lord plays on the castle.
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
from sutler.games.manor.phases_actions_events import A, P

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
"""The token that each of the first six personas wants, in the order of PLANS."""


@plan
def wants_card(box: Box, persona: int, card: int) -> bool:
    """Does the persona with index `persona` of PLANS want to play or keep this card?"""
    one = box.card[card]
    if persona <= PATRIARCH:
        return one.type == BOUNTY and one.gain[LIVING[persona]] > 0
    if persona == BUILD:
        return one.type == UPGRADE
    if persona == ROB:
        return one.steal.there == 1
    return persona == LORD and int(one.on) >> CASTLE & 1 == 1


@plan
def want_suiting_cards(box: Box, persona: int, first_action: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the legal actions on cards that the persona wants.

    `first_action` is the first action of a block with one for each card.
    """
    action = first_from(legal, first_action)
    while 0 <= action < first_action + CARDS:
        if wants_card(box, persona, action - first_action):
            add(out, action)
        action = first_from(legal, action + 1)


@plan
def want_castle(box: Box, state: State, legal: Bits, out: Bits) -> None:
    """Add to `out` the legal actions that play the chosen card on a castle (5.7)."""
    for land in range(LANDS):
        if box.land[land].kind == CASTLE and has(legal, A.on + land):
            add(out, A.on + land)


@plan
def wants(box: Box, state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the legal actions that the persona with index `persona` of PLANS would take."""
    if state.phase == P.work:
        if persona == MISER:
            want_range(A.place, CARDS, legal, out)
        else:
            want_suiting_cards(box, persona, A.place, legal, out)
    elif state.phase == P.keep:
        want_suiting_cards(box, persona, A.keep, legal, out)
    elif state.phase == P.choose_land and persona == LORD:
        want_castle(box, state, legal, out)
    elif state.phase == P.offer and persona == MISER:
        want_range(A.done, 1, legal, out)
    elif state.phase == P.offer and persona == PEDLAR:
        want_range(A.offer, SEATS, legal, out)
    elif state.phase == P.answer and persona == MISER:
        want_range(A.decline, 1, legal, out)
    elif state.phase == P.answer and persona == PEDLAR:
        want_range(A.accept, 1, legal, out)
    elif state.phase == P.grow and persona == PATRIARCH:
        want_range(A.grow, 1, legal, out)
    elif state.phase == P.convert and persona == PATRIARCH and box.card[state.card].convert.give[PEASANTS] > 0:
        want_range(A.done, 1, legal, out)
