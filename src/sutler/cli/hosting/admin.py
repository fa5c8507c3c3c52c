"""`sutler admin`: what the keeper of a house may do, from the command line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from sutler.cli.console import console
from sutler.cli.errors import Trouble, errors_in_words

if TYPE_CHECKING:
    from sutler.web.storage.store import Store

admin_app = typer.Typer(help="Keep a house: its word, who is shut out, tables taken away.")

SHOWN = 20


class Keeper:
    """Whoever keeps a house, at its database."""

    def __init__(self, database: str | None) -> None:
        self.database = database

    @property
    def url(self) -> str:
        """Where the house is kept."""
        from sutler.web.paths import default_database

        return self.database or default_database()

    def new_word(self) -> None:
        """Print a new word."""
        with errors_in_words():
            from sutler.web.routes.admin import new_word

            console().print(f"At /admin, say: {new_word(self.url)}", soft_wrap=True)

    def push(self, contact: str) -> None:
        """Let browsers be told of their turns, or no more."""
        with self._store() as store:
            from sutler.web.accounts import web_push
            from sutler.web.table import turn_notices

            if contact != "off" and not contact.startswith(("mailto:", "https://")):
                raise Trouble(
                    "push services want an address they can write to: mailto:you@example.org, or one with https"
                )
            if contact != "off" and not web_push.is_there():
                raise Trouble("what covers the messages is missing: pip install 'sutler[push]'")
            store.remember(turn_notices.CONTACT, "" if contact == "off" else contact)
            told = "nobody is told of their turns" if contact == "off" else "whoever asks for it is told of their turns"
            console().print(f"From the next start on {told}.", soft_wrap=True)

    def tables(self) -> None:
        """List the newest tables."""
        with self._store() as store:
            from sutler.web.accounts import privacy
            from sutler.web.lobby import new_table

            for when, line in store.standings(store.tables()[-SHOWN:], limit=SHOWN):
                sat = ", ".join(
                    f"{browser[:8]} at seat {' and '.join(str(seat + 1) for seat in seats)}"
                    for browser, seats in privacy.at_table(store, line.table).items()
                )
                how = "over" if line.over else new_table.where(line)
                console().print(f"{line.table}  {when:%Y-%m-%d %H:%M}  {line.title}, {how}; {sat}", soft_wrap=True)

    def ban(self, who: str, hours: float | None) -> None:
        """Shut somebody out."""
        with self._store() as store:
            from sutler.web.accounts import moderation

            name = moderation.ban(store, who, hours)
            console().print(
                f"{name} is shut out{' for good' if hours is None else f' for {hours:g} hours'}", soft_wrap=True
            )

    def lift(self, who: str) -> None:
        """Let somebody in again."""
        with self._store() as store:
            from sutler.web.accounts import moderation

            console().print(f"{moderation.lift(store, who)} may come in again", soft_wrap=True)

    def remove(self, table: str) -> None:
        """Take a table away."""
        with self._store() as store:
            from sutler.web.accounts import moderation

            moderation.remove(store, table)
            console().print(f"{table} is taken away")

    def book(self) -> None:
        """Show who is shut out, and what was done."""
        with self._store() as store:
            from sutler.web.accounts import moderation

            for who, until in moderation.bans(store).items():
                time = "for good" if until is None else f"until {moderation.said_time(until)}"
                console().print(f"shut out: {who}, {time}", soft_wrap=True)
            for deed in moderation.book(store):
                console().print(f"{moderation.said_time(deed.at)}  {deed.what} {deed.about}", soft_wrap=True)

    @contextlib.contextmanager
    def _store(self) -> Iterator[Store]:
        with errors_in_words():
            from sutler.web import errors
            from sutler.web.storage.store import Store

            store = Store(self.url)
            try:
                yield store
            except errors.Trouble as error:
                raise Trouble(error.text) from None
            finally:
                store.close()


@admin_app.callback(invoke_without_command=True)
def admin(
    context: typer.Context,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Whose house; the usual place if left out.")
    ] = None,
) -> None:
    """Keep a house: print a new word for the keeper's page, /admin (the word before it opens nothing any more); or, with
    a command, see who sat where, shut somebody out, take a table away. A house that is open follows within seconds."""
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
