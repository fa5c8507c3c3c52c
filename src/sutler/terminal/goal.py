"""`sutler goal`: which one number reaches a goal and moves nothing else?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table

from sutler.terminal.asked import Asked, last_of
from sutler.terminal.draw import console
from sutler.terminal.errors import told
from sutler.terminal.keeping import check_out
from sutler.terminal.progress import Bar

if TYPE_CHECKING:
    from sutler.lab.studies.goal import GoalSearch


def goal_in_terminal(asked: Asked, want: str, only: list[str], most: int, confirm: int) -> None:
    """Screen, compare, answer; Ctrl-C keeps what is known by then."""
    with told():
        check_out(asked.out, (".html",))
        name = asked.name
        from sutler.lab.play.files import write_atomically
        from sutler.lab.report.design_pages import goal_page
        from sutler.lab.studies.goal import search_goal

        asked.warm()
        with Bar(asked.games) as bar:
            found = last_of(search_goal(name, want, asked.series(progress=bar.to), asked.chosen, only, most, confirm))
        show(found)
        if asked.out is not None:
            write_atomically(asked.out, goal_page(found))
            console().print(f"Kept in {asked.out}", style="dim")


def show(found: GoalSearch) -> None:
    """The answer, then what came near."""
    from sutler.lab.play.provenance import bots_in_words

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
        f"The table: as screened in {about['games']:,} games a version {bots_in_words(about['bots'], about['seats'])}. "
        "The sentence above it: as compared afterwards, on other seeds.",
        style="dim",
    )
