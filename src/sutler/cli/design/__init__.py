"""Commands for those who design games: what is in a box, what a game does, what a change does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from sutler.cli.design.box_options import box_app
from sutler.cli.design.impact_options import impact
from sutler.cli.options import (
    Box,
    Figures,
    FirstSeed,
    GameName,
    Ray,
    Seats,
    Seed,
    Settings,
    Table,
    TableOfSearchers,
    TableWithBox,
    spread,
)

commands = typer.Typer()

commands.add_typer(box_app, name="box")
commands.command()(impact)


@dataclass(frozen=True)
class Simulated(TableWithBox):
    """The table of `simulate`, which tells how bots are named."""

    bots: Annotated[str, typer.Option(help="The bots, one a seat, separated by commas; one sits everywhere.")] = (
        "greedy"
    )


@commands.command()
@spread
def simulate(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    *,
    table: Simulated,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed; the next one's is one more.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="F.parquet", help="Write every game down, for `sutler report`; .csv: results only."),
    ] = None,
    ray: Ray = None,
) -> None:
    """Play many games between bots and say who wins, from which seat, and how long it takes."""
    from sutler.cli.design.simulate import simulate_in_terminal

    simulate_in_terminal(table.asked(game, games, seed, out, ray))


@commands.command()
def report(
    file: Annotated[Path, typer.Argument(metavar="F.parquet", help="What `sutler simulate --out` wrote.")],
    out: Annotated[
        Path | None, typer.Option(metavar="F.html", help="Where to; beside the file if left out.", show_default=False)
    ] = None,
    across_: Annotated[
        list[Path] | None,
        typer.Option(
            "--across", metavar="F.parquet", help="The same between other bots (again for more): does it hold?"
        ),
    ] = None,
) -> None:
    """Make a page of what many games showed: who wins, how long, when decided, cards, rules; it needs no network."""
    from sutler.cli.design.report import report_in_terminal

    report_in_terminal(file, out, across_ or [])


@commands.command()
@spread
def questions(
    game: GameName,
    games: Annotated[int, typer.Option(min=2, help="How many games are watched; other tables have a quarter.")] = 1000,
    *,
    table: Table,
    question: Annotated[
        list[int] | None, typer.Option(metavar="K", help="Only this one (again for more); all if left out.")
    ] = None,
    seed: FirstSeed = 1,
    out: Annotated[Path | None, typer.Option(metavar="F.html", help="Keep the page with pictures and tables.")] = None,
) -> None:
    """What the designer of a game asks playtesters, answered from many games between bots."""
    from sutler.cli.design.questions import questions_in_terminal

    questions_in_terminal(table.asked(game, games, seed, out), question or [])


@dataclass(frozen=True)
class Sides:
    """The two versions that are compared."""

    a: Annotated[
        list[str] | None, typer.Option("--a", metavar="EDIT", help="One side: base, a TOML file, or KEY=VALUE.")
    ] = None
    b: Annotated[
        list[str] | None, typer.Option("--b", metavar="EDIT", help="The other side; several edits add up.")
    ] = None


@dataclass(frozen=True)
class Effort:
    """How many games a comparison may take, and how sure it must be."""

    games: Annotated[int, typer.Option(min=1, help="Games a side at most.")] = 20_000
    alpha: Annotated[float, typer.Option(help="How often it may err, over all figures and looks together.")] = 0.05
    smallest: Annotated[
        float, typer.Option(help="The smallest effect that matters, in standard deviations of one game.")
    ] = 0.1


@dataclass(frozen=True)
class Kept:
    """What becomes of a comparison's answer, and who plays for it."""

    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .json the figures, .parquet the games.")
    ] = None
    ray: Ray = None


@dataclass(frozen=True)
class OtherTable:
    """What is otherwise at the other side's table."""

    bots_b: Annotated[str, typer.Option("--bots-b", help="The other side's bots, where they differ.")] = ""
    seats_b: Annotated[
        int | None, typer.Option("--seats-b", help="The other side's seats, where they differ.", show_default=False)
    ] = None


