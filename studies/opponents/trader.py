"""Trader of Medieval Manor: a normal bot that trades everything with everybody, to test what bots accept (docs/bots.md).

    sutler simulate manor --bots studies/opponents/trader.py,greedy,greedy,greedy --games 1000

In its trade phase it looks, with each neighbour in turn, for the deal of up to five of one token for up to six of another that
it likes best among those the neighbour will take, for it asks what a normal bot asks. It takes whatever brings it anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.bots.kit import Compiled
from sutler.core.rule import rule
from sutler.games.manor.bot.deals import MIN_GAIN_OF_ACCEPTER, deal_is_good, lead_in_trade, move_cards, move_thing
from sutler.games.manor.bot.evaluate import evaluate
from sutler.games.manor.box import TOKENS, VICTORY
from sutler.games.manor.rules.common import may_gain
from sutler.games.manor.rules.trade import n_to_trade, reader, writer
from sutler.games.manor.table import A, P

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice

MAX_ASKED, MAX_GIVEN = 5, 6
"""Tokens of one kind that it asks for and gives, at most."""
COUNTS = 8
SIDES = TOKENS * COUNTS
NO_DEAL = -1


@dataclass(frozen=True)
class Trader(Compiled):
    """Normal in all but trade. dear: what a victory token is worth to it beyond what `evaluate` says; least: what a deal must bring."""

    name = "trader"

    dear: float = 2.0
    least: float = 0.1
    redeals: int = 1
    nodes: int = 100


@rule
def liking(box: Any, state: Any, seat: Any, dear: Any) -> Any:
    """What the trader thinks of a position."""
    return evaluate(box, state, seat) + dear * state.seats[seat].tokens[VICTORY]


@rule
def best_deal(box: Any, state: Any, seat: Any, other: Any, dear: Any, least: Any) -> Any:
    """The deal to propose to another seat, as a number for both sides; NO_DEAL if there is none that both take."""
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
                        if value > best and deal_is_good(box, state, other, seat, theirs, mine, MIN_GAIN_OF_ACCEPTER):
                            best = value
                            found = (given * COUNTS + m) * SIDES + wanted * COUNTS + n
                        move_thing(state, other, seat, given, m)
            move_thing(state, seat, other, wanted, n)
    return found


@rule
def propose(box: Any, state: Any, seat: Any, dear: Any, least: Any) -> Any:
    """The next neighbour with whom there is a deal, or no more offers."""
    for step in range(1 + state.seats[seat].n_offers, state.n_seats):
        other = int((seat + step) % state.n_seats)
        if best_deal(box, state, seat, other, dear, least) != NO_DEAL:
            return A.offer + other
    return A.done


@rule
def write(box: Any, state: Any, seat: Any, dear: Any, least: Any) -> Any:
    """One more token on the slip, or off it goes."""
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
    """Takes what brings it anything."""
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
    """Trades by its own lights, and is greedy in all else."""
    state = scratch.world
    seat = int(state.to_act)
    if state.phase == P.offer:
        return propose(box, state, seat, bot.own[0], bot.own[1])
    if state.phase == P.compose:
        return write(box, state, seat, bot.own[0], bot.own[1])
    if state.phase == P.answer:
        return answer(box, state, seat, bot.own[0], bot.own[1])
    return greedy_choice(box, scratch, bot, luck)
