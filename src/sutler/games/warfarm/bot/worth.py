"""The worth of tokens, units and cards to a seat, for `evaluate`: by their price, and by what they can be expected to bring.

One Farmland or Farmer per turn is what Explorers fetch with luck, and what a Disciple takes from a seat that cannot stop it. Each Soldier
destroys as much, draws a card for it and comes home, so nothing is worth as much as Soldiers. `game_left` is always the share (0 to 1) of
the game that is still to come.
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
WATER_FEW = 0.314  # each of the first six of a token; TOKEN_MANY: each further one
STEEL_FEW = 0.48
RELIGION_FEW = 0.54
TOKEN_MANY = 0.0688
SEED = 0.754  # a Religion that can become a Disciple
BURNING_FARM = 0.788
FIRE_EACH = 2.58
FORCED_FIRE = -0.8  # a card that brings Fire each turn and cannot be declined (12.8)
# units
EXPLORER_HOME = 1.07
EXPLORER_AWAY = 0.193  # the share of the worth of the card that it will bring
SOLDIER_EACH = 51.2  # up to as many as the seat needs
SOLDIER_MORE = 13.8  # each beyond that number
ARMY = 6.24  # the number of Soldiers that a seat needs in any case
MATCH = 1.02  # the number it needs in addition, for each attack of the best armed other seat
PLUNDER = 9.79  # for each Soldier, up to PLUNDERERS, while there is unguarded Farmland to attack
PLUNDERERS = 5.72
WARD = 0.281  # for each Soldier that can keep off a Disciple of another seat
CANNON_EACH = 8.63
DISCIPLE_EACH = 2.15
RAIDS = 6.34  # what a Disciple will take in a whole game
GUEST = 0.195  # extra, for a Disciple that is visiting
RAID = 55.7  # for a visiting Disciple that nobody can stop
RAID_LOSS = 13.5  # the cost of another seat's visiting Disciple that nobody can stop
# guards
GUARD = 0.205  # at the Farmland, up to the number that is needed
GUARD_CARD = 0.185
# cards
DRAW_0 = 0.55  # a card of the Resource deck
DRAW_FEW = 0.0967  # any other card; the next three are added by the deck's level and the game that is left
DRAW_I = 0.157
DRAW_II = 6.95
DRAW_III = 2.31
DRAW_MIRACLE = 1.82  # extra, for a deck with Miracles that the seat can pay
IN_HAND = 2.16  # the share of its worth on the table that a card in the hand has
PLAY_ON = 0.504  # the share of what a Resource card gives that it is worth in the hand
LAND_AT_LIMITS = 0.492  # extra, for Farmland in the hand of a seat at its limits
TRAP_SET = 3.69
MIRACLE_HELD = 10.6
PER_WATER = 0.319  # each turn, for the turns that a card is expected to serve
PER_STEEL = 0.344
PER_LAND = 1.09
TURNS = 2.82  # turns from an empty table to a won game
MANNED_TITHE = 1.11
MANNED_HARVEST = 0.408
MARKET_OPEN = 4.37
MERCENARY = 7.07
DRAWING = 4.75  # a card that draws cards
MOURNING = 5.04
CHOIR = 0.233  # the Cathedral, for each Disciple
DRILL = 0.248  # Active Troops, for each Soldier
SHARING = 3.87


@rule
def smaller_of(n: float, limit: float) -> float:
    """The smaller of the numbers `n` and `limit`, as a float."""
    return min(1.0 * n, 1.0 * limit)


# --- Disciples, and the units that stop them (guide 3.2, 7.6) ------------------------------------------


@rule
def n_disciples_stoppable(state: State, host: int) -> float:
    """The number of visiting Disciples that a seat can kill before they raid, with Soldiers, Cannons and Mercenaries.

    All Soldiers count, because those in the return area are home by then.
    """
    them = state.seats[host]
    return 1.0 * them.goods[SOLDIER] + 2.0 * min(them.goods[CANNON], them.goods[FARMER]) + 1.0 * them.works[MERCENARIES]


@rule
def n_visiting_disciples(state: State, host: int) -> float:
    """The number of other seats' Disciples on a seat's board."""
    n = 0.0
    for seat in range(SEATS):
        if seat != host:
            n += state.seats[seat].spots[VISITING + host]
    return n


@rule
def share_of_visitors_raiding(state: State, host: int) -> float:
    """The share (0.1 to 1) of the Disciples on a host's board that will live to raid; 0 if there are none there."""
    guests = n_visiting_disciples(state, host)
    if guests == 0.0:
        return 0.0
    return max(0.1, 1.0 - n_disciples_stoppable(state, host) / guests)


