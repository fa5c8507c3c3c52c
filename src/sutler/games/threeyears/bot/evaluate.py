"""The evaluation of a Three Years of War position for bots, in points; the README says how its constants were tuned.

`total_worth` adds up what a seat owns (`worth.py`) and what it is likely to get in this season (`bidding_forecast.py`); `evaluate` is the
lead over the other seats. `left` is always the share (0 to 1) of the war that is still to come (`share_of_seasons_left`); `viewer` is the
seat whose knowledge is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import count, forbid, has
from sutler.core.rule import rule
from sutler.games.threeyears.bot.bidding_forecast import claim_worth, double_cards_worth
from sutler.games.threeyears.bot.interlude_forecast import NO_LOOK, best_event_to_look_at, seen_cards_worth
from sutler.games.threeyears.bot.worth import NUMBERS_NOW, despair_worth, hand_worth, share_of_seasons_left, track_worth
from sutler.games.threeyears.box import DESPAIRS, GOLD, SEASONS, THIEF, TRACKS, WRITS
from sutler.games.threeyears.phases_actions_events import A, P
from sutler.games.threeyears.scoring import despair_value, total_bonus
from sutler.games.threeyears.state import writs_of

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.threeyears.records import Box, State

SCALE = 4.0  # the value of a clear lead in mid-game
SEARCH = {"horizon": 0, "wander": 0.0, "warmth": 0.3, "curiosity": 0.3, "open_mind": 0.4}
"""Options of the search. A course is played on until a season begins (`season_start_win_chance.is_quiet`), which says more
than the next move."""

IDLE = 0.22  # the share of the tracks' worth that is left when only the bonus is still to come
BONUS_LATER = 1.0  # the share of the bonus that does not count at the start of the war
LEAD = 0.84
MEAN_OTHER = 0.045  # the weight of the mean of the other seats
BEST_OTHER = 0.18  # the weight of the best other seat


@rule
def share_of_track_worth(share_left: float) -> float:
    """The share (0 to 1) of their full worth that tracks still have, smaller the less of the war is left."""
    return IDLE + (1.0 - IDLE) * share_left


@rule
def renown_worth(box: Box, state: State, seat: int, viewer: int) -> float:
    """The worth of a seat's renown, less the expected cost of its Despair, in points.

    `viewer`: the seat whose knowledge of Despair tokens is used.
    """
    return 1.0 * state.seats[seat].renown - despair_worth(box, state, NUMBERS_NOW, seat, viewer)


@rule
def tracks_worth(box: Box, state: State, seat: int, share_left: float) -> float:
    """The worth of a seat's tracks and of the bonus that they bring at the end, in points."""
    total = 0.0
    for track in range(TRACKS):
        total += track_worth(box, NUMBERS_NOW, int(state.seats[seat].tracks[track]))
    return share_of_track_worth(share_left) * total + (1.0 - BONUS_LATER * share_left) * total_bonus(state, seat)


@rule
def cards_worth(box: Box, state: State, seat: int, viewer: int, share_left: float) -> float:
    """The worth of a seat's hand, in points; where the seat is `viewer`, the quality of the cards counts too."""
    total = hand_worth(NUMBERS_NOW, 1.0 * count(state.seats[seat].hand))
    if seat == viewer:
        total += double_cards_worth(box, state, seat)
    return total * share_left


@rule
def tokens_worth(state: State, seat: int, share_left: float) -> float:
    """The worth of a seat's Writs and scouts, and of being the lead player, in points."""
    me = state.seats[seat]
    total = NUMBERS_NOW.writ * count(me.writs) + NUMBERS_NOW.scout * share_left * me.scouts
    if state.lead == seat:
        total += LEAD * share_left
    return total


@rule
def expected_claim_worth(box: Box, state: State, seat: int, viewer: int, share_left: float) -> float:
    """The expected worth to a seat of the claim card that it will get in this season, in points."""
    return claim_worth(box, state, seat, viewer, share_of_track_worth(share_left))


@rule
def total_worth(box: Box, state: State, seat: int, viewer: int, share_left: float) -> float:
    """The worth of all that a seat has and may expect, in points, by what the seat `viewer` can know."""
    total = (
        renown_worth(box, state, seat, viewer)
        + tracks_worth(box, state, seat, share_left)
        + cards_worth(box, state, seat, viewer, share_left)
    )
    total += tokens_worth(state, seat, share_left) + expected_claim_worth(box, state, seat, viewer, share_left)
    return total + seen_cards_worth(box, state, seat, viewer, share_of_track_worth(share_left))


@rule
def rivals_worth(box: Box, state: State, seat: int, share_left: float) -> float:
    """The worth of the other seats that is subtracted from a seat's own, in points; the best of them counts most."""
    best = -1000.0
    total = 0.0
    for other in range(state.n_seats):
        if other != seat:
            theirs = total_worth(box, state, other, seat, share_left)
            best = max(best, theirs)
            total += theirs
    return BEST_OTHER * best + MEAN_OTHER * total / (state.n_seats - 1)


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """The value of a position to a seat, in points: its own worth less the weighted worth of the other seats."""
    if state.phase == P.over:
        return final_lead(box, state, seat)
    left = share_of_seasons_left(box, state)
    return total_worth(box, state, seat, seat, left) - rivals_worth(box, state, seat, left)


@rule
def final_lead(box: Box, state: State, seat: int) -> float:
    """The lead of a seat in a finished game, in points: its score less the best score among the others."""
    best = -1000.0
    mine = 0.0
    for other in range(state.n_seats):
        them = state.seats[other]
        points = 1.0 * them.renown + total_bonus(state, other) - despair_value(box, state, other)
        points -= int(them.doom) * box.rules.doom_value
        if other == seat:
            mine = points
        else:
            best = max(best, points)
    return mine - best


@rule
def forbid_idle_looks(box: Box, state: State, seat: int, out: Legal) -> None:
    """Leave in `out`, of the looks of a scout, only the one at the nearest card that the seat can prepare for (8.8).

    The action that ends the scouting is forbidden too, since a look costs nothing.
    """
    worth_it = best_event_to_look_at(box, state, seat)
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
    """Remove from `out` the actions that bots need not consider.

    These are useless looks (8.8), Writs that change nothing yet (8.7), and theft from itself (8.4).
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
