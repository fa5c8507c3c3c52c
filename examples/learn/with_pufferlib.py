"""Many games as one of PufferLib's own environments: python with_pufferlib.py manor --set offers=0

PufferLib knows no legal actions: here an observation ends with a 1 for each that is legal, and `Masked` is a policy that reads them. An
illegal action is replaced by a legal one, drawn by chance. Needs PufferLib's core: pip install pufferlib-core "sutler[gym]"
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import pufferlib
import pufferlib.models
import pufferlib.vector
import torch
from gymnasium.spaces import Box, Discrete

import sutler

BARRED = -1e9  # the logit of an action that is not legal


class Games(pufferlib.PufferEnv):  # type: ignore[misc]
    """So many games, an agent each; `how` is what `sutler.vector` takes, such as bots, seats and encoding."""

    def __init__(self, game: str = "manor", num_games: int = 64, buf: Any = None, seed: int = 1, **how: Any) -> None:
        self.games, self.seed = sutler.vector(game, num_envs=num_games, copy=False, **how), seed
        seen, n = self.games.single_observation_space, self.games.n_actions
        low, high = np.append(seen.low, np.zeros(n)), np.append(seen.high, np.ones(n))
        self.single_observation_space = Box(low.astype(np.float32), high.astype(np.float32))
        self.single_action_space, self.num_agents = Discrete(n), num_games
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[Any, list[Any]]:
        """Begin the games of a seed and those that follow it."""
        self.games.reset(seed=self.seed if seed is None else seed)
        return self._shown(), []

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, list[Any]]:
        """Take an action in each game; what ended is dealt anew in the same step, and said: its mean reward, and how often it was won."""
        wanted = np.asarray(actions, np.int64).reshape(-1)
        legal = self.games.masks[np.arange(self.num_agents), wanted] > 0
        taken = wanted if legal.all() else np.where(legal, wanted, self.games.sample())
        _, self.rewards[:], self.terminals[:], self.truncations[:], info = self.games.step(taken)
        ends = self.terminals | self.truncations
        told = {"reward": self.rewards[ends].mean(), "won": info["won"][ends].mean()} if ends.any() else {}
        told |= {} if legal.all() else {"refused": float((~legal).sum())}
        return self._shown(), self.rewards, self.terminals, self.truncations, [told] if told else []

    def close(self) -> None:
        """End the threads."""
        self.games.close()

    def _shown(self) -> Any:
        n = self.games.n_observed
        self.observations[:, :n], self.observations[:, n:] = self.games.observations, self.games.masks
        return self.observations


class Masked(pufferlib.models.Default):  # type: ignore[misc]
    """PufferLib's usual policy, which never takes an illegal action."""

    def forward_eval(self, observations: Any, state: Any = None) -> Any:
        """The logits of all actions, and the value, of a batch of observations."""
        logits, value = super().forward_eval(observations, state)
        legal = observations[..., -logits.shape[-1] :]
        return torch.where(legal > 0, logits, BARRED), value


def main() -> None:
    """Play by a policy that has learned nothing, and say how fast that was."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", help="one of `sutler games`, such as manor")
    parser.add_argument("--bots", default="random", help="who sits in the other seats, with commas (random)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=NUMBER", help="an option, such as offers=0")
    parser.add_argument("--steps", type=int, default=200, help="decisions in each game (200)")
    given = parser.parse_args()
    options = {key: int(value) for key, _, value in (one.partition("=") for one in given.set)}
    how = {"game": given.game, "bots": given.bots, "options": options, "encoding": "scaled", "compact": True}
    games = pufferlib.vector.make(Games, num_envs=2, env_kwargs=how, backend=pufferlib.vector.Serial)
    policy, (seen, _) = Masked(games.driver_env), games.reset(seed=1)
    refused, begun = 0.0, time.process_time()
    for _ in range(given.steps):
        with torch.no_grad():
            logits, _ = policy(torch.as_tensor(seen))
        seen, _, _, _, told = games.step(torch.distributions.Categorical(logits=logits).sample().numpy())
        refused += sum(one.get("refused", 0.0) for one in told)
    decisions = given.steps * games.num_agents
    spent = time.process_time() - begun
    print(f"{decisions:,} decisions in {spent:.1f} seconds of a processor, {refused:.0f} of them illegal")
    games.close()


if __name__ == "__main__":
    main()
