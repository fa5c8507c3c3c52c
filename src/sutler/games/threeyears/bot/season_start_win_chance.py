"""The chance of each seat of Three Years of War to win, at the beginning of a season: asked by the search at the end of a course.

`evaluate` compares bids just after they were made, and says little of how a war will end. The weights here were fitted to the winners of
5,900 wars of greedy bots, with two to five seats, by their positions at the beginning of each season.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import count
from sutler.core.record import build_weights, field, record
from sutler.core.rule import rule
from sutler.games.threeyears.bot.evaluate import SCALE
from sutler.games.threeyears.bot.worth import NUMBERS_NOW, despair_worth, share_of_seasons_left
from sutler.games.threeyears.box import TRACKS
from sutler.games.threeyears.phases_actions_events import P
from sutler.games.threeyears.scoring import total_bonus

if TYPE_CHECKING:
    from sutler.core.typing import Row
    from sutler.games.threeyears.records import Box, State

    class Shares:
        """One row of weights, as typed in SHARES."""

        renown: float
        despair: float
        card: float
        few: float
        writ: float
        turn: float
        last: float
        low: float
        step: Row[float]
        bonus: float


SHARES = record(
    "Shares",
    ("renown", "f8"),
    ("despair", "f8"),  # for each point that Despair is likely to cost
    ("card", "f8"),
    ("few", "f8"),  # for each of the first four cards, in addition to `card`
    ("writ", "f8"),
    ("turn", "f8"),  # for being the last to bid rather than the first
    ("last", "f8"),  # for a track at 1 or 0
    ("low", "f8"),  # for a track at 2 or less
    field("step", "f8", TRACKS),
    ("bonus", "f8"),
)
FIRST_CARDS = 4
# Weights of the logarithm of the chance to win: in the last season, and the part added in proportion to the war that is left.
LAST_SEASON: Shares = build_weights(
    SHARES,
    renown=0.258, despair=0.279, card=0.283, few=0.062, writ=0.207, turn=0.257,
    last=0.089, low=0.089, step=[0.001, 0.036, 0.021, 0.132], bonus=0.107,
)  # fmt: skip
WHOLE_WAR: Shares = build_weights(
    SHARES,
    renown=-0.266, despair=-0.254, card=0.183, few=0.370, writ=-0.092, turn=0.062,
    last=0.087, low=0.016, step=[0.023, 0.004, 0.067, -0.050], bonus=-0.135,
)  # fmt: skip


@rule
def is_quiet(state: State) -> bool:
    """Is it the beginning of a season's bidding, the only moment at which this chance is valid? Later it depends on who bid last."""
    if state.phase != P.bid or state.total > 0:
        return False
    for seat in range(state.n_seats):
        if state.seats[seat].marker > 0:
            return False
    return True


@rule
def log_win_chance(box: Box, state: State, weights: Shares, seat: int) -> float:
    """The logarithm of a seat's chance to win, up to a constant: the weighted sum of what it has; `weights`: a row of weights."""
    me = state.seats[seat]
    cards = count(me.hand)
    total = weights.renown * me.renown - weights.despair * despair_worth(box, state, NUMBERS_NOW, seat, seat)
    total += (
        weights.card * cards
        + weights.few * min(cards, FIRST_CARDS)
        + weights.writ * count(me.writs)
        + weights.bonus * total_bonus(state, seat)
    )
    for track in range(TRACKS):
        level = me.tracks[track]
        total += weights.step[track] * level
        if level <= 1:
            total -= weights.last
        if level <= 2:
            total -= weights.low
    after = (seat - state.lead + state.n_seats) % state.n_seats
    return total + weights.turn * after / max(1, state.n_seats - 1)


@rule
def judge_course(box: Box, state: State, seat: int, notes: object) -> float:
    """The value to a seat of a position that a search has reached, as a lead: SCALE more makes a win e times as likely."""
    return SCALE * (
        log_win_chance(box, state, LAST_SEASON, seat)
        + share_of_seasons_left(box, state) * log_win_chance(box, state, WHOLE_WAR, seat)
    )
