"""Playtests: people's games compared with bots' games of the same box, how well bots predict people, and people's answers.

The games come from tables at which everybody knew that they are counted; people have no names here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot
from sutler.bots import choose_checked_action as chosen_by
from sutler.bots.kit.win_probability import estimate_win_chances
from sutler.core.play.game import Game
from sutler.core.play.position import Position, SeatView
from sutler.lab.box_numbers import list_changes_from_printed
from sutler.lab.play.headline_figures import GENERAL_FIGURES, Figure, Numbers, compute_game_figures
from sutler.lab.play.provenance import collect_provenance
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.estimates import compute_clustered_share, compute_mean_interval, format_count_with_noun

PERSON = "person"
"""The label of a seat with a person in it; other seats are labelled with their bot's level."""
STATED_AT_SHARES = (0.1, 0.25, 0.5, 0.75)
"""The shares of a game's decisions after which people's chances to win are computed."""
AGAIN_ANSWERS = ("yes", "perhaps", "no")
LENGTH_ANSWERS = ("short", "right", "long")

Interval = tuple[float, float, float]


@dataclass(frozen=True)
class Remark:
    """A note of a player to the designer: after how many decisions of the game, its text, and a link to that position."""

    decision: int
    text: str
    link: str = ""


@dataclass(frozen=True)
class Sitting:
    """A game that people played to its end: who sat in each seat, how long it took, people's answers and remarks.

    `players`: "person" or a bot's level, for each seat; `minutes`: on the clock.
    """

    name: str
    end: Position
    players: Sequence[str]
    minutes: float
    again: Sequence[str] = ()
    length: Sequence[str] = ()
    remarks: Sequence[Remark] = ()

    @property
    def people(self) -> list[int]:
        """The seats with people in them."""
        return [seat for seat, who in enumerate(self.players) if who == PERSON]


@dataclass(frozen=True)
class Prediction:
    """The success of a bot in predicting people's decisions; each array has one number for each game.

    `asked`: decisions that the bot was asked for; `right`: those in which it chose what the person did; `by_chance`: the number that a
    random choice is expected to hit.
    """

    asked: Numbers
    right: Numbers
    by_chance: Numbers

    def compute_share_predicted(self) -> Interval:
        """The share of people's decisions in which the bot chose the same, with its interval."""
        return compute_clustered_share(self.right, self.asked)

    def chance_share(self) -> float:
        """The share of people's decisions that a random choice among the legal actions is expected to hit."""
        return compute_clustered_share(self.by_chance, self.asked)[0]


@dataclass(frozen=True)
class ChanceCalibration:
    """The accuracy of computed chances to win in people's games: their number, their Brier score, and that of equal chances."""

    asked: int
    brier: float
    even: float


@dataclass(frozen=True)
class Version:
    """People's games of one box with one number of seats, with the results."""

    game: Game
    seats: int
    sittings: Sequence[Sitting]
    figures: Mapping[Figure, tuple[Interval, Interval]]
    """The mean of each headline figure with its interval: in people's games, then in bots' games."""
    foreseen: Prediction
    stated: ChanceCalibration | None

    @property
    def changes(self) -> str:
        """The differences of the box from the printed one, in words."""
        return "; ".join(list_changes_from_printed(self.game)) or "as printed"


@dataclass(frozen=True)
class Playtest:
    """The results of all games of one title."""

    versions: Sequence[Version]
    bot: str
    about: dict[str, Any]

    @property
    def sittings(self) -> list[Sitting]:
        """All games of people."""
        return [one for version in self.versions for one in version.sittings]

    def count_answers(self, question: str) -> Counter[str]:
        """How often each answer to a question was given. `question`: the question, "again" or "length"."""
        return Counter(answer for one in self.sittings for answer in getattr(one, question) if answer)

    def answer(self) -> str:
        """The results in a few sentences."""
        n = len(self.sittings)
        seats = sum(len(one.people) for one in self.sittings)
        said = f"{format_count_with_noun(n, 'game')} of {self.about['title']}; people played {format_count_with_noun(seats, 'seat')}. "
        again, length = self.count_answers("again"), self.count_answers("length")
        if again:
            said += f"{again['yes']} of {again.total()} would gladly play it again, {again['no']} rather not. "
        if length:
            said += f"{length['right']} of {length.total()} found it just right, {length['long']} too long, {length['short']} too short. "
        asked = np.concatenate([one.foreseen.asked for one in self.versions])
        right, luck = (
            np.concatenate([getattr(one.foreseen, key) for one in self.versions]) for key in ("right", "by_chance")
        )
        if asked.sum():
            share, low, high = compute_clustered_share(right, asked)
            said += (
                f"A {self.bot} bot would have done what people did in {share:.0%} of {int(asked.sum()):,} decisions "
            )
            said += f"({low:.0%} to {high:.0%}); drawing lots, in {luck.sum() / asked.sum():.0%}."
        return said

    def table(self) -> pl.DataFrame:
        """A table with a row for each version and figure: mean and interval of people, then of bots."""
        rows = [
            (one.game.box_hash, one.seats, len(one.sittings), figure.name, *people, *bots)
            for one in self.versions
            for figure, (people, bots) in one.figures.items()
        ]
        names = ["people", "people_low", "people_high", "bots", "bots_low", "bots_high"]
        return pl.DataFrame(rows, schema=["box", "seats", "games", "figure", *names], orient="row")

    def write(self, path: Path) -> None:
        """Write the table as .parquet or .csv."""
        self.table().write_csv(path) if path.suffix == ".csv" else self.table().write_parquet(path)


