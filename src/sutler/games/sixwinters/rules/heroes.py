"""Characters in play (guide 9.1 to 9.3, 9.10): stress, conditions, being knocked out, and arriving at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.sixwinters.box import ABILITIES, FACES, MOMENT, POOL
from sutler.games.sixwinters.cards.vocabulary import DO, operation
from sutler.games.sixwinters.phases_actions_events import E, P
from sutler.games.sixwinters.rules.common import (
    KIND,
    ability_with,
    is_in,
    lose_dice,
    no_options,
    offer,
    on_frame,
    pop,
    push,
    run_effect,
    to_supply,
)
from sutler.games.sixwinters.state import DEAD, LOCKED

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Frame, State


MOST_ABSORBED = 12


# --- Stress (guide 9.1) ----------------------------------------------------------------


@rule
def next_box(state: State, h: int, track: int) -> int:
    """9.2, 14.38: the next unmarked box below the one where the die lies; 0 when there is none."""
    marks = state.people[state.heroes[h].character].marks[track]
    for box_no in range(state.heroes[h].box_no[track] + 1, 4):
        if not marks >> (box_no - 1) & 1:
            return box_no
    return 0


@rule
def falls(box: Box, state: State, events: Events, h: int, track: int) -> None:
    """9.2: the die is used up: it goes to the next unmarked box at its base value, or the character is knocked out."""
    one = state.heroes[h]
    box_no = next_box(state, h, track)
    if box_no == 0:
        knock_out(box, state, events, h)
        return
    person = state.people[one.character]
    one.box_no[track] = box_no
    one.stress[track] = person.start[track]
    person.marks[track] |= 1 << (box_no - 1)
    tell(events, E.fell, one.character, 3 * track + box_no - 1)


@rule
def take_stress(box: Box, state: State, events: Events, h: int, track: int, n: int) -> None:
    """9.1: the die goes down; at zero or below the rest of this stress is ignored and the die falls."""
    if n <= 0 or not is_in(state, h):
        return
    one = state.heroes[h]
    tell(events, E.stressed, one.character, n, track)
    if one.stress[track] > n:
        one.stress[track] -= n
    else:
        falls(box, state, events, h, track)


@operation("absorb_stress", needs="track", tags="ability", runs=False)
@rule
def absorber(box: Box, state: State, h: int, track: int) -> int:
    """9.10: who may take this stress in another's place; NOBODY for none."""
    for other in range(state.n_heroes):
        if other != h and is_in(state, other):
            k = ability_with(box, state, other, DO.absorb_stress)
            if k != NOBODY and track_of_ability(box, state, other, k) == track:
                return other
    return NOBODY


@rule
def track_of_ability(box: Box, state: State, h: int, k: int) -> int:
    """9.10: the track that an absorbing ability speaks of."""
    effect = box.character[state.heroes[h].character].ability[k].effect
    return int(box.ops[effect.first].track)


@rule
def hit(box: Box, state: State, events: Events, h: int, track: int, n: int) -> None:
    """9.1: stress comes to a character, less what this season takes off."""
    pay_stress(box, state, events, h, track, n - int(state.reduced[track]))


@rule
def pay_stress(box: Box, state: State, events: Events, h: int, track: int, n: int) -> None:
    """9.10, 14.57: stress in full, as a price always is; somebody may take it in the character's place."""
    if n <= 0 or not is_in(state, h):
        return
    if absorber(box, state, h, track) == NOBODY:
        take_stress(box, state, events, h, track, n)
        return
    f = push(state, KIND.stress, 0, 1, h)
    state.frames[f].chosen = track
    state.frames[f].detail = n


@on_frame("stress")
@rule
def step_stress(box: Box, state: State, events: Events, frame: Frame) -> None:
    """9.10: ask whoever may take some of the stress; then the rest is taken."""
    h, track, n = int(frame.hero), int(frame.chosen), int(frame.detail)
    other = absorber(box, state, h, track)
    if frame.step == 0 and other != NOBODY and is_in(state, h):
        frame.step = 1
        no_options(state)
        for i in range(min(n, MOST_ABSORBED) + 1):
            offer(state, i)
        ask(state, P.choose_amount, state.heroes[other].seat)
        return
    taken = 0
    if frame.step == 1 and other != NOBODY:
        taken = int(state.answer)
    pop(state)
    for _ in range(taken):
        take_stress(box, state, events, other, track, 1)
    if taken > 0:
        tell(events, E.absorbed, state.heroes[other].character, taken)
    take_stress(box, state, events, h, track, n - taken)


