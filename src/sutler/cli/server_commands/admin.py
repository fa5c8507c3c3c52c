"""`sutler admin`: administration of a server (a house) from the command line."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError
from sutler.cli.options import command

if TYPE_CHECKING:
    from sutler.web.storage.store import Store

admin_app = typer.Typer(help="Administer a server: its password, bans, reports, old tables.")


class Decision(enum.Enum):
    """A decision on a report; the values are those of `reports.Decision`."""

    dismiss = "dismiss"
    hide = "hide"
    mute = "mute"


MAX_TABLES_SHOWN = 20
MAX_DAYS = 36_500
"""The largest number of days that can be typed, about a hundred years."""
Who = Annotated[
    str, typer.Argument(metavar="WHO", help="An address, a net (192.0.2.0/24), or a person's number from `tables`.")
]


@admin_app.callback(invoke_without_command=True)
@command
def admin_command(
    context: typer.Context,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Whose server; the usual place if left out.")
    ] = None,
) -> None:
    """Administer a server: print a new password for its page /admin (the one before it opens nothing any more); or, with
    a command, see who sat where, ban somebody, take a table away. A server that runs follows within seconds.
    """  # noqa: D205 - the help of a command
    context.obj = database
    if context.invoked_subcommand is None:
        from sutler.web.routes.admin import create_key
        from sutler.web.storage.databases import get_default_database_url

        make_console().print(
            f"At /admin, sign in with: {create_key(database or get_default_database_url())}", soft_wrap=True
        )


@admin_app.command("tables")
@command
def admin_tables_command(context: typer.Context) -> None:
    """List the newest tables, and who has sat there."""
    with _open_store(context) as store:
        from sutler.web.lobby import lobby_page

        for when, line in store.load_standings(store.list_tables()[-MAX_TABLES_SHOWN:], limit=MAX_TABLES_SHOWN):
            sat = ", ".join(
                f"{browser[:8]} at seat {' and '.join(str(seat + 1) for seat in seats)}"
                for browser, seats in store.load_browsers_at_table(line.table).items()
            )
            how = "over" if line.over else lobby_page.format_progress(line)
            make_console().print(f"{line.table}  {when:%Y-%m-%d %H:%M}  {line.title}, {how}; {sat}", soft_wrap=True)


@admin_app.command("ban")
@command
def admin_ban_command(
    context: typer.Context,
    who: Who,
    hours: Annotated[float | None, typer.Option(help="For so long; for good if left out.", show_default=False)] = None,
) -> None:
    """Ban a person, a network address or a whole network."""
    with _open_store(context) as store:
        from sutler.web.accounts import moderation

        name = moderation.ban(store, who, hours)
        make_console().print(
            f"{name} is banned{' for good' if hours is None else f' for {hours:g} hours'}", soft_wrap=True
        )


@admin_app.command("lift")
@command
def admin_lift_command(context: typer.Context, who: Who) -> None:
    """Lift a ban."""
    with _open_store(context) as store:
        from sutler.web.accounts import moderation

        make_console().print(f"{moderation.lift_ban(store, who)} is no longer banned", soft_wrap=True)


@admin_app.command("reports")
@command
def admin_reports_command(context: typer.Context) -> None:
    """List the reports that wait for a decision: who or what, why, and what was said."""
    with _open_store(context) as store:
        from sutler.web.accounts import moderation, reports

        found = reports.load_open_reports(store)
        for one in found:
            where = f"line {one.line + 1}" if one.line is not None else "the person"
            people = ", ".join(who[:8] for who in one.people) or "a watcher, or forgotten"
            make_console().print(
                f"{one.number}  {moderation.format_time(one.at)}  table {one.table}, {one.name} ({people}), {where}: {one.reason}",
                soft_wrap=True,
            )
            make_console().print(
                f"   reported by {one.reporter[:8]}, {one.dismissed} of {one.decided} earlier ones dismissed"
            )
            for line in one.words.splitlines():
                make_console().print(f"   | {line}", soft_wrap=True)
        if not found:
            make_console().print("No report waits.")


@admin_app.command("decide")
@command
def admin_decide_command(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Of the report, from `reports`.")],
    decision: Annotated[
        Decision,
        typer.Argument(
            metavar="DECISION", help="dismiss, hide (the line), or mute (whoever said it; hides the line too)."
        ),
    ],
    hours: Annotated[
        float | None, typer.Option(help="Mute for so long; for good if left out.", show_default=False)
    ] = None,
) -> None:
    """Decide a report."""
    with _open_store(context) as store:
        from sutler.web.accounts import reports
        from sutler.web.table.people import chat

        report = reports.load_open_report(store, number)
        reports.require_decision_possible(report, decision.value)
        if decision is not Decision.dismiss and report.line is not None:
            chat.hide_chat_line_in_store(store, report.table, report.line)
        reports.decide_report(store, report, decision.value, hours)
        make_console().print(
            f"report {number} at table {report.table}: {reports.OUTCOMES[decision.value]}", soft_wrap=True
        )


@admin_app.command("mute")
@command
def admin_mute_command(
    context: typer.Context,
    who: Annotated[str, typer.Argument(metavar="WHO", help="A person's number from `tables`.")],
    hours: Annotated[float | None, typer.Option(help="For so long; for good if left out.", show_default=False)] = None,
) -> None:
    """Mute a person, who plays on but can write nothing to others."""
    with _open_store(context) as store:
        from sutler.web.accounts import moderation

        name = moderation.mute(store, who, hours)
        make_console().print(f"{name}{' for good' if hours is None else f' for {hours:g} hours'}", soft_wrap=True)


@admin_app.command("unmute")
@command
def admin_unmute_command(
    context: typer.Context,
    who: Annotated[str, typer.Argument(metavar="WHO", help="A person's number from `tables` or `book`.")],
) -> None:
    """Let a muted person write to others again."""
    with _open_store(context) as store:
        from sutler.web.accounts import moderation

        name = moderation.lift_ban(store, moderation.resolve_mute_key(store, who))
        make_console().print(f"{name.removeprefix(f'{moderation.MUTED} ')} may speak again", soft_wrap=True)


@admin_app.command("remove")
@command
def admin_remove_command(
    context: typer.Context,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its name, from `tables`.")],
) -> None:
    """Delete a table with everything that happened there. It cannot be undone."""
    with _open_store(context) as store:
        from sutler.web.accounts import moderation

        moderation.remove_table(store, table)
        make_console().print(f"{table} is taken away")


@admin_app.command("prune")
@command
def admin_prune_command(
    context: typer.Context,
    older: Annotated[str, typer.Option(metavar="DAYS", help="Nothing has happened there for so long: 90d.")],
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Only games that were not played to the end.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say how many there are, and take none away.")] = False,
) -> None:
    """Delete old tables to free space. It cannot be undone; make a copy before (`sutler backup`)."""
    days = older.removesuffix("d")
    if not days.isdigit() or not 1 <= int(days) <= MAX_DAYS:
        raise CommandError(f"--older asks for a number of days, such as 90d, not {older[:20]!r}")
    with _open_store(context) as store:
        from sutler.web.table import retention

        found = retention.list_old_tables(store, int(days), unfinished)
        if not dry_run:
            retention.prune_tables(store, found)
        make_console().print(f"{len(found):,} tables {'would be' if dry_run else 'are'} taken away", soft_wrap=True)


@admin_app.command("push")
@command
def admin_push_command(
    context: typer.Context,
    contact: Annotated[
        str,
        typer.Argument(
            metavar="CONTACT", help="Whom push services may write to, mailto:you@example.org; `off` for no messages."
        ),
    ],
) -> None:
    """Set up push notices of turns in browsers, from the server's next start on."""
    with _open_store(context) as store:
        from sutler.web.table.people import turn_notices

        if contact != "off" and not contact.startswith(("mailto:", "https://")):
            raise CommandError(
                "push services want an address they can write to: mailto:you@example.org, or one with https"
            )
        store.set_value(turn_notices.CONTACT, "" if contact == "off" else contact)
        told = "nobody is told of their turns" if contact == "off" else "whoever asks for it is told of their turns"
        make_console().print(f"From the next start on {told}.", soft_wrap=True)


@admin_app.command("book")
@command
def admin_book_command(context: typer.Context) -> None:
    """List the bans and mutes in force, and what the administrator has done."""
    with _open_store(context) as store:
        from sutler.web.accounts import moderation

        for who, until in moderation.load_bans(store).items():
            time = "for good" if until is None else f"until {moderation.format_time(until)}"
            make_console().print(
                f"{who if who.startswith(moderation.MUTED) else f'banned: {who}'}, {time}", soft_wrap=True
            )
        for deed in moderation.load_newest_entries(store):
            make_console().print(f"{moderation.format_time(deed.at)}  {deed.what} {deed.about}", soft_wrap=True)


@contextlib.contextmanager
def _open_store(context: typer.Context) -> Iterator[Store]:
    """Open the house's store for a `with` block, and close it afterwards; RequestError in the block becomes CommandError."""
    from sutler.web import errors
    from sutler.web.storage.databases import get_default_database_url
    from sutler.web.storage.store import Store

    store = Store(context.obj or get_default_database_url())
    try:
        yield store
    except errors.RequestError as error:
        raise CommandError(error.text) from None
    finally:
        store.close()
