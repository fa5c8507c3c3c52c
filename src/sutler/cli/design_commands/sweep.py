"""`sutler sweep`: play a game at each value of a parameter, and show its figures as curves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.options import Figures, GameName, PlayersAndBox, Ray, command
from sutler.cli.output_file import require_writable_out, write_answer
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study, take_last_answer

if TYPE_CHECKING:
    from sutler.lab.play.headline_figures import Figure
    from sutler.lab.studies.sweep import Sweep


VALUES_SHOWN = 5  # in the terminal; the curve beside them has all


@command
def sweep_command(
    game: GameName,
    over: Annotated[
        str,
        typer.Option(metavar="KEY=1..8", help="The parameter and its values: 1..8, 5..40:5 (every fifth) or 1,2,4."),
    ],
    players: PlayersAndBox,
    games: Annotated[int, typer.Option(min=2, help="Games a value.")] = 1000,
    about: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE", help="Show this figure only (again for more).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, at every value.")] = 1,
    out: Figures = None,
    ray: Ray = None,
) -> None:
    """Play a game at every value of an option or a number of its box, and show the figures as curves."""
    require_writable_out(out)
    from sutler.lab.play.ray_cluster import connect_crew
    from sutler.lab.report.study_pages import render_sweep_page
    from sutler.lab.studies.sweep import build_versions, iter_sweep, parse_range

    query = players.build_query(game, games, seed)
    key, values = parse_range(over)
    versions = build_versions(query, key, values)  # said before anything is compiled
    prepare_study(query, *versions, elsewhere=ray)
    with connect_crew(ray) as crew, Bar(len(values) * games) as bar:
        query = replace(query, threads=crew, progress=bar.update_count)
        answers = iter_sweep(query, key, values, about or [])
        found = take_last_answer(_show_progress_of(answers, bar, len(values)))
    print_sweep(found)
    write_answer(found, out, lambda: render_sweep_page(found))


def _show_progress_of(answers: Iterator[Sweep], bar: Bar, values: int) -> Iterator[Sweep]:
    """Yield the answers unchanged, and show in the bar how many of the `values` are played."""
    bar.set_label(f"none of {values} values yet")
    for found in answers:
        bar.set_label(f"{len(found.points)} of {values} values")
        yield found


def print_sweep(result: Sweep) -> None:
    """Print what moves, then every figure: its curve, and some of its values."""
    from sutler.lab.play.provenance import describe_bots_for_claim
    from sutler.lab.report.study_charts import format_sparkline

    points = result.points
    last = len(points) - 1
    picked = sorted({round(i * last / (VALUES_SHOWN - 1)) for i in range(VALUES_SHOWN)})
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column(result.key, no_wrap=True)
    table.add_column("", no_wrap=True)
    for i in picked:
        table.add_column(str(points[i].value), justify="right", no_wrap=True)
    table.add_column("±", justify="right", no_wrap=True, style="dim")
    for figure in result.figures:
        values = [point.figures[figure] for point in points]
        cells = (figure.format_value(values[i][0]) for i in picked)
        widest = max((values[i] for i in picked), key=lambda value: value[2] - value[1])
        table.add_row(
            figure.label, format_sparkline([mean for mean, _, _ in values]), *cells, _format_half_width(figure, widest)
        )
    make_console().print(f"\n{result.answer()}\n", style="bold")
    make_console().print(table)
    make_console().print(
        f"{points[0].games:,} games a value {describe_bots_for_claim(result.about['bots'], result.about['seats'])}, "
        f"{result.about['seats']} seats; "
        f"{len(points)} values, the same seeds at each. ±: half the widest of these 95 % intervals. Little bars stand on zero. For curves "
        "with their intervals: --out F.html.",
        style="dim",
    )


def _format_half_width(figure: Figure, value: tuple[float, float, float]) -> str:
    """Half the width of an interval as text, without the unit; `value`: (mean, low, high)."""
    _, low, high = value
    return figure.format_value((high - low) / 2).removesuffix(" %")
