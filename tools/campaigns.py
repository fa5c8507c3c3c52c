"""How campaigns of Six Winters go between bots of one kind: won, scored, missions passed, sessions played.

    python tools/campaigns.py                                               # greedy, 1 to 4 players, all difficulties
    python tools/campaigns.py --bots search:rounds=10:horizon=6 --players 2 --difficulty normal --games 120 --against greedy

Prints lines of the table in docs/bots.md, intervals at 95 %; the last figure is campaigns for each second of a processor, all
threads together, which a busy machine leaves nearly as it is. With `--against` the same seeds are played by another bot too, and the
difference is printed, campaign by campaign. `--set rules.shared_action_dice=10` plays with other numbers of the box.
`--decided` prints how they stood when the last year began, and what was won from there; and who left for good.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import sutler
from sutler.core.game import Game
from sutler.games.sixwinters.box import SPACES, YEARS
from sutler.games.sixwinters.cards.vocabulary import SORCERY
from sutler.games.sixwinters.scoring import WON
from sutler.games.sixwinters.state import DEAD, PASSED
from sutler.lab.play.simulate import play_games, seat_bots
from sutler.lab.stats.measures import wilson
from sutler.terminal.errors import settings_from

SPAN = 16  # campaigns that a thread plays at a time
Numbers = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Campaigns:
    """What came of each campaign, and how many were played for each second of a processor."""

    won: Numbers
    score: Numbers
    passed: Numbers
    sessions: Numbers
    rate: float
    ends: Numbers

    @property
    def line(self) -> str:
        """The cells of a row: won, score, missions passed, sessions, campaigns for each second of a processor."""
        low, high = wilson(float(self.won.sum()), len(self.won))
        shares = f"{self.won.mean():.1%} ({100 * low:.1f}–{100 * high:.1f})".replace("%", " %")
        return (
            f"{shares} | {self.score.mean():.1f} ± {margin(self.score):.1f} | {self.passed.mean():.2f} "
            f"| {self.sessions.mean():.1f} | {self.rate:.0f}"
        )

    def rows(self, bot: str, players: int, difficulty: str, changed: list[str]) -> list[dict[str, Any]]:
        """The same as rows for `--out`: a figure each, its value and the ends of its interval at 95 %."""
        label = ", ".join([f"{players} player{'s' if players > 1 else ''}", difficulty, *changed])
        cell = {"label": label, "bot": bot, "games": len(self.won)}
        low, high = wilson(float(self.won.sum()), len(self.won))
        found = [{**cell, "figure": "won", "value": float(self.won.mean()), "low": low, "high": high}]
        for figure, values in (("score", self.score), ("passed", self.passed)):
            mean, half = float(values.mean()), margin(values)
            found.append({**cell, "figure": figure, "value": mean, "low": mean - half, "high": mean + half})
        return found


def margin(values: Numbers) -> float:
    """Half the width of the interval of a mean, at 95 %."""
    return float(1.96 * values.std(ddof=1) / np.sqrt(len(values)))


def play(game: Game, bot: str, players: int, games: int, seed: int, threads: int) -> Campaigns:
    """So many campaigns from this seed on, on so many threads."""
    bots = seat_bots([bot], game, players)
    play_games(game, bots, seed, 1, most=1)  # what has to be compiled or loaded is, before the clock runs
    spans = [(first, min(SPAN, games - first)) for first in range(0, games, SPAN)]
    start = time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(lambda span: play_games(game, bots, seed + span[0], span[1]), spans))
    rate = games / (time.process_time() - start)
    rows, ends = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    return Campaigns(
        won=ends["outcome"] == WON,
        score=rows["points"][:, 0],
        passed=(ends["mission"] == PASSED).sum(axis=1),
        sessions=(ends["journal"]["result"][:, :, 0] > 0).sum(axis=1),
        rate=rate,
        ends=ends,
    )


def share(name: str, won: Numbers) -> str:
    """How many of these campaigns were won, as a line."""
    if len(won) == 0:
        return f"    {name}: none"
    low, high = wilson(float(won.sum()), len(won))
    return f"    {name}: {won.mean():.0%} ({100 * low:.0f}–{100 * high:.0f}) of {len(won)} won"


def decided(found: Campaigns) -> list[str]:
    """Where the Sorcery track and its threat stood when the last year began, what was won from there, and who left for good."""
    before = found.ends["journal"][:, YEARS - 2]
    came = before["result"][:, 0] > 0
    progress, threat = before["progress"][:, SORCERY], before["threat"][:, SORCERY]
    at_end = found.ends["progress"][:, SORCERY] == SPACES
    gone = (found.ends["people"]["state"] == DEAD).sum(axis=1)
    won, lost = found.won, ~found.won
    left = (
        f"    left for good: {gone[won].sum()} of {won.sum()} campaigns won, {gone[lost].sum()} of {lost.sum()} lost; "
    )
    return [
        f"    the last year begins in {came.mean():.0%}, with Sorcery at {progress[came].mean():.1f} of {SPACES} on average",
        share("Sorcery at its end by then", won[came & (progress == SPACES)]),
        *(
            share(f"Sorcery's threat on space {low} to {high} by then", won[came & (low <= threat) & (threat <= high)])
            for low, high in ((1, 4), (5, 7), (8, SPACES))
        ),
        f"    lost before the last year {(lost & ~came).mean():.0%}; in it with Sorcery short of its end "
        f"{(lost & came & ~at_end).mean():.0%}, with it there {(lost & came & at_end).mean():.0%}",
        left + f"somebody in {(gone > 0).mean():.0%}",
    ]


def main() -> None:
    """Play each cell and print its row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", default="greedy", help="who leads all the characters")
    parser.add_argument("--against", help="another bot that plays the same seeds")
    parser.add_argument("--players", default="1,2,3,4")
    parser.add_argument("--difficulty", default="easy,normal,difficult")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE of the box: rules.shared_action_dice=10")
    parser.add_argument("--games", type=int, default=1000, help="campaigns a cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--decided", action="store_true", help="how the last year began, and what was won from there")
    parser.add_argument("--out", type=Path, help="the same as rows, .csv: for tools/findings.py")
    asked = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for difficulty in asked.difficulty.split(","):
        game = sutler.load("sixwinters", settings={**settings_from(asked.set), "difficulty": difficulty})
        for players in map(int, asked.players.split(",")):
            found = play(game, asked.bots, players, asked.games, asked.seed, asked.threads)
            print(f"| {asked.bots} | {players} | {difficulty} | {found.line} |", flush=True)
            if asked.decided:
                print(*decided(found), sep="\n", flush=True)
            rows += found.rows(asked.bots, players, difficulty, asked.set)
            if asked.against:
                other = play(game, asked.against, players, asked.games, asked.seed, asked.threads)
                print(f"| {asked.against} | {players} | {difficulty} | {other.line} |", flush=True)
                more, wins = found.score - other.score, 100.0 * (found.won.astype(float) - other.won)
                print(
                    f"    score {more.mean():+.2f} ± {margin(more):.2f}, won {wins.mean():+.1f} ± {margin(wins):.1f} points"
                    " on the same seeds",
                    flush=True,
                )
    if asked.out:
        pl.DataFrame(rows).write_csv(asked.out)


if __name__ == "__main__":
    main()
