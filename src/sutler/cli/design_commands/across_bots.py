"""`sutler across`: does a figure of a game hold between other bots too?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box as boxes
from rich.table import Table
from rich.text import Text

from sutler.cli.console import make_console
from sutler.cli.options import Figures, GameName, PlayersAndBox, command
from sutler.cli.output_file import require_writable_out, write_answer
from sutler.cli.progress import Bar, compile_with_progress
from sutler.cli.study_preparation import require_versions_end, take_last_answer

if TYPE_CHECKING:
    from sutler.lab.studies.robustness import Robustness


VERDICT_STYLES = {
    "holds": "bold green",
    "same side, size depends on the bot": "green",
    "depends on the bot": "bold red",
}


@dataclass(frozen=True)
class EachBot(PlayersAndBox):
    """The options for players: each bot in games of its own, in all seats."""

    bots: Annotated[
        str, typer.Option(help="The bots, with commas between; the first is what others are held against.")
    ] = ""


@command
def across_command(
    game: GameName,
    players: EachBot,
    games: Annotated[int, typer.Option(min=2, help="Games a bot.")] = 1000,
    searched: Annotated[
        int | None, typer.Option(min=2, help="Games of a bot that searches; a tenth if left out.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, for every bot.")] = 1,
    out: Figures = None,
) -> None:
    """Play a game between each of several bots, and say for every figure whether it holds with all of them."""
    require_writable_out(out)
    from sutler.lab.play.simulate import require_valid_seeds
    from sutler.lab.report.design_pages import render_robustness_page
    from sutler.lab.studies.robustness import iter_robustness, list_ladder_bots

    query = players.build_query(game, games, seed, by_name=True)
    specs = list_ladder_bots(query.version, query.bots)  # said before anything is compiled
    require_valid_seeds(query.version, query.version.best_seats if query.seats is None else query.seats, seed, games)
    compile_with_progress(query.name)
    require_versions_end(query, [query.version], specs[:1])
    with Bar(games) as bar:
        found = take_last_answer(iter_robustness(replace(query, progress=bar.update_count), searched))
    print_robustness(found)
    write_answer(found, out, lambda: render_robustness_page(found))


def print_robustness(robustness: Robustness) -> None:
    """Print the answer, then every figure between each bot."""
    out = make_console()
    out.print(f"\n{robustness.answer()}\n", style="bold")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column("figure", no_wrap=True)
    for rung in robustness.rungs:
        table.add_column(f"{rung.bot}, {rung.games:,} games", justify="right")
    table.add_column("")
    for line in robustness.judged_claims:
        table.add_row(
            line.figure.label,
            *(line.figure.format_value(mean) for mean, _, _ in line.values),
            Text(line.verdict, VERDICT_STYLES.get(line.verdict, "dim")),
        )
    out.print(table)
    for said in robustness.extreme_game_remarks:
        out.print(f"{said}.", style="dim")
    out.print(
        f"{robustness.about['seats']} seats, each bot in all of them, seeds from {robustness.about['seed']} on. All intervals hold "
        "together with 95 %.",
        style="dim",
    )
