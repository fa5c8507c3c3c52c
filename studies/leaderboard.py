"""Play the leaderboard of docs/leaderboard.md, and write its tables: python studies/leaderboard.py [GAME …] [--learned FOLDER].

A row is one agent alone among agents of one kind, on the seeds of its command, with Wilson's interval at 95 %. Built-in bots play as in
`sutler simulate`, in every seat equally often. With `--learned`, the agents that `ppo.py` left in that folder (`GAME.npz`) are measured
too, by the exam of `ppo.py`, in the first seat, where they learned. In cooperative games a row is one agent in all seats.

    python studies/leaderboard.py --curves      writes the table of learning curves from docs/curves/ppo-GAME.csv
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import sutler
from sutler.lab.stats.estimates import build_win_rate_table, compute_wilson_interval, count_games_won_together

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "leaderboard.md"
CURVES = ROOT / "docs" / "curves"
SEED = 900_001
EXAM_SEED = 1_000_000_000
MANY, SOME = 1000, 200


@dataclass(frozen=True)
class Contest:
    """The contest of a game: the number of seats, the game's options, and the rows as (agent, the agents around it, number of games)."""

    seats: int
    rows: tuple[tuple[str, str, int], ...]
    options: str = ""


CONTESTS = {
    "manor": Contest(
        2,
        (
            *(("random", "normal", MANY), ("easy", "normal", MANY), ("judge", "normal", MANY)),
            *(("hard", "normal", SOME), ("judge", "hard", SOME), ("normal", "normal", MANY)),
        ),
        "offers=0",
    ),
    "bellum": Contest(
        2,
        (
            *(("random", "normal", MANY), ("easy", "normal", MANY), ("judge", "normal", MANY)),
            *(("hard", "normal", SOME), ("judge", "hard", SOME), ("normal", "normal", MANY)),
        ),
    ),
    "threeyears": Contest(
        2,
        (
            *(("random", "normal", MANY), ("easy", "normal", MANY), ("claim-blind", "normal", MANY)),
            *(("hard", "normal", SOME), ("normal", "normal", MANY)),
        ),
    ),
    "warfarm": Contest(
        3,
        (
            *(("random", "normal", MANY), ("easy", "normal", MANY), ("monk", "normal", MANY)),
            *(("hard", "normal", SOME), ("normal", "normal", MANY)),
        ),
    ),
    "sixwinters": Contest(2, (("random", "", SOME), ("easy", "", SOME), ("normal", "", SOME), ("hard", "", SOME)), ""),
}
LEARNED_AGAINST, LEARNED_TOGETHER = (("random", MANY), ("normal", MANY)), (("", SOME),)
HEAD = "| one | among | games | won | interval | command |\n|---|---|---|---|---|---|\n"


def share(k: float, n: int) -> str:
    """A share of games won and its interval, as two cells of a Markdown table."""
    low, high = compute_wilson_interval(k, n)
    return f"{k / n:.1%} | {low:.1%}–{high:.1%}".replace("%", " %")


def played(name: str, contest: Contest) -> Iterator[str]:
    """Yield a row of the table for each pair of built-in agents in a contest."""
    settings = dict([contest.options.split("=")]) if contest.options else {}
    game = sutler.load(name, settings={key: int(value) for key, value in settings.items()})
    said = f" --set {contest.options}" if contest.options else ""
    for one, among, games in contest.rows:
        bots = [one, *[among or one] * (contest.seats - 1)]
        table = sutler.simulate(game, bots, games=games, seed=SEED)
        if not among:
            won, _ = count_games_won_together(table)
        elif one == among:
            firsts = np.stack([table[f"place_{seat}"].to_numpy() == 1 for seat in range(contest.seats)])
            won = float((firsts[0] / firsts.sum(axis=0)).sum())
        else:
            rates = build_win_rate_table(table).filter(bot=table["bot_0"][0])
            won, games = float(rates["wins"][0]), int(rates["games"][0])
        command = f"`sutler simulate {name} --bots {','.join(bots)}{said} --games {games} --seed {SEED}`"
        shown = f"{one} | {among or '–'}" if one != among else f"{one}, first chair | {among}"
        yield f"| {shown} | {games:,} | {share(won, games)} | {command} |"


