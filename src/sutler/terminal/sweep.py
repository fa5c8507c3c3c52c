"""`sutler sweep`: a parameter over a range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table

from sutler.terminal.asked import Asked, last_of
from sutler.terminal.draw import console
from sutler.terminal.errors import told
from sutler.terminal.keeping import check_out, keep
from sutler.terminal.progress import Bar

if TYPE_CHECKING:
    from sutler.lab.studies.sweep import Sweep

COLUMNS = 5  # values shown in the terminal; the curve beside them has all


def sweep_in_terminal(asked: Asked, over: str, about: list[str]) -> None:
    """Play every value, show the curves; Ctrl-C keeps those that are done."""
    with told():
        check_out(asked.out)
        from sutler.lab.play.ray_cluster import crew_at
        from sutler.lab.report.pages import sweep_page
        from sutler.lab.studies.sweep import parse_range, versions_of, watch

        key, values = parse_range(over)
        versions = versions_of(asked.name, key, values, asked.box, asked.chosen)  # said before anything is compiled
        asked.warm(*versions)
        with crew_at(asked.ray) as crew, Bar(len(values) * asked.games) as bar:
            answers = watch(asked.name, key, values, asked.box, asked.chosen, asked.series(crew, bar.to), about)
            found = last_of(_telling(answers, bar, len(values)))
        show(found)
        keep(found, asked.out, lambda: sweep_page(found))


def _telling(answers: Iterator[Sweep], bar: Bar, values: int) -> Iterator[Sweep]:
    """The same answers, while the bar says how many values are through."""
    bar.say(f"none of {values} values yet")
    for found in answers:
        bar.say(f"{len(found.points)} of {values} values")
        yield found


def show(found: Sweep) -> None:
    """Every figure: its curve, and some of its values with the half of their intervals."""
    from sutler.lab.play.provenance import bots_in_words
    from sutler.lab.report.drawings import spark

    points = found.points
    last = len(points) - 1
    picked = sorted({round(i * last / (COLUMNS - 1)) for i in range(COLUMNS)})
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column(found.key, no_wrap=True)
    table.add_column("", no_wrap=True)
    for i in picked:
        table.add_column(str(points[i].value), justify="right", no_wrap=True)
    for figure in found.figures:
        means = [point.figures[figure][0] for point in points]
        table.add_row(figure.label, spark(means), *(figure.say(means[i]) for i in picked))
    console().print(table)
    console().print(
        f"{points[0].games:,} games a value {bots_in_words(found.about['bots'], found.about['seats'])}, {found.about['seats']} seats; "
        f"{len(points)} values, the same seeds at each. A curve goes from its lowest value to "
        "its highest: how far that is, the numbers say; how sure they are, --out F.html.",
        style="dim",
    )
