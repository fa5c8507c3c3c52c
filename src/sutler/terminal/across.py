"""`sutler across`: does it hold between other bots?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table

from sutler.terminal.asked import Asked, last_of
from sutler.terminal.draw import console
from sutler.terminal.errors import told
from sutler.terminal.keeping import check_out, keep
from sutler.terminal.progress import Bar
from sutler.terminal.warm import show_warming

if TYPE_CHECKING:
    from sutler.lab.studies.robustness import Robustness

STYLES = {"holds": "bold green", "depends on the bot": "bold red", "too few games": "dim"}


def across_in_terminal(asked: Asked, searched: int | None) -> None:
    """Play between each bot; Ctrl-C keeps those that are done."""
    with told():
        check_out(asked.out)
        loaded = asked.load()
        from sutler.lab.play.simulate import require_seeds
        from sutler.lab.report.design_pages import across_page
        from sutler.lab.studies.robustness import ladder_of_bots, watch

        specs = ladder_of_bots(loaded, asked.names_of_bots())  # said before anything is compiled
        require_seeds(loaded, loaded.best_seats if asked.seats is None else asked.seats, asked.seed, asked.games)
        show_warming(asked.name)
        asked.try_out([loaded], specs[:1])
        with Bar(asked.games) as bar:
            steps = watch(
                loaded, asked.names_of_bots(), asked.seats, asked.games, searched, asked.seed, progress=bar.to
            )
            found = last_of(steps)
        show(found)
        keep(found, asked.out, lambda: across_page(found))


def show(found: Robustness) -> None:
    """The answer, then every figure between every bot."""
    out = console()
    out.print(f"\n{found.answer()}\n", style="bold")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column("figure", no_wrap=True)
    for rung in found.rungs:
        table.add_column(f"{rung.bot}, {rung.games:,} games", justify="right")
    table.add_column("")
    for line in found.lines:
        table.add_row(
            line.figure.label,
            *(line.figure.say(mean) for mean, _, _ in line.values),
            f"[{STYLES[line.verdict]}]{line.verdict}[/]",
        )
    out.print(table)
    for said in found.beyond:
        out.print(f"{said}.", style="dim")
    out.print(
        f"{found.about['seats']} seats, each bot in all of them, seeds from {found.about['seed']} on. All intervals hold together "
        "with 95 %.",
        style="dim",
    )
