"""Speed on this machine: the figures that `sutler bench` prints.

Each figure is the median of several runs, each of them long enough for the clock. First calls, in which machine code is compiled or
loaded, are not counted; they are a figure of their own ("warm start"), measured in a new process.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.bots import Bot, bot
from sutler.bots.kit import get_kit
from sutler.core.play.game import Game
from sutler.core.play.position import Position
from sutler.lab.play.provenance import collect_provenance
from sutler.lab.play.simulate import play_games, simulate

RUNS_A_FIGURE = 5
DEFAULT_SEATS = 3
SHORT_SEARCH_ROUNDS = 50

QUERIES: dict[str, Callable[[Any, int], object]] = {
    "view": lambda pos, _: pos.view(pos.seat),
    "prompt": lambda pos, _: pos.prompt(pos.seat),
    "choices": lambda pos, _: pos.choices(pos.seat),
    "can_undo": lambda pos, _: pos.can_undo(),
    "why_not": lambda pos, action: pos.why_not(action),
}
"""The queries that a table makes of a game after every click, by name. The arguments are a position and the number of any action."""
WARM_UP_DECISIONS = 80
"""The number of first decisions that are not measured, since machine code is loaded in them."""


@dataclass(frozen=True)
class Measure:
    """A measured figure: its name, value and unit, and the runs whose median it is (empty for a figure that was counted)."""

    name: str
    value: float
    unit: str
    runs: tuple[float, ...] = ()

    def to_stored_data(self) -> dict[str, Any]:
        """The figure as data to store: value, unit, lowest and highest run."""
        runs = self.runs or (self.value,)
        return {
            "value": _round_for_file(self.value),
            "unit": self.unit,
            "lowest": _round_for_file(min(runs)),
            "highest": _round_for_file(max(runs)),
        }


def measure_game(game: Game, seconds: float = 1.0, seats: int | None = None) -> list[Measure]:
    """Every figure of a game. `seconds`: about how long each run takes; `seats`: None for DEFAULT_SEATS, within the game's bounds.

    ValueError where the game is not for so many seats, or the rules run as plain Python.
    """
    if game.definition.home.interpreted:
        raise ValueError("the rules run as plain Python; there is nothing to measure (is SUTLER_PLAIN set?)")
    if seats is None:
        seats = max(game.min_seats, min(DEFAULT_SEATS, game.max_seats))
    game.blank(seats, 1)  # raises ValueError where the game is not for so many seats
    found = [_measure_warm_start(game), *_measure_sizes(game)]
    found += _measure_random_play(game, seats, seconds)
    found.append(_measure_copy_time(game, seats, seconds))
    found.append(_measure_greedy_speed(game, seats, seconds))
    found.append(_measure_search_speed(game, seats, seconds))
    found.append(_measure_thread_speedup(game, seats, seconds))
    found += _measure_response_times(game, seats)
    return found


def measure_game_to_dict(game: Game, seconds: float = 1.0, seats: int | None = None) -> dict[str, Any]:
    """The figures by name (see `Measure.to_stored_data`) with options, machine, versions and command, as data for JSON."""
    figures = {one.name: one.to_stored_data() for one in measure_game(game, seconds, seats)}
    about = collect_provenance(game)
    return {
        "figures": figures,
        "options": ", ".join(f"{key}={value}" for key, value in about["options"].items()) or "as printed",
        "machine": f"{find_processor_name()}, {os.cpu_count()} cores, {platform.system()}",
        "versions": ", ".join(f"{key} {value}" for key, value in about["versions"].items()),
        "command": about["command"],
    }


def find_processor_name() -> str:
    """The name of the processor, as the system reports it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _round_for_file(value: float) -> float | int:
    """The value rounded for a file: whole numbers from 1000 on, four significant digits below."""
    return round(value) if value >= 1000 else float(f"{value:.4g}")


