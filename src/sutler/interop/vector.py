"""Thousands of games in one call, as one of Gymnasium's vector environments: `games = sutler.vector("manor", num_envs=4096)`.

    seen, info = games.reset(seed=1)
    seen, rewards, terminations, truncations, info = games.step(actions)

Where a game ends, the next one is dealt in the same step (Gymnasium's SAME_STEP; `autoreset_mode="NextStep"` for the other mode):
rewards and ends are those of the old game, the observation is the first of the new one, and `info["final_obs"]` holds the last of the
old one. Arrays begin at multiples of 64 bytes, so that JAX and PyTorch take them over without a copy (`jax.dlpack.from_dlpack(seen)`,
`torch.from_dlpack(seen)`).
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.bots import Bot
from sutler.bots.kit import copy_packed_bots, find_user_bot_file, get_kit, is_compiled, pack_bots
from sutler.bots.kit.records import BOT, LUCK
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.compilation.warm import announce_if_compiling
from sutler.core.learners.encoding import Kind
from sutler.core.learners.returns import compute_returns, compute_win_shares
from sutler.core.optional_imports import import_optional
from sutler.core.play.game import Game
from sutler.core.play.position import IllegalAction
from sutler.core.record import field, record
from sutler.interop.session import (
    DRAWN_SEED_LIMIT,
    MAX_EPISODE_STEPS,
    NOT_BEGUN,
    Rewards,
    Session,
    load_game_with_options,
)

if TYPE_CHECKING:
    Base = Any
else:
    try:
        from gymnasium.vector import VectorEnv as Base
    except ModuleNotFoundError:  # it is an extra: games are stepped without it, but there are no spaces

        class Base:
            """A substitute for Gymnasium's class `VectorEnv` where Gymnasium is not installed."""


TEMPLATE = Path(__file__).with_name("_vector.py")
LEARNER = -1
SAME_STEP, NEXT_STEP = "SameStep", "NextStep"
ALIGNMENT_BYTES = 64
"""Arrays begin at a multiple of this address, so that JAX takes them over without a copy."""
RENDER_MODES = ("ansi", "rgb_array")
NO_LIMIT = 1 << 53
"""A number of decisions that no game reaches, for games that are never cut."""
Numbers = np.ndarray[Any, Any]


