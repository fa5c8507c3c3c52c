"""Session start (guide 3.1 to 3.5, 3.9 to 3.12): missions and difficulty, setup, scheme; pools, cards, places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import ask, go_on
from sutler.core.chance import below
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import N_REGIONS, RES, YEARS
from sutler.games.sixwinters.rules.common import fill_pool, level, roll_action_dice, run_effect, threat_level, to_part
from sutler.games.sixwinters.rules.land import put_in_draw
from sutler.games.sixwinters.rules.missions import look_at_missions
from sutler.games.sixwinters.rules.party import begin_party, one_by_one
from sutler.games.sixwinters.rules.staging import bottom_staged, next_stage, refill_staging
from sutler.games.sixwinters.rules.turn import n_new_dice
from sutler.games.sixwinters.setup import no_task, shuffle_draw
from sutler.games.sixwinters.state import (
    CURRENT,
    DIFFICULTY_PART,
    DISCARD,
    EVENT_PART,
    MISSIONS_PART,
    OPEN,
    ORDER_PART,
    PLACE_PART,
    SCHEME_PART,
    SETUP_PART,
    STAGING_PART,
    TAKE_PART,
)
from sutler.games.sixwinters.table import E, P, R

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


# --- Restoring (guide 3.1) --------------------------------------------------------------------------


@rule
def step_restore(box: Box, state: State, events: Events) -> None:
    """3.1: the board stands as it was left; four cards of the lowest stage left are laid out."""
    state.session += 1
    tell(events, E.year, state.year)
    for k in range(2):
        no_task(state, k)
    state.pass_no = 0
    state.space = 0
    state.turn_no = 0
    state.severing = 0
    state.scheme_none = 0
    state.stage_no = 1
    next_stage(box, state)
    refill_staging(box, state)
    to_part(state, MISSIONS_PART)


# --- Missions and difficulty (guide 3.2, 3.3) ---------------------------------------------------------


@rule
def why_not_undertake(box: Box, state: State, seat: int, mission: int) -> int:
    """3.2: an unlocked mission not undertaken before; in the last year only the final ones."""
    if mission >= box.n_missions or state.mission[mission] != OPEN:
        return R.not_unlocked
    one = box.mission[mission]
    if state.year == YEARS:
        if one.year != YEARS:
            return R.final_only
        return 0
    if one.resource >= 0:
        if level(box, state, one.resource) < one.level:
            return R.not_unlocked
        return 0
    if one.year > state.year:
        return R.not_unlocked
    return 0


@rule
def do_undertake(box: Box, state: State, events: Events, seat: int, mission: int) -> None:
    """3.2: it is one of the two missions of the year."""
    k = 0
    if state.tasks[0].mission != NOBODY:
        k = 1
    state.tasks[k].mission = mission
    state.mission[mission] = CURRENT
    tell(events, E.undertaken, mission)
    go_on(state)


@rule
def n_available(box: Box, state: State) -> int:
    """3.2: how many missions can still be chosen."""
    n = 0
    for mission in range(box.n_missions):
        if why_not_undertake(box, state, 0, mission) == 0:
            n += 1
    return n


@rule
def step_missions(box: Box, state: State, events: Events) -> None:
    """3.2: two of them; a designer's box may have fewer."""
    if state.tasks[1].mission == NOBODY and n_available(box, state) > 0:
        ask(state, P.missions, 0)
    else:
        to_part(state, DIFFICULTY_PART)


@rule
def why_not_level(box: Box, state: State, seat: int, choice: int) -> int:
    """3.3, 12.2: none difficult, one of the two, or both, as the table has fixed."""
    fixed = box.options.difficulty
    n = 1
    if choice == 0:
        n = 0
    elif choice == 3:
        n = 2
    if fixed > 0 and fixed - 1 != n:
        return R.fixed_level
    if choice >= 2 and state.tasks[1].mission == NOBODY:
        return R.not_unlocked
    if choice > 0 and state.tasks[0].mission == NOBODY:
        return R.not_unlocked
    return 0


