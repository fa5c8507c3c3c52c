"""The course of the game (guide 7.1): the powers' turns, their five phases, rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.bellum.box import CITY, S
from sutler.games.bellum.phases_actions_events import E, P
from sutler.games.bellum.rules.battle import proceed_battle
from sutler.games.bellum.rules.city import proceed_city
from sutler.games.bellum.rules.ending import end_by_peace, end_by_ruin
from sutler.games.bellum.rules.feed import proceed_feed
from sutler.games.bellum.rules.influence import proceed_influence
from sutler.games.bellum.rules.march import proceed_march
from sutler.games.bellum.rules.preparation import is_prepared, proceed_preparation
from sutler.games.bellum.state import plan_of

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.bellum.records import Box, State


@rule
def start(box: Box, state: State, events: Events) -> None:
    """4: who leads what, and what lies already; then the first decision. A position set up midway just goes on."""
    if state.stage == S.preparation:
        for k in range(state.n_powers):
            power = int(state.order[k])
            tell(events, E.leads, int(state.seat_of[power]), power)
        for site in range(box.n_sites):
            if plan_of(box, state).role[site] == CITY and state.site[site].extent != NOBODY:
                tell(events, E.dealt, site, int(state.site[site].extent))
    go_on(state)
    proceed(box, state, events)


@rule
def start_turn(box: Box, state: State, events: Events) -> None:
    """7.1, 7.2: the next power in turn order; in a quiet round it only feeds and moves."""
    if state.kth == 0:
        tell(events, E.year, int(state.round_no))
    state.power = state.order[state.kth]
    state.step = 0
    state.stage = S.battle
    if box.year[state.round_no].quiet == 1:
        state.stage = S.feed
    tell(events, E.turn, int(state.power))


@rule
def end_turn(box: Box, state: State, events: Events) -> None:
    """13.2, 13.3: a broken power ends the game; else the next power's turn, or the next round, or peace."""
    power = int(state.power)
    if state.powers[power].supply == 0 and state.powers[power].strength == 0:
        end_by_ruin(box, state, events, power)
        return
    state.kth += 1
    if state.kth >= state.n_powers:
        state.kth = 0
        state.round_no += 1
        if box.year[state.round_no].peace == 1:
            end_by_peace(box, state, events)
            return
    start_turn(box, state, events)


@rule
def proceed(box: Box, state: State, events: Events) -> None:
    """7.1: battle, city, influence, feed, leader, until somebody has a decision to make or the game is over."""
    while state.phase == P.moving:
        if state.stage == S.preparation:
            if is_prepared(box, state):
                state.kth = 0
                start_turn(box, state, events)
            else:
                proceed_preparation(box, state)
        elif state.stage == S.battle:
            proceed_battle(box, state, events)
        elif state.stage == S.city:
            proceed_city(box, state, events)
        elif state.stage == S.influence:
            proceed_influence(box, state, events)
        elif state.stage == S.feed:
            proceed_feed(box, state, events)
        elif proceed_march(box, state):
            end_turn(box, state, events)


@rule
def is_midway(box: Box, state: State) -> bool:
    """A battle is carried through to its retreats; feeding once a token is tilted. (The rest is in the table's rows.)"""
    if state.phase == P.feed:
        return state.n_fed > 0
    return state.phase in (P.commit, P.answer, P.remove, P.retreat_first, P.retreat)
