"""`sutler impact --choice`: what a decision is worth, by playing on with it done and with it left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table

from sutler.terminal.asked import Asked
from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, settings_from, told
from sutler.terminal.keeping import check_out, keep
from sutler.terminal.progress import Bar

if TYPE_CHECKING:
    from sutler.lab.studies.decision_value import Choices


def choices_in_terminal(asked: Asked, named: list[str], per_game: int, turned: list[str]) -> None:
    """Play, go both ways, show what each choice is worth."""
    with told():
        check_out(asked.out)
        loaded = asked.load()
        from sutler.lab.report.decision_pages import choices_page
        from sutler.lab.studies.decision_value import actions_of_choices, decision_values

        actions_of_choices(loaded, named)  # said before anything is compiled
        other = settings_from(turned)
        if other:
            from sutler.core.game import load

            load(loaded.name, asked.box, {**asked.chosen, **other})
        asked.warm()
        with Bar(asked.games * per_game, "decisions") as bar:
            found = decision_values(loaded, asked.series(progress=bar.to), named, per_game, other)
        if not found.choices:
            raise Trouble(f"nobody had this to decide in {asked.games} games")
        show(found)
        keep(found, asked.out, lambda: choices_page(found))


def show(found: Choices) -> None:
    """Every choice: how often it is made, and what making it adds, where the bot made it and where it did not."""
    from sutler.lab.report.decision_pages import column_names, explanation, row_cells

    out = console()
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    for k, heading in enumerate(column_names(found)):
        table.add_column(heading, justify="left" if k == 0 else "right", no_wrap=k == 0)
    for one in found.choices:
        table.add_row(*row_cells(found, one))
    out.print(table)
    out.print(explanation(found), style="dim")
