"""Warm-up: a game's rules are compiled by playing a game; until they are, they run as plain Python and nobody waits.

`compile_game(definition)` compiles everything that a table, a bot or a simulation will call, and marks the cache as complete.
`ensure_warm_in_background(["manor"])` lets this process play on in plain Python while another one compiles
(`python -m sutler.core.compilation.warm manor`), then loads the machine code in a thread and switches over.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import hashlib
import importlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from sutler.core.chance import new_luck
from sutler.core.definition import Definition
from sutler.core.play import registry
from sutler.core.play.game import Game
from sutler.core.play.position import Position
from sutler.core.rule import CORE, PLAIN_ONLY, Home, Rule, run_home_compiled

COMPILE_DECISIONS, LOAD_DECISIONS = 300, 40
"""Decisions of a trial game, shown as a table shows them: to call everything that Python calls, or to load what most clicks need."""
MAX_GAME_DECISIONS = 20_000
"""Decisions of a trial game at most, played on to its end so that the rules of the end are compiled too."""
OUTER_PACKAGES = ("sutler.lab", "sutler.interop")
"""Packages above the bots with compiled code of their own for each game. As `sutler.bots` they have functions `warm(game)`, and
`warm_own(game)` for bots of ours that have a template of their own."""
SECOND_NICENESS = 5
"""How much the second process yields to whoever plays meanwhile."""
SECOND_MEMORY = 1_000_000_000
"""Bytes of memory that must be free for a second process: Six Winters' took half as many."""


class Scope(IntEnum):
    """A scope of compiling: how much of a game is compiled. Each scope includes the ones before it."""

    TABLES = 0
    """The rules and the bots of the levels: all that a person at a table waits for."""
    LAB = 1
    """Simulations of the lab and the interfaces for learning libraries too."""
    ALL = 2
    """Both once more with each persona, judge and policy, and the trainings."""


SCOPE_TEMPLATES = {Scope.LAB: ("lab", "interop"), Scope.ALL: ("bots", "lab", "interop")}
"""Layers whose templates a scope's marker file answers for; for tables the game's own mark does."""


_WARMING: ContextVar[bool] = ContextVar("warming", default=False)
"""Is this context warming up? Then it is told step by step, and nothing else says that rules are compiled."""


@dataclass(frozen=True)
class Step:
    """Progress of warming up: the game, the rule being compiled, how many are compiled, and about how many there are."""

    game: str
    what: str
    done: int
    total: int


Progress = Callable[[Step], None]


@contextlib.contextmanager
def _report_compiled_functions(definition: Definition, progress: Progress | None) -> Iterator[Callable[[str], None]]:
    """Report every function that is compiled inside; yields a function that reports other steps."""
    done = 0

    def report(what: str, compiled: bool = True) -> None:
        nonlocal done
        done += compiled
        if progress is not None:
            progress(Step(definition.name, what, done, max(done, len(definition.home.rules))))

    from sutler.core.compilation.compiler import notify_of_compiling

    mark = _WARMING.set(True)
    try:
        with notify_of_compiling(report):
            yield lambda what: report(what, compiled=False)
    finally:
        _WARMING.reset(mark)


