"""What cards do (guide 13): who is meant, and what players are asked first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.sixwinters.box import ALL, FACES, N_SKILLS, OWN_RANK, SPACES
from sutler.games.sixwinters.cards.vocabulary import DO, WHO, operation
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules.common import (
    KIND,
    advance,
    choose_if_several,
    choose_one,
    here,
    is_in,
    n_options,
    no_options,
    offer,
    push,
    region_of,
    seat_for,
)
from sutler.games.sixwinters.rules.heroes import is_unlocked, may_be_erased
from sutler.games.sixwinters.rules.land import is_meant_obstacle

if TYPE_CHECKING:
    from sutler.games.sixwinters.records import Box, Frame, Op, State


# --- Who is meant (guide 13.1) --------------------------------------------------------------


@rule
def stands_there(box: Box, state: State, op: Op, h: int, slot: int) -> bool:
    """13.1: is a character at a place with one of the op's location tags and in one of its regions?"""
    at = state.heroes[h].slot
    location = state.location_at[at]
    if op.places != 0 and box.location[location].tags & op.places == 0:
        return False
    return op.regions == 0 or op.regions >> region_of(box, at) & 1 == 1


@rule
def is_meant(box: Box, state: State, op: Op, h: int, hero: int, slot: int) -> bool:
    """13.1: is this character among those an operation means? `hero` acts, `slot` is where the card lies."""
    if not is_in(state, h):
        return False
    at = int(state.heroes[h].slot)
    who = op.who
    if who == WHO.here:
        return at == slot
    if who == WHO.region or who == WHO.one_in_region:
        return region_of(box, at) == region_of(box, slot)
    if who == WHO.all or who == WHO.each_player or who == WHO.any_character:
        return True
    if who == WHO.in_regions or who == WHO.one_in_regions or who == WHO.at_locations:
        return stands_there(box, state, op, h, slot)
    if who == WHO.other:
        return h != hero
    return h == hero


@rule
def meant(box: Box, state: State, op: Op, frame: Frame) -> int:
    """13.1: the characters in play that an operation means, as bits."""
    slot = here(state, frame)
    found = 0
    for h in range(state.n_heroes):
        if is_meant(box, state, op, h, frame.hero, slot):
            found |= 1 << h
    return found


@rule
def find_meant(box: Box, state: State, op: Op, frame: Frame) -> bool:
    """13.1: note in `todo` who is meant. False while the players still have to choose one of several (14.55)."""
    if frame.step == 0:
        frame.todo = meant(box, state, op, frame)
        if op.who == WHO.one_in_region or op.who == WHO.one_in_regions:
            no_options(state)
            for h in range(state.n_heroes):
                if frame.todo >> h & 1:
                    offer(state, h)
            if n_options(state) > 1:
                return choose_one(state, frame, P.choose_hero, NOBODY)
            no_options(state)
        frame.step = 2
    elif frame.step == 1:
        frame.todo = 1 << int(state.answer)
        frame.step = 2
    return True


@rule
def note_meant(box: Box, state: State, op: Op, frame: Frame) -> None:
    """13.1: at the beginning note in `todo` who is meant: each will have it, one after another."""
    if frame.step == 0:
        frame.todo = meant(box, state, op, frame)
        frame.step = 1


@rule
def done_with(frame: Frame, h: int) -> None:
    """A character has had it: on to the next."""
    frame.todo &= ~(1 << h)
    frame.step = 1


@rule
def next_todo(state: State, frame: Frame) -> int:
    """The next character to whom it happens; NOBODY when all have had it."""
    for h in range(state.n_heroes):
        if frame.todo >> h & 1:
            return h
    return NOBODY


@rule
def may_learn(box: Box, state: State, op: Op, pupil: int, teacher: int, skill: int) -> bool:
    """14.33: is it a skill in which the pupil can still rise, not above the teacher's rank where the card says so?"""
    if not op.skills >> skill & 1:
        return False
    most = int(box.rules.most_skill)
    if op.most == OWN_RANK:
        most = int(state.people[teacher].skills[skill])
    elif op.most != ALL:
        most = int(op.most)
    return state.people[pupil].skills[skill] + op.by <= most


