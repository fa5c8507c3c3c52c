"""What a card asks (guide 1.12): every choice among things that an effect has laid out. One reason bars them all."""

from __future__ import annotations

from sutler.core.bits import allow_set, has
from sutler.core.rule import rule
from sutler.games.sixwinters.rules.common import answered
from sutler.games.sixwinters.table import A, R

DECLINED = -1
"""The answer when a may is not taken."""


@rule
def barred(state, number):
    """1.12: what is not laid out cannot be chosen."""
    if not has(state.options, number):
        return R.not_offered
    return 0


@rule
def why_not_to(box, state, seat, slot):
    """1.12: a slot that was laid out."""
    return barred(state, slot)


@rule
def do_to(box, state, events, seat, slot):
    """The choice is made."""
    answered(state, slot)


@rule
def why_not_target(box, state, seat, card):
    """1.12: an obstacle that was laid out."""
    return barred(state, card)


@rule
def do_target(box, state, events, seat, card):
    """The choice is made."""
    answered(state, card)


@rule
def allow_target(box, state, seat, out):
    """All that was laid out."""
    allow_set(out, A.target, state.options)


@rule
def why_not_hero(box, state, seat, h):
    """1.12: a character in play that was laid out."""
    return barred(state, h)


@rule
def do_hero(box, state, events, seat, h):
    """The choice is made."""
    answered(state, h)


@rule
def why_not_name(box, state, seat, c):
    """1.12: a character that was laid out."""
    return barred(state, c)


@rule
def do_name(box, state, events, seat, c):
    """The choice is made."""
    answered(state, c)


@rule
def why_not_value(box, state, seat, v):
    """1.12: a value that was laid out."""
    return barred(state, v)


@rule
def do_value(box, state, events, seat, v):
    """The choice is made."""
    answered(state, v)


@rule
def why_not_resource(box, state, seat, r):
    """1.12: a resource that was laid out."""
    return barred(state, r)


@rule
def do_resource(box, state, events, seat, r):
    """The choice is made."""
    answered(state, r)


@rule
def why_not_pile(box, state, seat, region):
    """1.12: a region's pile that was laid out."""
    return barred(state, region)


@rule
def do_pile(box, state, events, seat, region):
    """The choice is made."""
    answered(state, region)


@rule
def why_not_suffer(box, state, seat, track):
    """1.12: psyche or body that was laid out."""
    return barred(state, track)


@rule
def do_suffer(box, state, events, seat, track):
    """The choice is made."""
    answered(state, track)


@rule
def why_not_option(box, state, seat, k):
    """1.12: one of the card's options that was laid out."""
    return barred(state, k)


@rule
def do_option(box, state, events, seat, k):
    """The choice is made."""
    answered(state, k)


@rule
def why_not_condition(box, state, seat, k):
    """1.12: a condition that was laid out."""
    return barred(state, k)


@rule
def do_condition(box, state, events, seat, k):
    """The choice is made."""
    answered(state, k)


@rule
def why_not_skill(box, state, seat, skill):
    """1.12: a skill that was laid out."""
    return barred(state, skill)


@rule
def do_skill(box, state, events, seat, skill):
    """The choice is made."""
    answered(state, skill)


@rule
def why_not_order(box, state, seat, k):
    """1.12: an order of the four staged cards that was laid out."""
    return barred(state, k)


@rule
def do_order(box, state, events, seat, k):
    """The choice is made."""
    answered(state, k)


@rule
def why_not_location(box, state, seat, card):
    """1.12: a location card that was laid out."""
    return barred(state, card)


@rule
def do_location(box, state, events, seat, card):
    """The choice is made."""
    answered(state, card)


@rule
def allow_location(box, state, seat, out):
    """All that was laid out."""
    allow_set(out, A.location, state.options)


@rule
def why_not_which_pool(box, state, seat, k):
    """1.12: action dice or assets that was laid out."""
    return barred(state, k)


@rule
def do_which_pool(box, state, events, seat, k):
    """The choice is made."""
    answered(state, k)


@rule
def why_not_cell(box, state, seat, k):
    """1.12: a cell of the shared card that was laid out."""
    return barred(state, k)


@rule
def do_yes(box, state, events, seat):
    """1.12: it is done."""
    answered(state, 1)


@rule
def why_not_no(box, state, seat):
    """1.12: only a may can be declined."""
    if state.may_decline == 0:
        return R.must_choose
    return 0


@rule
def do_no(box, state, events, seat):
    """1.12: the may is not taken."""
    answered(state, DECLINED)
