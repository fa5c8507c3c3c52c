"""`sutler simulate`: play many games between bots, and print who wins and how long games are."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.options import GameName, PlayersAndBox, Ray, command
from sutler.cli.output_file import require_writable_out
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Simulated(PlayersAndBox):
    """The options for players, with a help text that says how bots are named."""

    bots: Annotated[str, typer.Option(help="The bots, one a seat, separated by commas; one sits everywhere.")] = (
        "greedy"
    )


@command
def simulate_command(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    *,
    players: Simulated,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed; the next one's is one more.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="F.parquet", help="Write every game down, for `sutler report`; .csv: results only."),
    ] = None,
    ray: Ray = None,
) -> None:
    """Play many games between bots and say who wins, from which seat, and how long it takes."""
    require_writable_out(out, (".parquet", ".csv"))
    from sutler.lab.play.atomic_files import atomic_file
    from sutler.lab.play.experiment import LIST_COLUMNS, Interrupted, Plan, run
    from sutler.lab.play.ray_cluster import connect_crew
    from sutler.lab.play.simulate import simulate as play

    query = players.build_query(game, games, seed)
    prepare_study(query, elsewhere=ray)
    loaded, start = query.version, time.perf_counter()
    try:
        with connect_crew(ray) as crew, Bar(games) as bar:
            if out is not None and out.suffix == ".parquet":
                played = run(
                    Plan(loaded, query.bots, games, seed, query.seats), out, crew, bar.update_count, bar.resume_at
                )
                found = played.drop(LIST_COLUMNS).collect()
            else:
                found = play(
                    loaded, query.bots, games, seed, threads=crew, progress=bar.update_count, seats=query.seats
                )
    except Interrupted as stopped:
        make_console().print(f"Interrupted: {stopped}.")
        raise typer.Exit(130) from None
    if out is not None and out.suffix == ".csv":
        with atomic_file(out) as aside:
            found.write_csv(aside)
    print_results(loaded.title, found, time.perf_counter() - start, bar.kept, bool(loaded.definition.COOPERATIVE))
    if out is not None:
        make_console().print(f"One row a game in {out}", style="dim")
    if out is not None and out.suffix == ".parquet":
        events = out.with_suffix(".events.parquet")
        make_console().print(f"One row an event kind and seat in {events}\nNext: sutler report {out}", style="dim")


def print_results(
    title: str, table: pl.DataFrame, seconds: float, n_played_before: int = 0, win_together: bool = False
) -> None:
    """Print win rates by bot and by seat with 95 % intervals (simultaneous ones for seats), and how long the games were.

    `table`: a row for each game. `seconds`: the time that the games took. `n_played_before`: how many of them an earlier run had played.
    `win_together`: all seats win or lose together, so their common share of wins is shown.
    """
    import polars as pl

    from sutler.lab.stats.estimates import build_win_rate_table, compute_bonferroni_z

    n, out = len(table), make_console()
    decisions = int(table["decisions"].sum())
    fresh = n - n_played_before
    speed = f"{fresh / seconds:,.0f} games/s, {decisions * fresh / n / seconds:,.0f} decisions/s"
    earlier = f", and {n_played_before:,} kept from before" if n_played_before else ""
    n_seats = sum(name.startswith("bot_") for name in table.columns)
    out.print(f"{fresh:,} games of {title} at {n_seats} seats in {seconds:.1f} s: {speed}{earlier}")
    if win_together:
        out.print(_build_team_table(table))
        for said in _describe_limits(table, win_together):
            out.print(said, style="yellow")
        out.print(f"{decisions / n:,.0f} decisions a game on average", style="dim")
        return
    by_seat = table.with_columns(*[pl.lit(f"seat {seat + 1}").alias(f"bot_{seat}") for seat in range(n_seats)])
    bots = build_win_rate_table(table)
    if len(bots) > 1 or n_seats == 1:
        out.print(_build_win_rates_table("bot", bots))
    else:  # it won as many games as its opponents, who were itself
        out.print(f"{bots['bot'][0]} in every seat", style="dim")
    if n_seats > 1:
        out.print(
            _build_win_rates_table("seat", build_win_rate_table(by_seat, compute_bonferroni_z(n_seats)).sort("bot"))
        )
    out.print(f"{decisions / n:,.0f} decisions a game on average", style="dim")
    for said in _describe_limits(table, win_together=False):
        out.print(said, style="yellow")


def _describe_limits(table: pl.DataFrame, win_together: bool) -> list[str]:
    """Sentences on what these games cannot show because all of them were lost, or all won; usually []."""
    from sutler.lab.play.headline_figures import compute_table_figures, describe_constant_shares

    means = {one: [float(values.mean())] for one, values in compute_table_figures(table, (), win_together).items()}
    return describe_constant_shares(means, win_together)


def _build_team_table(table: pl.DataFrame) -> Table:
    """A table: how often all won together, and their points."""
    from sutler.lab.stats.estimates import compute_mean_interval, compute_wilson_interval, count_games_won_together

    bots = sorted({name for names in table.select("^bot_.*$").rows() for name in names})
    k, n = count_games_won_together(table)
    low, high = compute_wilson_interval(k, n)
    points, least, most = compute_mean_interval(table.select("^score_.*$").to_numpy().mean(axis=1))
    shown = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    shown.add_column("all win or lose together")
    for column in ("games", "won", "95 % interval", "mean points", "95 % interval"):
        shown.add_column(column, justify="right")
    interval = f"{least:.2f} – {most:.2f}".replace("-", "−") if n > 1 else "?"
    shown.add_row(", ".join(bots), f"{n:,}", f"{k / n:.1%}", f"{low:.1%} – {high:.1%}", f"{points:.2f}", interval)
    return shown


def _build_win_rates_table(heading: str, win_rates: pl.DataFrame) -> Table:
    """A table of the rows of `win_rates`, with `heading` over its first column."""
    shown = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    shown.add_column(heading)
    for column in ("seats taken", "won", "95 % interval", "mean points", "mean place"):
        shown.add_column(column, justify="right")
    for row in win_rates.to_dicts():
        interval = f"{row['low']:.1%} – {row['high']:.1%}"
        shown.add_row(
            row["bot"],
            f"{row['games']:,}",
            f"{row['share']:.1%}",
            interval,
            f"{row['score']:.2f}",
            f"{row['place']:.2f}",
        )
    return shown