def make_aligned_zeros(shape: tuple[int, ...], dtype: Any) -> Numbers:
    """An array of zeros that begins at a multiple of ALIGNMENT_BYTES. MemoryError if there is no room for it."""
    size = int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize
    if size >= 1 << 62:
        raise MemoryError(f"{size} bytes")
    memory = np.zeros(size + ALIGNMENT_BYTES, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT_BYTES
    out: Numbers = memory[start : start + size].view(dtype).reshape(shape)
    return out


def _to_autoreset_mode(word: Any) -> Any:
    """Gymnasium's constant for a mode's word, or the word itself where Gymnasium is not installed; ValueError for an unknown word."""
    word = getattr(word, "value", word)
    if word not in (SAME_STEP, NEXT_STEP):
        raise ValueError(f"autoreset_mode is {SAME_STEP!r} or {NEXT_STEP!r}, not {word!r}")
    try:
        from gymnasium.vector import AutoresetMode
    except ModuleNotFoundError:
        return word
    return AutoresetMode(word)


@dataclass(frozen=True)
class Setup:
    """The settings of `Vector` and `vector`: who sits at the tables, and how observations are returned.

    `bots`: one for each other seat, or one for all of them; without bots every seat is the learner's. `seat`: the learner's, and the bots
    sit in the seats after it; None: another seat in each game (its seed modulo the seats). `copy`: each step returns new arrays; without
    it, twice as fast, arrays are the games' own memory, which the next step overwrites. `observe`: are observations written? `encoding`,
    `compact`: how (`core.learners.encoding`). `max_episode_steps`: the learner's decisions after which a game is cut (truncated).
    `autoreset_mode`: "SameStep", or "NextStep", which Gymnasium's wrappers that change observations need: a game that has ended shows its
    last position, and the next step deals a new game, whatever its action.
    """

    seats: int | None = None
    bots: str | Sequence[str | Bot] = ()
    seat: int | None = 0
    threads: int | None = None
    observe: bool = True
    copy: bool = True
    max_episode_steps: int = MAX_EPISODE_STEPS
    autoreset_mode: Any = SAME_STEP
    encoding: Kind = "raw"
    compact: bool = False
    render_mode: str | None = None


class Vector(Base):  # type: ignore[misc]
    """`num_envs` games side by side, as a `gymnasium.vector.VectorEnv`. The learner plays every seat in turn, or one, against bots.

    ValueError for a wrong number of seats, or for bots that have no compiled code. A pickled copy goes on from the same positions.
    """

    metadata: dict[str, Any] = {
        "autoreset_mode": _to_autoreset_mode(SAME_STEP),
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(self, game: Game, num_envs: int, **how: Any) -> None:
        """Set up the tables; `how`: the fields of `Setup`."""
        setup = Setup(**how)
        bots, seat, threads = setup.bots, setup.seat, setup.threads
        if setup.render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {setup.render_mode!r}")
        if num_envs < 1:
            raise ValueError(f"at least one game, not {num_envs}")
        players = build_repeatable_bots(bots, game) if bots else []
        self.game, self.num_envs, self.setup = game, num_envs, setup
        self.render_mode = setup.render_mode
        self.copies, self.max_episode_steps = setup.copy, setup.max_episode_steps
        seats = len(players) + 1 if setup.seats is None and len(players) > 1 else setup.seats
        self.one = Session(game, seats, setup.encoding, setup.compact)
        self.encoding = self.one.encoding
        self.n_seats = self.one.seats
        if seat is not None and not 0 <= seat < self.n_seats:
            raise ValueError(f"seat {seat} is not at a table of {self.n_seats}; they count from 0")
        mode = _to_autoreset_mode(setup.autoreset_mode)
        self.metadata, self.autoreset_mode = {**self.metadata, "autoreset_mode": mode}, mode
        self._waits = getattr(mode, "value", mode) == NEXT_STEP
        self.bots, self._own = self._pack_bots_by_seat(players), find_user_bot_file(players)
        self.rows, self.observations, self.masks, self._last = self._allocate_memory(setup.observe)
        self.rows["own"] = np.full(num_envs, seat or 0)
        self.rows["rotates"] = seat is None
        self._drawn, self._yes = np.zeros(num_envs, np.int64), np.ones(num_envs, bool)
        self._blank = game.definition.state.new()
        self.has_begun, self._threads = False, max(1, min(threads or os.cpu_count() or 1, num_envs))
        kit = get_kit(game)
        raw = self.encoding.n_raw
        self._scratches = [(kit.create_scratch(tells=False), np.zeros(raw, np.float32)) for _ in range(self._threads)]
        self._plan = self.encoding.plan[: 0 if self.encoding.is_plain else None]
        self._pool = ThreadPoolExecutor(self._threads)
        self._made = self._template()
        edges = np.linspace(0, num_envs, self._threads + 1).astype(int)
        self._stretches = [(int(a), int(b)) for a, b in itertools.pairwise(edges)]
        self._luck = np.random.default_rng()
        self._spaces: dict[str, Any] = {}

    def _template(self) -> Any:
        """The compiled rules of `_vector.py` for this game."""
        engine, decide = self.game.definition.engine, get_kit(self.game).game_loop.decide
        given = {"advance": engine.advance, "begin": engine.begin, "decide": decide}
        return self.game.definition.instantiate_template(TEMPLATE, **given)

    # --- As Gymnasium's ---

    def _get_space(self, name: str) -> Any:
        """One of the four spaces, by Gymnasium's name for it; Missing without Gymnasium."""
        if not self._spaces:
            import_optional("gymnasium", "gym")
            from sutler.interop._spaces import build_spaces

            self._spaces = build_spaces(self)
        return self._spaces[name]

    @property
    def single_observation_space(self) -> Any:
        """The space of one game's observations."""
        return self._get_space("single_observation_space")

    @property
    def single_action_space(self) -> Any:
        """The space of one game's actions: all action ids."""
        return self._get_space("single_action_space")

    @property
    def observation_space(self) -> Any:
        """The space of all games' observations."""
        return self._get_space("observation_space")

    @property
    def action_space(self) -> Any:
        """The space of one action for each game; a sample is legal in the present positions."""
        return self._get_space("action_space")

    # --- Memory ---

    def _layout(self) -> Any:
        """The record of one game's row: its state, random generators, seed, counters and results."""
        definition, seats = self.game.definition, self.game.max_seats
        return record(
            "Row",
            field("state", definition.state),
            field("out", definition.actions.ids_record),
            field("lucks", LUCK, seats),
            field("label_luck", LUCK),
            ("seed", "i8"),
            ("stride", "i8"),
            ("steps", "i8"),
            ("game_steps", "i8"),
            ("own", "i1"),
            ("rotates", "i1"),
            ("actor", "i1"),
            ("waits", "i1"),
            ("over", "i1"),
            ("cut", "i1"),
            field("points", "f8", (seats,)),
            field("places", "f8", (seats,)),
        )

    def _allocate_memory(self, observe: bool) -> tuple[Any, Numbers, Numbers, tuple[Numbers, Numbers]]:
        """(rows of the games, observations, masks, (last observations, last masks) of ended games), all zeros.

        MemoryError says how many bytes are needed.
        """
        row, n, numbers, actions = (
            self._layout().dtype,
            self.num_envs,
            self.n_observed if observe else 0,
            self.n_actions,
        )
        try:
            shown = [
                (make_aligned_zeros((n, numbers), np.float32), make_aligned_zeros((n, actions), np.int8))
                for _ in range(2)
            ]
            return np.zeros(n, row), *shown[0], shown[1]
        except MemoryError:
            each = row.itemsize + 2 * (4 * numbers + actions)
            needs = f"{n:,} games of {each:,} bytes each are {n * each / 1e9:,.0f} GB"
            raise MemoryError(f"{needs}, more than there is: take a smaller num_envs") from None

    @property
    def n_observed(self) -> int:
        """The length of an encoded observation."""
        return self.one.n_observed

    @property
    def n_actions(self) -> int:
        """The number of ids in the action table."""
        return self.one.n_actions

    def _pack_bots_by_seat(self, players: Sequence[Bot]) -> Numbers:
        """The settings record of each seat's bot, by seat counted from the learner's; its kind is LEARNER where the caller decides."""
        if len(players) not in (0, 1, self.n_seats - 1):
            raise ValueError(f"{len(players)} bots and a learner do not fill {self.n_seats} seats")
        sitting = np.zeros(self.n_seats, BOT.dtype)
        if players:
            sitting = self._pack_bots([players[(seat - 1) % len(players)] for seat in range(self.n_seats)])
            sitting[0] = np.zeros((), BOT.dtype)
        sitting[: 1 if players else None]["kind"] = LEARNER
        return sitting

    def _pack_bots(self, players: Sequence[Bot]) -> Numbers:
        """The settings records of bots; ValueError for a bot that has no compiled code."""
        if not is_compiled(players):
            raise ValueError(
                "these games are played in compiled code: by bots of ours, such as random, greedy or search:rounds=20, "
                "and by bots in a file of one's own that are a rule"
            )
        return pack_bots(players, self.game)

    def _run_on_row_ranges(self, work: Callable[[Any, int, int], Any]) -> list[Any]:
        """Call `work(scratch, first, end)` for each range of rows, each in a thread of its own; return the results."""
        if self._threads == 1 or self.game.definition.home.interpreted:
            return [work(scratch, *stretch) for scratch, stretch in zip(self._scratches, self._stretches, strict=True)]
        futures = [
            self._pool.submit(work, scratch, *one)
            for scratch, one in zip(self._scratches, self._stretches, strict=True)
        ]
        return [future.result() for future in futures]

    # --- Playing ---

    @property
    def seats(self) -> Numbers:
        """The seat to act in each game: shape (num_envs,), int8."""
        seats: Numbers = self.rows["state"]["to_act"]
        return seats

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin games of the seeds seed, seed + 1, …; returns observations, info. Each row's next game has a seed `num_envs` higher.

        Without a seed one is drawn, by the generator that the last given seed began.
        """
        if seed is not None:
            self._luck = np.random.default_rng(seed)
            if hasattr(Base, "reset"):
                super().reset(seed=seed)
        first = int(self._luck.integers(DRAWN_SEED_LIMIT)) if seed is None else seed
        self.has_begun = True
        self.rows["seed"] = first + np.arange(self.num_envs)
        self.rows["stride"], self.rows["steps"] = self.num_envs, 0
        self.rows["state"]["n_seats"], self.rows["waits"] = self.n_seats, 0
        with announce_if_compiling(self.game, self._own):
            self._take_actions(self._drawn, fresh=True)
        return self.observations, self._build_info()

    def sample(self) -> Numbers:
        """A random legal action for each game: int64 of shape (num_envs,). After equal `reset`s the actions are equal too."""
        self._require_begun()
        self._run_on_row_ranges(lambda _, a, b: self._made.draw_legal_actions(self.rows, self._drawn, a, b))
        return self._drawn.copy() if self.copies else self._drawn

    def step(self, actions: Any) -> tuple[Numbers, Rewards, Numbers, Numbers, dict[str, Any]]:
        """Take an action in each game, shape (num_envs,): returns observations, rewards, terminations, truncations, info.

        Rewards, shape (num_envs,), are those of the seat that acted; `info["rewards"]`, shape (num_envs, seats), has those of all seats.
        Both are 0 except where a game ends (see `Session.rewards`). `info["won"]`, shape (num_envs,), is the share of the win of the seat
        that acted, 1 if it won alone or all won together, and 0 except where a game ends. IllegalAction names the game and the
        paragraph; then no game has been changed.
        """
        self._require_begun()
        taken = self._require_legal_actions(actions)
        self._take_actions(taken)
        rows, all_rows = self.rows, np.arange(self.num_envs)
        terminations, truncations = rows["over"].astype(bool), rows["cut"].astype(bool)
        earned, won = (np.zeros((self.num_envs, self.n_seats), np.float32) for _ in range(2))
        if terminations.any():
            earned[terminations], won[terminations] = self._compute_rewards_and_wins(rows[terminations])
        info = self._build_info() | {"rewards": earned, "_rewards": self._yes}
        info |= {"won": won[all_rows, rows["actor"]], "_won": terminations}
        ends = terminations | truncations
        if ends.any() and not self._waits:
            info |= self._build_final_info(ends)
        return self.observations, earned[all_rows, rows["actor"]], terminations, truncations, info

    def _require_legal_actions(self, actions: Any) -> Numbers:
        """The actions as int64 ids; ValueError for a wrong shape or type, IllegalAction for the first that is illegal."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise ValueError(f"actions are ids, whole numbers, not {given.dtype}")
        taken = given.astype(np.int64, copy=False)
        if taken.shape != (self.num_envs,):
            raise ValueError(f"one action for each of {self.num_envs} games, not {taken.shape}")
        for row in self._run_on_row_ranges(lambda _, a, b: self._made.find_first_illegal(self.rows, taken, a, b)):
            if row >= 0:
                self._raise_illegal(int(row), int(taken[row]))
        return taken

    def _take_actions(self, actions: Numbers, fresh: bool = False) -> None:
        """Take these actions, all known to be legal, in the games; `fresh`: begin new games instead."""
        if self.copies:
            self.observations, self.masks = (
                make_aligned_zeros(x.shape, x.dtype) for x in (self.observations, self.masks)
            )
        made, box, rows, limit = self._made, self.game.box, self.rows, self.max_episode_steps
        self._run_on_row_ranges(
            lambda work, a, b: made.step(
                box,
                rows,
                self._blank,
                work[0],
                copy_packed_bots(self.bots),
                self._output_arrays(work[1]),
                fresh,
                actions,
                (a, b, limit, self._waits),
            )
        )

    def compile_step_of_row(self, row: int) -> Callable[[int], Any]:
        """A function that takes a legal action in the game of one row, for environments with a single game, which read the row themselves.

        It neither cuts a game short nor deals a new one.
        """
        step, box, rows, blank = self._made.step, self.game.box, self.rows, self._blank
        (work, room), bots, actions = self._scratches[0], copy_packed_bots(self.bots), np.zeros(self.num_envs, np.int64)
        stretch, shown = (row, row + 1, NO_LIMIT, True), self._output_arrays(room)

        def take(action: int) -> Any:
            actions[row] = action
            return step(box, rows, blank, work, bots, shown, False, actions, stretch)

        return take

    def _output_arrays(self, room: Numbers) -> tuple[Numbers, ...]:
        """The arrays into which the compiled rules write, in the order in which `_vector.step` takes them."""
        return (self.observations, self.masks, *self._last, self._plan, room)

    def show(self) -> tuple[Numbers, dict[str, Any]]:
        """The observations and the info of the present positions, written again, as `reset` returns them."""
        self._require_begun()
        made, box, rows = self._made, self.game.box, self.rows
        self._run_on_row_ranges(
            lambda work, a, b: made.write_observations(box, rows, self._output_arrays(work[1]), a, b)
        )
        return self.observations, self._build_info()

    def _build_info(self) -> dict[str, Any]:
        """Gymnasium's `info`: the masks and the seats to act, each with an array "_NAME" that says in which games it holds."""
        seats = np.where(self.rows["waits"], self.rows["actor"], self.seats).astype(np.int64)
        return {"action_mask": self.masks, "_action_mask": self._yes, "seat": seats, "_seat": self._yes}

    def _build_final_info(self, ends: Numbers) -> dict[str, Any]:
        """The parts of `info` about games that ended: the last observation and mask of the seat that acted last. `ends`: which games."""
        last_seen, last_masks = self._last
        seen = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(ends):
            seen[row] = last_seen[row].copy()
        masks = np.where(ends[:, None], last_masks, np.int8(0))
        info = {"action_mask": masks, "_action_mask": ends, "seat": self.rows["actor"].astype(np.int64), "_seat": ends}
        return {"final_obs": seen, "_final_obs": ends, "final_info": info, "_final_info": ends}

    def _require_begun(self) -> None:
        """Raise RuntimeError before the first `reset`."""
        if not self.has_begun:
            raise RuntimeError(NOT_BEGUN)

    def _compute_rewards_and_wins(self, rows: Any) -> tuple[Any, Any]:
        """(rewards, shares of the win) of ended games, both of shape (games, seats); see `Session.rewards`."""
        points, places = (rows[name][:, : self.n_seats] for name in ("points", "places"))
        definition = self.game.definition
        return compute_returns(definition, points, places), compute_win_shares(places, bool(definition.COOPERATIVE))

    def _raise_illegal(self, row: int, action: int) -> None:
        """Raise IllegalAction with the number of the game (`row`) and the reason why an action is not legal in it."""
        session = Session(self.game, self.n_seats)
        session.state = self.rows[row]["state"]
        session._out.ids[:] = self.rows[row]["out"]["ids"]
        try:
            session.step(action)
        except IllegalAction as refusal:
            raise IllegalAction(f"game {row}: {refusal.reason}", refusal.rule) from None

    def decide(self, bots: str | Bot | Sequence[str | Bot], who: Any = None) -> Numbers:
        """The action that a bot would take in each game: int64 of shape (num_envs,). No game is changed, its random numbers included.

            labels = games.decide("search:rounds=400")

        With several bots, `who`, shape (num_envs,), holds the index of the bot that is asked in each game. A bot is shown only what the
        seat to act may know. ValueError for bots that have no compiled code.
        """
        self._require_begun()
        players = build_repeatable_bots(bots if isinstance(bots, str | Sequence) else [bots], self.game)
        rows, made = self._pack_bots(players), self._made
        asked = np.zeros(self.num_envs, np.int64) if who is None else np.asarray(who, np.int64)
        if asked.shape != (self.num_envs,) or asked.min() < 0 or asked.max() >= len(rows):
            raise ValueError(f"who: a number below {len(rows)} for each of {self.num_envs} games")
        labels, box = np.zeros(self.num_envs, np.int64), self.game.box
        with announce_if_compiling(self.game, find_user_bot_file(players)):
            self._run_on_row_ranges(
                lambda work, a, b: made.write_bot_actions(
                    box, self.rows, work[0], copy_packed_bots(rows), asked, labels, (a, b)
                )
            )
        return labels

    def render(self) -> tuple[Any, ...] | None:
        """Each game's table as the seat to act sees it: text ("ansi") or pictures ("rgb_array"); None without a render mode."""
        if self.render_mode is None:
            return None
        self._require_begun()
        one = Session(self.game, self.n_seats)
        drawn = one.render_text if self.render_mode == "ansi" else one.render_picture
        frames = []
        for row in self.rows:
            one.state = row["state"]
            frames.append(drawn(int(row["actor"] if row["waits"] else row["state"]["to_act"])))
        return tuple(frames)

    # --- Elsewhere ---

    def __reduce__(self) -> Any:
        """Pickle the games for another process: the rules by name and settings, the bots, and every row's bytes."""
        data = self.rows.tobytes() if self.has_begun else None
        return _restore_vector, (self.one, self.num_envs, self.setup, data, self._luck)

    def close(self, **_: Any) -> None:
        """End the threads."""
        self._pool.shutdown()
        self.closed = True


def _restore_vector(one: Session, num_envs: int, setup: Setup, data: bytes | None, luck: Any) -> Vector:
    """The games that `Vector.__reduce__` described."""
    games = Vector(one.game, num_envs, **vars(setup))
    games._luck = luck
    if data is not None:
        games.rows[:] = np.frombuffer(data, games.rows.dtype)
        games.has_begun = True
        games.show()
    return games


SETUP_NAMES = frozenset(one.name for one in fields(Setup))


def vector(game: str | Game, num_envs: int = 4096, *, options: dict[str, Any] | None = None, **how: Any) -> Vector:
    """Many games of one kind at once, a Gymnasium `VectorEnv`; `how`: the fields of `Setup`, such as seats and bots.

    Any other name is an option of the game, as for `load`: `vector("manor", seats=3, offers=0)`. ValueError for options
    beside a game that has been loaded with its own.
    """
    settings = (options or {}) | {key: how.pop(key) for key in list(how) if key not in SETUP_NAMES}
    return Vector(load_game_with_options(game, settings), num_envs, **how)