@commands.command()
@spread
def compare(
    game: GameName,
    sides: Sides,
    table: TableOfSearchers,
    effort: Effort,
    about: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE", help="Ask about this figure only (again for more).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, on both sides.")] = 1,
    *,
    kept: Kept,
    other: OtherTable,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Stop when nothing that is open can be expected to be settled in --games.")
    ] = False,
) -> None:
    """Play two versions of a game until it is clear what the change does, or that it does nothing worth the name."""
    from sutler.cli.design.compare import Other, compare_in_terminal

    asked = table.asked(game, effort.games, seed, kept.out, kept.ray)
    certainty = effort.alpha, effort.smallest, give_up
    elsewhere = Other(other.bots_b, other.seats_b)
    compare_in_terminal(asked, sides.a or [], sides.b or [], about or [], certainty, elsewhere, kept.json)


@commands.command()
@spread
def sweep(
    game: GameName,
    over: Annotated[
        str,
        typer.Option(metavar="KEY=1..8", help="The parameter and its values: 1..8, 5..40:5 (every fifth) or 1,2,4."),
    ],
    table: TableWithBox,
    games: Annotated[int, typer.Option(min=2, help="Games a value.")] = 1000,
    about: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE", help="Show this figure only (again for more).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, at every value.")] = 1,
    out: Figures = None,
    ray: Ray = None,
) -> None:
    """Play a game at every value of an option or a number of its box, and show the figures as curves."""
    from sutler.cli.design.sweep import sweep_in_terminal

    sweep_in_terminal(table.asked(game, games, seed, out, ray), over, about or [])


@dataclass(frozen=True)
class Judges(TableWithBox):
    """The table of `across`: at it each of the bots plays by itself."""

    bots: Annotated[
        str, typer.Option(help="The bots, with commas between; the first is what others are held against.")
    ] = ""


@commands.command()
@spread
def across(
    game: GameName,
    table: Judges,
    games: Annotated[int, typer.Option(min=2, help="Games a bot.")] = 1000,
    searched: Annotated[
        int | None, typer.Option(min=2, help="Games of a bot that searches; a tenth if left out.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, for every bot.")] = 1,
    out: Figures = None,
) -> None:
    """Does it hold between other bots? The same game between each, and a verdict on every figure."""
    from sutler.cli.design.across import across_in_terminal

    across_in_terminal(table.asked(game, games, seed, out), searched)


@dataclass(frozen=True)
class Seers(TableWithBox):
    """The table of `hidden`: one bot, at all of its seats."""

    bots: Annotated[str, typer.Option(help="One bot, in all seats: random, greedy or a search.")] = "greedy"


@commands.command()
@spread
def hidden(
    game: GameName,
    table: Seers,
    games: Annotated[int, typer.Option(min=2, help="Seeds; each is played four times.")] = 400,
    seed: FirstSeed = 1,
    out: Figures = None,
) -> None:
    """What does hidden information decide? The same games with one seat that sees everything, and with all open."""
    from sutler.cli.design.hidden import hidden_in_terminal

    hidden_in_terminal(table.asked(game, games, seed, out))


@commands.command()
@spread
def sensitivity(
    game: GameName,
    about: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE", help="Only this figure (again for more); the page has all.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Turn what begins so, such as rules or card.Wheat (again for more)."),
    ] = None,
    by: Annotated[
        float, typer.Option(min=0.01, max=2, help="How far: this part of the number, one at the least.")
    ] = 0.2,
    *,
    table: Table,
    games: Annotated[int, typer.Option(min=2, help="Games a version.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, of every version.")] = 1,
    out: Figures = None,
) -> None:
    """Which numbers matter? Every one a step down and a step up, and what becomes of every figure."""
    from sutler.cli.design.sensitivity import sensitivity_in_terminal

    sensitivity_in_terminal(table.asked(game, games, seed, out), about or [], only or [], by)


