"""Measure how many decisions a second learning programs get: python studies/learner_speed.py [GAME] [--games N] [--bots BOTS].

Measured are decisions written by `sutler export` (Parquet and Arrow, all seats and compact), and decisions of a single seat of Gymnasium.
A second is one of processor time, of all threads together, so that other work on the machine matters little; each figure is the best of
three runs.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import sutler
from sutler.interop.gym import SeatEnv
from sutler.lab.play.export import export_bots

PAGE = Path(__file__).resolve().parents[1] / "docs" / "learn.md"
BLOCK = re.compile(r"(<!-- learner speed -->\n).*?(<!-- end -->)", re.DOTALL)
REPEATS = 3
SEAT_STEPS = 20_000


def best(run: Callable[[], int]) -> float:
    """The highest rate of REPEATS runs, in units for each processor second; `run` returns its units. A first run does not count."""
    run()
    rates = []
    for _ in range(REPEATS):
        begun = time.process_time()
        done = run()
        rates.append(done / (time.process_time() - begun))
    return max(rates)


def one_seat(game: sutler.Game, bots: str) -> int:
    """Play one seat at random for SEAT_STEPS decisions; returns that number."""
    env = SeatEnv(game, bots, seats=game.min_seats)
    env.reset(seed=1)
    for _ in range(SEAT_STEPS):
        *_, over, cut, _ = env.step(env.action_space.sample())
        if over or cut:
            env.reset()
    return SEAT_STEPS


def written(rates: dict[tuple[str, bool], float], seat: dict[str, float], game: str, command: str) -> str:
    """The text for docs/learn.md with these figures. `rates`: by (file format, is compact); `seat`: by the opponents."""
    when, load = f"{date.today():%d %B %Y}".lstrip("0"), os.getloadavg()[1]
    rows = "".join(
        f"| {form} | {rates[form, False]:,.0f} | {rates[form, True]:,.0f} |\n" for form in ("Arrow", "Parquet")
    )
    steps = " and ".join(f"{rate:,.0f} against {bots} bots" for bots, rate in seat.items())
    return (
        f"Decisions of two greedy bots of `{game}` written down in a second of a processor (`{command}`, {when},\n"
        f"{os.cpu_count()} processors with other work on them, load {load:.0f}; the best of {REPEATS}):\n\n"
        f"| | all seats | compact |\n|---|---|---|\n{rows}\nA single seat of Gymnasium's takes {steps}.\n"
    )


def main() -> None:
    """Measure, print, and write the figures into docs/learn.md."""
    parsed = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parsed.add_argument("game", nargs="?", default="manor")
    parsed.add_argument("--bots", default="greedy")
    parsed.add_argument("--games", type=int, default=400)
    parsed.add_argument(
        "--write", action="store_true", help="write the figures into docs/learn.md, between their marks"
    )
    said = parsed.parse_args()
    game = sutler.load(said.game, settings={"offers": 0} if said.game == "manor" else {})
    rates, seat = dict[tuple[str, bool], float](), dict[str, float]()
    with tempfile.TemporaryDirectory() as folder:
        for form in ("parquet", "arrow"):
            for compact in (False, True):
                to, n = Path(folder) / f"it.{form}", said.games
                rate = best(
                    lambda to=to, n=n, compact=compact: export_bots(
                        game, said.bots, n, to, seats=game.min_seats, compact=compact
                    )[1]
                )
                rates[form.capitalize(), compact] = rate
                what = f"export to {form}{', compact' if compact else ''}"
                print(
                    f"{what:26} {rate:>9,.0f} decisions a second of a processor, {to.stat().st_size / 1e6:.1f} MB",
                    flush=True,
                )
    for bots in ("random", "greedy"):
        seat[bots] = best(lambda bots=bots: one_seat(game, bots))
        print(f"{'one seat against ' + bots:26} {seat[bots]:>9,.0f}", flush=True)
    if said.write:
        command = f"python studies/learner_speed.py {said.game} --games {said.games} --write"
        page, table = PAGE.read_text(encoding="utf-8"), written(rates, seat, said.game, command)
        PAGE.write_text(BLOCK.sub(lambda match: match[1] + table + match[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
