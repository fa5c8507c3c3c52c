"""`sutler impact`: what a card or a decision is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from sutler.cli.options import Figures, FirstSeed, GameName, TableWithBox, spread


@dataclass(frozen=True)
class Decision:
    """A decision that is asked about, in place of a draw."""

    choice: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A decision instead of a draw: a kind of action (attack), or what its name begins with (place Wheat); "
            "again for more, 'all' for every kind. Where a game has no deck this is what is asked.",
        ),
    ] = None
    turned: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="With --choice: and with this number, such as a cost, from then on."),
    ] = None


@spread
def impact(
    game: GameName,
    card: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this card (again for more); all if left out.")
    ] = None,
    *,
    table: TableWithBox,
    decision: Decision,
    games: Annotated[int, typer.Option(min=1, help="How many games are played to pick from.")] = 500,
    per_game: Annotated[int, typer.Option(min=1, help="How many draws or decisions of each are tried at most.")] = 6,
    hand: Annotated[
        str | None, typer.Option(metavar="FIELD", help="Where a drawn card comes to; the first set at the seats.")
    ] = None,
    seed: FirstSeed = 1,
    out: Figures = None,
) -> None:
    """What is a card or a decision worth? Play on with it, with another, a blank, none; done, and left; the same dice."""
    from sutler.cli.design.choices import choices_in_terminal
    from sutler.cli.design.impact import has_draws, impact_in_terminal

    asked = table.asked(game, games, seed, out)
    if decision.choice or decision.turned or not (card or hand or has_draws(asked)):
        named = [one for one in decision.choice or [] if one.casefold() != "all"]
        choices_in_terminal(asked, named, per_game, decision.turned or [])
    else:
        impact_in_terminal(asked, card or [], per_game, hand)