@contextlib.contextmanager
def _collect_garbage_seldom() -> Iterator[None]:
    """A context in which Python collects garbage seldom, since the compiler makes many objects that stay."""
    usual = gc.get_threshold()
    gc.set_threshold(100_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def compile_game(definition: Definition, progress: Progress | None = None, scope: Scope = Scope.ALL) -> float:
    """Compile, or load from the cache, what a game needs in this scope. Returns the seconds it took.

    Somebody waits for what tables need: a second process compiles part of that meanwhile; whatever it has not put into the cache is
    compiled here.
    """
    if PLAIN_ONLY:
        return 0.0
    start = time.perf_counter()
    home = definition.home
    with (
        run_home_compiled(home),
        _collect_garbage_seldom(),
        _report_compiled_functions(definition, progress) as say,
        _second_process(definition, needed=scope == Scope.TABLES and not home.is_warm) as second,
    ):
        say("engine")
        game = Game(definition)
        game.new(seats=game.min_seats, seed=1)
        second.compile_levels()
        for seats in sorted({game.min_seats, game.max_seats}):
            _play_random_game(game, seats, COMPILE_DECISIONS, say, MAX_GAME_DECISIONS)
        say("bots")
        _compile_calls_of_package("sutler.bots", game, "warm")
        second.wait_until_ended()
        _compile_calls_of_package("sutler.bots", game, "warm_levels")
        home.mark_warm()
        if scope >= Scope.LAB:
            for package in OUTER_PACKAGES:
                say(package.removeprefix("sutler."))
                _compile_calls_of_package(package, game, "warm")
            home.mark_warm()  # lists the files that came
            _get_marker_file(home, Scope.LAB).touch()
        if scope >= Scope.ALL:
            for package in ("sutler.bots", *OUTER_PACKAGES):
                say(f"{package.removeprefix('sutler.')}, personas and judges")
                _compile_calls_of_package(package, game, "warm_own")
            _get_marker_file(home, Scope.ALL).touch()
    return time.perf_counter() - start


def _get_marker_file(home: Home, scope: Scope) -> Path:
    """The marker file that exists if all calls in this scope are compiled for their present templates."""
    layers = SCOPE_TEMPLATES[scope]
    sources = sorted(path for layer in layers for path in (CORE.parent / layer).rglob("_[a-z]*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    return home.cache / f"outer-{digest}"


def is_warm(definition: Definition, scope: Scope = Scope.ALL) -> bool:
    """Is everything compiled that public functions call for this game in this scope?"""
    home = definition.home
    return home.is_warm and all(_get_marker_file(home, one).exists() for one in SCOPE_TEMPLATES if one <= scope)


# --- A second process ---------------------------------------------------------


class _SecondProcess:
    """A process that compiles part of a game into the cache while this one compiles the rest, or none.

    It begins with the large rules of the contract that take no action (`compile_rules_ahead`), which the engine and the bots call. When
    it is told that the rules are there, it compiles the learned bots of the game's levels, and ends.
    """

    def __init__(self, child: subprocess.Popen[str] | None) -> None:
        self.child = child

    def compile_levels(self) -> None:
        """Tell the second process to compile the learned bots now, since the rules that they call are in the cache."""
        if self.child is not None and self.child.stdin is not None:
            with contextlib.suppress(OSError):  # it ended early: what it lacks is compiled here
                self.child.stdin.write("\n")
                self.child.stdin.flush()

    def wait_until_ended(self) -> None:
        """Wait until the second process has compiled all that it was asked for, or has failed."""
        if self.child is not None:
            self.child.wait()


@contextlib.contextmanager
def _second_process(definition: Definition, needed: bool) -> Iterator[_SecondProcess]:
    """A context with a second compiling process, or none where none is needed or memory is short."""
    if not needed or (os.cpu_count() or 1) < 2 or _find_free_memory() < SECOND_MEMORY:
        yield _SecondProcess(None)
        return
    command = [sys.executable, "-m", "sutler.core.compilation.warm", "--second", definition.name]
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield _SecondProcess(child)
    finally:
        child.terminate()
        child.communicate()


def _find_free_memory() -> float:
    """The bytes of memory that may still be taken: of the machine, or of the container where it has a limit; infinite where nobody says."""
    free = float("inf")
    with contextlib.suppress(OSError, ValueError, KeyError):
        told = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        free = 1024.0 * int(told["MemAvailable"].split()[0])
    with contextlib.suppress(OSError, ValueError):  # a limit that is "max" is no number
        limit, taken = (int(Path(f"/sys/fs/cgroup/memory.{what}").read_text()) for what in ("max", "current"))
        free = min(free, limit - taken)
    return free


def compile_rules_ahead(game: Game) -> None:
    """Compile, or load from the cache, the large rules that every game has and that take no action; none is called."""
    d = game.definition
    state, actions = d.state.new(), d.actions.new_ids()
    numbers = np.zeros(d.N_OBSERVED, np.float32)
    given: dict[str, tuple[Any, ...]] = {
        "legal": (game.box, state, actions),
        "evaluate": (game.box, state, 0),
        "prune": (game.box, state, actions),
        "why_not": (game.box, state, 0),
        "observe": (game.box, state, 0, numbers),
        "redeal": (game.box, state, 0, new_luck(1)),
    }
    for name, args in given.items():
        one = getattr(d, name)
        if isinstance(one, Rule) and one.shared:
            one.compile_for(*args)


def _run_second_process(definition: Definition) -> None:
    """Compile what the first process asks for; run in the second process, which ends when the first one closes its input."""
    rules_are_there = threading.Event()

    def watch_input() -> None:
        for _ in sys.stdin:
            rules_are_there.set()
        os._exit(0)

    threading.Thread(target=watch_input, name="watching", daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(SECOND_NICENESS)
    definition.home.interpreted = True  # what is only to be asked about is played plain
    game = Game(definition)
    with _collect_garbage_seldom():
        compile_rules_ahead(game)
        rules_are_there.wait()
        with run_home_compiled(definition.home):
            _compile_calls_of_package("sutler.bots", game, "warm_levels")


@contextlib.contextmanager
def announce_if_compiling(game: Game, file: Path | None = None) -> Iterator[None]:
    """A context that prints one line to standard error as soon as rules are compiled inside it, since that takes a while.

    file: the user's bot file that they are compiled for, which `sutler warm` cannot do beforehand.
    """
    if PLAIN_ONLY or game.definition.home.interpreted or _WARMING.get():
        yield
        return
    from sutler.core.compilation import compiler

    said: list[str] = []

    def report_begin(what: str) -> None:
        if not said:
            said.append(what)
            if file is not None:
                print(f"sutler: compiling {file.name} for {game.title}, once", file=sys.stderr, flush=True)
                return
            beforehand = f"`sutler warm {game.name}` does it beforehand"
            print(f"sutler: compiling {game.title} for this machine, once; {beforehand}", file=sys.stderr, flush=True)

    with compiler.notify_of_compiling(report_begin):
        yield


def load_trial_game_code(definition: Definition) -> None:
    """Load the cached machine code that a trial game calls into this process; other code is loaded when it is first called."""
    with run_home_compiled(definition.home):
        game = Game(definition)
        _play_random_game(game, game.min_seats, LOAD_DECISIONS)


def _play_random_game(
    game: Game, seats: int, most: int, say: Callable[[str], None] = lambda _: None, last: int = 0
) -> None:
    """Play a random game and ask for all that a table shows, to compile it: in the first `most` decisions and at the last one.

    With a `last`, more games follow until `most` decisions have been shown, since a short game meets too few kinds of them.
    """
    luck, shown, seed = np.random.default_rng(1), 0, 0
    say(f"a trial game for {seats}")
    while seed == 0 or (last and shown < most):
        seed += 1
        pos = game.new(seats=seats, seed=seed)
        while not pos.over and len(pos.decisions) < max(most, last):
            if shown < most:
                _show_everything(pos, luck)
                shown += 1
            pos.play(int(luck.choice(pos.legal_ids())))
        _show_everything(pos, luck)
        shown += 1  # so that games without a decision come to an end too


def _show_everything(pos: Position, luck: np.random.Generator) -> None:
    """Ask a position for everything that a page, a bot or a learner asks for, so that the rules behind it are compiled."""
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


def _compile_calls_of_package(package: str, game: Game, name: str) -> None:
    """Call the function `name` of a package with the game, if the package is there."""
    with contextlib.suppress(ModuleNotFoundError):
        getattr(importlib.import_module(package), name)(game)


def compile_game_unless_warm(
    definition: Definition,
    progress: Progress | None = None,
    waiting: Callable[[], None] | None = None,
    scope: Scope = Scope.ALL,
) -> float:
    """Warm a game up in this scope unless it is warm; wait if another process is doing so. Returns the seconds it took."""
    if PLAIN_ONLY:
        return 0.0
    with definition.home.hold_compile_lock(waiting):
        return 0.0 if is_warm(definition, scope) else compile_game(definition, progress, scope)


# --- In the background --------------------------------------------------------


@dataclass
class Warming:
    """The progress of compiling one game. `trouble`: what went wrong, in words, or ""; the game then stays in plain Python."""

    name: str
    what: str = "waiting"
    done: int = 0
    total: int = 0
    ready: bool = False
    trouble: str = ""


class Background:
    """Games that are compiled in the background while this process already plays them.

    Half the processors compile, the other half play. `compile_next` puts a game first, because somebody has opened a table of it. What
    tables need comes first for all games, then what the lab and learners need of those that were compiled now.
    """

    def __init__(
        self,
        names: Iterable[str],
        on_ready: Callable[[str], None] | None = None,
        on_trouble: Callable[[str, str], None] | None = None,
    ) -> None:
        self.games = {name: Warming(name) for name in names}
        self.on_ready, self.on_trouble = on_ready, on_trouble
        self._stopped = False
        self._definitions = {name: registry.load_definition(name) for name in self.games}
        for definition in self._definitions.values():
            definition.home.interpreted = True
        self._waiting = sorted(self.games, key=lambda name: not self._definitions[name].home.is_warm)
        self._children: dict[str, subprocess.Popen[str]] = {}
        self._put_off: set[str] = set()
        self._for_the_lab: list[str] = []
        self._lock, self._loading = threading.Lock(), threading.Lock()
        self._finished = threading.Condition(self._lock)
        workers = min(len(self.games), max(1, (os.cpu_count() or 1) // 2))
        self._threads = [
            threading.Thread(target=self._compile_all, name="warming", daemon=True) for _ in range(workers)
        ]
        for thread in self._threads:
            thread.start()
        atexit.register(self.stop_compiling)

    def wait_until_compiled(self, timeout: float | None = None) -> bool:
        """Wait until every game is compiled for tables, has failed, or was given up; return False if the timeout comes first."""
        with self._finished:
            return self._finished.wait_for(
                lambda: self._stopped or all(one.ready or one.trouble for one in self.games.values()), timeout
            )

    def compile_next(self, name: str) -> None:
        """Compile this game next.

        The game that is being compiled is put off, and keeps what it has so far.
        """
        with self._lock:
            if name not in self._waiting:
                return
            self._waiting.remove(name)
            self._waiting.insert(0, name)
            if len(self._children) == len(self._threads):
                other = next(reversed(self._children))
                if not self.games[other].ready:  # else it is compiled for the lab, which compiles what it lacks
                    self._put_off.add(other)
                    self._waiting.insert(1, other)
                self._end_process(self._children[other])

    def stop_compiling(self) -> None:
        """Stop compiling; what is compiled so far stays in the cache."""
        with self._lock:
            self._stopped = True
            self._waiting.clear()
            self._for_the_lab.clear()
            self._finished.notify_all()
            for child in self._children.values():
                self._end_process(child)

    @staticmethod
    def _end_process(child: subprocess.Popen[str]) -> None:
        """End a process; nothing is raised if it has ended."""
        with contextlib.suppress(OSError):
            child.terminate()

    def _compile_all(self) -> None:
        """Compile and load the waiting games, one after another, then compile what the lab needs of them (runs in a thread)."""
        while True:
            with self._lock:
                if not self._waiting and not self._for_the_lab:
                    return
                name, for_the_lab = (self._waiting.pop(0), False) if self._waiting else (self._for_the_lab.pop(0), True)
            if for_the_lab:  # what fails is told when the lab is asked
                self._compile_in_other_process(name, Warming(name), Scope.LAB)
            else:
                self._compile_for_tables(name, self.games[name])

    def _compile_for_tables(self, name: str, warming: Warming) -> None:
        """Compile and load a game; report that it is ready, or what went wrong."""
        try:
            self._compile_one(name, warming)
        except Exception as error:
            warming.trouble = f"{type(error).__name__}: {error}"
        with self._lock:
            if name in self._put_off:
                self._put_off.remove(name)
                warming.trouble, warming.what = "", "waiting"
                return
        if warming.trouble and not self._stopped and self.on_trouble is not None:
            self.on_trouble(name, warming.trouble)
        if warming.ready and self.on_ready is not None:
            self.on_ready(name)
        with self._lock:
            if warming.ready and not self._stopped and not is_warm(self._definitions[name], Scope.LAB):
                self._for_the_lab.append(name)
            self._finished.notify_all()

    def _compile_one(self, name: str, warming: Warming) -> None:
        """Compile a game in another process, load its machine code here, and switch its home over to it."""
        definition = self._definitions[name]
        if PLAIN_ONLY:
            warming.trouble = "SUTLER_PLAIN is set: rules run as plain Python"
            return
        if not definition.home.is_warm:
            warming.trouble = self._compile_in_other_process(name, warming, Scope.TABLES)
            if warming.trouble:
                return
        with self._loading:
            warming.what = "loading"
            load_trial_game_code(definition)  # in this thread only: clicks meanwhile run plain rules
        definition.home.interpreted = False
        warming.what, warming.ready = "ready", True

    def _compile_in_other_process(self, name: str, warming: Warming, scope: Scope) -> str:
        """Compile a game in another process, noting progress in `warming`; return the trouble in words, "" for none."""

        def tell(step: Step) -> None:
            warming.done, warming.total, warming.what = step.done, step.total, step.what

        def report_begin(child: subprocess.Popen[str]) -> None:
            with self._lock:
                self._children[name] = child
                if self._stopped:
                    self._end_process(child)

        try:
            trouble = compile_in_other_process(name, tell, report_begin, scope)
        finally:
            with self._lock:
                self._children.pop(name, None)
        if not trouble and not self._definitions[name].home.is_warm:
            trouble = "the other process left no machine code"
        return trouble and (
            f"the rules could not be compiled ({trouble}); they run as plain Python, slower but the same"
        )


def compile_in_other_process(
    name: str,
    tell: Progress,
    begun: Callable[[subprocess.Popen[str]], None] = lambda child: None,
    scope: Scope = Scope.ALL,
) -> str:
    """Compile a game in this scope in another process, which fills the cache; returns what went wrong, or ""."""
    command = [sys.executable, "-m", "sutler.core.compilation.warm", "--lines", f"--scope={scope.name.lower()}", name]
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True) as child,
    ):
        begun(child)
        assert child.stdout is not None
        for line in child.stdout:
            done, _, rest = line.rstrip("\n").partition("\t")
            total, _, what = rest.partition("\t")
            if done.isdigit() and total.isdigit():
                tell(Step(name, what, int(done), int(total)))
        child.wait()
        errors.seek(0)
        last = errors.read().strip().splitlines()[-1:]
    if child.returncode == 0:
        return ""
    return last[0] if last else f"it ended with {child.returncode}"


def ensure_warm_in_background(
    names: Iterable[str],
    on_ready: Callable[[str], None] | None = None,
    on_trouble: Callable[[str, str], None] | None = None,
) -> Background:
    """Play these games as plain Python from now on, and compiled as soon as their machine code is ready.

    After the switch `on_ready(name)` is called, in another thread; on a failure `on_trouble(name, message)`.
    """
    return Background(names, on_ready, on_trouble)


def main(arguments: list[str]) -> int:
    """`python -m sutler.core.compilation.warm [--lines] [--scope=tables|lab|all] GAME…`: compile these games.

    `--lines`: a line for each step: done, total and what.
    `--scope`: how much, as `Scope` says; all if left out.
    """
    if "--second" in arguments:
        _run_second_process(registry.load_definition(arguments[-1]))
        return 0
    lines = "--lines" in arguments
    scope = next((one for one in Scope if f"--scope={one.name.lower()}" in arguments), Scope.ALL)
    names = [one for one in arguments if not one.startswith("--")] or registry.games()

    def tell(step: Step) -> None:
        if lines:
            print(step.done, step.total, step.what, sep="\t", flush=True)
        else:
            print(f"{step.game}: {step.what}", flush=True)

    for name in names:
        try:
            found = registry.load_definition(name)
        except KeyError as error:
            print(error.args[0], file=sys.stderr)
            return 2
        compile_game_unless_warm(found, tell, lambda: print("0\t0\tanother process is compiling", flush=True), scope)
    return 0


if __name__ == "__main__":
    from sutler.core.compilation import (
        warm as module,  # the one that others import, which knows that this process is warming up
    )

    sys.exit(module.main(sys.argv[1:]))
