"""Experiments on other machines: a crew is a Ray cluster that plays spans of games (games with consecutive numbers).

A game depends only on the plan and its number, so results do not depend on which machine plays which span. If a worker dies, another
plays its span again. Every machine of the cluster needs this package in the same version, and the games that $SUTLER_GAMES names; each
machine compiles the rules once.
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
from sutler.core.compilation.warm import Scope, compile_game_unless_warm
from sutler.core.optional_imports import import_optional
from sutler.core.play.game import Game, load

SPANS_QUEUED_PER_CPU = 2  # more than one, so that no processor waits for its next span
PACKAGE_FOLDER = Path(__file__).parents[2]


@dataclass(frozen=True)
class Order:
    """All that a worker needs to play a span of games with the same result as any other machine.

    `play(order, game, first, end)` plays the games from number `first` to `end` (not included); the worker must be able to import it by
    name. `code`: a fingerprint of the sources, which must be equal on the worker.
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
    def from_game(
        cls,
        game: Game,
        players: Sequence[Bot],
        seed: int,
        rotate: bool,
        play: Callable[[Order, Game, int, int], Any],
    ) -> Order:
        """An order for spans of this game, with the sources of this machine. `play`: see the class."""
        return cls(
            game.name,
            game.edit,
            game.settings,
            game.chosen,
            list(players),
            seed,
            rotate,
            play,
            hash_sources(game),
        )

    def load_game(self) -> Game:
        """Load and compile the game on the worker; ValueError where the sources there differ."""
        game = load(self.name, self.edit or None, self.settings, **self.options)
        if hash_sources(game) != self.code:
            raise ValueError(
                f"this machine has another version of Sutler or of {game.title}; install the same everywhere"
            )
        compile_game_unless_warm(game.definition, scope=Scope.LAB)
        return game


@functools.cache
def _hash_folder(folder: Path) -> str:
    """A hash of the Python and TOML files in a folder, with their names."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def hash_sources(game: Game) -> str:
    """A fingerprint of the source files that decide how games are played and recorded: the package's and the game's."""
    return " ".join(
        _hash_folder(folder)
        for folder in (PACKAGE_FOLDER / "core", PACKAGE_FOLDER / "bots", PACKAGE_FOLDER / "lab", game.folder)
    )


@functools.lru_cache(maxsize=4)
def _load_order(order: bytes) -> tuple[Order, Game]:
    """The unpickled order on a worker, with its game loaded; cached for further spans."""
    opened: Order = pickle.loads(order)
    return opened, opened.load_game()


def _play_span(order: bytes, first: int, end: int) -> Any:
    """Play, on a worker of the cluster, the games from number `first` to `end` (not included). `order`: the pickled order."""
    opened, game = _load_order(order)
    return opened.play(opened, game, first, end)


@dataclass(frozen=True)
class Crew:
    """A connection to a Ray cluster, made by `connect_crew`. `ray`: the module."""

    ray: Any

    @property
    def size(self) -> int:
        """The number of processors that the cluster has now, at least 1."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def play_spans(
        self, order: Order, spans: Sequence[tuple[int, int]]
    ) -> Generator[tuple[tuple[int, int], Any], None, None]:
        """Have spans of games played on the cluster; yields each (span, result) as soon as it is done, in any order."""
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
                    yield busy.pop(one), self._fetch_result(one)
        finally:
            for one in busy:
                self.ray.cancel(one, force=True)

    def _fetch_result(self, task: Any) -> Any:
        """The result of the finished Ray task `task`; raises the worker's error where it failed."""
        try:
            return self.ray.get(task)
        except self.ray.exceptions.RayTaskError as error:
            raise error.as_instanceof_cause() from None


def import_ray() -> Any:
    """The module ray; Missing, with how to install it, where it is not installed.

    Under `uv run`, Ray would send this folder to each worker and build an environment there without this package. Every machine has its own
    environment, so this is switched off unless the user switched it on; Ray reads the setting when it is imported.
    """
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    return import_optional("ray", "ray")


@contextlib.contextmanager
def connect_crew(address: str | None) -> Iterator[Crew | None]:
    """Connect to the Ray cluster at `address`: HOST:PORT, `auto` for the one running here, or `local` to start one.

    Yields the crew, or None where `address` is None. ValueError where Ray is not installed or there is no cluster at the address.
    """
    if address is None:
        yield None
        return
    ray = import_ray()
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
