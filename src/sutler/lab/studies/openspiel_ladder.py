"""Well-known games of OpenSpiel on a ladder of bots like ours: random, then tree searches with more and more rounds.

The searches are OpenSpiel's own (MCTSBot with random playouts); there is no greedy bot, since these games have no evaluation. In a deal
the same random numbers decide every chance event, one after another.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sutler.core.names import did_you_mean
from sutler.core.optional_imports import Missing, import_optional
from sutler.lab.studies.skill import Match, Seating, Step, play_step_by_matches

KNOWN_GAMES = {"connect_four": "Connect Four", "pig": "Pig", "tic_tac_toe": "Tic-tac-toe", "backgammon": "Backgammon"}
"""Titles of games by OpenSpiel's names. Nothing is hidden in these games, so its search cannot see more than it may."""
UCT_C, MAX_MEMORY_MB = 2.0, 200
LADDER_ROUNDS = (0, 5, 20)
"""The rounds of the searches from the weakest up; 0 is the random bot."""


def import_pyspiel() -> Any:
    """The module pyspiel (OpenSpiel); None where it is not installed."""
    try:
        return import_optional("pyspiel", "openspiel")
    except Missing:
        return None


def require_known_games(names: Sequence[str]) -> dict[str, str]:
    """The titles of these games, by OpenSpiel's names; ValueError for a game that is not in KNOWN_GAMES."""
    for one in names:
        if one not in KNOWN_GAMES:
            raise ValueError(f"--beside {one}: there are {', '.join(KNOWN_GAMES)}{did_you_mean(one, KNOWN_GAMES)}")
    return {one: KNOWN_GAMES[one] for one in names}


def build_match(name: str, rounds: tuple[int, int]) -> tuple[Match, int]:
    """A function that plays matches between two bots with this many rounds, and the number of seats; Missing without OpenSpiel."""
    pyspiel: Any = import_optional("pyspiel", "openspiel")
    game = pyspiel.load_game(name)

    def bot(many: int, seed: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, evaluator, UCT_C, many, MAX_MEMORY_MB, False, seed, False)

    def match(seating: Seating, seed: int) -> list[float]:
        dice, luck = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
        searches = {who: bot(rounds[who], 2 * seed + who) for who in (0, 1) if rounds[who]}
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(dice.choice(actions, p=chances)))
                continue
            who = seating[state.current_player()]
            legal = state.legal_actions()
            state.apply_action(int(searches[who].step(state)) if rounds[who] else int(luck.choice(legal)))
        return list(state.returns())

    return match, int(game.num_players())


def iter_ladder_steps(name: str, deals: int, seed: int = 1, rounds: tuple[int, ...] = LADDER_ROUNDS) -> Iterator[Step]:
    """Yield the steps of the ladder in the game `name`. `deals`: of each step; `rounds`: of the bots, the weakest first."""
    for k, (lower, upper) in enumerate(itertools.pairwise(rounds)):
        match, seats = build_match(name, (lower, upper))
        names = [f"search {many}" if many else "random" for many in (lower, upper)]
        yield play_step_by_matches(names[0], names[1], match, seats, deals, seed + k * deals, len(rounds) - 1)
