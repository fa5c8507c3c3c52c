"""Thousands of games in one call, for learners: `games = sutler.vector("manor", n=4096)`.

    seen, legal = games.reset(seed=1)
    seen, legal, rewards, ends = games.step(actions)

All are NumPy arrays of the games' own memory, overwritten by the next call, which PyTorch and JAX use without a copy
(`torch.from_dlpack(seen)`). Where a game is over, a new one is dealt in the same step (Gymnasium's SAME_STEP): `ends` and `rewards`
are those of the old game, the observation is of the new one.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots import Bot
from sutler.bots.kit import is_compiled, kit_of, own_files, packed, template_variant
from sutler.bots.kit.records import BOT, LUCK
from sutler.bots.kit.repeatable import players_of
from sutler.core.game import Game
from sutler.core.position import IllegalAction
from sutler.core.record import field, record
from sutler.interop.session import NOT_BEGUN, Rewards, Session, rules_of

TEMPLATE = Path(__file__).with_name("_vector.py")
LEARNER = -1
Numbers = np.ndarray[Any, Any]


class Vector:
    """`n` games side by side. All seats are the learner's, one after the other, or one seat, with bots of ours in the others.

    `seats`: shape (n,), the seat to act in each. ValueError for a wrong number of seats or bots that are not compiled.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seats: int | None = None,
        bots: str | Sequence[str | Bot] = (),
        seat: int = 0,
        threads: int | None = None,
        observe: bool = True,
    ) -> None:
        if n < 1:
            raise ValueError(f"at least one game, not {n}")
        players = players_of(bots, game) if bots else []
        self.game, self.n = game, n
        self.one = Session(game, seats if seats is not None or len(players) < 2 else len(players) + 1)
        self.n_seats, self.seat = self.one.seats, seat if players else None
        if not 0 <= seat < self.n_seats:
            raise ValueError(f"seat {seat} is not at a table of {self.n_seats}; they count from 0")
        self.bots = self._sitting(players, seat)
        self.rows, self.observations, self.masks = self._memory(observe)
        self._shown, self._drawn = (self.observations, self.masks), np.zeros(n, np.int64)
        self._blank = game.definition.state.new()
        kit, own = kit_of(game), next(iter(own_files(players)), None)
        self._begun, self._threads = False, max(1, min(threads or os.cpu_count() or 1, n))
        self._scratches = [kit.scratch(tells=False) for _ in range(self._threads)]
        self._pool = ThreadPoolExecutor(self._threads)
        engine, decide = game.definition.engine, kit.game_loop(own).decide
        given = {"advance": engine.advance, "begin": engine.begin, "decide": decide}
        self._made = game.definition.template(TEMPLATE, template_variant(own), **given)
        edges = np.linspace(0, n, self._threads + 1).astype(int)
        self._stretches = [(int(a), int(b)) for a, b in itertools.pairwise(edges)]

    def _layout(self) -> Any:
        definition, seats = self.game.definition, self.game.max_seats
        return record(
            "Row",
            field("state", definition.state),
            field("out", definition.actions.ids_record),
            field("lucks", LUCK, seats),
            ("seed", "i8"),
            ("stride", "i8"),
            ("steps", "i8"),
            ("over", "i1"),
            field("points", "f8", (seats,)),
            field("places", "f8", (seats,)),
        )

    def _memory(self, observe: bool) -> tuple[Numbers, Numbers, Numbers]:
        """The games, the observations and the legal actions, a row for each game. MemoryError says how much memory that would be."""
        row, numbers = self._layout().dtype, self.one.n_observed if observe else 0
        try:
            return (
                np.zeros(self.n, row),
                np.zeros((self.n, numbers), np.float32),
                np.zeros((self.n, self.one.n_actions), np.int8),
            )
        except MemoryError:
            each = row.itemsize + 4 * numbers + self.one.n_actions
            wanted = f"{self.n:,} games of {each:,} bytes each are {self.n * each / 1e9:,.0f} GB"
            raise MemoryError(f"{wanted}, more than there is: take a smaller n") from None

    def _sitting(self, players: Sequence[Bot], seat: int) -> Numbers:
        """The bot of each seat, as rows of settings, of kind LEARNER where the caller decides."""
        if not is_compiled(players):
            raise ValueError(
                "these games are played in compiled code: by bots of ours, such as random, greedy or search:rounds=20, "
                "and by bots of at most one file beside them"
            )
        if len(players) not in (0, 1, self.n_seats - 1):
            raise ValueError(f"{len(players)} bots and a learner do not fill {self.n_seats} seats")
        rows = packed(players, self.game) if players else np.zeros(1, BOT.dtype)
        out = np.zeros(self.n_seats, rows.dtype)
        others = [one for one in range(self.n_seats) if one != seat] if players else []
        out["kind"] = LEARNER
        out[others] = rows[np.arange(len(others)) % len(rows)]
        return out

    def _everywhere(self, work: Callable[[Any, int, int], Any]) -> list[Any]:
        """Call `work` for every stretch of games, each in a thread of its own."""
        if self._threads == 1 or self.game.definition.home.interpreted:
            return [work(self._scratches[0], *stretch) for stretch in self._stretches]
        futures = [
            self._pool.submit(work, scratch, *one)
            for scratch, one in zip(self._scratches, self._stretches, strict=True)
        ]
        return [future.result() for future in futures]

    @property
    def seats(self) -> Numbers:
        """The seat to act in each game: shape (n,), int8."""
        seats: Numbers = self.rows["state"]["to_act"]
        return seats

    def reset(self, seed: int = 0) -> tuple[Numbers, Numbers]:
        """Begin games of the seeds seed, seed + 1, …; a later game of a row has a seed n higher. Returns observations, legal actions."""
        self._begun = True
        self.rows["seed"] = seed + np.arange(self.n)
        self.rows["stride"], self.rows["steps"] = self.n, 0
        self.rows["state"]["n_seats"] = self.n_seats
        self._take(self._drawn, fresh=True)
        return self._shown

    def sample(self) -> Numbers:
        """A legal action for each game, shape (n,), int64, drawn like the random bot's; after equal `reset`s, equal actions are drawn."""
        self._must_have_begun()
        self._everywhere(lambda _, a, b: self._made.draw(self.rows, self._drawn, a, b))
        return self._drawn

    def step(self, actions: Any) -> tuple[Numbers, Numbers, Rewards, Numbers]:
        """Take an action in each game, shape (n,): returns observations, legal actions, rewards, ends.

        Rewards: shape (n, seats), or (n,) for a learner in one seat; zero but at an end (see `Session.rewards`). Ends: shape (n,),
        bool. IllegalAction names the game and the paragraph; of its stretch of games those before it have been stepped.
        """
        self._must_have_begun()
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise ValueError(f"actions are ids, whole numbers, not {given.dtype}")
        taken = given.astype(np.int64, copy=False)
        if taken.shape != (self.n,):
            raise ValueError(f"one action for each of {self.n} games, not {taken.shape}")
        for row in self._take(taken):
            if row >= 0:
                self._refuse(int(row), int(taken[row]))
        ends = self.rows["over"].astype(bool)
        rewards = np.zeros((self.n, self.n_seats), np.float32)
        if ends.any():
            rewards[ends] = self._earned(self.rows[ends])
        return *self._shown, (rewards if self.seat is None else rewards[:, self.seat]), ends

    def _take(self, actions: Numbers, fresh: bool = False) -> list[Any]:
        """Take these actions in the games, or begin new ones; returns, for each stretch, the first row whose action is illegal."""
        made, box, rows, shown = self._made, self.game.box, self.rows, self._shown
        return self._everywhere(
            lambda scratch, a, b: made.step(
                box, rows, self._blank, scratch, self.bots.copy(), shown, fresh, actions, (a, b)
            )
        )

    def _must_have_begun(self) -> None:
        if not self._begun:
            raise RuntimeError(NOT_BEGUN)

    def _earned(self, rows: Numbers) -> Rewards:
        """The rewards of many games, like `Session.rewards`."""
        n, definition = self.n_seats, self.game.definition
        if definition.COOPERATIVE or n == 1:
            return np.asarray(np.tanh(rows["points"][:, :n] / float(definition.SCALE or 5.0) / 2), np.float32)
        first = rows["places"][:, :n] == 1
        won = first / first.sum(axis=1, keepdims=True)
        return np.asarray((n * won - 1) / (n - 1), np.float32)

    def _refuse(self, row: int, action: int) -> None:
        session = Session(self.game, self.n_seats)
        session.state = self.rows[row]["state"]
        session._out.ids[:] = self.rows[row]["out"]["ids"]
        try:
            session.step(action)
        except IllegalAction as refusal:
            raise IllegalAction(f"game {row}: {refusal.reason}", refusal.rule) from None

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()


HOW = ("seats", "bots", "seat", "threads", "observe")


def vector(game: str | Game, n: int = 4096, *, options: dict[str, Any] | None = None, **how: Any) -> Vector:
    """Many games of one kind at once; `how` as for `Vector`: seats, bots, seat, threads, observe.

    Any other name is an option of the game, as for `load`: `vector("manor", seats=3, offers=0)`. ValueError for options
    beside a game that has been loaded with its own.
    """
    settings = (options or {}) | {key: how.pop(key) for key in list(how) if key not in HOW}
    return Vector(rules_of(game, settings), n, **how)
