"""Reading an experiment back from its file, as the tables that reports are made from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from sutler.lab.play.experiment import explode_list_column
from sutler.lab.play.headline_figures import has_points
from sutler.lab.play.provenance import describe_bot, describe_bots_for_claim


class Unreadable(ValueError):
    """Raised for a file that holds no experiment; the message says what is wrong with the file."""


@dataclass(frozen=True)
class Sample:
    """An experiment read from its file: a table with a row for each game, and the file's metadata (`about`)."""

    table: pl.DataFrame
    about: dict[str, Any]

    @property
    def games(self) -> int:
        """The number of games in the experiment."""
        return len(self.table)

    @property
    def seats(self) -> int:
        """The number of seats at the table."""
        return int(self.about["seats"])

    @cached_property
    def results(self) -> pl.DataFrame:
        """A table with one row for each game and seat: bot, points, place, and the seat's share of the win (0 to 1).

        Several winners share the win in a competitive game; in a cooperative game each winner has 1.
        """
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
        """Do all seats win or lose together?"""
        return bool(self.about["cooperative"])

    @cached_property
    def has_points(self) -> bool:
        """Does the game count points? It does not where all scores are equal to the shares of the win."""
        return has_points(*(self.results.select(pl.col(name).cast(pl.Float64)).to_numpy() for name in ("score", "won")))

    @property
    def who(self) -> str:
        """A phrase that names the bots that played these games, for the claims of a report."""
        return describe_bots_for_claim([describe_bot(one) for one in self.about["bots"]], self.seats)

    @cached_property
    def events(self) -> pl.DataFrame:
        """A table with one row for each game, kind of event and seat: how often the event happened, and its total amount."""
        return explode_list_column(self.table, "events").drop_nulls("event")

    @cached_property
    def uses(self) -> pl.DataFrame:
        """A table with a row for each game, thing named in an event, and seat: count, total amount, and the event's paragraph."""
        rules = {name: rule for name, (rule, _, _) in self.about["events"].items()}
        used = explode_list_column(self.table, "uses").drop_nulls("event")
        return used.with_columns(rule=pl.col("event").cast(pl.String).replace(rules))

    @cached_property
    def course(self) -> pl.DataFrame:
        """A table of the score and the belongings of each holder at each tenth of each game."""
        return explode_list_column(self.table, "course").drop_nulls("at")

    @cached_property
    def choices(self) -> pl.DataFrame:
        """A table with one row an action and seat: how often the action was offered, how often chosen, how often forced (`unasked`)."""
        columns = ["block", "action", "seat", "offered", "taken", "unasked"]
        return pl.DataFrame(self.about["choices"], schema=columns, orient="row")


def read(path: Path) -> Sample:
    """Read an experiment from its file; Unreadable where the file is missing, cut short or no record of games."""
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
