"""What a position of Three Years of War was worth to the first bots: the judgement of `classic-greedy`, kept for comparison.

They did not reckon with what staying in the bidding costs, nor with passing first; cards were worth less to them, Hope and Writs more;
they looked at tokens on which nobody can act. The rest is judged as in `evaluate.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import count, first_from, forbid, has
from sutler.core.rule import rule
from sutler.core.weights import weights
from sutler.games.threeyears.bot.evaluate import lead_at_the_end
from sutler.games.threeyears.bot.forecast import claim_due, is_bidding
from sutler.games.threeyears.bot.worth import NUMBERS, despair_worth, free_worths, nth_best, seasons_left, track_worth
from sutler.games.threeyears.box import STEPS, TRACKS
from sutler.games.threeyears.scoring import bonus_of
from sutler.games.threeyears.state import writs_of
from sutler.games.threeyears.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Legal
    from sutler.games.threeyears.bot.worth import Numbers
    from sutler.games.threeyears.records import Box, State

STEP = (1.30, 1.05, 0.90, 0.78, 0.68, 0.60, 0.54, 0.48, 0.44)
LAST_STEP = 0.30
FIRST: Numbers = weights(
    NUMBERS,
    step=[*STEP, *(LAST_STEP for _ in range(STEPS - len(STEP)))],
    draw=0.55,
    card=0.0,
    handful=1.0,
    hope=0.95,
    writ=1.55,
    scout=0.25,
    hit=0.45,
    blight=1.1,
)
IDLE = 0.30  # of what tracks are worth, what is left when nothing but the bonus is to come
HAND = (0.95, 0.85, 0.75, 0.65, 0.55, 0.45, 0.36, 0.28, 0.20)
"""What the n-th card of a hand is worth at the start of the war; those beyond the limit hardly anything."""
SPARE_CARD = 0.05
LEAD = 0.35
OTHERS = 0.35  # how much the mean of the others counts
RIVAL = 0.45  # and how much the best of them


@rule
def stamina(state: State, seat: int) -> float:
    """How many more sets a seat might play, roughly."""
    return count(state.seats[seat].hand) / (1.0 + 0.6 * state.total)


@rule
def bid_worth(box: Box, state: State, seat: int, share: float) -> float:
    """The claim that a seat still in is likely to get."""
    place = 0.0
    mine = stamina(state, seat)
    for other in range(state.n_seats):
        if other != seat and state.seats[other].marker == 0:
            theirs = stamina(state, other)
            if count(state.seats[seat].shown) > 0 and state.bidder != seat:
                theirs *= 0.8
            place += theirs / max(0.01, mine + theirs)
    low = int(place)
    worths = free_worths(box, state, FIRST, seat, share)
    high = nth_best(worths, low)
    if place > low:
        return high + (place - low) * (nth_best(worths, low + 1) - high)
    return high


@rule
def cards_worth(n: int, left: float) -> float:
    """Cards in hand: each is worth less than the one before, and none much at the end."""
    total = 0.0
    for i in range(n):
        if i < len(HAND):
            total += HAND[i]
        else:
            total += SPARE_CARD
    return total * left


@rule
def worth(box: Box, state: State, seat: int, viewer: int, left: float) -> float:
    """What a seat has and may expect."""
    me = state.seats[seat]
    share = IDLE + (1.0 - IDLE) * left
    total = 1.0 * me.renown - despair_worth(box, state, FIRST, seat, viewer)
    for track in range(TRACKS):
        total += share * track_worth(box, FIRST, int(me.tracks[track]))
    total += (1.0 - 0.75 * left) * bonus_of(state, seat)
    total += cards_worth(count(me.hand), left)
    total += FIRST.writ * count(me.writs) + FIRST.scout * left * me.scouts
    if state.lead == seat:
        total += LEAD * left
    if is_bidding(state, seat):
        return total + bid_worth(box, state, seat, share)
    return total + claim_due(box, state, FIRST, seat, share)


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
