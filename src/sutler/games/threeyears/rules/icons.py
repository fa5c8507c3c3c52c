"""Icons (guide 8): resolving a set of them in the order of the sections; losses, targets and locusts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.threeyears.box import (
    CASUALTY,
    DEATH,
    DESPAIR,
    DRAW,
    FOOD,
    GOLD,
    GREEN,
    HOLDINGS,
    ICONS,
    LOCUSTS,
    RATS,
    RUIN,
    SCOUT,
    SEATS,
    SIEGE,
    SOLDIERS,
    THIEF,
    TRACKS,
    WRIT,
)
from sutler.games.threeyears.phases_actions_events import A, E, P, R
from sutler.games.threeyears.rules.common import clear_shy, is_shy
from sutler.games.threeyears.rules.gains import apply_gain, gain_track, take_despair
from sutler.games.threeyears.rules.scouting import begin_scouting
from sutler.games.threeyears.state import first_resource_lacking, writs_of

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal, Row
    from sutler.games.threeyears.records import Box, State

ASKING = (CASUALTY, SIEGE, THIEF, SCOUT)
"""The green icons that ask their owner something."""

# --- Losses (guide 8.11, 8.13) -----------------------------------------------------


@rule
def owe(state: State, seat: int, track: int, n: int) -> None:
    """8.13: a seat must lose so many."""
    state.owed[seat, track] += n


@rule
def is_anything_owed(state: State) -> bool:
    """Has any seat still to lose something? Mostly nobody has, which a sum tells at once."""
    n = 0
    for seat in range(SEATS):
        for track in range(TRACKS):
            n += int(state.owed[seat, track])
    return n > 0


@rule
def pay_losses(box: Box, state: State, events: Events) -> bool:
    """8.13: losses one by one, from the acting seat clockwise. False when a seat is asked about its Writs first."""
    if is_anything_owed(state):
        for k in range(state.n_seats):
            seat = int(state.actor) + k
            if seat >= state.n_seats:
                seat -= state.n_seats
            for track in range(TRACKS):
                if state.owed[seat, track] > 0 and not pay_loss(box, state, events, seat, track):
                    return False
    clear_shy(state)
    state.theft = 0
    return True


@rule
def pay_loss(box: Box, state: State, events: Events, seat: int, track: int) -> bool:
    """8.13: down the track; at zero a Despair for each, before each of which a Writ may help (8.7)."""
    me = state.seats[seat]
    n = min(int(me.tracks[track]), int(state.owed[seat, track]))
    if n > 0:
        me.tracks[track] -= n
        state.owed[seat, track] -= n
        tell(events, E.lost, seat, n, track)
        if state.theft == 1:
            tell(events, E.stole, state.actor, seat)
            gain_track(box, state, events, int(state.actor), GOLD, n)
    while state.owed[seat, track] > 0:
        if writs_of(state, seat) > 0 and not is_shy(state, seat, track):
            ask(state, P.last_chance, seat)
            return False
        state.shy[seat] &= ~(1 << track)
        state.owed[seat, track] -= 1
        tell(events, E.short, seat, track)
        take_despair(state, events, seat)
        if box.options.one_despair == 1:
            state.owed[seat, track] = 0
    return True


@rule
def do_keep_at_loss(state: State, seat: int) -> None:
    """8.7: keep the Writ before the next loss of this resource; the one after it asks again."""
    track = first_resource_lacking(state, seat)
    if track == NOBODY:
        track = FOOD
    state.shy[seat] |= 1 << track
    go_on(state)


# --- Resolving a set of icons (guide 7.4, 7.5) ---------------------------------------


@rule
def add_icons(state: State, icons: Row[int]) -> None:
    """7.3: put icons among those to be resolved."""
    for icon in range(ICONS):
        state.due[icon] += icons[icon]


@rule
def begin_icons(state: State, seat: int) -> None:
    """7.4: this seat resolves what is due."""
    state.actor = seat


@rule
def resolve_icons(box: Box, state: State, events: Events) -> None:
    """7.4: green, then grey, then red; stops when somebody has a decision to make."""
    seat = int(state.actor)
    if not pay_losses(box, state, events):
        return
    entangled = entangled_icons(box, state, seat)
    if entangled != 0:
        apply_free_gains(box, state, events, seat, entangled)
        ask(state, P.resolve, seat)
        return
    apply_free_gains(box, state, events, seat, 0)
    if state.due[CASUALTY] > 0:
        begin_aiming(state, seat, CASUALTY)
    elif state.due[SIEGE] > 0:
        begin_aiming(state, seat, SIEGE)
    elif state.due[THIEF] > 0:
        begin_aiming(state, seat, THIEF)
    elif state.due[SCOUT] > 0:
        begin_scouting(box, state, events, seat)
    elif state.due[LOCUSTS] > 0:
        ask(state, P.locusts, seat)
    elif state.due[DEATH] > 0 or state.due[RATS] > 0 or state.due[RUIN] > 0:
        suffer_losses(state, seat)
    elif state.due[DESPAIR] > 0:
        for _ in range(state.due[DESPAIR]):
            take_despair(state, events, seat)
        state.due[DESPAIR] = 0
    else:
        state.actor = NOBODY


@rule
def apply_free_gains(box: Box, state: State, events: Events, seat: int, entangled: int) -> None:
    """7.5: gains whose order makes no difference come first, without a question."""
    for icon in range(GREEN):
        n = int(state.due[icon])
        if n > 0 and not entangled >> icon & 1 and not asks_something(icon):
            state.due[icon] = 0
            apply_gain(box, state, events, seat, icon, n)


@rule
def asks_something(icon: int) -> bool:
    """Does this green icon ask its owner something?"""
    return icon in ASKING


@rule
def entangled_icons(box: Box, state: State, seat: int) -> int:
    """7.5: green icons still due whose order can matter, as bits; 0 when none does.

    A target or a look may depend on other targets, looks, cards and Writs; and aiming at oneself makes room on a full
    track, or finds an empty one, only if it comes before the gain.
    """
    asking = 0
    for icon in ASKING:
        if state.due[icon] > 0:
            asking |= 1 << icon
    if asking == 0:
        return 0
    telling = 0
    for icon in (WRIT, DRAW):
        if state.due[icon] > 0:
            telling |= 1 << icon
    entangled = 0
    if telling != 0 or asking & (asking - 1) != 0:
        entangled = asking | telling
    if state.due[CASUALTY] > 0 and is_gain_touchy(box, state, seat, SOLDIERS, int(state.due[CASUALTY])):
        entangled |= 1 << CASUALTY | 1 << SOLDIERS
    if state.due[SIEGE] > 0 and is_gain_touchy(box, state, seat, HOLDINGS, int(state.due[SIEGE])):
        entangled |= 1 << SIEGE | 1 << HOLDINGS
    if state.due[THIEF] > 0 and is_gain_touchy(box, state, seat, GOLD, 1):
        entangled |= 1 << THIEF | 1 << GOLD
    return entangled


@rule
def is_gain_touchy(box: Box, state: State, seat: int, track: int, blows: int) -> bool:
    """7.5: would a gain that is due overflow the track, or could blows at oneself come to zero before it?

    blows: how much of the resource the seat could take from itself first; a Thief gives back what it takes.
    """
    n = state.due[track]
    if n == 0 or box.options.own_targets == 0:
        return False
    now = state.seats[seat].tracks[track]
    return now < blows or now + n > box.rules.track_max


@rule
def why_not_resolve(box: Box, state: State, seat: int, icon: int) -> int:
    """7.5: a symbol whose place in the order can matter."""
    if state.phase == P.resolve and not entangled_icons(box, state, seat) >> icon & 1:
        return R.no_order
    return R.fine


@rule
def allow_resolve(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.5: the symbols whose order can matter."""
    entangled = entangled_icons(box, state, seat)
    for icon in range(GREEN):
        if entangled >> icon & 1:
            allow(out, A.resolve + icon)


