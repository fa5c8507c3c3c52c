"""What you may do in Three Years of War and what it does, a file a chapter; `legal` and `apply` close it here."""

from __future__ import annotations

from sutler.core.bits import allow, first_from, has
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.box import DOUBLES, GREEN, OFFERS, ROWS, SEASONS, TRACKS
from sutler.games.threeyears.rules.claims import OPEN, do_draft, proceed_claims, proceed_draft
from sutler.games.threeyears.rules.common import (
    A_BLIGHT,
    A_BUY,
    A_DISCARD,
    A_DONE,
    A_DRAFT,
    A_EXCHANGE,
    A_KEEP,
    A_LOOK_DESPAIR,
    A_LOOK_EVENT,
    A_LOOK_WRIT,
    A_ON,
    A_PASS,
    A_PICK,
    A_PLAY,
    A_RESOLVE,
    A_REVEAL,
    A_STAKE,
    A_TARGET,
    go_on,
    next_in_turn,
)
from sutler.games.threeyears.rules.ending import proceed_end
from sutler.games.threeyears.rules.icons import (
    can_look_event,
    can_target,
    do_blight,
    do_keep_at_loss,
    do_look_despair,
    do_look_event,
    do_look_writ,
    do_resolve,
    do_target,
    end_scouting,
    entangled_icons,
    resolve_icons,
    reveal_writ,
)
from sutler.games.threeyears.rules.influence import (
    can_pick,
    do_pass,
    do_pick,
    do_play,
    icons_needed,
    makes_set,
    n_of_shape,
    proceed_bidding,
    start_bidding,
)
from sutler.games.threeyears.rules.interludes import (
    can_buy,
    can_exchange,
    do_buy,
    do_discard,
    do_exchange,
    end_window_turn,
    proceed_interlude,
    proceed_limit,
    tell_surplus,
)
from sutler.games.threeyears.rules.stakes import can_stake, can_tie, do_stake, proceed_stakes, slot_of, tie
from sutler.games.threeyears.rules.taxes import levy, start_season
from sutler.games.threeyears.state import (
    BID,
    CLAIMING,
    DRAFT,
    DRAFTING,
    HAND_LIMIT,
    INFLUENCING,
    INTERLUDE,
    LAST_CHANCE,
    LIMIT,
    LOCUST,
    LOOK,
    MARKET,
    MOVING,
    ORDER,
    OVER,
    PICK,
    REAP,
    STAKE,
    STAKE_ON,
    STAKES,
    TARGET,
    TAXES,
    WINDOW,
)

# --- The course of the game (guide 3) -----------------------------------------


@rule
def proceed(box, state, events):
    """3.2: icons under way first, then the season goes on, until somebody has a decision to make or the war is over."""
    while state.phase == MOVING:
        if state.actor != NOBODY:
            resolve_icons(box, state, events)
        elif state.stage == INFLUENCING:
            proceed_bidding(box, state, events)
        elif state.stage == TAXES:
            levy(box, state, events)
            start_bidding(box, state, events)
        elif state.stage == STAKES:
            proceed_stakes(box, state, events)
        elif state.stage == DRAFTING:
            proceed_draft(box, state, events)
        elif state.stage == CLAIMING:
            proceed_claims(box, state, events)
        elif state.stage == INTERLUDE:
            proceed_interlude(box, state, events)
        elif state.stage == HAND_LIMIT:
            proceed_limit(box, state, events)
        else:
            proceed_end(box, state, events)


@rule
def start(box, state, events):
    """From the set-up table to the first decision."""
    go_on(state)
    start_season(box, state, events)
    proceed(box, state, events)


# --- What is legal -----------------------------------------------------------


