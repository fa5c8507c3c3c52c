"""`sutler compare`: play two versions of a game and say how their figures differ."""

from __future__ import annotations

import json as _json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, parse_settings
from sutler.cli.options import GameName, Ray, TunedPlayers, command
from sutler.cli.output_file import require_writable_out
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study, take_last_answer

if TYPE_CHECKING:
    from sutler.core.play.game import Game
    from sutler.lab.play.query import Query
    from sutler.lab.studies.compare import Comparison


WIDE_TERMINAL_COLUMNS = 110
"""Terminals so wide have room for the plain means in the table; in others they stand below it."""
VERDICT_STYLES = {"more": "bold green", "less": "bold red", "open": "yellow"}


@dataclass(frozen=True)
class Sides:
    """The options for the two versions that are compared."""

    a: Annotated[
        list[str] | None, typer.Option("--a", metavar="EDIT", help="One side: base, a TOML file, or KEY=VALUE.")
    ] = None
    b: Annotated[
        list[str] | None, typer.Option("--b", metavar="EDIT", help="The other side; several edits add up.")
    ] = None


@dataclass(frozen=True)
class Effort:
    """The options that limit a comparison: the most games, and how sure the answer must be."""

    games: Annotated[int, typer.Option(min=1, help="Games a side at most.")] = 20_000
    alpha: Annotated[float, typer.Option(help="How often it may err, over all figures and looks together.")] = 0.05
    smallest: Annotated[
        float, typer.Option(help="The smallest effect that matters, in standard deviations of one game.")
    ] = 0.1


@dataclass(frozen=True)
class Delivery:
    """The options of delivery: the file for the answer, and the machines that play the games."""

    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .json the figures, .parquet the games.")
    ] = None
    ray: Ray = None


@dataclass(frozen=True)
class OtherTable:
    """The options for the players of the second side's table, if they differ from the first side's."""

    bots_b: Annotated[str, typer.Option("--bots-b", help="The other side's bots, where they differ.")] = ""
    seats_b: Annotated[
        int | None, typer.Option("--seats-b", help="The other side's seats, where they differ.", show_default=False)
    ] = None

    def build_query(self, query: Query, version: Game) -> Query:
        """The query of the second side, for this version of the game."""
        from sutler.bots import parse_bots

        bots = parse_bots(self.bots_b) if self.bots_b else query.bots
        return replace(query, game=version, bots=bots, seats=query.seats if self.seats_b is None else self.seats_b)


@command
def compare_command(
    game: GameName,
    sides: Sides,
    players: TunedPlayers,
    effort: Effort,
    about: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE", help="Ask about this figure only (again for more).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, on both sides.")] = 1,
    *,
    delivery: Delivery,
    other: OtherTable,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Stop when nothing that is open can be expected to be settled in --games.")
    ] = False,
) -> None:
    """Play two versions of a game until it is clear what the change does, or that it does nothing that matters."""
    require_writable_out(delivery.out, (".html", ".json", ".parquet"))
    from sutler.lab.play.ray_cluster import connect_crew
    from sutler.lab.studies.compare import Certainty, is_same_box, iter_comparisons, require_comparable

    query = players.build_query(game, effort.games, seed)
    a, b = load_version_of_side(query, sides.a or [], "--a"), load_version_of_side(query, sides.b or [], "--b")
    certainty = Certainty(effort.alpha, effort.smallest, give_up)
    require_comparable(a, b, effort.games, certainty)  # said before anything is compiled
    if is_same_box(a, b) and other == OtherTable() and not delivery.json:
        make_console().print("Both sides are the same game: whatever differs is chance.", style="yellow")
    if not delivery.json:
        prepare_study(query, a, b, elsewhere=delivery.ray)
    with connect_crew(delivery.ray) as crew, Bar(effort.games, "games a side", quiet=delivery.json) as bar:
        query = replace(query, game=a, threads=crew, progress=bar.update_count)
        found = take_last_answer(iter_comparisons(query, other.build_query(query, b), about or [], certainty))
    if delivery.json:
        print(_json.dumps(found.data(), indent=1, default=str))
    else:
        print_comparison(found)
    if delivery.out is not None:
        write_comparison(found, delivery.out)


