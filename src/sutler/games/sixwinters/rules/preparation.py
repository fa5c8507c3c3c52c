"""Session start (guide 3): who goes, reserve actions and experience; missions and difficulty, setup, scheme, pools, cards, places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import below
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import CHARACTERS, DEEDS_ONLY, HEROES, N_REGIONS, PASSES, RES, SLOTS, YEARS
from sutler.games.sixwinters.cards.vocabulary import DO
from sutler.games.sixwinters.phases_actions_events import E, P, R
from sutler.games.sixwinters.rules.common import (
    KIND,
    fill_pool,
    level,
    push,
    roll_action_dice,
    run_effect,
    threat_level,
    to_part,
)
from sutler.games.sixwinters.rules.effects.who import is_meant_person
from sutler.games.sixwinters.rules.heroes import clear_mark, gain_achievement, is_unlocked, may_be_erased
from sutler.games.sixwinters.rules.land import bottom_staged, is_spare, matches, next_stage, put_in_draw, refill_staging
from sutler.games.sixwinters.rules.missions import look_at_missions
from sutler.games.sixwinters.rules.turn import n_new_dice
from sutler.games.sixwinters.setup import clear_hero, clear_task, shuffle_draw_pile
from sutler.games.sixwinters.state import CURRENT, DISCARD, HELPED, OPEN, PART, RESERVE, on_part

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Op, State


# --- Characters (guide 3.6) ----------------------------------------------------------------------------


@rule
def no_party(state: State) -> None:
    """11.3: nobody leads anybody."""
    for h in range(HEROES):
        clear_hero(state, h)
    for c in range(CHARACTERS):
        state.people[c].hero = NOBODY
        state.people[c].has_acted = 0


@rule
def begin_party(box: Box, state: State) -> None:
    """3.6, 12.1: how many characters go: one a seat, two for one player, or one after the other."""
    no_party(state)
    state.n_heroes = state.n_seats
    if state.n_seats == 1 and box.options.solo != PASSES:
        state.n_heroes = 2
    for h in range(state.n_heroes):
        state.heroes[h].seat = min(h, state.n_seats - 1)


@rule
def why_not_take(box: Box, state: State, seat: int, c: int) -> int:
    """3.6, 14.81: an unlocked character that nobody leads, and that has not had its pass of the year, or acted in reserve."""
    if c >= box.n_characters or not is_unlocked(state, c) or state.people[c].hero != NOBODY:
        return R.not_free
    if state.people[c].has_acted != 0:
        return R.not_free
    return 0


@rule
def do_take(box: Box, state: State, events: Events, seat: int, c: int) -> None:
    """3.6: stress dice at the start of their tracks."""
    h = int(state.k)
    one = state.heroes[h]
    one.character = c
    state.people[c].hero = h
    for track in range(2):
        one.stress[track] = state.people[c].start[track]
        one.box_no[track] = 0
    tell(events, E.taken, one.seat, c)
    state.k += 1
    go_on(state)


@rule
def is_anybody_free(box: Box, state: State) -> bool:
    """3.6: is there a character left to take?"""
    for c in range(box.n_characters):
        if why_not_take(box, state, 0, c) == 0:
            return True
    return False


@rule
def one_by_one(state: State, phase: int, then: int) -> None:
    """3.8, 3.12: each character's seat is asked, one after another; who goes without one is passed over. Then the next part."""
    if state.k < state.n_heroes:
        if state.heroes[state.k].character == NOBODY:
            state.k += 1
        else:
            ask(state, phase, state.heroes[state.k].seat)
    else:
        to_part(state, then)


@on_part("take")
@rule
def step_take(box: Box, state: State) -> None:
    """3.6: seat by seat; if too few characters are left alive, a seat goes without."""
    if state.k < state.n_heroes and is_anybody_free(box, state):
        ask(state, P.take, state.heroes[state.k].seat)
    elif state.year > 1 and state.pass_no == 0:
        to_part(state, PART.reserve)
    elif state.year > 1:
        to_part(state, PART.advance)
    else:
        to_part(state, PART.pools)