def _measure_median_of_runs(name: str, unit: str, run: Callable[[], float]) -> Measure:
    """A figure that is the median of RUNS_A_FIGURE calls of `run`; one call before them is not counted."""
    run()
    return _build_median_measure(name, unit, [run() for _ in range(RUNS_A_FIGURE)])


def _build_median_measure(name: str, unit: str, runs: list[float]) -> Measure:
    """A figure that is the median of these runs."""
    return Measure(name, statistics.median(runs), unit, tuple(runs))


def _measure_warm_start(game: Game) -> Measure:
    """The time from starting a new process to the first decision of a game, with machine code in the cache."""
    game.new(seed=1)
    code = (
        "import time; start = time.perf_counter(); import sutler; "
        f"sutler.load({game.name!r}).new(seed=1); print(time.perf_counter() - start)"
    )
    runs = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        runs.append(float(done.stdout))
    return Measure("warm start", statistics.median(runs), "s", tuple(runs))


def _measure_sizes(game: Game) -> list[Measure]:
    """The sizes of the state and the box in bytes, and the number of actions."""
    d = game.definition
    return [
        Measure("state", d.state.dtype.itemsize, "bytes"),
        Measure("box", d.box.dtype.itemsize, "bytes"),
        Measure("actions", d.actions.n, "ids"),
    ]


def _measure_random_play(game: Game, seats: int, seconds: float) -> list[Measure]:
    """The speed of games between random bots on one thread: each decision finds the legal actions and takes one."""
    lengths: list[float] = []

    def time_games() -> float:
        games, decisions, first, start = 64, 0, 1, time.perf_counter()
        while (took := time.perf_counter() - start) < seconds:
            table = simulate(game, ["random"] * seats, games=games, seed=first, threads=1)
            decisions, first = decisions + int(table["decisions"].sum()), first + games
            games = min(4 * games, 4096)
        lengths.append(decisions / (first - 1))
        return decisions / took

    speed = _measure_median_of_runs(f"random play, {seats} seats, one thread", "decisions/s", time_games)
    length = statistics.mean(lengths)
    return [
        speed,
        Measure("the same in games", speed.value / length, "games/s", tuple(one / length for one in speed.runs)),
        Measure("length of a random game", length, "decisions"),
    ]


def _measure_copy_time(game: Game, seats: int, seconds: float) -> Measure:
    """The time to copy one state over another, in compiled code."""
    kit, state = get_kit(game), game.new(seats, 1).state
    worlds = np.zeros(64, game.definition.state.dtype)
    worlds[:] = state
    n = 100_000

    def time_copies() -> float:
        nonlocal n
        start = time.perf_counter()
        kit.greedy.copy_each_state_to_next(worlds, n)
        took = time.perf_counter() - start
        if took < seconds / 4:
            n *= 4
        return took / (n if took >= seconds / 4 else n / 4) * 1e9

    return _measure_median_of_runs("copy of a state", "ns", time_copies)


def compile_bench_code(game: Game) -> None:
    """Compile, or load from the cache, the code that only measuring calls."""
    get_kit(game).greedy.copy_each_state_to_next(np.zeros(2, game.definition.state.dtype), 1)


def _sample_positions(game: Game, seats: int, games: int = 24) -> list[Any]:
    """Positions from the course of up to `games` random games."""
    found = []
    for seed in range(games):
        _, states = play_games(game, ["random"] * seats, seed + 1, max_decisions=10 * seed)
        if not game.definition.is_over(states[0]):
            found.append(game.from_bytes(states[0].tobytes()))
    return found


def _measure_greedy_speed(game: Game, seats: int, seconds: float) -> Measure:
    """The speed of games between greedy bots on one thread, in decisions a second."""

    def time_greedy_games() -> float:
        games, decisions, first, start = 1, 0, 1, time.perf_counter()
        while (took := time.perf_counter() - start) < seconds:
            decisions += int(simulate(game, ["greedy"] * seats, games=games, seed=first, threads=1)["decisions"].sum())
            first += games
            games = min(2 * games, 64)
        return decisions / took

    return _measure_median_of_runs(f"greedy play, {seats} seats, one thread", "decisions/s", time_greedy_games)


