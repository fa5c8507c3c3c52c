"""The evaluation of a Medieval Manor position for bots, in victory tokens; docs/bots.md tells how its constants were tuned.

`total_worth` adds up what a seat owns and what this is likely to bring in the turns that are left. `evaluate` is the lead over the other
seats; a lead counts for more the sooner the game ends. `turns` is always the number of turns that the game still takes (`n_turns_left`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import WORD, bit, count, first_from, has, lowest
from sutler.core.rule import rule
from sutler.games.manor.box import BOUNTY, CARD_TOKEN, CROPS, GOODS, PEASANTS, UPGRADE, VICTORY, S
from sutler.games.manor.phases_actions_events import P
from sutler.games.manor.rules.ending import hand_limit
from sutler.games.manor.scoring import end_victory, is_ahead
from sutler.games.manor.state import food_of, hand_holder

if TYPE_CHECKING:
    from sutler.core.typing import Bits
    from sutler.games.manor.records import Box, State

SCALE = 3.0  # the value of a clear lead in mid-game
# Where people play: a policy, which learned at every number of seats (docs/bots.md).
TABLE_LEVELS = {"normal": "policy", "hard": "policy:budget=1:threads=0"}

PACE = 1.79  # victory tokens that the leading seat makes in a turn
MOST_TURNS = 2.54  # the most turns that the evaluation looks ahead: what comes later is too uncertain to count
FOOD_WORTH = 0.445
MONEY_WORTH = 0.30
PLENTY = 16.9  # the number of one good beyond which a further one is worth less
PLENTY_SHARE = 0.353
CONVERTED_SHARE = 0.806  # the share of the victory tokens that a conversion in play could make of the goods a seat has
CONVERTED_HAND = 0.484  # the share of the victory tokens for a conversion on a card still in the hand
PEASANT_TURN = 1.98  # what a peasant's card and action bring in a turn, after its food
ACTION_LEFT = 0.752  # the worth of an action still to come in this work phase, if there is a card for it
CROWD = 6.83  # the number of peasants beyond which a further one finds little to do
CROWD_SHARE = 0.0776  # the share of a peasant's worth that such a further one has
HUNGER_SOON = 0.294  # the chance that a seat which lacks food goes hungry: before the work phase
HUNGER_IN_WORK = 0.236  # in the work phase, with an action left to find food
HUNGER_NOW = 1.03  # in the work phase or later, with no action left
HUNGER_LATER = 0.132  # after the feeding of this turn, for that of the next
LACKING = 0.362  # the cost of each food that is lacking
MEAL_WORTH = 0.196  # the extra worth of each food that the next feeding will ask for
CARD_WORTH = 0.0434
BOUNTY_SHARE = 0.736  # the share of what a bounty would bring that counts while the card is in the hand
UPGRADE_SHARE = 0.11
SPARE_SHARE = 0.585  # the share of a card's worth that counts for cards over the hand limit
CONVERTS_TURN = 0.10  # what any conversion in play brings in a turn
MILLS_TURN = 0.35  # what a conversion that makes victory brings in addition
DISCOUNT_TURN = 0.20
HAND_TURN = 0.10
NEXT_CARD = 0.25
BEST_OTHER = 0.707  # the share of the best other seat's holdings that is taken from one's own
CALM = 2.52  # added to the turns left in the divisor of a lead
WON = 12.0
CLINCHED = 8.0  # the value of the lead where the game ends with this turn, since the seat ahead has then almost won
LAST_SHARE = 0.1  # the share of their worth that goods, peasants, upgrades and cards keep if the game ends now


@rule
def n_turns_left(box: Box, state: State) -> float:
    """An estimate of the number of turns that the game still takes, at most MOST_TURNS.

    It is what the leading seat still needs for victory, divided by PACE.
    """
    left = 100.0
    for seat in range(state.n_seats):
        left = min(left, float(box.options.victory - state.seats[seat].tokens[VICTORY]))
    return max(0.0, min(MOST_TURNS, left / PACE))


@rule
def tokens_worth(token: int, n: int) -> float:
    """The worth of `n` tokens of one good, in victory tokens; each one beyond PLENTY is worth less."""
    each = FOOD_WORTH
    if token >= CROPS + 2:
        each = MONEY_WORTH
    return each * (min(float(n), PLENTY) + PLENTY_SHARE * max(0.0, n - PLENTY))


def worth_per_turn(box: Box, card: int) -> float:
    """The worth of an upgrade in one turn, in victory tokens: its gains, its conversion and its lasting effects.

    Computed once for each card when the box is packed (`packing`).
    """
    one = box.card[card]
    worth = float(one.gain[VICTORY])
    for token in range(GOODS):
        worth += one.gain[token] * MONEY_WORTH
    if one.convert.there == 1:
        worth += CONVERTS_TURN
        if one.convert.get[VICTORY] > 0:
            worth += MILLS_TURN
    return worth + one.hand_size * HAND_TURN + one.discount * DISCOUNT_TURN


def one_time_worth(box: Box, card: int) -> float:
    """The worth that a card brings once, in victory tokens: a bounty when it is played, an upgrade at the end of the game.

    Computed once for each card when the box is packed (`packing`).
    """
    one = box.card[card]
    if one.type == UPGRADE:
        return float(one.end.victory)
    worth = float(one.gain[VICTORY] - one.lose[VICTORY]) + 2.0 * one.gain[PEASANTS]
    for token in range(GOODS):
        worth += one.gain[token] * MONEY_WORTH
    return worth + 0.3 * (one.draw_now + one.draw_next) + 0.3 * one.steal.count


@rule
def upgrade_worth(box: Box, card: int, turns: float) -> float:
    """The worth of an upgrade in play over the turns that are left and at the end of the game, in victory tokens."""
    return box.card[card].worth_turn * turns + box.card[card].worth


@rule
def conversion_worth(box: Box, state: State, seat: int, card: int, victory_share: float, goods_share: float) -> float:
    """The worth that a card's conversion adds to a seat's goods, since they could be turned into victory, in victory tokens.

    `victory_share` is the share of the victory made that counts, `goods_share` the share of the goods' plain worth lost in exchange.
    """
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
    return most * max(0.0, victory_share * one.convert.get[VICTORY] - goods_share * plain)


@rule
def cards_worth(box: Box, hand: Bits, turns: float) -> float:
    """The worth of a set of cards in the hand, in victory tokens: a share of what the cards would bring; the hand limit is ignored."""
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
def worth_within_hand_limit(state: State, seat: int, worth: float, n: int, limit: int) -> float:
    """The worth of a hand under the hand limit (8.1), in victory tokens; cards over the limit that cannot be played before count less.

    `worth` is what the `n` cards would be worth together without the limit.
    """
    if n <= limit:
        return worth
    actions = 0
    if state.stage < S.upgrade:
        actions = max(0, state.seats[seat].tokens[PEASANTS] - state.seats[seat].worked)
    useful = min(n, limit + actions)
    return worth / n * (useful + SPARE_SHARE * (n - useful))


@rule
def hand_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of a seat's hand, in victory tokens: a share of what its cards would bring, less for cards over the hand limit."""
    hand = state.seats[hand_holder(box, seat)].hand
    worth = cards_worth(box, hand, turns)
    return worth_within_hand_limit(state, seat, worth, count(hand), hand_limit(box, state, seat))