# --- Reserve actions (guide 3.7) --------------------------------------------------------------------------


@rule
def must_obey(box: Box, state: State, c: int) -> int:
    """14.36: the reserve action without any effect, which its holder must take; NOBODY if it has none."""
    for action in range(box.n_reserves):
        if state.people[c].reserves >> action & 1 and box.reserve[action].n == 0:
            return action
    return NOBODY


@rule
def why_not_reserve_action(box: Box, state: State, seat: int, action: int) -> int:
    """3.7: one of the character's reserve actions, with a target."""
    c = int(state.k)
    if c >= box.n_characters or action >= box.n_reserves or not state.people[c].reserves >> action & 1:
        return R.no_such_action
    geas = must_obey(box, state, c)
    if geas != NOBODY:
        if geas != action:
            return R.must_obey
        return 0
    if not has_aim(box, state, box.ops[box.reserve[action].first], c):
        return R.no_such_action
    return 0


@rule
def has_aim(box: Box, state: State, op: Op, c: int) -> bool:
    """3.7: is there something that the action can be done to?"""
    if op.op == DO.burn_from_deck or op.op == DO.place_obstacle_from_reserve:
        for card in range(box.n_obstacles):
            at = state.obstacle_at[card]
            there = at == RESERVE
            if op.op == DO.burn_from_deck:
                there = SLOTS <= at < RESERVE
            if there and matches(box, state, card, op.tags, NOBODY, NOBODY):
                return True
        return False
    if op.op == DO.skill_up or op.op == DO.clear_condition or op.op == DO.base_stress_up:
        for other in range(box.n_characters):
            if is_meant_person(box, state, op, other, c):
                return True
        return False
    if op.op == DO.place_location_from_reserve:
        for card in range(box.n_locations):
            if is_spare(state, card) and box.location[card].tags & op.places != 0:
                return True
        return False
    return True


@rule
def do_reserve_action(box: Box, state: State, events: Events, seat: int, action: int) -> None:
    """3.7: it is done; a Geas is used up (14.36)."""
    c = int(state.k)
    tell(events, E.reserve_acted, c, action)
    if has_second_pass(box, state):
        state.people[c].has_acted = HELPED
    if box.reserve[action].n == 0:
        state.people[c].reserves &= 0xFFFF ^ (1 << action)
    else:
        f = push(state, KIND.ops, int(box.reserve[action].first), int(box.reserve[action].n), NOBODY)
        state.frames[f].target = c
    state.k += 1
    go_on(state)


@rule
def why_not_no_action(box: Box, state: State, seat: int) -> int:
    """3.7: nothing need be done, unless a Geas says so."""
    if state.k < box.n_characters and must_obey(box, state, int(state.k)) != NOBODY:
        return R.must_obey
    return 0


@rule
def do_no_action(box: Box, state: State, events: Events, seat: int) -> None:
    """3.7: this character does nothing in reserve."""
    state.k += 1
    go_on(state)


@rule
def has_second_pass(box: Box, state: State) -> bool:
    """12.1: does another character play the year once more after this one?"""
    return state.n_seats == 1 and box.options.solo == PASSES


@rule
def must_wait(box: Box, state: State, c: int) -> bool:
    """14.81: the last one left for the second pass does nothing in reserve: somebody has to go."""
    if not has_second_pass(box, state):
        return False
    for other in range(box.n_characters):
        if other != c and why_not_take(box, state, 0, other) == 0:
            return False
    return True


@rule
def may_act_in_reserve(box: Box, state: State, c: int) -> bool:
    """3.7: an unlocked character that nobody leads, with something to do, that is not kept for the second pass."""
    if not is_unlocked(state, c) or state.people[c].hero != NOBODY or state.people[c].reserves == 0:
        return False
    return not must_wait(box, state, c)


