"""Paying (guide 5.10, 11.1): obstacles paid off at the end of a year, and one action for every die asked for, whatever it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, allow_set
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import FACES, POOL, RES, SLOTS
from sutler.games.sixwinters.phases_actions_events import A, E, P, R
from sutler.games.sixwinters.rules.abilities import pay_ability
from sutler.games.sixwinters.rules.actions import pay_for_way
from sutler.games.sixwinters.rules.common import (
    KIND,
    answered,
    drop_asset,
    drop_pool_die,
    no_options,
    offer,
    on_frame,
    pop,
    push,
    to_part,
    why_not_choose,
)
from sutler.games.sixwinters.rules.land import difficulty, discard, is_in_play
from sutler.games.sixwinters.rules.tracks import cancel_scheme_die
from sutler.games.sixwinters.state import PART, n_threat_tags

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, Frame, State


@rule
def worth_against(box: Box, state: State, card: int) -> int:
    """11.1, 14.74: pool dice and assets on locations that match one of an obstacle's tags, all together."""
    total = 0
    for r in range(RES):
        if n_threat_tags(box, state, card, r) > 0:
            for v in range(FACES):
                n = int(state.pools[r, v])
                for slot in range(SLOTS):
                    n += int(state.assets[slot, r, v])
                total += n * (v + 1)
    return total


@rule
def why_not_clear_obstacle(box: Box, state: State, seat: int, card: int) -> int:
    """11.1: an obstacle in play whose difficulty the matching dice reach."""
    if card >= box.n_obstacles or not is_in_play(state, card):
        return R.not_in_play
    if worth_against(box, state, card) < difficulty(box, state, card):
        return R.not_payable
    return 0


@rule
def allow_clear_obstacle(box: Box, state: State, seat: int, out: Legal) -> None:
    """11.1: the obstacles in play that can be paid off."""
    for slot in range(SLOTS):
        card = int(state.head[slot])
        while card >= 0:
            if why_not_clear_obstacle(box, state, seat, card) == 0:
                allow(out, A.clear_obstacle + card)
            card = int(state.after[card])


@rule
def do_clear_obstacle(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """11.1: now the dice, one after another, until they reach its difficulty; nothing is given back."""
    f = push(state, KIND.settle, 0, 1, NOBODY)
    state.frames[f].obstacle = card
    go_on(state)


@on_frame("settle")
@rule
def step_settle(box: Box, state: State, events: Events, frame: Frame) -> None:
    """11.1: the next die, or the obstacle is discarded."""
    card = int(frame.obstacle)
    if frame.chosen >= difficulty(box, state, card):
        tell(events, E.cleared, card)
        pop(state)
        discard(box, state, events, card)
        return
    no_options(state)
    for r in range(RES):
        if n_threat_tags(box, state, card, r) > 0:
            for v in range(FACES):
                if state.pools[r, v] > 0:
                    offer(state, POOL + r * FACES + v)
                for slot in range(SLOTS):
                    if state.assets[slot, r, v] > 0:
                        offer(state, FACES + r * FACES + v)
    ask(state, P.settle, 0)


@rule
def settle_with(state: State, events: Events, source: int) -> None:
    """11.1: the die is spent; of like assets any one, since all are cleared away soon."""
    frame = state.frames[state.n_frames - 1]
    frame.chosen += source % FACES + 1
    if source >= POOL:
        drop_pool_die(state, events, (source - POOL) // FACES, source % FACES + 1)
    else:
        code = source - FACES
        for slot in range(SLOTS):
            if state.assets[slot, code // FACES, code % FACES] > 0:
                drop_asset(state, events, code // FACES, code % FACES + 1, slot)
                break
    no_options(state)
    go_on(state)


@rule
def do_go_on(box: Box, state: State, events: Events, seat: int) -> None:
    """11.1: no more obstacles are paid off."""
    to_part(state, PART.result_order)
    go_on(state)


why_not_pay = why_not_choose


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
        if state.frames[f].kind == KIND.ability:
            pay_ability(state, events, f, source)
        else:
            pay_for_way(state, events, seat, source)
        no_options(state)
        go_on(state)
