"""Gains and Writs (guide 8.1, 8.5 to 8.7): what icons bring a seat, and what its Writs bring when they are revealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow, count, first_from, remove
from sutler.core.events import tell, tell_to
from sutler.core.rule import rule
from sutler.games.threeyears.box import (
    DRAW,
    GREEN,
    HOPE,
    RENOWN,
    TRACKS,
    WRIT,
)
from sutler.games.threeyears.phases_actions_events import A, E, R
from sutler.games.threeyears.rules.common import bit_of, draw_influence, draw_next

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.threeyears.records import Box, State

# --- Gains (guide 8.1, 8.5) ----------------------------------------------------


@rule
def gain_track(box: Box, state: State, events: Events, seat: int, track: int, n: int) -> None:
    """8.1: up the track; what would go beyond its end is lost."""
    me = state.seats[seat]
    room = min(int(n), int(box.rules.track_max - me.tracks[track]))
    if room > 0:
        me.tracks[track] += room
        tell(events, E.gained, seat, room, track)
    if room < n:
        tell(events, E.no_room, seat, n - room, track)


@rule
def gain_renown(state: State, events: Events, seat: int, n: int) -> None:
    """8.5: renown is without limit."""
    state.seats[seat].renown += n
    tell(events, E.gained, seat, n, RENOWN)


@rule
def gain_hope(state: State, events: Events, seat: int, n: int) -> None:
    """8.5, 1.12: Hope tokens while there are any."""
    got = min(int(n), int(state.hopes))
    if got > 0:
        state.hopes -= got
        state.seats[seat].hope += got
        tell(events, E.gained, seat, got, HOPE)
    if got < n:
        tell(events, E.none_left, HOPE, seat)


@rule
def take_writ(box: Box, state: State, events: Events, seat: int) -> None:
    """8.6: a Writ at random, seen by its owner only."""
    if count(state.writs) == 0:
        tell(events, E.none_left, WRIT, seat)
        return
    token = draw_next(state.writs)
    add(state.seats[seat].writs, token)
    tell(events, E.took_writ, seat, token)
    tell_to(events, bit_of(seat), E.own_writ, state.writ_face[token], 0, 0, 0, 0)


@rule
def take_despair(state: State, events: Events, seat: int) -> None:
    """8.12: a Despair token at random, seen by nobody; a Doom token when there is none."""
    me = state.seats[seat]
    if count(state.despairs) == 0:
        me.doom += 1
        tell(events, E.doom, seat)
    else:
        token = draw_next(state.despairs)
        add(me.despair, token)
        tell(events, E.despair, seat, token)


@rule
def apply_gain(box: Box, state: State, events: Events, seat: int, icon: int, n: int) -> None:
    """8.1, 8.5, 8.6, 8.9: icons that ask nothing."""
    if icon < TRACKS:
        gain_track(box, state, events, seat, icon, n)
    elif icon == RENOWN:
        gain_renown(state, events, seat, n)
    elif icon == HOPE:
        gain_hope(state, events, seat, n)
    elif icon == WRIT:
        for _ in range(n):
            take_writ(box, state, events, seat)
    elif icon == DRAW:
        drawn = draw_influence(box, state, events, seat, n)
        if drawn > 0:
            tell(events, E.drew, seat, drawn, DRAW)


# --- Writs (guide 8.7) -----------------------------------------------------------


@rule
def why_not_reveal(box: Box, state: State, seat: int, kind: int) -> int:
    """8.7: an unrevealed Writ of this kind."""
    if writ_of_kind(state, seat, kind) < 0:
        return R.no_such_writ
    return R.fine


@rule
def allow_reveal(box: Box, state: State, seat: int, out: Legal) -> None:
    """8.7: each kind of Writ that the seat has."""
    writs = state.seats[seat].writs
    token = first_from(writs, 0)
    while token >= 0:
        allow(out, A.reveal + int(state.writ_face[token]))
        token = first_from(writs, token + 1)


@rule
def writ_of_kind(state: State, seat: int, kind: int) -> int:
    """An unrevealed Writ of this kind; -1 when the seat has none."""
    writs = state.seats[seat].writs
    token = first_from(writs, 0)
    while token >= 0 and state.writ_face[token] != kind:
        token = first_from(writs, token + 1)
    return token


@rule
def reveal_writ(box: Box, state: State, events: Events, seat: int, kind: int) -> None:
    """8.7: it is applied in full and leaves the game."""
    token = writ_of_kind(state, seat, kind)
    forget_writ(state, token)
    tell(events, E.revealed, seat, token, kind)
    for icon in range(GREEN):
        if box.writ[kind].icons[icon] > 0:
            apply_gain(box, state, events, seat, icon, int(box.writ[kind].icons[icon]))


@rule
def forget_writ(state: State, token: int) -> None:
    """A revealed Writ is out of the game, and out of what scouts remember."""
    for seat in range(state.n_seats):
        remove(state.seats[seat].writs, token)
        remove(state.seats[seat].seen_writs, token)
