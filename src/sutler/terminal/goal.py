"""`sutler goal`: which one number reaches a goal and moves nothing else?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table

from sutler.terminal.draw import console
from sutler.terminal.errors import known_game, settings_from, told
from sutler.terminal.keeping import check_out
from sutler.terminal.progress import Bar
from sutler.terminal.warm import show_warming

if TYPE_CHECKING:
    from sutler.lab.goal import Reached


def goal_in_terminal(
    game: str,
    want: str,
    only: list[str],
    bots: str,
    seats: int | None,
    settings: list[str],
    games: int,
    most: int,
    confirm: int,
    seed: int,
    out: Path | None,
) -> None:
    """Screen, compare, answer; Ctrl-C keeps what is known by then."""
    with told():
        check_out(out, (".html",))
        name = known_game(game)
        from sutler.bots import bots_from
        from sutler.lab.designpages import goal_page
        from sutler.lab.files import put
        from sutler.lab.goal import watch_goal

        players, common = bots_from(bots), settings_from(settings)
        show_warming(name)
        found: Reached | None = None
        with Bar(games) as bar:
            try:
                for so_far in watch_goal(name, want, players, seats, games, most, seed, common, only, confirm, bar.to):
                    found = so_far
            except KeyboardInterrupt:
                if found is None:
                    raise
        assert found is not None
        show(found)
        if out is not None:
            put(out, goal_page(found))
            console().print(f"Kept in {out}", style="dim")


def show(found: Reached) -> None:
    """The answer, then what came near."""
    from sutler.lab.simulate import between

    out = console()
    out.print(f"\n{found.answer()}\n", style="bold")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    for heading in ("number", "paragraph", "tried", "of the way", "disturbs most"):
        table.add_column(heading, no_wrap=heading == "number")
    for one in found.candidates:
        tried = f"{one.part.value} → {one.value}"
        table.add_row(one.part.name, one.part.rule, tried, f"{one.reached:.0%}", f"{one.harmed} ({one.harm:.2f} sd)")
    out.print(table)
    about = found.screened.about
    out.print(
        f"Screened in {about['games']:,} games a version {between(about['bots'], about['seats'])}; compared on other seeds.",
        style="dim",
    )
