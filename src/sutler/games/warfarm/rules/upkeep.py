"""The start of a turn and what comes in (guide 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import (
    AWAY,
    CARD_FARMER,
    CARD_WORKER,
    CATHEDRAL,
    DECKS,
    DISCIPLE,
    EXPLORER,
    FARMER,
    FARMLAND,
    FIELD,
    FIRE,
    GUARD_FARMERS,
    HARVEST,
    HOLES,
    HOME,
    LAND_FARMER,
    MOST_GOODS,
    N_SPOTS,
    PRODUCE,
    RELIGION,
    RESERVE,
    RESOURCE_DECK,
    RETURNING,
    SEATS,
    SLOTS,
    SOLDIER,
    TITHE,
    TRAP_SOLDIER,
    VISITING,
    WATER,
    WORKERS,
)
from sutler.games.warfarm.phases_actions_events import A, E, P, R
from sutler.games.warfarm.rules.cards import draw_card, is_like_earlier
from sutler.games.warfarm.rules.common import end_job, enter, note_loss, stir
from sutler.games.warfarm.rules.goods import add_units, gain, gain_all, receive, remove_unit
from sutler.games.warfarm.state import BUILDING, PLAYING, START, YIELD, n_cards, n_units, nth_seat_after

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.warfarm.records import Box, State

# --- A turn begins (guide 1.8, 3.1) --------------------------------------------


@rule
def begin_turn(box: Box, state: State, events: Events, seat: int) -> None:
    """1.8, 2.4: a seat's turn; the very first one begins with building."""
    tell(events, E.turn, seat)
    state.active = seat
    forget_turn(state)
    forget_losses(box, state, seat)
    if box.options.peace_for_good == 0:
        state.seats[seat].peace = 0
    if state.round_no == 1:
        enter(state, BUILDING)
    else:
        enter(state, START)
        if box.options.relief_farmer == 1:
            relieve(state, events, seat)
    go_on(state)


@rule
def forget_turn(state: State) -> None:
    """1.8: what was counted for the last turn is counted anew."""
    end_job(state)
    state.doubles = 0
    state.has_package = 0
    state.is_surprise = 0
    state.torch = 0
    state.n_built = 0
    state.weapon = 0
    state.weapon_spot = NOBODY
    state.n_hired = 0
    state.n_manned = 0
    state.n_shots = 0
    state.n_operators = 0
    state.acted_reserve = 0
    state.acted_land = 0
    state.trap_k = 0
    state.turn_k = 0
    state.n_drawn = 0
    for seat in range(SEATS):
        state.blows[seat] = 0
    for slot in range(SLOTS):
        state.acted_card[slot] = 0
    for hole in range(HOLES):
        state.acted_trap[hole] = 0


@rule
def forget_losses(box: Box, state: State, seat: int) -> None:
    """12.10: with a seat's turn its round begins; by option 15.10 every turn is counted for itself."""
    for other in range(SEATS):
        if other == seat or box.options.karma_turn == 1:
            state.lost[other] = 0
            state.robber[other] = NOBODY


@rule
def relieve(state: State, events: Events, seat: int) -> None:
    """15.3: a farm without units and cards receives a Farmer, unless Life or Death binds it."""
    if state.seats[seat].is_bound == 0 and n_units(state, seat) == 0 and n_cards(state, seat) == 0:
        add_units(state, seat, FARMER, 1)
        tell(events, E.relief, seat)


@rule
def burn(box: Box, state: State, events: Events, seat: int) -> None:
    """3.1: a farm with Fire loses one Farmland, however many Fires there are (15.4: one each)."""
    me = state.seats[seat]
    if me.goods[FIRE] > 0:
        n = int(box.rules.burnt)
        if box.options.fire_stacks == 1:
            n *= int(me.goods[FIRE])
        n = min(n, int(me.goods[FARMLAND]))
        me.goods[FARMLAND] -= n
        note_loss(box, state, seat, n, NOBODY)
        stir(state)
        tell(events, E.burnt, n, seat)


# --- Raids (guide 3.2) ------------------------------------------------------------


@rule
def next_raid(state: State, seat: int) -> int:
    """3.2: the next seat, in turn order, that one of the own Disciples visits; NOBODY when all are home."""
    for k in range(1, SEATS):
        host = nth_seat_after(seat, k)
        if state.seats[seat].spots[VISITING + host] > 0:
            return host
    return NOBODY


@rule
def can_raid_farmers(state: State, host: int) -> bool:
    """3.2: the last Farmer is never taken."""
    return state.seats[host].goods[FARMER] >= 2


