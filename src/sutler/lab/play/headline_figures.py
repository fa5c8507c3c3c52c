"""Headline figures, the results that a designer of any game asks for first: one number for each game that was played.

`compute_game_figures(game, table)` computes them from a table of `simulate`; comparisons and sweeps use them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from sutler.core.definition import Definition
from sutler.core.names import did_you_mean
from sutler.core.play.game import Game
from sutler.lab.play.simulate import ROLE_SEPARATOR
from sutler.lab.stats.estimates import Z_95, compute_bonferroni_z, compute_mean_interval, compute_wilson_interval

Numbers = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Figure:
    """A headline figure: its name, its label, a sentence that explains it, and whether it is a share of the games (0 to 1)."""

    name: str
    label: str
    caption: str
    share: bool = False

    @property
    def plain_label(self) -> str:
        """The label without the word `mean` before it, such as `score`."""
        return self.label.removeprefix("mean ")

    @property
    def capped_label(self) -> str:
        """The label of this figure's mean with extreme games capped at a bound: `usual score`."""
        return f"usual {self.plain_label}"

    @property
    def sentence_label(self) -> str:
        """The label as the subject of a sentence, with any part after a colon in quotes: ending “by ruin”."""
        kind, colon, what = self.label.partition(": ")
        return f"{kind} “{what}”" if colon else self.label

    def format_value(self, value: float, signed: bool = False) -> str:
        """A value as text: a share in percent, other figures with two decimals, large ones with fewer.

        From a hundred on there is one decimal, from a thousand on none. With `signed`, a difference with its sign, shares in pp.
        """
        plus = "+" if signed else ""
        if self.share:
            said = f"{100 * value:{plus}.1f} " + ("pp" if signed else "%")
        else:
            size = abs(value)
            said = f"{value:{plus},.{2 if size < 100 else 1 if size < 1000 else 0}f}"
        return said.replace("-", "−")

    def format_interval(self, low: float, high: float, signed: bool = False) -> str:
        """An interval as text, with its unit written once; with `signed`, an interval of a difference."""
        first, last = self.format_value(low, signed), self.format_value(high, signed)
        unit = next((unit for unit in (" %", " pp") if first.endswith(unit) and last.endswith(unit)), "")
        return f"{first.removesuffix(unit)} to {last}"

    def format_tick(self, value: float) -> str:
        """The label of a round value on an axis."""
        return f"{100 * value:g} %" if self.share else f"{value:,g}"


GENERAL_FIGURES = (
    Figure("score", "mean score", "Points of all seats, on average."),
    Figure(
        "spread", "spread of scores", "How far the seats of one game end apart: the standard deviation of their points."
    ),
    Figure("winner_score", "winner's score", "Points of the seat in first place, or of the best where nobody wins."),
    Figure("margin", "margin of victory", "Points of the best seat less those of the next."),
    Figure("turns", "length in turns", "Turns until the end."),
    Figure("decisions", "length in decisions", "Decisions of all seats until the end; forced moves do not count."),
    Figure("nobody", "won by nobody", "Share of games in which no seat is first.", share=True),
    Figure("shared", "first place shared", "Share of games in which several seats are first.", share=True),
    Figure("unfinished", "not finished", "Share of games that had to be cut.", share=True),
)
COMPETITIVE_ONLY = ("spread", "winner_score", "margin", "shared")  # mean nothing in cooperative games


def list_general_figures(cooperative: bool) -> list[Figure]:
    """The figures that every game has. `cooperative`: all seats win or lose together; figures that compare seats are left out then."""
    return [one for one in GENERAL_FIGURES if not (cooperative and one.name in COMPETITIVE_ONLY)]


def compute_game_figures(game: Definition, table: pl.DataFrame) -> dict[Figure, Numbers]:
    """Every headline figure of a table of this game's games, with its values: an array with one number for each game."""
    figures = compute_table_figures(table, game.events.endings, bool(game.COOPERATIVE))
    labels = {f"ends_{name}": label_ending(name, game.events.events[name].text) for name in game.events.endings}
    return {replace(one, label=labels.get(one.name, one.label)): values for one, values in figures.items()}


def label_ending(name: str, text: str) -> str:
    """The label of the figure of an ending: its name in words, or the beginning of its text in the log where it has only a number.

    `name`: of the event that ends the game so, such as "by_ruin", or "ended_2" in a game that is one TOML file; `text`: of that event.
    """
    told = name.removeprefix("ended_")
    return f"ending: {re.split('[.:;]', text)[0] if told.isdigit() else told.replace('_', ' ')}"


