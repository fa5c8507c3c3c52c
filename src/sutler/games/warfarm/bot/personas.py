"""Personas of WARFARM (`bots.persona`): bots with one simple plan each, one for every way to win and for what prevents the others' wins.

The farmer wants Farmland and Farmers and fights nobody; the soldier builds Soldiers and takes Farmland with them; the gunner saves for
Cannons; the monk makes Disciples and sends them where the fewest Soldiers are; the hermit keeps Disciples at home; the forager sends
Explorers to the dearest deck; the warden posts every Soldier as a guard; the peacemaker fights nobody and makes peace; the scholar plays
every card; the settler gathers Farmers for the dearest deck of Farm cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, has, is_empty, want_range
from sutler.core.rule import rule as plan
from sutler.games.warfarm.box import (
    CARDS,
    DECKS,
    DISCIPLE,
    EXPLORER,
    FARMER,
    FARMLAND,
    HOLES,
    N_SPOTS,
    N_THINGS,
    RELIGION,
    SEATS,
    SLOTS,
    SOLDIER,
    STEEL,
    THINGS,
)
from sutler.games.warfarm.phases_actions_events import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Bits
    from sutler.games.warfarm.records import Box, State

PLANS = ("farmer", "soldier", "gunner", "monk", "hermit", "forager", "warden", "peacemaker", "scholar", "settler")
FARM, ARMS, GUNS, MONK, HERMIT, FORAGE, WARD, PEACE, STUDY, SETTLE = range(len(PLANS))
ENOUGH_RELIGION = 3  # the loose Religion that is enough for a monk, who then takes any thing
N_FARMERS_KEPT = 1  # Farmers that are not built into other units
LAST_FARM_DECK = 3  # the dearest deck of Farm cards


@plan
def favourite_good(box: Box, state: State, persona: int, seat: int) -> int:
    """The good that the persona takes where it may choose; -1 where it takes any."""
    goods = state.seats[seat].goods
    if persona == FARM or persona == PEACE:
        if goods[FARMLAND] < goods[FARMER] or goods[FARMLAND] < box.rules.farm_win[FARMLAND]:
            return FARMLAND
        return FARMER
    if persona == SETTLE:
        if goods[FARMER] <= box.deck[LAST_FARM_DECK].needs[FARMER]:
            return FARMER
        return FARMLAND
    if persona == ARMS or persona == GUNS or persona == WARD:
        return STEEL
    if persona == HERMIT or (persona == MONK and goods[RELIGION] < ENOUGH_RELIGION):
        return RELIGION
    return -1


@plan
def want_favourite_thing(box: Box, state: State, persona: int, first_action: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the choice of the persona's favourite good, or of a Farmer if that is not offered (2.3, 4.2).

    `first_action` is the first action of the block.
    """
    thing = favourite_good(box, state, persona, int(state.to_act))
    for k in range(N_THINGS):
        if THINGS[k] == thing:
            want_range(first_action + k, 1, legal, out)
    if thing >= 0 and is_empty(out):
        for k in range(N_THINGS):
            if THINGS[k] == FARMER:
                want_range(first_action + k, 1, legal, out)


@plan
def want_explorers(box: Box, state: State, legal: Bits, out: Bits) -> None:
    """Add to `out` the building of Explorers that a settler wants (5.1).

    It builds as many as leave it the Farmers that open the dearest Farm deck (8.2).
    """
    goods = state.seats[state.to_act].goods
    needed = box.deck[LAST_FARM_DECK].needs[FARMER]
    if goods[FARMER] > needed or goods[FARMER] + goods[EXPLORER] <= needed:
        want_range(A.build, 1, legal, out)
    else:
        want_range(A.end_build, 1, legal, out)


