"""The feeding phase (guide 7): food for all but one, hunger, a new peasant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow_range
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.manor.box import ANIMALS, CROPS, MOST_AT_ONCE, PEASANTS, VICTORY
from sutler.games.manor.phases_actions_events import A, E, P, R
from sutler.games.manor.rules.common import lose, next_seat, pay, receive
from sutler.games.manor.state import food_of

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.manor.records import Box, State

# --- Feeding phase (guide 7) -------------------------------------------------


@rule
def start_feeding(box: Box, state: State, events: Events, seat: int) -> None:
    """7.1, 7.2: one food for each peasant but one. Who cannot, spends all food, and loses a peasant and 2 victory."""
    me = state.seats[seat]
    state.due = me.tokens[PEASANTS] - 1
    state.step = 1
    if food_of(state, seat) < state.due:
        tell(events, E.hunger, seat)
        pay(box, state, events, seat, CROPS, int(me.tokens[CROPS]))
        pay(box, state, events, seat, ANIMALS, int(me.tokens[ANIMALS]))
        lose(box, state, events, seat, PEASANTS, 1)
        lose(box, state, events, seat, VICTORY, int(box.rules.hunger_victory))
        state.due = 0
        state.step = 2
    elif state.due > 0:
        split_food(box, state, events, seat, P.feed)


@rule
def least_crops(state: State, seat: int) -> int:
    """The fewest crops a payment of `due` food can hold."""
    return max(0, state.due - state.seats[seat].tokens[ANIMALS])


@rule
def most_crops(state: State, seat: int) -> int:
    """The most crops a payment of `due` food can hold."""
    return min(state.due, state.seats[seat].tokens[CROPS])


@rule
def split_food(box: Box, state: State, events: Events, seat: int, phase: int) -> None:
    """7.1: any mix of crops and animals; asked only where there is a choice."""
    least = least_crops(state, seat)
    if least == most_crops(state, seat) or state.due >= MOST_AT_ONCE:
        pay_food(box, state, events, seat, least, phase == P.grow_feed)
    else:
        ask(state, phase, seat)


@rule
def pay_food(box: Box, state: State, events: Events, seat: int, crops: int, is_growing: bool) -> None:
    """7.1, 7.3: so many crops, the rest animals."""
    me = state.seats[seat]
    animals = state.due - crops
    me.tokens[CROPS] -= crops
    me.tokens[ANIMALS] -= animals
    if is_growing:
        tell(events, E.grew, seat, state.due, crops, animals)
        receive(state, seat, PEASANTS, 1)
        state.step = 2
    else:
        tell(events, E.fed, seat, state.due, crops, animals)
    state.due = 0


@rule
def why_not_feed_crops(box: Box, state: State, seat: int, crops: int) -> int:
    """7.1, 7.3: no more crops than you have or owe, and the rest in animals."""
    if state.phase in (P.feed, P.grow_feed) and not least_crops(state, seat) <= crops <= most_crops(state, seat):
        return R.bad_food
    return R.fine


@rule
def allow_feed_crops(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.1, 7.3: the same, all at once."""
    least = least_crops(state, seat)
    allow_range(out, A.feed_crops + least, most_crops(state, seat) - least + 1)


@rule
def do_feed_crops(box: Box, state: State, events: Events, seat: int, crops: int) -> None:
    """7.1, 7.3: the mix that was chosen."""
    pay_food(box, state, events, seat, crops, state.phase == P.grow_feed)
    go_on(state)


@rule
def why_not_grow(box: Box, state: State, seat: int) -> int:
    """7.3: five food for a peasant, once, when all were fed."""
    if food_of(state, seat) < box.rules.grow_price:
        return R.too_little_food
    return R.fine


@rule
def do_grow(box: Box, state: State, events: Events, seat: int) -> None:
    """7.3: pay, in any mix."""
    state.due = box.rules.grow_price
    go_on(state)
    split_food(box, state, events, seat, P.grow_feed)


@rule
def proceed_feeding(box: Box, state: State, events: Events, seat: int) -> None:
    """7: feed, then perhaps take in a peasant."""
    if state.step == 0:
        start_feeding(box, state, events, seat)
        if state.phase != P.moving:
            return
    if state.step == 1 and why_not_grow(box, state, seat) == R.fine:
        ask(state, P.grow, seat)
    else:
        next_seat(state)
