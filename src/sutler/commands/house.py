"""Commands for those who keep a house: serve it, decide for its bots, keep it, back it up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

commands = typer.Typer()

admin_app = typer.Typer(help="Keep a house: its word, who is shut out, tables taken away.")
commands.add_typer(admin_app, name="admin")


@commands.command()
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
        typer.echo("Setting the table: its address comes in a few seconds.")  # said before what takes them is read
        from sutler.web.serve import serve as serve_table

        serve_table(host, port, database, open_, lab, limits, trusted_host or (), metrics, decide)


@commands.command()
def worker(
    database: Annotated[str, typer.Argument(metavar="URL", help="The house's database: postgresql://…")],
    threads: Annotated[int, typer.Option(min=1, max=64, help="How many decide at the same time.")] = 2,
    lab: Annotated[
        bool, typer.Option("--lab/--no-lab", help="Whether the lab's questions are answered too, one at a time.")
    ] = True,
) -> None:
    """Decide for the bots of a house on PostgreSQL and answer its lab, from this machine or another. Any number may."""
    from sutler.terminal.errors import told

    with told():
        from sutler.web.worker import work

        work(database, threads, lab)


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


@admin_app.command("push")
def admin_push(
    context: typer.Context,
    contact: Annotated[
        str,
        typer.Argument(
            metavar="CONTACT", help="Whom push services may write to, mailto:you@example.org; `off` for no messages."
        ),
    ],
) -> None:
    """Let browsers be told when their turn begins, from the house's next start on."""
    context.obj.push(contact)


@admin_app.command("book")
def admin_book(context: typer.Context) -> None:
    """Show who is shut out, and what was done."""
    context.obj.book()


@commands.command()
def backup(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; nothing is overwritten.")],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Whose copy; the usual place if left out.")
    ] = None,
) -> None:
    """Copy all games, seats and links, while the table may be open. The copy is checked."""
    from sutler.terminal.errors import told

    with told():
        from sutler.web.paths import default_database
        from sutler.web.storage.backup import backup as copy

        typer.echo(f"{to}: a sound copy, {copy(database or default_database(), to):,} events")


@commands.command()
def restore(
    copy: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that `sutler backup` made.")],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where it goes; the usual place if left out.")
    ] = None,
) -> None:
    """Put a copy in the place of the games, with the table closed. What stood there is kept beside it."""
    from sutler.terminal.errors import told

    with told():
        from sutler.web.paths import default_database
        from sutler.web.storage.backup import restore as bring_back

        typer.echo(f"{copy}: {bring_back(database or default_database(), copy):,} events are back")
