"""The worth of a position of Medieval Manor to a seat, for bots; how it was tuned is in docs/bots.md.

Everything is counted in victory tokens. `holdings` adds up what a seat owns, with what it is likely to bring in the turns that are
left; `evaluate` is the lead over the others, and a lead counts for more the sooner the game ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import WORD, bit, count, first_from, has, lowest
from sutler.core.rule import rule
from sutler.games.manor.box import BOUNTY, CARD_TOKEN, CROPS, GOODS, PEASANTS, UPGRADE, VICTORY, S
from sutler.games.manor.rules.ending import hand_limit
from sutler.games.manor.scoring import end_value, is_ahead
from sutler.games.manor.state import food_of, holder
from sutler.games.manor.table import P

if TYPE_CHECKING:
    from sutler.core.typing import Bits
    from sutler.games.manor.records import Box, State

SCALE = 3.0  # a lead of three victory tokens in mid-game is a clear one

PACE = 1.79  # victory tokens the leader makes in a turn
MOST_TURNS = 2.54  # a manor changes too much in three turns for what lies beyond to count
FOOD_WORTH = 0.445
MONEY_WORTH = 0.30
PLENTY = 16.9  # of a good; more is worth less
PLENTY_SHARE = 0.353
CONVERTED_SHARE = 0.806  # of the victory that a conversion in play brings, for each good it takes
CONVERTED_HAND = 0.484  # of that victory, for a bounty still in the hand
PEASANT_TURN = 1.98  # what a peasant's card and action bring in a turn, its food paid
ACTION_LEFT = 0.752  # worth of an action still to come in this work phase, with a card for it
CROWD = 6.83  # peasants; more of them find little to do:
CROWD_SHARE = 0.0776  # of the worth of one
HUNGER_SOON = 0.294  # how likely it is that a seat which lacks food goes hungry: before the work,
HUNGER_IN_WORK = 0.236  # with an action left to find some,
HUNGER_NOW = 1.03  # with none left,
HUNGER_LATER = 0.132  # and in the next turn
LACKING = 0.362  # for each food it lacks
MEAL_WORTH = 0.196  # food that the next feeding will ask for is worth so much more
CARD_WORTH = 0.0434
BOUNTY_SHARE = 0.736  # of what a bounty would bring, while it is in the hand
UPGRADE_SHARE = 0.11
SPARE_SHARE = 0.585  # of a card's worth, for cards over the hand limit
CONVERTS_TURN = 0.10  # what it brings in a turn to own any conversion
MILLS_TURN = 0.35  # and one that makes victory
DISCOUNT_TURN = 0.20
HAND_TURN = 0.10
NEXT_CARD = 0.25
BEST_OTHER = 0.707  # how much the best other seat's holdings count against one's own
CALM = 2.52  # a lead is divided by CALM and the turns left
WON = 12.0
CLINCHED = 8.0  # when somebody has enough victory to end the game with this turn: who is ahead then has as good as won
LAST_SHARE = (
    0.1  # of goods, hands, upgrades and cards then: what is not made victory by the turn's end is worth nothing
)


@rule
def turns_left(box: Box, state: State) -> float:
    """About how many turns the game still takes: what the leader still needs, at the usual pace."""
    left = 100.0
    for seat in range(state.n_seats):
        left = min(left, float(box.options.victory - state.seats[seat].tokens[VICTORY]))
    return max(0.0, min(MOST_TURNS, left / PACE))


@rule
def token_worth(token: int, n: int) -> float:
    """The worth of n of one good; beyond plenty they are worth less."""
    each = FOOD_WORTH
    if token >= CROPS + 2:
        each = MONEY_WORTH
    return each * (min(float(n), PLENTY) + PLENTY_SHARE * max(0.0, n - PLENTY))


def worth_in_turn(box: Box, card: int) -> float:
    """The worth of an upgrade per turn: its gains, its conversion and its lasting effects. Computed once, by `packing`."""
    one = box.card[card]
    worth = float(one.gain[VICTORY])
    for token in range(GOODS):
        worth += one.gain[token] * MONEY_WORTH
    if one.convert.there == 1:
        worth += CONVERTS_TURN
        if one.convert.get[VICTORY] > 0:
            worth += MILLS_TURN
    return worth + one.hand_size * HAND_TURN + one.discount * DISCOUNT_TURN


def worth_of(box: Box, card: int) -> float:
    """The worth of a bounty if it were played, or of an upgrade at the end of the game. Computed once, by `packing`."""
    one = box.card[card]
    if one.type == UPGRADE:
        return float(one.end.victory)
    worth = float(one.gain[VICTORY] - one.lose[VICTORY]) + 2.0 * one.gain[PEASANTS]
    for token in range(GOODS):
        worth += one.gain[token] * MONEY_WORTH
    return worth + 0.3 * (one.draw_now + one.draw_next) + 0.3 * one.steal.count


@rule
def upgrade_worth(box: Box, card: int, turns: float) -> float:
    """The worth of an upgrade over the turns it will serve, and at the end."""
    return box.card[card].worth_turn * turns + box.card[card].worth


@rule
def conversion_worth(box: Box, state: State, seat: int, card: int, share: float, kept: float) -> float:
    """The worth that a conversion adds to the goods it turns into victory; `kept` is the share of their worth that they lose."""
    one = box.card[card]
    most = 1000.0
    plain = 0.0
    for token in range(GOODS):
        if one.convert.give[token] > 0:
            n = float(state.seats[seat].tokens[token])
            most = min(most, n / one.convert.give[token])
            plain += one.convert.give[token] * MONEY_WORTH
    if one.convert.give[PEASANTS] > 0 or one.convert.give[CARD_TOKEN] > 0:
        return 0.0
    return most * max(0.0, share * one.convert.get[VICTORY] - kept * plain)


@rule
def cards_worth(box: Box, hand: Bits, turns: float) -> float:
    """The worth of a hand without a limit: a part of what its cards would bring."""
    worth = 0.0
    card = first_from(hand, 0)
    while card >= 0:
        one = box.card[card]
        worth += CARD_WORTH
        if one.type == BOUNTY:
            worth += BOUNTY_SHARE * one.worth
        elif one.type == UPGRADE:
            worth += UPGRADE_SHARE * upgrade_worth(box, card, turns)
        card = first_from(hand, card + 1)
    return worth


@rule
def within_limit(state: State, seat: int, worth: float, n: int, limit: int) -> float:
    """8.1: the worth of n cards that are worth `worth` together; those beyond the limit count less, if they cannot be played before."""
    if n <= limit:
        return worth
    actions = 0
    if state.stage < S.upgrade:
        actions = max(0, state.seats[seat].tokens[PEASANTS] - state.seats[seat].worked)
    useful = min(n, limit + actions)
    return worth / n * (useful + SPARE_SHARE * (n - useful))


@rule
def hand_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of the cards in hand: a part of what they would bring, less for those beyond the limit."""
    hand = state.seats[holder(box, seat)].hand
    worth = cards_worth(box, hand, turns)
    return within_limit(state, seat, worth, count(hand), hand_limit(box, state, seat))


