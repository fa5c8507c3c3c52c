"""`sutler admin`: what whoever keeps the house may do, from the command line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, told

if TYPE_CHECKING:
    from sutler.web.storage.store import Store

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
        with told():
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
        with told():
            from sutler.web import errors
            from sutler.web.storage.store import Store

            store = Store(self.url)
            try:
                yield store
            except errors.Trouble as error:
                raise Trouble(error.text) from None
            finally:
                store.close()
