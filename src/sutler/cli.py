"""The command line: `sutler play manor`. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import os
import sys
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

app = typer.Typer(
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Five tabletop games about feeding people while a war goes on: play them, playtest them, learn from them.",
)
box_app = typer.Typer(no_args_is_help=True, help="Look at what is in a game's box.")
app.add_typer(box_app, name="box")
bot_app = typer.Typer(no_args_is_help=True, help="Begin bots of one's own, and look at them.")
app.add_typer(bot_app, name="bot")
admin_app = typer.Typer(help="Keep a house: its word, who is shut out, tables taken away.")
app.add_typer(admin_app, name="admin")
games_app = typer.Typer(help="List the games, or check games that were kept.")
app.add_typer(games_app, name="games")


def _version(wanted: bool) -> None:
    if wanted:
        from sutler import __version__

        typer.echo(f"sutler {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        from sutler.terminal.welcome import show_welcome

        show_welcome()


@games_app.callback(invoke_without_command=True)
def games(context: typer.Context) -> None:
    """List the games: players, length, weight, options."""
    if context.invoked_subcommand is None:
        from sutler.terminal.lists import show_games

        show_games()


@games_app.command("check")
def games_check(
    archive: Annotated[
        str, typer.Argument(metavar="PATH|URL", help="A folder of game files, one file, or a table's database.")
    ],
) -> None:
    """Play an archive of games again; say which ones the rules of today lead elsewhere, where, by which paragraph."""
    from sutler.terminal.archive import check_archive

    check_archive(archive)


@app.command()
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, or a saved game file to go on with.")],
    seats: Seats = None,
    seed: Seed = None,
    bots: Annotated[
        str, typer.Option(help="Who takes the other seats: a level (easy, normal, hard), a list, or none.")
    ] = "normal",
    me: Annotated[str, typer.Option(help="Your seat or seats, from 1; `none` to watch.")] = "1",
    set_: Settings = None,
    box: Box = None,
    position: Annotated[Path | None, typer.Option(metavar="FILE", help="Begin from this position (TOML).")] = None,
    names: Annotated[str | None, typer.Option(help="Names for the seats, separated by commas.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the game in this file, move by move.")] = None,
) -> None:
    """Play in the terminal: alone against bots, or several at one keyboard."""
    from sutler.terminal.play import Laid, play_in_terminal

    play_in_terminal(game, Laid(seats, seed, set_ or [], box, position), bots, me, names, save)


@app.command()
def learn(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game.")],
    lesson: Annotated[str, typer.Argument(metavar="[LESSON]", help="Which lesson: first, or second.")] = "first",
) -> None:
    """Learn a game by playing it: a lesson of five minutes, one sentence at a time."""
    from sutler.terminal.learn import learn_in_terminal

    learn_in_terminal(game, lesson)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8000,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where games are kept: sqlite:///file or postgresql://…")
    ] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = False,
    lab: Annotated[bool, typer.Option("--lab/--no-lab", help="Whether visitors may ask the lab questions.")] = True,
    limits: Annotated[
        bool, typer.Option("--limits/--no-limits", help="Whether one client may ask for only so much in a time.")
    ] = True,
    trusted_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name the house answers to (again for more); all if none."),
    ] = None,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Tell programs on this machine figures for Prometheus, at /metrics.")
    ] = False,
    decide: Annotated[
        bool,
        typer.Option(
            "--bots/--no-bots",
            help="On PostgreSQL: whether this process decides for bots, or only `sutler worker` does.",
        ),
    ] = True,
) -> None:
    """Open the table in the browser."""
    from sutler.terminal.errors import told

    with told():
        from sutler.web.serve import serve as serve_table

        if port:  # with 0, whoever takes a free one says which
            here = "127.0.0.1" if host in ("0.0.0.0", "::") else host
            typer.echo(f"Opening the table at http://{here}:{port}/ (Ctrl-C closes it; nothing is lost)")
        serve_table(host, port, database, open_, lab, limits, trusted_host or (), metrics, decide)


@app.command()
def worker(
    database: Annotated[str, typer.Argument(metavar="URL", help="The house's database: postgresql://…")],
    threads: Annotated[int, typer.Option(min=1, max=64, help="How many decide at the same time.")] = 2,
) -> None:
    """Decide for the bots of a house on PostgreSQL, from this machine or another. Any number may."""
    from sutler.terminal.errors import told

    with told():
        from sutler.web.worker import work

        work(database, threads)


@admin_app.callback(invoke_without_command=True)
def admin(
    context: typer.Context,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Whose house; the usual place if left out.")
    ] = None,
) -> None:
    """Keep a house: print a new word for the keeper's page, /admin (the word before it opens nothing any more); or, with
    a command, see who sat where, shut somebody out, take a table away. A house that is open follows within seconds."""
    from sutler.terminal.keeper import Keeper

    context.obj = Keeper(database)
    if context.invoked_subcommand is None:
        context.obj.new_word()


Who = Annotated[
    str, typer.Argument(metavar="WHO", help="An address, a net (192.0.2.0/24), or a person's number from `tables`.")
]


@admin_app.command("tables")
def admin_tables(context: typer.Context) -> None:
    """List the newest tables, and who has sat there."""
    context.obj.tables()


@admin_app.command("ban")
def admin_ban(
    context: typer.Context,
    who: Who,
    hours: Annotated[float | None, typer.Option(help="For so long; for good if left out.", show_default=False)] = None,
) -> None:
    """Shut somebody out."""
    context.obj.ban(who, hours)


@admin_app.command("lift")
def admin_lift(context: typer.Context, who: Who) -> None:
    """Let somebody in again who was shut out."""
    context.obj.lift(who)


@admin_app.command("remove")
def admin_remove(
    context: typer.Context,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its name, from `tables`.")],
) -> None:
    """Take a table away: nothing that happened there is kept. It cannot be undone."""
    context.obj.remove(table)


@admin_app.command("book")
def admin_book(context: typer.Context) -> None:
    """Show who is shut out, and what was done."""
    context.obj.book()


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; nothing is overwritten.")],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Whose copy; the usual place if left out.")
    ] = None,
) -> None:
    """Copy all games, seats and links, while the table may be open. The copy is checked."""
    from sutler.terminal.errors import told

    with told():
        from sutler.web.backup import backup as copy
        from sutler.web.folders import default_database

        typer.echo(f"{to}: a sound copy, {copy(database or default_database(), to):,} events")


@app.command()
def restore(
    copy: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that `sutler backup` made.")],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where it goes; the usual place if left out.")
    ] = None,
) -> None:
    """Put a copy in the place of the games, with the table closed. What stood there is kept beside it."""
    from sutler.terminal.errors import told

    with told():
        from sutler.web.backup import restore as bring_back
        from sutler.web.folders import default_database

        typer.echo(f"{copy}: {bring_back(database or default_database(), copy):,} events are back")


@app.command()
def simulate(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    bots: Annotated[
        str, typer.Option(help="The bots, one a seat, separated by commas; one sits everywhere.")
    ] = "greedy",
    seats: Seats = None,
    set_: Settings = None,
    box: Box = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed; the next one's is one more.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="F.parquet", help="Write every game down, for `sutler report`; .csv: results only."),
    ] = None,
    ray: Ray = None,
) -> None:
    """Play many games between bots and say who wins, from which seat, and how long it takes."""
    from sutler.terminal.simulate import simulate_in_terminal

    simulate_in_terminal(game, games, bots, seats, set_ or [], box, seed, out, ray)


@app.command()
def compare(
    game: GameName,
    a: Annotated[
        list[str] | None, typer.Option("--a", metavar="EDIT", help="One side: base, a TOML file, or KEY=VALUE.")
    ] = None,
    b: Annotated[
        list[str] | None, typer.Option("--b", metavar="EDIT", help="The other side; several edits add up.")
    ] = None,
    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`; settings as in search:rounds=40.")] = "greedy",
    seats: Seats = None,
    set_: Settings = None,
    games: Annotated[int, typer.Option(min=1, help="Games a side at most.")] = 20_000,
    alpha: Annotated[float, typer.Option(help="How often it may err, over all figures and looks together.")] = 0.05,
    smallest: Annotated[
        float, typer.Option(help="The smallest effect that matters, in standard deviations of one game.")
    ] = 0.1,
    about: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE", help="Ask about this figure only (again for more).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, on both sides.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .json the figures, .parquet the games.")
    ] = None,
    ray: Ray = None,
    bots_b: Annotated[str, typer.Option("--bots-b", help="The other side's bots, where they differ.")] = "",
    seats_b: Annotated[
        int | None, typer.Option("--seats-b", help="The other side's seats, where they differ.", show_default=False)
    ] = None,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Stop when nothing that is open can be expected to be settled in --games.")
    ] = False,
) -> None:
    """Play two versions of a game until it is clear what the change does, or that it does nothing worth the name."""
    from sutler.terminal.asked import Asked
    from sutler.terminal.compare import Other, compare_in_terminal

    asked = Asked(game, bots, seats, games, seed, set_ or [], None, out, ray)
    compare_in_terminal(asked, a or [], b or [], about or [], (alpha, smallest, give_up), Other(bots_b, seats_b), json)


@app.command()
def sweep(
    game: GameName,
    over: Annotated[
        str,
        typer.Option(metavar="KEY=1..8", help="The parameter and its values: 1..8, 5..40:5 (every fifth) or 1,2,4."),
    ],
    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`; settings as in search:rounds=40.")] = "greedy",
    seats: Seats = None,
    set_: Settings = None,
    box: Box = None,
    games: Annotated[int, typer.Option(min=2, help="Games a value.")] = 1000,
    about: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE", help="Show this figure only (again for more).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, at every value.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .parquet or .csv the figures.")
    ] = None,
    ray: Ray = None,
) -> None:
    """Play a game at every value of an option or a number of its box, and show the figures as curves."""
    from sutler.terminal.asked import Asked
    from sutler.terminal.sweep import sweep_in_terminal

    sweep_in_terminal(Asked(game, bots, seats, games, seed, set_ or [], box, out, ray), over, about or [])


@app.command()
def across(
    game: GameName,
    bots: Annotated[
        str, typer.Option(help="The bots, with commas between; the first is what others are held against.")
    ] = "",
    seats: Seats = None,
    set_: Settings = None,
    box: Box = None,
    games: Annotated[int, typer.Option(min=2, help="Games a bot.")] = 1000,
    searched: Annotated[
        int | None, typer.Option(min=2, help="Games of a bot that searches; a tenth if left out.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, for every bot.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .parquet or .csv the figures.")
    ] = None,
) -> None:
    """Does it hold between other bots? The same game between each, and a verdict on every figure."""
    from sutler.terminal.across import across_in_terminal
    from sutler.terminal.asked import Asked

    across_in_terminal(Asked(game, bots, seats, games, seed, set_ or [], box, out), searched)


@app.command()
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
    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`.")] = "greedy",
    seats: Seats = None,
    set_: Settings = None,
    games: Annotated[int, typer.Option(min=2, help="Games a version.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed, of every version.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .parquet or .csv the figures.")
    ] = None,
) -> None:
    """Which numbers matter? Every one a step down and a step up, and what becomes of every figure."""
    from sutler.terminal.asked import Asked
    from sutler.terminal.sensitivity import sensitivity_in_terminal

    asked = Asked(game, bots, seats, games, seed, set_ or [], None, out)
    sensitivity_in_terminal(asked, about or [], only or [], by)


@app.command()
def goal(
    game: GameName,
    want: Annotated[
        str, typer.Option(metavar="FIGURE=-20%", help="What is wanted: decisions=-20%, turns=+2, seat_1=25%.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Try what begins so, such as rules or card.Wheat (again for more)."),
    ] = None,
    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`.")] = "greedy",
    seats: Seats = None,
    set_: Settings = None,
    games: Annotated[int, typer.Option(min=2, help="Games a version that is screened.")] = 200,
    most: Annotated[int, typer.Option(min=200, help="Games a side, at most, where a candidate is compared.")] = 2000,
    confirm: Annotated[int, typer.Option(min=1, help="How many candidates are compared.")] = 2,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed.")] = 1,
    out: Annotated[Path | None, typer.Option(metavar="F.html", help="Keep it, to read.")] = None,
) -> None:
    """Which one number reaches a goal and moves nothing else? All are screened, the best are compared."""
    from sutler.terminal.asked import Asked
    from sutler.terminal.goal import goal_in_terminal

    asked = Asked(game, bots, seats, games, seed, set_ or [], None, out)
    goal_in_terminal(asked, want, only or [], most, confirm)


@app.command()
def tournament(
    game: GameName,
    bots: Annotated[
        str, typer.Option(help="Who takes part, with commas between; settings as in search:rounds=40.")
    ] = "random,greedy,search:rounds=20",
    ladder: Annotated[
        str | None,
        typer.Option(metavar="5,10,20,40", help="Does thinking longer pay? Searches of so many rounds, above greedy."),
    ] = None,
    seats: Seats = None,
    set_: Settings = None,
    box: Box = None,
    games: Annotated[int, typer.Option(min=1, help="Games a table, rounded up to whole turns around the seats.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .parquet or .csv the games.")
    ] = None,
    ray: Ray = None,
) -> None:
    """Bots against each other: ratings, who beats whom, how the seats fare, and controls that must come out even."""
    from sutler.terminal.asked import Asked
    from sutler.terminal.tournament import tournament_in_terminal

    tournament_in_terminal(Asked(game, bots, seats, games, seed, set_ or [], box, out, ray), ladder)


@app.command()
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
    from sutler.terminal.report import report_in_terminal

    report_in_terminal(file, out, across_ or [])


@app.command()
def impact(
    game: GameName,
    card: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this card (again for more); all if left out.")
    ] = None,
    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`; settings as in search:rounds=40.")] = "greedy",
    seats: Seats = None,
    set_: Settings = None,
    box: Box = None,
    games: Annotated[int, typer.Option(min=1, help="How many games draws are picked from.")] = 500,
    per_game: Annotated[int, typer.Option(min=1, help="How many draws of each game are tried at most.")] = 6,
    hand: Annotated[
        str | None, typer.Option(metavar="FIELD", help="Where a drawn card comes to; the first set at the seats.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .parquet or .csv the figures.")
    ] = None,
) -> None:
    """What is a card worth? From the moment it is drawn, play on with it, with another, a blank, none; the same dice."""
    from sutler.terminal.asked import Asked
    from sutler.terminal.impact import impact_in_terminal

    impact_in_terminal(Asked(game, bots, seats, games, seed, set_ or [], box, out), card or [], per_game, hand)


@app.command()
def questions(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many games are watched; other tables have a quarter.")] = 1000,
    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`.")] = "greedy",
    seats: Seats = None,
    set_: Settings = None,
    question: Annotated[
        list[int] | None, typer.Option(metavar="K", help="Only this one (again for more); all if left out.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed.")] = 1,
    out: Annotated[Path | None, typer.Option(metavar="F.html", help="Keep the page with pictures and tables.")] = None,
) -> None:
    """What the designer of a game asks playtesters, answered from many games between bots."""
    from sutler.terminal.questions import questions_in_terminal

    questions_in_terminal(game, games, bots, seats, set_ or [], seed, out, question or [])


@app.command()
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
    from sutler.terminal.replay import replay_in_terminal, verify_in_terminal

    if verify or seal:
        verify_in_terminal(file, seal)
    else:
        replay_in_terminal(file, at, step, seed)


@app.command()
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


@app.command("print")
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
    from sutler.terminal.print import print_in_terminal

    print_in_terminal(game, box, set_ or [], paper, out)


@app.command()
def guide(
    game: GameName,
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[PARAGRAPH|WORDS]", help="5.4, a chapter, or words to look for.")
    ] = None,
) -> None:
    """Read a game's guide: its chapters, one paragraph, or the paragraphs that hold some words."""
    from sutler.terminal.lists import show_guide

    show_guide(game, " ".join(what or []))


