"""Who goes, who stays (guide 3.6 to 3.8): characters, reserve actions, experience."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import ask, go_on
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import CHARACTERS, DEEDS_ONLY, HEROES, PASSES, SLOTS
from sutler.games.sixwinters.rules.common import K_OPS, push, to_part
from sutler.games.sixwinters.rules.difficulty import matches
from sutler.games.sixwinters.rules.heroes import clear_mark, gain_achievement, is_unlocked, may_be_erased
from sutler.games.sixwinters.setup import no_hero
from sutler.games.sixwinters.state import ADVANCE_PART, POOLS_PART, RESERVE, RESERVE_PART
from sutler.games.sixwinters.table import E, P, R
from sutler.games.sixwinters.vocabulary import DO

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Op, State


# --- Characters (guide 3.6) ----------------------------------------------------------------------------


@rule
def no_party(state: State) -> None:
    """11.3: nobody leads anybody."""
    for h in range(HEROES):
        no_hero(state, h)
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
    """3.6: an unlocked character that nobody leads, and that has not had its pass of the year."""
    if c >= box.n_characters or not is_unlocked(state, c) or state.people[c].hero != NOBODY:
        return R.not_free
    if state.people[c].has_acted == 1:
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


@rule
def step_take(box: Box, state: State, events: Events) -> None:
    """3.6: seat by seat; if too few characters are left alive, a seat goes without."""
    if state.k < state.n_heroes and is_anybody_free(box, state):
        ask(state, P.take, state.heroes[state.k].seat)
    elif state.year > 1 and state.pass_no == 0:
        to_part(state, RESERVE_PART)
    elif state.year > 1:
        to_part(state, ADVANCE_PART)
    else:
        to_part(state, POOLS_PART)


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
            if there and matches(box, card, op.tags, NOBODY, NOBODY):
                return True
        return False
    if op.op == DO.skill_up or op.op == DO.clear_condition or op.op == DO.base_stress_up:
        for other in range(box.n_characters):
            if other != c and is_unlocked(state, other) and state.people[other].hero == NOBODY:
                return True
        return False
    return True


@rule
def do_reserve_action(box: Box, state: State, events: Events, seat: int, action: int) -> None:
    """3.7: it is done; a Geas is used up (14.36)."""
    c = int(state.k)
    tell(events, E.reserve_acted, c, action)
    if box.reserve[action].n == 0:
        state.people[c].reserves &= 0xFFFF ^ (1 << action)
    else:
        f = push(state, K_OPS, int(box.reserve[action].first), int(box.reserve[action].n), NOBODY)
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
def step_reserve(box: Box, state: State, events: Events) -> None:
    """3.7: every unlocked character that nobody leads may do something."""
    while state.k < box.n_characters:
        if is_unlocked(state, state.k) and state.people[state.k].hero == NOBODY and state.people[state.k].reserves != 0:
            ask(state, P.reserve, 0)
            return
        state.k += 1
    to_part(state, ADVANCE_PART)


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


@rule
def do_ready(box: Box, state: State, events: Events, seat: int) -> None:
    """3.8: what is left is kept."""
    state.k += 1
    go_on(state)


@rule
def step_advance(box: Box, state: State, events: Events) -> None:
    """3.8: character by character."""
    one_by_one(state, P.advance, POOLS_PART)
