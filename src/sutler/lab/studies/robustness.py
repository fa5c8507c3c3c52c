"""Robustness of figures: the same game is played between each bot of a ladder, and each headline figure gets a verdict.

`iter_robustness` plays equal seeds between copies of each of several bots and compares every figure of the other bots with the first
one's. `claim_verdicts` defines when a figure holds, when all bots see the same side only, when it depends on the bot, and when there
are too few games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot, bot_from, replace_level_bot
from sutler.bots.kit import is_search
from sutler.core.definition import Definition
from sutler.core.play.game import Game
from sutler.lab.play.headline_figures import Figure, Numbers, compute_game_figures, find_seats_by_role, list_role_kinds
from sutler.lab.play.provenance import bot_to_dict, collect_provenance, describe_bot
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.estimates import format_count_with_noun
from sutler.lab.studies.claim_verdicts import (
    CLAIM_VERDICTS,
    DEPENDS_VERDICT,
    HOLDS_VERDICT,
    SIDE_ONLY_VERDICT,
    SIDE_VERDICT,
    TOO_FEW_VERDICT,
    Claim,
    JudgedClaim,
    Level,
    describe_shared_evaluation,
    judge_claims,
)

SEARCH_GAMES_DIVISOR = 10  # a bot that searches plays so many times fewer games by default
MIN_SEARCH_GAMES = 60
GAMES = 1000  # of each bot, unless the query says how many
LADDER = ["greedy", "greedy:noise=0.12:blunders=0.1", "search:rounds=8", "search:rounds=30"]
"""The bots that are compared where none are named: one that looks one move ahead, one that errs, and two searches."""


@dataclass(frozen=True)
class Rung:
    """The results of games between copies of one bot. `figures`: the headline figures, each with one number for each game."""

    bot: str
    games: int
    figures: Mapping[Figure, Numbers]

    @property
    def share_of_games_won(self) -> float:
        """The share of the bot's games that have a winner."""
        return next((1.0 - float(values.mean()) for one, values in self.figures.items() if one.name == "nobody"), 1.0)


@dataclass(frozen=True)
class Robustness:
    """The answer so far: each bot's games, each seat's and role's even share, and the metadata."""

    rungs: tuple[Rung, ...]
    evens: Mapping[str, float]
    about: dict[str, Any]

    @property
    def judged_claims(self) -> list[JudgedClaim]:
        """A judged claim for every figure that the games of all bots have."""
        shared = [one for one in self.rungs[0].figures if all(one in rung.figures for rung in self.rungs)]
        return judge_claims([self._claim(one) for one in shared])[0]

    def _claim(self, figure: Figure) -> Claim:
        """The claim about a figure: the value with each bot, and the even value with each bot if there is one."""
        part = self.evens.get(figure.name)
        even = None if part is None else tuple(part * rung.share_of_games_won for rung in self.rungs)
        return Claim(figure, [Level(rung.figures[figure], figure.share) for rung in self.rungs], even)

    @property
    def extreme_game_remarks(self) -> list[str]:
        """Remarks on figures whose plain means rest on a few extreme games."""
        return [one.beyond for one in self.judged_claims if one.beyond]

    def answer(self) -> str:
        """The answer in a few sentences: which figures depend on the bot, and which hold."""
        lines = self.judged_claims
        kinds = {kind: [one for one in lines if one.verdict == kind] for kind in CLAIM_VERDICTS}
        said = []
        if some := kinds[DEPENDS_VERDICT]:
            verb = "depends" if len(some) == 1 else "depend"
            said.append(
                f"{len(some)} of {format_count_with_noun(len(lines), 'figure')} {verb} on the bot: {_list_first_labels(some)}."
            )
        if some := kinds[SIDE_VERDICT] + kinds[SIDE_ONLY_VERDICT]:
            verb = "lies" if len(some) == 1 else "lie"
            said.append(
                f"{len(some)} {verb} on the same side of even between all, of another or an unknown size: {_list_first_labels(some)}."
            )
        if some := kinds[HOLDS_VERDICT]:
            said.append(f"{len(some)} {'holds' if len(some) == 1 else 'hold'} between all: {_list_first_labels(some)}.")
        if some := kinds[TOO_FEW_VERDICT]:
            said.append(f"For {len(some)} there are too few games.")
        return " ".join([*said, *filter(None, [self.shared_evaluation_in_words])])

    @property
    def shared_evaluation_in_words(self) -> str:
        """A sentence where all bots judge positions by one evaluation; else empty."""
        return describe_shared_evaluation([rung.bot for rung in self.rungs])

    def judge_claim_about(self, prefixes: Sequence[str]) -> str:
        """The verdict on a claim about the figures whose names begin with `prefixes`: the least certain one of their verdicts."""
        found = [one.verdict for one in self.judged_claims if one.figure.name.startswith(tuple(prefixes))]
        return next((kind for kind in CLAIM_VERDICTS if kind in found), TOO_FEW_VERDICT)

    def table(self) -> pl.DataFrame:
        """A table with a row for each figure and bot."""
        rows = [
            (line.figure.name, line.figure.label, rung.bot, rung.games, *values, line.verdict)
            for line in self.judged_claims
            for rung, values in zip(self.rungs, line.values, strict=True)
        ]
        names = ["figure", "label", "bot", "games", "mean", "low", "high", "verdict"]
        return pl.DataFrame(rows, schema=names, orient="row")

    def write(self, path: Path) -> None:
        """Write the table as .parquet or .csv."""
        self.table().write_csv(path) if path.suffix == ".csv" else self.table().write_parquet(path)


