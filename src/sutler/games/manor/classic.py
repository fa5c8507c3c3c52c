"""What a position of Medieval Manor was worth to the first bots: the judgement of `classic-greedy`, kept for comparison.

They did not count the actions left, nor who has as good as won, feared hunger otherwise and proposed no deals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, bit, clear, first_from, has, remove
from sutler.core.rule import rule
from sutler.games.manor.bot.evaluate import final_lead
from sutler.games.manor.box import BOUNTY, CARD_TOKEN, CROPS, GOODS, PEASANTS, UPGRADE, VICTORY, S
from sutler.games.manor.rules.ending import hand_limit
from sutler.games.manor.scoring import end_value
from sutler.games.manor.state import food_of, holder
from sutler.games.manor.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.manor.records import Box, State

RELUCTANCE = {"accept": 0.5}  # who wants to trade with a bot must offer it something

HUNGER = 3.4
PACE = 2.4  # victory tokens the leader makes in a turn
MOST_TURNS = 7.0
FOOD_WORTH = 0.26
MONEY_WORTH = 0.30
PLENTY = 10.0  # of a good; more is worth less
PLENTY_SHARE = 0.35
CONVERTED_SHARE = 0.85  # of the victory that a conversion in play brings, for each good it takes
CONVERTED_HAND = 0.45  # the same for a bounty still in the hand
PEASANT_TURN = 0.42  # what a peasant's card and action bring in a turn, its food paid
CROWD = 6.0  # peasants; more of them find little to do
MEAL_WORTH = 0.12  # food that the next feeding will ask for is worth so much more
CARD_WORTH = 0.10
BOUNTY_SHARE = 0.30  # of what a bounty would bring, while it is in the hand
UPGRADE_SHARE = 0.22
SPARE_SHARE = 0.35  # of a card's worth, for cards over the hand limit
CONVERTS_TURN = 0.10  # what it brings in a turn to own any conversion
MILLS_TURN = 0.35  # and one that makes victory
DISCOUNT_TURN = 0.20
HAND_TURN = 0.10
NEXT_CARD = 0.25
OTHERS = 0.9  # how much the best other seat's holdings count against one's own
CALM = 2.0  # a lead is divided by CALM and the turns left


@rule
def turns_left(box: Box, state: State) -> float:
    """About how many turns the game still takes: the leader's way to go at the usual pace."""
    left = 100.0
    for seat in range(state.n_seats):
        left = min(left, float(box.options.victory - state.seats[seat].tokens[VICTORY]))
    return max(0.0, min(MOST_TURNS, left / PACE))


@rule
def token_worth(token: int, n: int) -> float:
    """So many of one good; beyond plenty they are worth less."""
    each = FOOD_WORTH
    if token >= CROPS + 2:
        each = MONEY_WORTH
    return each * (min(float(n), PLENTY) + PLENTY_SHARE * max(0.0, n - PLENTY))


@rule
def upgrade_worth(box: Box, card: int, turns: float) -> float:
    """An upgrade's gains over the turns it will serve, its conversion and its lasting effects."""
    one = box.card[card]
    worth = one.gain[VICTORY] * turns
    for token in range(GOODS):
        worth += one.gain[token] * MONEY_WORTH * turns
    if one.convert.there == 1:
        worth += CONVERTS_TURN * turns
        if one.convert.get[VICTORY] > 0:
            worth += MILLS_TURN * turns
    return worth + one.hand_size * HAND_TURN * turns + one.discount * DISCOUNT_TURN * turns + one.end.victory


@rule
def bounty_worth(box: Box, state: State, seat: int, card: int) -> float:
    """What a bounty would bring if it were played."""
    one = box.card[card]
    worth = float(one.gain[VICTORY] - one.lose[VICTORY]) + 2.0 * one.gain[PEASANTS]
    for token in range(GOODS):
        worth += one.gain[token] * MONEY_WORTH
    return worth + 0.3 * (one.draw_now + one.draw_next) + 0.3 * one.steal.count


