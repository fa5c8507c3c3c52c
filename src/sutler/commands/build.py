"""Commands for those who build: bots and games of one's own, machine code, speed, what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from sutler.commands.asked import Box, GameName, Seats, Seed, Settings, spread

commands = typer.Typer()

bot_app = typer.Typer(no_args_is_help=True, help="Begin bots of one's own, and look at them.")
commands.add_typer(bot_app, name="bot")


@bot_app.command("new")
def bot_new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to: a folder that is not there yet.")],
) -> None:
    """Begin a bot that learns by playing: a program that trains it and the bot that plays by what was learned, yours to change."""
    from sutler.terminal.errors import told

    with told():
        from sutler.terminal.newbot import begin

        begin(folder)


@bot_app.command("check")
def bot_check(
    spec: Annotated[
        str, typer.Argument(metavar="BOT", help="A program (./mybot), a file (./mine.py:Thrifty) or a name.")
    ],
    game: Annotated[list[str] | None, typer.Option("--game", help="Only this game (again for more).")] = None,
    games_: Annotated[int, typer.Option("--games", min=1, help="Games of each.")] = 2,
    seed: Seed = None,
) -> None:
    """Does a bot keep to the rules? It plays every game against chance; what it does wrong is told."""
    from sutler.terminal.botcheck import check_bot

    check_bot(spec, game or [], games_, seed or 0)


@commands.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A word of small letters and digits, such as harvest.")],
    into: Annotated[
        Path, typer.Option("--into", metavar="FOLDER", help="Where the project's folder is made.")
    ] = Path(),
) -> None:
    """Begin a game of your own: a small complete one to change, with its tests, in a project that Sutler finds once installed."""
    from sutler.terminal.errors import told

    with told():
        from sutler.terminal.newgame import begin

        begin(name, into)


@dataclass(frozen=True)
class Lessons:
    """How a training goes: what `lab.training.league.TrainingSettings` is told."""

    games: Annotated[int, typer.Option("--games", min=1, help="A round.")] = 200
    asked: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="The share of decisions at which a search is asked.")
    ] = 0.015
    search: Annotated[int, typer.Option(min=2, help="Rounds of such a search.")] = 100
    gate: Annotated[
        int,
        typer.Option(min=0, help="Games against the judge kept last, by which a round is kept or not; 0 keeps all."),
    ] = 800
    seed: Annotated[int, typer.Option(min=0, help="Same seed and rounds, same judge.")] = 1
    seats: Seats = None


@dataclass(frozen=True)
class Shelf:
    """Where a judge comes from and where it goes."""

    start: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="A judge to begin from, of whichever box; with --box GAME-judge.json."
        ),
    ] = None
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The judge: GAME-judge.json unless told.")] = None
    keep: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="What is needed to go on: GAME-training unless told.")
    ] = None


@commands.command()
@spread
def train(
    game: GameName,
    hours: Annotated[float, typer.Option(min=0.0, help="Begin rounds for so long.")] = 0.5,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="So many, all told, in place of hours.", show_default=False)
    ] = None,
    *,
    lessons: Lessons,
    shelf: Shelf,
    box: Box = None,
    set_: Settings = None,
    test: Annotated[
        int,
        typer.Option(min=0, help="Then so many games, one judge among greedy bots and one greedy bot among judges."),
    ] = 0,
) -> None:
    """Let a judge of a game learn from play. Go on where it left off; with --box it begins from the printed box's judge."""
    from sutler.terminal.train import Wanted, train_in_terminal

    course = {"seed": lessons.seed, "games": lessons.games, "asked": lessons.asked, "rounds_of_search": lessons.search}
    course |= {"seats": lessons.seats or 0, "gate": lessons.gate}
    train_in_terminal(Wanted(game, course, box, set_ or [], shelf.out, shelf.keep, shelf.start), hours, rounds, test)


@commands.command()
def mcp() -> None:
    """Let an assistant read guides, play a seat and ask the lab, over the Model Context Protocol on standard input and output."""
    from sutler.terminal.mcp import serve_assistant

    serve_assistant()


@commands.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all of them if left out.")] = None,
    seats: Seats = None,
    set_: Settings = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON, to keep and compare.")] = False,
    seconds: Annotated[float, typer.Option(min=0.05, help="Measure each figure for so long.")] = 2.0,
    compare: Annotated[
        Path | None,
        typer.Option(metavar="OLD.json", help="Beside what --json once wrote: what has changed beyond noise?"),
    ] = None,
) -> None:
    """Measure how fast the rules, the bots and a position's copy are on this machine."""
    from sutler.terminal.bench import bench_in_terminal

    bench_in_terminal(game, seats, set_ or [], json, seconds, compare)


@commands.command()
def warm(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; all if left out.")
    ] = None,
) -> None:
    """Compile the rules now, so that nothing has to be compiled later."""
    from sutler.terminal.warm import warm_in_terminal

    warm_in_terminal(names or [])


@commands.command()
def doctor(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port the table would listen at.")] = 8000,
) -> None:
    """Look at this machine: what is here, what is missing for play, and how to mend it."""
    from sutler.terminal.doctor import doctor_in_terminal

    doctor_in_terminal(port)
