"""Personas of Bellum se ipsum alet (`bots.persona`): bots that each follow one plan, to try newer bots against.

The peacemaker never attacks and never answers an attack; the brawler attacks whenever possible and commits all that is allowed, the gambler
half of that; the coward commits nothing; the miser feeds as few tokens as the rules allow, the quartermaster as many; the homebody ends the
moves as soon as the rules allow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, first_from, has, want_range
from sutler.core.rule import rule as plan
from sutler.games.bellum.box import FEEDS, FORCES, LEADERS
from sutler.games.bellum.phases_actions_events import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Bits
    from sutler.games.bellum.records import Box, State

PLANS = (
    "peacemaker",
    "brawler",
    "gambler",
    "coward",
    "miser",
    "quartermaster",
    "homebody",
)
PEACE, BRAWL, GAMBLE, COWARD, MISER, FEEDER, HOME = range(len(PLANS))


@plan
def last_legal_action(first_action: int, n_actions: int, legal: Bits) -> int:
    """The last legal action of the `n_actions` actions that begin with `first_action`; -1 if none of them is legal."""
    found = -1
    for action in range(first_action, first_action + n_actions):
        if has(legal, action):
            found = action
    return found


@plan
def want_commitment(state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the commitment that a persona wants in a battle (8.1); `persona`: the index of its plan in PLANS."""
    most = last_legal_action(A.commit, FORCES, legal)
    if persona == PEACE or persona == COWARD:
        want_range(A.commit, 1, legal, out)
    elif persona == BRAWL:
        want_range(most, 1, legal, out)
    elif persona == GAMBLE:
        want_range(A.commit + (most - A.commit + 1) // 2, 1, legal, out)


@plan
def want_feeding(persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the number of tokens that a persona wants to feed: the fewest or the most allowed (11.1, 11.4)."""
    if persona == MISER:
        least = first_from(legal, A.feed)
        if 0 <= least < A.feed + FEEDS:
            add(out, least)
    elif persona == FEEDER:
        most = last_legal_action(A.feed, FEEDS, legal)
        if most >= 0:
            add(out, most)


@plan
def wants(box: Box, state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the legal actions that a persona would take in this position; `persona`: the index of its plan in PLANS."""
    if state.phase == P.attack:
        if persona == PEACE:
            want_range(A.hold, 1, legal, out)
        elif persona == BRAWL or persona == GAMBLE:
            want_range(A.attack, LEADERS, legal, out)
    elif state.phase == P.commit or state.phase == P.answer:
        want_commitment(state, persona, legal, out)
    elif state.phase == P.feed:
        want_feeding(persona, legal, out)
    elif state.phase == P.move and persona == HOME:
        want_range(A.end_moves, 1, legal, out)
