"""Experiments on other machines: a crew is a Ray cluster that plays spans of games.

A game depends on its seed and its number alone, so the table is the same whichever machine plays which span. A span
whose worker dies is played again by another. Every machine of the cluster needs this package in the same version, and
the games that $SUTLER_GAMES names; the rules are compiled once on each.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sutler.bots import Bot
from sutler.core.extras import wanted
from sutler.core.machine.warm import warm_once
from sutler.core.play.game import Game, load

SPANS_QUEUED_PER_CPU = 2  # spans handed out for each processor, so that none waits for its next one
PACKAGE_FOLDER = Path(__file__).parents[2]


@dataclass(frozen=True)
class Order:
    """Everything that makes a span come out the same on any machine.

    The game and its settings, the players, and what is recorded.

    `play(order, game, first, end)` plays the games from number `first` to `end` (not included); it must be importable
    by name where the order arrives.
    """

    name: str
    edit: dict[str, Any]
    settings: dict[str, Any]
    options: dict[str, Any]
    players: list[Bot]
    seed: int
    rotate: bool
    play: Callable[[Order, Game, int, int], Any]
    code: str

    @classmethod
    def of(
        cls,
        game: Game,
        players: Sequence[Bot],
        seed: int,
        rotate: bool,
        play: Callable[[Order, Game, int, int], Any],
    ) -> Order:
        """An order for spans of this game."""
        return cls(game.name, game.edit, game.settings, game.chosen, list(players), seed, rotate, play, code_of(game))

    def game(self) -> Game:
        """Load and compile the game on the worker; ValueError when the worker has another version of it."""
        game = load(self.name, self.edit or None, self.settings, **self.options)
        if code_of(game) != self.code:
            raise ValueError(
                f"this machine has another version of Sutler or of {game.title}; install the same everywhere"
            )
        warm_once(game.definition, whole=False)
        return game


@functools.cache
def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def code_of(game: Game) -> str:
    """A fingerprint of the sources that games are played by."""
    return " ".join(
        _digest(folder)
        for folder in (PACKAGE_FOLDER / "core", PACKAGE_FOLDER / "bots", PACKAGE_FOLDER / "lab", game.folder)
    )


@functools.lru_cache(maxsize=4)
def _unpacked_order(order: bytes) -> tuple[Order, Game]:
    """The order unpacked on a worker, with its game loaded; cached for further spans."""
    opened: Order = pickle.loads(order)
    return opened, opened.game()


def _play_span(order: bytes, first: int, end: int) -> Any:
    """Play one span of games on a worker of the cluster."""
    opened, game = _unpacked_order(order)
    return opened.play(opened, game, first, end)


@dataclass(frozen=True)
class Crew:
    """A connection to a cluster. Made by `crew_at`."""

    ray: Any

    @property
    def size(self) -> int:
        """The number of processors that the cluster has now."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def play(
        self, order: Order, spans: Sequence[tuple[int, int]]
    ) -> Generator[tuple[tuple[int, int], Any], None, None]:
        """Have these spans played on the cluster; yields each with its result as it comes, in no particular order."""
        task = self.ray.remote(_play_span).options(num_cpus=1, max_retries=-1)
        sent = self.ray.put(pickle.dumps(order))
        left, busy = iter(spans), dict[Any, tuple[int, int]]()
        try:
            while True:
                while len(busy) < SPANS_QUEUED_PER_CPU * self.size and (span := next(left, None)) is not None:
                    busy[task.remote(sent, *span)] = span
                if not busy:
                    return
                finished, _ = self.ray.wait(list(busy), num_returns=1)
                for one in finished:
                    yield busy.pop(one), self._result(one)
        finally:
            for one in busy:
                self.ray.cancel(one, force=True)

    def _result(self, one: Any) -> Any:
        try:
            return self.ray.get(one)
        except self.ray.exceptions.RayTaskError as error:
            raise error.as_instanceof_cause() from None


def ray_module() -> Any:
    """Import Ray; Missing, with what to install, when it is not there.

    Started under `uv run`, Ray would send this folder to each worker and build an environment there that lacks this
    package. Every machine has its own, so that is switched off, unless it was switched on explicitly; Ray reads the
    setting when it is imported.
    """
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    return wanted("ray", "ray")


@contextlib.contextmanager
def crew_at(address: str | None) -> Iterator[Crew | None]:
    """Connect to the Ray cluster at `address` (HOST:PORT, `auto` for the one running here, `local` to start one).

    Yields None for none.

    ValueError when Ray is not installed or there is no cluster at the address.
    """
    if address is None:
        yield None
        return
    ray = ray_module()
    try:
        if address == "local":
            ray.init(log_to_driver=False, configure_logging=False, include_dashboard=False)
        else:
            ray.init(address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ValueError(f"--ray {address}: there is no cluster to be had ({str(error).splitlines()[0]})") from None
    try:
        yield Crew(ray)
    finally:
        ray.shutdown()
