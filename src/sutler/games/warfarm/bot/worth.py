"""The worth of tokens, units and cards to a seat (see `evaluate`): their price, and what they can be expected to bring.

A Farmland or a Farmer a turn is what Explorers fetch with luck and what a Disciple takes from a seat with nobody to stop it. Each
Soldier destroys as much, draws a card for it, and comes home: so nothing is worth as much as Soldiers. `time` is how much of the
game is still to come, from 1 to 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import bit
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    AWAY,
    CAMP,
    CANNON,
    CATHEDRAL,
    DECKS,
    DISCIPLE,
    EXPLORER,
    FACILITY,
    FARMER,
    FARMLAND,
    FIRE,
    GIVE,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HARVEST,
    LAND_FARMER,
    LAND_SOLDIER,
    LIFE,
    MARKET,
    MERCENARIES,
    MIRACLE,
    PRODUCE,
    RELIGION,
    RESERVE,
    RESOURCE,
    RESOURCE_DECK,
    RETURNING,
    SEATS,
    SOLDIER,
    STEEL,
    STUDY,
    TABLE,
    TEMPLE,
    TITHE,
    TRAP,
    TROOPS,
    VISITING,
    WATER,
    WORKERS,
)
from sutler.games.warfarm.state import n_cards, n_units

if TYPE_CHECKING:
    from sutler.games.warfarm.records import Box, State

# tokens
WATER_FEW = 0.314  # the first six of a token, then the rest
STEEL_FEW = 0.48
RELIGION_FEW = 0.54
TOKEN_MANY = 0.0688
SEED = 0.754  # Religion that can become a Disciple
BURNING_FARM = 0.788
FIRE_EACH = 2.58
FORCED_FIRE = -0.8  # a card that brings Fire each turn, asked or not (12.8)
# units
EXPLORER_HOME = 1.07
EXPLORER_AWAY = 0.193  # of the worth of the card it will bring
SOLDIER_EACH = 51.2  # up to as many as one needs
SOLDIER_MORE = 13.8  # beyond
ARMY = 6.24  # needed whatever the others have
MATCH = 1.02  # and for each attack of the strongest of them
PLUNDER = 9.79  # for each Soldier, as long as there is open Farmland to attack, up to so many
PLUNDERERS = 5.72
WARD = 0.281  # for each Soldier that can keep a Disciple of somebody's away
CANNON_EACH = 8.63
DISCIPLE_EACH = 2.15
RAIDS = 6.34  # what a Disciple will take while there is time
GUEST = 0.195  # more, once it is on its way
RAID = 55.7  # for a guest whom nobody can stop
RAID_LOSS = 13.5  # for one who will take something of one's own
# guards
GUARD = 0.205  # at the Farmland, as long as it is needed
GUARD_CARD = 0.185
# cards
DRAW_0 = 0.55  # a Resource card
DRAW_FEW = 0.0967  # any other card, and more by its level while there is time to use it
DRAW_I = 0.157
DRAW_II = 6.95
DRAW_III = 2.31
DRAW_MIRACLE = 1.82  # more for a deck with Miracles that can be paid
IN_HAND = 2.16  # of what it is worth on the table
PLAY_ON = 0.504  # of what a Resource card gives
LAND_AT_LIMITS = 0.492  # Farmland in the hand of a seat at its limits
TRAP_SET = 3.69
MIRACLE_HELD = 10.6
PER_WATER = 0.319  # each turn, for the turns a card is expected to serve
PER_STEEL = 0.344
PER_LAND = 1.09
TURNS = 2.82  # from an empty table to a won game
MANNED_TITHE = 1.11
MANNED_HARVEST = 0.408
MARKET_OPEN = 4.37
MERCENARY = 7.07
DRAWING = 4.75  # a card that draws
MOURNING = 5.04
CHOIR = 0.233  # the Cathedral, for each Disciple
DRILL = 0.248  # Active Troops, for each Soldier
SHARING = 3.87


@rule
def up_to(n: float, most: float) -> float:
    """The part of n that is worth the full price: n, at most `most`."""
    return min(1.0 * n, 1.0 * most)


# --- Disciples and those who stop them (guide 3.2, 7.6) ------------------------------------------


@rule
def n_stopping(state: State, host: int) -> float:
    """The number of guests that a seat can kill before they raid: by Soldiers, who are all home by then, Cannons and Mercenaries."""
    them = state.seats[host]
    return 1.0 * them.goods[SOLDIER] + 2.0 * min(them.goods[CANNON], them.goods[FARMER]) + 1.0 * them.works[MERCENARIES]


@rule
def n_guests(state: State, host: int) -> float:
    """The number of others' Disciples on a board."""
    n = 0.0
    for seat in range(SEATS):
        if seat != host:
            n += state.seats[seat].spots[VISITING + host]
    return n


@rule
def part_that_raids(state: State, host: int) -> float:
    """The share of the guests on a board that will live to raid; a host with more Soldiers may still leave them alone."""
    guests = n_guests(state, host)
    if guests == 0.0:
        return 0.0
    return max(0.1, 1.0 - n_stopping(state, host) / guests)