@plan
def want_build(box: Box, state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the building of the persona's own units, as many as it can (5.1)."""
    has_farmers = state.seats[state.to_act].goods[FARMER] > N_FARMERS_KEPT
    if persona == SETTLE:
        want_explorers(box, state, legal, out)
    if persona == GUNS:
        want_range(A.build + 3, 1, legal, out)  # a Cannon
    if (persona == ARMS or persona == WARD) and has_farmers:
        want_range(A.build + SOLDIER - EXPLORER, 1, legal, out)
    elif (persona == MONK or persona == HERMIT) and has_farmers:
        want_range(A.build + DISCIPLE - EXPLORER, 1, legal, out)
    elif persona == FORAGE and has_farmers:
        want_range(A.build, 1, legal, out)
    elif persona == FARM or persona == PEACE:
        want_range(A.build, 1, legal, out)
        want_range(A.end_build, 1, legal, out)


@plan
def least_defended_host(state: State, seat: int, legal: Bits) -> int:
    """The seat with the fewest Soldiers, then the most Farmland, that a Disciple may be sent to (7.5); -1 if there is none."""
    best = -1
    least = 0
    for other in range(SEATS):
        if has(legal, A.send + other):
            goods = state.seats[other].goods
            strength = 1000 * int(goods[SOLDIER]) - int(goods[FARMLAND])
            if best < 0 or strength < least:
                best = other
                least = strength
    return best


@plan
def want_attack(state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the attacks that the persona makes, or the end of attacking (7.1)."""
    if persona == MONK:
        host = least_defended_host(state, int(state.to_act), legal)
        if host >= 0:
            add(out, A.send + host)
    elif persona == ARMS or persona == GUNS:
        want_range(A.ready, 3, legal, out)
    elif persona == FARM or persona == HERMIT or persona == WARD or persona == PEACE:
        want_range(A.end_attack, 1, legal, out)


@plan
def want_raid(box: Box, state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` what a monk's Disciple takes on a raid (3.2): a Farmer or a Farmland, whichever the monk has fewer of."""
    goods = state.seats[state.to_act].goods
    if goods[FARMER] < goods[FARMLAND]:
        want_range(A.unit, SEATS * N_SPOTS, legal, out)
    if is_empty(out):
        want_range(A.raid, 1, legal, out)


@plan
def last_explorable_deck(persona: int, legal: Bits) -> int:
    """The last deck that may be explored now (8.1), for a settler the last Farm deck; -1 if there is none."""
    found = -1
    last = DECKS
    if persona == SETTLE:
        last = LAST_FARM_DECK + 1
    for deck in range(last):
        if has(legal, A.explore + deck):
            found = deck
    return found


@plan
def want_play(persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the cards to play (4.1): all for a scholar, peace for a peacemaker."""
    if persona == STUDY:
        want_range(A.play, CARDS, legal, out)
    if persona == PEACE:
        want_range(A.bind, SEATS, legal, out)


@plan
def want_guards(persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` a warden's guards (6.2), on the land, on cards and on Traps."""
    if persona == WARD:
        want_range(A.guard_land, 1, legal, out)
        want_range(A.guard_card, SLOTS, legal, out)
        want_range(A.guard_trap, HOLES, legal, out)


@plan
def wants(box: Box, state: State, persona: int, legal: Bits, out: Bits) -> None:
    """Add to `out` the legal actions that the persona with index `persona` of PLANS would take."""
    if state.phase == P.begin:
        want_favourite_thing(box, state, persona, A.begin, legal, out)
    elif state.phase == P.choose_thing:
        want_favourite_thing(box, state, persona, A.take, legal, out)
    elif state.phase == P.play or state.phase == P.make_peace:
        want_play(persona, legal, out)
    elif state.phase == P.build:
        want_build(box, state, persona, legal, out)
    elif state.phase == P.post:
        want_guards(persona, legal, out)
    elif state.phase == P.attack:
        want_attack(state, persona, legal, out)
    elif state.phase == P.target and persona == ARMS:
        want_range(A.hit_land, SEATS, legal, out)
    elif state.phase == P.raid and persona == MONK:
        want_raid(box, state, persona, legal, out)
    elif state.phase == P.explore and (persona == FORAGE or persona == STUDY or persona == SETTLE):
        deck = last_explorable_deck(persona, legal)
        if deck >= 0:
            add(out, A.explore + deck)
