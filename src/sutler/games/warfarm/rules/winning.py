"""Winning and losing (guide 14), and the house rules against games without end (15.1, 15.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.warfarm.box import FARMLAND, HOME, MOST_COUNTED, SEATS, VISITING
from sutler.games.warfarm.phases_actions_events import E, P, R
from sutler.games.warfarm.rules.cards import give_up_everything
from sutler.games.warfarm.rules.common import end_job, stir
from sutler.games.warfarm.scoring import has_farm_victory, has_growth_victory, has_miracles_victory
from sutler.games.warfarm.state import (
    BY_FARM,
    BY_GROWTH,
    BY_MILITARY,
    BY_MIRACLES,
    BY_STANDSTILL,
    BY_TIME,
    KARMA_JOB,
    NOT_WON,
    n_seats_in_game,
    nth_seat_after,
)

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.warfarm.records import Box, State


@rule
def finish(state: State, won_by: int, winner: int) -> None:
    """14: the game is over."""
    state.phase = P.over
    state.won_by = won_by
    state.winner = winner
    end_job(state)


@rule
def leave_game(state: State, events: Events, seat: int) -> None:
    """14.5, 14.6: cards to the discards, pieces to the supply; Disciples of others go home."""
    give_up_everything(state, events, seat)
    me = state.seats[seat]
    me.goods[FARMLAND] = 0
    me.is_alive = 0
    me.peace = 0
    state.martyrs[seat] = 0
    state.monks[seat] = 0
    state.blows[seat] = 0
    if state.job == KARMA_JOB and state.victim == seat:
        end_job(state)
    for other in range(SEATS):
        guests = state.seats[other].spots[VISITING + seat]
        if guests > 0:
            tell(events, E.came_home, other, seat, guests)
        state.seats[other].spots[HOME] += guests
        state.seats[other].spots[VISITING + seat] = 0


@rule
def remove_the_landless(box: Box, state: State, events: Events) -> None:
    """14.5: whoever has no Farmland is out at once. Returns whether the active seat was."""
    for k in range(SEATS):
        seat = nth_seat_after(state.active, k)
        if state.seats[seat].is_alive == 1 and state.seats[seat].goods[FARMLAND] <= 0:
            leave_game(state, events, seat)
            stir(state)
            tell(events, E.out, seat)


@rule
def check_wins(box: Box, state: State, events: Events) -> None:
    """14.7: after every change, the active seat first, then in turn order."""
    for k in range(SEATS):
        seat = nth_seat_after(state.active, k)
        if state.seats[seat].is_alive == 1 and state.won_by == NOT_WON:
            if has_farm_victory(box, state, seat):
                tell(events, E.won_farm, seat)
                finish(state, BY_FARM, seat)
            elif has_growth_victory(box, state, seat):
                tell(events, E.won_growth, seat)
                finish(state, BY_GROWTH, seat)
            elif has_miracles_victory(box, state, seat):
                tell(events, E.won_miracles, seat)
                finish(state, BY_MIRACLES, seat)
    if state.won_by == NOT_WON and n_seats_in_game(state) == 1:
        for seat in range(SEATS):
            if state.seats[seat].is_alive == 1:
                tell(events, E.won_military, seat)
                finish(state, BY_MILITARY, seat)


@rule
def why_not_surrender(box: Box, state: State, seat: int) -> int:
    """14.6: not before the first turn."""
    if state.phase == P.begin:
        return R.too_early
    return R.fine


@rule
def do_surrender(box: Box, state: State, events: Events, seat: int) -> None:
    """14.6: a seat gives up."""
    tell(events, E.surrendered, seat)
    leave_game(state, events, seat)
    stir(state)
    go_on(state)


@rule
def end_round(box: Box, state: State, events: Events) -> None:
    """15.1, 15.2: the house rules against games without end."""
    if state.is_stirred == 1:
        state.quiet = 0
    else:
        state.quiet = min(int(state.quiet) + 1, MOST_COUNTED)
    state.is_stirred = 0
    if box.options.max_rounds > 0 and state.round_no >= box.options.max_rounds:
        tell(events, E.won_time)
        finish(state, BY_TIME, NOBODY)
    elif box.options.standstill_rounds > 0 and state.quiet >= box.options.standstill_rounds:
        tell(events, E.won_standstill)
        finish(state, BY_STANDSTILL, NOBODY)
    else:
        state.round_no = min(int(state.round_no) + 1, MOST_COUNTED)
        tell(events, E.round, state.round_no)
