"""Operations on characters (guide 13.2): stress, conditions, skills, action dice, places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import has
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import ADDED_ASSET, ALL, FACES, N_SKILLS, SLOTS
from sutler.games.sixwinters.cards.vocabulary import BODY, DO, PSYCHE, WHO, operation
from sutler.games.sixwinters.phases_actions_events import E, P
from sutler.games.sixwinters.rules.common import choose_one, is_in, n_options, no_options, offer, rank
from sutler.games.sixwinters.rules.effects.dice import offer_values
from sutler.games.sixwinters.rules.effects.who import (
    choose_person,
    confirm,
    done_with,
    find_meant,
    may_learn,
    next_todo,
    note_meant,
)
from sutler.games.sixwinters.rules.heroes import (
    arrive,
    clear_mark,
    hit,
    mark_condition,
    next_box,
    offer_conditions,
    take_condition,
)

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Frame, Op, State


# --- Stress and conditions (guide 9) --------------------------------------------------------


@rule
def amount_of(box: Box, state: State, op: Op, track: int) -> int:
    """13.2: how much stress of a track an operation gives."""
    n = int(op.psyche)
    per = int(op.per_psyche)
    if track == BODY:
        n = int(op.body)
        per = int(op.per_body)
    if n == ADDED_ASSET:
        n = int(state.added_value)
    if per > 0:
        for card in range(box.n_obstacles):
            if 0 <= state.obstacle_at[card] < SLOTS:
                if box.obstacle[card].tags & op.tags != 0 or has(op.named, card):
                    n += per
    return n


@operation("stress", needs="who", may="psyche body if_skill_below plus_per_obstacle regions location_tags")
@rule
def op_stress(box: Box, state: State, events: Events, op: Op, frame: Frame, f: int) -> bool:
    """13.2: each character meant takes so much; psyche first, then body, one after another."""
    if not find_meant(box, state, op, frame):
        return False
    while True:
        h = next_todo(state, frame)
        if h == NOBODY:
            return True
        if op.below == 0 or rank(state, h, op.skill) < op.below:
            if frame.step == 2:
                frame.step = 3
                hit(box, state, events, h, PSYCHE, amount_of(box, state, op, PSYCHE))
                if state.n_frames > f + 1:
                    return False
            frame.step = 2
            frame.todo &= ~(1 << h)
            hit(box, state, events, h, BODY, amount_of(box, state, op, BODY))
            if state.n_frames > f + 1:
                return False
        else:
            frame.todo &= ~(1 << h)


@operation("condition", needs="who", may="track condition count regions location_tags")
@rule
def op_condition(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """14.15, 14.39: a condition is marked on any sheet, or taken by characters in play as if the die had run out."""
    if op.who == WHO.one_unlocked:
        if not choose_person(box, state, op, frame):
            return False
        if frame.chosen >= 0:
            mark_condition(state, events, frame.chosen, op.track, max(1, op.box_no))
        return True
    if not find_meant(box, state, op, frame):
        return False
    for h in range(state.n_heroes):
        if frame.todo >> h & 1:
            for _ in range(op.count_of):
                take_condition(box, state, events, h, op.track)
    return True


@operation("recover_condition", needs="who track", may="count regions location_tags")
@rule
def op_recover(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """14.39: each character meant erases a condition of its choice."""
    note_meant(box, state, op, frame)
    if frame.step == 2:
        h = next_todo(state, frame)
        clear_mark(state, events, state.heroes[h].character, op.track, state.answer % 3 + 1)
        done_with(frame, h)
    while True:
        h = next_todo(state, frame)
        if h == NOBODY:
            return True
        no_options(state)
        offer_conditions(state, state.heroes[h].character, 1 << int(op.track))
        if n_options(state) > 0:
            return choose_one(state, frame, P.choose_condition, h)
        done_with(frame, h)


@operation("condition_for_skill", needs="who track skill by", may="optional")
@rule
def op_condition_for_skill(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """14.39: the character may take a condition to gain a rank."""
    h = int(frame.hero)
    if not is_in(state, h) or next_box(state, h, op.track) == 0:
        return True
    if frame.step == 0:
        return confirm(state, frame, op, h)
    if state.answer == 1:
        c = int(state.heroes[h].character)
        take_condition(box, state, events, h, op.track)
        raise_rank(box, state, events, c, op.skill, op.by, box.rules.most_skill)
    return True


@operation("set_stress_die", needs="who track value", may="optional regions location_tags")
@rule
def op_set_stress_die(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """13.2: each character meant sets a stress die, if it likes."""
    note_meant(box, state, op, frame)
    if frame.step == 2:
        h = next_todo(state, frame)
        if state.answer == 1:
            state.heroes[h].stress[op.track] = op.value
            tell(events, E.stress_set, state.heroes[h].character, op.track, op.value)
        done_with(frame, h)
    h = next_todo(state, frame)
    if h == NOBODY:
        return True
    return confirm(state, frame, op, h)


# --- Skills, and people in reserve (guide 1.7, 14.33, 14.35) -------------------------------------


@rule
def raise_rank(box: Box, state: State, events: Events, c: int, skill: int, by: int, most: int) -> None:
    """1.7: a skill rises, to its highest rank at most."""
    n = int(state.people[c].skills[skill])
    n = max(n, min(n + by, most, box.rules.most_skill))
    state.people[c].skills[skill] = n
    tell(events, E.skill_bought, c, skill, n)


@operation("skill_up", needs="who by", may="skill skills max")
@rule
def op_skill_up(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """13.2, 14.33: a skill rises: of the character who overcame, or of another in reserve, taught by this one."""
    if op.who != WHO.other_reserve:
        if is_in(state, frame.hero):
            c = int(state.heroes[frame.hero].character)
            raise_rank(box, state, events, c, op.skill, op.by, ALL)
        return True
    if not choose_person(box, state, op, frame):
        return False
    if frame.chosen < 0:
        return True
    if frame.step == 2:
        offer_lessons(box, state, op, int(frame.chosen), int(frame.target))
        return choose_one(state, frame, P.choose_skill, NOBODY)
    raise_rank(box, state, events, int(frame.chosen), state.answer, op.by, ALL)
    return True


@rule
def offer_lessons(box: Box, state: State, op: Op, pupil: int, teacher: int) -> None:
    """14.33: skills in which the pupil can still rise, never above the teacher's rank."""
    no_options(state)
    for skill in range(N_SKILLS):
        if may_learn(box, state, op, pupil, teacher, skill):
            offer(state, skill)


