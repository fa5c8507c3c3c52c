"""The evaluation of a WARFARM position for bots that look one move ahead, in points of no fixed unit.

The numbers were set by hand from what things cost and bring. Then `studies/league.py` moved them until no earlier bot, no persona and no
best response to any of these won against them. `game_left` is always the share (0 to 1) of the game that is still to come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, clear, has, popcount, remove
from sutler.core.rule import rule
from sutler.games.warfarm.bot.threats import (
    SHORTENED,
    cost_of_expected_hits,
    expected_hits,
    share_of_arms_victory,
    spare_attacks_worth,
)
from sutler.games.warfarm.bot.worth import guards_worth, smaller_of, table_and_hand_worth, tokens_worth, units_worth
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
from sutler.games.warfarm.phases_actions_events import A, P
from sutler.games.warfarm.scoring import is_first
from sutler.games.warfarm.state import n_cards, n_units

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.warfarm.records import Box, State

SCALE = 100.0  # the value of a clear lead: two Soldiers
# Where people play: a policy, which learned at the usual number of seats (docs/bots.md).
TABLE_LEVELS = {"normal": "policy", "hard": "policy:budget=1:threads=0"}
# Shortened courses say little in this game, so the priors share out the rounds, and a lead is worth what it is.
SEARCH = {"candidates": 0, "chances": 0, "curiosity": 1.0}
# "warmth": a move three points worse is nearly as good; "calm": early leads are soon lost again.
SHORT_SEARCH = {"warmth": 0.03, "calm": 3.0}
WON = 4000.0  # more than anything that a seat can own
OUT_OF_GAME = -30.0

LAND = 2.25  # up to the number that the farm victory asks for
LAND_MORE = 1.15  # beyond that number
LAND_NEEDED = 0.201  # extra, when the units need the room
DANGER = 0.386  # times the square of what is missing to four Farmland
HAND = 0.814  # a Farmer, or an Explorer, who will be a Farmer again
HAND_MORE = 0.183
FIRST_HANDS = 6.43  # extra for each of the first few Farmers: without them no Water comes in, and armies stand still
FIRST_FEW_HANDS = 1.35
STORE = 4.15  # the most that counts beyond the goal: a farm that feeds itself (11.9) must stop and win
# cost of each unit or card beyond the limits
UNITS_OVER = 21.6
CARDS_OVER = 0.633
# nearness to each of the victories
FARM_WAY = 82.7
FARM_NEAR = 1000.0  # by how little is missing, and how safe it is until the next turn
FARM_SPAN = 4.0  # where so much is missing, `victory_nearness` is 1/16
GROWTH_WAY = 79.1
GROWTH_NEAR = 62.7
GROWTH_SPAN = 7.95
MIRACLE_WAY = 33.6
ARMS_WAY = 20.7
# the other seats
BEST_OTHER = 1.19
ALL_OTHERS = 0.4
DUEL = 1.33  # the weight of the last other seat in the game: what it loses is gained


@rule
def share_of_game_left_by_farms(box: Box, state: State) -> float:
    """The share (0 to 1) of the game that is still to come, estimated by what the farm nearest to the farm victory lacks."""
    nearest = 0.0
    for seat in range(SEATS):
        nearest = max(nearest, share_of_farm_victory(box, state, seat))
    return 1.0 - nearest


@rule
def share_of_game_left_by_farms_and_armies(box: Box, state: State) -> float:
    """The share (0 to 1) of the game that is still to come, estimated by farms and armies.

    A game is short when two farms have lost their Farmland.
    """
    nearest = 0.0
    for seat in range(SEATS):
        nearest = max(nearest, share_of_arms_victory(state, seat))
    return min(share_of_game_left_by_farms(box, state), 1.0 - SHORTENED * nearest)


@rule
def share_of_farm_victory(box: Box, state: State, seat: int) -> float:
    """The share (0 to 1) of the farm victory's goods that a seat has; an Explorer counts as the Farmer it will become again."""
    me = state.seats[seat]
    farm = box.rules.farm_win
    near = smaller_of(me.goods[FARMLAND], farm[FARMLAND]) + smaller_of(
        me.goods[FARMER] + me.goods[EXPLORER], farm[FARMER]
    )
    return near / max(1.0, 1.0 * farm[FARMLAND] + farm[FARMER])


