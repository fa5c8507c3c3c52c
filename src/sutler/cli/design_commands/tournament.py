"""`sutler tournament`: rate bots by games against each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.options import Box, FirstSeed, GameName, PlayersAndBox, Ray, Seats, Settings, command
from sutler.cli.output_file import require_writable_out, write_answer
from sutler.cli.progress import Bar, compile_with_progress
from sutler.cli.study_preparation import take_last_answer

if TYPE_CHECKING:
    from sutler.lab.studies.tournament import Tournament


@dataclass(frozen=True)
class Entrants:
    """The options for the bots that take part in a tournament."""

    bots: Annotated[str, typer.Option(help="Who takes part, with commas between; settings as in search:rounds=40.")] = (
        "random,greedy,search:rounds=20"
    )
    ladder: Annotated[
        str | None,
        typer.Option(metavar="5,10,20,40", help="Does thinking longer pay? Searches of so many rounds, above greedy."),
    ] = None


@command
def tournament_command(
    game: GameName,
    entrants: Entrants,
    seats: Seats = None,
    set_: Settings = None,
    box: Box = None,
    games: Annotated[int, typer.Option(min=1, help="Games a table, rounded up to whole turns around the seats.")] = 300,
    seed: FirstSeed = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .parquet or .csv the games.")
    ] = None,
    ray: Ray = None,
) -> None:
    """Play bots against each other: ratings, who beats whom, wins by seat, and control tables that must come out even."""
    require_writable_out(out)
    from sutler.lab.play.ray_cluster import connect_crew
    from sutler.lab.report.study_pages import render_tournament_page
    from sutler.lab.studies.tournament import (
        iter_tournament,
        list_all_seatings,
        list_ladder_entrants,
        list_ladder_seatings,
        parse_rounds,
        require_competitive,
    )

    query = PlayersAndBox(entrants.bots, seats, set_, box).build_query(game, games, seed, by_name=True)
    loaded, ladder = query.version, entrants.ladder
    require_competitive(loaded)
    if ladder is not None:
        query = replace(query, bots=list_ladder_entrants(parse_rounds(ladder)))
    plan = list_all_seatings if ladder is None else list_ladder_seatings
    n_seats = loaded.best_seats if seats is None else seats
    total = len(plan(len(query.bots), n_seats)) * (-(-games // max(1, n_seats)) * n_seats)
    with connect_crew(ray) as crew, Bar(total) as bar:
        steps = iter_tournament(replace(query, threads=crew, progress=bar.update_count), plan)
        if ray is None:
            compile_with_progress(query.name)
        found = take_last_answer(steps)
    print_tournament(found, ladder is not None)
    write_answer(found, out, lambda: render_tournament_page(found, ladder is not None))


def print_tournament(results: Tournament, is_ladder: bool) -> None:
    """Print ratings, who beats whom, how the seats fare, and the controls."""
    from sutler.lab.studies.tournament import (
        build_ladder_table,
        build_matrix_table,
        build_rating_table,
        build_seat_table,
        describe_controls,
        describe_ladder,
        describe_strongest_bot,
    )

    out = make_console()
    if len(results.tables) < results.planned:
        out.print(f"Ended early, after {len(results.tables)} of {results.planned} tables.", style="yellow")
    if results.list_tables_with_two_bots():
        out.print(f"\n{describe_ladder(results) if is_ladder else describe_strongest_bot(results)}\n", style="bold")
        if is_ladder:
            _print_table(*build_ladder_table(results))
        else:
            _print_table(*build_rating_table(results))
            _print_table(*build_matrix_table(results))
    _print_table(*build_seat_table(results))
    out.print(describe_controls(results), style="dim")


def _print_table(headings: list[str], rows: list[list[str]]) -> None:
    """Print a table with these headings and rows."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left")
    for row in rows:
        table.add_row(*row)
    make_console().print(table)
