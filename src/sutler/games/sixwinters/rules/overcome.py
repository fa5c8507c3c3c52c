"""Overcoming an obstacle (guide 7.1, 7.2, 7.8): who joins, and round after round until it is done or given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import ask, go_on
from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import HEROES
from sutler.games.sixwinters.rules.actions import acting
from sutler.games.sixwinters.rules.common import (
    K_OVERCOME,
    heroes_at,
    is_in,
    n_assets,
    n_dice,
    next_unasked,
    pop,
    push,
    seat_for,
)
from sutler.games.sixwinters.rules.difficulty import difficulty, is_barred, is_for_one
from sutler.games.sixwinters.rules.land import is_in_play
from sutler.games.sixwinters.rules.reaction import can_cancel, may_still_set, n_set, roll_stress
from sutler.games.sixwinters.rules.tally import begin_tally, end_overcoming, spend_round, step_count, step_hit
from sutler.games.sixwinters.state import ASKING, COUNT, OFFERED, ROLLED, ROUND_END, SETTING, TALLY
from sutler.games.sixwinters.table import A, E, P, R

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, State


# --- Beginning (guide 7.1, 7.2) ---------------------------------------------------------------------


@rule
def why_not_overcome(box: Box, state: State, seat: int, card: int) -> int:
    """7.1, 14.61: an obstacle here that no card protects, and a die to use; no action die is needed to begin."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if card >= box.n_obstacles or state.obstacle_at[card] != state.heroes[h].slot:
        return R.obstacle_elsewhere
    if is_barred(box, state, card):
        return R.barred_obstacle
    if n_dice(state, seat) == 0 and n_assets(state, int(state.heroes[h].slot)) == 0:
        return R.no_fighting_dice
    return 0


@rule
def allow_overcome(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.1: the obstacles here."""
    h = acting(state, seat)
    if h == NOBODY:
        return
    card = int(state.head[state.heroes[h].slot])
    while card >= 0:
        if why_not_overcome(box, state, seat, card) == 0:
            allow(out, A.overcome + card)
        card = int(state.after[card])


@rule
def do_overcome(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """7.1: the character leads; others here may join, unless the card forbids it."""
    h = int(state.actor)
    over = state.over
    over.obstacle = card
    over.leader = h
    over.joined = 1 << h
    over.asked = 1 << h
    if is_for_one(box, state, card):
        over.asked = (1 << HEROES) - 1
    over.stage = ASKING
    over.round_no = 1
    over.total = 0
    f = push(state, K_OVERCOME, 0, 1, h)
    state.frames[f].slot = state.heroes[h].slot
    tell(events, E.begun, state.heroes[h].character, card)
    go_on(state)


@rule
def do_join(box: Box, state: State, events: Events, seat: int) -> None:
    """7.2: the character joins."""
    h = next_unasked(state, heroes_at(state, int(state.heroes[state.over.leader].slot)))
    state.over.asked |= 1 << h
    state.over.joined |= 1 << h
    tell(events, E.joined, state.heroes[h].character)
    go_on(state)


@rule
def do_stay_out(box: Box, state: State, events: Events, seat: int) -> None:
    """7.2: the character stays out of it."""
    h = next_unasked(state, heroes_at(state, int(state.heroes[state.over.leader].slot)))
    state.over.asked |= 1 << h
    go_on(state)


# --- Rounds (guide 7.8) -------------------------------------------------------------------------------


@rule
def why_not_again(box: Box, state: State, seat: int) -> int:
    """7.8: as long as somebody has a die."""
    if state.over.obstacle == NOBODY or not has_more(state):
        return R.nothing_set
    return 0


@rule
def has_more(state: State) -> bool:
    """14.61: has anybody who takes part a die left, or an asset at hand?"""
    for h in range(state.n_heroes):
        if state.over.joined >> h & 1 and is_in(state, h):
            if n_dice(state, int(state.heroes[h].seat)) > 0 or n_assets(state, int(state.heroes[h].slot)) > 0:
                return True
    return False


@rule
def do_again(box: Box, state: State, events: Events, seat: int) -> None:
    """7.8: the progress stays, everybody sets dice anew."""
    state.over.round_no += 1
    state.over.asked = ((1 << HEROES) - 1) ^ state.over.joined
    state.over.stage = SETTING
    go_on(state)


@rule
def do_give_up(box: Box, state: State, events: Events, seat: int) -> None:
    """14.61: the progress is lost."""
    drop_it(box, state, events)
    go_on(state)


@rule
def drop_it(box: Box, state: State, events: Events) -> None:
    """7.8: the obstacle stays."""
    tell(events, E.given_up, state.over.obstacle, state.over.total, difficulty(box, state, int(state.over.obstacle)))
    end_overcoming(state)
    pop(state)


@rule
def step_overcome(box: Box, state: State, events: Events, f: int) -> None:
    """7: what comes next in overcoming; 14.61: when the last die went into an ability, nothing is left to go on with."""
    over = state.over
    if over.joined == 0 or not is_in_play(state, int(over.obstacle)):
        drop_it(box, state, events)
    elif over.stage == ASKING:
        h = next_unasked(state, heroes_at(state, int(state.frames[f].slot)))
        if h != NOBODY:
            ask(state, P.join, seat_for(state, h))
        else:
            over.asked = ((1 << HEROES) - 1) ^ over.joined
            over.stage = SETTING
    elif over.stage == SETTING:
        h = next_unasked(state, over.joined)
        if n_set(state) == 0 and not may_still_set(state):
            drop_it(box, state, events)
        elif h != NOBODY:
            ask(state, P.allocate, seat_for(state, h))
        else:
            roll_stress(box, state, events)
            over.stage = ROLLED
    elif over.stage == ROLLED:
        if can_cancel(state):
            ask(state, P.cancel, seat_for(state, int(over.leader)))
        else:
            begin_tally(state)
    elif over.stage == TALLY:
        if over.hits > 0:
            step_hit(box, state, events, f)
        else:
            over.stage = COUNT
    elif over.stage == COUNT:
        step_count(box, state, events, f)
    else:
        end_round(box, state, events)


@rule
def end_round(box: Box, state: State, events: Events) -> None:
    """7.8: the round's dice are spent; another round, or not."""
    if state.over.stage == ROUND_END:
        spend_round(state)
        state.over.stage = OFFERED
    if has_more(state):
        ask(state, P.again, seat_for(state, first_joined(state)))
    else:
        drop_it(box, state, events)


@rule
def first_joined(state: State) -> int:
    """Whoever of those who take part is first on its feet."""
    for h in range(state.n_heroes):
        if state.over.joined >> h & 1 and is_in(state, h):
            return h
    return NOBODY
