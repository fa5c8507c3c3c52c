"""Personas of Three Years of War (`bots.persona`): bots that each follow one simple plan stubbornly.

The claim-blind bidder never looks at the claim cards: it plays the smallest set until some seat has passed, then passes. The hermit passes
at once, the proud one never, the miser plays single cards only. The others bid like the greedy bot, and take the claim card and the
interlude offers that show most of what they want.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, count, first_from, has, want_range
from sutler.core.rule import rule as plan
from sutler.games.threeyears.box import (
    CASUALTY,
    DESPAIR,
    DOUBLES,
    DRAW,
    FOOD,
    GOLD,
    HOLDINGS,
    HOPE,
    OFFERS,
    RENOWN,
    ROWS,
    SCOUT,
    SEASONS,
    SIEGE,
    SOLDIERS,
    THIEF,
    WRIT,
)
from sutler.games.threeyears.phases_actions_events import A, P
from sutler.games.threeyears.rules.influence import icons_needed, n_in_set
from sutler.games.threeyears.state import n_seats_passed

if TYPE_CHECKING:
    from sutler.core.typing import Bits
    from sutler.games.threeyears.records import Box, State

PLANS = (
    "claim-blind",
    "hermit",
    "proud",
    "miser",
    "soldier",
    "farmer",
    "builder",
    "merchant",
    "raider",
    "spy",
    "pilgrim",
    "courtier",
    "hoarder",
)
BLIND, HERMIT, PROUD, MISER, SOLDIER, FARMER, BUILDER, MERCHANT, RAIDER, SPY, PILGRIM, COURTIER, HOARDER = range(
    len(PLANS)
)


@plan
def n_wanted_icons(box: Box, state: State, persona: int, claim: int) -> int:
    """The number of icons on a claim card that the persona wants; `persona`: the index of its plan in PLANS."""
    icons = box.claim[claim].icons
    if persona == SOLDIER:
        return int(icons[SOLDIERS])
    if persona == FARMER:
        return int(icons[FOOD])
    if persona == BUILDER:
        return int(icons[HOLDINGS])
    if persona == MERCHANT:
        return int(icons[GOLD] + icons[THIEF])
    if persona == RAIDER:
        return int(icons[CASUALTY] + icons[SIEGE] + icons[THIEF])
    if persona == SPY:
        return int(icons[SCOUT] + icons[WRIT])
    if persona == PILGRIM:
        return int(3 * icons[HOPE] - icons[DESPAIR])
    if persona == COURTIER:
        return int(icons[RENOWN])
    if persona == HOARDER:
        return int(icons[DRAW])
    return 0


@plan
def want_best_claims(box: Box, state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the claim cards with the most icons that the persona wants, among those left to draft (7.1)."""
    most = -100
    for slot in range(state.n_seats):
        if has(legal, A.draft + int(state.offer[slot])):
            most = max(most, n_wanted_icons(box, state, persona, int(state.offer[slot])))
    for slot in range(state.n_seats):
        claim = int(state.offer[slot])
        if has(legal, A.draft + claim) and n_wanted_icons(box, state, persona, claim) == most:
            add(out, A.draft + claim)


@plan
def smallest_set_action(state: State, legal: Bits) -> int:
    """The legal action that plays the set with the fewest cards (5.3); the action of passing if there is none."""
    fewest = 1000
    smallest = A.give_up
    for season in range(SEASONS):
        for doubles in range(DOUBLES):
            action = A.play + season * DOUBLES + doubles
            if has(legal, action):
                n = n_in_set(icons_needed(state, season), doubles)
                if n < fewest:
                    fewest = n
                    smallest = action
    return smallest


@plan
def want_bid(state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the bid or the pass that the persona makes without looking at the claim cards (5.2)."""
    smallest = smallest_set_action(state, legal)
    if persona == HERMIT or (persona == BLIND and n_seats_passed(state) >= 1):
        add(out, A.give_up)
    elif persona == PROUD or persona == BLIND:
        add(out, smallest)
    elif persona == MISER or persona == HOARDER:
        season = (smallest - A.play) // DOUBLES
        if smallest == A.give_up or n_in_set(icons_needed(state, season), (smallest - A.play) % DOUBLES) > 1:
            add(out, A.give_up)


@plan
def leading_rival(state: State, seat: int) -> int:
    """The seat with the most renown among the others."""
    best = -1
    for other in range(state.n_seats):
        if other != seat and (best < 0 or state.seats[other].renown > state.seats[best].renown):
            best = other
    return best


@plan
def wants(box: Box, state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the legal actions that the persona with index `persona` of PLANS would take."""
    seat = int(state.to_act)
    if state.phase == P.bid:
        want_bid(state, persona, legal, out)
    elif state.phase == P.draft and persona >= SOLDIER:
        want_best_claims(box, state, persona, legal, out)
    elif state.phase == P.target and persona == RAIDER:
        want_range(A.target + leading_rival(state, seat), 1, legal, out)
    elif state.phase == P.market and persona == MERCHANT:
        want_range(A.buy, ROWS, legal, out)
    elif state.phase == P.reap and (persona == FARMER or persona == MERCHANT):
        want_range(A.exchange, OFFERS, legal, out)
    elif state.phase == P.market and persona == MISER and count(legal) > 1:
        want_range(A.done, 1, legal, out)
    elif state.phase == P.look and persona == SPY:
        want_looks(legal, out)


@plan
def want_looks(legal: Bits, out: Bits) -> None:
    """Add to `out` every legal look of a scout (8.8)."""
    action = first_from(legal, 0)
    while action >= 0:
        if action != A.done and not (A.reveal <= action < A.keep):
            add(out, action)
        action = first_from(legal, action + 1)
