"""`sutler skill`: measure how much better play wins in a game, and how much of a result is luck."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.options import FirstSeed, GameName, PlayersAndBox, command
from sutler.cli.output_file import require_writable_out
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study, take_last_answer

if TYPE_CHECKING:
    from sutler.lab.studies.skill import Skill, Step


@dataclass(frozen=True)
class Rungs(PlayersAndBox):
    """The options for players: the bots of the ladder, each against the one before it."""

    bots: Annotated[str, typer.Option(help="The ladder, the weakest first, with commas between.")] = (
        "random,greedy,search:rounds=5,search:rounds=20"
    )


@command
def skill_command(
    game: GameName,
    players: Rungs,
    games: Annotated[int, typer.Option(min=2, help="Deals a step; each is played once for every seat and bot.")] = 200,
    searched: Annotated[
        int | None,
        typer.Option(min=2, help="Deals of a step with a search; a quarter if left out.", show_default=False),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Beside it, a known game of OpenSpiel: connect_four, pig, tic_tac_toe, backgammon."
        ),
    ] = None,
    seed: FirstSeed = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .json, .parquet or .csv.")
    ] = None,
) -> None:
    """Measure skill and luck: a ladder of bots plays the same deals; the results in Elo and in shares of the variance."""
    require_writable_out(out, (".html", ".json", ".parquet", ".csv"))
    from sutler.cli.output_file import write_answer
    from sutler.lab.play.atomic_files import write_atomically
    from sutler.lab.report.design_pages import render_skill_page
    from sutler.lab.studies import openspiel_ladder
    from sutler.lab.studies.skill import count_deals_of_step, iter_skill, require_valid_ladder

    names = openspiel_ladder.require_known_games(beside or [])
    query = players.build_query(game, games, seed, by_name=True)
    rungs = require_valid_ladder(query)
    prepare_study(replace(query, bots=rungs[:1]))
    start = time.process_time()
    with Bar(games) as bar:
        found = take_last_answer(iter_skill(replace(query, progress=bar.update_count), searched))
    deals = count_deals_of_step("", "search", games, searched)
    others: dict[str, Sequence[Step]] = {}
    if names and openspiel_ladder.import_pyspiel() is None:
        make_console().print(
            "Known games are left out: they want OpenSpiel (pip install 'sutler[openspiel]').", style="yellow"
        )
    elif names:
        others = {title: list(openspiel_ladder.iter_ladder_steps(name, deals, seed)) for name, title in names.items()}
    print_skill(found, others)
    if out is not None and out.suffix == ".json":
        write_atomically(out, json.dumps(found.data(others, time.process_time() - start), indent=1, default=str) + "\n")
    else:
        write_answer(found, out, lambda: render_skill_page(found, others))


def print_skill(result: Skill, other_games: dict[str, Sequence[Step]]) -> None:
    """Print the answer, then a row for each step of this game and of those beside it."""
    from sutler.lab.studies.skill import PARTS, describe_depth

    out = make_console()
    out.print(f"\n{result.answer()}\n", style="bold")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    for heading in ("step", "Elo", *PARTS):
        table.add_column(heading, justify="left" if heading == "step" else "right")
    for title, steps in {result.about["title"]: result.steps, **other_games}.items():
        table.add_row(title, describe_depth(steps), style="bold")
        for one in steps:
            table.add_row(f"  {one.label}", one.elo_in_words, *(f"{part.value:.0%}" for part in one.parts))
    out.print(table)
    out.print(
        "Elo: by how often a seat of one ends ahead of one of the other, all intervals of a ladder 95 % together. Who played, seat, deal, "
        "rest: shares of the variance of where a seat ends, between these two bots; deal: what goes together in games from one seed.",
        style="dim",
    )
