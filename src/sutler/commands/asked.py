"""What several commands ask for in the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

GameName = Annotated[str, typer.Argument(metavar="GAME", help="One of `sutler games`.", show_default=False)]
Seats = Annotated[
    int | None, typer.Option(help="How many sit at the table; the game's best number if left out.", show_default=False)
]
Ray = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Play on this Ray cluster: HOST:PORT, auto, or local to start one."),
]
Seed = Annotated[int | None, typer.Option(help="The same seed deals the same game.", show_default=False)]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="An option (victory=20) or a number of the box (rules.buy_price=2)."
    ),
]
Box = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A TOML file laid over the printed box.", show_default=False)
]
