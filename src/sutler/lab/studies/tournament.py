"""Tournaments between bots: which is stronger, how certain that is, and whether the tournament itself is fair.

Bots meet at tables of three kinds. At a *mixed* table two bots share the seats, in every possible split (one against two, two against
one), so that the results of a pair depend on no third bot. At a *mirror* table all seats have one bot: its chairs must win equally often,
which tests the tournament, and its seats show how fair the game is between players of that strength. A *ladder* plays fewer pairs: each bot
meets the lowest one, the one before it, and itself.

Every table has its own seeds, and its bots change seats from game to game in whole rotations.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import bot_from
from sutler.core.play.game import Game
from sutler.lab.play.headline_figures import Numbers, compute_win_shares, find_seats_by_role, list_role_kinds
from sutler.lab.play.provenance import collect_provenance, write_findings
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.estimates import compute_wilson_interval
from sutler.lab.stats.three_valued_verdict import find_side_of_point

GAMES = 300  # at each table, unless the query says how many
Seating = tuple[int, ...]  # the number of the bot in each chair; chairs move round the seats from game to game
CONTROL_ALARM_P = 0.01  # with a smaller p-value a control fails
RATING_ORDER_SEED = 7  # seed of the random order in which games are rated


@dataclass(frozen=True)
class TableGames:
    """The games of one table: places and seats have shape (games, chairs). A chair belongs to one bot and changes seats between games."""

    seating: Seating
    places: Numbers
    seats: Numbers
    rows: pl.DataFrame

    @property
    def is_mirror(self) -> bool:
        """Does the same bot sit in every chair?"""
        return len(set(self.seating)) == 1

    @property
    def won(self) -> Numbers:
        """Each chair's share of the win, shape (games, chairs)."""
        return compute_win_shares(self.places == 1)

    def won_by_seat(self) -> Numbers:
        """Each seat's share of the win, shape (games, seats)."""
        out = np.zeros_like(self.won)
        np.put_along_axis(out, self.seats.astype(np.int64), self.won, axis=1)
        return out


@dataclass(frozen=True)
class Share:
    """A share of games with its 95 % interval (Wilson's). `even`: the share expected between equal bots."""

    value: float
    low: float
    high: float
    games: int
    even: float

    @classmethod
    def from_parts(cls, parts: Numbers, even: float) -> Share:
        """The share of games, from one number between 0 and 1 for each game."""
        n = len(parts)
        return cls(float(parts.mean()), *compute_wilson_interval(float(parts.sum()), n), n, even)

    def __str__(self) -> str:
        return f"{self.value:.1%} ({self.low:.1%}–{self.high:.1%})"


@dataclass(frozen=True)
class Control:
    """The test of a table with one bot in all chairs: the largest distance of a chair's wins from an even share, and its p-value."""

    entrant: int
    games: int
    furthest: float
    chance: float

    def has_passed(self, controls: int = 1) -> bool:
        """Is the result of the test within chance, if there are `controls` such tests?"""
        return self.chance * controls >= CONTROL_ALARM_P


