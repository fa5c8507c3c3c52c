"""`sutler impact`: what a card is worth, by playing on with it, with another, with a blank, with none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table

from sutler.terminal.asked import Asked
from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, told
from sutler.terminal.keeping import check_out, keep
from sutler.terminal.progress import Bar

if TYPE_CHECKING:
    from sutler.lab.studies.impact import Impact

ENDS = 10  # how many of the best and of the worst the terminal shows


def has_draws(asked: Asked) -> bool:
    """Are there cards to be drawn in this game? Where not, decisions are what can be asked about; and it says so."""
    with told():
        loaded = asked.load()
        from sutler.lab.studies.impact import cards_asked_about

        try:
            cards_asked_about(loaded)
        except ValueError:
            console().print(f"{loaded.title} has no draws to ask about; these are its decisions.", style="dim")
            return False
    return True


def impact_in_terminal(asked: Asked, cards: list[str], per_game: int, hand: str | None) -> None:
    """Play, try the draws, show the best and the worst."""
    with told():
        check_out(asked.out)
        loaded = asked.load()
        from sutler.lab.report.pages import impact_page
        from sutler.lab.studies.impact import cards_asked_about, impact

        cards_asked_about(loaded, cards, hand)  # said before anything is compiled
        asked.warm()
        with Bar(asked.games * per_game, "draws") as bar:
            found = impact(loaded, asked.series(progress=bar.to), cards, per_game, hand)
        if not found.cards:
            raise Trouble(f"nobody drew any of these in {asked.games} games")
        show(found)
        keep(found, asked.out, lambda: impact_page(found))


def show(found: Impact) -> None:
    """The best and the worst: what they add instead of another, of a blank, of none, and what one would naively think."""
    from sutler.lab.play.rollouts import mean_in_words

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
            leads = (mean_in_words(value) for value in (one.lead_other, one.lead_blank, one.lead_none))
            wins = (mean_in_words(value, True) for value in (one.won_other, one.naive))
            table.add_row(one.name, f"{one.draws:,}", *leads, *wins)
    out.print(table)
    out.print(
        "Lead: points of the seat less the mean of the others. Each pair of games has one past and the same dice; ± is half the "
        f"95 % interval. Between {' and '.join(found.about['bots'])} bots at {found.about['seats']} seats. "
        "Naive: how much more often seats win that drew it. "
        f"Too few draws to say (?): {len(found.cards) - len(known)} of {len(found.cards)}.",
        style="dim",
    )