@rule
def best_conversion_worth(box: Box, state: State, seat: int, goods_share: float) -> float:
    """The largest worth that one conversion into victory adds to a seat's goods, in victory tokens.

    The card may be in play or in the hand. `goods_share` is the share of the goods' plain worth that is lost in exchange.
    """
    best = 0.0
    upgrades = state.seats[seat].upgrades
    hand = state.seats[hand_holder(box, seat)].hand
    for w in range(len(hand)):
        mills = box.mills[w] & (upgrades[w] | hand[w])
        while mills != 0:
            card = w * WORD + lowest(mills)
            mills &= ~bit(card & (WORD - 1))
            share = CONVERTED_HAND
            if has(upgrades, card):
                share = CONVERTED_SHARE
            best = max(best, conversion_worth(box, state, seat, card, share, goods_share))
    return best


@rule
def n_actions_left(box: Box, state: State, seat: int) -> int:
    """The number of actions that a seat can still take in this work phase, at most the cards in its hand (5.1); 0 in other phases."""
    me = state.seats[seat]
    if state.stage != S.work or me.has_passed == 1:
        return 0
    return max(0, min(int(me.tokens[PEASANTS] - me.worked), count(state.seats[hand_holder(box, seat)].hand)))


@rule
def hunger_cost(box: Box, state: State, seat: int, turns: float) -> float:
    """The expected loss of a seat that lacks food for the next feeding (7.2), in victory tokens.

    It loses a peasant, and at most the victory it has.
    """
    likely = HUNGER_SOON
    if state.stage > S.feeding:
        likely = HUNGER_LATER
    elif n_actions_left(box, state, seat) > 0:
        likely = HUNGER_IN_WORK
    elif state.stage >= S.work:
        likely = HUNGER_NOW
    victory = min(int(state.seats[seat].tokens[VICTORY]), int(box.rules.hunger_victory))
    return likely * (victory + PEASANT_TURN * turns)


