"""What a card asks (guide 1.12): every choice among things that an effect has laid out. One reason bars them all."""

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
def barred(state: State, number: int) -> int:
    """1.12: what is not laid out cannot be chosen."""
    if not has(state.options, number):
        return R.not_offered
    return 0


@rule
def why_not_to(box: Box, state: State, seat: int, slot: int) -> int:
    """1.12: a slot that was laid out."""
    return barred(state, slot)


@rule
def do_to(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """The choice is made."""
    answered(state, slot)


@rule
def why_not_target(box: Box, state: State, seat: int, card: int) -> int:
    """1.12: an obstacle that was laid out."""
    return barred(state, card)


@rule
def do_target(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """The choice is made."""
    answered(state, card)


@rule
def allow_target(box: Box, state: State, seat: int, out: Legal) -> None:
    """All that was laid out."""
    allow_set(out, A.target, state.options)


@rule
def why_not_hero(box: Box, state: State, seat: int, h: int) -> int:
    """1.12: a character in play that was laid out."""
    return barred(state, h)


@rule
def do_hero(box: Box, state: State, events: Events, seat: int, h: int) -> None:
    """The choice is made."""
    answered(state, h)


@rule
def why_not_name(box: Box, state: State, seat: int, c: int) -> int:
    """1.12: a character that was laid out."""
    return barred(state, c)


@rule
def do_name(box: Box, state: State, events: Events, seat: int, c: int) -> None:
    """The choice is made."""
    answered(state, c)


@rule
def why_not_value(box: Box, state: State, seat: int, v: int) -> int:
    """1.12: a value that was laid out."""
    return barred(state, v)


@rule
def do_value(box: Box, state: State, events: Events, seat: int, v: int) -> None:
    """The choice is made."""
    answered(state, v)


@rule
def why_not_resource(box: Box, state: State, seat: int, r: int) -> int:
    """1.12: a resource that was laid out."""
    return barred(state, r)


@rule
def do_resource(box: Box, state: State, events: Events, seat: int, r: int) -> None:
    """The choice is made."""
    answered(state, r)


@rule
def why_not_pile(box: Box, state: State, seat: int, region: int) -> int:
    """1.12: a region's pile that was laid out."""
    return barred(state, region)


@rule
def do_pile(box: Box, state: State, events: Events, seat: int, region: int) -> None:
    """The choice is made."""
    answered(state, region)


@rule
def why_not_suffer(box: Box, state: State, seat: int, track: int) -> int:
    """1.12: psyche or body that was laid out."""
    return barred(state, track)


@rule
def do_suffer(box: Box, state: State, events: Events, seat: int, track: int) -> None:
    """The choice is made."""
    answered(state, track)


@rule
def why_not_option(box: Box, state: State, seat: int, k: int) -> int:
    """1.12: one of the card's options that was laid out."""
    return barred(state, k)


@rule
def do_option(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """The choice is made."""
    answered(state, k)


@rule
def why_not_condition(box: Box, state: State, seat: int, k: int) -> int:
    """1.12: a condition that was laid out."""
    return barred(state, k)


@rule
def do_condition(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """The choice is made."""
    answered(state, k)


@rule
def why_not_skill(box: Box, state: State, seat: int, skill: int) -> int:
    """1.12: a skill that was laid out."""
    return barred(state, skill)


@rule
def do_skill(box: Box, state: State, events: Events, seat: int, skill: int) -> None:
    """The choice is made."""
    answered(state, skill)


@rule
def why_not_order(box: Box, state: State, seat: int, k: int) -> int:
    """1.12: an order of the four staged cards that was laid out."""
    return barred(state, k)


@rule
def do_order(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """The choice is made."""
    answered(state, k)


@rule
def why_not_location(box: Box, state: State, seat: int, card: int) -> int:
    """1.12: a location card that was laid out."""
    return barred(state, card)


@rule
def do_location(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """The choice is made."""
    answered(state, card)


@rule
def allow_location(box: Box, state: State, seat: int, out: Legal) -> None:
    """All that was laid out."""
    allow_set(out, A.location, state.options)


@rule
def why_not_which_pool(box: Box, state: State, seat: int, k: int) -> int:
    """1.12: action dice or assets that was laid out."""
    return barred(state, k)


@rule
def do_which_pool(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """The choice is made."""
    answered(state, k)


@rule
def why_not_cell(box: Box, state: State, seat: int, k: int) -> int:
    """1.12: a cell of the shared card that was laid out."""
    return barred(state, k)


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