@dataclass(frozen=True)
class Tournament:
    """The games so far, and their statistics. `entrants`: the bots as texts; `planned`: the number of tables."""

    entrants: tuple[str, ...]
    n_seats: int
    tables: tuple[TableGames, ...]
    planned: int
    about: dict[str, Any]

    @property
    def labels(self) -> list[str]:
        """The bots' short names, such as `search 40`."""
        return [name.replace("search:rounds=", "search ") for name in self.entrants]

    def list_tables_with_two_bots(self) -> list[TableGames]:
        """The tables with two bots."""
        return [one for one in self.tables if not one.is_mirror]

    def compute_share_ahead(self, one: int, other: int) -> Share | None:
        """The share of pairs of seats in which bot number `one` ends ahead of bot number `other`, ties counting half; None: never met."""
        parts = [
            _compute_game_shares_ahead(table, one, other)
            for table in self.list_tables_with_two_bots()
            if {one, other} == set(table.seating)
        ]
        return Share.from_parts(np.concatenate(parts), 0.5) if parts else None

    def compute_wins_alone_against(self, one: int, other: int) -> Share | None:
        """The share of games that a single seat of bot `one` wins at tables of bot `other`; None where there were no such tables."""
        seating = (one, *(other,) * (self.n_seats - 1))
        found = [table.won[:, 0] for table in self.list_tables_with_two_bots() if table.seating == seating]
        return Share.from_parts(found[0], 1 / self.n_seats) if found else None

    def compute_wins_by_seat(self, one: int) -> list[Share] | None:
        """The share of games that each seat wins at tables of this bot alone; None where there were none."""
        found = [table.won_by_seat() for table in self.tables if table.seating == (one,) * self.n_seats]
        even = float(found[0].sum(axis=1).mean()) / self.n_seats if found else 0.0
        return [Share.from_parts(found[0][:, seat], even) for seat in range(self.n_seats)] if found else None

    def compute_wins_by_role(self, one: int) -> dict[str, dict[str, Share]]:
        """For each kind of role and each role, the share of games it wins at mirror tables of bot number `one`.

        The even share of a role is its share of the seats.
        """
        found = [table for table in self.tables if table.seating == (one,) * self.n_seats]
        if not found:
            return {}
        rows, won = found[0].rows, found[0].won_by_seat()
        return {
            kind: {
                role: Share.from_parts(
                    np.where(sits, won, 0.0).sum(axis=1), float(sits.mean() * won.sum(axis=1).mean())
                )
                for role, sits in find_seats_by_role(rows, kind).items()
            }
            for kind in list_role_kinds(rows)
        }

    def compute_control(self, one: int) -> Control | None:
        """The test whether a chair is favoured at the table where bot number `one` has every chair; None if there is no such table.

        A chair goes round the seats from game to game, so with one bot in all of them only a fault of the tournament lets one win more
        than another. The result is the largest distance of a chair's share of wins from an even share, with its p-value.
        """
        found = [table.won for table in self.tables if table.seating == (one,) * self.n_seats]
        if not found:
            return None
        won = found[0]
        even = float(won.sum(axis=1).mean()) / self.n_seats
        if even == 0:
            return Control(one, len(won), 0.0, 1.0)  # nobody won any game
        gaps = won.mean(axis=0) - even
        z = float(abs(gaps).max()) / math.sqrt(
            even * (1 - even) / len(won)
        )  # shared wins vary less, so the p-value is not too small
        chance = min(1.0, self.n_seats * 2 * (1 - NormalDist().cdf(z)))
        return Control(one, len(won), float(gaps[np.argmax(abs(gaps))]), chance)

    def compute_ratings(self) -> list[tuple[float, float]]:
        """The ratings of the bots: OpenSkill's mean and uncertainty (Plackett-Luce), over all mixed games in a shuffled order.

        Seats of one bot at a table are each rated with its rating, and the bot takes all their steps: changes of the mean add up, and the
        uncertainty shrinks once for each.
        """
        from openskill.models import PlackettLuce

        model = PlackettLuce(tau=0.0)
        mean = [model.mu] * len(self.entrants)
        doubt = [model.sigma] * len(self.entrants)
        games = [(table.seating, row) for table in self.list_tables_with_two_bots() for row in table.places]
        for k in np.random.default_rng(RATING_ORDER_SEED).permutation(len(games)):
            seating, places = games[k]
            teams = [[model.rating(mu=mean[one], sigma=doubt[one])] for one in seating]
            rated = model.rate(teams, ranks=[float(place) for place in places])
            step = [
                (team[0].mu - mean[one], team[0].sigma / doubt[one]) for one, team in zip(seating, rated, strict=True)
            ]
            for one, (up, shrink) in zip(seating, step, strict=True):
                mean[one] += up
                doubt[one] *= shrink
        return list(zip(mean, doubt, strict=True))

    def build_games_table(self) -> pl.DataFrame:
        """A table with a row for each game: the table it belongs to, its seed, the bots, scores and places by seat."""
        return pl.concat([table.rows for table in self.tables])

    def write(self, path: Path) -> None:
        """Write the games as .parquet (with versions and command inside) or .csv."""
        write_findings(self.build_games_table(), path, self.about)


