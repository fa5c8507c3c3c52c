"""`sutler tournament`: bots against each other."""

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
    from sutler.lab.tournament import Tournament


def tournament_in_terminal(
    game: str,
    bots: str,
    ladder: str | None,
    seats: int | None,
    settings: list[str],
    box: Path | None,
    games: int,
    seed: int,
    out: Path | None,
    ray: str | None = None,
) -> None:
    """Hold it, or climb the ladder; Ctrl-C keeps the tables that are played."""
    with told():
        check_out(out)
        name = known_game(game)
        from sutler.core.game import load
        from sutler.lab.crew import crew_at
        from sutler.lab.pages import tournament_page
        from sutler.lab.tournament import ladder_of, rounds_of, rungs, seatings, watch

        loaded = load(name, box, settings_from(settings))
        entrants = [one.strip() for one in bots.split(",") if one.strip()]
        if ladder is not None:
            entrants = ladder_of(rounds_of(ladder))
        plan = seatings if ladder is None else rungs
        n_seats = loaded.best_seats if seats is None else seats
        total = len(plan(len(entrants), n_seats)) * (-(-games // max(1, n_seats)) * n_seats)
        found: Tournament | None = None
        with crew_at(ray) as crew, Bar(total) as bar:
            try:
                steps = watch(loaded, entrants, seats, games, seed, plan, crew, bar.to)
                if ray is None:
                    show_warming(name)
                for so_far in steps:
                    found = so_far
            except KeyboardInterrupt:
                if found is None:
                    raise
        assert found is not None
        show(found, ladder is not None)
        keep(found, out, lambda: tournament_page(found, ladder is not None))


def show(found: Tournament, ladder: bool) -> None:
    """Ratings, who beats whom, how the seats fare, and the controls."""
    from sutler.lab.tournament import answer, ladder_answer, ladder_rows, matrix_rows, rating_rows, seat_rows, verdict

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