@rule
def may_gain(box: Box, state: State, op: Op, c: int, teacher: int) -> bool:
    """14.73: would an operation on a character of the campaign change anything about this one?"""
    if op.op == DO.skill_up:
        for skill in range(N_SKILLS):
            if may_learn(box, state, op, c, teacher, skill):
                return True
        return False
    if op.op == DO.clear_condition:
        for track in range(2):
            for box_no in range(1, 4):
                if may_be_erased(state, c, track, box_no):
                    return True
        return False
    if op.op == DO.base_stress_up:
        return state.people[c].start[op.track] < min(op.most, FACES)
    if op.op == DO.gain_reserve_action:
        return not state.people[c].reserves >> op.number & 1
    return True


@rule
def is_meant_person(box: Box, state: State, op: Op, c: int, teacher: int) -> bool:
    """13.1: an unlocked character, or another one in reserve, to whom the operation would bring something."""
    if not is_unlocked(state, c):
        return False
    if op.who == WHO.other_reserve and (state.people[c].hero >= 0 or c == teacher):
        return False
    return may_gain(box, state, op, c, teacher)


@rule
def offer_people(box: Box, state: State, op: Op, frame: Frame) -> None:
    """13.1: characters of the campaign that an operation means: any unlocked one, or another one in reserve."""
    no_options(state)
    for c in range(box.n_characters):
        if is_meant_person(box, state, op, c, int(frame.target)):
            offer(state, c)


@rule
def choose_person(box: Box, state: State, op: Op, frame: Frame) -> bool:
    """14.15: players choose a character. False while they do; `frame.chosen` then is the character, NOBODY if there is none."""
    if frame.step == 0:
        offer_people(box, state, op, frame)
        frame.chosen = NOBODY
        return choose_one(state, frame, P.choose_character, NOBODY)
    if frame.step == 1:
        frame.chosen = state.answer
        frame.step = 2
    return True


# --- What players are asked first (guide 1.12) -----------------------------------------------


@rule
def confirm(state: State, frame: Frame, op: Op, h: int) -> bool:
    """1.12: ask whether a may is taken; what is no may happens. Returns False: the next step goes on with the answer."""
    frame.step += 1
    no_options(state)
    if op.optional == 0:
        state.answer = 1
        return False
    state.may_decline = 1
    ask(state, P.confirm, seat_for(state, h))
    return False


@rule
def brings(box: Box, state: State, op: Op, own: int) -> bool:
    """14.73: would an operation change anything now? Asked of those among which players choose; `own`: the obstacle that says it."""
    if op.op == DO.progress:
        if op.by < 0:
            return state.progress[op.resource] > 1
        return state.progress[op.resource] < SPACES or box.options.overflow == 1
    if op.op == DO.threat:
        if op.by < 0:
            return state.threat[op.resource] > 1
        return state.threat[op.resource] < SPACES or state.scheme >= 0
    if op.op == DO.discard_obstacles:
        for card in range(box.n_obstacles):
            if is_meant_obstacle(box, state, op, own, card):
                return True
        return False
    return True


@rule
def option_brings(box: Box, state: State, op: Op, k: int, own: int) -> bool:
    """14.73: would one of the options of a card change anything now?"""
    for i in range(op.first[k], op.first[k] + op.n[k]):
        if brings(box, state, box.ops[i], own):
            return True
    return False


@rule
def any_option_brings(box: Box, state: State, op: Op, own: int) -> bool:
    """14.73: is there an option of a card that would change anything now?"""
    for k in range(op.n_options):
        if option_brings(box, state, op, k, own):
            return True
    return False


@operation("choice", needs="ops", may="optional")
@operation("choose_one", needs="options")
@rule
def op_choice(box: Box, state: State, op: Op, frame: Frame, f: int) -> bool:
    """1.12, 14.73: a may, or one of several that would bring something; what is chosen happens next."""
    if frame.step == 0:
        no_options(state)
        if op.n_options <= 1:
            return confirm(state, frame, op, int(frame.hero))
        for k in range(op.n_options):
            if option_brings(box, state, op, k, int(frame.obstacle)):
                offer(state, k)
        if not choose_if_several(state, frame, P.choose_option, int(frame.hero)):
            return False
        if state.answer < 0:
            return True
    k = 0
    if op.n_options > 1:
        k = int(state.answer)
    elif state.answer != 1:
        return True
    advance(state, f)
    inner = push(state, KIND.ops, int(op.first[k]), int(op.n[k]), int(frame.hero))
    state.frames[inner].slot = frame.slot
    state.frames[inner].obstacle = frame.obstacle
    state.frames[inner].target = frame.target
    return False
