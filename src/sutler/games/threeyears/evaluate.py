"""What a position of Three Years of War is worth to a seat, for bots; the README says how it was tuned.

Everything is counted in points. `worth` adds up what a seat owns (`worth.py`) and what the season is likely to bring still
(`forecast.py`); `evaluate` is the lead over the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import count, first_from, forbid, has
from sutler.core.rule import rule
from sutler.games.threeyears.box import TRACKS
from sutler.games.threeyears.forecast import claim_worth, quality
from sutler.games.threeyears.scoring import bonus_of, despair_value
from sutler.games.threeyears.state import writs_of
from sutler.games.threeyears.table import A, P
from sutler.games.threeyears.worth import (
    NOW,
    despair_worth,
    hand_worth,
    seasons_left,
    track_worth,
)

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Legal
    from sutler.games.threeyears.records import Box, State

SCALE = 4.0  # a lead of four points in mid-game is a clear one
SEARCH = {"horizon": 0, "wander": 0.0, "warmth": 0.3, "curiosity": 0.3, "open_mind": 0.4}
"""A course goes on to where a season begins (`outlook.is_quiet`), which tells more of a bid than the values of one move ahead."""

IDLE = 0.22  # of what tracks are worth, what is left when nothing but the bonus is to come
BONUS_LATER = 1.0  # how little the bonus counts at the start of the war
LEAD = 0.84
OTHERS = 0.045  # how much the mean of the others counts
RIVAL = 0.18  # and how much the best of them


@rule
def share_of_tracks(left: float) -> float:
    """How much tracks are worth, the less is to come the less."""
    return IDLE + (1.0 - IDLE) * left


@rule
def fame(box: Box, state: State, seat: int, viewer: int) -> float:
    """Renown, less what Despair will cost."""
    return 1.0 * state.seats[seat].renown - despair_worth(box, state, NOW, seat, viewer)


@rule
def standing(box: Box, state: State, seat: int, left: float) -> float:
    """The tracks, and the bonus that they bring at the end."""
    total = 0.0
    for track in range(TRACKS):
        total += track_worth(box, NOW, int(state.seats[seat].tracks[track]))
    return share_of_tracks(left) * total + (1.0 - BONUS_LATER * left) * bonus_of(state, seat)


@rule
def cards(box: Box, state: State, seat: int, viewer: int, left: float) -> float:
    """The hand; of its own a seat knows how good it is."""
    total = hand_worth(NOW, 1.0 * count(state.seats[seat].hand))
    if seat == viewer:
        total += quality(box, state, seat)
    return total * left


@rule
def tokens(state: State, seat: int, left: float) -> float:
    """Writs, scouts and who leads."""
    me = state.seats[seat]
    total = NOW.writ * count(me.writs) + NOW.scout * left * me.scouts
    if state.lead == seat:
        total += LEAD * left
    return total


@rule
def claims(box: Box, state: State, seat: int, viewer: int, left: float) -> float:
    """What the season's claims are likely to bring."""
    return claim_worth(box, state, seat, viewer, share_of_tracks(left))


@rule
def worth(box: Box, state: State, seat: int, viewer: int, left: float) -> float:
    """What a seat has and may expect."""
    total = fame(box, state, seat, viewer) + standing(box, state, seat, left) + cards(box, state, seat, viewer, left)
    return total + tokens(state, seat, left) + claims(box, state, seat, viewer, left)


@rule
def rivals(box: Box, state: State, seat: int, left: float) -> float:
    """What the others have counts against a seat, the best of them most."""
    best = -1000.0
    total = 0.0
    for other in range(state.n_seats):
        if other != seat:
            theirs = worth(box, state, other, seat, left)
            best = max(best, theirs)
            total += theirs
    return RIVAL * best + OTHERS * total / (state.n_seats - 1)


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead: its own worth less the others', the best of them most."""
    if state.phase == P.over:
        return lead_at_the_end(box, state, seat)
    left = seasons_left(box, state)
    return worth(box, state, seat, seat, left) - rivals(box, state, seat, left)


@rule
def lead_at_the_end(box: Box, state: State, seat: int) -> float:
    """The score less the best of the others'."""
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
def forbid_idle_looks(state: State, seat: int, out: Legal) -> None:
    """8.8: nobody can act on what another's token shows; one's own Despair says how much Hope is worth."""
    for owner in range(state.n_seats):
        them = state.seats[owner]
        forbid_all(out, A.look_writ, them.writs)
        if owner != seat:
            forbid_all(out, A.look_despair, them.despair)
        else:
            forbid_but_first_unseen(state, out, owner)


@rule
def forbid_all(out: Legal, first_id: int, tokens: Bits) -> None:
    """None of these tokens is looked at."""
    token = first_from(tokens, 0)
    while token >= 0:
        forbid(out, first_id + token)
        token = first_from(tokens, token + 1)


@rule
def forbid_but_first_unseen(state: State, out: Legal, seat: int) -> None:
    """Of a seat's own Despair, the first that it has not seen may be looked at."""
    me = state.seats[seat]
    is_found = False
    token = first_from(me.despair, 0)
    while token >= 0:
        if is_found or has(me.seen_despair, token):
            forbid(out, A.look_despair + token)
        else:
            is_found = True
        token = first_from(me.despair, token + 1)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """What a bot does not think about: looks at what it cannot act on (8.8), Writs before they can change something (8.7)."""
    if state.phase == P.look:
        forbid_idle_looks(state, int(state.to_act), out)
    if state.phase in (P.window, P.last_chance, P.market, P.reap) or writs_of(state, state.to_act) == 0:
        return
    for kind in range(box.n_writ_kinds):
        forbid(out, A.reveal + kind)
