"""The end of the war (guide 10): Writs, Hope, Despair, bonuses, in this order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, count, first_from
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.games.threeyears.box import TRACKS
from sutler.games.threeyears.phases_actions_events import E, P
from sutler.games.threeyears.rules.common import draw_at_random
from sutler.games.threeyears.rules.gains import reveal_writ
from sutler.games.threeyears.scoring import HAND, bonus_in_category, despair_value, final_points, is_first
from sutler.games.threeyears.state import seat_from_lead

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.threeyears.records import Box, State

# --- The end sequence (guide 10.1 to 10.5) -----------------------------------------


@rule
def proceed_end(box: Box, state: State, events: Events) -> None:
    """10.1: each step for all seats, clockwise from the lead player, before the next."""
    tell(events, E.ended)
    for k in range(state.n_seats):
        reveal_all(box, state, events, seat_from_lead(state, k))
    for k in range(state.n_seats):
        resolve_hope(box, state, events, seat_from_lead(state, k))
    for k in range(state.n_seats):
        reveal_despair(box, state, events, seat_from_lead(state, k))
    for category in range(TRACKS + 1):
        for k in range(state.n_seats):
            tell_bonus(state, events, seat_from_lead(state, k), category)
    for k in range(state.n_seats):
        seat = seat_from_lead(state, k)
        points = final_points(box, state, seat)
        tell(events, E.final, seat, points)
        if points < 0:
            tell(events, E.disgrace, seat)
    state.phase = P.over
    for k in range(state.n_seats):
        tell_forgotten(box, state, events, seat_from_lead(state, k))


@rule
def reveal_all(box: Box, state: State, events: Events, seat: int) -> None:
    """10.1: Writs not revealed yet are revealed and applied."""
    writs = state.seats[seat].writs
    token = first_from(writs, 0)
    while token >= 0:
        reveal_writ(box, state, events, seat, int(state.writ_face[token]))
        token = first_from(writs, 0)


@rule
def resolve_hope(box: Box, state: State, events: Events, seat: int) -> None:
    """10.2: each Hope takes one Despair token away, at random; Doom stays."""
    me = state.seats[seat]
    for _ in range(min(int(me.hope), count(me.despair))):
        token = draw_at_random(state, me.despair)
        add(state.dispelled, token)
        tell(events, E.dispelled, token, state.despair_face[token], seat)


@rule
def reveal_despair(box: Box, state: State, events: Events, seat: int) -> None:
    """10.3: what is left is turned up."""
    if count(state.seats[seat].despair) > 0:
        tell(events, E.sorrow, seat, despair_value(box, state, seat))


@rule
def tell_bonus(state: State, events: Events, seat: int, category: int) -> None:
    """10.4: told here, counted when the score is."""
    n = bonus_in_category(state, seat, category)
    if n > 0:
        if category == HAND:
            tell(events, E.bonus_cards, seat, n)
        else:
            tell(events, E.bonus, seat, n, category)


@rule
def tell_forgotten(box: Box, state: State, events: Events, seat: int) -> None:
    """10.7: the best of all may have less than nothing."""
    if final_points(box, state, seat) < 0 and is_first(box, state, seat):
        tell(events, E.forgotten, seat)
