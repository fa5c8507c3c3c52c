"""`sutler hidden`: what does hidden information decide?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table

from sutler.terminal.asked import Asked, last_of
from sutler.terminal.draw import console
from sutler.terminal.errors import told
from sutler.terminal.keeping import check_out, keep
from sutler.terminal.progress import Bar

if TYPE_CHECKING:
    from sutler.lab.studies.hidden_information import HiddenInformation


def hidden_in_terminal(asked: Asked) -> None:
    """Play hidden and open; Ctrl-C keeps what is known by then."""
    with told():
        check_out(asked.out)
        loaded = asked.load()
        from sutler.lab.report.design_pages import hidden_page
        from sutler.lab.studies.hidden_information import players_of_one_kind, watch

        players_of_one_kind(loaded, asked.series())
        asked.warm()
        with Bar(asked.games) as bar:
            found = last_of(watch(loaded, asked.series(progress=bar.to)))
        show(found)
        keep(found, asked.out, lambda: hidden_page(found))


def show(found: HiddenInformation) -> None:
    """The answer, then what is measured, then what else would be otherwise if all were open."""
    from sutler.lab.play.provenance import bots_in_words
    from sutler.lab.studies.hidden_information import labelled_measures

    out = console()
    out.print(f"\n{found.answer()}\n", style="bold")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    for heading, justify in (("what", "left"), ("value", "right"), ("from", "right"), ("to", "right")):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for label, values in labelled_measures(found):
        table.add_row(label, *(f"{100 * one:.1f}".replace("-", "−") for one in values))
    for figure, (_, effect) in found.figures_moved().items():
        if effect[1] > 0 or effect[2] < 0:
            table.add_row(f"{figure.label}, all open", *(figure.say(one, sign=True) for one in effect))
    out.print(table)
    who = bots_in_words(found.about["bots"], found.about["seats"])
    out.print(
        f"{found.games:,} seeds from {found.about['seed']} on, {who}, {found.about['seats']} seats. In points of a hundred; figures "
        "in their own units, only those that are seen to move.",
        style="dim",
    )
