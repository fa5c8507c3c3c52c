"""`sutler guide`: print parts of a game's guide, by chapter, by paragraph or by words."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from sutler.cli.console import make_console, render_paragraph
from sutler.cli.errors import CommandError, require_game_name
from sutler.cli.options import GameName, command

MAX_PARAGRAPHS = 12
"""The most paragraphs that a search by words shows, the best first."""


@command
def guide_command(
    game: GameName,
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[PARAGRAPH|WORDS]", help="5.4, a chapter, or words to look for.")
    ] = None,
) -> None:
    """Read a game's guide: its chapters, one paragraph, or the paragraphs that hold some words."""
    from sutler.core.play.registry import find_game_folder
    from sutler.core.text.guide import Guide

    name = require_game_name(game)
    found = Guide.read_file(find_game_folder(name) / "guide.md")
    out = make_console()
    wanted = " ".join(what or []).strip().removeprefix("§")
    if not wanted:
        out.print(Text(found.title, "bold"))
        for number, title in found.chapters.items():
            out.print(Text(f"{number:>3}  ", "bold").append(title, "not bold"))
            for paragraph in found.list_chapter(number):
                out.print(f"       {paragraph.number}  {paragraph.title}", style="dim")
        return
    one = found.find_paragraph(wanted)
    listed = (
        [one]
        if one
        else found.list_chapter(wanted)
        if wanted.isdigit()
        else found.search_paragraphs(wanted)[:MAX_PARAGRAPHS]
    )
    if not listed:
        raise CommandError(f"the guide of {name} has no paragraph {wanted!r} and none with these words")
    for paragraph in listed:
        out.print(render_paragraph(paragraph.number, paragraph.chapter, paragraph.text, paragraph.kind))