@on_part("reserve")
@rule
def step_reserve(box: Box, state: State) -> None:
    """3.7: every unlocked character that nobody leads may do something."""
    while state.k < box.n_characters:
        if may_act_in_reserve(box, state, int(state.k)):
            ask(state, P.reserve, 0)
            return
        state.k += 1
    to_part(state, PART.advance)


# --- Experience (guide 3.8) -----------------------------------------------------------------------------


@rule
def pupil(state: State) -> int:
    """3.8: the character that spends experience now."""
    if state.k >= state.n_heroes:
        return NOBODY
    return int(state.heroes[state.k].character)


@rule
def price_of_rank(box: Box, state: State, c: int, skill: int) -> int:
    """3.8: 10 for a new skill, three times the new rank for a further one."""
    n = int(state.people[c].skills[skill])
    if n == 0:
        return int(box.rules.new_skill)
    return int(box.rules.skill_factor) * (n + 1)


@rule
def why_not_raise_skill(box: Box, state: State, seat: int, skill: int) -> int:
    """3.8: up to the highest rank, while there is experience for it."""
    c = pupil(state)
    if c == NOBODY:
        return R.no_experience
    if state.people[c].skills[skill] >= box.rules.most_skill:
        return R.top_rank
    if state.people[c].xp < price_of_rank(box, state, c, skill):
        return R.no_experience
    return 0


@rule
def do_raise_skill(box: Box, state: State, events: Events, seat: int, skill: int) -> None:
    """3.8: the rank is bought."""
    c = pupil(state)
    state.people[c].xp -= price_of_rank(box, state, c, skill)
    state.people[c].skills[skill] += 1
    tell(events, E.skill_bought, c, skill, state.people[c].skills[skill])
    tell(events, E.experience, c, state.people[c].xp)


@rule
def why_not_achieve(box: Box, state: State, seat: int) -> int:
    """3.8: the next achievement, in order."""
    c = pupil(state)
    if c == NOBODY:
        return R.no_experience
    if box.options.deeds == DEEDS_ONLY:
        return R.by_deeds_only
    if state.people[c].achievements >= box.character[c].n_achievements:
        return R.no_achievement
    if state.people[c].xp < box.rules.xp_achievement:
        return R.no_experience
    return 0


@rule
def do_achieve(box: Box, state: State, events: Events, seat: int) -> None:
    """3.8: it is bought."""
    c = pupil(state)
    state.people[c].xp -= box.rules.xp_achievement
    gain_achievement(box, state, events, c)
    tell(events, E.experience, c, state.people[c].xp)


