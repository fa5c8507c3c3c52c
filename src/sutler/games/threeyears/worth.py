"""What things are worth in Three Years of War, in points, for bots: steps of a track, cards in hand, icons, claim cards, Despair.

The numbers were found by playing: many games with slightly other numbers, and a step towards those that did better, against the bots
before and against a bidder that never looks at the claims; then rounded. Hands count by their number and tokens by their mean,
unless the seat has seen them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sutler.core.bits import count, first_from, has
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.box import (
    CASUALTY,
    DEATH,
    DESPAIR,
    DRAW,
    FOOD,
    GOLD,
    HOLDINGS,
    HOPE,
    LOCUSTS,
    RATS,
    RENOWN,
    RUIN,
    SCOUT,
    SEASONS,
    SEATS,
    SIEGE,
    SOLDIERS,
    THIEF,
    WRIT,
)

if TYPE_CHECKING:
    from sutler.core.typing import Row
    from sutler.games.threeyears.records import Box, State

    Worths = tuple[float, float, float, float, float]

FIRST_STEP = 1.12
FLATTER = 0.25
"""The n-th step of a track is worth FIRST_STEP / (1 + n * FLATTER) over a whole war: it buys, it ranks, it keeps Despair away."""
CARD = 1.58
HANDFUL = 11.8
"""The first card of a hand is worth CARD over a whole war, one of HANDFUL more a third of that."""
HOPE_SHARE = 0.54  # of a mean Despair
WRIT_WORTH = 0.96
SCOUT_WORTH = 0.27
HIT = 0.41  # what it is worth to take a step from somebody else
BLIGHT = 1.15  # what a locust costs its chooser, after what it costs the others
GONE = -1000.0  # less than any claim card brings


@rule
def seasons_left(box: Box, state: State) -> float:
    """How many claims are still to come after this one, as a share of the war."""
    left = (box.options.years - state.year) * SEASONS - state.season - 1
    return left / (box.options.years * SEASONS)


@rule
def step_worth(box: Box, level: int) -> float:
    """The next step up from a level."""
    if level >= box.rules.track_max:
        return 0.0
    return FIRST_STEP / (1.0 + FLATTER * level)


@rule
def track_worth(box: Box, level: int) -> float:
    """All steps up to a level."""
    total = 0.0
    for i in range(level):
        total += step_worth(box, i)
    return total


@rule
def change_worth(box: Box, level: int, n: int, mean: float) -> float:
    """What n steps up or down are worth; steps down from nothing cost a Despair each."""
    total = 0.0
    while n > 0:
        total += step_worth(box, level)
        level = min(level + 1, int(box.rules.track_max))
        n -= 1
    while n < 0:
        if level > 0:
            level -= 1
            total -= step_worth(box, level)
        else:
            total -= mean
        n += 1
    return total


@rule
def hand_worth(n: float) -> float:
    """Cards in hand over a whole war: each is worth less than the one before."""
    return CARD * HANDFUL * (1.0 - math.exp(-n / HANDFUL))


@rule
def icons_worth(box: Box, state: State, seat: int, icons: Row[int], share: float) -> float:
    """What a set of icons would bring the seat. `share` says how much tracks still matter."""
    me = state.seats[seat]
    mean = box.mean_despair
    total = 1.0 * icons[RENOWN] - mean * icons[DESPAIR]
    total += share * change_worth(box, int(me.tracks[GOLD]), icons[GOLD] + icons[THIEF], mean)
    total += share * change_worth(box, int(me.tracks[SOLDIERS]), icons[SOLDIERS] - icons[DEATH], mean)
    total += share * change_worth(box, int(me.tracks[FOOD]), icons[FOOD] - icons[RATS], mean)
    total += share * change_worth(box, int(me.tracks[HOLDINGS]), icons[HOLDINGS] - icons[RUIN], mean)
    total += HIT * share * (icons[CASUALTY] + icons[SIEGE] + icons[THIEF])
    total += HOPE_SHARE * mean * icons[HOPE] + WRIT_WORTH * icons[WRIT] + SCOUT_WORTH * share * icons[SCOUT]
    if icons[DRAW] > 0:
        n = 1.0 * count(me.hand)
        total += (hand_worth(n + icons[DRAW]) - hand_worth(n)) * seasons_left(box, state)
    return total - BLIGHT * share * icons[LOCUSTS]


@rule
def slot_worth(box: Box, state: State, seat: int, slot: int, share: float) -> float:
    """What a claim card with its stakes would bring the seat."""
    total = icons_worth(box, state, seat, box.claim[state.offer[slot]].icons, share)
    stakes = state.tied[slot]
    card = first_from(stakes, 0)
    while card >= 0:
        total += icons_worth(box, state, seat, box.card[card].icons, share)
        card = first_from(stakes, card + 1)
    return total


@rule
def worth_if_free(box: Box, state: State, seat: int, slot: int, share: float) -> float:
    """What a claim card still to be drafted would bring; GONE where there is none."""
    if slot >= state.n_seats or state.taker[slot] != NOBODY:
        return GONE
    return slot_worth(box, state, seat, slot, share)


@rule
def free_worths(box: Box, state: State, seat: int, share: float) -> Worths:
    """The same for every slot."""
    return (
        worth_if_free(box, state, seat, 0, share),
        worth_if_free(box, state, seat, 1, share),
        worth_if_free(box, state, seat, 2, share),
        worth_if_free(box, state, seat, 3, share),
        worth_if_free(box, state, seat, 4, share),
    )


@rule
def nth_best(worths: Worths, place: int) -> float:
    """What is likely to be left at a place of the draft, counted among the claims still there: the place-th best."""
    for slot in range(SEATS):
        ahead = 0
        for other in range(SEATS):
            if worths[other] > worths[slot] or (worths[other] == worths[slot] and other < slot):
                ahead += 1
        if ahead == place and worths[slot] != GONE:
            return worths[slot]
    return 0.0


@rule
def despair_worth(box: Box, state: State, seat: int, viewer: int) -> float:
    """What a seat's Despair and Doom are likely to cost, by what the viewer has seen; Hope takes some away."""
    me = state.seats[seat]
    n = count(me.despair)
    cost = box.mean_despair * n
    token = first_from(me.despair, 0)
    while token >= 0:
        if has(state.seats[viewer].seen_despair, token):
            cost += state.despair_face[token] - box.mean_despair
        token = first_from(me.despair, token + 1)
    if n > 0:
        cost -= min(int(me.hope), n) * cost / n
    unused = max(0, int(me.hope) - n)
    return cost - 0.5 * unused * HOPE_SHARE * box.mean_despair + int(me.doom) * box.rules.doom_value