@commands.command()
@spread
def goal(
    game: GameName,
    want: Annotated[
        str, typer.Option(metavar="FIGURE=-20%", help="What is wanted: decisions=-20%, turns=+2, seat_1=25%.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Try what begins so, such as rules or card.Wheat (again for more)."),
    ] = None,
    *,
    table: Table,
    games: Annotated[int, typer.Option(min=2, help="Games a version that is screened.")] = 200,
    most: Annotated[int, typer.Option(min=200, help="Games a side, at most, where a candidate is compared.")] = 2000,
    confirm: Annotated[int, typer.Option(min=1, help="How many candidates are compared.")] = 2,
    seed: FirstSeed = 1,
    out: Annotated[Path | None, typer.Option(metavar="F.html", help="Keep it, to read.")] = None,
) -> None:
    """Which one number reaches a goal and moves nothing else? All are screened, the best are compared."""
    from sutler.cli.design.goal import goal_in_terminal

    goal_in_terminal(table.asked(game, games, seed, out), want, only or [], most, confirm)


@dataclass(frozen=True)
class Entrants:
    """Who takes part in a tournament."""

    bots: Annotated[str, typer.Option(help="Who takes part, with commas between; settings as in search:rounds=40.")] = (
        "random,greedy,search:rounds=20"
    )
    ladder: Annotated[
        str | None,
        typer.Option(metavar="5,10,20,40", help="Does thinking longer pay? Searches of so many rounds, above greedy."),
    ] = None


@commands.command()
@spread
def tournament(
    game: GameName,
    entrants: Entrants,
    seats: Seats = None,
    set_: Settings = None,
    box: Box = None,
    games: Annotated[int, typer.Option(min=1, help="Games a table, rounded up to whole turns around the seats.")] = 300,
    seed: FirstSeed = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .parquet or .csv the games.")
    ] = None,
    ray: Ray = None,
) -> None:
    """Bots against each other: ratings, who beats whom, how the seats fare, and controls that must come out even."""
    from sutler.cli.design.tournament import tournament_in_terminal

    table = TableWithBox(entrants.bots, seats, set_, box)
    tournament_in_terminal(table.asked(game, games, seed, out, ray), entrants.ladder)


@commands.command()
def export(
    to: Annotated[Path, typer.Argument(metavar="FILE.parquet", help="Where the decisions go.")],
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAMES", help="Game files, folders of them, or a house's database; none: bots play now."
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="What bots play, or what is taken from a house.", show_default=False),
    ] = None,
    bots: Annotated[str, typer.Option(help="Who plays it, with commas between.")] = "greedy",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seats: Seats = None,
    seed: Seed = None,
    set_: Settings = None,
    box: Box = None,
) -> None:
    """Turn games into decisions: what each seat could know, what was legal, what it did, how it ended. One Parquet file."""
    from sutler.cli.design.export import export_games

    export_games(to, sources or [], game, bots, games, seats, seed or 1, set_ or [], box)


@commands.command()
def playtest(
    house: Annotated[str, typer.Argument(metavar="HOUSE", help="A house's database: its file, or its address.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="Which game.")],
    bot: Annotated[
        str, typer.Option(help="Whose games stand beside people's, and who foresees their moves.")
    ] = "greedy",
    games: Annotated[int, typer.Option(min=8, help="Games between bots beside each version of the box.")] = 200,
    seed: FirstSeed = 1,
    site: Annotated[
        str, typer.Option(metavar="URL", help="Where the house is: remarks then lead to their moment.")
    ] = "",
    out: Figures = None,
) -> None:
    """What do people make of it? Their counted games, answers and remarks, beside bots' games of the same box."""
    from sutler.cli.design.playtest import playtest_in_terminal

    playtest_in_terminal(house, game, bot, games, seed, site, out)
