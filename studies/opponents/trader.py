"""A bot for Medieval Manor, the trader: a normal bot that trades as much as it can, to test what bots accept (docs/bots.md).

    sutler simulate manor --bots studies/opponents/trader.py,greedy,greedy,greedy --games 1000

In its trade phase it looks, with each other seat in turn, for a deal of up to five tokens of one kind for up to six of another: the best
for itself among those that a normal bot in that seat would accept. It accepts every offer by which it gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.bots.kit import Compiled
from sutler.core.rule import rule
from sutler.games.manor.bot.deals import MIN_GAIN_OF_ACCEPTER, is_deal_good, lead_in_trade, move_cards, move_thing
from sutler.games.manor.bot.evaluate import evaluate
from sutler.games.manor.box import TOKENS, VICTORY
from sutler.games.manor.phases_actions_events import A, P
from sutler.games.manor.rules.common import may_gain
from sutler.games.manor.rules.trade import n_to_trade, reader, writer

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice

MAX_ASKED, MAX_GIVEN = 5, 6
"""The most tokens of one kind that the trader asks for, and that it gives."""
COUNTS = 8
SIDES = TOKENS * COUNTS
NO_DEAL = -1


@dataclass(frozen=True)
class Trader(Compiled):
    """The normal bot with another way to trade. dear: the worth it adds to each victory token; least: the least gain of a deal."""

    name = "trader"

    dear: float = 2.0
    least: float = 0.1
    redeals: int = 1
    nodes: int = 100


@rule
def liking(box: Any, state: Any, seat: Any, dear: Any) -> Any:
    """The trader's value of a position: the game's evaluation, and `dear` for each victory token of the seat."""
    return evaluate(box, state, seat) + dear * state.seats[seat].tokens[VICTORY]


@rule
def best_deal(box: Any, state: Any, seat: Any, other: Any, dear: Any, least: Any) -> Any:
    """The best deal with another seat, both sides of it coded in one number (SIDES, COUNTS); NO_DEAL if none is good for both."""
    mine = lead_in_trade(box, state, seat)
    theirs = lead_in_trade(box, state, other)
    best = liking(box, state, seat, dear) + least
    found = NO_DEAL
    for wanted in range(TOKENS):
        most = min(MAX_ASKED, n_to_trade(state, other, wanted))
        if not may_gain(state, wanted):
            most = 0
        for n in range(1, most + 1):
            move_thing(state, other, seat, wanted, n)
            if liking(box, state, seat, dear) > best:
                for given in range(TOKENS):
                    paid = min(MAX_GIVEN, n_to_trade(state, seat, given))
                    if given == wanted or not may_gain(state, given):
                        paid = 0
                    for m in range(1, paid + 1):
                        move_thing(state, seat, other, given, m)
                        value = liking(box, state, seat, dear)
                        if value > best and is_deal_good(box, state, other, seat, theirs, mine, MIN_GAIN_OF_ACCEPTER):
                            best = value
                            found = (given * COUNTS + m) * SIDES + wanted * COUNTS + n
                        move_thing(state, other, seat, given, m)
            move_thing(state, seat, other, wanted, n)
    return found


@rule
def propose(box: Any, state: Any, seat: Any, dear: Any, least: Any) -> Any:
    """The action in the offer phase: an offer to the next seat with which there is a deal, or to end the phase."""
    for step in range(1 + state.seats[seat].n_offers, state.n_seats):
        other = int((seat + step) % state.n_seats)
        if best_deal(box, state, seat, other, dear, least) != NO_DEAL:
            return A.offer + other
    return A.done


@rule
def write(box: Any, state: Any, seat: Any, dear: Any, least: Any) -> Any:
    """The action while an offer is composed: add a token of the best deal, send the offer, or cancel it."""
    deal = best_deal(box, state, seat, reader(state), dear, least)
    if deal == NO_DEAL:
        return A.cancel
    given = deal // SIDES // COUNTS
    wanted = deal % SIDES // COUNTS
    if state.offer.give[given] < deal // SIDES % COUNTS:
        return A.give + given
    if state.offer.want[wanted] < deal % SIDES % COUNTS:
        return A.want + wanted
    return A.send


@rule
def answer(box: Any, state: Any, seat: Any, dear: Any, least: Any) -> Any:
    """The answer to an offer: accept it if it brings the seat more than `least`."""
    other = writer(state)
    before = liking(box, state, seat, dear)
    for token in range(TOKENS):
        move_thing(state, other, seat, token, int(state.offer.give[token]) - int(state.offer.want[token]))
    move_cards(state, other, seat, state.offer.give_cards)
    move_cards(state, seat, other, state.offer.want_cards)
    after = liking(box, state, seat, dear)
    for token in range(TOKENS):
        move_thing(state, seat, other, token, int(state.offer.give[token]) - int(state.offer.want[token]))
    move_cards(state, seat, other, state.offer.give_cards)
    move_cards(state, other, seat, state.offer.want_cards)
    if after > before + least:
        return A.accept
    return A.decline


@rule
def decide(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action: in trade the trader's choice, in all other decisions the greedy bot's."""
    state = scratch.world
    seat = int(state.to_act)
    if state.phase == P.offer:
        return propose(box, state, seat, bot.own[0], bot.own[1])
    if state.phase == P.compose:
        return write(box, state, seat, bot.own[0], bot.own[1])
    if state.phase == P.answer:
        return answer(box, state, seat, bot.own[0], bot.own[1])
    return greedy_choice(box, scratch, bot, luck)
