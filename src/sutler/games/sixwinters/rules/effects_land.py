"""Operations on places (guide 13.1, 13.4): where something goes, and locations coming into play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import has
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import (
    SLOTS,
    TO_HERE,
    TO_HIGHEST,
    TO_LOWEST,
    TO_MOST_ASSETS,
    TO_MOST_OBSTACLES,
    TO_OTHER,
)
from sutler.games.sixwinters.rules.common import (
    choose_if_several,
    choose_one,
    here,
    is_in,
    n_assets,
    no_options,
    offer,
    rank,
)
from sutler.games.sixwinters.rules.difficulty import matches
from sutler.games.sixwinters.rules.land import is_spare, location_in_reserve, place_location, slots_with
from sutler.games.sixwinters.table import P
from sutler.games.sixwinters.vocabulary import operation

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Frame, Op, State


# --- Where to (guide 13.1, 14.55) --------------------------------------------------------------


@rule
def n_matching_at(box: Box, state: State, slot: int, tags: int) -> int:
    """How many obstacles with one of these tags lie at a place."""
    n = 0
    card = int(state.head[slot])
    while card >= 0:
        if matches(box, card, tags, NOBODY, NOBODY):
            n += 1
        card = int(state.after[card])
    return n


@rule
def weight_of(box: Box, state: State, op: Op, slot: int) -> int:
    """14.55: what a place is measured by: its assets, its obstacles, or a character's rank there; -1: not at all."""
    if op.to == TO_MOST_ASSETS:
        return n_assets(state, slot)
    if op.to == TO_MOST_OBSTACLES:
        return n_matching_at(box, state, slot, op.tags)
    best = -1
    for h in range(state.n_heroes):
        if is_in(state, h) and state.heroes[h].slot == slot:
            n = rank(state, h, op.skill)
            if op.to == TO_LOWEST:
                n = 20 - n
            best = max(best, n)
    return best


@rule
def offer_most(box: Box, state: State, op: Op) -> None:
    """14.55: the places where most is; none when there is nothing of it anywhere."""
    best = 0
    if op.to == TO_HIGHEST or op.to == TO_LOWEST:
        best = -1
    for slot in range(SLOTS):
        if op.slots >> slot & 1:
            n = weight_of(box, state, op, slot)
            if n > best:
                best = n
                no_options(state)
            if n == best and n >= 0 and (n > 0 or op.to == TO_HIGHEST or op.to == TO_LOWEST):
                offer(state, slot)


@rule
def offer_places(box: Box, state: State, op: Op, frame: Frame) -> None:
    """13.1: the places that an operation may mean."""
    no_options(state)
    at = here(state, frame)
    if op.to == TO_HERE:
        if at >= 0:
            offer(state, at)
    elif op.to >= TO_HIGHEST and op.to <= TO_MOST_OBSTACLES:
        offer_most(box, state, op)
    else:
        slots = int(op.slots)
        named = slots_with(state, op.lands)
        if named != 0 and slots == 0:
            slots = named
        for slot in range(SLOTS):
            location = state.location_at[slot]
            fits = op.places == 0 or (location >= 0 and box.location[location].tags & op.places != 0)
            if slots >> slot & 1 and fits and not (op.to == TO_OTHER and slot == at):
                offer(state, slot)


@rule
def choose_slot(state: State, frame: Frame, slots: int, hero: int) -> bool:
    """13.1: players choose one of these places (as bits) for what they have chosen before."""
    frame.chosen = state.answer
    no_options(state)
    for slot in range(SLOTS):
        if slots >> slot & 1:
            offer(state, slot)
    return choose_one(state, frame, P.choose_slot, hero)


@rule
def find_place(box: Box, state: State, op: Op, frame: Frame) -> bool:
    """13.1: the place of an operation. False while players choose; then `state.answer` is it, NOBODY if there is none."""
    if frame.step == 0:
        offer_places(box, state, op, frame)
        return choose_if_several(state, frame, P.choose_slot, int(frame.hero))
    return True


# --- Locations (guide 13.4) -------------------------------------------------------------------


@operation("place_location", needs="location", may="at any_slot_in choose_slot")
@rule
def op_place_location(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """14.16, 14.24: a named location comes into play; in play already, or none left: nothing happens."""
    card = location_in_reserve(box, state, op)
    if card == NOBODY:
        return True
    if not find_place(box, state, op, frame):
        return False
    slot = int(state.answer)
    if slot < 0 or has(op.lands, state.location_at[slot]):
        return True
    place_location(box, state, events, card, slot)
    return True


@operation("place_location_from_reserve", needs="location_tags regions")
@rule
def op_place_location_from_reserve(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """14.34: players choose a location of the reserve with one of the tags, and its slot."""
    if frame.step == 0:
        no_options(state)
        for card in range(box.n_locations):
            if is_spare(state, card) and box.location[card].tags & op.places != 0:
                offer(state, card)
        return choose_one(state, frame, P.choose_location, NOBODY)
    if frame.step == 1:
        return choose_slot(state, frame, int(op.slots), NOBODY)
    place_location(box, state, events, int(frame.chosen), int(state.answer))
    return True
