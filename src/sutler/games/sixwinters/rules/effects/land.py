"""Operations on places and obstacles (guide 13.1, 13.3, 13.4): where something goes, locations and obstacles, looking at piles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import has
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.sixwinters.box import ALL, N_REGIONS, SLOTS, TO
from sutler.games.sixwinters.cards.vocabulary import operation
from sutler.games.sixwinters.phases_actions_events import E, P
from sutler.games.sixwinters.rules.common import (
    choose_if_several,
    choose_one,
    here,
    is_in,
    n_assets,
    n_options,
    no_options,
    offer,
    rank,
    seat_for,
)
from sutler.games.sixwinters.rules.land import (
    burn_obstacle,
    discard,
    fetch,
    is_in_play,
    is_meant_obstacle,
    is_spare,
    location_in_reserve,
    matches,
    move_obstacle,
    onto_discards,
    place_location,
    place_new,
    put_in_draw,
    refill_draw,
    refill_staging,
    seek,
    slots_with,
)
from sutler.games.sixwinters.setup import shuffle_draw_pile
from sutler.games.sixwinters.state import BURNED, DISCARD, DRAW, RESERVE

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
        if matches(box, state, card, tags, NOBODY, NOBODY):
            n += 1
        card = int(state.after[card])
    return n


@rule
def weight_of(box: Box, state: State, op: Op, slot: int) -> int:
    """14.55: what a place is measured by: its assets, its obstacles, or a character's rank there; -1: not at all."""
    if op.to == TO.most_assets:
        return n_assets(state, slot)
    if op.to == TO.most_obstacles:
        return n_matching_at(box, state, slot, op.tags)
    best = -1
    for h in range(state.n_heroes):
        if is_in(state, h) and state.heroes[h].slot == slot:
            n = rank(state, h, op.skill)
            if op.to == TO.lowest:
                n = 20 - n
            best = max(best, n)
    return best


@rule
def offer_most(box: Box, state: State, op: Op) -> None:
    """14.55: the places where most is; none when there is nothing of it anywhere."""
    best = 0
    for slot in range(SLOTS):
        if op.slots >> slot & 1:
            n = weight_of(box, state, op, slot)
            if n > best:
                best = n
                no_options(state)
            if n == best and n >= 0 and (n > 0 or op.to == TO.highest or op.to == TO.lowest):
                offer(state, slot)


@rule
def offer_places(box: Box, state: State, op: Op, frame: Frame) -> None:
    """13.1: the places that an operation may mean."""
    no_options(state)
    at = here(state, frame)
    if op.to == TO.here:
        if at >= 0:
            offer(state, at)
    elif op.to >= TO.highest and op.to <= TO.most_obstacles:
        offer_most(box, state, op)
    else:
        slots = int(op.slots)
        named = slots_with(state, op.lands)
        if named != 0 and slots == 0:
            slots = named
        for slot in range(SLOTS):
            location = state.location_at[slot]
            fits = op.places == 0 or (location >= 0 and box.location[location].tags & op.places != 0)
            if slots >> slot & 1 and fits and not (op.to == TO.other and slot == at):
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


ANYWHERE = (1 << SLOTS) - 1  # every slot, as bits


