"""The missions of a session (guide 6.5, 14.17 to 14.22): goals, obstacles that come after them, and passing at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.sixwinters.box import END_PARTS, GOALS, MISSION_END, SPACES
from sutler.games.sixwinters.cards.vocabulary import SORCERY
from sutler.games.sixwinters.phases_actions_events import E, P
from sutler.games.sixwinters.rules.common import (
    KIND,
    first_option,
    n_options,
    no_options,
    offer,
    on_frame,
    pop,
    push,
    seat_for,
    threat_level,
)
from sutler.games.sixwinters.rules.land import fetch, is_in_play
from sutler.games.sixwinters.state import BURNED, CARD_AT, OPEN, OVERCOME_IT, PASSED, RESERVE, WAITING, WANTED

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Frame, State


@rule
def symbol(box: Box, state: State, k: int, i: int) -> int:
    """14.17: the resource of a mission's i-th symbol at its setting; NOBODY when it has no more."""
    task = state.tasks[k]
    if task.mission < 0:
        return NOBODY
    return int(box.mission[task.mission].goal[task.difficult, i])


@rule
def has_goal(box: Box, state: State, k: int) -> bool:
    """Are all of a mission's symbols filled?"""
    for i in range(GOALS):
        if symbol(box, state, k, i) >= 0 and state.tasks[k].card[i] == NOBODY:
            return False
    return True


@rule
def is_met(box: Box, state: State, k: int) -> bool:
    """11.2: progress made, and every obstacle that the mission names overcome."""
    task = state.tasks[k]
    if task.mission < 0:
        return False
    printed = box.mission[task.mission]
    if printed.shared >= 0:
        return task.result == PASSED
    if printed.severing == 1:
        return state.severing > 0 and task.then[0] == WANTED and state.severing >= threat_level(box, state, SORCERY)
    if not has_goal(box, state, k):
        return False
    for i in range(printed.n_then):
        if task.then[i] != OVERCOME_IT:
            return False
    return True


@rule
def open_symbol(box: Box, state: State, k: int, r: int) -> int:
    """6.5: an unfilled symbol of this resource; NOBODY when there is none."""
    for i in range(GOALS):
        if symbol(box, state, k, i) == r and state.tasks[k].card[i] == NOBODY:
            return i
    return NOBODY


# --- Obstacles that a mission brings (guide 14.19) ------------------------------------------


@rule
def look_at_missions(box: Box, state: State, events: Events) -> None:
    """14.19, 14.20: whenever a goal may have been met or a track completed, what it brings comes into play."""
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0 and task.result == OPEN:
            printed = box.mission[task.mission]
            due = printed.then == MISSION_END.goal and has_goal(box, state, k)
            if printed.then == MISSION_END.track and state.progress[printed.then_track] == SPACES:
                due = True
            if due and task.then[0] == WAITING:
                bring(box, state, k)
            bring_shared(box, state, events, int(printed.shared))


@rule
def bring_shared(box: Box, state: State, events: Events, card: int) -> None:
    """14.23: the shared card comes into play when its track is completed."""
    if card >= 0 and state.card_at[card] == CARD_AT.not_yet and state.progress[box.card[card].after] == SPACES:
        state.card_at[card] = CARD_AT.shared
        state.shared = card
        tell(events, E.shared_in_play, card)


@rule
def bring(box: Box, state: State, k: int) -> None:
    """14.19: in a sequence the first obstacle; otherwise all of them."""
    printed = box.mission[state.tasks[k].mission]
    last = int(printed.n_then) - 1
    if printed.ordered == 1:
        last = 0
    for i in range(last, -1, -1):
        state.tasks[k].then[i] = WANTED
        f = push(state, KIND.bring, 0, 1, NOBODY)
        state.frames[f].chosen = k
        state.frames[f].detail = i


