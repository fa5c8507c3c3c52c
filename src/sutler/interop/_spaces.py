"""The Gymnasium spaces of a vector environment (`interop.vector`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector.utils import batch_space

from sutler.interop.session import compute_observation_bounds


class LegalActions(MultiDiscrete):
    """The space of one action for each game; without a mask, a sample is drawn among the actions that are legal now."""

    def __init__(self, games: Any) -> None:
        super().__init__(np.full(games.num_envs, games.n_actions))
        self._games = games

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A legal action for each game, drawn by this space's random generator; `Vector.sample` is faster."""
        if mask is not None or probability is not None or self._games is None or not self._games.has_begun:
            return super().sample(mask, probability)
        legal = self._games.masks
        wanted = self.np_random.integers(legal.sum(axis=1, dtype=np.int64))
        return (legal.cumsum(axis=1, dtype=np.int32) > wanted[:, None]).argmax(axis=1)

    def __getstate__(self) -> dict[str, Any]:
        """The space without its games, for pickling: in another process there are no positions to look at."""
        return self.__dict__ | {"_games": None}


def build_spaces(games: Any) -> dict[str, Any]:
    """The four spaces of a vector environment (a `Vector`), by Gymnasium's names for them."""
    low, high = compute_observation_bounds(games.one) if games.observations.shape[1] else (np.zeros(0, np.float32),) * 2
    single = Box(low, high, dtype=np.float32)
    return {
        "single_observation_space": single,
        "single_action_space": Discrete(games.n_actions),
        "observation_space": batch_space(single, games.num_envs),
        "action_space": LegalActions(games),
    }
