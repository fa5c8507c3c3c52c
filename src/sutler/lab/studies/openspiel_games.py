"""Known games of OpenSpiel on the same ladder as ours: random, then tree searches of more and more rounds (skill.step_by_matches).

The searches are OpenSpiel's own (MCTSBot with random playouts); there is no greedy bot between, for these games have no
evaluation. In a deal the same numbers decide every chance, one after another.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sutler.core.extras import Missing, wanted
from sutler.core.spelling import did_you_mean
from sutler.lab.studies.skill import Match, Seating, Step, step_by_matches

KNOWN_GAMES = {"connect_four": "Connect Four", "pig": "Pig", "tic_tac_toe": "Tic-tac-toe", "backgammon": "Backgammon"}
"""Games of OpenSpiel in which nothing is hidden, by its name, so that its search does not look where it may not."""
UCT_C, MAX_MEMORY_MB = 2.0, 200
LADDER_ROUNDS = (0, 5, 20)
"""The rounds of the searches from the foot up; 0 is random."""


def import_pyspiel() -> Any:
    """OpenSpiel; None where it is not installed."""
    try:
        return wanted("pyspiel", "openspiel")
    except Missing:
        return None


def require_known(names: Sequence[str]) -> dict[str, str]:
    """The titles of these games, by name; ValueError for one that is not known here."""
    for one in names:
        if one not in KNOWN_GAMES:
            raise ValueError(f"--beside {one}: there are {', '.join(KNOWN_GAMES)}{did_you_mean(one, KNOWN_GAMES)}")
    return {one: KNOWN_GAMES[one] for one in names}


def match_in(name: str, rounds: tuple[int, int]) -> tuple[Match, int]:
    """The matches of a known game between two bots of so many rounds, and its number of seats; Missing without OpenSpiel."""
    pyspiel: Any = wanted("pyspiel", "openspiel")
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


def steps_in(name: str, deals: int, seed: int = 1, rounds: tuple[int, ...] = LADDER_ROUNDS) -> Iterator[Step]:
    """The steps of the ladder in a known game, one after another."""
    for k, (lower, upper) in enumerate(itertools.pairwise(rounds)):
        match, seats = match_in(name, (lower, upper))
        names = [f"search {many}" if many else "random" for many in (lower, upper)]
        yield step_by_matches(names[0], names[1], match, seats, deals, seed + k * deals, len(rounds) - 1)
