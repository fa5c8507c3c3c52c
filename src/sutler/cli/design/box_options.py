"""`sutler box`: what is in a box, and in what two boxes differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sutler.cli.options import Box, GameName

box_app = typer.Typer(no_args_is_help=True, help="Look at what is in a game's box.")


@box_app.command("check")
def box_check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file laid over the printed box.")],
    game: Annotated[str | None, typer.Option(help="Whose box; found out if left out.", show_default=False)] = None,
) -> None:
    """Check a box edit and list in what it differs from the printed box."""
    from sutler.cli.play.guide import check_box

    check_box(file, game)


@box_app.command("show")
def box_show(
    game: GameName,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="Only what is called so, or has this paragraph.")
    ] = None,
    box: Box = None,
) -> None:
    """List what can be turned: every number, card and option, what it is now, its bounds, its paragraph."""
    from sutler.cli.design.box import show_box

    show_box(game, " ".join(words or []), box)


@box_app.command("diff")
def box_diff(
    a: Annotated[
        str,
        typer.Argument(metavar="A", help="base or a game for the printed box, a TOML file laid over it, or KEY=VALUE."),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    game: Annotated[str | None, typer.Option(help="Whose box; found out if left out.", show_default=False)] = None,
) -> None:
    """Say in what two boxes differ, with the paragraph of each difference."""
    from sutler.cli.design.box import diff_boxes

    diff_boxes(a, b, game)