def compute_table_figures(
    table: pl.DataFrame, endings: Sequence[str] = (), cooperative: bool = False
) -> dict[Figure, Numbers]:
    """Every headline figure of a table of games, with its values: an array with one number for each game.

    `endings`: the names of the ways in which the game can end; `cooperative`: all seats win or lose together.
    """
    n = sum(name.startswith("place_") for name in table.columns)
    scores = table.select([f"score_{seat}" for seat in range(n)]).to_numpy().astype(np.float64)
    first = table.select([f"place_{seat}" for seat in range(n)]).to_numpy() == 1
    won = compute_win_shares(first)
    ordered = np.sort(scores, axis=1)
    nobody = ~first.any(axis=1)
    winner = np.where(nobody, ordered[:, -1], np.where(first, scores, ordered[:, :1]).max(axis=1))
    counts = has_points(scores, won)
    given = {
        "score": scores.mean(axis=1) if counts else None,
        "spread": scores.std(axis=1) if counts else None,
        "winner_score": winner if counts else None,
        "margin": ordered[:, -1] - ordered[:, -2] if n > 1 and counts else None,
        "turns": table["turns"].to_numpy() if "turns" in table.columns else None,
        "decisions": table["decisions"].to_numpy(),
        "nobody": nobody,
        "shared": first.sum(axis=1) > 1 if n > 1 else None,
        "unfinished": ~table["finished"].to_numpy(),
    }
    found = (
        {}
        if cooperative
        else _win_shares_by_seat(won) | _win_shares_by_role(table, won) | _win_shares_by_bot(table, won)
    )
    for figure in list_general_figures(cooperative):
        values = given[figure.name]
        if values is not None and (n > 1 or figure.name != "spread"):
            found[figure] = values.astype(np.float64)
    return found | _ending_shares(table, endings)


def compute_win_shares(is_first: np.ndarray[Any, np.dtype[np.bool_]]) -> Numbers:
    """Each seat's share of the win, shape (games, seats), from flags of first places: n winners have 1 / n each; 0 where nobody wins."""
    parts: Numbers = is_first / np.maximum(is_first.sum(axis=1, keepdims=True), 1)
    return parts


def has_points(scores: Numbers, win_shares: Numbers) -> bool:
    """Does the game count points? It does not if all scores are equal to the shares of the win."""
    return not np.allclose(scores, win_shares)


def list_role_kinds(table: pl.DataFrame) -> list[str]:
    """The kinds of role in a table of games, such as "power": those with text columns `power_0`, `power_1` and so on."""
    n = sum(name.startswith("place_") for name in table.columns)
    known = {"bot", "score", "place"}
    ends = [name.removesuffix(f"_{n - 1}") for name in table.columns if name.endswith(f"_{n - 1}")]
    return [kind for kind in ends if kind not in known and table.schema.get(f"{kind}_0") == pl.String]


def find_seats_by_role(table: pl.DataFrame, kind: str) -> dict[str, np.ndarray[Any, np.dtype[np.bool_]]]:
    """The seats that had each role of a kind: role → array of bools, shape (games, seats)."""
    n = sum(name.startswith("place_") for name in table.columns)
    said = table.select([f"{kind}_{seat}" for seat in range(n)]).to_numpy()
    roles = sorted({role for words in set(said.ravel()) for role in words.split(ROLE_SEPARATOR) if role})
    return {
        role: np.vectorize(lambda words, role=role: role in words.split(ROLE_SEPARATOR), otypes=[bool])(said)
        for role in roles
    }


def _win_shares_by_role(table: pl.DataFrame, win_shares: Numbers) -> dict[Figure, Numbers]:
    """The win share of each power, faction or other declared role, as one figure each; `win_shares` has shape (games, seats)."""
    found = {}
    for kind in list_role_kinds(table):
        for role, sits in find_seats_by_role(table, kind).items():
            caption = f"Share of games won by whoever is this {kind}; even is its part of the seats."
            found[Figure(f"{kind}_{role}", f"won by {role}", caption, share=True)] = np.where(
                sits, win_shares, 0.0
            ).sum(axis=1)
    return found


def _win_shares_by_seat(win_shares: Numbers) -> dict[Figure, Numbers]:
    """The win share of each seat, as one figure each; none where the game has one seat. `win_shares` has shape (games, seats)."""
    n = win_shares.shape[1]
    caption = (
        f"Share of games won; a shared first place counts in parts. Even is {100 / n:.1f} % where somebody always wins."
    )
    return {
        Figure(f"seat_{seat + 1}", f"won by seat {seat + 1}", caption, share=True): win_shares[:, seat]
        for seat in range(n)
        if n > 1
    }


def _win_shares_by_bot(table: pl.DataFrame, win_shares: Numbers) -> dict[Figure, Numbers]:
    """The win share of each bot, as one figure each; none where all seats have one bot. `win_shares` has shape (games, seats)."""
    n = win_shares.shape[1]
    sits = table.select([f"bot_{seat}" for seat in range(n)]).to_numpy()
    names = sorted(set(sits[0]))
    caption = "Share of games won by seats of this bot; a shared first place counts in parts."
    return {
        Figure(f"bot_{name}", f"won by {name}", caption, share=True): np.where(sits == name, win_shares, 0.0).sum(
            axis=1
        )
        for name in names
        if len(names) > 1
    }