@rule
def victory_gains(box: Box, upgrades: Bits) -> float:
    """The victory tokens that a set of upgrades brings in a turn (guide 6)."""
    total = 0.0
    card = first_from(upgrades, 0)
    while card >= 0:
        total += box.card[card].gain[VICTORY]
        card = first_from(upgrades, card + 1)
    return total


@rule
def victory_at_hand(box: Box, state: State, seat: int) -> float:
    """The victory tokens that a seat has, plus those that its upgrades will still bring in this turn."""
    total = float(state.seats[seat].tokens[VICTORY])
    if state.stage < S.upgrade:
        total += victory_gains(box, state.seats[seat].upgrades)
    return total


@rule
def is_last_turn(box: Box, state: State) -> bool:
    """Will the game end with this turn, because a seat has or is sure to get enough victory tokens (8.2)?"""
    for seat in range(state.n_seats):
        if victory_at_hand(box, state, seat) >= box.options.victory:
            return True
    return False


@rule
def clinched_lead_value(box: Box, state: State, seat: int) -> float:
    """The value of a seat's lead if the game ends with this turn: -CLINCHED if the seat is behind, to CLINCHED if it is ahead.

    The caller must know that the game ends with this turn.
    """
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, victory_at_hand(box, state, other) + end_victory(box, state, other))
    lead = victory_at_hand(box, state, seat) + end_victory(box, state, seat) - best
    return CLINCHED * max(-1.0, min(1.0, lead))


@rule
def goods_worth_with_conversion(box: Box, state: State, seat: int) -> float:
    """The worth of a seat's goods, in victory tokens, including what the seat's best conversion may make of them."""
    worth = best_conversion_worth(box, state, seat, 1.0)
    for token in range(GOODS):
        worth += tokens_worth(token, state.seats[seat].tokens[token])
    return worth


@rule
def peasants_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of a seat's peasants beyond the first one and of its remaining actions in this phase, in victory tokens."""
    peasants = state.seats[seat].tokens[PEASANTS] - 1
    worth = PEASANT_TURN * turns * (min(float(peasants), CROWD) + CROWD_SHARE * max(0.0, peasants - CROWD))
    return worth + ACTION_LEFT * n_actions_left(box, state, seat)


@rule
def food_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of a seat's food for the next feeding (7.1), less the expected cost of hunger (7.2), in victory tokens."""
    peasants = state.seats[seat].tokens[PEASANTS] - 1
    food = food_of(state, seat)
    worth = MEAL_WORTH * min(food, peasants)
    if peasants > food:
        worth -= hunger_cost(box, state, seat, turns) + LACKING * (peasants - food)
    return worth


@rule
def upgrades_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of a seat's upgrades in play, in victory tokens."""
    worth = 0.0
    upgrades = state.seats[seat].upgrades
    card = first_from(upgrades, 0)
    while card >= 0:
        worth += upgrade_worth(box, card, turns)
        card = first_from(upgrades, card + 1)
    return worth


