"""What a position of WARFARM was worth to the first bots: the judgement of `classic-greedy`, kept as it was for comparison.

What says the same in `worth.py` and `evaluate.py` is taken from there; the weights are one set, tuned together, and stay here.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs
# As it was: older than the annotations of this game.

from __future__ import annotations

from sutler.core.bits import allow, clear, has, popcount, remove
from sutler.core.rule import rule
from sutler.games.warfarm.bot.evaluate import farm_part, is_free_gain, time_left, will_double
from sutler.games.warfarm.bot.worth import has_open_land, up_to
from sutler.games.warfarm.box import (
    AWAY,
    CAMP,
    CANNON,
    CATHEDRAL,
    DECKS,
    DISCIPLE,
    EXPLORER,
    FARMER,
    FARMLAND,
    FIRE,
    GIVE,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HARVEST,
    LAND_FARMER,
    LAND_SOLDIER,
    MARKET,
    MERCENARIES,
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
    TITHE,
    TRAP,
    VISITING,
    WATER,
    WORKERS,
)
from sutler.games.warfarm.scoring import is_first
from sutler.games.warfarm.state import n_cards, n_units
from sutler.games.warfarm.table import A, P

SCALE = 6.0  # a lead of six Farmland is a clear one
WON = 80.0
OUT = -30.0

# tokens and units
LAND = 1.6  # up to what the farm win asks for
LAND_MORE = 0.35  # beyond it
LAND_NEEDED = 0.6  # when the units need the room
DANGER = 0.9  # times the square of what is missing to four Farmland
HAND = 1.68  # a Farmer, or an Explorer, who will be one again
HAND_MORE = 0.29
WATER_FEW = 0.45  # the first six of a token, then the rest
STEEL_FEW = 0.6
RELIGION_FEW = 0.6
TOKEN_MANY = 0.06
EXPLORER_HOME = 0.55
EXPLORER_AWAY = 0.58  # of the worth of the card it will bring
SOLDIER_EACH = 1.6
PLUNDER = 0.85  # for each Soldier, as long as there is open Farmland to attack, up to so many
PLUNDERERS = 4
CANNON_EACH = 2.6
DISCIPLE_EACH = 2.77
GUEST = 0.8
BURNING = 2.2
FIRE_EACH = 0.8
# guards
GUARD = 0.5  # at the Farmland, as long as it is needed
GUARD_CARD = 0.21
# cards
DRAW_0 = 1.2  # a Resource card
DRAW_FEW = 0.5  # any other card, and more by its level while there is time to use it
DRAW_TIME = (0.0, 1.5, 1.5, 2.4)
IN_HAND = 0.73  # of what it is worth on the table
PLAY_ON = 0.82  # of what a Resource card gives
TRAP_SET = 1.3
PER_WATER = 0.25  # each turn, for the turns a card is expected to serve
PER_STEEL = 0.8
PER_LAND = 0.8
TURNS = 6.0  # from an empty table to a won game
MANNED_TITHE = 3.0
MANNED_HARVEST = 0.45
MARKET_OPEN = 3.52
MERCENARY = 3.06
# limits
UNITS_OVER = 1.2
CARDS_OVER = 1.06
# ways to win
FARM_WAY = 38.59
GROWTH_WAY = 16.83
MIRACLE_WAY = 5.57
ARMS_WAY = 8.09
# the others
BEST_OTHER = 0.4
ALL_OTHERS = 0.2


@rule
def draw_worth(deck, time):
    """A card drawn from a deck; all but Resources need time to bring something."""
    if deck == RESOURCE_DECK:
        return DRAW_0
    return DRAW_FEW + DRAW_TIME[(deck - 1) % 3 + 1] * time


@rule
def token_worth(n, few):
    """Tokens: the first six count, the rest hardly."""
    full = up_to(n, 6)
    return few * full + TOKEN_MANY * (n - full)


@rule
def yield_worth(box, card, time):
    """What a producing card brings over the turns it serves."""
    gain = box.card[card].gain
    if gain[FIRE] > 0:
        return 0.6
    return TURNS * time * (PER_WATER * gain[WATER] + PER_STEEL * gain[STEEL] + PER_LAND * gain[FARMLAND])


@rule
def slot_worth(box, state, seat, slot, time):
    """What a Table card will bring, with its workers or while it waits for them."""
    me = state.seats[seat]
    card = me.table[slot]
    one = box.card[card]
    if one.does == PRODUCE:
        return yield_worth(box, card, time)
    if one.does == HARVEST:
        if me.posts[WORKERS, slot] >= one.n_workers:
            return 1.0 + MANNED_HARVEST * me.goods[FARMLAND]
        return 1.0 + 0.2 * me.posts[WORKERS, slot]
    if one.does == TITHE:
        if me.posts[WORKERS, slot] >= one.n_workers:
            return MANNED_TITHE
        return 1.2
    if one.does == MARKET:
        return MARKET_OPEN
    if one.does == MERCENARIES:
        return MERCENARY
    return draw_worth(int(one.deck), time)


@rule
def hand_worth(box, card, land_worth, hand_more, time):
    """A card in the hand: a little less than what it will bring."""
    one = box.card[card]
    if one.type == RESOURCE:
        if one.does == GIVE:
            return PLAY_ON * (
                one.gain[FARMLAND] * land_worth + one.gain[FARMER] * hand_more + one.gain[STEEL] * STEEL_FEW
            )
        return PLAY_ON * max(land_worth, hand_more)
    if one.type == TABLE and one.does == PRODUCE:
        return IN_HAND * yield_worth(box, card, time)
    if one.type == TRAP:
        return IN_HAND * TRAP_SET
    return IN_HAND * draw_worth(int(one.deck), time)


@rule
def menace_to(state, seat):
    """How many attacks the others could make in a turn."""
    menace = 0.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1:
            them = state.seats[other]
            menace += 1.0 * them.goods[SOLDIER] + 2.0 * them.goods[CANNON] + 1.0 * them.works[MERCENARIES]
    return menace


@rule
def guard_worth(state, seat):
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
def unit_worth(box, state, seat, time):
    """Units that are no Farmers, by kind and by where they are."""
    me = state.seats[seat]
    worth = EXPLORER_HOME * me.spots[CAMP]
    for deck in range(DECKS):
        if me.spots[AWAY + deck] > 0:
            worth += me.spots[AWAY + deck] * (EXPLORER_HOME + EXPLORER_AWAY * draw_worth(deck, time))
    if has_open_land(state, seat):
        worth += PLUNDER * min(PLUNDERERS, me.spots[RESERVE] + me.spots[RETURNING])
    worth += SOLDIER_EACH * me.goods[SOLDIER] + CANNON_EACH * me.goods[CANNON] - 0.1 * me.spots[RETURNING]
    worth += (DISCIPLE_EACH + 0.4 * me.works[CATHEDRAL]) * me.goods[DISCIPLE]
    for host in range(SEATS):
        worth += GUEST * me.spots[VISITING + host]
    return worth


@rule
def card_worth(box, state, seat, land_worth, hand_more, time):
    """Cards on the table and in the hand."""
    me = state.seats[seat]
    worth = TRAP_SET * me.n_traps
    for slot in range(me.n_table):
        worth += slot_worth(box, state, seat, slot, time)
    if me.n_hand > 0:
        for card in range(box.n_cards):
            if me.hand[card] > 0:
                worth += me.hand[card] * hand_worth(box, card, land_worth, hand_more, time)
    return worth


@rule
def prospects(box, state, seat):
    """How near the seat is to each of the victories."""
    me = state.seats[seat]
    growth = box.rules.growth_win
    near = farm_part(box, state, seat)
    worth = FARM_WAY * near * near * near * near
    near = up_to(me.goods[DISCIPLE], growth[DISCIPLE]) + up_to(me.goods[RELIGION], growth[RELIGION])
    near /= max(1.0, 1.0 * growth[DISCIPLE] + growth[RELIGION])
    worth += GROWTH_WAY * near * near * near * near
    played = 1.0 * popcount(me.miracles)
    worth += MIRACLE_WAY * played * played
    land = 0.0
    for other in range(SEATS):
        if other != seat:
            land += up_to(state.seats[other].goods[FARMLAND], 12)
    near = 1.0 - min(land, 12.0) / 12.0
    return worth + ARMS_WAY * near * near


@rule
def holdings(box, state, seat, time):
    """What a seat owns and hopes for."""
    me = state.seats[seat]
    if me.is_alive == 0:
        return OUT
    land = 1.0 * me.goods[FARMLAND]
    units = 1.0 * n_units(state, seat)
    hands = 1.0 * me.goods[FARMER] + me.goods[EXPLORER]
    enough = 1.0 * box.rules.farm_win[FARMLAND]
    worth = LAND * min(land, enough) + LAND_MORE * max(0.0, land - enough)
    worth += LAND_NEEDED * min(max(0.0, land - enough), max(0.0, units - enough))
    land_worth = LAND
    if land >= enough:
        land_worth = LAND_MORE + LAND_NEEDED * 0.5
    if land < 4.0:
        worth -= DANGER * (4.0 - land) * (4.0 - land)
    enough = 1.0 * box.rules.farm_win[FARMER]
    worth += HAND * min(hands, enough) + HAND_MORE * max(0.0, hands - enough)
    hand_more = HAND
    if hands >= enough:
        hand_more = HAND_MORE
    worth += token_worth(me.goods[WATER], WATER_FEW) + token_worth(me.goods[STEEL], STEEL_FEW)
    worth += token_worth(me.goods[RELIGION], RELIGION_FEW)
    worth -= BURNING * min(1.0, 1.0 * me.goods[FIRE]) + FIRE_EACH * me.goods[FIRE]
    worth += unit_worth(box, state, seat, time) + guard_worth(state, seat)
    worth += card_worth(box, state, seat, land_worth, hand_more, time)
    worth -= UNITS_OVER * max(0.0, units - land)
    worth -= CARDS_OVER * max(0.0, n_cards(state, seat) - land)
    return worth + prospects(box, state, seat)


@rule
def evaluate(box, state, seat):
    """How far a seat is ahead of the others, above all of the stronger one."""
    if state.phase == P.over:
        if is_first(box, state, seat):
            return WON
        return -WON
    time = time_left(box, state)
    best = -1000.0
    total = 0.0
    for other in range(SEATS):
        if other != seat:
            theirs = holdings(box, state, other, time)
            best = max(best, theirs)
            total += theirs
    return holdings(box, state, seat, time) - BEST_OTHER * best - ALL_OTHERS * total


DRAWS = 20
"""After so many cards drawn with Table cards in one turn a bot stops, whatever 15.14 allows (see 11.9)."""


@rule
def prune(box, state, out):
    """What needs no thought: a card that only brings something is played; an Explorer at home is sent out."""
    if state.phase == P.play and state.n_drawn >= DRAWS:
        for card in range(box.n_cards):
            if box.card[card].does == STUDY:
                remove(out.ids, A.use + card)
    if state.phase == P.explore:
        remove(out.ids, A.end_explore)
    elif state.phase == P.play and not will_double(box, state, int(state.to_act)):
        for card in range(box.n_cards):
            if has(out.ids, A.play + card) and is_free_gain(box, card):
                clear(out.ids)
                allow(out, A.play + card)
                return
