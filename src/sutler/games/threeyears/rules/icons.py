"""Icons (guide 8): what each does, in the order of the sections; losses, Despair, Writs and scouting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow, count, count_both, first_from, has, remove
from sutler.core.events import tell, tell_to
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.box import (
    CARDS,
    CASUALTY,
    DEATH,
    DESPAIR,
    DRAW,
    FOOD,
    GOLD,
    GREEN,
    HOLDINGS,
    HOPE,
    ICONS,
    LOCUSTS,
    RATS,
    RENOWN,
    RUIN,
    SCOUT,
    SEASONS,
    SIEGE,
    SOLDIERS,
    THIEF,
    TRACKS,
    WRIT,
)
from sutler.games.threeyears.rules.common import ask, bit_of, clear_shy, draw_influence, draw_next, go_on, is_shy
from sutler.games.threeyears.state import owner_of_despair, owner_of_writ, track_short, writs_of
from sutler.games.threeyears.table import A, E, P, R

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Events, Legal, Row
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
    tell(events, E.took_writ, seat)
    tell_to(events, bit_of(seat), E.own_writ, state.writ_face[token], 0, 0, 0, 0)


@rule
def take_despair(state: State, events: Events, seat: int) -> None:
    """8.12: a Despair token at random, seen by nobody; a Doom token when there is none."""
    me = state.seats[seat]
    if count(state.despairs) == 0:
        me.doom += 1
        tell(events, E.doom, seat)
    else:
        add(me.despair, draw_next(state.despairs))
        tell(events, E.despair, seat)


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
    forget_writ(state, writ_of_kind(state, seat, kind))
    tell(events, E.revealed, seat, kind)
    for icon in range(GREEN):
        if box.writ_gain[kind, icon] > 0:
            apply_gain(box, state, events, seat, icon, int(box.writ_gain[kind, icon]))


@rule
def forget_writ(state: State, token: int) -> None:
    """A revealed Writ is out of the game, and out of what scouts remember."""
    for seat in range(state.n_seats):
        remove(state.seats[seat].writs, token)
        remove(state.seats[seat].seen_writs, token)


# --- Losses (guide 8.11, 8.13) -----------------------------------------------------


@rule
def owe(state: State, seat: int, track: int, n: int) -> None:
    """8.13: a seat must lose so many."""
    state.owed[seat, track] += n


@rule
def pay_losses(box: Box, state: State, events: Events) -> bool:
    """8.13: losses one by one, from the acting seat clockwise. False when a seat is asked about its Writs first."""
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
    """8.13: down the track; at zero a Despair for each, unless a Writ helps (8.7)."""
    me = state.seats[seat]
    n = min(int(me.tracks[track]), int(state.owed[seat, track]))
    if n > 0:
        me.tracks[track] -= n
        state.owed[seat, track] -= n
        tell(events, E.lost, seat, n, track)
        if state.theft == 1:
            tell(events, E.stole, state.actor, seat)
            gain_track(box, state, events, int(state.actor), GOLD, n)
    if state.owed[seat, track] > 0 and writs_of(state, seat) > 0 and not is_shy(state, seat, track):
        ask(state, P.last_chance, seat)
        return False
    while state.owed[seat, track] > 0:
        state.owed[seat, track] -= 1
        tell(events, E.short, seat, track)
        take_despair(state, events, seat)
    return True


@rule
def do_keep_at_loss(state: State, seat: int) -> None:
    """8.7: keep the Writ; losses of this resource do not ask again, those of another do."""
    track = track_short(state, seat)
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
    return icon in (CASUALTY, SIEGE, THIEF, SCOUT)


@rule
def entangled_icons(box: Box, state: State, seat: int) -> int:
    """7.5: green icons still due whose order can matter, as bits; 0 when none does.

    A target or a look may depend on other targets, looks, cards and Writs; and aiming at oneself makes room on a full
    track, or finds an empty one, only if it comes before the gain.
    """
    asking = 0
    telling = 0
    for icon in range(GREEN):
        if state.due[icon] > 0:
            if asks_something(icon):
                asking |= 1 << icon
            elif icon in (WRIT, DRAW):
                telling |= 1 << icon
    if asking == 0:
        return 0
    entangled = 0
    if telling != 0 or asking & (asking - 1) != 0:
        entangled = asking | telling
    if state.due[CASUALTY] > 0 and is_gain_touchy(box, state, seat, SOLDIERS):
        entangled |= 1 << CASUALTY | 1 << SOLDIERS
    if state.due[SIEGE] > 0 and is_gain_touchy(box, state, seat, HOLDINGS):
        entangled |= 1 << SIEGE | 1 << HOLDINGS
    if state.due[THIEF] > 0 and is_gain_touchy(box, state, seat, GOLD):
        entangled |= 1 << THIEF | 1 << GOLD
    return entangled


@rule
def is_gain_touchy(box: Box, state: State, seat: int, track: int) -> bool:
    """7.5: would a gain that is due overflow the track, or does it start from zero? It matters to who may aim at itself."""
    n = state.due[track]
    if n == 0 or box.options.own_targets == 0:
        return False
    now = state.seats[seat].tracks[track]
    return now == 0 or now + n > box.rules.track_max


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


# --- Scouting (guide 8.8) ---------------------------------------------------------------


@rule
def begin_scouting(box: Box, state: State, events: Events, seat: int) -> None:
    """8.8: take a token, then as many looks as you own tokens."""
    state.due[SCOUT] -= 1
    if state.scouts == 0:
        tell(events, E.none_left, SCOUT, seat)
        return
    state.scouts -= 1
    me = state.seats[seat]
    me.scouts += 1
    state.looks = me.scouts
    for event in range(SEASONS):
        state.depth[event] = 0
    tell(events, E.scouted, seat, me.scouts)
    if can_look(box, state, seat):
        ask(state, P.look, seat)
    else:
        end_scouting(state)


@rule
def n_upcoming(box: Box, state: State, event: int) -> int:
    """8.8: how many cards of an interlude deck are still face down."""
    turned = int(state.year)
    if state.season > event or (state.season == event and state.card != NOBODY):
        turned += 1
    return int(box.n_cards[event]) - turned


@rule
def place_to_see(box: Box, state: State, event: int) -> int:
    """8.8: the place, in the deck as it was set up, of the card that a look would show."""
    return int(box.n_cards[event]) - n_upcoming(box, state, event) + int(state.depth[event])


@rule
def can_look_event(box: Box, state: State, event: int) -> bool:
    """8.8: is there a card left in this deck that this scouting has not shown?"""
    return state.depth[event] < n_upcoming(box, state, event)


@rule
def has_unseen_despair(state: State, seat: int, other: int) -> bool:
    """8.8: has somebody a Despair token that this seat has not seen?"""
    return count_both(state.seats[other].despair, state.seats[seat].seen_despair) < count(state.seats[other].despair)


@rule
def has_unseen_writ(state: State, seat: int, other: int) -> bool:
    """8.8: has another seat a Writ that this seat has not seen?"""
    them = state.seats[other]
    return other != seat and count_both(them.writs, state.seats[seat].seen_writs) < count(them.writs)


@rule
def why_not_look_event(box: Box, state: State, seat: int, event: int) -> int:
    """8.8: a deck with a card left that this scouting has not shown."""
    if not can_look_event(box, state, event):
        return R.no_more_cards
    return R.fine


@rule
def why_not_look_despair(box: Box, state: State, seat: int, token: int) -> int:
    """8.8: a Despair token before anybody, the seat itself too, that it has not seen."""
    if owner_of_despair(state, token) == NOBODY:
        return R.not_lying
    if has(state.seats[seat].seen_despair, token):
        return R.all_seen
    return R.fine


@rule
def why_not_look_writ(box: Box, state: State, seat: int, token: int) -> int:
    """8.8: a Writ before another seat that this one has not seen; its own it knows."""
    owner = owner_of_writ(state, token)
    if owner == NOBODY:
        return R.not_lying
    if owner == seat:
        return R.own_writ_known
    if has(state.seats[seat].seen_writs, token):
        return R.all_seen
    return R.fine


@rule
def allow_look_despair(box: Box, state: State, seat: int, out: Legal) -> None:
    """8.8: every Despair token that the seat has not seen."""
    for other in range(state.n_seats):
        allow_unseen(out, A.look_despair, state.seats[other].despair, state.seats[seat].seen_despair)


@rule
def allow_look_writ(box: Box, state: State, seat: int, out: Legal) -> None:
    """8.8: every Writ of another seat that it has not seen."""
    for other in range(state.n_seats):
        if other != seat:
            allow_unseen(out, A.look_writ, state.seats[other].writs, state.seats[seat].seen_writs)


@rule
def allow_unseen(out: Legal, first_id: int, tokens: Bits, seen: Bits) -> None:
    """8.8: a look at each of these tokens that has not been seen."""
    token = first_from(tokens, 0)
    while token >= 0:
        if not has(seen, token):
            allow(out, first_id + token)
        token = first_from(tokens, token + 1)


@rule
def can_look(box: Box, state: State, seat: int) -> bool:
    """8.8: is there anything hidden to look at?"""
    for event in range(SEASONS):
        if can_look_event(box, state, event):
            return True
    for other in range(state.n_seats):
        if has_unseen_despair(state, seat, other) or has_unseen_writ(state, seat, other):
            return True
    return False


@rule
def do_look_event(box: Box, state: State, events: Events, seat: int, event: int) -> None:
    """8.8: the next card of an interlude deck; it goes back as it lay."""
    place = place_to_see(box, state, event)
    state.depth[event] += 1
    state.seats[seat].seen_cards[event] |= 1 << place
    tell(events, E.looked_event, seat, state.depth[event], event)
    tell_to(events, bit_of(seat), E.saw_card, event * CARDS + int(state.interludes[event, place]), 0, 0, 0, 0)
    end_look(box, state, seat)


@rule
def do_look_despair(box: Box, state: State, events: Events, seat: int, token: int) -> None:
    """8.8: the Despair token that was pointed at."""
    add(state.seats[seat].seen_despair, token)
    tell(events, E.looked_despair, seat, token, owner_of_despair(state, token))
    tell_to(events, bit_of(seat), E.saw_despair, state.despair_face[token], 0, 0, 0, 0)
    end_look(box, state, seat)


@rule
def do_look_writ(box: Box, state: State, events: Events, seat: int, token: int) -> None:
    """8.8: the Writ that was pointed at."""
    add(state.seats[seat].seen_writs, token)
    tell(events, E.looked_writ, seat, token, owner_of_writ(state, token))
    tell_to(events, bit_of(seat), E.saw_writ, state.writ_face[token], 0, 0, 0, 0)
    end_look(box, state, seat)


@rule
def end_look(box: Box, state: State, seat: int) -> None:
    """8.8: the next look, if one is left and there is something to see."""
    state.looks -= 1
    if state.looks <= 0 or not can_look(box, state, seat):
        end_scouting(state)


@rule
def end_scouting(state: State) -> None:
    """8.8: looks may be left unused."""
    state.looks = 0
    for event in range(SEASONS):
        state.depth[event] = 0
    go_on(state)
