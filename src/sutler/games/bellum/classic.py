"""What a position of Bellum se ipsum alet was worth to the first bots: the judgement of `classic-greedy`, kept for comparison.

They might attack with nothing, and did not see what comes of a retreat; the rest is judged as in `evaluate.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import forbid
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import HEXES, POWERS
from sutler.games.bellum.evaluate import OTHERS, RIVAL, VICTORY, outlook, power_worth
from sutler.games.bellum.scoring import does_war_win, is_ahead, is_same_side, power_of, seat_score
from sutler.games.bellum.state import ally_of, is_enemy, is_in_play
from sutler.games.bellum.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.bellum.records import Box, State


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Bots feed by number (11.4): token by token there are too many ways to say the same."""
    if state.phase == P.feed:
        for area in range(HEXES):
            forbid(out, A.tilt + area)


@rule
def side_worth(box: Box, state: State, power: int) -> float:
    """A power and its ally."""
    worth = power_worth(box, state, power)
    ally = ally_of(box, state, power)
    if ally != NOBODY:
        worth += power_worth(box, state, ally)
    if state.phase == P.answer:
        if state.fight.attacker == power or (ally != NOBODY and state.fight.attacker == ally):
            worth += outlook(box, state)
        elif state.fight.defender == power or (ally != NOBODY and state.fight.defender == ally):
            worth -= 0.7 * outlook(box, state)
    return worth


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead: its own side's prospects less the best rival's; at the end, whether it has won."""
    mine = power_of(state, seat)
    if state.phase == P.over:
        ahead = 1.0 * seat_score(box, state, seat)
        best = -100.0
        is_first = not does_war_win(box, state)
        for other in range(state.n_seats):
            if other != seat and not is_same_side(box, state, seat, other):
                best = max(best, 1.0 * seat_score(box, state, other))
                if is_ahead(box, state, other, seat):
                    is_first = False
        if is_first:
            return VICTORY + ahead - best
        return ahead - best - 0.5 * VICTORY
    worth = side_worth(box, state, mine)
    best = -100.0
    total = 0.0
    for power in range(POWERS):
        if is_in_play(box, state, power) and is_enemy(box, state, mine, power):
            ally = ally_of(box, state, power)
            if ally == NOBODY or power < ally:
                rival = side_worth(box, state, power)
                best = max(best, rival)
                total += rival
    return worth - RIVAL * best - OTHERS * total
