"""RLlib's PPO at a seat against bots, legal actions only: python with_rllib.py manor --set offers=0

Small settings, to begin from: the environment, a policy that reads what is legal, and rounds of training in this process. Needs Ray
with its RLlib and PyTorch: pip install "ray[rllib]" torch "sutler[gym]"
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from sutler.interop.gym import SeatEnv


class WithMask(gymnasium.ObservationWrapper):  # type: ignore[type-arg]
    """A seat whose observation has what is legal beside it, as RLlib's masking module reads it."""

    def __init__(self, env: SeatEnv) -> None:
        super().__init__(env)
        actions = env.session.n_actions
        legal = Box(0, 1, (actions,), np.float32)
        self.observation_space = Dict({"observations": env.observation_space, "action_mask": legal})
        self.action_space = Discrete(actions)

    def observation(self, observation: Any) -> dict[str, Any]:
        """What is seen, and a 1 for each legal action."""
        seat: Any = self.env
        return {"observations": observation, "action_mask": seat.action_masks().astype(np.float32)}


register_env("sutler", lambda how: WithMask(SeatEnv(**how)))


def plan(how: dict[str, Any], decisions: int = 1024) -> PPOConfig:
    """RLlib's PPO with so many decisions a round; `how` is what SeatEnv takes."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule, model_config=DefaultModelConfig(fcnet_hiddens=[128, 128])
    )
    made = PPOConfig().environment("sutler", env_config=how).rl_module(rl_module_spec=module)
    made = made.env_runners(num_env_runners=0, rollout_fragment_length="auto").learners(num_learners=0)
    return made.training(train_batch_size_per_learner=decisions, minibatch_size=min(256, decisions), num_epochs=2)


def main() -> None:
    """Train, and say after each round what was earned."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", help="one of `sutler games`, such as manor")
    parser.add_argument("--bots", default="random", help="who sits in the other seats, with commas (random)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=NUMBER", help="an option, such as offers=0")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of training (10)")
    given = parser.parse_args()
    options = {key: int(value) for key, _, value in (one.partition("=") for one in given.set)}
    how = {"game": given.game, "bots": given.bots, "encoding": "scaled", "compact": True, **options}
    learner = plan(how).build_algo()
    for number in range(1, given.rounds + 1):
        played = learner.train()["env_runners"]
        earned = played.get("episode_return_mean", float("nan"))
        print(
            f"round {number}, {time.process_time():.0f} seconds of a processor: mean reward {earned:+.2f}", flush=True
        )
    learner.stop()


if __name__ == "__main__":
    main()