@rule
def milling(box: Box, state: State, seat: int, card: int, share: float) -> float:
    """What the goods that a conversion turns into victory are worth beyond their plain worth."""
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
    return most * max(0.0, share * one.convert.get[VICTORY] - plain)


@rule
def hand_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The cards in hand: a part of what they would bring, less for those beyond the limit."""
    me = state.seats[seat]
    hand = state.seats[holder(box, seat)].hand
    worth = 0.0
    n = 0
    card = first_from(hand, 0)
    while card >= 0:
        one = box.card[card]
        n += 1
        worth += CARD_WORTH
        if one.type == BOUNTY:
            worth += BOUNTY_SHARE * bounty_worth(box, state, seat, card)
        elif one.type == UPGRADE:
            worth += UPGRADE_SHARE * upgrade_worth(box, card, turns)
        card = first_from(hand, card + 1)
    limit = hand_limit(box, state, seat)
    if n > limit:
        actions = 0
        if state.stage < S.upgrade:
            actions = max(0, me.tokens[PEASANTS] - me.worked)
        useful = min(n, limit + actions)
        worth = worth / n * (useful + SPARE_SHARE * (n - useful))
    return worth


@rule
def best_milling(box: Box, state: State, seat: int) -> float:
    """The best use that a seat's conversions into victory have for its goods, in play or in the hand."""
    best = 0.0
    card = first_from(box.mills, 0)
    while card >= 0:
        if has(state.seats[seat].upgrades, card):
            best = max(best, milling(box, state, seat, card, CONVERTED_SHARE))
        elif has(state.seats[holder(box, seat)].hand, card):
            best = max(best, milling(box, state, seat, card, CONVERTED_HAND))
        card = first_from(box.mills, card + 1)
    return best


@rule
def holdings(box: Box, state: State, seat: int, turns: float) -> float:
    """What a seat owns and may hope for, in victory tokens."""
    me = state.seats[seat]
    worth = float(me.tokens[VICTORY]) + end_value(box, state, seat)
    for token in range(GOODS):
        worth += token_worth(token, me.tokens[token])
    worth += best_milling(box, state, seat)
    peasants = me.tokens[PEASANTS] - 1
    worth += PEASANT_TURN * turns * (min(float(peasants), CROWD) + 0.2 * max(0.0, peasants - CROWD))
    food = food_of(state, seat)
    worth += MEAL_WORTH * min(food, peasants)
    if peasants > food:
        soon = 0.45
        if state.stage >= S.upgrade:
            soon = 1.0
        if state.stage > S.feeding:
            soon = 0.3
        worth -= soon * HUNGER + 0.15 * (peasants - food)
    worth += hand_worth(box, state, seat, turns)
    worth += NEXT_CARD * me.extra_next
    card = first_from(me.upgrades, 0)
    while card >= 0:
        worth += upgrade_worth(box, card, turns)
        card = first_from(me.upgrades, card + 1)
    return worth


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead, in victory tokens of mid-game."""
    if state.phase == P.over:
        return final_lead(box, state, seat)
    turns = turns_left(box, state)
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, holdings(box, state, other, turns))
    lead = holdings(box, state, seat, turns) - OTHERS * best
    return lead * (CALM + 4.0) / (CALM + turns)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """What a bot does not think about: offers of its own, in answer too, and the same two cards the other way round."""
    if state.phase == P.offer:
        clear(out.ids)
        allow(out, A.done)
    elif state.phase == P.compose:
        clear(out.ids)
        allow(out, A.cancel)
    elif state.phase == P.answer:
        remove(out.ids, A.counter)
    elif state.phase in (P.sell_second, P.swap_second):
        first = A.sell
        if state.phase == P.swap_second:
            first = A.swap
        if first_from(out.ids, first + state.other) >= 0:
            for action in range(first, first + state.other):
                out.ids[action >> 6] &= ~bit(action & 63)
