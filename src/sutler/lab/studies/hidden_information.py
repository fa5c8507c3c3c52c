"""The influence of hidden information on a game, found by playing it again with other redeals, and with hidden things shown.

A bot is shown a redeal, in which what it cannot know is dealt anew at random. Here each game is played four times from one seed, between
bots of one kind:

- *hidden*, as usual; at every decision the bot is also asked for its action if it saw everything, and after another redeal;
- *again*, with other redeals for all bots, which shows the effect of chance in redeals alone;
- *one sees*: one seat, in turn from game to game, is shown the truth instead of redeals;
- *open*: all seats are shown the truth.

A seat that sees knows what lies hidden on the table: hands, face-down cards, and the order of piles where it is fixed. It does not know
future dice, nor draws that are made at random when they happen. It uses its random generator as a seat that does not see, so that a game
in which nothing hidden makes a difference is the same game to the last move.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot
from sutler.bots.kit import is_compiled, list_rule_files
from sutler.bots.kit.records import LUCK
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.play.game import Game
from sutler.lab.play.headline_figures import Figure, Numbers, compute_game_figures, compute_win_shares
from sutler.lab.play.provenance import collect_provenance, list_bot_descriptions
from sutler.lab.play.query import Query
from sutler.lab.play.ray_cluster import Crew
from sutler.lab.play.simulate import Run, seat_bots
from sutler.lab.stats.estimates import (
    Z_95,
    compute_bonferroni_z,
    compute_clustered_share,
    compute_student_t,
    compute_wilson_interval,
)
from sutler.lab.stats.three_valued_verdict import find_side_of_point

SEEDS_PLAYED = 400
MIN_SEEDS_A_STEP = 8
ANSWER_STEPS = 8  # the number of answers as games are played
OTHER_GUESS_SEED_OFFSET = 1 << 41  # added to seeds for other redeals; it is larger than all seeds
WAYS = ("hidden", "again", "one", "open")

Interval = tuple[float, float, float]
"""(value, low, high) at 95 %."""


class SeeingRun(Run):
    """A run of games in which some seats see hidden information. `eyes`: those seats of each game, as a bit set.

    `guess`: added to the seeds of redeals; `asks`: count the decisions that would differ with other knowledge.
    """

    def __init__(
        self, game: Game, players: list[Bot], games: int, seed: int, eyes: Any, guess: int, asks: bool
    ) -> None:
        super().__init__(game, players, games, seed, rotate=False)
        self.eyes, self.guess = eyes, guess
        self.asked = np.zeros((games if asks else 0, 3), np.int64)

    def play_rows(self, rows: Any, finals: Any, bots: Any, scratch: Any, first: int, stats: Any) -> None:
        """Play the games of these rows in the compiled loop of games in which some seats see hidden things."""
        end = first + len(rows)
        spare = np.zeros(2, LUCK.dtype)
        asked = self.asked[first:end]
        self.kit.open_information.play_chunk_with_open_cards(
            self.game.box, rows, finals, bots, scratch, self.eyes[first:end], self.guess, spare, asked
        )


@dataclass(frozen=True)
class HiddenInformation:
    """The results so far, by way of playing: "hidden", "again" (other redeals), "one" (one seat sees all), "open" (all see all).

    `won`: each seat's share of the win, shape (games, seats); `figures`: the headline figures, one number for each game.
    """

    won: Mapping[str, Numbers]
    figures: Mapping[str, Mapping[Figure, Numbers]]
    asked: Numbers
    """For each game: decisions, those that would differ if the seat saw everything, those that would differ after another redeal."""
    about: dict[str, Any]

    @property
    def games(self) -> int:
        """The number of seeds played."""
        return len(self.asked)

    def estimate_winner_changed(self, way: str) -> Interval:
        """The share of games in which a way of playing has other winners than "hidden" has, with its interval."""
        k = float(self._flag_changed_winners(way).sum())
        return k / self.games, *compute_wilson_interval(k, self.games)

    def _flag_changed_winners(self, way: str) -> Numbers:
        """For each game, 1 where its winners differ from those of the same game played "hidden", else 0."""
        other: Numbers = (np.abs(self.won[way] - self.won["hidden"]).max(axis=1) > 1e-9).astype(np.float64)
        return other

    @property
    def is_cooperative(self) -> bool:
        """Is the game cooperative or solo? Then there are no games in which one seat alone sees everything."""
        return "one" not in self.won

    def estimate_value_of_seeing(self) -> Interval:
        """The gain in its win rate of a seat that alone sees everything.

        In a cooperative game it is the gain of all when all is open.
        """
        way = "open" if self.is_cooperative else "one"
        if self.is_cooperative:
            return _compute_mean_interval(self.won[way].sum(axis=1) - self.won["hidden"].sum(axis=1))
        games = np.arange(self.games)
        seats = games % self.about["seats"]
        return _compute_mean_interval(self.won[way][games, seats] - self.won["hidden"][games, seats])

    def estimate_decisions_changed(self, kind: int) -> Interval:
        """The share of decisions that would differ if the seat saw everything (kind 1) or after another redeal (kind 2).

        The interval treats the decisions of a game as one cluster.
        """
        return compute_clustered_share(self.asked[:, kind], self.asked[:, 0])

    def compute_figure_changes(self) -> dict[Figure, tuple[float, Interval]]:
        """For each figure its mean in games played "hidden" and its change when all is open; the intervals hold simultaneously."""
        was, now = self.figures["hidden"], self.figures["open"]
        shared = [one for one in was if one in now]
        z = compute_bonferroni_z(max(1, len(shared)))
        return {one: (float(was[one].mean()), _compute_mean_interval(now[one] - was[one], z)) for one in shared}

    def answer(self) -> str:
        """The answer in a few sentences."""
        if not self.asked[:, 1].any() and not self._flag_changed_winners("open").any():
            return (
                f"Nothing hidden changes anything between these bots: with all open, {self.games:,} games are the same."
            )
        other, winner = (
            ("otherwise", "whether they win") if self.is_cooperative else ("with another winner", "the winner")
        )
        said = (
            f"Were all open, {_format_percent(self.estimate_winner_changed('open'))} of games would end {other}. Other "
            f"guesses alone change "
        )
        said += f"{winner} in {_format_percent(self.estimate_winner_changed('again'))}. "
        value = self.estimate_value_of_seeing()
        who = "They" if self.is_cooperative else "A seat that alone saw everything"
        if not find_side_of_point(*value[1:]):
            said += (
                f"That seeing helps is not shown: {who[:1].lower()}{who[1:]} would win {_format_points(value)} points of a "
                f"hundred more."
            )
        else:
            more = "more" if value[0] > 0 else "more, that is fewer"
            said += f"{who} would win {_format_points(value)} points of a hundred {more}."
        return said + f" Seeing would change {_format_percent(self.estimate_decisions_changed(1))} of decisions."

    def table(self) -> pl.DataFrame:
        """A table with a row for each measure: its name, value, low and high."""
        rows = [(f"winner differs, {way}", *self.estimate_winner_changed(way)) for way in ("again", "open")]
        rows += [("value of seeing", *self.estimate_value_of_seeing())]
        rows += [
            ("decisions, seeing", *self.estimate_decisions_changed(1)),
            ("decisions, guessed again", *self.estimate_decisions_changed(2)),
        ]
        rows += [
            (f"{one.name}, open less hidden", *interval) for one, (_, interval) in self.compute_figure_changes().items()
        ]
        return pl.DataFrame(rows, schema=["measure", "value", "low", "high"], orient="row")

    def write(self, path: Path) -> None:
        """Write the table as .parquet or .csv."""
        self.table().write_csv(path) if path.suffix == ".csv" else self.table().write_parquet(path)


def list_labelled_measures(found: HiddenInformation) -> list[tuple[str, Interval]]:
    """The main measures with their labels, each measure as (value, low, high) of a share."""
    who = "value of seeing, all" if found.is_cooperative else "value of seeing, one seat"
    other = "won or lost otherwise" if found.is_cooperative else "another winner"
    return [
        (f"{other} after other guesses", found.estimate_winner_changed("again")),
        (f"{other} with all open", found.estimate_winner_changed("open")),
        (who, found.estimate_value_of_seeing()),
        ("decisions that seeing would change", found.estimate_decisions_changed(1)),
        ("decisions that another guess would change", found.estimate_decisions_changed(2)),
    ]


def _compute_mean_interval(values: Numbers, z: float = Z_95) -> Interval:
    """The (mean, low, high) of values of games. `z`: the width of the interval in standard errors."""
    n, mean = len(values), float(values.mean())
    half = compute_student_t(n, z) * float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return mean, mean - half, mean + half


def _format_percent(found: Interval) -> str:
    """A share with its interval as percentages."""
    value, low, high = (100 * one for one in found)
    return f"{value:.1f} % ({low:.1f}–{high:.1f})"


def _format_points(found: Interval) -> str:
    """A difference of shares with its interval in percentage points."""
    value, low, high = (f"{100 * one:+.1f}".replace("-", "−") for one in found)
    return f"{value} ({low} to {high})"


def build_equal_players(query: Query) -> list[Bot]:
    """The bots for all seats.

    ValueError where they differ, where they cannot be shown hidden things, or for a cluster.
    """
    players = build_repeatable_bots(seat_bots(query.bots, query.version, query.seats), query.version)
    if any(one != players[0] for one in players):
        raise ValueError("name one bot: what is hidden is asked between bots of one kind, in all seats")
    if not is_compiled(players) or list_rule_files(players):
        raise ValueError(f"{players[0].name} cannot be shown what is hidden; random, greedy and search can")
    if isinstance(query.threads, Crew):
        raise ValueError("what is hidden is asked on this machine only")
    return players


def iter_hidden_information(query: Query) -> Iterator[HiddenInformation]:
    """Yield the answer as more seeds are played. `query.games`: seeds, each played four times (three in a cooperative game)."""
    game, players = query.version, build_equal_players(query)
    games = query.get_games_or(SEEDS_PLAYED)
    n = len(players)
    alone = n == 1 or bool(game.definition.COOPERATIVE)
    ways = [way for way in WAYS if way != "one" or not alone]
    about = collect_provenance(game) | {
        "title": game.title,
        "seats": n,
        "seed": query.seed,
        "bots": list_bot_descriptions(players, game),
    }
    parts: dict[str, list[pl.DataFrame]] = {way: [] for way in ways}
    asked: list[Numbers] = []
    size = max(MIN_SEEDS_A_STEP, -(-games // ANSWER_STEPS))
    for first in range(0, games, size):
        many = min(size, games - first)
        for k, way in enumerate(ways):

            def report_games_done(done: int, _: int, before: int = first * len(ways) + k * many) -> None:
                query.report_progress(before + done, games * len(ways))

            run = _build_seeing_run(game, players, (first, many), query.seed, way)
            run.play_all_games(
                query.threads if isinstance(query.threads, int) else os.cpu_count() or 1, report_games_done
            )
            parts[way].append(run.table())
            if way == "hidden":
                asked.append(run.asked.astype(np.float64))
        yield _build_results({way: pl.concat(parts[way]) for way in ways}, np.concatenate(asked), game, about)


def compile_hidden_information_code(game: Game) -> None:
    """Compile the code of games in which seats see what is hidden, or load it from the cache."""
    next(iter_hidden_information(Query(game, ("greedy",), seats=game.min_seats, games=1, threads=1)))


def _build_seeing_run(game: Game, players: list[Bot], span: tuple[int, int], seed: int, way: str) -> SeeingRun:
    """The games to be played in one of the WAYS. `span`: (number of the first game, number of games)."""
    first, many = span
    n = len(players)
    eyes = {"open": np.full(many, (1 << n) - 1), "one": 1 << ((first + np.arange(many)) % n)}
    return SeeingRun(
        game,
        players,
        many,
        seed + first,
        eyes.get(way, np.zeros(many, np.int64)).astype(np.int64),
        OTHER_GUESS_SEED_OFFSET if way == "again" else 0,
        way == "hidden",
    )


def _build_results(
    tables: Mapping[str, pl.DataFrame], asked: Numbers, game: Game, about: dict[str, Any]
) -> HiddenInformation:
    """The results of the games of each way of playing, in tables. `asked`: as in HiddenInformation."""
    seats = about["seats"]
    places = {way: table.select([f"place_{seat}" for seat in range(seats)]).to_numpy() for way, table in tables.items()}
    won = {way: compute_win_shares(one == 1) for way, one in places.items()}
    figures = {way: compute_game_figures(game.definition, table) for way, table in tables.items() if way != "one"}
    return HiddenInformation(won, figures, asked, about)
