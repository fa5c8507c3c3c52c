"""Warming up: a game's rules are compiled once, by playing; meanwhile they run as plain Python and nobody waits.

`warm(definition)` compiles everything that a table, a bot or a simulation will call, and marks the cache as complete.
`ensure_warm_in_background(["manor"])` lets this process play on in plain Python while another one compiles
(`python -m sutler.core.warm manor`), then loads the machine code in a thread and switches over.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core import event as compiler_events

from sutler.core.rule import PLAIN_ONLY, Home, compiled_here

if TYPE_CHECKING:
    from sutler.core.game import Definition, Game, Position

COMPILING, LOADING = 300, 40
"""How far a trial game is played: to meet all that is called from Python, or to load what nearly every click needs."""
OTHERS = ("sutler.bots", "sutler.lab")
"""Packages with compiled code of their own for each game: they may have a function `warm(game)`."""


@dataclass(frozen=True)
class Step:
    """What the warmer is doing: the game, the rule at hand, and how many have been compiled, of about how many."""

    game: str
    what: str
    done: int
    total: int


Progress = Callable[[Step], None]


class _Listener(compiler_events.Listener):
    """Told by the compiler whenever it begins a function."""

    def __init__(self, begun: Callable[[str], None]) -> None:
        self.begun = begun

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        self.begun(f"{function.__module__.removeprefix('sutler.')}.{function.__qualname__}")

    def on_end(self, event: Any) -> None:
        pass


@contextlib.contextmanager
def _reported(definition: Definition, progress: Progress | None) -> Iterator[Callable[[str], None]]:
    """Report every function that is compiled inside; yields a way to report other things."""
    done = 0

    def report(what: str, compiled: bool = True) -> None:
        nonlocal done
        done += compiled
        if progress is not None:
            progress(Step(definition.name, what, done, max(done, len(definition.home.rules))))

    with compiler_events.install_listener("numba:compile", _Listener(report)):
        yield lambda what: report(what, compiled=False)


def warm(definition: Definition, progress: Progress | None = None) -> float:
    """Compile, or load from the cache, all that a game needs; returns the seconds it took."""
    if PLAIN_ONLY:
        return 0.0
    from sutler.core.game import Game

    start = time.perf_counter()
    home = definition.home
    with compiled_here(home), _reported(definition, progress) as say:
        say("engine")
        game = Game(definition)
        for seats in sorted({game.min_seats, game.max_seats}):
            _try_out(game, seats, COMPILING, say)
        for package in OTHERS:
            say(package.removeprefix("sutler."))
            _warm_other(package, game)
    home.mark_warm()
    return time.perf_counter() - start


def load(definition: Definition) -> None:
    """Load what is in the cache into this process, in this thread; the rest of it comes when it is first called."""
    from sutler.core.game import Game

    with compiled_here(definition.home):
        game = Game(definition)
        _try_out(game, game.min_seats, LOADING)


def _try_out(game: Game, seats: int, most: int, say: Callable[[str], None] = lambda _: None) -> None:
    """Play a game at random and look at everything that a table would show."""
    pos = game.new(seats=seats, seed=1)
    luck = np.random.default_rng(1)
    say(f"a trial game for {seats}")
    while not pos.over and len(pos.decisions) < most:
        _look_round(pos, luck)
        pos.play(int(luck.choice(pos.legal_ids())))
    _look_round(pos, luck)


def _look_round(pos: Position, luck: np.random.Generator) -> None:
    game, d = pos.game, pos.game.definition
    seat = pos.seat if pos.seat is not None else 0
    for viewer in (seat, (seat + 1) % pos.n_seats, None):
        pos.view(viewer)
        pos.prompt(viewer)
        pos.choices(viewer)
    pos.can_undo()
    pos.result()
    if not pos.over:
        for action in luck.integers(0, d.actions.n, 3):
            pos.why_not(int(action))
        view = pos.for_seat(seat)
        view.redeal()
        view.observation()
    d.evaluate(game.box, pos.state, seat)
    d.is_midway(game.box, pos.state)
    if len(pos.decisions) % 50 == 0:
        game.from_bytes(pos.to_bytes())
        pos.at(len(pos.decisions) // 2)


def _warm_other(package: str, game: Game) -> None:
    with contextlib.suppress(ModuleNotFoundError):
        module = importlib.import_module(package)
        if hasattr(module, "warm"):
            module.warm(game)


def warm_once(
    definition: Definition, progress: Progress | None = None, waiting: Callable[[], None] | None = None
) -> float:
    """`warm`, unless it has been done; if another process is at it, wait for that one. Returns the seconds it took."""
    if PLAIN_ONLY:
        return 0.0
    with definition.home.locked(waiting):
        return 0.0 if definition.home.is_warm else warm(definition, progress)


# --- In the background --------------------------------------------------------


@dataclass
class Warming:
    """What the background does; `trouble` says what went wrong, if anything; the game then stays in plain Python."""

    name: str
    what: str = "waiting"
    done: int = 0
    total: int = 0
    ready: bool = False
    trouble: str = ""


class Background:
    """Games being warmed up behind a process that already plays them."""

    def __init__(
        self,
        names: Iterable[str],
        on_ready: Callable[[str], None] | None = None,
        on_trouble: Callable[[str, str], None] | None = None,
    ) -> None:
        from sutler.core.registry import definition

        self.games = {name: Warming(name) for name in names}
        self.on_ready, self.on_trouble = on_ready, on_trouble
        self._child: subprocess.Popen[str] | None = None
        self._stopped = False
        self._homes: dict[str, Home] = {name: definition(name).home for name in self.games}
        for home in self._homes.values():
            home.interpreted = True
        self._thread = threading.Thread(target=self._run, name="warming", daemon=True)
        self._thread.start()
        atexit.register(self.stop)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all is done, well or ill; False when the time is up first."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Leave off: what is compiled so far stays in the cache."""
        self._stopped = True
        if self._child is not None:
            with contextlib.suppress(OSError):
                self._child.terminate()

    def _run(self) -> None:
        for name, warming in sorted(self.games.items(), key=lambda item: not self._homes[item[0]].is_warm):
            if self._stopped:
                return
            try:
                self._one(name, warming)
            except Exception as error:
                warming.trouble = f"{type(error).__name__}: {error}"
            if warming.trouble and not self._stopped and self.on_trouble is not None:
                self.on_trouble(name, warming.trouble)
            if warming.ready and self.on_ready is not None:
                self.on_ready(name)

    def _one(self, name: str, warming: Warming) -> None:
        from sutler.core.registry import definition

        found, home = definition(name), self._homes[name]
        if PLAIN_ONLY:
            warming.trouble = "SUTLER_PLAIN is set: rules run as plain Python"
            return
        if not home.is_warm and not self._compiled_elsewhere(name, warming):
            return
        warming.what = "loading"
        load(found)  # in this thread only: whoever clicks meanwhile runs plain rules
        home.interpreted = False
        warming.what, warming.ready = "ready", True

    def _compiled_elsewhere(self, name: str, warming: Warming) -> bool:
        """Let another process fill the cache; False when it failed."""
        command = [sys.executable, "-m", "sutler.core.warm", "--lines", name]
        with (
            tempfile.TemporaryFile("w+") as errors,
            subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True
            ) as child,
        ):
            self._child = child
            assert child.stdout is not None
            for line in child.stdout:
                done, _, rest = line.rstrip("\n").partition("\t")
                total, _, what = rest.partition("\t")
                if done.isdigit() and total.isdigit():
                    warming.done, warming.total, warming.what = int(done), int(total), what
            child.wait()
            self._child = None
            errors.seek(0)
            last = errors.read().strip().splitlines()[-1:]
        if child.returncode == 0 and self._homes[name].is_warm:
            return True
        reason = last[0] if last else f"it ended with {child.returncode}"
        warming.trouble = f"the rules could not be compiled ({reason}); they run as plain Python, slower but the same"
        return False


def ensure_warm_in_background(
    names: Iterable[str],
    on_ready: Callable[[str], None] | None = None,
    on_trouble: Callable[[str, str], None] | None = None,
) -> Background:
    """Play these games in plain Python from now on, and compiled as soon as their machine code is there.

    After the switch `on_ready(name)` is called, in another thread; `on_trouble(name, message)` when there will be none.
    """
    return Background(names, on_ready, on_trouble)


def main(arguments: list[str]) -> int:
    """`python -m sutler.core.warm [--lines] GAME…`: compile these games, telling on each line done, total and what."""
    from sutler.core.registry import definition, games

    lines = "--lines" in arguments
    names = [one for one in arguments if one != "--lines"] or games()

    def tell(step: Step) -> None:
        if lines:
            print(step.done, step.total, step.what, sep="\t", flush=True)
        else:
            print(f"{step.game}: {step.what}", flush=True)

    for name in names:
        try:
            found = definition(name)
        except KeyError as error:
            print(error.args[0], file=sys.stderr)
            return 2
        warm_once(found, tell, lambda: print("0\t0\tanother process is compiling", flush=True))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