def load_version_of_side(query: Query, edits: list[str], option: str) -> Game:
    """The version of the query's game that the edits of one side make.

    An edit is `base` (the printed box), a TOML file laid over it, or KEY=VALUE.
    """
    files = [one for one in edits if "=" not in one and one != "base"]
    if len(files) > 1:
        raise CommandError(f"{option}: one file at most, not {' and '.join(files)}")
    pairs = [one for one in edits if "=" in one]
    return replace(query, box=Path(files[0]) if files else None).load_edited_game(parse_settings(pairs))


def print_comparison(comparison: Comparison) -> None:
    """Print the answer, then every figure."""
    from sutler.lab.studies.compare import VERDICT_WORDS

    out = make_console()
    out.print(f"\n{comparison.answer()}\n", style="bold")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    wide = out.width >= WIDE_TERMINAL_COLUMNS
    table.add_column("figure", no_wrap=wide)
    for heading in (*(("a", "b") if wide else ()), "b less a", "95 % interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True, min_width=max(map(len, VERDICT_WORDS.values())))
    if wide:
        table.add_column("plain means", justify="right", style="dim")
    plain = {
        one.figure: "" if one.tail is None else ", ".join(one.figure.format_value(mean) for mean in one.tail.means)
        for one in comparison.effects
    }
    for one in comparison.effects:
        say = one.figure.format_value
        table.add_row(
            one.label,
            *((say(one.a), say(one.b)) if wide else ()),
            say(one.effect, signed=True) if one.differ else "0",
            one.figure.format_interval(one.low, one.high, signed=True) if one.low != one.high else "",
            VERDICT_WORDS[one.verdict],
            *([plain[one.figure]] if wide else []),
            style=VERDICT_STYLES.get(one.verdict, "dim" if one.verdict != "open" else ""),
        )
    out.print(table)
    out.print(
        f"{comparison.games:,} games a side {comparison.who}, {format_seats(comparison)}, in {comparison.seconds:.0f} s, the same seeds on "
        f"both. {1 - comparison.alpha:.0%} sure that every interval of this table is right, whenever you stop.\n"
        f"{comparison.describe_differences_too_small()} "
        "Usual: games beyond what nearly all others are count as the bound; strays: the share of such games; plain: all games as they "
        "are. pp: percentage points.",
        style="dim",
    )
    if not wide:
        shares = {
            one.figure: f"{one.figure.format_value(one.a)}, {one.figure.format_value(one.b)}"
            for one in comparison.effects
            if one.differ
        }
        told = "; ".join(
            f"{one.plain_label} {plain[one] or shares[one]}" for one in plain if plain[one] or one in shares
        )
        out.print(f"a and b, plain means and shares: {told}.", style="dim")
    outlook = comparison.list_games_that_would_settle()
    ahead = ["If the differences stay as they were seen, a side needs:"] if outlook else []
    for said in [*comparison.describe_games_beyond_bounds(), *ahead, *outlook]:
        out.print(said, style="dim")


def format_seats(comparison: Comparison) -> str:
    """The number of seats of both sides, in words."""
    one, other = (version_of_side["seats"] for version_of_side in comparison.about["sides"].values())
    return f"{one} seats" if one == other else f"{one} and {other} seats"


def write_comparison(comparison: Comparison, out: Path) -> None:
    """Write the answer to `out`, by its ending: .json the figures, .parquet the games, .html a page."""
    from sutler.lab.play.atomic_files import atomic_file, write_atomically

    if out.suffix == ".json":
        write_atomically(out, _json.dumps(comparison.data(), indent=1, default=str))
    elif out.suffix == ".html":
        from sutler.lab.report.study_pages import render_comparison_page

        write_atomically(out, render_comparison_page(comparison))
    else:
        about: dict[str, Any] = {"sutler": _json.dumps(comparison.data(), default=str)}
        with atomic_file(out) as aside:
            comparison.join_games_of_both_sides().write_parquet(aside, metadata=about)
    make_console().print(f"Kept in {out}", style="dim")