def _ending_shares(table: pl.DataFrame, endings: Sequence[str]) -> dict[Figure, Numbers]:
    """A figure for each way to end, 1 in games that end so and else 0; none where the game has one way only."""
    if len(endings) < 2:
        return {}
    told = table["ending"].str.split(" + ")
    return {
        Figure(f"ends_{name}", f"ending: {name.replace('_', ' ')}", "Share of games that end so.", share=True): (
            told.list.contains(name).to_numpy().astype(np.float64)
        )
        for name in endings
    }


def list_figure_names(game: Game, seats: int) -> list[str]:
    """The names of the figures of games with this many seats, known before any game is played; seats, roles and endings included."""
    ways, together = game.definition.events.endings, bool(game.definition.COOPERATIVE)
    by_seat = [f"seat_{seat + 1}" for seat in range(seats) if seats > 1]
    by_role = [f"{kind}_{name}" for kind in game.definition.ROLES or {} for name in game.names[kind]]
    return [
        *(one.name for one in list_general_figures(together)),
        *([] if together else by_seat + by_role),
        *(f"ends_{way}" for way in ways if len(ways) > 1),
    ]


def require_known_figures(game: Game, bots: Sequence[object], seats: int | None, names: Sequence[str]) -> None:
    """Raise ValueError, before any game is played, where `names` names a figure that these games will not have.

    `seats`: the number of seats where one bot sits in all of them; None: the game's best number.
    """
    several = len(bots) > 1
    there = list_figure_names(game, len(bots) if several else seats or game.best_seats)
    by_bot = several and not game.definition.COOPERATIVE
    for name in names:
        if name not in there and not (by_bot and name.startswith("bot_")):
            raise _unknown_figure_error(name, there)


def _unknown_figure_error(name: str, existing: Sequence[str]) -> ValueError:
    """An error that a figure does not exist, with the names of those that do and the likeliest one meant."""
    return ValueError(f"there is no figure {name!r}; there are {', '.join(existing)}{did_you_mean(name, existing)}")


def select_figures(figures: Mapping[Figure, Numbers], wanted: list[str]) -> dict[Figure, Numbers]:
    """The figures named in `wanted`, or all where it is empty; ValueError for an unknown name."""
    names = [figure.name for figure in figures]
    if unknown := [name for name in wanted if name not in names]:
        raise _unknown_figure_error(unknown[0], names)
    return {figure: values for figure, values in figures.items() if not wanted or figure.name in wanted}


def compute_interval(figure: Figure, values: Numbers, z: float = Z_95) -> tuple[float, float, float]:
    """A figure's (mean, low, high) over games: Wilson's interval for shares, Student's for the rest. `z`: 1.96 for 95 %."""
    if figure.share:
        return float(values.mean()), *compute_wilson_interval(float(values.sum()), len(values), z)
    return compute_mean_interval(values, z)


def compute_joint_intervals(figures: Mapping[Figure, Numbers]) -> dict[Figure, tuple[float, float, float]]:
    """The (mean, low, high) of each figure; intervals of all seats, roles or endings hold simultaneously at 95 %.

    All reports take their intervals from here, so that a share of wins has one interval everywhere.
    """
    kinds = [_find_share_kind(one) for one in figures]
    return {
        one: compute_interval(one, values, compute_bonferroni_z(kinds.count(kind)) if kind else Z_95)
        for (one, values), kind in zip(figures.items(), kinds, strict=True)
    }


def _find_share_kind(figure: Figure) -> str:
    """The kind of a figure that is one of several shares of games (seat, power, ends); empty for any other figure."""
    return figure.name.partition("_")[0] if figure.share and "_" in figure.name else ""


def describe_constant_shares(values: Mapping[Figure, Sequence[float]], cooperative: bool = False) -> list[str]:
    """Sentences about shares that were 0 or 1 in every version, so that the comparison says nothing about them.

    `values`: for each figure its mean in each version compared; `cooperative`: all seats win or lose together.
    """
    found = []
    for figure, means in values.items():
        if not figure.share or not means or any(mean not in (0.0, 1.0) for mean in means) or len(set(means)) > 1:
            continue
        if figure.name == "nobody" and means[0] == 1.0:
            found.append(
                "These bots never win it, so nothing here says what helps to win: ask stronger ones, such as --bots judge."
            )
        elif figure.name == "nobody" and cooperative:
            found.append(
                "These bots always win it, so nothing here says what helps to win: ask weaker ones, such as --bots easy."
            )
    return found