@rule
def victory_nearness(missing: float, span: float) -> float:
    """The nearness of a victory that lacks `missing` goods: 1 for none, falling steeply to 0; 1/16 for `span` goods."""
    near = span / (span + missing)
    return near * near * near * near


@rule
def own_victories_worth(box: Box, state: State, seat: int) -> float:
    """The worth to a seat of its nearness to the farm victory (14.1) and the growth victory (14.3).

    Counted is what is missing in Farmland, Farmers, Disciples and Religion. A Disciple takes a Farmer and a Religion. Farmland that may
    be struck before the next turn (`expected_hits`) puts both victories off.
    """
    goods = state.seats[seat].goods
    farm = box.rules.farm_win
    hands = 1.0 * goods[FARMER] + goods[EXPLORER]
    missing = max(0.0, 1.0 * farm[FARMLAND] - goods[FARMLAND]) + max(0.0, 1.0 * farm[FARMER] - hands)
    worth = FARM_NEAR * victory_nearness(missing, FARM_SPAN)
    growth = box.rules.growth_win
    disciples = max(0.0, 1.0 * growth[DISCIPLE] - goods[DISCIPLE])
    missing = max(0.0, 1.0 * growth[RELIGION] + disciples - goods[RELIGION]) + max(0.0, disciples - hands)
    missing += max(0.0, 1.0 * growth[DISCIPLE] - goods[FARMLAND])
    worth += GROWTH_NEAR * victory_nearness(missing, GROWTH_SPAN)
    return worth / (1.0 + expected_hits(state, seat))


@rule
def victory_prospects_worth(box: Box, state: State, seat: int) -> float:
    """The worth to a seat of its nearness to each way of winning, added up."""
    me = state.seats[seat]
    growth = box.rules.growth_win
    near = share_of_farm_victory(box, state, seat)
    worth = FARM_WAY * near * near * near * near
    near = smaller_of(me.goods[DISCIPLE], growth[DISCIPLE]) + smaller_of(me.goods[RELIGION], growth[RELIGION])
    near /= max(1.0, 1.0 * growth[DISCIPLE] + growth[RELIGION])
    worth += GROWTH_WAY * near * near * near * near
    played = 1.0 * popcount(me.miracles)
    worth += MIRACLE_WAY * played * played
    near = share_of_arms_victory(state, seat)
    return worth + ARMS_WAY * near * near + own_victories_worth(box, state, seat)


@rule
def farm_worth(box: Box, state: State, seat: int) -> float:
    """The worth of a seat's Farmland, Farmers and Explorers; those beyond what the farm victory asks for count less."""
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
def cards_worth(box: Box, state: State, seat: int, game_left: float) -> float:
    """The worth of a seat's cards, computed with the present worth of Farmland and Farmers, which cards bring."""
    me = state.seats[seat]
    land_worth = LAND
    if me.goods[FARMLAND] >= box.rules.farm_win[FARMLAND]:
        land_worth = LAND_MORE + LAND_NEEDED * 0.5
    farmer_worth = HAND
    if me.goods[FARMER] + me.goods[EXPLORER] >= box.rules.farm_win[FARMER]:
        farmer_worth = HAND_MORE
    return table_and_hand_worth(box, state, seat, land_worth, farmer_worth, game_left)


@rule
def cost_of_excess(state: State, seat: int) -> float:
    """The cost to a seat of the units and cards that it has beyond its limits."""
    land = 1.0 * state.seats[seat].goods[FARMLAND]
    over = UNITS_OVER * max(0.0, n_units(state, seat) - land)
    return over + CARDS_OVER * max(0.0, n_cards(state, seat) - land)


