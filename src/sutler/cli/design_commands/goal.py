"""`sutler goal`: find the number of a box, or pair of numbers, that reaches a goal and changes little else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.options import FirstSeed, GameName, Players, command
from sutler.cli.output_file import require_writable_out
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study, take_last_answer

if TYPE_CHECKING:
    from sutler.lab.studies.goal import GoalSearch


@command
def goal_command(
    game: GameName,
    want: Annotated[
        str, typer.Option(metavar="FIGURE=-20%", help="What is wanted: decisions=-20%, turns=+2, seat_1=25%.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Try what begins so, such as rules or card.Wheat (again for more)."),
    ] = None,
    *,
    players: Players,
    games: Annotated[int, typer.Option(min=2, help="Games a version that is screened.")] = 200,
    most: Annotated[int, typer.Option(min=200, help="Games a side, at most, where a candidate is compared.")] = 2000,
    confirm: Annotated[int, typer.Option(min=1, help="How many candidates are compared.")] = 2,
    seed: FirstSeed = 1,
    out: Annotated[Path | None, typer.Option(metavar="F.html", help="Keep it, to read.")] = None,
) -> None:
    """Find a change of one number, or two, that reaches a goal and moves little else: all are screened, the best compared."""
    require_writable_out(out, (".html",))
    from sutler.lab.play.atomic_files import write_atomically
    from sutler.lab.report.design_pages import render_goal_page
    from sutler.lab.studies.goal import search_goal

    query = players.build_query(game, games, seed)
    prepare_study(query)
    with Bar(games) as bar:
        query = replace(query, progress=bar.update_count)
        found = take_last_answer(search_goal(query, want, only or [], most, confirm))
    print_goal_search(found)
    if out is not None:
        write_atomically(out, render_goal_page(found))
        make_console().print(f"Kept in {out}", style="dim")


def print_goal_search(search: GoalSearch) -> None:
    """Print the answer, and then the screened candidates, if there are any."""
    from sutler.lab.play.provenance import describe_bots_for_claim

    out = make_console()
    out.print(f"\n{search.answer()}\n", style="bold")
    about = search.screened.about
    if search.candidates:
        table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
        for heading in ("number", "paragraph", "of the way, as screened", "disturbs most"):
            table.add_column(heading, no_wrap=heading == "number")
        for one in search.candidates:
            rules = ", ".join(dict.fromkeys(step.part.rule for step in one.steps))
            table.add_row(one.label, rules, one.predicted_share_in_words, f"{one.harmed} ({one.harm:.2f} sd)")
        out.print(table)
    out.print(
        f"Screened: {about['games']:,} games a version {describe_bots_for_claim(about['bots'], about['seats'])}. Compared: on other seeds. "
        "sd: standard deviations of one game.",
        style="dim",
    )