@rule
def easiest_raid(state: State, seat: int) -> float:
    """How open the board lies that is easiest to raid, from 1 to 0."""
    best = 0.0
    for host in range(SEATS):
        if host != seat and state.seats[host].is_alive == 1:
            best = max(best, 1.0 / (1.0 + n_stopping(state, host)))
    return best


@rule
def disciple_worth(box: Box, state: State, seat: int, time: float) -> float:
    """The worth of Disciples: at home by what they may take, on their way by what they will."""
    me = state.seats[seat]
    n = 1.0 * me.goods[DISCIPLE]
    worth = (DISCIPLE_EACH + 0.4 * me.works[CATHEDRAL]) * n
    open_board = easiest_raid(state, seat)
    worth += RAIDS * time * open_board * n
    for host in range(SEATS):
        if host != seat and me.spots[VISITING + host] > 0:
            worth += me.spots[VISITING + host] * (GUEST + RAID * part_that_raids(state, host))
    seeds = min(1.0 * me.goods[RELIGION], 1.0 * me.goods[FARMER] + me.goods[EXPLORER])
    worth += SEED * time * open_board * up_to(seeds, 4)
    return worth - RAID_LOSS * n_guests(state, seat) * part_that_raids(state, seat)


@rule
def threat_to(state: State, seat: int) -> float:
    """The number of Disciples that the others have."""
    n = 0.0
    for other in range(SEATS):
        if other != seat:
            n += state.seats[other].goods[DISCIPLE]
    return n


# --- Soldiers and guards (guide 6, 7) ----------------------------------------------------------------


@rule
def menace_to(state: State, seat: int) -> float:
    """The number of attacks that the others could make in a turn."""
    menace = 0.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1:
            menace += n_stopping(state, other)
    return menace


@rule
def strongest(state: State, seat: int) -> float:
    """The number of attacks that the best armed of the others could make in a turn."""
    most = 0.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1:
            most = max(most, n_stopping(state, other))
    return most


@rule
def guard_worth(box: Box, state: State, seat: int) -> float:
    """Guards: those at the Farmland matter as long as others could attack."""
    me = state.seats[seat]
    wanted = min(3.0, menace_to(state, seat))
    standing = 1.0 * me.spots[LAND_SOLDIER] + 0.7 * me.spots[LAND_FARMER]
    worth = GUARD * min(standing, wanted) + 0.02 * standing
    if wanted > 0.0:
        for slot in range(me.n_table):
            standing = 1.0 * me.posts[GUARD_SOLDIERS, slot] + 0.6 * me.posts[GUARD_FARMERS, slot]
            worth += GUARD_CARD * min(standing, 1.0)
    return worth


@rule
def has_open_land(state: State, seat: int) -> bool:
    """Is there an opponent whose Farmland nobody guards?"""
    for other in range(SEATS):
        them = state.seats[other]
        if other != seat and them.is_alive == 1 and them.spots[LAND_SOLDIER] + them.spots[LAND_FARMER] == 0:
            return True
    return False


@rule
def unit_worth(box: Box, state: State, seat: int, time: float) -> float:
    """Units that are no Farmers, by kind and by where they are."""
    me = state.seats[seat]
    worth = EXPLORER_HOME * me.spots[CAMP]
    for deck in range(DECKS):
        if me.spots[AWAY + deck] > 0:
            worth += me.spots[AWAY + deck] * (EXPLORER_HOME + EXPLORER_AWAY * draw_worth(box, state, seat, deck, time))
    if has_open_land(state, seat):
        worth += PLUNDER * min(PLUNDERERS, 1.0 * me.spots[RESERVE] + me.spots[RETURNING])
    needed = min(1.0 * me.goods[SOLDIER], ARMY + MATCH * strongest(state, seat))
    worth += SOLDIER_EACH * needed + SOLDIER_MORE * (me.goods[SOLDIER] - needed)
    worth += CANNON_EACH * me.goods[CANNON] - 0.1 * me.spots[RETURNING]
    worth += WARD * min(n_stopping(state, seat), threat_to(state, seat))
    return worth + disciple_worth(box, state, seat, time)


# --- Tokens ---------------------------------------------------------------------------------------------


@rule
def token_worth(box: Box, state: State, n: int, few: float) -> float:
    """The worth of n of a token: the first six count, the next twenty hardly, more not at all."""
    full = up_to(n, 6)
    return few * full + TOKEN_MANY * up_to(n - full, 20)


@rule
def all_tokens(box: Box, state: State, seat: int) -> float:
    """The worth of Water, Steel and Religion, less the cost of Fire."""
    goods = state.seats[seat].goods
    worth = token_worth(box, state, goods[WATER], WATER_FEW) + token_worth(box, state, goods[STEEL], STEEL_FEW)
    worth += token_worth(box, state, goods[RELIGION], RELIGION_FEW)
    return worth - BURNING_FARM * min(1.0, 1.0 * goods[FIRE]) - FIRE_EACH * goods[FIRE]


