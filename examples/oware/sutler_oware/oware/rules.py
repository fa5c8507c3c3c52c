"""Oware: the state and the rules, in the order of the guide."""

from __future__ import annotations

from sutler.core.events import Event, EventTable, tell
from sutler.core.record import HEADER, field, record
from sutler.core.rule import rule
from sutler.core.tables import FaultTable, Refusal, RefusalTable
from sutler.games.oware.box import HOUSES, ROW, SEATS, P

STATE = record(
    "State",
    *HEADER,
    field("seeds", "i1", HOUSES, by="house"),
    field("taken", "i1", SEATS, by="seat"),
    ("quiet", "i2"),
    ("sowings", "i2"),
)

EVENTS = EventTable(
    round=Event("1.2", "Round {n}", heading=True),
    sown=Event("2.1", "{seat} sows {n} {n:#seed|seeds} from {house}"),
    captured=Event("3.1", "{seat} takes {n} from {house}"),
    spared=Event("3.4", "{seat} takes nothing: it would have been everything"),
    kept=Event("4.2", "{seat} keeps {n} {n:#seed|seeds} of the own side"),
    ended=Event("4.4", "The sowing is over", heading=True, ending=True),
)
REFUSALS = RefusalTable(
    not_yours=Refusal("That house is the other side's.", "2.1"),
    empty=Refusal("There is nothing in that house.", "2.3"),
    starves=Refusal("The other side is empty: sow so that a seed gets there.", "2.4"),
)
FAULTS = FaultTable(
    seeds="there are more or fewer seeds than belong to the game", debt="less than nothing lies somewhere"
)
E, R, F = EVENTS.numbers, REFUSALS.numbers, FAULTS.numbers

# --- The board (guide 1) -----------------------------------------------------


@rule
def setup(box, state):
    """1.1: as many seeds in every house."""
    state.phase = P.sow
    for house in range(HOUSES):
        state.seeds[house] = box.seeds


@rule
def recount(box, state):
    """Nothing is kept only for speed."""
    return


@rule
def start(box, state, events):
    """1.2: seat 1 begins."""
    tell(events, E.round, 1)


@rule
def check(box, state):
    """0, or the number of the fault in FAULTS."""
    total = 0
    for house in range(HOUSES):
        if state.seeds[house] < 0:
            return F.debt
        total += state.seeds[house]
    for seat in range(SEATS):
        if state.taken[seat] < 0:
            return F.debt
        total += state.taken[seat]
    return 0 if total == HOUSES * box.seeds else F.seeds


@rule
def redeal(box, state, seat, luck):
    """1.3: nothing is hidden."""
    return


@rule
def is_side(house, seat):
    """1.1: is it a house of this seat's row?"""
    return house // ROW == seat


@rule
def on_side(state, seat):
    """How many seeds lie on a seat's side."""
    total = 0
    for i in range(ROW):
        total += state.seeds[seat * ROW + i]
    return total


# --- Sowing (guide 2) --------------------------------------------------------


@rule
def why_not_sow(box, state, seat, house):
    """2.1, 2.3, 2.4: your own house, with seeds in it, and nobody is starved who could be fed."""
    if not is_side(house, seat):
        return R.not_yours
    if state.seeds[house] == 0:
        return R.empty
    if on_side(state, 1 - seat) == 0 and state.seeds[house] < (seat + 1) * ROW - house:
        return R.starves
    return R.fine


@rule
def do_sow(box, state, events, seat, house):
    """2.1, 2.2: one by one against the clock, past the house they came from; then what is captured."""
    hand, at = int(state.seeds[house]), house
    tell(events, E.sown, seat, hand, house)
    state.seeds[house] = 0
    while hand > 0:
        at = (at + 1) % HOUSES
        if at != house:
            state.seeds[at] += 1
            hand -= 1
    state.quiet += 1
    state.sowings += 1
    capture(box, state, events, seat, at)


# --- Capturing (guide 3) -----------------------------------------------------


@rule
def captured(state, seat, last):
    """3.1 to 3.3: how many houses are captured, counted back from the last one sown."""
    houses = 0
    while last - houses >= 0 and is_side(last - houses, 1 - seat) and 2 <= state.seeds[last - houses] <= 3:
        houses += 1
    return houses


@rule
def capture(box, state, events, seat, last):
    """3.1 to 3.4: take them, unless that would be everything."""
    houses, total = captured(state, seat, last), 0
    for i in range(houses):
        total += state.seeds[last - i]
    if total == 0:
        return
    if total == on_side(state, 1 - seat) and not box.options.grand_slams:
        tell(events, E.spared, seat)
        return
    for i in range(houses):
        tell(events, E.captured, seat, state.seeds[last - i], last - i)
        state.seeds[last - i] = 0
    state.taken[seat] += total
    state.quiet = 0


# --- The end (guide 4) -------------------------------------------------------


@rule
def can_sow(box, state, seat):
    """Is any sowing allowed?"""
    for i in range(ROW):
        if why_not_sow(box, state, seat, seat * ROW + i) == R.fine:
            return True
    return False


@rule
def share_out(box, state, events):
    """4.2: everybody takes the seeds of their own side."""
    for seat in range(SEATS):
        left = on_side(state, seat)
        if left > 0:
            tell(events, E.kept, seat, left)
        for i in range(ROW):
            state.seeds[seat * ROW + i] = 0
        state.taken[seat] += left


@rule
def proceed(box, state, events):
    """1.2, 4.1 to 4.3: the other seat's turn, or the end."""
    half = HOUSES * box.seeds // 2
    if state.taken[0] <= half and state.taken[1] <= half:
        state.to_act = 1 - state.to_act
        if state.quiet < box.options.quiet and can_sow(box, state, state.to_act):
            if state.to_act == 0:
                tell(events, E.round, state.sowings // SEATS + 1)
            return
        share_out(box, state, events)
    state.phase = P.over
    tell(events, E.ended)


@rule
def score(box, state, out):
    """4.4: seeds taken."""
    for seat in range(SEATS):
        out[seat] = state.taken[seat]


@rule
def is_ahead(box, state, a, b):
    """4.4: more seeds; equal seats share a place."""
    return state.taken[a] > state.taken[b]


@rule
def evaluate(box, state, seat):
    """Seeds ahead; what lies ready for the other to take counts half, and a choice of houses is worth a little."""
    value = 1.0 * state.taken[seat] - state.taken[1 - seat]
    for i in range(ROW):
        if state.seeds[seat * ROW + i] > 0:
            value += 0.1
        if 1 <= state.seeds[seat * ROW + i] <= 2:
            value -= 0.4
    return value