def analyse_playtest(sittings: Sequence[Sitting], bot: Bot, games: int, seed: int = 1) -> Playtest:
    """The results of people's games; each version is compared with `games` games between bots of this kind.

    ValueError where there are no games of people.
    """
    if not sittings:
        raise ValueError("there are no games")
    groups: dict[tuple[str, int, str], list[Sitting]] = {}
    for one in sittings:
        game = one.end.game
        groups.setdefault((game.box_hash, one.end.n_seats, repr(game.chosen)), []).append(one)
    ordered = sorted(groups.values(), key=len, reverse=True)
    game = sittings[0].end.game
    about = collect_provenance(Game(game.definition)) | {"title": game.title}
    return Playtest([build_version(group, bot, games, seed) for group in ordered], bot.name, about)


def build_version(sittings: Sequence[Sitting], bot: Bot, games: int, seed: int) -> Version:
    """The results of games that share one box and one number of seats."""
    game, seats = sittings[0].end.game, sittings[0].end.n_seats
    people = compute_game_figures(game.definition, build_sittings_table(sittings))
    bots = compute_game_figures(game.definition, simulate(game, [bot] * seats, games, seed=seed))
    shared = {
        one: (compute_mean_interval(people[one]), compute_mean_interval(bots[one]))
        for one in people
        if one in bots and one in GENERAL_FIGURES
    }
    minutes = Figure("minutes", "minutes on the clock", "From the first decision to the last.")
    nothing = (float("nan"),) * 3
    shared[minutes] = (compute_mean_interval(np.array([one.minutes for one in sittings])), nothing)
    return Version(game, seats, sittings, shared, predict_people(sittings, bot), calibrate_chances(sittings))


def build_sittings_table(sittings: Sequence[Sitting]) -> pl.DataFrame:
    """People's games as a table with the columns of `simulate`, a row for each game."""
    seats = sittings[0].end.n_seats
    rows = []
    for one in sittings:
        row: dict[str, Any] = {f"bot_{seat}": one.players[seat] for seat in range(seats)}
        row |= {f"score_{seat}": float(score) for seat, score in enumerate(one.end.scores())}
        row |= {f"place_{seat}": int(place) for seat, place in enumerate(one.end.places())}
        row |= {"decisions": len(one.end.decisions), "finished": True}
        rows.append(row)
    return pl.DataFrame(rows)


def list_people_decisions(sitting: Sitting) -> list[int]:
    """The numbers (from 0) of people's decisions that had two or more legal actions."""
    made = enumerate(sitting.end.decisions)
    return [number for number, one in made if one.seat in sitting.people and one.n_legal > 1]


def build_view_at_decision(sitting: Sitting, number: int, seed: int) -> SeatView:
    """The view of the person who made decision `number`; equal seeds give equal redeals."""
    one = sitting.end.decisions[number]
    return sitting.end.game.from_bytes(one.before).for_seat(one.seat, seed)


def predict_people(sittings: Sequence[Sitting], bot: Bot) -> Prediction:
    """How often a bot chooses as people did, in each game (a Prediction).

    For each of their decisions the bot is shown the view that the person had.
    """
    rows = []
    for game, one in enumerate(sittings):
        made, numbers = one.end.decisions, list_people_decisions(one)
        right = sum(
            chosen_by(bot, build_view_at_decision(one, number, game * 100_003 + number)).id == made[number].action
            for number in numbers
        )
        rows.append((len(numbers), right, sum(1 / made[number].n_legal for number in numbers)))
    counted = np.array(rows, np.float64)
    return Prediction(counted[:, 0], counted[:, 1], counted[:, 2])


def calibrate_chances(sittings: Sequence[Sitting]) -> ChanceCalibration | None:
    """The accuracy of computed chances to win in people's games at STATED_AT_SHARES of each; None for games without such chances."""
    said: list[tuple[float, float]] = []
    for one in sittings:
        numbers, places = list_people_decisions(one), np.asarray(one.end.places())
        for part in STATED_AT_SHARES if numbers else ():
            number = min(numbers, key=lambda number: abs(number - part * len(one.end.decisions)))
            view = build_view_at_decision(one, number, seed=number)
            known = estimate_win_chances(view)
            if known is not None:
                won = (places[view.seat] == 1) / max(1, int((places == 1).sum()))
                said.append((float(known[view.seat]), won))
    if not said:
        return None
    chance, won = np.array(said).T
    even = 1 / sittings[0].end.n_seats
    return ChanceCalibration(len(said), float(((chance - won) ** 2).mean()), float(((even - won) ** 2).mean()))
