"""How well an untrained policy plays while it draws its actions, by how much it goes by the game's own judgement (`sure`).

    python studies/policy_start.py threeyears --games 1000
    python studies/policy_start.py manor --sure 60,240 --games 200

A policy that learns (`sutler train GAME --policy`) draws its actions. If its `sure` is too low for the game it loses games by that, and
first has to learn what the greedy bot knew; if it is too high it tries nothing out. Printed for each `sure`: the share of games won by one
such seat among greedy bots, with its interval (95 %); the share of decisions in which it takes an action that is valued less than the best;
the entropy of what it draws from, in nats; how many decisions it has in a game, with how many inputs that are not 0 and how many options.
The last row, `greedy`, is the same with `sure` so high that only equal actions are drawn: its entropy comes from ties alone.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

import sutler
from sutler.bots.greedy import GreedyBot
from sutler.bots.kit.policy_network import PolicyWeights
from sutler.bots.policy import Policy, pack_policy_row
from sutler.core.play.game import Game
from sutler.lab.stats.estimates import compute_wilson_interval
from sutler.lab.training.policy_fit import compute_hidden_layer, compute_log_probabilities
from sutler.lab.training.policy_training import (
    LEARNER,
    TEST_SEED,
    build_decisions,
    compute_training_win_shares,
    play_policy_games,
)

ONLY_TIES = 1e6
"""A `sure` at which a policy never takes an action that is valued visibly less than the best."""


@dataclass(frozen=True)
class UntrainedPlay:
    """How an untrained policy plays: the share of games it wins and of decisions in which it strays from the best, and the means told."""

    won: float
    strays: float
    entropy: float
    decisions: float
    inputs: float
    options: float


def measure_untrained_play(
    game: Game, sure: float, games: int, seats: int, seed: int = TEST_SEED, nodes: int = 200
) -> UntrainedPlay:
    """Play `games` games of one untrained policy, in every seat equally often, among greedy bots. nodes: of those bots, as theirs."""
    weights = PolicyWeights.untrained(game, seats, np.random.default_rng(1), sure)
    bots = np.full((games, seats), 1)
    bots[np.arange(games), np.arange(games) % seats] = LEARNER
    row = pack_policy_row(Policy(nodes=nodes), weights, game)
    played = play_policy_games(game, row, [GreedyBot(nodes=nodes)], bots, seed)
    asked, _ = build_decisions(game, played, weights.arrays, seats, 1.0)
    logs = compute_log_probabilities(asked, compute_hidden_layer(asked.inputs, weights.arrays), weights.arrays)
    n = len(asked.phase)
    return UntrainedPlay(
        won=float(compute_training_win_shares(game, played.results, seats)[bots == LEARNER].mean()),
        strays=float((asked.value[asked.chosen] < -1.0 / ONLY_TIES).mean()),
        entropy=float(-(np.exp(logs) * logs).sum() / n),
        decisions=n / games,
        inputs=float(played.rows["n_inputs"].mean()),
        options=len(asked.action) / n,
    )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--sure", default="20,60,200,600", help="values, separated by commas")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seats", type=int, default=0, help="the game's best number unless told")
    parser.add_argument("--seed", type=int, default=TEST_SEED, help="the first seed")
    options = parser.parse_args()
    game = sutler.load(options.game)
    seats = options.seats or game.best_seats
    print("| sure | won | strays | entropy | decisions a game | inputs | options |\n|---|---|---|---|---|---|---|")
    for sure in [*map(float, options.sure.split(",")), ONLY_TIES]:
        one = measure_untrained_play(game, sure, options.games, seats, options.seed)
        low, high = compute_wilson_interval(one.won * options.games, options.games)
        cells = [
            "greedy" if sure == ONLY_TIES else f"{sure:g}",
            f"{one.won:.1%} ({low:.1%}–{high:.1%})",
            f"{one.strays:.1%}",
        ]
        cells += [f"{one.entropy:.2f}", f"{one.decisions:.0f}", f"{one.inputs:.0f}", f"{one.options:.1f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
