"""What is killed and destroyed (guide 7.7, 7.9, 7.10), and who mourns (13.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    DISCIPLE,
    FARMER,
    FARMLAND,
    GOODS,
    MARTYRDOM,
    MONK,
    RESOURCE_DECK,
    SEATS,
    TEMPLE,
    TOKENS,
)
from sutler.games.warfarm.phases_actions_events import E
from sutler.games.warfarm.rules.cards import draw_card, take_off_table, take_up_trap
from sutler.games.warfarm.rules.common import note_loss, stir
from sutler.games.warfarm.rules.goods import gain_all, own_spot_of, pay_token, remove_unit
from sutler.games.warfarm.rules.springing_traps import call_trap
from sutler.games.warfarm.state import nth_seat_after

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.warfarm.records import Box, State

# --- Deaths (guide 13.3, 13.4) --------------------------------------------------


@rule
def mourn(box: Box, state: State, events: Events) -> None:
    """13.4: a Disciple has died; every Temple on the table brings its owner something."""
    for k in range(SEATS):
        seat = nth_seat_after(state.active, k)
        for slot in range(state.seats[seat].n_table):
            card = int(state.seats[seat].table[slot])
            if box.card[card].does == TEMPLE:
                gain_all(box, state, events, seat, card, 1)


@rule
def kill(box: Box, state: State, events: Events, seat: int, spot: int, by: int) -> int:
    """7.9: a unit is removed by another seat's attack or card (or by the owner's own Burnt Offering)."""
    unit = remove_unit(box, state, seat, spot)
    note_loss(box, state, seat, 1, by)
    if unit == DISCIPLE:
        if by != seat:
            call_trap(box, state, events, seat, MARTYRDOM)
        mourn(box, state, events)
    return unit


@rule
def sacrifice(box: Box, state: State, events: Events, seat: int, unit: int, n: int) -> None:
    """4.1: a price in units; a Disciple given up dies (13.4)."""
    for _ in range(n):
        spot = own_spot_of(box, state, seat, unit)
        remove_unit(box, state, seat, spot)
        tell(events, E.sacrificed, seat, spot)
    if unit == DISCIPLE:
        for _ in range(n):
            mourn(box, state, events)


@rule
def pay_price(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """4.1: tokens and units that a card costs."""
    for token in range(TOKENS):
        pay_token(state, events, seat, token, int(box.card[card].pay[token]))
    for unit in range(FARMER, GOODS):
        sacrifice(box, state, events, seat, unit, int(box.card[card].pay[unit]))


# --- Destroying (guide 7.7, 7.10) ----------------------------------------------


@rule
def share_spoils(box: Box, state: State, events: Events, by: int, victim: int) -> None:
    """7.10: attacker and victim draw Resource cards; a seat without Farmland draws nothing more."""
    for _ in range(box.rules.spoils):
        draw_card(box, state, events, by, RESOURCE_DECK)
        if state.seats[victim].goods[FARMLAND] > 0:
            draw_card(box, state, events, victim, RESOURCE_DECK)


@rule
def destroy_land(box: Box, state: State, events: Events, by: int, victim: int) -> None:
    """7.7: one Farmland is gone."""
    state.seats[victim].goods[FARMLAND] -= 1
    note_loss(box, state, victim, 1, by)
    tell(events, E.destroyed, by, 1, FARMLAND, victim)
    stir(state)
    share_spoils(box, state, events, by, victim)


@rule
def destroy_card(box: Box, state: State, events: Events, by: int, victim: int, slot: int) -> None:
    """7.7: one Table card is gone."""
    card = take_off_table(box, state, victim, slot)
    state.discards[card] += 1
    tell(events, E.destroyed_card, by, card, slot, victim)
    stir(state)
    share_spoils(box, state, events, by, victim)
    call_trap(box, state, events, victim, MONK)


@rule
def destroy_trap(box: Box, state: State, events: Events, by: int, victim: int, hole: int) -> None:
    """10.4: one Trap is gone without effect."""
    card = take_up_trap(box, state, victim, hole)
    state.discards[card] += 1
    tell(events, E.destroyed_trap, by, card, hole, victim)
    stir(state)
    share_spoils(box, state, events, by, victim)
