"""An experiment read back from its file, as the tables that reports are made from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from sutler.lab.play.experiment import unfold
from sutler.lab.play.figures import has_points
from sutler.lab.play.provenance import bot_in_words, bots_in_words


class Unreadable(ValueError):
    """The file is no record of an experiment; the message says what is wrong with it."""


@dataclass(frozen=True)
class Sample:
    """An experiment read back: a row a game, and the file's metadata."""

    table: pl.DataFrame
    about: dict[str, Any]

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.table)

    @property
    def seats(self) -> int:
        """The number of seats at the table."""
        return int(self.about["seats"])

    @cached_property
    def results(self) -> pl.DataFrame:
        """A row for each game and seat: bot, points, place, and the share of the win (1 for all who win together)."""
        places = [pl.col(f"place_{seat}") for seat in range(self.seats)]
        firsts = pl.lit(1) if self.cooperative else pl.sum_horizontal([(place == 1).cast(pl.Int32) for place in places])
        table = self.table.with_row_index("game")
        return pl.concat(
            [
                table.select(
                    "game",
                    seat=pl.lit(seat, pl.Int8),
                    bot=pl.col(f"bot_{seat}"),
                    score=pl.col(f"score_{seat}"),
                    place=places[seat],
                    won=pl.when(places[seat] == 1).then(1.0 / firsts).otherwise(0.0),
                )
                for seat in range(self.seats)
            ]
        )

    @property
    def cooperative(self) -> bool:
        """Do all win or lose together?"""
        return bool(self.about["cooperative"])

    @cached_property
    def has_points(self) -> bool:
        """Does the game count points? Where scores are equal to the shares of the win, it does not."""
        return has_points(*(self.results.select(pl.col(name).cast(pl.Float64)).to_numpy() for name in ("score", "won")))

    @property
    def who(self) -> str:
        """The bots these games were played between, in words: it stands beside every claim."""
        return bots_in_words([bot_in_words(one) for one in self.about["bots"]], self.seats)

    @cached_property
    def events(self) -> pl.DataFrame:
        """A row a game, kind of event and seat: how often and how much."""
        return unfold(self.table, "events").drop_nulls("event")

    @cached_property
    def uses(self) -> pl.DataFrame:
        """A row a game, named thing and seat: how often and how much, with the paragraph of the event."""
        rules = {name: rule for name, (rule, _, _) in self.about["events"].items()}
        used = unfold(self.table, "uses").drop_nulls("event")
        return used.with_columns(rule=pl.col("event").cast(pl.String).replace(rules))

    @cached_property
    def course(self) -> pl.DataFrame:
        """Score and belongings at each tenth of the game."""
        return unfold(self.table, "course").drop_nulls("at")

    @cached_property
    def choices(self) -> pl.DataFrame:
        """A row an action and seat, over all games: how often it was offered, taken, and taken unasked."""
        columns = ["block", "action", "seat", "offered", "taken", "unasked"]
        return pl.DataFrame(self.about["choices"], schema=columns, orient="row")


def read(path: Path) -> Sample:
    """Read an experiment from its file. Unreadable says what is wrong: no such file, cut short, or no record of games."""
    try:
        metadata = pl.read_parquet_metadata(path)
        table = pl.read_parquet(path)
    except FileNotFoundError:
        raise Unreadable(f"{path}: there is no such file") from None
    except (pl.exceptions.PolarsError, OSError) as error:
        first = str(error).splitlines()[0]
        raise Unreadable(f"{path}: not a whole Parquet file; was it cut short? ({first})") from None
    about = json.loads(metadata["sutler"]) if "sutler" in metadata else {}
    if "choices" not in about or "course" not in table.columns:
        raise Unreadable(f"{path}: no record of games; make one with sutler simulate GAME --out {path.name}")
    return Sample(table, about | {"file": path.name})
