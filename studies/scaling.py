"""Measure how cost grows with seats, cards, lands, games, threads and workers, and write it into docs/performance.md.

    python studies/scaling.py [--most 1000000] [--seconds 2] [--print]

All games are played by random bots, except by clusters, so that the rules are measured. By seats, cards and lands: decisions for each
second of processor time, the median of REPEATS runs that alternate, so that other work on the machine affects all alike. By games:
`sutler simulate` into a Parquet file, in a process of its own whose peak memory is noted. By threads: wall-clock time, one thread and two
in turn. By workers: wall-clock time of clusters of one to four workers on this machine; beyond its cores this shows a cluster's overhead.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import sutler
from sutler.core.play.game import Game
from sutler.lab.bench.speed import find_processor_name
from sutler.lab.play.atomic_files import write_atomically
from sutler.lab.play.experiment import Plan, run
from sutler.lab.play.ray_cluster import Crew, connect_crew, import_ray
from sutler.lab.play.simulate import simulate
from sutler.lab.report.report_charts import format_number, render_line_chart

ROOT = Path(__file__).parent.parent
PAGE, PICTURE = ROOT / "docs/performance.md", ROOT / "docs/pictures/cost-by-seats.svg"
PAGE_MARKERS = "<!-- curves -->", "<!-- end of curves -->"
PICTURE_STYLE = """<style>
text { font: 12px Georgia, "Times New Roman", serif; fill: #3b2f20; } .tick { font-size: 11px; fill: #6b5a42; }
.end { text-anchor: end; } .middle { text-anchor: middle; } .grid { stroke: #e3d9c3; fill: none; } .axis { stroke: #6b5a42; }
.series { fill: none; stroke: #8a2f1f; stroke-width: 2.25; stroke-linejoin: round; }
</style><rect width="100%" height="100%" fill="#fbf7ee"/>"""
REPEATS = 3
PARQUET_GAME = "threeyears"
"""The game whose records are written to a file; its games are short."""
Speed = Callable[[], float]
"""Measures once: decisions for each second of processor time."""


def random_play(game: Game, seats: int, seconds: float) -> Speed:
    """A measurement of random play on one thread that lasts so many seconds of processor time."""

    def once() -> float:
        games, decisions, seed, start = 16, 0, 1, time.process_time()
        while (took := time.process_time() - start) < seconds:
            table = simulate(game, ["random"] * seats, games=games, seed=seed, threads=1)
            decisions, seed, games = decisions + int(table["decisions"].sum()), seed + games, min(2 * games, 1024)
        return decisions / took

    return once


def interleaved_medians(runs: Mapping[int, Speed]) -> dict[int, float]:
    """The median of each measurement; they alternate, after one warm-up of each. Prints the medians to stderr."""
    for one in runs.values():
        one()
    found = [{key: one() for key, one in runs.items()} for _ in range(REPEATS)]
    medians = {key: statistics.median(each[key] for each in found) for key in runs}
    print({key: f"{one:,.0f}/s" for key, one in medians.items()}, file=sys.stderr, flush=True)
    return medians


def by_seats(name: str, seconds: float) -> dict[int, float]:
    """Decisions a second by number of seats."""
    game = sutler.load(name)
    return interleaved_medians(
        {n: random_play(game, n, seconds) for n in range(max(2, game.min_seats), game.max_seats + 1)}
    )


def by_cards(seconds: float) -> dict[int, float]:
    """Decisions a second in Medieval Manor by number of kinds of cards: half of them and all."""
    names = [(card.name, card.type) for card in sutler.load("manor").sheet.card]
    bounties = [name for name, kind in names if kind == "bounty"]
    upgrades = [name for name, kind in names if kind == "upgrade"]
    removed = [{"name": name, "count": 0} for name in (*bounties[::2], *upgrades[::2])]
    boxes = {len(names) - len(removed): sutler.load("manor", {"card": removed}), len(names): sutler.load("manor")}
    return interleaved_medians({n: random_play(game, 3, seconds) for n, game in boxes.items()})


def by_map(seconds: float) -> dict[int, float]:
    """Decisions a second in Medieval Manor with three seats, by number of lands on the map: 8 and 16."""
    lands = [land.name for land in sutler.load("manor").sheet.land]
    is_extra = {name: name in lands[1::2] for name in lands}  # extra lands are used with more seats only
    boxes = {
        len(lands) // 2: sutler.load(
            "manor", {"land": [{"name": name, "extra": extra} for name, extra in is_extra.items()]}
        ),
        len(lands): sutler.load("manor", {"land": [{"name": name, "extra": False} for name in lands]}),
    }
    return interleaved_medians({n: random_play(game, 3, seconds) for n, game in boxes.items()})


def by_games(games: int) -> dict[str, float]:
    """Write games to a Parquet file in a new process: seconds ("s"), peak memory ("memory", MB) and the size of the file ("file", MB)."""
    done = subprocess.run(
        [sys.executable, __file__, "--write", str(games)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return dict(json.loads(done.stdout))


def write_games(games: int) -> dict[str, float]:
    """Write games to a Parquet file; the figures of `by_games`, of this process."""
    with tempfile.TemporaryDirectory() as folder:
        out, start = Path(folder) / "games.parquet", time.perf_counter()
        run(Plan(sutler.load(PARQUET_GAME), ["random"], games), out)
        took, size = time.perf_counter() - start, sum(one.stat().st_size for one in Path(folder).rglob("*.parquet"))
    return {"s": took, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "file": size / 1e6}


def by_threads(name: str, seconds: float) -> float:
    """The speed-up of two threads over one in simulating: the median of REPEATS interleaved pairs."""
    game, games = sutler.load(name), 256
    speed = random_play(game, 3, seconds)()
    games = max(256, int(speed * seconds / simulate(game, ["random"] * 3, games=64, threads=1)["decisions"].mean()))
    pairs = []
    for _ in range(REPEATS):
        took = {1: 0.0, 2: 0.0}
        for threads in (1, 2, 2, 1):
            start = time.perf_counter()
            simulate(game, ["random"] * 3, games=games, threads=threads)
            took[threads] += time.perf_counter() - start
        pairs.append(took[1] / took[2])
    return statistics.median(pairs)


def by_workers(games: int) -> dict[int, float]:
    """Seconds for greedy games of Medieval Manor by number of workers in a cluster; 0: threads without a cluster."""
    game = sutler.load("manor")
    took = {}
    for workers in (0, 1, 2, 3, 4):
        with contextlib.ExitStack() as opened:
            crew = opened.enter_context(workers_here(workers)) if workers else None
            for _ in range(2):  # the first time the workers load the rules
                start = time.perf_counter()
                simulate(game, ["greedy"] * 3, games=games, threads=crew)
                took[workers] = time.perf_counter() - start
        print({workers: f"{took[workers]:.1f} s"}, file=sys.stderr, flush=True)
    return took


@contextlib.contextmanager
def workers_here(n: int) -> Iterator[Crew]:
    """A cluster of n workers on this machine, with one processor each."""
    import_ray()
    from ray.cluster_utils import Cluster

    small = {"object_store_memory": 80 * 2**20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **small})
    try:
        for _ in range(n):
            cluster.add_node(num_cpus=1, **small)
        with connect_crew(cluster.address) as crew:
            assert crew is not None
            yield crew
    finally:
        cluster.shutdown()


def seats_picture(seats: dict[str, dict[int, float]]) -> str:
    """An SVG file of decisions a second by seats, in percent of those at the fewest seats; games that begin with the fewest only."""
    counts = sorted({n for found in seats.values() for n in found})
    whole = [(name, found) for name, found in seats.items() if list(found) == counts[: len(found)]]
    rows = [
        (title, [found.get(n, found[max(found)]) / found[min(found)] * 100 for n in counts]) for title, found in whole
    ]
    head, rest = render_line_chart(
        rows, counts, "decisions a second by seats", "seats (what two make: 100)", mark=lambda n: f"{n:.0f}"
    ).split(">", 1)
    return f'{head} xmlns="http://www.w3.org/2000/svg" width="560">{PICTURE_STYLE}{rest}\n'


def page(seconds: float, most: int) -> tuple[str, str]:
    """The chapter's text, and its picture."""
    seats = {name: by_seats(name, seconds) for name in sutler.games()}
    counts = sorted({n for found in seats.values() for n in found})
    today = datetime.date.today().strftime("%-d %B %Y")
    text = [
        f"`python studies/scaling.py --seconds {seconds:g} --most {most}`, {today}, {find_processor_name()}, {os.cpu_count()} cores.",
        "",
        "| random play, million decisions for each second of a processor | "
        + " | ".join(f"{n} seats" for n in counts)
        + " |",
        "|---|" + "---|" * len(counts),
    ]
    for name, found in seats.items():
        cells = [f"{found[n] / 1e6:.2f}" if n in found else "" for n in counts]
        text.append(f"| {sutler.load(name).title} | " + " | ".join(cells) + " |")
    text += ["", f"![Decisions a second by seats](pictures/{PICTURE.name})", ""]
    text += [
        f"| {sutler.load(PARQUET_GAME).title}, random, into a Parquet file | seconds | greatest memory | file |",
        "|---|---|---|---|",
    ]
    games = 1000
    while games <= most:
        one = by_games(games)
        text.append(f"| {games:,} games | {one['s']:.1f} | {one['memory']:,.0f} MB | {one['file']:.1f} MB |")
        games *= 10
    boxes = {f"{n} cards in the box": speed for n, speed in by_cards(seconds).items()}
    boxes |= {f"a map of {n} lands": speed for n, speed in by_map(seconds).items()}
    text += ["", "| Medieval Manor, 3 seats | million decisions for each second of a processor |", "|---|---|"]
    text += [f"| {what} | {speed / 1e6:.2f} |" for what, speed in boxes.items()]
    text += ["", "| two threads against one, simulating | times as fast |", "|---|---|"]
    text += [f"| {sutler.load(name).title} | {format_number(by_threads(name, seconds))} |" for name in sutler.games()]
    workers = by_workers(games_by_workers := max(64, int(2000 * seconds)))
    text += ["", f"| {games_by_workers:,} games of greedy bots, Medieval Manor | seconds |", "|---|---|"]
    who = {0: "threads", 1: "1 worker of a cluster"}
    text += [f"| {who.get(n, f'{n} workers of a cluster')} | {took:.1f} |" for n, took in workers.items()]
    return "\n".join(text), seats_picture(seats)


def main() -> None:
    """Measure, print, and update the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--most", type=int, default=1_000_000, help="most games written to a file")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of each run")
    parser.add_argument("--print", action="store_true", help="on the screen only")
    parser.add_argument("--write", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        print(json.dumps(write_games(options.write)))
        return
    text, picture = page(options.seconds, options.most)
    print(text)
    if not options.print:
        old = PAGE.read_text(encoding="utf-8")
        write_atomically(
            PAGE,
            re.sub("(?s)" + ".*".join(PAGE_MARKERS), lambda _: f"{PAGE_MARKERS[0]}\n{text}\n{PAGE_MARKERS[1]}", old),
        )
        write_atomically(PICTURE, picture)


if __name__ == "__main__":
    main()