@rule
def is_farmer_spot(box: Box, state: State, host: int, spot: int) -> bool:
    """3.2: does a Farmer stand there who could be taken, at work and on guard too?"""
    me = state.seats[host]
    if spot == FIELD or spot == LAND_FARMER:
        return me.spots[spot] > 0
    if CARD_FARMER <= spot < CARD_WORKER:
        return me.posts[GUARD_FARMERS, spot - CARD_FARMER] > 0
    if CARD_WORKER <= spot < TRAP_SOLDIER:
        slot = spot - CARD_WORKER
        return me.posts[WORKERS, slot] > 0 and box.card[me.table[slot]].worker == FARMER
    return False


@rule
def come_home(state: State, seat: int, host: int) -> None:
    """3.2: the Disciple is home for the rest of the turn."""
    state.seats[seat].spots[VISITING + host] -= 1
    state.seats[seat].spots[HOME] += 1
    end_job(state)
    stir(state)
    go_on(state)


@rule
def do_raid(box: Box, state: State, events: Events, seat: int) -> None:
    """3.2: take one Farmland."""
    host = int(state.victim)
    state.seats[host].goods[FARMLAND] -= 1
    state.seats[seat].goods[FARMLAND] += 1
    note_loss(box, state, host, 1, seat)
    tell(events, E.raided, seat, 1, FARMLAND, host)
    come_home(state, seat, host)


@rule
def why_not_raid_farmer(box: Box, state: State, owner: int, spot: int) -> int:
    """3.2: of the seat that is raided, any Farmer, unless it is the last."""
    if owner != state.victim or not is_farmer_spot(box, state, owner, spot):
        return R.not_this_unit
    if not can_raid_farmers(state, owner):
        return R.last_farmer
    return R.fine


@rule
def allow_raids(box: Box, state: State, host: int, out: Legal) -> None:
    """3.2: the Farmers that a visiting Disciple may take."""
    if can_raid_farmers(state, host):
        first = A.unit + host * N_SPOTS
        for spot in (0, LAND_FARMER):
            if is_farmer_spot(box, state, host, spot):
                allow(out, first + spot)
        for slot in range(state.seats[host].n_table):
            if is_like_earlier(state, host, slot):
                continue
            if is_farmer_spot(box, state, host, CARD_FARMER + slot):
                allow(out, first + CARD_FARMER + slot)
            if is_farmer_spot(box, state, host, CARD_WORKER + slot):
                allow(out, first + CARD_WORKER + slot)


@rule
def do_raid_farmer(box: Box, state: State, events: Events, seat: int, spot: int) -> None:
    """3.2: take one Farmer, who comes to the own field."""
    host = int(state.victim)
    remove_unit(box, state, host, spot)
    add_units(state, seat, FARMER, 1)
    note_loss(box, state, host, 1, seat)
    tell(events, E.led_away, seat, host, spot)
    come_home(state, seat, host)


# --- Soldiers and Explorers return (guide 3.3, 3.4) ----------------------------------


@rule
def call_soldiers_home(state: State, events: Events, seat: int) -> None:
    """3.3: Soldiers in the return area come home."""
    me = state.seats[seat]
    if me.spots[RETURNING] > 0:
        tell(events, E.returned, seat, me.spots[RETURNING], SOLDIER)
        me.spots[RESERVE] += me.spots[RETURNING]
        me.spots[RETURNING] = 0


@rule
def proceed_start(box: Box, state: State, events: Events, seat: int) -> None:
    """3.1 to 3.3: Fire, then raids, then Soldiers."""
    if state.part == 0:
        burn(box, state, events, seat)
        state.part = 1
        return
    host = next_raid(state, seat)
    if host != NOBODY:
        state.victim = host
        ask(state, P.raid, seat)
    else:
        call_soldiers_home(state, events, seat)
        enter(state, YIELD)


@rule
def bring_explorers_home(box: Box, state: State, events: Events, seat: int) -> None:
    """3.4: each Explorer draws from its deck; its Water is gone and it is a Farmer again."""
    me = state.seats[seat]
    for deck in range(DECKS):
        n = int(me.spots[AWAY + deck])
        if n > 0:
            me.spots[AWAY + deck] = 0
            me.goods[EXPLORER] -= n
            add_units(state, seat, FARMER, n)
            tell(events, E.came_back, deck, seat, n, EXPLORER)
            if deck == RESOURCE_DECK:
                state.has_package = 1
            for _ in range(n):
                draw_card(box, state, events, seat, deck)