@rule
def allow_bid(box, state, seat, out):
    """5.2, 5.3: pass, or a set by its season and its number of doubles."""
    allow(out, A_PASS)
    for season in range(SEASONS):
        need = icons_needed(state, season)
        ones = n_of_shape(box, state, seat, season, 1)
        twos = n_of_shape(box, state, seat, season, 2)
        for doubles in range(min(twos, (need + 1) // 2) + 1):
            if makes_set(box, need, doubles, ones, twos):
                allow(out, A_PLAY + season * DOUBLES + doubles)


@rule
def allow_looks(box, state, seat, out):
    """8.8: interlude decks, Despair of everybody, Writs of the others."""
    for event in range(SEASONS):
        if can_look_event(box, state, event):
            allow(out, A_LOOK_EVENT + event)
    seen = state.seats[seat].seen_despair
    seen_writs = state.seats[seat].seen_writs
    for other in range(state.n_seats):
        allow_unseen(out, A_LOOK_DESPAIR, state.seats[other].despair, seen)
        if other != seat:
            allow_unseen(out, A_LOOK_WRIT, state.seats[other].writs, seen_writs)
    allow(out, A_DONE)


@rule
def allow_unseen(out, first_id, tokens, seen):
    """8.8: a look at each of these tokens that has not been seen."""
    token = first_from(tokens, 0)
    while token >= 0:
        if not has(seen, token):
            allow(out, first_id + token)
        token = first_from(tokens, token + 1)


@rule
def allow_reveals(box, state, seat, out):
    """8.7: with any decision, except halfway through a set, each kind of Writ that the seat has."""
    writs = state.seats[seat].writs
    token = first_from(writs, 0)
    while token >= 0:
        allow(out, A_REVEAL + int(state.writ_face[token]))
        token = first_from(writs, token + 1)


@rule
def allow_discards(box, state, seat, out):
    """9.8: each kind of card in hand."""
    hand = state.seats[seat].hand
    card = first_from(hand, 0)
    while card >= 0:
        allow(out, A_DISCARD + int(box.card[card].kind))
        card = first_from(hand, card + 1)


@rule
def legal(box, state, out):
    """Mark every action id that the seat to act may take. `out` is all zeros when called."""
    phase = state.phase
    seat = int(state.to_act)
    if phase == BID:
        allow_bid(box, state, seat, out)
    elif phase == PICK:
        for kind in range(state.kind, box.first_kind[state.suit + 1]):
            if can_pick(box, state, seat, kind):
                allow(out, A_PICK + kind)
        return
    elif phase == STAKE:
        for kind in range(box.first_kind[state.season], box.first_kind[state.season + 1]):
            if can_stake(box, state, kind):
                allow(out, A_STAKE + kind)
    elif phase == STAKE_ON:
        for slot in range(state.n_seats):
            if can_tie(state, slot):
                allow(out, A_ON + int(state.offer[slot]))
    elif phase == DRAFT:
        for slot in range(state.n_seats):
            if state.taker[slot] == NOBODY:
                allow(out, A_DRAFT + int(state.offer[slot]))
    elif phase == ORDER:
        entangled = entangled_icons(box, state, seat)
        for icon in range(GREEN):
            if entangled >> icon & 1:
                allow(out, A_RESOLVE + icon)
    elif phase == TARGET:
        for other in range(state.n_seats):
            if can_target(box, state, seat, other):
                allow(out, A_TARGET + other)
    elif phase == LOCUST:
        for track in range(TRACKS):
            allow(out, A_BLIGHT + track)
    elif phase == LOOK:
        allow_looks(box, state, seat, out)
    elif phase == MARKET:
        for row in range(ROWS):
            if can_buy(box, state, seat, row):
                allow(out, A_BUY + row)
        allow(out, A_DONE)
    elif phase == REAP:
        for offer in range(OFFERS):
            if can_exchange(box, state, seat, offer):
                allow(out, A_EXCHANGE + offer)
        allow(out, A_DONE)
    elif phase == LIMIT:
        allow_discards(box, state, seat, out)
    elif phase in (WINDOW, LAST_CHANCE):
        allow(out, A_KEEP)
    else:
        return
    allow_reveals(box, state, seat, out)


# --- What it does ------------------------------------------------------------


@rule
def do_reveal(box, state, events, seat, kind):
    """8.7: the Writ is applied; a decision that it may have changed is put anew."""
    reveal_writ(box, state, events, seat, kind)
    if state.phase == WINDOW and state.stage == INTERLUDE:
        end_window_turn(state, True)
    elif state.phase in (WINDOW, LAST_CHANCE, ORDER, MARKET, REAP):
        go_on(state)


@rule
def do_keep(state, seat):
    """8.7: no Writ now."""
    if state.phase == LAST_CHANCE:
        do_keep_at_loss(state, seat)
    elif state.stage == CLAIMING:
        state.step = OPEN
        go_on(state)
    else:
        end_window_turn(state, False)


@rule
def do_done(box, state, events, seat):
    """No more looks, purchases or exchanges."""
    if state.phase == LOOK:
        end_scouting(state)
        return
    if state.phase == REAP:
        tell_surplus(box, state, events, seat)
    next_in_turn(state)
    go_on(state)


@rule
def apply_icon(box, state, events, seat, action):
    """7, 8: drafting, and everything that icons ask."""
    if action < A_RESOLVE:
        do_draft(state, events, seat, slot_of(state, action - A_DRAFT))
    elif action < A_TARGET:
        do_resolve(box, state, events, seat, action - A_RESOLVE)
    elif action < A_BLIGHT:
        do_target(box, state, events, seat, action - A_TARGET)
    elif action < A_LOOK_EVENT:
        do_blight(box, state, events, seat, action - A_BLIGHT)
    elif action < A_LOOK_DESPAIR:
        do_look_event(box, state, events, seat, action - A_LOOK_EVENT)
    elif action < A_LOOK_WRIT:
        do_look_despair(box, state, events, seat, action - A_LOOK_DESPAIR)
    elif action < A_REVEAL:
        do_look_writ(box, state, events, seat, action - A_LOOK_WRIT)
    elif action < A_KEEP:
        do_reveal(box, state, events, seat, action - A_REVEAL)
    else:
        do_keep(state, seat)


@rule
def apply(box, state, events, action):
    """Take a legal action for the seat to act, and go on to the next decision or the end."""
    seat = int(state.to_act)
    if action == A_PASS:
        do_pass(box, state, events, seat)
    elif action < A_PICK:
        do_play(box, state, events, seat, (action - A_PLAY) // DOUBLES, (action - A_PLAY) % DOUBLES)
    elif action < A_STAKE:
        do_pick(box, state, events, seat, action - A_PICK)
    elif action < A_ON:
        do_stake(box, state, events, action - A_STAKE)
    elif action < A_DRAFT:
        tie(box, state, events, slot_of(state, action - A_ON))
    elif action < A_BUY:
        apply_icon(box, state, events, seat, action)
    elif action < A_EXCHANGE:
        do_buy(box, state, events, seat, action - A_BUY)
    elif action < A_DISCARD:
        do_exchange(box, state, events, seat, action - A_EXCHANGE)
    elif action < A_DONE:
        do_discard(box, state, events, seat, action - A_DISCARD)
    else:
        do_done(box, state, events, seat)
    proceed(box, state, events)


@rule
def is_midway(box, state):
    """Has the seat to act begun something that it must carry through?"""
    return state.phase == PICK or (state.phase == STAKE_ON and state.stage == STAKES)


@rule
def is_over(state):
    """10.6: has the war ended?"""
    return state.phase == OVER