def _list_first_labels(claims: Sequence[JudgedClaim], max_labels: int = 6) -> str:
    """The labels of the first `max_labels` claims, and how many more there are."""
    names = [one.figure.label for one in claims]
    return ", ".join(names[:max_labels]) + (f" and {len(names) - max_labels} more" if len(names) > max_labels else "")


def compute_even_shares(table: pl.DataFrame) -> dict[str, float]:
    """The share of wins of each seat and each role in a balanced game in which somebody always wins, by the figure's name."""
    n = sum(name.startswith("place_") for name in table.columns)
    found = {f"seat_{seat + 1}": 1 / n for seat in range(n)} if n > 1 else {}
    for kind in list_role_kinds(table):
        for role, sits in find_seats_by_role(table, kind).items():
            found[f"{kind}_{role}"] = float(np.mean(sits))
    return found


def build_rung(game: Definition, table: pl.DataFrame, bot: str) -> Rung:
    """The rung for a table of one bot's games, without figures about single bots. `bot`: its description."""
    found = {f: v for f, v in compute_game_figures(game, table).items() if not f.name.startswith("bot_")}
    return Rung(bot, len(table), found)


def list_ladder_bots(game: Game, bots: Sequence[str | Bot] = ()) -> list[str]:
    """The given bots as texts, or LADDER if none is given."""
    specs = [one if isinstance(one, str) else one.name for one in bots] or LADDER
    if len(set(specs)) < max(2, len(specs)):
        raise ValueError("name two bots or more, each once: the first is what the others are held against")
    for one in specs:
        bot_from(one)
    return specs


def iter_robustness(query: Query, searched: int | None = None) -> Iterator[Robustness]:
    """Yield the answer after each bot but the first.

    The query's bots are texts for `bots.bot_from`; without any, LADDER is used. `searched`: the number of games for bots that search;
    None for a fixed part of the query's. ValueError where there are fewer than two bots.
    """
    game, games, seed = query.version, query.get_games_or(GAMES), query.seed
    specs = list_ladder_bots(game, query.bots)
    players: list[Bot] = [replace_level_bot(bot_from(one), game) for one in specs]
    fewer = max(MIN_SEARCH_GAMES, games // SEARCH_GAMES_DIVISOR) if searched is None else searched
    many = [fewer if is_search(one) else games for one in players]
    n = game.best_seats if query.seats is None else query.seats
    about = collect_provenance(game) | {"title": game.title, "seats": n, "seed": seed, "bots": specs}
    rungs: list[Rung] = []
    even: dict[str, float] = {}
    for k, (player, its) in enumerate(zip(players, many, strict=True)):

        def report_games_done(done: int, _: int, before: int = sum(many[:k])) -> None:
            query.report_progress(before + done, sum(many))

        table = simulate(game, [player], its, seed, threads=query.threads, progress=report_games_done, seats=n)
        even = even or compute_even_shares(table)
        rungs.append(build_rung(game.definition, table, describe_bot(bot_to_dict(player))))
        if len(rungs) > 1:
            yield Robustness(tuple(rungs), even, about)