@rule
def copies(box: Box, state: State, group: int, in_play: int) -> None:
    """14.29: the copies of an obstacle that can be brought (or that are in play and not yet spoken for), as choices."""
    no_options(state)
    best = RESERVE + 1
    for card in range(box.n_obstacles):
        if box.obstacle[card].group == group and state.obstacle_at[card] != BURNED and not is_spoken_for(state, card):
            if is_in_play(state, card) == in_play:
                first = 1
                if state.obstacle_at[card] == RESERVE:
                    first = 0
                if first < best:
                    no_options(state)
                    best = first
                if first == best:
                    offer(state, card)


@rule
def is_spoken_for(state: State, card: int) -> bool:
    """Does a mission already count on this very card?"""
    for k in range(2):
        for i in range(END_PARTS):
            if state.tasks[k].then_card[i] == card:
                return True
    return False


@on_frame("bring")
@rule
def step_bring(box: Box, state: State, events: Events, frame: Frame) -> None:
    """14.19: a copy in play stays where it is; else one comes to its slot, players choose which when it matters."""
    k, i = int(frame.chosen), int(frame.detail)
    printed = box.mission[state.tasks[k].mission]
    if frame.step == 0:
        copies(box, state, printed.then_group[i], True)
        if n_options(state) == 0:
            copies(box, state, printed.then_group[i], False)
            frame.step = 1
            if n_options(state) > 1 and waits_for_more(box, state, k, i):
                ask(state, P.choose_obstacle, seat_for(state, NOBODY))
                return
        state.answer = first_option(state)
    no_options(state)
    card = int(state.answer)
    pop(state)
    if card == NOBODY:  # burned: the step counts as done
        step_done(box, state, k, i)
        settle_at_once(box, state, events, k)
        return
    state.tasks[k].then_card[i] = card
    tell(events, E.wanted, state.tasks[k].mission, card)
    if not is_in_play(state, card):
        fetch(box, state, events, card, int(printed.then_slot[i]))


@rule
def waits_for_more(box: Box, state: State, k: int, i: int) -> bool:
    """14.19: does another step of the mission, side by side with this one, ask for a copy of the same obstacle?"""
    printed = box.mission[state.tasks[k].mission]
    for other in range(i + 1, printed.n_then):
        if printed.then_group[other] == printed.then_group[i] and printed.ordered == 0:
            return True
    return False


@rule
def step_done(box: Box, state: State, k: int, i: int) -> None:
    """14.19: one obstacle of a mission is overcome; in a sequence the next one comes."""
    task = state.tasks[k]
    task.then[i] = OVERCOME_IT
    printed = box.mission[task.mission]
    if printed.ordered == 1 and i + 1 < printed.n_then:
        task.then[i + 1] = WANTED
        f = push(state, KIND.bring, 0, 1, NOBODY)
        state.frames[f].chosen = k
        state.frames[f].detail = i + 1


@rule
def obstacle_overcome(box: Box, state: State, events: Events, card: int) -> None:
    """14.19: overcoming the obstacle anywhere counts for the mission that wants it."""
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0 and task.result == OPEN and box.mission[task.mission].severing == 0:
            for i in range(END_PARTS):
                if task.then[i] == WANTED and task.then_card[i] == card:
                    step_done(box, state, k, i)
            settle_at_once(box, state, events, k)


@rule
def settle_at_once(box: Box, state: State, events: Events, k: int) -> None:
    """14.22: a mission that wins the campaign is passed as soon as it is met."""
    task = state.tasks[k]
    if task.mission >= 0 and task.result == OPEN and box.mission[task.mission].wins == 1 and is_met(box, state, k):
        resolve(box, state, events, k, PASSED)


@rule
def resolve(box: Box, state: State, events: Events, k: int, result: int) -> None:
    """11.2: a mission's result is noted; its effects follow."""
    task = state.tasks[k]
    task.result = result
    state.mission[task.mission] = result
    tell(events, E.passed if result == PASSED else E.failed, task.mission)
    f = push(state, KIND.result, 0, 1, NOBODY)
    state.frames[f].chosen = k
