"""What a card asks (guide 1.12): every choice among things that an effect has laid out. One reason bars them all.

Whatever is chosen among, the same two rules stand for it, under the name of each action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow_set, has
from sutler.core.rule import rule
from sutler.games.sixwinters.rules.common import answered
from sutler.games.sixwinters.table import A, R

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, State


DECLINED = -1
"""The answer when a may is not taken."""


@rule
def why_not_choose(box: Box, state: State, seat: int, number: int) -> int:
    """1.12: what is not laid out cannot be chosen."""
    if not has(state.options, number):
        return R.not_offered
    return 0


@rule
def do_choose(box: Box, state: State, events: Events, seat: int, number: int) -> None:
    """1.12: the choice is made."""
    answered(state, number)


# A place, an obstacle, a location card; a character in play, or any by name.
why_not_to = why_not_target = why_not_location = why_not_hero = why_not_name = why_not_choose
do_to = do_target = do_location = do_hero = do_name = do_choose

# A value, a resource, a region's pile, psyche or body, a condition, a skill.
why_not_value = why_not_resource = why_not_pile = why_not_suffer = why_not_condition = why_not_skill = why_not_choose
do_value = do_resource = do_pile = do_suffer = do_condition = do_skill = do_choose

# One of a card's options, an order of the four staged cards, action dice or assets, a cell of the shared card.
why_not_option = why_not_order = why_not_which_pool = why_not_cell = why_not_choose
do_option = do_order = do_which_pool = do_choose


@rule
def allow_target(box: Box, state: State, seat: int, out: Legal) -> None:
    """All that was laid out."""
    allow_set(out, A.target, state.options)


@rule
def allow_location(box: Box, state: State, seat: int, out: Legal) -> None:
    """All that was laid out."""
    allow_set(out, A.location, state.options)


@rule
def do_yes(box: Box, state: State, events: Events, seat: int) -> None:
    """1.12: it is done."""
    answered(state, 1)


@rule
def why_not_no(box: Box, state: State, seat: int) -> int:
    """1.12: only a may can be declined."""
    if state.may_decline == 0:
        return R.must_choose
    return 0


@rule
def do_no(box: Box, state: State, events: Events, seat: int) -> None:
    """1.12: the may is not taken."""
    answered(state, DECLINED)