@rule
def knock_out(box: Box, state: State, events: Events, h: int) -> None:
    """9.3, 14.40, 14.71: the figure leaves, and its action dice with it, unless the seat has another character on its feet."""
    one = state.heroes[h]
    tell(events, E.knocked_out, one.character)
    one.out = 1
    one.slot = NOBODY
    leave_overcoming(state, h)
    for other in range(state.n_heroes):
        if other != h and state.heroes[other].seat == one.seat and is_in(state, other):
            return
    lose_dice(state, events, int(one.seat))


@rule
def leave_overcoming(state: State, h: int) -> None:
    """14.71: what the fallen character has not tallied no longer counts; its dice are spent."""
    if state.over.obstacle == NOBODY:
        return
    state.over.joined &= 0xFF ^ (1 << h)
    for source in range(POOL):
        n = int(state.over.react[h, source])
        if source >= FACES:
            n += state.over.add[h, source - FACES]
            state.in_play[(source - FACES) // FACES] -= n
            state.over.add[h, source - FACES] = 0
        state.over.react[h, source] = 0


# --- Conditions (guide 9.2) ----------------------------------------------------------------


@rule
def take_condition(box: Box, state: State, events: Events, h: int, track: int) -> None:
    """14.39: as if the die had run out."""
    if is_in(state, h):
        falls(box, state, events, h, track)


@rule
def mark_condition(state: State, events: Events, c: int, track: int, box_no: int) -> None:
    """14.15: a condition is marked on a sheet; the die of a character in play does not move."""
    person = state.people[c]
    if not person.marks[track] >> (box_no - 1) & 1:
        person.marks[track] |= 1 << (box_no - 1)
        tell(events, E.marked, c, 3 * track + box_no - 1)


@rule
def clear_mark(state: State, events: Events, c: int, track: int, box_no: int) -> None:
    """3.8: a condition is erased."""
    state.people[c].marks[track] &= 0xFF ^ (1 << (box_no - 1))
    tell(events, E.recovered, c, 3 * track + box_no - 1)


@rule
def may_be_erased(state: State, c: int, track: int, box_no: int) -> bool:
    """14.39: a marked condition, but not the box that the die of a character in play lies on."""
    if not state.people[c].marks[track] >> (box_no - 1) & 1:
        return False
    h = state.people[c].hero
    return h < 0 or state.heroes[h].box_no[track] != box_no


@rule
def offer_conditions(state: State, c: int, tracks: int) -> None:
    """3.8: what may be erased of these tracks (as bits)."""
    for track in range(2):
        if tracks >> track & 1:
            for box_no in range(1, 4):
                if may_be_erased(state, c, track, box_no):
                    offer(state, 3 * track + box_no - 1)


# --- The mat (guide 9.4) ---------------------------------------------------------------------


@rule
def clear_ability(state: State, h: int, k: int) -> None:
    """8.1, 11.3: a die on an ability goes to the supply; the ability and the slot may be used again."""
    one = state.heroes[h]
    if one.used[k] > FACES:
        to_supply(state, (one.used[k] - 1 - FACES) // FACES, 1)
    one.used[k] = 0
    one.stashed[k] = 0


# --- Coming and going ---------------------------------------------------------------------


@rule
def arrive(box: Box, state: State, events: Events, h: int, slot: int) -> None:
    """14.54: a character comes to a place; obstacles there that wait for somebody to enter take effect."""
    state.heroes[h].slot = slot
    entered = 0
    card = int(state.head[slot])
    while card >= 0:
        entered += 1
        card = int(state.after[card])
    for k in range(entered - 1, -1, -1):
        card = int(state.head[slot])
        for _ in range(k):
            card = int(state.after[card])
        run_effect(state, box.obstacle[card].effect[MOMENT.enter], h, slot, card)


@rule
def leave_campaign(box: Box, state: State, events: Events, c: int) -> None:
    """8.9: a character is dead: it leaves play and the campaign."""
    h = int(state.people[c].hero)
    if h >= 0 and is_in(state, h):
        knock_out(box, state, events, h)
    state.people[c].state = DEAD
    tell(events, E.died, c)


@rule
def is_unlocked(state: State, c: int) -> bool:
    """2.5: is this character at hand?"""
    return state.people[c].state != LOCKED and state.people[c].state != DEAD


@rule
def gain_achievement(box: Box, state: State, events: Events, c: int) -> None:
    """9.6: the next achievement, from the top."""
    person = state.people[c]
    if person.achievements < box.character[c].n_achievements:
        person.achievements += 1
        tell(events, E.achieved, c, person.achievements, c * ABILITIES + person.achievements)