@operation("base_stress_up", needs="who track by", may="max")
@operation("clear_condition", needs="who", may="count")
@rule
def op_person(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """13.2: another character in reserve loses a condition, or its base value rises (14.35)."""
    if not choose_person(box, state, op, frame):
        return False
    if frame.chosen < 0:
        return True
    if op.op == DO.base_stress_up:
        person = state.people[frame.chosen]
        person.start[op.track] = max(person.start[op.track], min(person.start[op.track] + op.by, op.most, FACES))
        tell(events, E.base_raised, frame.chosen, op.track, person.start[op.track])
        return True
    if frame.step == 2:
        no_options(state)
        offer_conditions(state, int(frame.chosen), 3)
        return choose_one(state, frame, P.choose_condition, NOBODY)
    clear_mark(state, events, int(frame.chosen), state.answer // 3, state.answer % 3 + 1)
    return True


# --- Stress dice, action dice, places (guide 14.50, 14.57, 14.69) --------------------------------


@operation("shift_stress", needs="who from_track to_track")
@rule
def op_shift_stress(state: State, events: Events, op: Op, f: int) -> None:
    """14.50: one point for one; the one never below 1, the other never above 6."""
    one = state.heroes[state.frames[f].hero]
    if one.stress[op.track] > 1 and one.stress[op.track_to] < FACES:
        one.stress[op.track] -= 1
        one.stress[op.track_to] += 1
        tell(events, E.stress_shifted, one.character, op.track, op.track_to)


@operation("set_action_die", needs="who", may="count optional regions location_tags")
@rule
def op_set_action_die(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """14.57: each character meant may set one of its action dice to any value."""
    note_meant(box, state, op, frame)
    h = next_todo(state, frame)
    if frame.step == 2 and state.answer >= 0:
        frame.chosen = state.answer
        offer_values(state)
        return choose_one(state, frame, P.choose_value, h)
    if frame.step == 3:
        seat = int(state.heroes[h].seat)
        state.seats[seat].dice[frame.chosen] -= 1
        state.seats[seat].dice[state.answer] += 1
        tell(events, E.die_set, state.heroes[h].character, frame.chosen + 1, state.answer + 1)
    if frame.step > 1:
        done_with(frame, h)
    return ask_action_die(box, state, op, frame)


@rule
def ask_action_die(box: Box, state: State, op: Op, frame: Frame) -> bool:
    """The next character that has a die to set is asked which; True when none is left."""
    while True:
        h = next_todo(state, frame)
        if h == NOBODY:
            return True
        no_options(state)
        for v in range(FACES):
            if state.seats[state.heroes[h].seat].dice[v] > 0:
                offer(state, v)
        if n_options(state) > 0:
            state.may_decline = op.optional
            return choose_one(state, frame, P.choose_die, h)
        done_with(frame, h)


@operation("free_move", needs="who", may="optional")
@rule
def op_free_move(box: Box, state: State, events: Events, op: Op, frame: Frame, f: int) -> bool:
    """13.2, 14.69: each character meant may move to any other place; no location bars what a card does."""
    note_meant(box, state, op, frame)
    if frame.step == 2:
        h = next_todo(state, frame)
        done_with(frame, h)
        if state.answer >= 0:
            arrive(box, state, events, h, int(state.answer))
            tell(events, E.moved, state.heroes[h].character, state.location_at[state.answer])
            if state.n_frames > f + 1:
                return False
    while True:
        h = next_todo(state, frame)
        if h == NOBODY:
            return True
        if is_in(state, h):
            no_options(state)
            for slot in range(SLOTS):
                if slot != state.heroes[h].slot:
                    offer(state, slot)
            state.may_decline = op.optional
            return choose_one(state, frame, P.choose_slot, h)
        done_with(frame, h)
