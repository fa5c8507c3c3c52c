"""`sutler tournament`: bots against each other."""

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
    from sutler.lab.studies.tournament import Tournament


def tournament_in_terminal(asked: Asked, ladder: str | None) -> None:
    """Hold it, or climb the ladder; Ctrl-C keeps the tables that are played."""
    with told():
        check_out(asked.out)
        loaded = asked.load()
        from sutler.lab.play.ray_cluster import crew_at
        from sutler.lab.report.pages import tournament_page
        from sutler.lab.studies.tournament import (
            all_seatings,
            ladder_entrants,
            ladder_seatings,
            parse_rounds,
            require_competitive,
            watch,
        )

        require_competitive(loaded)
        entrants = asked.names_of_bots() if ladder is None else ladder_entrants(parse_rounds(ladder))
        plan = all_seatings if ladder is None else ladder_seatings
        n_seats = loaded.best_seats if asked.seats is None else asked.seats
        total = len(plan(len(entrants), n_seats)) * (-(-asked.games // max(1, n_seats)) * n_seats)
        with crew_at(asked.ray) as crew, Bar(total) as bar:
            steps = watch(loaded, entrants, asked.seats, asked.games, asked.seed, plan, crew, bar.to)
            if asked.ray is None:
                show_warming(asked.name)
            found = last_of(steps)
        show(found, ladder is not None)
        keep(found, asked.out, lambda: tournament_page(found, ladder is not None))


def show(found: Tournament, ladder: bool) -> None:
    """Ratings, who beats whom, how the seats fare, and the controls."""
    from sutler.lab.studies.tournament import (
        answer,
        ladder_answer,
        ladder_rows,
        matrix_rows,
        rating_rows,
        seat_rows,
        verdict,
    )

    out = console()
    if len(found.tables) < found.planned:
        out.print(f"Ended early, after {len(found.tables)} of {found.planned} tables.", style="yellow")
    if found.mixed():
        out.print(f"\n{ladder_answer(found) if ladder else answer(found)}\n", style="bold")
        if ladder:
            _print(*ladder_rows(found))
        else:
            _print(*rating_rows(found))
            _print(*matrix_rows(found))
    _print(*seat_rows(found))
    out.print(verdict(found), style="dim")


def _print(heads: list[str], rows: list[list[str]]) -> None:
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(heads):
        table.add_column(heading, justify="right" if i else "left")
    for row in rows:
        table.add_row(*row)
    console().print(table)
