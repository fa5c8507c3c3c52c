"""How far a seat is ahead, for bots that look one move ahead; documented in the game's README.

Only the relative worth of things counts. The numbers were set by hand from what things cost and bring; then `studies/league.py` moved
them until neither the bots before, nor the personas, nor a best response to any of these won against them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, clear, has, popcount, remove
from sutler.core.rule import rule
from sutler.games.warfarm.bot.threats import SHORTENED, arms_part, breach, fear, feared
from sutler.games.warfarm.bot.worth import all_tokens, card_worth, guard_worth, unit_worth, up_to
from sutler.games.warfarm.box import (
    DISCIPLE,
    EXPLORER,
    FARMER,
    FARMLAND,
    MANAGEMENT,
    PACKAGE,
    RELIGION,
    RESOURCE,
    SEATS,
    STUDY,
    TABLE,
    TRAP,
)
from sutler.games.warfarm.scoring import is_first
from sutler.games.warfarm.state import n_cards, n_units
from sutler.games.warfarm.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.warfarm.records import Box, State

SCALE = 100.0  # a lead of two Soldiers is a clear one
# Courses that are cut say little here, so the priors share out the rounds, and leads are worth what they are.
SEARCH = {"candidates": 0, "chances": 0, "curiosity": 1.0}
# "warmth": a move three points worse is nearly as good; "calm": early leads are soon lost again.
SHORT_SEARCH = {"warmth": 0.03, "calm": 3.0}
WON = 4000.0  # more than anything that can be owned
OUT_OF_GAME = -30.0

LAND = 2.25  # up to what the farm win asks for
LAND_MORE = 1.15  # beyond it
LAND_NEEDED = 0.201  # when the units need the room
DANGER = 0.386  # times the square of what is missing to four Farmland
HAND = 0.814  # a Farmer, or an Explorer, who will be one again
HAND_MORE = 0.183
FIRST_HANDS = 6.43  # more for each of the first few: without them no Water comes in, and armies stand still
FIRST_FEW_HANDS = 1.35
STORE = 4.15  # beyond this even more is worth nothing: a farm that feeds itself (11.9) has to stop and win
# limits
UNITS_OVER = 21.6
CARDS_OVER = 0.633
# ways to win
FARM_WAY = 82.7
FARM_NEAR = 1000.0  # by how little is missing, and how safe it is until the next turn
FARM_SPAN = 4.0  # so much missing, and a victory is half as near
GROWTH_WAY = 79.1
GROWTH_NEAR = 62.7
GROWTH_SPAN = 7.95
MIRACLE_WAY = 33.6
ARMS_WAY = 20.7
# the others
BEST_OTHER = 1.19
ALL_OTHERS = 0.4
DUEL = 1.33  # the last other one: what he loses is gained


@rule
def time_left(box: Box, state: State) -> float:
    """The part of the game still to come, from 1 to 0: what the nearest farm lacks of the farm victory."""
    nearest = 0.0
    for seat in range(SEATS):
        nearest = max(nearest, farm_part(box, state, seat))
    return 1.0 - nearest


@rule
def time_to_come(box: Box, state: State) -> float:
    """The part of the game still to come, counting armies too: a game is short when two farms have lost their Farmland."""
    nearest = 0.0
    for seat in range(SEATS):
        nearest = max(nearest, arms_part(state, seat))
    return min(time_left(box, state), 1.0 - SHORTENED * nearest)


@rule
def farm_part(box: Box, state: State, seat: int) -> float:
    """The part of the farm victory that a seat has, from 0 to 1; an Explorer will be a Farmer again."""
    me = state.seats[seat]
    farm = box.rules.farm_win
    near = up_to(me.goods[FARMLAND], farm[FARMLAND]) + up_to(me.goods[FARMER] + me.goods[EXPLORER], farm[FARMER])
    return near / max(1.0, 1.0 * farm[FARMLAND] + farm[FARMER])


@rule
def nearness(missing: float, span: float) -> float:
    """How near a victory is: 1 when nothing is missing, falling steeply to 0."""
    near = span / (span + missing)
    return near * near * near * near


@rule
def nearness_of_own_victories(box: Box, state: State, seat: int) -> float:
    """14.1, 14.3: how near a farm's own victories are, by what is missing in Farmland, Farmers, Disciples and Religion.

    A Disciple takes a Farmer and a Religion; Farmland that may be struck before the next turn (`feared`) puts both off.
    """
    goods = state.seats[seat].goods
    farm = box.rules.farm_win
    hands = 1.0 * goods[FARMER] + goods[EXPLORER]
    missing = max(0.0, 1.0 * farm[FARMLAND] - goods[FARMLAND]) + max(0.0, 1.0 * farm[FARMER] - hands)
    worth = FARM_NEAR * nearness(missing, FARM_SPAN)
    growth = box.rules.growth_win
    disciples = max(0.0, 1.0 * growth[DISCIPLE] - goods[DISCIPLE])
    missing = max(0.0, 1.0 * growth[RELIGION] + disciples - goods[RELIGION]) + max(0.0, disciples - hands)
    missing += max(0.0, 1.0 * growth[DISCIPLE] - goods[FARMLAND])
    worth += GROWTH_NEAR * nearness(missing, GROWTH_SPAN)
    return worth / (1.0 + feared(state, seat))


@rule
def prospects(box: Box, state: State, seat: int) -> float:
    """The worth of the seat's nearness to each of the victories."""
    me = state.seats[seat]
    growth = box.rules.growth_win
    near = farm_part(box, state, seat)
    worth = FARM_WAY * near * near * near * near
    near = up_to(me.goods[DISCIPLE], growth[DISCIPLE]) + up_to(me.goods[RELIGION], growth[RELIGION])
    near /= max(1.0, 1.0 * growth[DISCIPLE] + growth[RELIGION])
    worth += GROWTH_WAY * near * near * near * near
    played = 1.0 * popcount(me.miracles)
    worth += MIRACLE_WAY * played * played
    near = arms_part(state, seat)
    return worth + ARMS_WAY * near * near + nearness_of_own_victories(box, state, seat)


