"""The worth of a position of Three Years of War to a seat, for bots; the README says how it was tuned.

Everything is counted in points. `worth` adds up what a seat owns (`worth.py`) and what it is likely to get in this season
(`forecast.py`); `evaluate` is the lead over the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import count, forbid, has
from sutler.core.rule import rule
from sutler.games.threeyears.bot.forecast import claim_worth, quality
from sutler.games.threeyears.bot.interlude_forecast import NO_LOOK, seen_cards_worth, worth_looking_at
from sutler.games.threeyears.bot.worth import NUMBERS_NOW, despair_worth, hand_worth, seasons_left, track_worth
from sutler.games.threeyears.box import DESPAIRS, GOLD, SEASONS, THIEF, TRACKS, WRITS
from sutler.games.threeyears.scoring import bonus_of, despair_value
from sutler.games.threeyears.state import writs_of
from sutler.games.threeyears.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.threeyears.records import Box, State

SCALE = 4.0  # a lead of four points in mid-game is a clear one
SEARCH = {"horizon": 0, "wander": 0.0, "warmth": 0.3, "curiosity": 0.3, "open_mind": 0.4}
"""Options of the search: a course is played on to where a season begins (`win_chance.is_quiet`), which says more than the next move."""

IDLE = 0.22  # of what tracks are worth, what is left when nothing but the bonus is to come
BONUS_LATER = 1.0  # how little the bonus counts at the start of the war
LEAD = 0.84
MEAN_OTHER = 0.045  # how much the mean of the others counts
BEST_OTHER = 0.18  # and how much the best of them


@rule
def share_of_tracks(left: float) -> float:
    """The share of their full worth that tracks still have; it falls as less is to come."""
    return IDLE + (1.0 - IDLE) * left


@rule
def fame(box: Box, state: State, seat: int, viewer: int) -> float:
    """Renown, less what Despair will cost."""
    return 1.0 * state.seats[seat].renown - despair_worth(box, state, NUMBERS_NOW, seat, viewer)


@rule
def standing(box: Box, state: State, seat: int, left: float) -> float:
    """The worth of the tracks, and of the bonus that they bring at the end."""
    total = 0.0
    for track in range(TRACKS):
        total += track_worth(box, NUMBERS_NOW, int(state.seats[seat].tracks[track]))
    return share_of_tracks(left) * total + (1.0 - BONUS_LATER * left) * bonus_of(state, seat)


@rule
def cards(box: Box, state: State, seat: int, viewer: int, left: float) -> float:
    """The worth of the hand; a seat knows how good its own is."""
    total = hand_worth(NUMBERS_NOW, 1.0 * count(state.seats[seat].hand))
    if seat == viewer:
        total += quality(box, state, seat)
    return total * left


@rule
def tokens(state: State, seat: int, left: float) -> float:
    """The worth of Writs, scouts and being lead player."""
    me = state.seats[seat]
    total = NUMBERS_NOW.writ * count(me.writs) + NUMBERS_NOW.scout * left * me.scouts
    if state.lead == seat:
        total += LEAD * left
    return total


@rule
def claims(box: Box, state: State, seat: int, viewer: int, left: float) -> float:
    """The expected worth of the season's claims, in points."""
    return claim_worth(box, state, seat, viewer, share_of_tracks(left))


@rule
def worth(box: Box, state: State, seat: int, viewer: int, left: float) -> float:
    """The worth of what a seat has and may expect, in points."""
    total = fame(box, state, seat, viewer) + standing(box, state, seat, left) + cards(box, state, seat, viewer, left)
    total += tokens(state, seat, left) + claims(box, state, seat, viewer, left)
    return total + seen_cards_worth(box, state, seat, viewer, share_of_tracks(left))


@rule
def rivals(box: Box, state: State, seat: int, left: float) -> float:
    """The others' worth as it counts against a seat, most of it the best one's."""
    best = -1000.0
    total = 0.0
    for other in range(state.n_seats):
        if other != seat:
            theirs = worth(box, state, other, seat, left)
            best = max(best, theirs)
            total += theirs
    return BEST_OTHER * best + MEAN_OTHER * total / (state.n_seats - 1)


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead: its own worth less the others', most of it the best one's."""
    if state.phase == P.over:
        return lead_at_the_end(box, state, seat)
    left = seasons_left(box, state)
    return worth(box, state, seat, seat, left) - rivals(box, state, seat, left)


@rule
def lead_at_the_end(box: Box, state: State, seat: int) -> float:
    """The seat's score less the best of the others'."""
    best = -1000.0
    mine = 0.0
    for other in range(state.n_seats):
        them = state.seats[other]
        points = 1.0 * them.renown + bonus_of(state, other) - despair_value(box, state, other)
        points -= int(them.doom) * box.rules.doom_value
        if other == seat:
            mine = points
        else:
            best = max(best, points)
    return mine - best


@rule
def forbid_idle_looks(box: Box, state: State, seat: int, out: Legal) -> None:
    """8.8: of the looks of a scout, allow only the nearest card that one can still prepare for, and take it always: it costs nothing."""
    worth_it = worth_looking_at(box, state, seat)
    for event in range(SEASONS):
        if event != worth_it or state.depth[event] > 0:
            forbid(out, A.look_event + event)
    for token in range(DESPAIRS):
        forbid(out, A.look_despair + token)
    for token in range(WRITS):
        forbid(out, A.look_writ + token)
    if worth_it != NO_LOOK and has(out.ids, A.look_event + worth_it):
        forbid(out, A.done)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Remove what a bot need not consider: looks at what it cannot act on (8.8), Writs before they can change something (8.7).

    8.4: nor does it rob itself, which changes nothing.
    """
    seat = int(state.to_act)
    if state.phase == P.look:
        forbid_idle_looks(box, state, seat, out)
    elif state.phase == P.target and state.icon == THIEF and state.seats[seat].tracks[GOLD] > 0:
        forbid(out, A.target + seat)
    if state.phase in (P.window, P.last_chance, P.market, P.reap) or writs_of(state, state.to_act) == 0:
        return
    for kind in range(box.n_writ_kinds):
        forbid(out, A.reveal + kind)