@rule
def best_conversion_worth(box: Box, state: State, seat: int, kept: float) -> float:
    """The most that a seat's conversions into victory, in play or in the hand, add to the worth of its goods."""
    best = 0.0
    upgrades = state.seats[seat].upgrades
    hand = state.seats[holder(box, seat)].hand
    for w in range(len(hand)):
        mills = box.mills[w] & (upgrades[w] | hand[w])
        while mills != 0:
            card = w * WORD + lowest(mills)
            mills &= ~bit(card & (WORD - 1))
            share = CONVERTED_HAND
            if has(upgrades, card):
                share = CONVERTED_SHARE
            best = max(best, conversion_worth(box, state, seat, card, share, kept))
    return best


@rule
def actions_left(box: Box, state: State, seat: int) -> int:
    """5.1: the actions of this work phase that are still to come, with cards for them."""
    me = state.seats[seat]
    if state.stage != S.work or me.has_passed == 1:
        return 0
    return max(0, min(int(me.tokens[PEASANTS] - me.worked), count(state.seats[holder(box, seat)].hand)))


@rule
def hunger_cost(box: Box, state: State, seat: int, turns: float) -> float:
    """7.2: what a seat that lacks food is likely to lose: a peasant, and no more victory than it has."""
    likely = HUNGER_SOON
    if state.stage > S.feeding:
        likely = HUNGER_LATER
    elif actions_left(box, state, seat) > 0:
        likely = HUNGER_IN_WORK
    elif state.stage >= S.work:
        likely = HUNGER_NOW
    victory = min(int(state.seats[seat].tokens[VICTORY]), int(box.rules.hunger_victory))
    return likely * (victory + PEASANT_TURN * turns)


@rule
def gains_of(box: Box, upgrades: Bits) -> float:
    """6: the victory that upgrades bring in a turn."""
    total = 0.0
    card = first_from(upgrades, 0)
    while card >= 0:
        total += box.card[card].gain[VICTORY]
        card = first_from(upgrades, card + 1)
    return total


@rule
def victory_at_hand(box: Box, state: State, seat: int) -> float:
    """The victory that a seat has, plus what its upgrades still bring it this turn."""
    total = float(state.seats[seat].tokens[VICTORY])
    if state.stage < S.upgrade:
        total += gains_of(box, state.seats[seat].upgrades)
    return total


@rule
def ends_now(box: Box, state: State) -> bool:
    """8.2: does the game end with this turn?"""
    for seat in range(state.n_seats):
        if victory_at_hand(box, state, seat) >= box.options.victory:
            return True
    return False


@rule
def clinched(box: Box, state: State, seat: int) -> float:
    """The lead where the game ends with this turn: positive for the seat, negative against it."""
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, victory_at_hand(box, state, other) + end_value(box, state, other))
    lead = victory_at_hand(box, state, seat) + end_value(box, state, seat) - best
    return CLINCHED * max(-1.0, min(1.0, lead))