@rule
def force_worth(box: Box, state: State, seat: int, game_left: float) -> float:
    """The worth of a seat's units and guards, less the cost of the attacks that it must expect."""
    worth = units_worth(box, state, seat, game_left) + guards_worth(box, state, seat)
    return worth + spare_attacks_worth(state, seat) - cost_of_expected_hits(state, seat)


@rule
def total_worth(box: Box, state: State, seat: int, game_left: float) -> float:
    """The worth of all that a seat owns and may expect; OUT_OF_GAME for a seat that is out of the game."""
    if state.seats[seat].is_alive == 0:
        return OUT_OF_GAME
    worth = farm_worth(box, state, seat) + tokens_worth(box, state, seat) + force_worth(box, state, seat, game_left)
    worth += cards_worth(box, state, seat, game_left) - cost_of_excess(state, seat)
    return worth + victory_prospects_worth(box, state, seat)


@rule
def rivals_worth(box: Box, state: State, seat: int, game_left: float) -> float:
    """The worth of the other two seats that is subtracted from a seat's own; the stronger one counts most."""
    best = -1000.0
    total = 0.0
    left = 0
    for other in range(SEATS):
        if other != seat:
            theirs = total_worth(box, state, other, game_left)
            best = max(best, theirs)
            total += theirs
            left += state.seats[other].is_alive
    if left == 1:
        return DUEL * best
    return BEST_OTHER * best + ALL_OTHERS * total


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """The value of a position to a seat: its own worth less the weighted worth of the others; WON or -WON after the end."""
    if state.phase == P.over:
        if is_first(box, state, seat):
            return WON
        return -WON
    game_left = share_of_game_left_by_farms_and_armies(box, state)
    return total_worth(box, state, seat, game_left) - rivals_worth(box, state, seat, game_left)


# --- Actions that need no thought --------------------------------------------------------------------------------


@rule
def is_pure_gain(box: Box, card: int) -> bool:
    """Is playing this card a gain without cost, as for a Resource, a Table card, a Trap, or an Extra Package?"""
    one = box.card[card]
    return one.type == RESOURCE or one.type == TABLE or one.type == TRAP or one.does == PACKAGE


@rule
def has_doubling_card(box: Box, state: State, seat: int) -> bool:
    """Does a seat hold a card that would double its Resource cards? Then the order of playing them matters."""
    for card in range(box.n_cards):
        if box.card[card].does == MANAGEMENT and state.seats[seat].hand[card] > 0:
            return True
    return False


MAX_DRAWS_A_TURN = 20
"""The number of cards drawn with Table cards in one turn after which a bot stops, whatever option 15.14 allows (see 11.9)."""


@rule
def forbid_discarding_farmland(box: Box, state: State, seat: int, out: Legal) -> None:
    """Forbid in `out` to discard Farmland at the limits (guide 9) until the seat has enough for the farm victory.

    Farmland raises the limits of the next turn.
    """
    if state.seats[seat].goods[FARMLAND] < box.rules.farm_win[FARMLAND]:
        for card in range(box.n_cards):
            if box.card[card].type == RESOURCE and box.card[card].gain[FARMLAND] > 0:
                remove(out.ids, A.drop + card)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Leave in `out` only the obvious action where there is one: play a card that only brings something, send out an Explorer."""
    seat = int(state.to_act)
    if state.phase == P.explore:
        remove(out.ids, A.end_explore)
    elif state.phase == P.trim_cards:
        forbid_discarding_farmland(box, state, seat, out)
    elif state.phase == P.play:
        if state.n_drawn >= MAX_DRAWS_A_TURN:
            for card in range(box.n_cards):
                if box.card[card].does == STUDY:
                    remove(out.ids, A.use + card)
        if not has_doubling_card(box, state, seat):
            for card in range(box.n_cards):
                if has(out.ids, A.play + card) and is_pure_gain(box, card):
                    clear(out.ids)
                    allow(out, A.play + card)
                    return