@rule
def openness_to_raids(state: State, seat: int) -> float:
    """The openness to raids (0 to 1) of the farm that can stop the fewest Disciples, among the other farms."""
    best = 0.0
    for host in range(SEATS):
        if host != seat and state.seats[host].is_alive == 1:
            best = max(best, 1.0 / (1.0 + n_disciples_stoppable(state, host)))
    return best


@rule
def disciple_worth(box: Box, state: State, seat: int, game_left: float) -> float:
    """The worth of a seat's Disciples: at home by what they could take, on a visit by what they will take."""
    me = state.seats[seat]
    n = 1.0 * me.goods[DISCIPLE]
    worth = (DISCIPLE_EACH + 0.4 * me.works[CATHEDRAL]) * n
    open_board = openness_to_raids(state, seat)
    worth += RAIDS * game_left * open_board * n
    for host in range(SEATS):
        if host != seat and me.spots[VISITING + host] > 0:
            worth += me.spots[VISITING + host] * (GUEST + RAID * share_of_visitors_raiding(state, host))
    seeds = min(1.0 * me.goods[RELIGION], 1.0 * me.goods[FARMER] + me.goods[EXPLORER])
    worth += SEED * game_left * open_board * smaller_of(seeds, 4)
    return worth - RAID_LOSS * n_visiting_disciples(state, seat) * share_of_visitors_raiding(state, seat)


@rule
def n_disciples_of_others(state: State, seat: int) -> float:
    """The number of Disciples that the other seats have."""
    n = 0.0
    for other in range(SEATS):
        if other != seat:
            n += state.seats[other].goods[DISCIPLE]
    return n


# --- Soldiers and guards (guide 6, 7) ----------------------------------------------------------------


@rule
def n_attacks_of_others(state: State, seat: int) -> float:
    """The number of attacks that the other seats together could make in a turn."""
    menace = 0.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1:
            menace += n_disciples_stoppable(state, other)
    return menace


@rule
def n_attacks_of_strongest(state: State, seat: int) -> float:
    """The number of attacks that the best armed other seat could make in a turn."""
    most = 0.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1:
            most = max(most, n_disciples_stoppable(state, other))
    return most


@rule
def guards_worth(box: Box, state: State, seat: int) -> float:
    """The worth of a seat's guards; guards of Farmland count only against attacks that others could make."""
    me = state.seats[seat]
    wanted = min(3.0, n_attacks_of_others(state, seat))
    standing = 1.0 * me.spots[LAND_SOLDIER] + 0.7 * me.spots[LAND_FARMER]
    worth = GUARD * min(standing, wanted) + 0.02 * standing
    if wanted > 0.0:
        for slot in range(me.n_table):
            standing = 1.0 * me.posts[GUARD_SOLDIERS, slot] + 0.6 * me.posts[GUARD_FARMERS, slot]
            worth += GUARD_CARD * min(standing, 1.0)
    return worth


@rule
def is_any_farmland_unguarded(state: State, seat: int) -> bool:
    """Has another seat Farmland that nobody guards?"""
    for other in range(SEATS):
        them = state.seats[other]
        if other != seat and them.is_alive == 1 and them.spots[LAND_SOLDIER] + them.spots[LAND_FARMER] == 0:
            return True
    return False


@rule
def units_worth(box: Box, state: State, seat: int, game_left: float) -> float:
    """The worth of a seat's units other than Farmers, by kind and by where they stand."""
    me = state.seats[seat]
    worth = EXPLORER_HOME * me.spots[CAMP]
    for deck in range(DECKS):
        if me.spots[AWAY + deck] > 0:
            worth += me.spots[AWAY + deck] * (
                EXPLORER_HOME + EXPLORER_AWAY * drawn_card_worth(box, state, seat, deck, game_left)
            )
    if is_any_farmland_unguarded(state, seat):
        worth += PLUNDER * min(PLUNDERERS, 1.0 * me.spots[RESERVE] + me.spots[RETURNING])
    needed = min(1.0 * me.goods[SOLDIER], ARMY + MATCH * n_attacks_of_strongest(state, seat))
    worth += SOLDIER_EACH * needed + SOLDIER_MORE * (me.goods[SOLDIER] - needed)
    worth += CANNON_EACH * me.goods[CANNON] - 0.1 * me.spots[RETURNING]
    worth += WARD * min(n_disciples_stoppable(state, seat), n_disciples_of_others(state, seat))
    return worth + disciple_worth(box, state, seat, game_left)


# --- Tokens ---------------------------------------------------------------------------------------------


@rule
def token_worth(box: Box, state: State, n: int, worth_of_first: float) -> float:
    """The worth of `n` tokens of one kind: `worth_of_first` for each of the first six, little for the next twenty, nothing beyond."""
    full = smaller_of(n, 6)
    return worth_of_first * full + TOKEN_MANY * smaller_of(n - full, 20)