@rule
def victory_so_far(box: Box, state: State, seat: int) -> float:
    """The victory tokens that a seat has, plus those that its upgrades would add if the game ended."""
    return float(state.seats[seat].tokens[VICTORY]) + end_victory(box, state, seat)


@rule
def coming_cards_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of a seat's hand and of the extra cards it will draw next turn, in victory tokens."""
    return hand_worth(box, state, seat, turns) + NEXT_CARD * state.seats[seat].extra_next


@rule
def total_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of everything a seat owns and may expect, in victory tokens."""
    worth = (
        victory_so_far(box, state, seat)
        + goods_worth_with_conversion(box, state, seat)
        + peasants_worth(box, state, seat, turns)
    )
    worth += food_worth(box, state, seat, turns) + upgrades_worth(box, state, seat, turns)
    return worth + coming_cards_worth(box, state, seat, turns)


@rule
def final_victory(box: Box, state: State, seat: int) -> float:
    """The victory tokens that a seat will have if the game ends with this turn.

    They are its present ones, and those that its upgrades still bring and add at the end.
    """
    return victory_at_hand(box, state, seat) + end_victory(box, state, seat)


@rule
def final_goods_worth(box: Box, state: State, seat: int) -> float:
    """The worth of a seat's goods if the game ends with this turn, in victory tokens: mostly the victory they can be turned into."""
    plain = 0.0
    for token in range(GOODS):
        plain += tokens_worth(token, state.seats[seat].tokens[token])
    worth = LAST_SHARE * plain
    if state.stage <= S.upgrade:
        worth += best_conversion_worth(box, state, seat, LAST_SHARE)
    return worth


@rule
def final_food_worth(box: Box, state: State, seat: int) -> float:
    """The worth of a seat's food if the game ends with this turn, in victory tokens: mostly the loss by hunger; 0 after the feeding."""
    if state.stage > S.feeding:
        return 0.0
    return food_worth(box, state, seat, 0.0)


@rule
def final_total_worth(box: Box, state: State, seat: int) -> float:
    """The worth of all that a seat owns if the game ends with this turn, in victory tokens."""
    left = (
        peasants_worth(box, state, seat, 0.0)
        + upgrades_worth(box, state, seat, 0.0)
        + coming_cards_worth(box, state, seat, 0.0)
    )
    worth = final_victory(box, state, seat) + final_goods_worth(box, state, seat) + final_food_worth(box, state, seat)
    return worth + LAST_SHARE * left


@rule
def best_final_rival_worth(box: Box, state: State, seat: int) -> float:
    """The largest `final_total_worth` among the other seats, in victory tokens."""
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, final_total_worth(box, state, other))
    return best


@rule
def final_lead(box: Box, state: State, seat: int) -> float:
    """The value of a finished game to a seat: WON or -WON, with a small addition for the size of the lead."""
    best = -1000
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, int(state.seats[other].tokens[VICTORY]))
    for other in range(state.n_seats):
        if is_ahead(box, state, other, seat):
            return -WON + 0.1 * (state.seats[seat].tokens[VICTORY] - best)
    return WON + 0.1 * (state.seats[seat].tokens[VICTORY] - best)


@rule
def best_rival_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The largest `total_worth` among the other seats, in victory tokens."""
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, total_worth(box, state, other, turns))
    return best


@rule
def weight_of_lead(turns: float) -> float:
    """The factor by which a lead is multiplied, larger the fewer turns are left."""
    return (CALM + 4.0) / (CALM + turns)


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """The value of a position to a seat: its lead over the best other seat, in victory tokens of the middle of a game."""
    if state.phase == P.over:
        return final_lead(box, state, seat)
    if is_last_turn(box, state):
        lead = final_total_worth(box, state, seat) - BEST_OTHER * best_final_rival_worth(box, state, seat)
        return lead * weight_of_lead(0.0) + clinched_lead_value(box, state, seat)
    turns = n_turns_left(box, state)
    return (
        total_worth(box, state, seat, turns) - BEST_OTHER * best_rival_worth(box, state, seat, turns)
    ) * weight_of_lead(turns)