@rule
def do_level(box: Box, state: State, events: Events, seat: int, choice: int) -> None:
    """3.3: easy; the first mission difficult; the second; both."""
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0 and (choice == 3 or choice == k + 1):
            task.difficult = 1
            tell(events, E.set_difficult, task.mission)
    for k in range(2):
        if state.tasks[k].mission >= 0:
            state.mission_difficult[state.tasks[k].mission] = state.tasks[k].difficult
    to_part(state, ORDER_PART)
    go_on(state)


@rule
def step_order(box: Box, state: State, events: Events) -> None:
    """3.4: players say which mission is set up first; with one mission nobody is asked."""
    if state.tasks[1].mission != NOBODY:
        ask(state, P.order, 0)
    else:
        state.tasks_first = 0
        to_part(state, SETUP_PART)


@rule
def step_setup(box: Box, state: State, events: Events) -> None:
    """3.4: the lines of each mission's setup, base before difficult."""
    if state.k < 4:
        k = int(state.k) // 2
        side = int(state.k) % 2
        if state.tasks_first == 1:
            k = 1 - k
        state.k += 1
        task = state.tasks[k]
        if task.mission >= 0 and side <= task.difficult:
            run_effect(state, box.mission[task.mission].setup[side], NOBODY, NOBODY, NOBODY)
    else:
        look_at_missions(box, state, events)
        to_part(state, SCHEME_PART)


# --- The scheme (guide 3.5) ----------------------------------------------------------------------------


@rule
def scheme_level(box: Box, state: State, scheme: int) -> int:
    """3.5, 14.14: the threat level of a scheme's resource; 0 when it has been burned."""
    if state.burned_schemes >> scheme & 1:
        return 0
    return threat_level(box, state, int(box.scheme[scheme].resource))


@rule
def step_scheme(box: Box, state: State, events: Events) -> None:
    """3.5: from the second year on the scheme of the highest threat level; ties at random."""
    state.scheme = NOBODY
    if state.year > 1:
        best = 0
        n = 0
        for scheme in range(box.n_schemes):
            one = scheme_level(box, state, scheme)
            if one > best:
                best = one
                n = 0
            if one == best and one > 0:
                n += 1
        if n > 0:
            k = below(state, n)
            for scheme in range(box.n_schemes):
                if scheme_level(box, state, scheme) == best:
                    if k == 0 and state.scheme == NOBODY:
                        state.scheme = scheme
                    k -= 1
            tell(events, E.scheme_laid, state.scheme)
    begin_party(box, state)
    to_part(state, TAKE_PART)


# --- Pools, decks, cards, places (guide 3.9 to 3.12) --------------------------------------------------------


@rule
def step_pools(box: Box, state: State, events: Events) -> None:
    """3.9, 3.10, 14.59: pools up to their levels, action dice for every seat; discards and draw piles shuffled together."""
    for h in range(state.n_heroes):
        if state.heroes[h].character != NOBODY:
            state.heroes[h].slot = 0
    for r in range(RES):
        fill_pool(box, state, events, r)
    for seat in range(state.n_seats):
        roll_action_dice(state, seat, n_new_dice(box, state, seat))
    for h in range(state.n_heroes):
        state.heroes[h].slot = NOBODY
    if state.pass_no == 0:
        for region in range(N_REGIONS):
            while state.head[DISCARD + region] != NOBODY:
                put_in_draw(state, int(state.head[DISCARD + region]), region)
            shuffle_draw(state, region)
    to_part(state, STAGING_PART)


@rule
def step_staging(box: Box, state: State, events: Events) -> None:
    """3.11, 14.64: in seat order each character's player takes a staged card."""
    if state.k < state.n_heroes:
        h = int(state.k)
        state.k += 1
        one = state.heroes[h]
        if one.character != NOBODY and one.card == NOBODY and bottom_staged(state) != NOBODY:
            state.picked = h
            ask(state, P.staging, one.seat)
    else:
        to_part(state, PLACE_PART)


@rule
def do_start_at(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """3.12: nothing that waits for somebody to enter does anything at the start (14.54)."""
    h = int(state.k)
    state.heroes[h].slot = slot
    tell(events, E.placed, state.heroes[h].character, state.location_at[slot])
    state.k += 1
    go_on(state)


@rule
def step_place(box: Box, state: State, events: Events) -> None:
    """3.12: character by character; then the first turn begins."""
    one_by_one(state, P.place, EVENT_PART)
