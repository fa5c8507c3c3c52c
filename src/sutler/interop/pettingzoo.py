"""PettingZoo's AEC interface: all seats, one decision after the other (extra `pettingzoo`).

    from sutler.interop.pettingzoo import env

    table = env("bellum", seats=3)
    table.reset(seed=1)
    for agent in table.agent_iter():
        seen, reward, over, cut, info = table.last()
        table.step(None if over or cut else table.action_space(agent).sample(seen["action_mask"]))

An observation is `{"observation": numbers, "action_mask": legal}`; the mask is empty for a seat that does not decide now. The rewards
come with the end (see `Session.rewards`). An illegal action raises IllegalAction, which names the paragraph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.core.game import Game
from sutler.interop import wanted
from sutler.interop.encoding import Kind
from sutler.interop.session import MAX_EPISODE_STEPS, NOT_BEGUN, Session, bounds, rules_of

wanted("pettingzoo", "pettingzoo")

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Dict, Discrete

    AECEnv = Any
else:
    from gymnasium.spaces import Box, Dict, Discrete  # it comes with PettingZoo
    from pettingzoo import AECEnv


def env(
    game: str | Game = "manor",
    seats: int | None = None,
    max_cycles: int = MAX_EPISODE_STEPS,
    encoding: Kind = "raw",
    compact: bool = False,
    **options: Any,
) -> TableEnv:
    """A table with an agent in every seat. ValueError for a wrong number of seats."""
    return TableEnv(rules_of(game, options), seats, max_cycles, encoding, compact)


class TableEnv(AECEnv):  # type: ignore[misc]
    """A game with an agent in every seat: seat_0, seat_1 and so on."""

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        max_cycles: int = MAX_EPISODE_STEPS,
        encoding: Kind = "raw",
        compact: bool = False,
    ) -> None:
        super().__init__()
        self.session, self.max_cycles = Session(game, seats, encoding, compact), max_cycles
        self.metadata = {"name": f"sutler_{game.name}_v0", "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self.possible_agents = [f"seat_{seat}" for seat in range(self.session.seats)]
        low, high = bounds(self.session)
        n = self.session.n_actions
        self.observation_spaces = {
            agent: Dict({"observation": Box(low, high, dtype=np.float32), "action_mask": Box(0, 1, (n,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(n) for agent in self.possible_agents}
        self._luck = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations: numbers and a mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions: all action ids."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, which `seed` determines."""
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self.session.reset(int(self._luck.integers(1 << 53)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.session.seat]

    def last(self, observe: bool = True) -> Any:
        """For the selected agent: its observation, its reward since it decided last, over, cut, infos."""
        if self.session.state is None:
            raise RuntimeError(NOT_BEGUN)
        return super().last(observe)

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of this agent, and its legal actions if it decides now."""
        seat = self.possible_agents.index(agent)
        mine = not self.session.over and seat == self.session.seat
        mask = self.session.mask() if mine else np.zeros(self.session.n_actions, np.int8)
        return {"observation": self.session.observation(seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Take the selected agent's action."""
        if self.session.state is None:
            raise RuntimeError(NOT_BEGUN)
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.session.step(action)
        self._clear_rewards()
        if self.session.over:
            earned = self.session.rewards()
            self.rewards = {agent: float(earned[i]) for i, agent in enumerate(self.possible_agents)}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.session.decisions >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.session.seat]
        self._accumulate_rewards()

    def render(self) -> None:
        """Do nothing: the page draws the table."""

    def close(self) -> None:
        """Do nothing: nothing is open."""
