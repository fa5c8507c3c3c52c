"""`sutler sensitivity`: measure which numbers of a box matter, by turning each of them up and down."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.options import Figures, GameName, Players, command
from sutler.cli.output_file import require_writable_out, write_answer
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study, take_last_answer

if TYPE_CHECKING:
    from sutler.lab.studies.sensitivity import Sensitivity


NUMBERS_SHOWN = 12


@command
def sensitivity_command(
    game: GameName,
    about: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE", help="Only this figure (again for more); the page has all.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Turn what begins so, such as rules or card.Wheat (again for more)."),
    ] = None,
    by: Annotated[
        float, typer.Option(min=0.01, max=2, help="How far: this part of the number, one at the least.")
    ] = 0.2,
    *,
    players: Players,
    games: Annotated[int, typer.Option(min=2, help="Games a version.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, of every version.")] = 1,
    out: Figures = None,
) -> None:
    """Measure which numbers of a box matter: each is moved a step down and a step up, and every figure compared."""
    require_writable_out(out)
    from sutler.lab.report.design_pages import render_sensitivity_page
    from sutler.lab.studies.sensitivity import iter_sensitivity

    query = players.build_query(game, games, seed)
    prepare_study(query)
    with Bar(games) as bar:
        query = replace(query, progress=bar.update_count)
        found = take_last_answer(iter_sensitivity(query, only or [], about or [], by))
    print_sensitivity(found, about or [])
    write_answer(found, out, lambda: render_sensitivity_page(found))


def print_sensitivity(result: Sensitivity, figures: list[str]) -> None:
    """Print, for each of these figures, the numbers of the box that move it most.

    If `figures` is empty, the figure is the length in decisions.
    """
    from sutler.lab.play.provenance import describe_bots_for_claim

    out = make_console()
    wanted = figures or ["decisions"]
    for figure in (one for one in result.figures if one.name in wanted):
        out.print(f"\n{result.answer(figure)}\n", style="bold")
        table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
        table.add_column("number", no_wrap=True)
        for heading in ("paragraph", "to", figure.label, "±"):
            table.add_column(heading, justify="right")
        for part, turns in result.rank_numbers_by_effect(figure)[:NUMBERS_SHOWN]:
            for turn in turns:
                effect, half = turn.effects[figure]
                style = "" if turn.is_beyond_chance(figure) else "dim"
                cells = (
                    f"{part.value} → {turn.value}",
                    figure.format_value(effect, signed=True),
                    figure.format_value(half),
                )
                table.add_row(part.name, part.rule, *cells, style=style)
        out.print(table)
    who = describe_bots_for_claim(result.about["bots"], result.about["seats"])
    out.print(
        f"{result.about['games']:,} games a version {who}, {result.about['seats']} seats, the same seeds. Intervals of a figure hold "
        "together, 95 %. To act on one: sutler compare.",
        style="dim",
    )
    for one in result.about["refused"]:
        out.print(f"Left out: {one}", style="dim")
