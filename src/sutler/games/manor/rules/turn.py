"""The course of a turn (guide 1.6): which chapter's rules go on when nobody has a decision to make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.manor.box import S
from sutler.games.manor.phases_actions_events import P
from sutler.games.manor.rules.common import end_action, seat_in_turn, start_phase
from sutler.games.manor.rules.draw_phase import end_round, end_swaps, proceed_draw, start_turn
from sutler.games.manor.rules.ending import end_turn, note_victory, proceed_end
from sutler.games.manor.rules.feeding import proceed_feeding
from sutler.games.manor.rules.trade import proceed_trade
from sutler.games.manor.rules.upgrade import proceed_upgrade
from sutler.games.manor.rules.work import proceed_work

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.manor.records import Box, State


@rule
def proceed(box: Box, state: State, events: Events) -> None:
    """1.6: draw, trade, work, upgrade, feed, end, until somebody has a decision to make or the game is over."""
    while state.phase == P.moving:
        note_victory(box, state, events)
        seat = seat_in_turn(state)
        if state.stage == S.work:
            proceed_work(box, state, events)
        elif state.kth >= state.n_seats:
            if state.stage == S.end:
                end_turn(box, state, events)
            elif state.stage == S.draw and box.options.offers == 0:
                start_phase(state, events, S.work)
            else:
                start_phase(state, events, state.stage + 1)
        elif state.stage == S.draw:
            proceed_draw(box, state, events, seat)
        elif state.stage == S.trade:
            proceed_trade(box, state, events, seat)
        elif state.stage == S.upgrade:
            proceed_upgrade(box, state, events, seat)
        elif state.stage == S.feeding:
            proceed_feeding(box, state, events, seat)
        else:
            proceed_end(box, state, events, seat)


@rule
def start(box: Box, state: State, events: Events) -> None:
    """From the set-up table to the first decision."""
    go_on(state)
    start_turn(box, state, events)
    proceed(box, state, events)


@rule
def do_done(box: Box, state: State, events: Events, seat: int) -> None:
    """No more of what was asked: no purchase, no swap, no offer, no conversion, no new peasant."""
    if state.phase == P.convert:
        end_action(state)
        return
    if state.phase == P.buy:
        state.step = 2
        state.used = 0
        if box.options.deal_first == 1:
            end_round(state)
    elif state.phase == P.offer:
        state.step = 1
    elif state.phase == P.use or state.phase == P.grow:
        state.step = 2
    else:
        end_swaps(box, state)
    go_on(state)