# --- Cards -----------------------------------------------------------------------------------------------


@rule
def draw_worth(box: Box, state: State, seat: int, deck: int, time: float) -> float:
    """The worth of a card drawn from a deck; all but Resources need time to bring something, and Miracles somebody to pray."""
    if deck == RESOURCE_DECK:
        return DRAW_0
    level = (deck - 1) % 3
    worth = DRAW_I
    if level == 1:
        worth = DRAW_II
    elif level == 2:
        worth = DRAW_III
    worth = DRAW_FEW + worth * time
    if deck == DECKS - 1:
        worth += DRAW_MIRACLE * up_to(state.seats[seat].goods[DISCIPLE], 2) * 0.5
    return worth


@rule
def yield_worth(box: Box, state: State, card: int, time: float) -> float:
    """The worth of a producing card over the turns it serves."""
    gain = box.card[card].gain
    if gain[FIRE] > 0:
        return 0.6 if box.card[card].optional == 1 else FORCED_FIRE
    return TURNS * time * (PER_WATER * gain[WATER] + PER_STEEL * gain[STEEL] + PER_LAND * gain[FARMLAND])


@rule
def slot_worth(box: Box, state: State, seat: int, slot: int, time: float) -> float:
    """The worth of a Table card, with its workers or while it waits for them."""
    me = state.seats[seat]
    card = me.table[slot]
    one = box.card[card]
    if one.does == PRODUCE:
        return yield_worth(box, state, card, time)
    if one.does == HARVEST:
        if me.posts[WORKERS, slot] >= one.n_workers:
            return 1.0 + MANNED_HARVEST * up_to(me.goods[FARMLAND], 20)
        return 1.0 + 0.2 * me.posts[WORKERS, slot]
    if one.does == TITHE:
        if me.posts[WORKERS, slot] >= one.n_workers:
            return MANNED_TITHE
        return 1.2
    if one.does == MARKET:
        return MARKET_OPEN
    if one.does == MERCENARIES:
        return MERCENARY
    if one.does == STUDY:
        return DRAWING
    if one.does == TEMPLE:
        return MOURNING
    if one.does == CATHEDRAL:
        return 0.5 + CHOIR * me.goods[DISCIPLE]
    if one.does == TROOPS:
        return 0.5 + DRILL * me.goods[SOLDIER]
    if one.does == FACILITY:
        return SHARING
    return draw_worth(box, state, seat, int(one.deck), time)


@rule
def miracle_worth(box: Box, state: State, seat: int, card: int) -> float:
    """The worth of a Miracle in the hand: more when it is a new one, and when its price is at hand."""
    me = state.seats[seat]
    pay = box.card[card].pay
    worth = MIRACLE_HELD
    if me.miracles & bit(card) == 0:
        worth *= 1.6
    if me.goods[DISCIPLE] < pay[DISCIPLE]:
        worth *= 0.5
    if me.goods[RELIGION] < pay[RELIGION]:
        worth *= 0.7
    return worth


@rule
def is_at_limits(state: State, seat: int) -> bool:
    """9.1, 9.2: has a seat as many units or cards as Farmland?"""
    land = state.seats[seat].goods[FARMLAND]
    return n_units(state, seat) >= land or n_cards(state, seat) >= land


@rule
def hand_worth(box: Box, state: State, seat: int, card: int, land_worth: float, hand_more: float, time: float) -> float:
    """The worth of a card in the hand: a little less than what it will bring. At the limits Farmland makes room for the rest."""
    one = box.card[card]
    if one.type == RESOURCE:
        if is_at_limits(state, seat):
            land_worth += LAND_AT_LIMITS
        if one.does == GIVE:
            return PLAY_ON * (
                one.gain[FARMLAND] * land_worth + one.gain[FARMER] * hand_more + one.gain[STEEL] * STEEL_FEW
            )
        return PLAY_ON * max(land_worth, hand_more)
    if one.type == TABLE and one.does == PRODUCE:
        return IN_HAND * yield_worth(box, state, card, time)
    if one.type == TRAP:
        return IN_HAND * TRAP_SET
    if one.type == MIRACLE:
        return miracle_worth(box, state, seat, card)
    if one.does == LIFE:
        return 0.2
    return IN_HAND * draw_worth(box, state, seat, int(one.deck), time)


@rule
def card_worth(box: Box, state: State, seat: int, land_worth: float, hand_more: float, time: float) -> float:
    """Cards on the table and in the hand."""
    me = state.seats[seat]
    worth = TRAP_SET * me.n_traps
    for slot in range(me.n_table):
        worth += slot_worth(box, state, seat, slot, time)
    if me.n_hand > 0:
        for card in range(box.n_cards):
            if me.hand[card] > 0:
                worth += me.hand[card] * hand_worth(box, state, seat, card, land_worth, hand_more, time)
    return worth
