"""`sutler sensitivity`: which numbers matter?"""

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
    from sutler.lab.studies.sensitivity import Sensitivity

SHOWN = 12


def sensitivity_in_terminal(asked: Asked, about: list[str], only: list[str], by: float) -> None:
    """Turn every number; Ctrl-C keeps what is known by then."""
    with told():
        check_out(asked.out)
        name = asked.name
        from sutler.lab.report.design_pages import sensitivity_page
        from sutler.lab.studies.sensitivity import watch

        asked.warm()
        with Bar(asked.games) as bar:
            found = last_of(watch(name, asked.series(progress=bar.to), asked.chosen, only, about, by))
        show(found, about)
        keep(found, asked.out, lambda: sensitivity_page(found))


def show(found: Sensitivity, about: list[str]) -> None:
    """For each figure asked about (the length, if none is): the numbers that move it furthest."""
    from sutler.lab.play.provenance import bots_in_words

    out = console()
    wanted = about or ["decisions"]
    for figure in (one for one in found.figures if one.name in wanted):
        out.print(f"\n{found.answer(figure)}\n", style="bold")
        table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
        table.add_column("number", no_wrap=True)
        for heading in ("paragraph", "to", figure.label, "±"):
            table.add_column(heading, justify="right")
        for part, turns in found.tornado(figure)[:SHOWN]:
            for turn in turns:
                effect, half = turn.effects[figure]
                style = "" if turn.is_beyond_chance(figure) else "dim"
                cells = (f"{part.value} → {turn.value}", figure.say(effect, sign=True), figure.say(half))
                table.add_row(part.name, part.rule, *cells, style=style)
        out.print(table)
    who = bots_in_words(found.about["bots"], found.about["seats"])
    out.print(
        f"{found.about['games']:,} games a version {who}, {found.about['seats']} seats, the same seeds. Intervals of a figure hold "
        "together, 95 %. To act on one: sutler compare.",
        style="dim",
    )
    for one in found.about["refused"]:
        out.print(f"Left out: {one}", style="dim")
