"""The course of a campaign (guide 3.1, 4.1): what comes next, until somebody has a decision to make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import ask
from sutler.core.rule import rule
from sutler.games.sixwinters.rules.abilities import step_ability
from sutler.games.sixwinters.rules.actions import step_move
from sutler.games.sixwinters.rules.cards import step_complete
from sutler.games.sixwinters.rules.common import KIND
from sutler.games.sixwinters.rules.creating import step_create, step_trade
from sutler.games.sixwinters.rules.effects.dispatch import step_effect
from sutler.games.sixwinters.rules.ending import (
    finish_at_once,
    step_clear,
    step_result,
    step_result_order,
    step_results,
    step_tidy,
)
from sutler.games.sixwinters.rules.heroes import step_stress
from sutler.games.sixwinters.rules.missions import step_bring
from sutler.games.sixwinters.rules.overcome import step_aftermath, step_overcome
from sutler.games.sixwinters.rules.payments import step_settle
from sutler.games.sixwinters.rules.preparation import (
    step_advance,
    step_missions,
    step_order,
    step_place,
    step_pools,
    step_reserve,
    step_restore,
    step_scheme,
    step_setup,
    step_staging,
    step_take,
)
from sutler.games.sixwinters.rules.tracks import step_trigger
from sutler.games.sixwinters.rules.turn import (
    step_actions,
    step_activate,
    step_event,
    step_obstacles,
    step_refresh,
    step_threats,
    step_time,
)
from sutler.games.sixwinters.state import OUTCOME, PART
from sutler.games.sixwinters.table import P

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


# --- The course of a campaign (guide 3.1, 4.1) -----------------------------------------------------------


@rule
def step_frame(box: Box, state: State, events: Events) -> None:
    """What was begun last goes on first."""
    f = int(state.n_frames) - 1
    kind = state.frames[f].kind
    if kind == KIND.ops:
        step_effect(box, state, events, f)
    elif kind == KIND.stress:
        step_stress(box, state, events, f)
    elif kind == KIND.move:
        step_move(box, state, events, f)
    elif kind == KIND.ability:
        step_ability(box, state, events, f)
    elif kind == KIND.complete:
        step_complete(box, state, events, f)
    elif kind == KIND.bring:
        step_bring(box, state, events, f)
    elif kind == KIND.overcome:
        step_overcome(box, state, events, f)
    elif kind == KIND.aftermath:
        step_aftermath(box, state, events, f)
    elif kind == KIND.result:
        step_result(box, state, events, f)
    elif kind == KIND.create:
        step_create(box, state, events, f)
    elif kind == KIND.trade:
        step_trade(box, state, events, f)
    elif kind == KIND.settle:
        step_settle(box, state, events, f)


@rule
def step_session_start(box: Box, state: State, events: Events) -> None:
    """3: the parts of session start."""
    part = state.part
    if part == PART.restore:
        step_restore(box, state, events)
    elif part == PART.missions:
        step_missions(box, state, events)
    elif part == PART.difficulty:
        ask(state, P.difficulty, 0)
    elif part == PART.order:
        step_order(box, state, events)
    elif part == PART.setup:
        step_setup(box, state, events)
    elif part == PART.scheme:
        step_scheme(box, state, events)
    elif part == PART.take:
        step_take(box, state, events)
    elif part == PART.reserve:
        step_reserve(box, state, events)
    elif part == PART.advance:
        step_advance(box, state, events)
    elif part == PART.pools:
        step_pools(box, state, events)
    elif part == PART.staging:
        step_staging(box, state, events)
    else:
        step_place(box, state, events)


@rule
def step_turn(box: Box, state: State, events: Events) -> None:
    """4.1: the seven steps of a turn."""
    part = state.part
    if part == PART.event:
        step_event(box, state, events)
    elif part == PART.actions:
        step_actions(box, state, events)
    elif part == PART.refresh:
        step_refresh(box, state, events)
    elif part == PART.activate:
        step_activate(box, state, events)
    elif part == PART.obstacles:
        step_obstacles(box, state, events)
    elif part == PART.threats:
        step_threats(box, state, events)
    elif part == PART.trigger:
        step_trigger(box, state, events)
    else:
        step_time(box, state, events)


@rule
def proceed(box: Box, state: State, events: Events) -> None:
    """On to the next decision, or to the end."""
    while state.phase == P.moving:
        if state.outcome != OUTCOME.open:
            finish_at_once(box, state, events)
        elif state.n_frames > 0:
            step_frame(box, state, events)
        elif state.part <= PART.place:
            step_session_start(box, state, events)
        elif state.part <= PART.time:
            step_turn(box, state, events)
        elif state.part == PART.clear:
            step_clear(box, state, events)
        elif state.part == PART.result_order:
            step_result_order(box, state, events)
        elif state.part == PART.results:
            step_results(box, state, events)
        else:
            step_tidy(box, state, events)


@rule
def start(box: Box, state: State, events: Events) -> None:
    """From the box to the first decision of the campaign."""
    state.phase = P.moving
    proceed(box, state, events)