@rule
def farm_worth(box: Box, state: State, seat: int) -> float:
    """The worth of Farmland and its workers, up to what the farm victory takes and beyond."""
    me = state.seats[seat]
    land = 1.0 * me.goods[FARMLAND]
    units = 1.0 * n_units(state, seat)
    hands = 1.0 * me.goods[FARMER] + me.goods[EXPLORER]
    enough = 1.0 * box.rules.farm_win[FARMLAND]
    worth = LAND * min(land, enough) + LAND_MORE * min(STORE, max(0.0, land - enough))
    worth += LAND_NEEDED * min(max(0.0, land - enough), max(0.0, units - enough))
    if land < 4.0:
        worth -= DANGER * (4.0 - land) * (4.0 - land)
    enough = 1.0 * box.rules.farm_win[FARMER]
    worth += FIRST_HANDS * min(hands, FIRST_FEW_HANDS)
    return worth + HAND * min(hands, enough) + HAND_MORE * min(STORE, max(0.0, hands - enough))


@rule
def cards_worth(box: Box, state: State, seat: int, time: float) -> float:
    """The worth of the cards, by what the Farmland and the workers are worth that they bring."""
    me = state.seats[seat]
    land_worth = LAND
    if me.goods[FARMLAND] >= box.rules.farm_win[FARMLAND]:
        land_worth = LAND_MORE + LAND_NEEDED * 0.5
    hand_more = HAND
    if me.goods[FARMER] + me.goods[EXPLORER] >= box.rules.farm_win[FARMER]:
        hand_more = HAND_MORE
    return card_worth(box, state, seat, land_worth, hand_more, time)


@rule
def overflow(state: State, seat: int) -> float:
    """The cost of units and cards beyond the limits."""
    land = 1.0 * state.seats[seat].goods[FARMLAND]
    over = UNITS_OVER * max(0.0, n_units(state, seat) - land)
    return over + CARDS_OVER * max(0.0, n_cards(state, seat) - land)


@rule
def force_worth(box: Box, state: State, seat: int, time: float) -> float:
    """The worth of units, of what guards the farm, and the cost of what it has to fear."""
    worth = unit_worth(box, state, seat, time) + guard_worth(box, state, seat)
    return worth + breach(state, seat) - fear(state, seat)


@rule
def holdings(box: Box, state: State, seat: int, time: float) -> float:
    """The worth of what a seat owns and may expect."""
    if state.seats[seat].is_alive == 0:
        return OUT_OF_GAME
    worth = farm_worth(box, state, seat) + all_tokens(box, state, seat) + force_worth(box, state, seat, time)
    worth += cards_worth(box, state, seat, time) - overflow(state, seat)
    return worth + prospects(box, state, seat)


@rule
def rivals(box: Box, state: State, seat: int, time: float) -> float:
    """The others' worth as it counts against a seat, most of it the stronger one's."""
    best = -1000.0
    total = 0.0
    left = 0
    for other in range(SEATS):
        if other != seat:
            theirs = holdings(box, state, other, time)
            best = max(best, theirs)
            total += theirs
            left += state.seats[other].is_alive
    if left == 1:
        return DUEL * best
    return BEST_OTHER * best + ALL_OTHERS * total


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead of the others, most of all of the stronger one."""
    if state.phase == P.over:
        if is_first(box, state, seat):
            return WON
        return -WON
    time = time_to_come(box, state)
    return holdings(box, state, seat, time) - rivals(box, state, seat, time)


# --- What needs no thought --------------------------------------------------------------------------------


@rule
def is_free_gain(box: Box, card: int) -> bool:
    """Does a card cost nothing and only bring something: Resources, Table cards, Traps, an Extra Package?"""
    one = box.card[card]
    return one.type == RESOURCE or one.type == TABLE or one.type == TRAP or one.does == PACKAGE


@rule
def will_double(box: Box, state: State, seat: int) -> bool:
    """Does the seat hold a card that would double its Resource cards? Then their order matters."""
    for card in range(box.n_cards):
        if box.card[card].does == MANAGEMENT and state.seats[seat].hand[card] > 0:
            return True
    return False


DRAWS = 20
"""After this many cards drawn with Table cards in one turn a bot stops, whatever 15.14 allows (see 11.9)."""


@rule
def keep_farmland(box: Box, state: State, seat: int, out: Legal) -> None:
    """9: at the limits, discard Farmland last, up to what the seat needs: in the hand it makes room next turn."""
    if state.seats[seat].goods[FARMLAND] < box.rules.farm_win[FARMLAND]:
        for card in range(box.n_cards):
            if box.card[card].type == RESOURCE and box.card[card].gain[FARMLAND] > 0:
                remove(out.ids, A.drop + card)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Remove what needs no thought: a card that only brings something is played at once; an Explorer at home is sent out."""
    seat = int(state.to_act)
    if state.phase == P.explore:
        remove(out.ids, A.end_explore)
    elif state.phase == P.trim_cards:
        keep_farmland(box, state, seat, out)
    elif state.phase == P.play:
        if state.n_drawn >= DRAWS:
            for card in range(box.n_cards):
                if box.card[card].does == STUDY:
                    remove(out.ids, A.use + card)
        if not will_double(box, state, seat):
            for card in range(box.n_cards):
                if has(out.ids, A.play + card) and is_free_gain(box, card):
                    clear(out.ids)
                    allow(out, A.play + card)
                    return