# --- What comes in (guide 3.5 to 3.7) -------------------------------------------------


@rule
def n_working(box: Box, state: State, seat: int, unit: int) -> int:
    """6.3: units of a kind at work on cards, who bring something themselves (but see 15.12)."""
    me = state.seats[seat]
    n = 0
    if box.options.workers_idle == 0:
        for slot in range(me.n_table):
            if box.card[me.table[slot]].worker == unit:
                n += me.posts[WORKERS, slot]
    return n


@rule
def collect(box: Box, state: State, events: Events, seat: int) -> None:
    """3.5, 3.6: Water from the Farmers that farmed, Religion from the Disciples that stayed; workers have done both."""
    me = state.seats[seat]
    water = me.farming + me.spots[LAND_FARMER] + n_working(box, state, seat, FARMER)
    water = min(int(water), MOST_GOODS - int(me.goods[WATER]))
    if water > 0:
        me.goods[WATER] += water
        tell(events, E.farmed, seat, water, WATER)
    me.farming = 0
    religion = (me.praying + n_working(box, state, seat, DISCIPLE)) * (1 + me.works[CATHEDRAL])
    religion = min(int(religion), MOST_GOODS - int(me.goods[RELIGION]))
    if religion > 0:
        me.goods[RELIGION] += religion
        tell(events, E.prayed, seat, religion, RELIGION)
    me.praying = 0


@rule
def is_manned(box: Box, state: State, seat: int, slot: int) -> bool:
    """6.3: do enough workers stand on a card?"""
    me = state.seats[seat]
    return me.posts[WORKERS, slot] >= box.card[me.table[slot]].n_workers


@rule
def tithe(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """13.1: from each opponent in turn order a Water, or else a Farmland."""
    for k in range(1, SEATS):
        victim = nth_seat_after(seat, k)
        for _ in range(box.card[card].count):
            them = state.seats[victim]
            good = WATER
            if them.goods[WATER] == 0:
                good = FARMLAND
            if them.is_alive == 1 and them.goods[good] > 0:
                them.goods[good] -= 1
                receive(state, seat, good, 1)
                note_loss(box, state, victim, 1, seat)
                tell(events, E.tithed, seat, 1, good, victim)


@rule
def produce(box: Box, state: State, events: Events, seat: int) -> None:
    """3.7: the Table cards' gains, the Combine Harvester's after all others."""
    for slot in range(state.seats[seat].n_table):
        card = int(state.seats[seat].table[slot])
        if box.card[card].does == PRODUCE and box.card[card].optional == 0:
            tell(events, E.produced, card, seat)
            gain_all(box, state, events, seat, card, 1)
        elif box.card[card].does == TITHE and is_manned(box, state, seat, slot):
            tell(events, E.produced, card, seat)
            tithe(box, state, events, seat, card)


@rule
def harvest(box: Box, state: State, events: Events, seat: int) -> None:
    """11.4: Water equal to the Farmland of that moment, for each harvester with its workers."""
    for slot in range(state.seats[seat].n_table):
        card = int(state.seats[seat].table[slot])
        if box.card[card].does == HARVEST and is_manned(box, state, seat, slot):
            tell(events, E.produced, card, seat)
            gain(state, events, seat, WATER, int(state.seats[seat].goods[FARMLAND]))


@rule
def proceed_yield(box: Box, state: State, events: Events, seat: int) -> None:
    """3.4 to 3.7: cards, Water, Religion, gains; last the gains one may refuse."""
    if state.part == 0:
        bring_explorers_home(box, state, events, seat)
        collect(box, state, events, seat)
        produce(box, state, events, seat)
        state.part = 1
    elif state.part == 1:
        harvest(box, state, events, seat)
        state.part = 2
    elif state.torch < state.seats[seat].n_table:
        card = int(state.seats[seat].table[state.torch])
        if box.card[card].does == PRODUCE and box.card[card].optional == 1:
            state.card = card
            ask(state, P.torch, seat)
        else:
            state.torch += 1
    else:
        enter(state, PLAYING)


# --- Gains one may decline (guide 12.8) -------------------------------------------------


@rule
def do_light(box: Box, state: State, events: Events, seat: int) -> None:
    """12.8: take it."""
    tell(events, E.produced, state.card, seat)
    gain_all(box, state, events, seat, int(state.card), 1)
    do_leave(box, state, events, seat)


@rule
def do_leave(box: Box, state: State, events: Events, seat: int) -> None:
    """12.8: on to the next such card."""
    state.card = NOBODY
    state.torch += 1
    go_on(state)