@rule
def stores_worth(box: Box, state: State, seat: int) -> float:
    """The worth of goods, and of what conversions may make of them."""
    worth = best_conversion_worth(box, state, seat, 1.0)
    for token in range(GOODS):
        worth += token_worth(token, state.seats[seat].tokens[token])
    return worth


@rule
def peasants_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of peasants beyond the first, and of the actions still to come in this phase."""
    peasants = state.seats[seat].tokens[PEASANTS] - 1
    worth = PEASANT_TURN * turns * (min(float(peasants), CROWD) + CROWD_SHARE * max(0.0, peasants - CROWD))
    return worth + ACTION_LEFT * actions_left(box, state, seat)


@rule
def food_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """7.1, 7.2: the worth of food for the peasants, or what hunger is likely to cost."""
    peasants = state.seats[seat].tokens[PEASANTS] - 1
    food = food_of(state, seat)
    worth = MEAL_WORTH * min(food, peasants)
    if peasants > food:
        worth -= hunger_cost(box, state, seat, turns) + LACKING * (peasants - food)
    return worth


@rule
def upgrades_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of upgrades in play."""
    worth = 0.0
    upgrades = state.seats[seat].upgrades
    card = first_from(upgrades, 0)
    while card >= 0:
        worth += upgrade_worth(box, card, turns)
        card = first_from(upgrades, card + 1)
    return worth


@rule
def victory_so_far(box: Box, state: State, seat: int) -> float:
    """Victory tokens, and what upgrades add at the end."""
    return float(state.seats[seat].tokens[VICTORY]) + end_value(box, state, seat)


@rule
def coming_cards_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of the hand, and of the extra cards drawn next turn."""
    return hand_worth(box, state, seat, turns) + NEXT_CARD * state.seats[seat].extra_next


@rule
def holdings(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of what a seat owns and may hope for, in victory tokens."""
    worth = victory_so_far(box, state, seat) + stores_worth(box, state, seat) + peasants_worth(box, state, seat, turns)
    worth += food_worth(box, state, seat, turns) + upgrades_worth(box, state, seat, turns)
    return worth + coming_cards_worth(box, state, seat, turns)


@rule
def final_victory(box: Box, state: State, seat: int) -> float:
    """A seat's victory if the game ends with this turn: with what its upgrades still bring, and what they add at the end."""
    return victory_at_hand(box, state, seat) + end_value(box, state, seat)


@rule
def final_stores_worth(box: Box, state: State, seat: int) -> float:
    """The worth of goods if the game ends with this turn: the victory that they can still be turned into."""
    plain = 0.0
    for token in range(GOODS):
        plain += token_worth(token, state.seats[seat].tokens[token])
    worth = LAST_SHARE * plain
    if state.stage <= S.upgrade:
        worth += best_conversion_worth(box, state, seat, LAST_SHARE)
    return worth


@rule
def final_food_worth(box: Box, state: State, seat: int) -> float:
    """The worth of food if the game ends with this turn: the victory that hunger would take."""
    if state.stage > S.feeding:
        return 0.0
    return food_worth(box, state, seat, 0.0)


@rule
def final_holdings(box: Box, state: State, seat: int) -> float:
    """The worth of what a seat owns where the game ends with this turn, in victory tokens."""
    left = (
        peasants_worth(box, state, seat, 0.0)
        + upgrades_worth(box, state, seat, 0.0)
        + coming_cards_worth(box, state, seat, 0.0)
    )
    worth = final_victory(box, state, seat) + final_stores_worth(box, state, seat) + final_food_worth(box, state, seat)
    return worth + LAST_SHARE * left


@rule
def best_final_holdings(box: Box, state: State, seat: int) -> float:
    """The most that another seat owns if the game ends with this turn, in victory tokens."""
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, final_holdings(box, state, other))
    return best


@rule
def final_lead(box: Box, state: State, seat: int) -> float:
    """The value of a finished game: won or lost, and by how much."""
    best = -1000
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, int(state.seats[other].tokens[VICTORY]))
    for other in range(state.n_seats):
        if is_ahead(box, state, other, seat):
            return -WON + 0.1 * (state.seats[seat].tokens[VICTORY] - best)
    return WON + 0.1 * (state.seats[seat].tokens[VICTORY] - best)


@rule
def best_other(box: Box, state: State, seat: int, turns: float) -> float:
    """The holdings of the best of the others."""
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, holdings(box, state, other, turns))
    return best


@rule
def weight_of_lead(turns: float) -> float:
    """The weight of a lead, larger the sooner the game ends."""
    return (CALM + 4.0) / (CALM + turns)


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead, in victory tokens of mid-game."""
    if state.phase == P.over:
        return final_lead(box, state, seat)
    if ends_now(box, state):
        lead = final_holdings(box, state, seat) - BEST_OTHER * best_final_holdings(box, state, seat)
        return lead * weight_of_lead(0.0) + clinched(box, state, seat)
    turns = turns_left(box, state)
    return (holdings(box, state, seat, turns) - BEST_OTHER * best_other(box, state, seat, turns)) * weight_of_lead(
        turns
    )