@rule
def tokens_worth(box: Box, state: State, seat: int) -> float:
    """The worth of a seat's Water, Steel and Religion, less the cost of its Fire."""
    goods = state.seats[seat].goods
    worth = token_worth(box, state, goods[WATER], WATER_FEW) + token_worth(box, state, goods[STEEL], STEEL_FEW)
    worth += token_worth(box, state, goods[RELIGION], RELIGION_FEW)
    return worth - BURNING_FARM * min(1.0, 1.0 * goods[FIRE]) - FIRE_EACH * goods[FIRE]


# --- Cards -----------------------------------------------------------------------------------------------


@rule
def drawn_card_worth(box: Box, state: State, seat: int, deck: int, game_left: float) -> float:
    """The worth of a card drawn from a deck; cards other than Resources need time to bring something, and Miracles need Disciples."""
    if deck == RESOURCE_DECK:
        return DRAW_0
    level = (deck - 1) % 3
    worth = DRAW_I
    if level == 1:
        worth = DRAW_II
    elif level == 2:
        worth = DRAW_III
    worth = DRAW_FEW + worth * game_left
    if deck == DECKS - 1:
        worth += DRAW_MIRACLE * smaller_of(state.seats[seat].goods[DISCIPLE], 2) * 0.5
    return worth


@rule
def producing_card_worth(box: Box, state: State, card: int, game_left: float) -> float:
    """The worth of a card that produces each turn, over the turns it is expected to serve."""
    gain = box.card[card].gain
    if gain[FIRE] > 0:
        return 0.6 if box.card[card].optional == 1 else FORCED_FIRE
    return TURNS * game_left * (PER_WATER * gain[WATER] + PER_STEEL * gain[STEEL] + PER_LAND * gain[FARMLAND])


@rule
def table_card_worth(box: Box, state: State, seat: int, slot: int, game_left: float) -> float:
    """The worth of the Table card in place `slot`, whether it has its workers or waits for them."""
    me = state.seats[seat]
    card = me.table[slot]
    one = box.card[card]
    if one.does == PRODUCE:
        return producing_card_worth(box, state, card, game_left)
    if one.does == HARVEST:
        if me.posts[WORKERS, slot] >= one.n_workers:
            return 1.0 + MANNED_HARVEST * smaller_of(me.goods[FARMLAND], 20)
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
    return drawn_card_worth(box, state, seat, int(one.deck), game_left)


@rule
def miracle_worth(box: Box, state: State, seat: int, card: int) -> float:
    """The worth of a Miracle in the hand: more if the seat has not yet played one of this kind, and if it can pay for it."""
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
    """Has a seat at least as many units (9.1) or cards (9.2) as Farmland?"""
    land = state.seats[seat].goods[FARMLAND]
    return n_units(state, seat) >= land or n_cards(state, seat) >= land


@rule
def hand_card_worth(
    box: Box, state: State, seat: int, card: int, land_worth: float, farmer_worth: float, game_left: float
) -> float:
    """The worth of one card in the hand: a share of what the card will bring.

    `land_worth` and `farmer_worth` are the present worth of one Farmland and of one Farmer. At the limits Farmland is worth more, since
    it raises them.
    """
    one = box.card[card]
    if one.type == RESOURCE:
        if is_at_limits(state, seat):
            land_worth += LAND_AT_LIMITS
        if one.does == GIVE:
            return PLAY_ON * (
                one.gain[FARMLAND] * land_worth + one.gain[FARMER] * farmer_worth + one.gain[STEEL] * STEEL_FEW
            )
        return PLAY_ON * max(land_worth, farmer_worth)
    if one.type == TABLE and one.does == PRODUCE:
        return IN_HAND * producing_card_worth(box, state, card, game_left)
    if one.type == TRAP:
        return IN_HAND * TRAP_SET
    if one.type == MIRACLE:
        return miracle_worth(box, state, seat, card)
    if one.does == LIFE:
        return 0.2
    return IN_HAND * drawn_card_worth(box, state, seat, int(one.deck), game_left)


@rule
def table_and_hand_worth(
    box: Box, state: State, seat: int, land_worth: float, farmer_worth: float, game_left: float
) -> float:
    """The worth of a seat's cards on the table and in the hand; `land_worth`, `farmer_worth`: of one Farmland, of one Farmer."""
    me = state.seats[seat]
    worth = TRAP_SET * me.n_traps
    for slot in range(me.n_table):
        worth += table_card_worth(box, state, seat, slot, game_left)
    if me.n_hand > 0:
        for card in range(box.n_cards):
            if me.hand[card] > 0:
                worth += me.hand[card] * hand_card_worth(box, state, seat, card, land_worth, farmer_worth, game_left)
    return worth
