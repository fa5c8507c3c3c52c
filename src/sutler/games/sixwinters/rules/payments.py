"""Paying (guide 5.10): one action for every die that is asked for, whatever it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import go_on
from sutler.core.bits import allow_set, has
from sutler.core.rule import rule
from sutler.games.sixwinters.rules.abilities import pay_ability
from sutler.games.sixwinters.rules.common import K_ABILITY, answered, no_options
from sutler.games.sixwinters.rules.movement import pay_for_way
from sutler.games.sixwinters.rules.scheme import cancel_scheme_die
from sutler.games.sixwinters.rules.settling import settle_with
from sutler.games.sixwinters.table import A, P, R

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, State


@rule
def why_not_pay(box: Box, state: State, seat: int, source: int) -> int:
    """5.10: one of the dice laid out."""
    if not has(state.options, source):
        return R.not_offered
    return 0


@rule
def allow_pay(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.10: the dice laid out."""
    allow_set(out, A.pay, state.options)


@rule
def do_pay(box: Box, state: State, events: Events, seat: int, source: int) -> None:
    """5.10: the die goes where it is wanted: a way, an ability, a scheme's die, an obstacle, or a card that asked."""
    if state.phase == P.scheme:
        cancel_scheme_die(box, state, events, source)
    elif state.phase == P.settle:
        settle_with(state, events, source)
    elif state.phase == P.choose_die:
        answered(state, source)
    else:
        f = int(state.n_frames) - 1
        if state.frames[f].kind == K_ABILITY:
            pay_ability(state, f, source)
        else:
            pay_for_way(state, seat, source)
        no_options(state)
        go_on(state)
