"""`sutler sweep`: a parameter over a range."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table

from sutler.terminal.draw import console
from sutler.terminal.errors import known_game, settings_from, told
from sutler.terminal.keeping import check_out, keep
from sutler.terminal.progress import Bar
from sutler.terminal.warm import show_warming

if TYPE_CHECKING:
    from sutler.lab.sweep import Sweep

COLUMNS = 5  # values shown in the terminal; the curve beside them has all


def sweep_in_terminal(
    game: str,
    over: str,
    bots: str,
    seats: int | None,
    settings: list[str],
    box: Path | None,
    games: int,
    about: list[str],
    seed: int,
    out: Path | None,
    ray: str | None = None,
) -> None:
    """Play every value, show the curves; Ctrl-C keeps those that are done."""
    with told():
        check_out(out)
        name = known_game(game)
        from sutler.bots import bots_from
        from sutler.lab.crew import crew_at
        from sutler.lab.pages import sweep_page
        from sutler.lab.sweep import parse, watch

        key, values = parse(over)
        players, common = bots_from(bots), settings_from(settings)
        found: Sweep | None = None
        with crew_at(ray) as crew, Bar(len(values), "values") as bar:
            steps = watch(name, key, values, box, common, players, seats, games, seed, about, crew)
            try:
                if ray is None:
                    show_warming(name)
                for so_far in steps:
                    found = so_far
                    bar.to(len(found.points), len(values))
            except KeyboardInterrupt:
                if found is None:
                    raise
        assert found is not None
        show(found)
        keep(found, out, lambda: sweep_page(found))


def show(found: Sweep) -> None:
    """Every figure: its curve, and some of its values with the half of their intervals."""
    from sutler.lab.drawings import spark
    from sutler.lab.simulate import between

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
        f"{points[0].games:,} games a value {between(found.about['bots'], found.about['seats'])}, {found.about['seats']} seats; "
        f"{len(points)} values, the same seeds at each. A curve goes from its lowest value to "
        "its highest: how far that is, the numbers say; how sure they are, --out F.html.",
        style="dim",
    )
