"""Gymnasium: one seat of a game against chosen bots (extra `gym`).

    import sutler
    from sutler.interop.gym import SeatEnv

    env = SeatEnv("manor", bots=["greedy", "random"])
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

Where environments are made by name, importing this module gives every game one: `gymnasium.make("sutler/manor-v0", seats=3)`.

`info["action_mask"]` and `env.action_masks()` say which actions are legal; `env.action_space.sample()` draws among these. The reward
is 0 until the end, then 1 for a win (see `Session.rewards`), and `info["won"]` is this seat's share of the win. An illegal action
raises IllegalAction, which names the paragraph; with `illegal="draw"`, as Gymnasium's own checker wants it, a legal one is drawn instead
and `info["refused"]` says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sutler.bots import Bot, choose_checked_action
from sutler.bots.kit import is_compiled
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.optional_imports import import_optional
from sutler.core.play.game import Game
from sutler.core.play.position import IllegalAction
from sutler.core.play.registry import games
from sutler.interop.session import (
    DRAWN_SEED_LIMIT,
    MAX_EPISODE_STEPS,
    Mask,
    Observation,
    Session,
    compute_observation_bounds,
    load_game_with_options,
)
from sutler.interop.vector import Vector, vector

import_optional("gymnasium", "gym")

if TYPE_CHECKING:
    from gymnasium import Env, register, registry
    from gymnasium.spaces import Box, Discrete
else:
    from gymnasium import Env, register, registry
    from gymnasium.spaces import Box, Discrete


class Legal(Discrete):
    """The space of all action ids; without a mask, a sample is drawn among those that are legal now."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.n_actions)
        self._session = session

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A legal action id, drawn as Gymnasium draws one with a mask."""
        if mask is None and probability is None and self._session.state is not None:
            legal = self._session.legal()
            if legal:
                return self.dtype.type(legal[int(self.np_random.integers(len(legal)))])
        return super().sample(mask, probability)


class SeatEnv(Env[Observation, np.int64]):
    """A Gymnasium environment: one seat of a game, with bots in the others. ValueError for a wrong number of seats or an unknown bot."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(
        self,
        game: str | Game = "manor",
        bots: str | Sequence[str | Bot] = ("greedy",),
        seats: int | None = None,
        seat: int | None = None,
        max_episode_steps: int = MAX_EPISODE_STEPS,
        illegal: Literal["raise", "draw"] = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Set up a table. `bots`: one for each other seat, or one for all of them. `seat`: the learner's; drawn for each game if None.

        `max_episode_steps`: the learner's decisions after which a game is cut (truncated). `options`: the game's, by
        their names, and `encoding`, `compact`: how observations are written (`core.learners.encoding`).
        """
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is 'ansi' or 'rgb_array', not {render_mode!r}")
        encoding, compact = options.pop("encoding", "raw"), options.pop("compact", False)
        rules = load_game_with_options(game, options)
        bots = build_repeatable_bots(bots, rules)
        if seats is None:
            seats = max(rules.min_seats, len(bots) + 1) if len(bots) > 1 else rules.min_seats
        if len(bots) not in (1, seats - 1) and seats > 1:
            raise ValueError(f"{len(bots)} bots and a learner do not fill {seats} seats")
        if seat is not None and not 0 <= seat < seats:
            raise ValueError(f"seat {seat} is not at a table of {seats}; they count from 0")
        self.session = Session(rules, seats, encoding, compact)
        self.bots = bots * (seats if len(bots) == 1 else 1)
        self.wanted_seat, self.seat, self.render_mode = seat, seat or 0, render_mode
        self.max_episode_steps = max_episode_steps
        low, high = compute_observation_bounds(self.session)
        self.observation_space = Box(low, high, dtype=np.float32)
        self.action_space = Legal(self.session)
        self.illegal, self._own = illegal, 0
        self._fast: Vector | None = None
        if is_compiled(bots):
            self._fast = Vector(
                rules, 1, seats=seats, bots=bots, threads=1, copy=False, encoding=encoding, compact=compact
            )
            self._made = self._fast.compile_step_of_row(0)

    def __getstate__(self) -> dict[str, Any]:
        """The environment without its compiled functions, for pickling; `__setstate__` makes them again."""
        return {name: value for name, value in self.__dict__.items() if name != "_made"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._fast is not None:
            self._made = self._fast.compile_step_of_row(0)
            if self._fast.has_begun:
                self._share_compiled_row()

    def _share_compiled_row(self) -> None:
        """Make the session read the state in the row that compiled code changes, instead of a state of its own."""
        assert self._fast is not None
        self.session.state, self.session._out = self._fast.rows[0]["state"], self._fast.rows[0]["out"]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game, which `seed` determines, and go to the learner's first decision; returns observation, info.

        A game that ends before that is passed over.
        """
        super().reset(seed=seed)
        while True:
            self.seat = (
                int(self.np_random.integers(self.session.seats)) if self.wanted_seat is None else self.wanted_seat
            )
            self._own, first = 0, int(self.np_random.integers(DRAWN_SEED_LIMIT))
            if self._fast is not None:
                self._fast.rows["own"] = np.full(1, self.seat)
                self._fast.reset(seed=first)
                self._share_compiled_row()
                self.session.seed, self.session.decisions = first, 0
                return self._observation_and_info()
            self.session.reset(first)
            self._let_bots_play()
            if not self.session.over:
                return self._observation_and_info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action and let the bots answer; returns observation, reward, terminated, truncated, info."""
        refused = self._take_learner_action(action)
        self._own += 1
        if self._fast is None:
            self._let_bots_play()
        observation, info = self._observation_and_info()
        info |= {"refused": refused} if refused else {}
        over, reward = self.session.over, 0.0
        if over:
            reward, info["won"] = self.session.returns()[self.seat], self.session.win_shares()[self.seat]
        return observation, reward, over, not over and self._own >= self.max_episode_steps, info

    def _take_learner_action(self, action: Any) -> str:
        """Take the learner's action; returns the refusal in words if it was illegal and a legal one was drawn instead, else ""."""
        try:
            wanted, refused = self.session.require_legal(action), ""
        except IllegalAction as refusal:
            if self.illegal == "raise" or self.session.over:
                raise
            legal = self.session.legal()
            wanted, refused = legal[int(self.np_random.integers(len(legal)))], str(refusal)
        if self._fast is None:
            self.session.step(wanted)
        else:
            self._made(wanted)
            self.session.decisions += 1
        return refused

    def action_masks(self) -> Mask:
        """The mask of legal actions under the name that sb3-contrib looks for: int8, 1 for each legal action."""
        return self.session.mask()

    def render(self) -> Any:
        """The table as the learner sees it: letters as in the terminal ("ansi"), or a picture of them ("rgb_array"), uint8."""
        if self.render_mode == "ansi":
            return self.session.render_text(self.seat)
        return self.session.render_picture(self.seat) if self.render_mode == "rgb_array" else None

    def _observation_and_info(self) -> tuple[Observation, dict[str, Any]]:
        """The learner's observation, and `info` with the mask of legal actions and the learner's seat."""
        if self._fast is None:
            return self.session.observation(self.seat), {"action_mask": self.session.mask(), "seat": self.seat}
        seen, mask = self._fast.observations[0].copy(), self._fast.masks[0].copy()
        return seen, {"action_mask": mask, "seat": self.seat}

    def _let_bots_play(self) -> None:
        """Play the bots' decisions until the learner's next one or the end."""
        while not self.session.over and self.session.seat != self.seat:
            sitting = self.bots[(self.session.seat - self.seat - 1) % self.session.seats % len(self.bots)]
            self.session.step(choose_checked_action(sitting, self.session.to_seat_view()).id)


def make_vector_env(
    num_envs: int, game: str | Game = "manor", bots: Any = ("greedy",), seat: int | None = None, **how: Any
) -> Vector:
    """The vector environment for `gymnasium.make_vec`: many games against bots. `seat`: the learner's; None: another in each game.

    `how`: as for `sutler.vector`.
    """
    return vector(game, num_envs, bots=bots, seat=seat, **how)


def register_games() -> None:
    """Register every game with Gymnasium as "sutler/NAME-v0"; call it again for games that were added later."""
    for name in games():
        if (full := f"sutler/{name}-v0") not in registry:
            register(
                full,
                entry_point=f"{__name__}:SeatEnv",
                vector_entry_point=f"{__name__}:make_vector_env",
                kwargs={"game": name},
            )


register_games()
