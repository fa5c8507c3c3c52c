"""What a position of Medieval Manor was worth to the first bots: the judgement of `classic-greedy`, kept for comparison.

They did not count the actions left, nor who has as good as won, feared hunger otherwise and proposed no deals; the rest is judged as
in `evaluate.py`. Whoever changes a worth there keeps the old one here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, bit, clear, first_from
from sutler.core.rule import rule
from sutler.games.manor.box import GOODS, PEASANTS, VICTORY, S
from sutler.games.manor.evaluate import (
    CALM,
    CROWD,
    MEAL_WORTH,
    NEXT_CARD,
    OTHERS,
    PEASANT_TURN,
    best_milling,
    final_lead,
    hand_worth,
    token_worth,
    turns_left,
    upgrade_worth,
)
from sutler.games.manor.scoring import end_value
from sutler.games.manor.state import food_of
from sutler.games.manor.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.manor.records import Box, State

RELUCTANCE = {"accept": 0.5}  # who wants to trade with a bot must offer it something

HUNGER = 3.4


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
        return final_lead(state, seat)
    turns = turns_left(box, state)
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, holdings(box, state, other, turns))
    lead = holdings(box, state, seat, turns) - OTHERS * best
    return lead * (CALM + 4.0) / (CALM + turns)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """What a bot does not think about: offers of its own, and the same two cards the other way round."""
    if state.phase == P.offer:
        clear(out.ids)
        allow(out, A.done)
    elif state.phase == P.compose:
        clear(out.ids)
        allow(out, A.cancel)
    elif state.phase in (P.sell_second, P.swap_second):
        first = A.sell
        if state.phase == P.swap_second:
            first = A.swap
        if first_from(out.ids, first + state.other) >= 0:
            for action in range(first, first + state.other):
                out.ids[action >> 6] &= ~bit(action & 63)
