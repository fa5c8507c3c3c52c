"""Reviewing a finished game: the decisions that cost their players most, found by playing on from them in both ways.

The greedy bot, which looks one move ahead, finds decisions where another action seems better. From these the game is played on by normal
bots, many times with the action taken and as many times with the other, each pair with the same cards and dice, hidden cards redealt as
the seat could know them. The worst are then played on again with fresh redeals; only these results are reported, so that no decision is
reported because it was selected by chance.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from sutler.bots.greedy import GreedyBot
from sutler.core.actions import Action
from sutler.core.play.position import Position, SeatView
from sutler.core.text.sentences import to_plain_text
from sutler.lab.play.rollouts import RolloutTable, mean_and_half_width, play_seat_outcomes
from sutler.lab.play.simulate import concatenate_states

PLAYER = "normal"
"""The level of the bot that plays on."""
MAX_SCREENED = 16
"""The most decisions of a game that are played on from."""
SCREENING_PAIRS, PAIRS = 24, 100
"""Pairs of games played on from each decision in the screening, and from the worst of them again."""
MIN_CHANCE_LOST = 0.05
"""The smallest loss in the chance to win that is reported."""


@dataclass(frozen=True)
class CostlyDecision:
    """A decision of a finished game that lowered its seat's chance to win.

    `decision`: its number, from 0; `won`, `won_instead`: the seat's share of the wins in `pairs` games played on with the action taken and
    with `instead`; `half`: half the 95 % interval of their difference.
    """

    decision: int
    seat: int
    taken: Action
    instead: Action
    won: float
    won_instead: float
    half: float
    pairs: int

    @property
    def lost(self) -> float:
        """The chance to win that the decision cost, 0 to 1."""
        return self.won_instead - self.won

    def format_choices(self, pos: Position) -> tuple[str, str]:
        """The labels of the action taken and of the better one, as the table shows them. `pos`: the game."""
        labels = {choice.name: to_plain_text(choice.label) for choice in pos.at(self.decision).choices(self.seat)}
        taken, instead = (labels.get(action.name, action.name) for action in (self.taken, self.instead))
        return taken, instead


def find_costly_decisions(pos: Position, seats: Set[int], max_decisions: int = 3) -> list[CostlyDecision]:
    """The decisions of these seats that cost the most chance to win, in order of play.

    There are at most `max_decisions`, all of them significant and of at least MIN_CHANCE_LOST.
    """
    table = RolloutTable(pos.game, [PLAYER], pos.n_seats)
    screened = []
    for decision, instead in _find_doubtful_decisions(pos, seats)[:MAX_SCREENED]:
        there = _estimate_cost_by_rollouts(table, pos, decision, instead, SCREENING_PAIRS, new_redeals=False)
        if there.lost > 0:
            screened.append(there)
    screened.sort(key=lambda one: -one.lost)
    found = [
        there
        for one in screened[:max_decisions]
        if (there := _estimate_cost_by_rollouts(table, pos, one.decision, one.instead, PAIRS, new_redeals=True)).lost
        > there.half
        and there.lost >= MIN_CHANCE_LOST
    ]
    return sorted(found, key=lambda one: one.decision)


def _find_doubtful_decisions(pos: Position, seats: Set[int]) -> list[tuple[int, Action]]:
    """The decisions in which these seats did not choose as the greedy bot does, as (number, its choice), the largest difference first."""
    found: list[tuple[float, int, Action]] = []
    for number, made in enumerate(pos.decisions):
        if made.seat not in seats or made.n_legal < 2:
            continue
        ranked = GreedyBot().explain(pos.at(number).for_seat(made.seat))
        values = {int(action): value for action, value, _ in ranked}
        if made.action in values and int(ranked[0][0]) != made.action:
            found.append((values[made.action] - ranked[0][1], number, ranked[0][0]))
    return [(number, action) for _, number, action in sorted(found, key=lambda one: one[:2])]


def _estimate_cost_by_rollouts(
    table: RolloutTable, pos: Position, decision: int, instead: Action, pairs: int, new_redeals: bool
) -> CostlyDecision:
    """The cost of a decision, from `pairs` pairs of games played on with the action taken and with `instead`.

    `new_redeals`: use other redeals than the screening did.
    """
    made = pos.decisions[decision]
    view = pos.at(decision).for_seat(made.seat, seed=2 if new_redeals else 1)
    both = np.array(
        [_play_win_shares(table, view, (made.action, int(instead)), decision * PAIRS + k) for k in range(pairs)]
    )
    _, half = mean_and_half_width(both[:, 1] - both[:, 0])
    won, won_instead = both.mean(axis=0).tolist()
    return CostlyDecision(
        decision, made.seat, pos.game.action_names[made.action], instead, won, won_instead, half, pairs
    )


def _play_win_shares(table: RolloutTable, view: SeatView, actions: Sequence[int], seed: int) -> list[float]:
    """The seat's share of the win after each of these actions, played on from one redeal with equal random numbers."""
    world = view.redeal()
    states = concatenate_states(*(table.copy_after_action(world, action) for action in actions))
    return [won for won, _ in play_seat_outcomes(table, table.game.box, states, seed, view.seat)]