def _compute_game_shares_ahead(table: TableGames, one: int, other: int) -> Numbers:
    """For each game, the share of pairs of a seat of `one` and a seat of `other` in which the first is ahead."""
    places = table.places
    mine = [chair for chair, who in enumerate(table.seating) if who == one]
    theirs = [chair for chair, who in enumerate(table.seating) if who == other]
    pairs = [(places[:, a] < places[:, b]) + 0.5 * (places[:, a] == places[:, b]) for a in mine for b in theirs]
    return np.asarray(np.mean(pairs, axis=0), np.float64)


def list_all_seatings(entrants: int, seats: int) -> list[Seating]:
    """The seatings of all tables of a tournament: a mirror table for each bot, then each pair of bots in every split."""
    mirrors = [(one,) * seats for one in range(entrants)]
    pairs = itertools.combinations(range(entrants), 2)
    return mirrors + [(a,) * k + (b,) * (seats - k) for a, b in pairs for k in range(1, seats)]


def list_ladder_seatings(entrants: int, seats: int) -> list[Seating]:
    """The seatings of all tables of a ladder.

    For each bot: a mirror table, a table where it sits alone among the lowest bot, and one where it sits alone among the bot before it.
    """
    found = [(one,) * seats for one in range(entrants)]
    for one in range(1, entrants):
        found += [(one, *(foe,) * (seats - 1)) for foe in sorted({0, one - 1})]
    return found


def list_ladder_entrants(rounds: Sequence[int]) -> list[str]:
    """The bots of a ladder: greedy, then searches with these numbers of rounds; ValueError unless the rounds increase."""
    if not rounds or min(rounds) < 1 or sorted(set(rounds)) != list(rounds):
        raise ValueError(
            f"a ladder goes up in whole numbers of rounds, such as 5,10,20,40; not {','.join(map(str, rounds))}"
        )
    return ["greedy", *(f"search:rounds={n}" for n in rounds)]


def parse_rounds(text: str) -> list[int]:
    """The numbers in a text such as `5,10,20`; ValueError where one is not a number."""
    try:
        return [int(one) for one in text.split(",") if one.strip()]
    except ValueError:
        raise ValueError(f"--ladder {text}: write numbers of rounds with commas between, such as 5,10,20,40") from None


def require_competitive(game: Game) -> None:
    """Raise ValueError for a cooperative game, in which no bot can end ahead of another."""
    if game.definition.COOPERATIVE:
        raise ValueError(
            f"in {game.title} all win or lose together, so that no bot beats another at its table; how often tables of each "
            f"win, ask: sutler across {game.name} --bots greedy,search:rounds=20"
        )