@rule
def do_resolve(box: Box, state: State, events: Events, seat: int, icon: int) -> None:
    """7.5: one symbol of the kind that was chosen."""
    go_on(state)
    if icon == SCOUT:
        begin_scouting(box, state, events, seat)
    elif asks_something(icon):
        begin_aiming(state, seat, icon)
    else:
        state.due[icon] -= 1
        apply_gain(box, state, events, seat, icon, 1)


@rule
def suffer_losses(state: State, seat: int) -> None:
    """8.11: one soldier a Death, one food a Rat, one holding a Ruin."""
    owe(state, seat, SOLDIERS, int(state.due[DEATH]))
    owe(state, seat, FOOD, int(state.due[RATS]))
    owe(state, seat, HOLDINGS, int(state.due[RUIN]))
    state.due[DEATH] = 0
    state.due[RATS] = 0
    state.due[RUIN] = 0


# --- Targets (guide 8.2, 8.3, 8.4) ----------------------------------------------------


@rule
def begin_aiming(state: State, seat: int, icon: int) -> None:
    """8.4: whom does this symbol hit?"""
    state.icon = icon
    ask(state, P.target, seat)


@rule
def why_not_target(box: Box, state: State, seat: int, other: int) -> int:
    """8.4: anybody at the table, oneself too; by option 11.5 opponents only."""
    if other >= state.n_seats:
        return R.no_such_seat
    if other == seat and box.options.own_targets == 0:
        return R.not_oneself
    return R.fine


@rule
def do_target(box: Box, state: State, events: Events, seat: int, target: int) -> None:
    """8.2, 8.3: a Casualty takes a soldier, a Siege a holding, a Thief a gold, which the acting seat gains."""
    icon = int(state.icon)
    tell(events, E.aimed, seat, icon, target)
    state.due[icon] -= 1
    if icon == CASUALTY:
        owe(state, target, SOLDIERS, 1)
    elif icon == SIEGE:
        owe(state, target, HOLDINGS, 1)
    else:
        owe(state, target, GOLD, 1)
        state.theft = 1
    go_on(state)


# --- Locusts (guide 8.10) -------------------------------------------------------------


@rule
def do_blight(box: Box, state: State, events: Events, seat: int, track: int) -> None:
    """8.10: two of the chosen resource from the acting seat, one from every other."""
    tell(events, E.locusts, seat, track)
    state.due[LOCUSTS] -= 1
    for other in range(state.n_seats):
        owe(state, other, track, 1)
    owe(state, seat, track, 1)
    go_on(state)