@app.command()
def warm(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; all if left out.")
    ] = None,
) -> None:
    """Compile the rules now, so that nothing has to be compiled later."""
    from sutler.terminal.warm import warm_in_terminal

    warm_in_terminal(names or [])


@app.command()
def doctor(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port the table would listen at.")] = 8000,
) -> None:
    """Look at this machine: what is here, what is missing for play, and how to mend it."""
    from sutler.terminal.doctor import doctor_in_terminal

    doctor_in_terminal(port)


@box_app.command("check")
def box_check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file laid over the printed box.")],
    game: Annotated[str | None, typer.Option(help="Whose box; found out if left out.", show_default=False)] = None,
) -> None:
    """Check a box edit and list in what it differs from the printed box."""
    from sutler.terminal.lists import check_box

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
    from sutler.terminal.box import show_box

    show_box(game, " ".join(words or []), box)


@box_app.command("diff")
def box_diff(
    a: Annotated[str, typer.Argument(metavar="A", help="base, a TOML file laid over the printed box, or KEY=VALUE.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    game: Annotated[str | None, typer.Option(help="Whose box; found out if left out.", show_default=False)] = None,
) -> None:
    """Say in what two boxes differ, with the paragraph of each difference."""
    from sutler.terminal.box import diff_boxes

    diff_boxes(a, b, game)


@app.command()
def export(
    to: Annotated[Path, typer.Argument(metavar="FILE.parquet", help="Where the decisions go.")],
    sources: Annotated[
        list[Path] | None, typer.Argument(metavar="GAMES", help="Game files, or folders of them; none: bots play now.")
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="What bots play.", show_default=False)] = None,
    bots: Annotated[str, typer.Option(help="Who plays it, with commas between.")] = "greedy",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seats: Seats = None,
    seed: Seed = None,
    set_: Settings = None,
    box: Box = None,
) -> None:
    """Turn games into decisions: what each seat could know, what was legal, what it did, how it ended. One Parquet file."""
    from sutler.terminal.export import export_games

    export_games(to, sources or [], game, bots, games, seats, seed or 1, set_ or [], box)


@app.command()
def mcp() -> None:
    """Let an assistant read guides, play a seat and ask the lab, over the Model Context Protocol on standard input and output."""
    from sutler.terminal.mcp import serve_assistant

    serve_assistant()


@app.command("new-game")
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


def main() -> None:
    """The console script."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # `sutler games | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