def iter_tournament(
    query: Query, plan: Callable[[int, int], list[Seating]] = list_all_seatings
) -> Iterator[Tournament]:
    """Yield the tournament after every table. `query.games`: at each table, rounded up to whole rotations of the seats.

    The query's bots take part, as texts for `bots.bot_from`. `plan(bots, seats)`: the seatings of all tables. ValueError where the bots
    cannot meet.
    """
    game, entrants = query.version, [one if isinstance(one, str) else one.name for one in query.bots]
    games, seed = query.get_games_or(GAMES), query.seed
    require_competitive(game)
    bots = [bot_from(one) for one in entrants]
    if len(set(entrants)) < max(2, len(entrants)):
        raise ValueError("a tournament wants two bots or more, each named once")
    n = game.best_seats if query.seats is None else query.seats
    if n < 2:
        raise ValueError("a tournament wants two seats or more")
    games = -(-games // n) * n
    planned = plan(len(entrants), n)
    about = collect_provenance(game) | {
        "title": game.title,
        "entrants": entrants,
        "seats": n,
        "games": games,
        "seed": seed,
    }
    done: list[TableGames] = []
    for k, seating in enumerate(planned):

        def report_games_done(played: int, _: int, before: int = k * games) -> None:
            query.report_progress(before + played, len(planned) * games)

        table = simulate(
            game,
            [bots[one] for one in seating],
            games,
            seed + k * games,
            threads=query.threads,
            progress=report_games_done,
        )
        done.append(_build_table_games(seating, table, entrants))
        yield Tournament(tuple(entrants), n, tuple(done), len(planned), about)


def run_tournament(query: Query, **question: Any) -> Tournament:
    """The whole tournament, with the arguments of `iter_tournament`."""
    *_, last = iter_tournament(query, **question)
    return last


def _build_table_games(seating: Seating, table: pl.DataFrame, entrants: Sequence[str]) -> TableGames:
    """The games of one table by chair: in game i, seat s is chair (s + i) mod n."""
    n, games = len(seating), len(table)
    chairs = (np.arange(n)[None, :] + np.arange(games)[:, None]) % n
    by_seat = table.select([f"place_{seat}" for seat in range(n)]).to_numpy().astype(np.float64)
    places, seats = np.zeros((games, n)), np.zeros((games, n))
    np.put_along_axis(places, chairs, by_seat, axis=1)
    np.put_along_axis(seats, chairs, np.broadcast_to(np.arange(n, dtype=np.float64), (games, n)), axis=1)
    names = np.array([entrants[one] for one in seating])
    who = {f"bot_{seat}": pl.Series(names[chairs[:, seat]]) for seat in range(n)}
    rows = table.with_columns(**who).insert_column(0, pl.Series("table", ["+".join(names)] * games))
    return TableGames(seating, places, seats, rows)


# --- As tables of words ------------------------------------------------------------

Words = tuple[list[str], list[list[str]]]


def build_rating_table(found: Tournament) -> Words:
    """Headers and rows of a table of the bots by rating, with twice its uncertainty."""
    rated = found.compute_ratings()
    order = sorted(range(len(rated)), key=lambda one: -rated[one][0])
    rows = [[found.entrants[one], f"{rated[one][0]:.1f}", f"± {2 * rated[one][1]:.1f}"] for one in order]
    return ["bot", "rating", ""], rows


def build_matrix_table(found: Tournament) -> Words:
    """Headers and rows of a table: how often a seat of the row's bot ends ahead of a seat of the column's bot."""
    n = len(found.entrants)
    cells = [
        ["" if one == other else _format_share_cell(found.compute_share_ahead(one, other)) for other in range(n)]
        for one in range(n)
    ]
    return ["ends ahead of", *found.entrants], [[name, *row] for name, row in zip(found.entrants, cells, strict=True)]


def build_ladder_table(found: Tournament) -> Words:
    """Headers and rows of a table: the share of games that each bot wins alone among the lowest bot, and among the bot before it."""
    even = f"even is {1 / found.n_seats:.1%}"
    rows = [
        [
            found.labels[one],
            _format_share_cell(found.compute_wins_alone_against(one, 0)),
            _format_share_cell(found.compute_wins_alone_against(one, one - 1)),
        ]
        for one in range(1, len(found.entrants))
    ]
    return [f"wins alone ({even})", f"against {found.entrants[0]}", "against the rung before"], rows


def build_seat_table(found: Tournament) -> Words:
    """Headers and rows of a table: the wins of each seat between equal bots, by bot, with the test whether the difference is chance."""
    rows = []
    for one, name in enumerate(found.labels):
        shares, control = found.compute_wins_by_seat(one), found.compute_control(one)
        if shares is not None and control is not None:
            rows.append([name, *(str(share) for share in shares), f"p = {control.chance:.2f}"])
    return ["between equals", *(f"seat {seat + 1}" for seat in range(found.n_seats)), "control, by chair"], rows


def build_role_tables(found: Tournament) -> list[Words]:
    """For each kind of role, headers and rows of a table of each role's share of wins between equal bots, by bot."""
    told = [(name, found.compute_wins_by_role(one)) for one, name in enumerate(found.labels)]
    tables = []
    for kind in dict.fromkeys(kind for _, kinds in told for kind in kinds):
        roles = list(dict.fromkeys(role for _, kinds in told for role in kinds.get(kind, {})))
        rows = [
            [name, *(_format_share_cell(kinds[kind].get(role)) for role in roles)]
            for name, kinds in told
            if kind in kinds
        ]
        tables.append(([f"{kind}, between equals", *roles], rows))
    return tables


def _format_share_cell(share: Share | None) -> str:
    """The share as text; empty for None."""
    return "" if share is None else str(share)


def describe_strongest_bot(found: Tournament) -> str:
    """A sentence on the strongest bot, or that none is seen to be: it must surely end ahead of each bot that it met."""
    rows = build_rating_table(found)[1]
    order = sorted(range(len(found.entrants)), key=lambda one: -found.compute_ratings()[one][0])
    met = [share for other in order[1:] if (share := found.compute_share_ahead(order[0], other)) is not None]
    surely = bool(met) and all(find_side_of_point(share.low, share.high, share.even) > 0 for share in met)
    first, second = (f"{name} {rating} {doubt}" for name, rating, doubt in rows[:2])
    if not surely:
        return f"No bot is seen to be the strongest; the highest ratings are {first} and {second}."
    return (
        f"{rows[0][0]} is rated highest: {rows[0][1]} {rows[0][2]}, before {rows[1][0]} with {rows[1][1]} {rows[1][2]}."
    )


def describe_ladder(found: Tournament) -> str:
    """A sentence or two on the bots that surely beat the lowest one, and on those that surely beat the one before them."""
    games = f"{found.about['games']:,} games"
    foot, before = _list_surely_better_bots(found, lambda one: 0), _list_surely_better_bots(found, lambda one: one - 1)
    said = (
        f"Surely stronger than {found.entrants[0]}: {', '.join(foot)}."
        if foot
        else f"No rung surely beats {found.entrants[0]}."
    )
    if before:
        return f"{said} Surely stronger than the rung before: {', '.join(before)}."
    return f"{said} No rung surely beats the one before in {games}."


def _list_surely_better_bots(found: Tournament, find_opponent: Callable[[int], int]) -> list[str]:
    """The bots that, alone among seats of another bot, surely win more than an equal bot would.

    `find_opponent`: bot → number of the other bot.
    """
    met = [
        (name, found.compute_wins_alone_against(one, find_opponent(one)))
        for one, name in enumerate(found.labels)
        if one > 0
    ]
    return [
        name for name, share in met if share is not None and find_side_of_point(share.low, share.high, share.even) > 0
    ]


def describe_controls(found: Tournament) -> str:
    """A sentence on the games played, and on whether the tests of tables with one bot were passed."""
    controls = [one for k in range(len(found.entrants)) if (one := found.compute_control(k)) is not None]
    failed = [found.entrants[one.entrant] for one in controls if not one.has_passed(len(controls))]
    games = len(found.tables[0].places)
    said = f"{games:,} games a table, {len(found.tables)} tables; intervals are 95 %."
    if failed:
        return f"{said} The controls do NOT come out even: {', '.join(failed)}. Something is wrong with the tournament."
    worst = max((abs(one.furthest) for one in controls), default=0.0)
    return f"{said} The controls come out even: no chair of a mirror table is further than {100 * worst:.1f} pp from its share."
