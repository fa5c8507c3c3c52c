"""What a position of Three Years of War was worth to the first bots: the judgement of `classic-greedy`, kept for comparison.

They did not reckon with what staying in the bidding costs, nor with passing first; cards were worth less to them, Hope and Writs more,
and an interlude to come nothing; they looked at tokens on which nobody can act. The rest is judged as in `evaluate.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import count, first_from, forbid, has
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
    SIEGE,
    SOLDIERS,
    THIEF,
    TRACKS,
    WRIT,
    S,
)
from sutler.games.threeyears.evaluate import lead_at_the_end
from sutler.games.threeyears.scoring import bonus_of
from sutler.games.threeyears.state import writs_of
from sutler.games.threeyears.table import A, P
from sutler.games.threeyears.worth import GONE, nth_best, seasons_left

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Legal, Row
    from sutler.games.threeyears.records import Box, State
    from sutler.games.threeyears.worth import Worths

STEP = (1.30, 1.05, 0.90, 0.78, 0.68, 0.60, 0.54, 0.48, 0.44)
"""What the n-th step of a track is worth over a whole war: it buys, it ranks, and it keeps Despair away."""
LAST_STEP = 0.30
IDLE = 0.30  # of that, what is left when nothing but the bonus is to come
CARD = 0.55  # a card to draw
HAND = (0.95, 0.85, 0.75, 0.65, 0.55, 0.45, 0.36, 0.28, 0.20)
"""What the n-th card of a hand is worth at the start of the war; those beyond the limit hardly anything."""
SPARE_CARD = 0.05
HOPE_SHARE = 0.95  # of a mean Despair
WRIT_WORTH = 1.55
SCOUT_WORTH = 0.25
HIT = 0.45  # what it is worth to take a step from somebody else
BLIGHT = 1.1  # what a locust costs its chooser, after what it costs the others
LEAD = 0.35
OTHERS = 0.35  # how much the mean of the others counts
RIVAL = 0.45  # and how much the best of them


@rule
def step_worth(box: Box, level: int) -> float:
    """The next step up from a level."""
    if level >= box.rules.track_max:
        return 0.0
    if level < len(STEP):
        return STEP[level]
    return LAST_STEP


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
    return total + CARD * share * icons[DRAW] - BLIGHT * share * icons[LOCUSTS]


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
def stamina(state: State, seat: int) -> float:
    """How many more sets a seat might play, roughly."""
    return count(state.seats[seat].hand) / (1.0 + 0.6 * state.total)


@rule
def claim_worth(box: Box, state: State, seat: int, share: float) -> float:
    """What is to come from the claim cards of this season."""
    me = state.seats[seat]
    if state.stage == S.claims:
        if me.marker > state.kth + 1 or (me.marker == state.kth + 1 and state.step < 2):
            return slot_worth(box, state, seat, int(me.claim), share)
        if state.actor == seat:
            return icons_worth(box, state, seat, state.due, share)
        return 0.0
    if state.stage > S.claims:
        return 0.0
    if me.claim != NOBODY:
        return slot_worth(box, state, seat, int(me.claim), share)
    if me.marker != 0:
        before = 0
        for other in range(state.n_seats):
            if other != seat and 0 < state.seats[other].marker < me.marker and state.seats[other].claim == NOBODY:
                before += 1
        open_before = 0
        if state.stage == S.influence:
            for other in range(state.n_seats):
                if state.seats[other].marker == 0:
                    open_before += 1
        return nth_best(free_worths(box, state, seat, share), before + open_before)
    place = 0.0
    mine = stamina(state, seat)
    for other in range(state.n_seats):
        if other != seat and state.seats[other].marker == 0:
            theirs = stamina(state, other)
            if count(state.seats[seat].shown) > 0 and state.bidder != seat:
                theirs *= 0.8
            place += theirs / max(0.01, mine + theirs)
    low = int(place)
    worths = free_worths(box, state, seat, share)
    high = nth_best(worths, low)
    if place > low:
        return high + (place - low) * (nth_best(worths, low + 1) - high)
    return high


@rule
def hand_worth(n: int, left: float) -> float:
    """Cards in hand: each is worth less than the one before, and none much at the end."""
    total = 0.0
    for i in range(n):
        if i < len(HAND):
            total += HAND[i]
        else:
            total += SPARE_CARD
    return total * left


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


@rule
def worth(box: Box, state: State, seat: int, viewer: int, left: float) -> float:
    """What a seat has and may expect."""
    me = state.seats[seat]
    share = IDLE + (1.0 - IDLE) * left
    total = 1.0 * me.renown - despair_worth(box, state, seat, viewer)
    for track in range(TRACKS):
        total += share * track_worth(box, int(me.tracks[track]))
    total += (1.0 - 0.75 * left) * bonus_of(state, seat)
    total += hand_worth(count(me.hand), left)
    total += WRIT_WORTH * count(me.writs) + SCOUT_WORTH * left * me.scouts
    if state.lead == seat:
        total += LEAD * left
    return total + claim_worth(box, state, seat, share)


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead: its own worth less the others', the best of them most."""
    if state.phase == P.over:
        return lead_at_the_end(box, state, seat)
    left = seasons_left(box, state)
    best = -1000.0
    total = 0.0
    for other in range(state.n_seats):
        if other != seat:
            theirs = worth(box, state, other, seat, left)
            best = max(best, theirs)
            total += theirs
    return worth(box, state, seat, seat, left) - RIVAL * best - OTHERS * total / (state.n_seats - 1)


@rule
def seers_of(state: State, token: int, is_despair: bool) -> float:
    """Who has seen a token, as bits: two tokens of a seat that the same have seen are alike."""
    seers = 0
    for seat in range(state.n_seats):
        if is_despair:
            seen = has(state.seats[seat].seen_despair, token)
        else:
            seen = has(state.seats[seat].seen_writs, token)
        seers |= int(seen) << seat
    return seers


@rule
def forbid_alike(state: State, seat: int, out: Legal) -> None:
    """8.8: of tokens that are alike to the seat, one is worth a thought."""
    for owner in range(state.n_seats):
        them = state.seats[owner]
        forbid_but_first(state, out, A.look_despair, them.despair, True)
        forbid_but_first(state, out, A.look_writ, them.writs, False)


@rule
def forbid_but_first(state: State, out: Legal, first_id: int, tokens: Bits, is_despair: bool) -> None:
    """Of a seat's tokens with the same seers, the first may be looked at."""
    token = first_from(tokens, 0)
    while token >= 0:
        seers = seers_of(state, token, is_despair)
        later = first_from(tokens, token + 1)
        while later >= 0:
            if seers_of(state, later, is_despair) == seers:
                forbid(out, first_id + later)
            later = first_from(tokens, later + 1)
        token = first_from(tokens, token + 1)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """What a bot does not think about: tokens alike, and a Writ before a moment at which it can change something (guide 8.7)."""
    if state.phase == P.look:
        forbid_alike(state, int(state.to_act), out)
    if state.phase in (P.window, P.last_chance, P.market, P.reap) or writs_of(state, state.to_act) == 0:
        return
    for kind in range(box.n_writ_kinds):
        forbid(out, A.reveal + kind)
