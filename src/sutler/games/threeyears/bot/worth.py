"""The worth of things in Three Years of War, in points, for bots: steps of a track, cards in hand, icons, claim cards, Despair.

`NUMBERS` is the record of the tuned numbers, `NUMBERS_NOW` the row that `evaluate.py` uses; the parameter `by` is always such a row. They
were found by playing many games against a league with slightly different numbers, stepping towards those that did better, and rounding.
Hands count by their number of cards and tokens by their mean, unless the seat has seen them. `share` is the share (0 to 1) of their full
worth that tracks still have.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sutler.core.bits import count, first_from, has
from sutler.core.record import NOBODY, build_weights, field, record
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
    STEPS,
    THIEF,
    WRIT,
)

if TYPE_CHECKING:
    from sutler.core.typing import Row
    from sutler.games.threeyears.records import Box, State

    class Numbers:
        """One row of tuned numbers, as typed in NUMBERS."""

        step: Row[float]
        draw: float
        card: float
        handful: float
        hope: float
        writ: float
        scout: float
        hit: float
        blight: float

    Worths = tuple[float, float, float, float, float]

NUMBERS = record(
    "Numbers",
    field("step", "f8", STEPS),  # each step of a track over a whole war, as it buys, ranks and keeps Despair away
    ("draw", "f8"),  # a card to draw, for any hand
    ("card", "f8"),  # the first card of a hand over a whole war
    ("handful", "f8"),  # how slowly further cards lose worth: after this many, one is worth 1/e of the first
    ("hope", "f8"),  # the share of a mean Despair that a Hope token is worth
    ("writ", "f8"),
    ("scout", "f8"),
    ("hit", "f8"),  # taking a step from another seat
    ("blight", "f8"),  # the cost of a locust to the seat that chooses, less what it costs the others
)


FIRST_STEP = 5.0  # the step that stands between a loss and a Despair
STEP, FLATTER = 1.2, 0.1
NUMBERS_NOW: Numbers = build_weights(
    NUMBERS,
    step=[FIRST_STEP, *(STEP / (1.0 + FLATTER * level) for level in range(1, STEPS))],
    draw=0.0,
    card=4.9,
    handful=65.0,
    hope=0.39,
    writ=1.1,
    scout=2.1,
    hit=0.12,
    blight=0.65,
)
NO_CLAIM = -1000.0  # less than any claim card brings


@rule
def share_of_seasons_left(box: Box, state: State) -> float:
    """The share (0 to 1) of the war's seasons that come after this one."""
    left = (box.options.years - state.year) * SEASONS - state.season - 1
    return left / (box.options.years * SEASONS)


@rule
def step_worth(box: Box, weights: Numbers, level: int) -> float:
    """The worth of the next step up from a level of a track, in points; 0 at the top."""
    if level >= box.rules.track_max:
        return 0.0
    return weights.step[level]


@rule
def track_worth(box: Box, weights: Numbers, level: int) -> float:
    """The worth of all steps of a track from its bottom to a level, in points."""
    total = 0.0
    for i in range(level):
        total += step_worth(box, weights, i)
    return total


@rule
def worth_of_track_steps(box: Box, weights: Numbers, level: int, n_steps: int, despair_cost: float) -> float:
    """The worth of `n_steps` steps up from a level of a track (below 0: down), in points.

    Each step down from level 0 costs `despair_cost`, the cost of a Despair.
    """
    total = 0.0
    while n_steps > 0:
        total += step_worth(box, weights, level)
        level = min(level + 1, int(box.rules.track_max))
        n_steps -= 1
    while n_steps < 0:
        if level > 0:
            level -= 1
            total -= step_worth(box, weights, level)
        else:
            total -= despair_cost
        n_steps += 1
    return total


@rule
def hand_worth(weights: Numbers, n_cards: float) -> float:
    """The worth of `n_cards` cards in hand over a whole war; each card is worth less than the one before."""
    return weights.card * weights.handful * (1.0 - math.exp(-n_cards / weights.handful))


