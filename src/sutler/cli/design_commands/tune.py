"""`sutler tune`: find values of several numbers of a box that reach several goals, confirmed on new seeds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sutler.cli.console import make_console
from sutler.cli.options import FirstSeed, GameName, PlayersAndBox, command
from sutler.cli.output_file import require_writable_out
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study, take_last_answer

if TYPE_CHECKING:
    from sutler.lab.studies.tune import Tuning


@dataclass(frozen=True)
class Wishes:
    """The options for the goals, the figures that are to stay, and the numbers that may be changed."""

    want: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIGURE=-20%", help="What is wanted: decisions=-20%, turns=+2, seat_1=25% (again for more)."
        ),
    ] = None
    keep: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE", help="What is to stay as it is (again for more).")
    ] = None
    over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=1..8",
            help="A number and its values, or the beginning of names: half of each up and down (again for more).",
        ),
    ] = None


@dataclass(frozen=True)
class Effort:
    """The number of games and versions that are screened and compared."""

    games: Annotated[int, typer.Option(min=2, help="Games a version that is screened.")] = 200
    versions: Annotated[int, typer.Option(min=1, help="Versions that are screened.")] = 100
    most: Annotated[int, typer.Option(min=200, help="Games a side, at most, where a version is compared.")] = 8000
    confirm: Annotated[int, typer.Option(min=1, help="How many versions are compared.")] = 2


@command
def tune_command(
    game: GameName,
    wishes: Wishes,
    *,
    players: PlayersAndBox,
    effort: Effort,
    seed: FirstSeed = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="F.html", help="Keep it, with the trade-off as a picture.")
    ] = None,
) -> None:
    """Find values of several numbers that reach several goals at once: screened with few games, confirmed on new seeds."""
    require_writable_out(out, (".html",))
    from sutler.lab.play.atomic_files import write_atomically
    from sutler.lab.report.design_pages import render_tuning_page
    from sutler.lab.studies import tune as study

    query = players.build_query(game, effort.games, seed)
    want, keep, over = wishes.want or [], wishes.keep or [], wishes.over or []
    study.require_tunable_numbers(query, want, over, keep)  # said before anything is compiled
    prepare_study(query)
    with Bar(effort.games) as bar:
        query = replace(query, progress=bar.update_count)
        found = take_last_answer(study.tune(query, want, over, keep, effort.versions, effort.most, effort.confirm))
    print_tuning(found)
    if out is not None:
        write_atomically(out, render_tuning_page(found))
        make_console().print(f"Kept in {out}", style="dim")


def print_tuning(tuning: Tuning) -> None:
    """Print the answer, the other versions that were compared, and what the answer is based on."""
    from sutler.lab.play.provenance import describe_bots_for_claim
    from sutler.lab.stats.estimates import format_count_with_noun

    out, about, best = make_console(), tuning.about, tuning.find_best()
    out.print(f"\n{tuning.answer()}\n", style="bold")
    for one, comparison in tuning.compared:
        if best is None or one is not best[0]:
            out.print(f"Also compared: {tuning.format_edit(one.edit)} {tuning.describe_result(comparison)}.\n")
    out.print(
        f"Screened: {about['games']:,} games a version {describe_bots_for_claim(about['bots'], about['seats'])}, "
        f"{about['seats']} seats; that proves "
        f"nothing. {format_count_with_noun(len(tuning.list_undominated), 'version')} no other one beats in every "
        f"goal: --out F.html has them, and the "
        "trade-off as a picture. Compared: on fresh seeds, all comparisons 95 % sure together.",
        style="dim",
    )
