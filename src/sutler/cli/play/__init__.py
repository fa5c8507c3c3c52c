"""Commands for those who play: a game, a lesson, a guide, sheets of paper, a game played again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from sutler.cli.options import Box, GameName, Seats, Seed, Settings, spread

commands = typer.Typer()

games_app = typer.Typer(help="List the games, or check games that were kept.")
commands.add_typer(games_app, name="games")


@games_app.callback(invoke_without_command=True)
def games(context: typer.Context) -> None:
    """List the games: players, length, weight, options."""
    if context.invoked_subcommand is None:
        from sutler.cli.play.guide import show_games

        show_games()


@games_app.command("check")
def games_check(
    archive: Annotated[
        str, typer.Argument(metavar="PATH|URL", help="A folder of game files, one file, or a table's database.")
    ],
) -> None:
    """Play an archive of games again; say which ones the rules of today lead elsewhere, where, by which paragraph."""
    from sutler.cli.archive import check_archive

    check_archive(archive)


@dataclass(frozen=True)
class Begun:
    """What lies on a new table."""

    set_: Settings = None
    box: Box = None
    position: Annotated[Path | None, typer.Option(metavar="FILE", help="Begin from this position (TOML).")] = None
    before: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="A game that begins later (--set start_year=4): this bot has played what lies before.",
            show_default=False,
        ),
    ] = None


@commands.command()
@spread
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, or a saved game file to go on with.")],
    seats: Seats = None,
    seed: Seed = None,
    bots: Annotated[
        str, typer.Option(help="Who takes the other seats: a level (easy, normal, hard), a list, or none.")
    ] = "normal",
    me: Annotated[str, typer.Option(help="Your seat or seats, from 1; `none` to watch.")] = "1",
    *,
    begun: Begun,
    names: Annotated[str | None, typer.Option(help="Names for the seats, separated by commas.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the game in this file, move by move.")] = None,
) -> None:
    """Play in the terminal: alone against bots, or several at one keyboard."""
    from sutler.cli.play.play import Laid, play_in_terminal

    laid = Laid(seats, seed, begun.set_ or [], begun.box, begun.position, begun.before)
    play_in_terminal(game, laid, bots, me, names, save)


@commands.command()
def learn(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game.")],
    lesson: Annotated[str, typer.Argument(metavar="[LESSON]", help="Which lesson: first, or second.")] = "first",
) -> None:
    """Learn a game by playing it: a lesson of five minutes, one sentence at a time."""
    from sutler.cli.play.learn import learn_in_terminal

    learn_in_terminal(game, lesson)


@commands.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game file, or the record of an experiment.")],
    seed: Annotated[
        int | None, typer.Option(metavar="SEED", help="Which game of a record.", show_default=False)
    ] = None,
    at: Annotated[
        int | None, typer.Option(metavar="N", help="The table after N decisions.", show_default=False)
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Decision by decision; Enter goes on.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check that its luck is the one that was sealed at the table's start.")
    ] = False,
    seal: Annotated[
        str | None, typer.Option(metavar="SEAL", help="With --verify: the seal you noted when the game began.")
    ] = None,
) -> None:
    """Play a saved game again: its log and its end, one moment of it, or step by step."""
    from sutler.cli.play.replay import replay_in_terminal, verify_in_terminal

    if verify or seal:
        verify_in_terminal(file, seal)
    else:
        replay_in_terminal(file, at, step, seed)


@commands.command()
def guide(
    game: GameName,
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[PARAGRAPH|WORDS]", help="5.4, a chapter, or words to look for.")
    ] = None,
) -> None:
    """Read a game's guide: its chapters, one paragraph, or the paragraphs that hold some words."""
    from sutler.cli.play.guide import show_guide

    show_guide(game, " ".join(what or []))


@commands.command("print")
def print_(
    game: GameName,
    box: Box = None,
    set_: Settings = None,
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to: .pdf, or .html to print from a browser.", show_default=False),
    ] = None,
) -> None:
    """Make print-and-play sheets: cards with backs, boards, mats, tokens, rules, from the drawings of the table."""
    from sutler.cli.play.print_sheets import print_in_terminal

    print_in_terminal(game, box, set_ or [], paper, out)