@rule
def icons_worth(box: Box, state: State, weights: Numbers, seat: int, icons: Row[int], share_left: float) -> float:
    """The worth to a seat of a number of each icon, in points; `icons`: an array in the order of the icons."""
    me = state.seats[seat]
    mean = box.mean_despair
    total = 1.0 * icons[RENOWN] - mean * icons[DESPAIR]
    total += share_left * worth_of_track_steps(box, weights, int(me.tracks[GOLD]), icons[GOLD] + icons[THIEF], mean)
    total += share_left * worth_of_track_steps(
        box, weights, int(me.tracks[SOLDIERS]), icons[SOLDIERS] - icons[DEATH], mean
    )
    total += share_left * worth_of_track_steps(box, weights, int(me.tracks[FOOD]), icons[FOOD] - icons[RATS], mean)
    total += share_left * worth_of_track_steps(
        box, weights, int(me.tracks[HOLDINGS]), icons[HOLDINGS] - icons[RUIN], mean
    )
    total += weights.hit * share_left * (icons[CASUALTY] + icons[SIEGE] + icons[THIEF])
    total += weights.hope * mean * icons[HOPE] + weights.writ * icons[WRIT] + weights.scout * share_left * icons[SCOUT]
    if icons[DRAW] > 0:
        n = 1.0 * count(me.hand)
        total += weights.draw * share_left * icons[DRAW]
        total += (hand_worth(weights, n + icons[DRAW]) - hand_worth(weights, n)) * share_of_seasons_left(box, state)
    return total - weights.blight * share_left * icons[LOCUSTS]


@rule
def claim_in_slot_worth(box: Box, state: State, weights: Numbers, seat: int, slot: int, share_left: float) -> float:
    """The worth to a seat of the claim card in a slot and of the stakes on it, in points."""
    total = icons_worth(box, state, weights, seat, box.claim[state.offer[slot]].icons, share_left)
    stakes = state.tied[slot]
    card = first_from(stakes, 0)
    while card >= 0:
        total += icons_worth(box, state, weights, seat, box.card[card].symbols, share_left)
        card = first_from(stakes, card + 1)
    return total


@rule
def worth_if_free(box: Box, state: State, weights: Numbers, seat: int, slot: int, share_left: float) -> float:
    """The worth to a seat of the claim card in a slot, in points; NO_CLAIM where somebody has drafted it."""
    if slot >= state.n_seats or state.taker[slot] != NOBODY:
        return NO_CLAIM
    return claim_in_slot_worth(box, state, weights, seat, slot, share_left)


@rule
def worths_of_free_claims(box: Box, state: State, weights: Numbers, seat: int, share_left: float) -> Worths:
    """The worth to a seat of the claim card in each of the five slots, in points; NO_CLAIM where none is left to draft."""
    return (
        worth_if_free(box, state, weights, seat, 0, share_left),
        worth_if_free(box, state, weights, seat, 1, share_left),
        worth_if_free(box, state, weights, seat, 2, share_left),
        worth_if_free(box, state, weights, seat, 3, share_left),
        worth_if_free(box, state, weights, seat, 4, share_left),
    )


@rule
def worth_at_draft_place(worths: Worths, place: int) -> float:
    """The worth of the claim card that is left for the draft's place `place` (from 0) if the best are taken first; 0 if there is none."""
    for slot in range(SEATS):
        ahead = 0
        for other in range(SEATS):
            if worths[other] > worths[slot] or (worths[other] == worths[slot] and other < slot):
                ahead += 1
        if ahead == place and worths[slot] != NO_CLAIM:
            return worths[slot]
    return 0.0


@rule
def despair_worth(box: Box, state: State, weights: Numbers, seat: int, viewer: int) -> float:
    """The expected cost of a seat's Despair and Doom, in points, less what Hope takes away, by what `viewer` can know."""
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
    return cost - 0.5 * unused * weights.hope * box.mean_despair + int(me.doom) * box.rules.doom_value
