"""Operations on the campaign (guide 13.7): characters unlocked and lost, reserve actions, the severing die."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES
from sutler.games.sixwinters.cards.vocabulary import FALL, SORCERY, SPRING, SUMMER, WINTER
from sutler.games.sixwinters.rules.common import advance, run_effect, take_from_supply
from sutler.games.sixwinters.rules.effects.who import choose_person
from sutler.games.sixwinters.rules.heroes import leave_campaign
from sutler.games.sixwinters.rules.land import n_showing
from sutler.games.sixwinters.rules.missions import settle_at_once
from sutler.games.sixwinters.state import DEAD, LOCKED, UNLOCKED
from sutler.games.sixwinters.table import E

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


@rule
def unlock(box: Box, state: State, events: Events, c: int) -> None:
    """11.2, 14.44: a character is unlocked, with as many achievements as the number of the year."""
    person = state.people[c]
    if person.state == LOCKED:
        person.state = UNLOCKED
        person.achievements = min(state.year, box.character[c].n_achievements)
        tell(events, E.unlocked, c)


@rule
def op_reserve_action(box: Box, state: State, events: Events, f: int) -> bool:
    """11.2: a character gains a reserve action; without a name players choose who."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if op.character >= 0:
        frame.a = op.character
        if state.people[op.character].state == DEAD:
            return True
    elif not choose_person(box, state, op, frame):
        return False
    if frame.a >= 0:
        state.people[frame.a].reserves |= 1 << int(op.number)
        tell(events, E.reserve_gained, frame.a, op.number)
    return True


@rule
def op_kill(box: Box, state: State, events: Events, f: int) -> bool:
    """8.9: an unlocked character leaves the campaign, players choose."""
    frame = state.frames[f]
    if not choose_person(box, state, box.ops[frame.op], frame):
        return False
    if frame.a >= 0:
        leave_campaign(box, state, events, int(frame.a))
    return True


@rule
def op_severing(box: Box, state: State, events: Events, f: int) -> bool:
    """14.21, 14.68: the die is laid or goes up; it is compared at once, and only then a season's event follows."""
    op = box.ops[state.frames[f].op]
    if op.by == 0:
        if state.severing == 0 and take_from_supply(box, state, events, SORCERY):
            state.severing = op.value
        return True
    if state.severing == 0:
        return True
    state.severing = min(FACES, state.severing + op.by)
    tell(events, E.severed, state.severing)
    for k in range(2):
        if state.tasks[k].mission >= 0 and box.mission[state.tasks[k].mission].severing == 1:
            settle_at_once(box, state, events, k)
    if state.outcome == 0 and state.n_frames == f + 1:
        v = die(state, FACES)
        season = WINTER
        if v == 1:
            season = SPRING
        elif v == 2:
            season = SUMMER
        elif v == 3:
            season = FALL
        advance(state, f)
        run_effect(state, box.event[season, n_showing(box, state, season)], NOBODY, NOBODY, NOBODY)
        return False
    return True
