"""`sutler impact`: what a card is worth, by playing on with it, with another, with a blank, with none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, known_game, settings_from, told
from sutler.terminal.keeping import check_out, keep
from sutler.terminal.progress import Bar
from sutler.terminal.warm import show_warming

if TYPE_CHECKING:
    from sutler.lab.impact import Impact

ENDS = 10  # how many of the best and of the worst the terminal shows


def impact_in_terminal(
    game: str,
    cards: list[str],
    bots: str,
    seats: int | None,
    settings: list[str],
    box: Path | None,
    games: int,
    per_game: int,
    hand: str | None,
    seed: int,
    out: Path | None,
) -> None:
    """Play, try the draws, show the best and the worst."""
    with told():
        check_out(out)
        name = known_game(game)
        from sutler.bots import bots_from
        from sutler.core.game import load
        from sutler.lab.impact import impact
        from sutler.lab.pages import impact_page

        loaded, players = load(name, box, settings_from(settings)), bots_from(bots)
        show_warming(name)
        with Bar(games * per_game, "draws") as bar:
            found = impact(loaded, players, seats, games, seed, cards, per_game, hand, progress=bar.to)
        if not found.cards:
            raise Trouble(f"nobody drew any of these in {games} games")
        show(found)
        keep(found, out, lambda: impact_page(found))


def show(found: Impact) -> None:
    """The best and the worst: what they add instead of another, of a blank, of none, and what one would naively think."""
    from sutler.lab.impact import said

    out = console()
    known = [one for one in found.cards if one.is_known]
    shown = found.cards if len(known) <= 2 * ENDS else (*known[:ENDS], None, *known[-ENDS:])
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column(found.about["kind"], no_wrap=True)
    for heading in ("draws", "lead, not another", "not a blank", "not none", "wins, not another", "naive wins"):
        table.add_column(heading, justify="right")
    for one in shown:
        if one is None:
            table.add_row("…")
        else:
            leads = (said(value) for value in (one.lead_other, one.lead_blank, one.lead_none))
            wins = (said(value, True) for value in (one.won_other, one.naive))
            table.add_row(one.name, f"{one.draws:,}", *leads, *wins)
    out.print(table)
    out.print(
        "Lead: points of the seat less the mean of the others. Each pair of games has one past and the same dice; ± is half the "
        f"95 % interval. Between {' and '.join(found.about['bots'])} bots at {found.about['seats']} seats. "
        "Naive: how much more often seats win that drew it. "
        f"Too few draws to say (?): {len(found.cards) - len(known)} of {len(found.cards)}.",
        style="dim",
    )