def _measure_search_speed(game: Game, seats: int, seconds: float) -> Measure:
    """The speed of search on one thread, in rounds a second, over decisions of random games.

    A search of little choice ends early; the time that its few rounds take is mostly Python's.
    """
    searcher: Bot = bot("search", rounds=SHORT_SEARCH_ROUNDS)
    every = _sample_positions(game, seats)
    positions = [pos for pos in every if _count_rounds(searcher, pos, 0) >= SHORT_SEARCH_ROUNDS] or every

    def time_search() -> float:
        rounds, start, k = 0, time.perf_counter(), 0
        while (took := time.perf_counter() - start) < seconds:
            pos = positions[k % len(positions)]
            rounds, k = rounds + _count_rounds(searcher, pos, k), k + 1
        return rounds / took

    return _measure_median_of_runs("search, one thread", "rounds/s", time_search)


def _count_rounds(searcher: Any, pos: Position, seed: int) -> int:
    """The number of rounds that a search bot takes to decide for the seat to act."""
    return sum(tried for _, _, tried in searcher.explain(pos.for_seat(pos.seat or 0, seed=seed)))


def _measure_response_times(game: Game, seats: int) -> list[Measure]:
    """For each query, the time in ms that 99 of 100 calls do not exceed."""
    runs = [measure_query_times(game, seats) for _ in range(3)]
    return [
        _build_median_measure(f"{name} for a table, 99 of 100 within", "ms", [times[name][-1] for times in runs])
        for name in runs[0]
    ]


def _measure_thread_speedup(game: Game, seats: int, seconds: float) -> Measure:
    """The speed of random play on two threads as a multiple of the speed on one thread.

    Each run plays with one, two, two and one threads in this order, so that other load on the machine falls on both.
    """
    games = 256
    simulate(game, ["random"] * seats, games=games, threads=2)
    start = time.perf_counter()
    simulate(game, ["random"] * seats, games=games, threads=1)
    games = max(256, int(games * seconds / 2 / (time.perf_counter() - start)))

    def time_one_and_two_threads() -> float:
        took = {1: 0.0, 2: 0.0}
        for threads in (1, 2, 2, 1):
            start = time.perf_counter()
            simulate(game, ["random"] * seats, games=games, threads=threads)
            took[threads] += time.perf_counter() - start
        return took[1] / took[2]

    return _measure_median_of_runs("two threads against one, simulating", "times as fast", time_one_and_two_threads)


# --- the queries that a table makes after every click ---


def measure_query_times(
    game: Game, seats: int, decisions: int = 500, fastest_share: float = 0.99
) -> dict[str, tuple[float, ...]]:
    """{query: its processor times in ms over `decisions` random decisions, ascending}.

    Only the fastest `fastest_share` (0 to 1) of the times is returned.
    """
    luck = random.Random(1)
    took: dict[str, list[float]] = {name: [] for name in QUERIES}
    for number, pos in enumerate(_iter_random_positions(game, seats, decisions + WARM_UP_DECISIONS, luck)):
        action = luck.randrange(len(game.action_names))
        for name, ask in QUERIES.items():
            begun = time.thread_time()
            ask(pos, action)
            if number >= WARM_UP_DECISIONS:
                took[name].append(1000 * (time.thread_time() - begun))
    return {name: tuple(sorted(each)[: max(1, round(fastest_share * len(each)))]) for name, each in took.items()}


def _iter_random_positions(game: Game, seats: int, decisions: int, luck: random.Random) -> Iterator[Any]:
    """Yield positions of random games, one after each decision, `decisions` in all. `luck`: a source of random numbers."""
    pos, seed = game.new(seats, 1), 1
    for _ in range(decisions):
        if pos.over:
            seed += 1
            pos = game.new(seats, seed)
        pos.play(luck.choice(pos.legal_ids()))
        yield pos
