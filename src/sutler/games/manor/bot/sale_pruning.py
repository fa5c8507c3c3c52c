"""Pruning in the middle of a sale (guide 5.9): of the ways to finish it, only the best is kept.

A sale is two cards for a good: with six cards there are sixty ways, half of all positions that a greedy bot looked at. Where the next
decision is another seat's, nothing comes between the sale and its evaluation, so the cheapest card and the best good are chosen by worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow, count, first_from, forbid, has, remove
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.manor.bot.evaluate import (
    BOUNTY_SHARE,
    UPGRADE_SHARE,
    final_food_worth,
    final_goods_worth,
    food_worth,
    goods_worth_with_conversion,
    is_last_turn,
    n_turns_left,
    upgrade_worth,
)
from sutler.games.manor.box import BOUNTY, CARDS, GOODS, PAIR, UPGRADE
from sutler.games.manor.phases_actions_events import A, P
from sutler.games.manor.rules.work import has_action

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.manor.records import Box, State


@rule
def does_another_seat_act_next(state: State, seat: int) -> bool:
    """Will the next action be another seat's, with a choice of cards, whatever this seat sells (5.1)?"""
    for other in range(state.n_seats):
        if other != seat and has_action(state, other) and count(state.seats[other].hand) >= PAIR:
            return True
    return False


@rule
def card_worth(box: Box, card: int, turns: float) -> float:
    """The worth of a card in the hand beyond the worth of a plain card, in victory tokens, as in `cards_worth`."""
    one = box.card[card]
    if one.type == BOUNTY:
        return BOUNTY_SHARE * one.worth
    if one.type == UPGRADE:
        return UPGRADE_SHARE * upgrade_worth(box, card, turns)
    return 0.0


@rule
def keep_cheapest_sale(box: Box, state: State, out: Legal) -> None:
    """Leave in `out`, of the second cards that may be sold, the cheapest one and those that turn goods into victory.

    The worth of the latter depends on goods.
    """
    turns = 0.0
    if not is_last_turn(box, state):
        turns = n_turns_left(box, state)
    cheapest = NOBODY
    least = 0.0
    action = first_from(out.ids, A.sell)
    while 0 <= action < A.sell + CARDS:
        card = action - A.sell
        if not has(box.mills, card):
            worth = card_worth(box, card, turns)
            forbid(out, action)
            if cheapest == NOBODY or worth < least:
                cheapest = card
                least = worth
        action = first_from(out.ids, action + 1)
    if cheapest != NOBODY:
        allow(out, A.sell + cheapest)


@rule
def goods_worth(box: Box, state: State, seat: int) -> float:
    """The part of `evaluate` that is a seat's goods and food, in victory tokens."""
    if is_last_turn(box, state):
        return final_goods_worth(box, state, seat) + final_food_worth(box, state, seat)
    return goods_worth_with_conversion(box, state, seat) + food_worth(box, state, seat, n_turns_left(box, state))


@rule
def keep_best_good(box: Box, state: State, seat: int, out: Legal) -> None:
    """Leave in `out`, of the goods that two cards may be sold for, only the one after which the seat stands best; each is tried."""
    me = state.seats[seat]
    remove(me.hand, state.card)
    remove(me.hand, state.other)
    me.worked += 1
    best = NOBODY
    most = 0.0
    for good in range(GOODS):
        if has(out.ids, A.gain + good):
            me.tokens[good] += 1
            worth = goods_worth(box, state, seat)
            me.tokens[good] -= 1
            forbid(out, A.gain + good)
            if best == NOBODY or worth > most:
                best = good
                most = worth
    me.worked -= 1
    add(me.hand, state.card)
    add(me.hand, state.other)
    allow(out, A.gain + best)


@rule
def narrow(box: Box, state: State, out: Legal) -> None:
    """Remove from `out`, in the middle of a sale, the actions that cannot lead to a better result than the remaining ones."""
    seat = int(state.to_act)
    if box.options.common_hand == 0 and does_another_seat_act_next(state, seat):
        if state.phase == P.sell_second:
            keep_cheapest_sale(box, state, out)
        elif state.phase == P.sell_good:
            keep_best_good(box, state, seat, out)
