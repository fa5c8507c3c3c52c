"""`sutler sensitivity`: which numbers matter?"""

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
    from sutler.lab.sensitivity import Sensitivity

SHOWN = 12


def sensitivity_in_terminal(
    game: str,
    about: list[str],
    only: list[str],
    by: float,
    bots: str,
    seats: int | None,
    settings: list[str],
    games: int,
    seed: int,
    out: Path | None,
) -> None:
    """Turn every number; Ctrl-C keeps what is known by then."""
    with told():
        check_out(out)
        name = known_game(game)
        from sutler.bots import bots_from
        from sutler.lab.designpages import sensitivity_page
        from sutler.lab.sensitivity import watch

        players, common = bots_from(bots), settings_from(settings)
        show_warming(name)
        found: Sensitivity | None = None
        with Bar(games) as bar:
            try:
                for so_far in watch(name, players, seats, games, seed, common, only, about, by, progress=bar.to):
                    found = so_far
            except KeyboardInterrupt:
                if found is None:
                    raise
        assert found is not None
        show(found, about)
        keep(found, out, lambda: sensitivity_page(found))


def show(found: Sensitivity, about: list[str]) -> None:
    """For each figure asked about (the length, if none is): the numbers that move it furthest."""
    from sutler.lab.simulate import between

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
                style = "" if turn.moves(figure) else "dim"
                cells = (f"{part.value} → {turn.value}", figure.say(effect, sign=True), figure.say(half))
                table.add_row(part.name, part.rule, *cells, style=style)
        out.print(table)
    who = between(found.about["bots"], found.about["seats"])
    out.print(
        f"{found.about['games']:,} games a version {who}, {found.about['seats']} seats, the same seeds. Intervals of a figure hold "
        "together, 95 %. To act on one: sutler compare.",
        style="dim",
    )
    for one in found.about["refused"]:
        out.print(f"Left out: {one}", style="dim")
