"""`sutler hidden`: measure how much hidden information decides in a game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.options import Figures, FirstSeed, GameName, PlayersAndBox, command
from sutler.cli.output_file import require_writable_out, write_answer
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study, take_last_answer

if TYPE_CHECKING:
    from sutler.lab.studies.hidden_information import HiddenInformation


@dataclass(frozen=True)
class OneBot(PlayersAndBox):
    """The options for players: one bot, in all seats."""

    bots: Annotated[str, typer.Option(help="One bot, in all seats: random, greedy or a search.")] = "greedy"


@command
def hidden_command(
    game: GameName,
    players: OneBot,
    games: Annotated[int, typer.Option(min=2, help="Seeds; each is played four times.")] = 400,
    seed: FirstSeed = 1,
    out: Figures = None,
) -> None:
    """Measure what hidden information decides: the same games again, with one seat that sees everything, and with all open."""
    require_writable_out(out)
    from sutler.lab.report.design_pages import render_hidden_information_page
    from sutler.lab.studies.hidden_information import build_equal_players, iter_hidden_information

    query = players.build_query(game, games, seed)
    build_equal_players(query)
    prepare_study(query)
    with Bar(games) as bar:
        found = take_last_answer(iter_hidden_information(replace(query, progress=bar.update_count)))
    print_hidden_information(found)
    write_answer(found, out, lambda: render_hidden_information_page(found))


def print_hidden_information(answer: HiddenInformation) -> None:
    """Print the answer, the measures, and the figures that move when all is open."""
    from sutler.lab.play.provenance import describe_bots_for_claim
    from sutler.lab.studies.hidden_information import list_labelled_measures

    out = make_console()
    out.print(f"\n{answer.answer()}\n", style="bold")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    for heading, justify in (("what", "left"), ("value", "right"), ("from", "right"), ("to", "right")):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for label, values in list_labelled_measures(answer):
        table.add_row(label, *(f"{100 * one:.1f}".replace("-", "−") for one in values))
    for figure, (_, effect) in answer.compute_figure_changes().items():
        if effect[1] > 0 or effect[2] < 0:
            table.add_row(f"{figure.label}, all open", *(figure.format_value(one, signed=True) for one in effect))
    out.print(table)
    who = describe_bots_for_claim(answer.about["bots"], answer.about["seats"])
    out.print(
        f"{answer.games:,} seeds from {answer.about['seed']} on, {who}, {answer.about['seats']} seats. In points of a hundred; figures "
        "in their own units, only those that are seen to move.",
        style="dim",
    )
