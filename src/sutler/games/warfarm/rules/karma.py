"""Defenseless Karma (guide 12.10): striking back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import FARMLAND, KARMA, TOKENS
from sutler.games.warfarm.phases_actions_events import E, P, R
from sutler.games.warfarm.rules.common import end_job, note_loss, start_job
from sutler.games.warfarm.rules.losses import destroy_land, kill
from sutler.games.warfarm.rules.springing_traps import spring
from sutler.games.warfarm.state import KARMA_JOB, n_units

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.warfarm.records import Box, State


@rule
def struck(state: State) -> int:
    """12.10: whom the owner of the Trap strikes: the seat through whom the last of its losses went."""
    return int(state.robber[state.victim])


@rule
def start_karma(box: Box, state: State, events: Events, seat: int) -> None:
    """12.10: first the Farmland, then things of one's choice."""
    card = spring(box, state, events, seat, KARMA)
    state.lost[seat] = 0
    start_job(state, KARMA_JOB, card)
    state.victim = seat
    state.left = box.card[card].count
    for _ in range(box.card[card].land):
        if state.seats[struck(state)].goods[FARMLAND] > 0:
            destroy_land(box, state, events, seat, struck(state))


@rule
def has_anything(state: State, seat: int) -> bool:
    """12.10: is there anything on the seat's board that could be struck?"""
    for token in range(TOKENS):
        if state.seats[seat].goods[token] > 0:
            return True
    return n_units(state, seat) + state.seats[seat].n_table + state.seats[seat].n_traps > 0


@rule
def proceed_karma(state: State) -> None:
    """12.10: the Trap's owner strikes until nothing is left to strike with or at."""
    if state.left > 0 and has_anything(state, struck(state)):
        ask(state, P.strike_back, int(state.victim))
    else:
        end_job(state)


@rule
def why_not_struck(state: State, victim: int, is_there: int, is_like_one: int) -> int:
    """12.10: anything of the seat that is struck, guards or not; equal things once."""
    if victim != struck(state):
        return R.no_opponent
    if not is_there:
        return R.none_left
    if is_like_one:
        return R.alike
    return R.fine


@rule
def end_blow(state: State) -> None:
    """12.10: one thing less to choose."""
    state.left -= 1
    go_on(state)


@rule
def do_karma_unit(box: Box, state: State, events: Events, seat: int, spot: int) -> None:
    """12.10: a unit, wherever it is."""
    victim = struck(state)
    kill(box, state, events, victim, spot, seat)
    tell(events, E.killed, seat, 1, victim, spot)
    state.left -= 1
    go_on(state)


@rule
def why_not_strip(box: Box, state: State, seat: int, token: int) -> int:
    """12.10: a loose token that is there; Farmland is struck itself."""
    if state.phase != P.strike_back:
        return R.fine
    if token == FARMLAND or state.seats[struck(state)].goods[token] == 0:
        return R.none_left
    return R.fine


@rule
def do_strip(box: Box, state: State, events: Events, seat: int, token: int) -> None:
    """12.10: a loose token."""
    victim = struck(state)
    state.seats[victim].goods[token] -= 1
    note_loss(box, state, victim, 1, seat)
    tell(events, E.destroyed, seat, 1, token, victim)
    state.left -= 1
    go_on(state)