def examined(name: str, contest: Contest, folder: Path) -> Iterator[str]:
    """Yield a row of the table for each opponent of the learned agent in `folder`; none if there is no such agent."""
    kept = folder / f"{name}.npz"
    if not kept.exists():
        return
    ppo, weights = _ppo(), dict(np.load(kept))
    reads, acts = weights.pop("reads"), weights.pop("acts")
    settings = dict([contest.options.split("=")]) if contest.options else {}
    for bots, games in LEARNED_AGAINST if any(among for _, among, _ in contest.rows) else LEARNED_TOGETHER:
        many = sutler.vector(
            name,
            num_envs=games,
            seats=contest.seats,
            bots=[bots] * (contest.seats - 1) if bots else "",
            options={key: int(value) for key, value in settings.items()},
            copy=False,
        )
        won, _ = ppo.exam(ppo.Table(many, reads, acts), weights, EXAM_SEED)
        many.close()
        said = f" --set {contest.options}" if contest.options else ""
        who, met = (f" --bots {bots}", f"learned (PPO), first chair | {bots}") if bots else ("", "learned (PPO) | –")
        command = f"`python learn/ppo.py {name}{said} --go-on --updates 0{who} --exam {games}`"
        yield f"| {met} | {games:,} | {share(won * games, games)} | {command} |"


def _ppo() -> Any:
    """The program `examples/learn/ppo.py`, imported as a module."""
    path = ROOT / "examples" / "learn" / "ppo.py"
    spec = importlib.util.spec_from_file_location("learn_ppo", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def with_rows(page: str, name: str, rows: list[str]) -> str:
    """The page with a game's table between its marks written anew. ValueError where it has no such marks."""
    block = re.compile(rf"(<!-- leaderboard: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not block.search(page):
        raise ValueError(f"the page has no table of {name}")
    return block.sub(lambda match: match[1] + HEAD + "\n".join(rows) + "\n" + match[2], page)


def with_curves(page: str) -> str:
    """The page with its table of learning curves written anew from docs/curves: the share of training games won, by decisions played."""
    lines = []
    for name, contest in CONTESTS.items():
        path = CURVES / f"ppo-{name}.csv"
        if not path.exists():
            continue
        said = f" --set {contest.options}" if contest.options else ""
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
        command = f"`python learn/ppo.py {name}{said} --updates {rows[-1]['updates']} --seed 1`"
        for row in rows:
            won, games = float(row["won"]), int(row["games"])
            lines.append(
                f"| {name} | {int(row['decisions']):,} | {row['processor']} | {games:,} | {share(won * games, games)} "
                f"| {float(row['reward']):+.2f} | {command} |"
            )
            command = ""
    head = (
        "| game | decisions | seconds of a processor | games that ended | won | interval | mean reward | command |\n"
        + "|---" * 8
        + "|\n"
    )
    block = re.compile(r"(<!-- curves -->\n).*?(<!-- end -->)", re.DOTALL)
    return block.sub(lambda match: match[1] + head + "\n".join(lines) + "\n" + match[2], page)


def main() -> None:
    """Play the contests, and write their tables or that of the learning curves."""
    parsed = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parsed.add_argument("games", nargs="*", help="all, if left out")
    parsed.add_argument("--learned", type=Path, help="a folder in which ppo.py left GAME.npz")
    parsed.add_argument("--curves", action="store_true", help="only the table of learning curves")
    parsed.add_argument("--out", type=Path, default=PAGE)
    said = parsed.parse_args()
    if said.curves:
        said.out.write_text(with_curves(said.out.read_text(encoding="utf-8")), encoding="utf-8")
        return
    for name in said.games or CONTESTS:
        rows = []
        for one in played(name, CONTESTS[name]):
            print(one, flush=True)
            rows.append(one)
        for one in examined(name, CONTESTS[name], said.learned) if said.learned else ():
            print(one, flush=True)
            rows.append(one)
        said.out.write_text(with_rows(said.out.read_text(encoding="utf-8"), name, rows), encoding="utf-8")


if __name__ == "__main__":
    main()