@operation("move_self", needs="to")
@rule
def op_move_self(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """13.3: the obstacle goes where its text says; already there, it stays."""
    if not is_in_play(state, frame.obstacle):
        return True
    if not find_place(box, state, op, frame):
        return False
    if state.answer >= 0:
        move_obstacle(box, state, events, int(frame.obstacle), int(state.answer))
    return True


@rule
def offer_obstacles(box: Box, state: State, op: Op, frame: Frame) -> None:
    """13.3: obstacles in play that an operation may mean."""
    no_options(state)
    for card in range(box.n_obstacles):
        if is_meant_obstacle(box, state, op, int(frame.obstacle), card):
            offer(state, card)


@operation("move_obstacle", needs="to", may="tags threat skill count")
@rule
def op_move_obstacle(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """14.51: players choose a matching obstacle anywhere, and where it goes."""
    if frame.step == 0:
        offer_obstacles(box, state, op, frame)
        return choose_one(state, frame, P.choose_obstacle, int(frame.hero))
    if frame.step == 1:
        if op.to == TO.here:
            frame.chosen = state.answer
            move_obstacle(box, state, events, int(state.answer), here(state, frame))
            return True
        return choose_slot(state, frame, ANYWHERE ^ (1 << int(state.obstacle_at[state.answer])), int(frame.hero))
    move_obstacle(box, state, events, int(frame.chosen), int(state.answer))
    return True


@operation("discard_obstacles", needs="count", may="tags threat stress max_difficulty region not_self optional")
@rule
def op_discard_obstacles(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """13.3: all that match, or as many as said, players choose which."""
    if op.count_of == ALL:
        for card in range(box.n_obstacles):
            if is_meant_obstacle(box, state, op, int(frame.obstacle), card):
                discard(box, state, events, card)
        return True
    if frame.step == 0:
        frame.step = 1
        frame.todo = op.count_of
        if frame.target > 0 and is_in_play(state, int(frame.target) - 1):  # what was aimed at when it was paid for
            discard(box, state, events, int(frame.target) - 1)
            return True
    elif state.answer >= 0:
        discard(box, state, events, int(state.answer))
        frame.todo -= 1
    else:
        return True
    offer_obstacles(box, state, op, frame)
    if frame.todo == 0 or n_options(state) == 0:
        no_options(state)
        return True
    state.may_decline = op.optional
    ask(state, P.choose_obstacle, seat_for(state, int(frame.hero)))
    return False


@operation("place_obstacle", needs="obstacle", may="at at_location")
@rule
def op_place_obstacle(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """3.4, 14.29: a named obstacle comes into play; burned or in play already, nothing happens."""
    card = seek(box, state, op)
    if card == NOBODY:
        return True
    if not find_place(box, state, op, frame):
        return False
    if state.answer >= 0:
        fetch(box, state, events, card, int(state.answer))
    return True


@operation("place_obstacle_from_reserve", needs="tags at")
@rule
def op_place_from_reserve(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """9.7: players choose an obstacle of the reserve, and where it goes."""
    if frame.step == 0:
        no_options(state)
        for card in range(box.n_obstacles):
            if state.obstacle_at[card] == RESERVE and matches(box, state, card, op.tags, NOBODY, NOBODY):
                offer(state, card)
        return choose_one(state, frame, P.choose_obstacle, NOBODY)
    if frame.step == 1:
        return choose_slot(state, frame, ANYWHERE, NOBODY)
    fetch(box, state, events, int(frame.chosen), int(state.answer))
    return True


@operation("add_to_deck", needs="obstacle deck")
@rule
def op_add_to_deck(box: Box, state: State, events: Events, op: Op) -> None:
    """13.3: a named obstacle of the reserve is shuffled into a deck."""
    for card in range(box.n_obstacles):
        if has(op.named, card) and state.obstacle_at[card] == RESERVE:
            put_in_draw(state, card, int(op.deck))
            shuffle_draw_pile(state, int(op.deck))
            tell(events, E.obstacle_shuffled, card, op.deck)
            return


@operation("burn_obstacles", needs="names")
@rule
def op_burn_obstacles(box: Box, state: State, events: Events, op: Op) -> None:
    """1.11: every copy of the named obstacles leaves the campaign, wherever it is."""
    for card in range(box.n_obstacles):
        if has(op.named, card) and state.obstacle_at[card] != BURNED:
            burn_obstacle(box, state, events, card)


@operation("burn_from_deck", needs="tags", may="count")
@rule
def op_burn_from_deck(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """14.37: players search all three decks, draw and discard piles, and burn a matching card; its deck is shuffled."""
    if frame.step == 0:
        offer_from_decks(box, state, op)
        return choose_one(state, frame, P.choose_obstacle, NOBODY)
    pile = int(state.obstacle_at[state.answer])
    burn_obstacle(box, state, events, int(state.answer))
    if DRAW <= pile < DISCARD:
        shuffle_draw_pile(state, pile - DRAW)
    return True


@rule
def offer_from_decks(box: Box, state: State, op: Op) -> None:
    """14.37: matching obstacles in draw and discard piles."""
    no_options(state)
    for card in range(box.n_obstacles):
        if DRAW <= state.obstacle_at[card] < RESERVE and matches(box, state, card, op.tags, NOBODY, NOBODY):
            offer(state, card)


@operation("peek_and_discard", needs="deck look discard")
@rule
def op_peek(state: State, events: Events, op: Op, frame: Frame) -> bool:
    """13.3: everybody looks at the top cards of a pile; players choose which are discarded, the others stay on top."""
    region = int(op.deck)
    if frame.step == 0:
        frame.step = 1
        shown = min(op.look, state.n_draw[region])
        frame.todo = min(op.count_of, shown)
        state.n_known[region] = max(state.n_known[region], shown)
        state.n_seen[region] = max(state.n_seen[region], shown)
        frame.chosen = shown
        for i in range(shown):
            tell(events, E.pile_seen, state.draw[region, state.n_draw[region] - 1 - i], region, i + 1)
    else:
        onto_discards(state, int(state.answer), region)
        tell(events, E.pile_discarded, state.answer, region)
        frame.todo -= 1
        frame.chosen -= 1
    no_options(state)
    if frame.todo <= 0:
        refill_draw(state, events, region)
        return True
    for i in range(frame.chosen):
        offer(state, state.draw[region, state.n_draw[region] - 1 - i])
    ask(state, P.choose_obstacle, seat_for(state, int(frame.hero)))
    return False


@rule
def choose_pile(box: Box, state: State, op: Op, frame: Frame) -> bool:
    """9.4: which region's piles. False while players choose; `state.answer` then is it, NOBODY if there is none."""
    if frame.step > 0:
        return True
    no_options(state)
    from_discards = op.look == 0
    for region in range(N_REGIONS):
        if (op.deck == region or op.deck == N_REGIONS) and has_card(state, region, from_discards):
            offer(state, region)
    return choose_if_several(state, frame, P.choose_pile, int(frame.hero))


@rule
def has_card(state: State, region: int, from_discards: int) -> bool:
    """Is there a card in a region's draw pile, or in its discards?"""
    if from_discards:
        return state.head[DISCARD + region] != NOBODY
    return state.n_draw[region] > 0


@operation("discard_deck_top", needs="deck", may="count")
@rule
def op_discard_top(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """9.4: the top card of a draw pile is discarded."""
    if not choose_pile(box, state, op, frame):
        return False
    region = int(state.answer)
    if region >= 0:
        for _ in range(op.count_of):
            if state.n_draw[region] > 0:
                card = int(state.draw[region, state.n_draw[region] - 1])
                onto_discards(state, card, region)
                tell(events, E.pile_discarded, card, region)
                refill_draw(state, events, region)
    return True


@operation("discard_top_to_deck_top", needs="deck")
@rule
def op_top_back(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """9.4: the top card of a discard pile goes on top of its draw pile, known to all."""
    if not choose_pile(box, state, op, frame):
        return False
    if state.answer >= 0:
        tell(events, E.pile_returned, state.head[DISCARD + state.answer], state.answer)
        put_in_draw(state, int(state.head[DISCARD + state.answer]), int(state.answer))
    return True


@operation("place_new_obstacle", needs="count")
@rule
def op_place_new(box: Box, state: State, events: Events, op: Op) -> None:
    """14.52: as in the step for new obstacles; the staged cards slide down and are refilled at once."""
    for _ in range(op.count_of):
        place_new(box, state, events)
        refill_staging(box, state, events)