@rule
def why_not_clear_condition(box: Box, state: State, seat: int, k: int) -> int:
    """3.8: a marked condition, for its price."""
    c = pupil(state)
    if c == NOBODY:
        return R.no_experience
    if not may_be_erased(state, c, k // 3, k % 3 + 1):
        return R.not_marked
    if state.people[c].xp < box.rules.clear[k % 3]:
        return R.no_experience
    return 0


@rule
def do_clear_condition(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """3.8: it is erased."""
    c = pupil(state)
    state.people[c].xp -= box.rules.clear[k % 3]
    clear_mark(state, events, c, k // 3, k % 3 + 1)
    tell(events, E.experience, c, state.people[c].xp)


@rule
def do_ready(box: Box, state: State, events: Events, seat: int) -> None:
    """3.8: what is left is kept."""
    state.k += 1
    go_on(state)


@on_part("advance")
@rule
def step_advance(state: State) -> None:
    """3.8: character by character."""
    one_by_one(state, P.advance, PART.pools)


# --- Restoring (guide 3.1) --------------------------------------------------------------------------


@on_part("restore")
@rule
def step_restore(box: Box, state: State, events: Events) -> None:
    """3.1: the board stands as it was left; four cards of the lowest stage left are laid out."""
    state.session += 1
    tell(events, E.year, state.year)
    for k in range(2):
        clear_task(state, k)
    state.pass_no = 0
    state.space = 0
    state.turn_no = 0
    state.severing = 0
    state.scheme_none = 0
    state.stage_no = 1
    next_stage(box, state)
    refill_staging(box, state, events)
    to_part(state, PART.missions)


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


@on_part("missions")
@rule
def step_missions(box: Box, state: State) -> None:
    """3.2: two of them; a designer's box may have fewer."""
    if state.tasks[1].mission == NOBODY and n_available(box, state) > 0:
        ask(state, P.missions, 0)
    else:
        to_part(state, PART.difficulty)


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
    if choice == 0:
        tell(events, E.set_easy)
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0 and (choice == 3 or choice == k + 1):
            task.difficult = 1
            tell(events, E.set_difficult, task.mission)
    for k in range(2):
        if state.tasks[k].mission >= 0:
            state.mission_difficult[state.tasks[k].mission] = state.tasks[k].difficult
    to_part(state, PART.order)
    go_on(state)


@on_part("difficulty")
@rule
def step_difficulty(state: State) -> None:
    """3.3: how hard the missions shall be."""
    ask(state, P.difficulty, 0)


@on_part("order")
@rule
def step_order(state: State) -> None:
    """3.4: players say which mission is set up first; with one mission nobody is asked."""
    if state.tasks[1].mission != NOBODY:
        ask(state, P.order, 0)
    else:
        state.tasks_first = 0
        to_part(state, PART.setup)


@on_part("setup")
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
        to_part(state, PART.scheme)


# --- The scheme (guide 3.5) ----------------------------------------------------------------------------


@rule
def scheme_level(box: Box, state: State, scheme: int) -> int:
    """3.5, 14.14: the threat level of a scheme's resource; 0 when it has been burned."""
    if state.burned_schemes >> scheme & 1:
        return 0
    return threat_level(box, state, int(box.scheme[scheme].resource))


@on_part("scheme")
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
    to_part(state, PART.take)


# --- Pools, decks, cards, places (guide 3.9 to 3.12) --------------------------------------------------------


@on_part("pools")
@rule
def step_pools(box: Box, state: State, events: Events) -> None:
    """3.9, 3.10, 14.59: pools up to their levels, action dice for every seat; discards and draw piles shuffled together."""
    for h in range(state.n_heroes):
        if state.heroes[h].character != NOBODY:
            state.heroes[h].slot = 0
    for r in range(RES):
        fill_pool(box, state, events, r)
    for seat in range(state.n_seats):
        roll_action_dice(state, events, seat, n_new_dice(box, state, seat), E.turn_dice)
    for h in range(state.n_heroes):
        state.heroes[h].slot = NOBODY
    if state.pass_no == 0:
        for region in range(N_REGIONS):
            if state.head[DISCARD + region] != NOBODY:
                tell(events, E.reshuffled, region)
            while state.head[DISCARD + region] != NOBODY:
                put_in_draw(state, int(state.head[DISCARD + region]), region)
            shuffle_draw_pile(state, region)
    to_part(state, PART.staging)


@on_part("staging")
@rule
def step_staging(state: State) -> None:
    """3.11, 14.64: in seat order each character's player takes a staged card."""
    if state.k < state.n_heroes:
        h = int(state.k)
        state.k += 1
        one = state.heroes[h]
        if one.character != NOBODY and one.card == NOBODY and bottom_staged(state) != NOBODY:
            state.picked = h
            ask(state, P.staging, one.seat)
    else:
        to_part(state, PART.place)


@rule
def do_start_at(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """3.12: nothing that waits for somebody to enter does anything at the start (14.54)."""
    h = int(state.k)
    state.heroes[h].slot = slot
    tell(events, E.placed, state.heroes[h].character, state.location_at[slot])
    state.k += 1
    go_on(state)


@on_part("place")
@rule
def step_place(state: State) -> None:
    """3.12: character by character; then the first turn begins."""
    one_by_one(state, P.place, PART.event)
