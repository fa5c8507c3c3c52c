"""Market: the state and the rules, in the order of the guide."""

from __future__ import annotations

import numpy as np

from sutler.core.bits import add, assign, count, first_from, has, nth, remove
from sutler.core.chance import below
from sutler.core.events import Event, EventTable, tell
from sutler.core.record import HEADER, field, record, set_of
from sutler.core.rule import rule
from sutler.core.tables import FaultTable, Refusal, RefusalTable
from sutler.games.market.box import KINDS, SEATS, WARES, P

STATE = record(
    "State",
    *HEADER,
    ("round_no", "i1"),
    field("coins", "i2", SEATS, by="seat"),
    field("customer", "i1", SEATS, of="kind", by="seat", seen_by="customer"),
    set_of("ware", "owned", WARES, SEATS, by="seat"),
    set_of("ware", "stall", WARES),
    set_of("ware", "cart", WARES),
)

EVENTS = EventTable(
    round=Event("2.5", "Round {n}", heading=True),
    worked=Event("2.2", "{seat} takes {n} coins"),
    bought=Event("2.3", "{seat} buys {ware} for {n} coins"),
    laid_out=Event("1.3", "{ware} comes to the stall"),
    ended=Event("3.1", "The market closes", heading=True, ending=True),
)
REFUSALS = RefusalTable(
    not_on_the_stall=Refusal("That ware is not on the stall.", "2.3"),
    too_dear=Refusal("You have too few coins for it.", "2.3"),
)
FAULTS = FaultTable(
    lost_ware="a ware is in two places, or in none",
    debt="a seat has less than nothing",
    shared_customer="two seats share a customer",
)
E, R, F = EVENTS.numbers, REFUSALS.numbers, FAULTS.numbers

# --- Setting up (guide 1) ----------------------------------------------------


@rule
def setup(box, state):
    """1.1: everybody five coins and a customer of their own; the wares wait in the cart (1.3)."""
    state.phase = P.choose
    assign(state.cart, box.wares)
    state.round_no = 1
    taken = np.uint64(0)
    for seat in range(state.n_seats):
        kind = below(state, KINDS)
        while taken >> np.uint64(kind) & np.uint64(1) != np.uint64(0):
            kind = below(state, KINDS)
        taken |= np.uint64(1) << np.uint64(kind)
        state.customer[seat] = kind
        state.coins[seat] = box.rules.purse


@rule
def recount(box, state):
    """Nothing is kept only for speed."""
    return


@rule
def lay_out(box, state, events):
    """1.3, 2.4: fill the stall from the cart."""
    while count(state.stall) < box.rules.stall and count(state.cart) > 0:
        ware = nth(state.cart, below(state, count(state.cart)))
        remove(state.cart, ware)
        add(state.stall, ware)
        tell(events, E.laid_out, ware)


@rule
def start(box, state, events):
    """To the first decision."""
    tell(events, E.round, 1)
    lay_out(box, state, events)


@rule
def check(box, state):
    """0, or the number of the fault in FAULTS."""
    for ware in range(WARES):
        places = 0
        if has(state.stall, ware):
            places += 1
        if has(state.cart, ware):
            places += 1
        for seat in range(state.n_seats):
            if has(state.owned[seat], ware):
                places += 1
        if (places == 1) != has(box.wares, ware):
            return F.lost_ware
    for seat in range(state.n_seats):
        if state.coins[seat] < 0:
            return F.debt
        for other in range(seat):
            if state.customer[seat] == state.customer[other]:
                return F.shared_customer
    return 0


# --- A turn (guide 2) --------------------------------------------------------


@rule
def do_work(box, state, events, seat):
    """2.2: coins from the bank."""
    state.coins[seat] += box.rules.wage
    tell(events, E.worked, seat, box.rules.wage)


@rule
def why_not_buy(box, state, seat, ware):
    """2.3: it lies on the stall, and you have its price."""
    if not has(state.stall, ware):
        return R.not_on_the_stall
    if state.coins[seat] < box.ware[ware].cost:
        return R.too_dear
    return R.fine


@rule
def do_buy(box, state, events, seat, ware):
    """2.3, 2.4: pay, take it, and the next one comes."""
    state.coins[seat] -= box.ware[ware].cost
    remove(state.stall, ware)
    add(state.owned[seat], ware)
    tell(events, E.bought, seat, ware, box.ware[ware].cost)
    lay_out(box, state, events)


@rule
def proceed(box, state, events):
    """2.5: then it is the next seat's turn, and after the last one's a new round's."""
    if state.to_act + 1 < state.n_seats:
        state.to_act += 1
    elif state.round_no == box.options.rounds:
        state.phase = P.over
        tell(events, E.ended)
    else:
        state.to_act = 0
        state.round_no += 1
        tell(events, E.round, state.round_no)


# --- The end (guide 3) -------------------------------------------------------


@rule
def points(box, state, seat):
    """3.2, 3.3: what the wares are worth, to this seat's customer."""
    total = 0
    ware = first_from(state.owned[seat], 0)
    while ware >= 0:
        total += box.ware[ware].worth
        if box.ware[ware].kind == state.customer[seat]:
            total += box.ware[ware].worth
        ware = first_from(state.owned[seat], ware + 1)
    return total


@rule
def score(box, state, out):
    """3.2: points per seat."""
    for seat in range(state.n_seats):
        out[seat] = points(box, state, seat)


@rule
def is_ahead(box, state, a, b):
    """3.4: more points; else more coins. Seats that nothing parts share a place."""
    if points(box, state, a) != points(box, state, b):
        return points(box, state, a) > points(box, state, b)
    return state.coins[a] > state.coins[b]


@rule
def evaluate(box, state, seat):
    """Points ahead of the best other seat; a coin is worth a little while there is time to spend it."""
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, 1.0 * points(box, state, other))
    return points(box, state, seat) + 0.4 * state.coins[seat] - 0.5 * best
