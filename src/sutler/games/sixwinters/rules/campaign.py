"""The course of a campaign (guide 3.1, 4.1): what comes next, until somebody has a decision to make.

A rule with `@on_part` goes on with a part of the session, one with `@on_frame` with what was begun in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules import (
    abilities,
    actions,
    cards,
    common,
    creating,
    ending,
    heroes,
    missions,
    overcome,
    payments,
    preparation,
    tracks,
    turn,
)
from sutler.games.sixwinters.rules.common import FRAME_RULES
from sutler.games.sixwinters.rules.effects import ability, dispatch
from sutler.games.sixwinters.rules.ending import finish_at_once
from sutler.games.sixwinters.state import OUTCOME, PART_RULES

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


CHAPTERS = (
    *(preparation, turn, actions, creating, abilities, ability, cards, missions, overcome, common, payments, heroes),
    *(tracks, ending, dispatch),
)
"""The rules by chapter; a new file of rules is named here."""

run_part = PART_RULES.dispatch(__name__, __file__)
run_frame = FRAME_RULES.dispatch(__name__, __file__)


@rule(shared=True)
def proceed(box: Box, state: State, events: Events) -> None:
    """On to the next decision, or to the end; what was begun last goes on first."""
    while state.phase == P.moving:
        if state.outcome != OUTCOME.open:
            finish_at_once(box, state, events)
        elif state.n_frames > 0:
            f = int(state.n_frames) - 1
            run_frame(box, state, events, f, state.frames[f].kind)
        else:
            run_part(box, state, events, state.part)


@rule
def start(box: Box, state: State, events: Events) -> None:
    """From the box to the first decision of the campaign."""
    state.phase = P.moving
    proceed(box, state, events)
