"""The course of an effect (guide 13): operation after operation; one that waits for a choice goes on later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.sixwinters.cards.vocabulary import OPERATIONS
from sutler.games.sixwinters.rules.common import advance, on_frame, pop
from sutler.games.sixwinters.rules.effects import ability, campaign, dice, land, people, who
from sutler.games.sixwinters.state import OUTCOME

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


CHAPTERS = (who, people, land, dice, ability, campaign)
"""Where the operations stand that are carried out; a file of more of them is named here."""

run_operation = OPERATIONS.dispatch(__name__, __file__)


@on_frame("ops")
@rule
def step_effect(box: Box, state: State, events: Events, f: int) -> None:
    """13: the next operation of an effect, or the effect is over."""
    if state.frames[f].left <= 0 or state.outcome != OUTCOME.open:
        pop(state)
    elif run_operation(box, state, events, f, box.ops[state.frames[f].op].op):
        advance(state, f)
