"""The Gymnasium spaces of many games at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector.utils import batch_space

from sutler.interop.session import bounds


class LegalActions(MultiDiscrete):
    """An action for each game; a sample is drawn among what is legal in the positions at hand, unless a mask says otherwise."""

    def __init__(self, games: Any) -> None:
        super().__init__(np.full(games.num_envs, games.n_actions))
        self._games = games

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A legal action for each game, by this space's generator; `Vector.sample` is the fast one."""
        if mask is not None or probability is not None or self._games is None or not self._games.has_begun:
            return super().sample(mask, probability)
        legal = self._games.masks
        wanted = self.np_random.integers(legal.sum(axis=1, dtype=np.int64))
        return (legal.cumsum(axis=1, dtype=np.int32) > wanted[:, None]).argmax(axis=1)

    def __getstate__(self) -> dict[str, Any]:
        """All but the games: a copy elsewhere knows no positions."""
        return self.__dict__ | {"_games": None}


def spaces_of(games: Any) -> dict[str, Any]:
    """The four spaces of a vector environment, by name."""
    low, high = bounds(games.one) if games.observations.shape[1] else (np.zeros(0, np.float32),) * 2
    single = Box(low, high, dtype=np.float32)
    return {
        "single_observation_space": single,
        "single_action_space": Discrete(games.n_actions),
        "observation_space": batch_space(single, games.num_envs),
        "action_space": LegalActions(games),
    }
