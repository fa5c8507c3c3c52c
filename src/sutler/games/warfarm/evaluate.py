"""What a position is worth to a seat, for bots that look one move ahead; documented in the game's README.

Values are in Farmland. They were set by hand from what things cost and bring, then tuned by matches of greedy bots.
"""

from __future__ import annotations

from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    AWAY,
    CANNON,
    DECKS,
    DISCIPLE,
    FARMER,
    FARMLAND,
    FIRE,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HARVEST,
    LAND_FARMER,
    LAND_SOLDIER,
    MIRACLE,
    PRODUCE,
    RELIGION,
    RESOURCE,
    RESOURCE_DECK,
    RETURNING,
    SEATS,
    SOLDIER,
    STEEL,
    TABLE,
    TITHE,
    TRAP,
    VISITING,
    WATER,
    WORKERS,
)
from sutler.games.warfarm.scoring import is_first
from sutler.games.warfarm.state import OVER, n_cards, n_units

SCALE = 6.0  # a lead of six Farmland is a clear one
WON = 60.0
LAND = 1.6
FARM_HAND = 1.3
TOKEN_WORTH = (0.0, 0.45, 0.75, 0.75)  # each of the first few, by token
TOKEN_MANY = 0.08
CARD_WORTH = (1.2, 1.3, 1.5, 1.8)  # a card drawn, by its level
HORIZON = 4.0  # turns a Table card is expected to serve


@rule
def up_to(n, most):
    """So much of n as is worth the full price."""
    return min(1.0 * n, 1.0 * most)


@rule
def level_of(deck):
    """0 for the Resource deck, else 1 to 3."""
    if deck == RESOURCE_DECK:
        return 0
    return (deck - 1) % 3 + 1


@rule
def token_worth(token, n, most):
    """Tokens: the first few count, the rest hardly."""
    full = up_to(n, most)
    return TOKEN_WORTH[token] * full + TOKEN_MANY * (n - full)


@rule
def table_worth(box, state, seat, slot):
    """What a Table card will bring, with its workers or while it waits for them."""
    me = state.seats[seat]
    card = me.table[slot]
    one = box.card[card]
    if one.does == PRODUCE:
        if one.gain[FIRE] > 0:
            return 0.5
        return HORIZON * (0.9 * one.gain[FARMLAND] + 0.3 * one.gain[WATER] + 0.45 * one.gain[STEEL])
    if one.does == HARVEST:
        if me.posts[WORKERS, slot] >= one.n_workers:
            return 1.0 + 0.45 * me.goods[FARMLAND]
        return 0.9 + 0.15 * me.posts[WORKERS, slot]
    if one.does == TITHE:
        if me.posts[WORKERS, slot] >= one.n_workers:
            return 3.5
        return 1.2
    return CARD_WORTH[level_of(one.deck)]


@rule
def hand_worth(box, card):
    """A card in the hand: a little less than what it will be on the table."""
    one = box.card[card]
    if one.type == RESOURCE:
        return 1.25
    if one.type == TABLE and one.does == PRODUCE and one.gain[FARMLAND] > 0:
        return 2.2
    if one.type == MIRACLE:
        return 2.0
    if one.type == TRAP:
        return 0.9
    return 0.8 * CARD_WORTH[level_of(one.deck)]


@rule
def guard_worth(state, seat):
    """Guards: those at the Farmland matter as long as others could attack."""
    me = state.seats[seat]
    menace = 0.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1:
            menace += state.seats[other].goods[SOLDIER] + 1.5 * state.seats[other].goods[CANNON]
    wanted = min(3.0, menace)
    standing = 1.0 * me.spots[LAND_SOLDIER] + 0.7 * me.spots[LAND_FARMER]
    worth = 0.55 * min(standing, wanted) + 0.04 * standing
    for slot in range(me.n_table):
        standing = 1.0 * me.posts[GUARD_SOLDIERS, slot] + 0.6 * me.posts[GUARD_FARMERS, slot]
        worth += 0.15 * min(standing, 1.0)
    return worth


@rule
def holdings(box, state, seat):
    """What a seat owns, in Farmland."""
    me = state.seats[seat]
    if me.is_alive == 0:
        return -20.0
    land = me.goods[FARMLAND]
    worth = LAND * up_to(land, box.rules.farm_win[FARMLAND]) + 0.15 * land
    if land < 4:
        worth -= 0.9 * (4 - land) * (4 - land)
    farmers = me.goods[FARMER]
    worth += FARM_HAND * up_to(farmers, box.rules.farm_win[FARMER])
    for token in range(WATER, RELIGION + 1):
        worth += token_worth(token, me.goods[token], 6)
    worth -= 2.2 * min(int(me.goods[FIRE]), 1) + 0.8 * me.goods[FIRE]
    # units that are no Farmers
    worth += 2.0 * me.spots[2]
    for deck in range(DECKS):
        worth += me.spots[AWAY + deck] * (1.35 + CARD_WORTH[level_of(deck)])
    worth += 2.15 * me.goods[SOLDIER] + 3.2 * me.goods[CANNON] - 0.1 * me.spots[RETURNING]
    worth += 2.3 * me.goods[DISCIPLE]
    for host in range(SEATS):
        worth += 0.9 * me.spots[VISITING + host]
    worth += guard_worth(state, seat)
    # cards
    for slot in range(me.n_table):
        worth += table_worth(box, state, seat, slot)
    for card in range(box.n_cards):
        if me.hand[card] > 0:
            worth += me.hand[card] * hand_worth(box, card)
        if me.shown[card] > 0 and box.card[card].type == MIRACLE:
            worth += 2.0
    worth += 1.3 * me.n_traps
    # beyond the limits all is lost
    worth -= 1.1 * max(0, n_units(state, seat) - land)
    worth -= 0.9 * max(0, n_cards(state, seat) - land)
    # close to a win
    ahead = up_to(land, 12) + up_to(farmers, 12) - 16.0
    if ahead > 0.0:
        worth += 0.25 * ahead * ahead
    return worth


@rule
def evaluate(box, state, seat):
    """How far a seat is ahead of the others, above all of the stronger one."""
    if state.phase == OVER:
        if is_first(state, seat):
            return WON
        return -WON
    mine = holdings(box, state, seat)
    best = -1000.0
    total = 0.0
    for other in range(SEATS):
        if other != seat:
            theirs = holdings(box, state, other)
            best = max(best, theirs)
            total += theirs
    return mine - 0.4 * best - 0.15 * total
