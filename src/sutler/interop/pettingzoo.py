"""PettingZoo's AEC interface: all seats, one decision after the other (extra `pettingzoo`).

    from sutler.interop.pettingzoo import env

    table = env("bellum", seats=3)
    table.reset(seed=1)
    for agent in table.agent_iter():
        seen, reward, over, cut, info = table.last()
        table.step(None if over or cut else table.action_space(agent).sample(seen["action_mask"]))

An observation is `{"observation": numbers, "action_mask": legal}`; the mask has no ones for a seat that does not decide now, and
only ones at the end. The rewards come with the end (see `Session.rewards`). An illegal action raises IllegalAction, which names the
paragraph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.core.learners.encoding import Kind
from sutler.core.optional_imports import import_optional
from sutler.core.play.game import Game
from sutler.interop.session import (
    DRAWN_SEED_LIMIT,
    MAX_EPISODE_STEPS,
    NOT_BEGUN,
    Session,
    compute_observation_bounds,
    load_game_with_options,
)

import_optional("pettingzoo", "pettingzoo")

RENDER_MODES = ("ansi", "human", "rgb_array")

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
    render_mode: str | None = None,
    **options: Any,
) -> TableEnv:
    """A PettingZoo environment with an agent in every seat of a game. ValueError for a wrong number of seats.

    `max_cycles`: the decisions after which a game is cut (truncated). `encoding`, `compact`: how observations are written
    (`core.learners.encoding`). `options`: of the game.
    """
    return TableEnv(load_game_with_options(game, options), seats, max_cycles, encoding, compact, render_mode)


class TableEnv(AECEnv):  # type: ignore[misc]
    """A PettingZoo environment with an agent in every seat of a game: seat_0, seat_1 and so on."""

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        max_cycles: int = MAX_EPISODE_STEPS,
        encoding: Kind = "raw",
        compact: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.session, self.max_cycles = Session(game, seats, encoding, compact), max_cycles
        self.metadata = {
            "name": f"sutler_{game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.metadata["render_fps"] = 1
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.session.seats)]
        low, high = compute_observation_bounds(self.session)
        n = self.session.n_actions
        self.observation_spaces = {
            agent: Dict({"observation": Box(low, high, dtype=np.float32), "action_mask": Box(0, 1, (n,), np.int8)})
            for agent in self.possible_agents
        }
        self.state_space = Box(np.tile(low, self.session.seats), np.tile(high, self.session.seats), dtype=np.float32)
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
        self.session.reset(int(self._luck.integers(DRAWN_SEED_LIMIT)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.session.seat]

    def last(self, observe: bool = True) -> Any:
        """(observation, reward since its last decision, terminated, truncated, info) of the selected agent."""
        if self.session.state is None:
            raise RuntimeError(NOT_BEGUN)
        return super().last(observe)

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of this agent, and its legal actions if it decides now."""
        seat = self.possible_agents.index(agent)
        mine = self.session.over or seat == self.session.seat
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

    def state(self) -> Any:
        """The observations of all seats, one after the other: float32 of shape (seats * n_observed,).

        For learning with a central critic. Facts that no seat knows, such as the order of a deck, are not in it.
        """
        if self.session.state is None:
            raise RuntimeError(NOT_BEGUN)
        return np.concatenate([self.session.observation(seat) for seat in range(self.session.seats)])

    def render(self) -> Any:
        """The table as the seat to act sees it, by `render_mode`.

        "ansi": returned as text; "human": printed as text; "rgb_array": returned as a picture, uint8; None: nothing.
        """
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return self.session.render_picture(self.session.seat)
        text = self.session.render_text(self.session.seat)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: PettingZoo asks for this method, but a game has no resources to close."""
