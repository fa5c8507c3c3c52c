"""Privacy: everything that is kept about a person, for download, and its deletion.

A person is a browser, known by the hash of its cookie: there are no accounts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, or_, select, update

from sutler.web.accounts import ignore_list
from sutler.web.accounts.moderation import find_mute_end
from sutler.web.events import Acted, Created, Event, Joined, Noted, Ordered, Rematch, Renamed, Said
from sutler.web.storage.schema import EVENTS, IGNORED, LISTED, MAILS, PASSKEYS, PRESENT, PUSHES, REPORTS, STANDINGS
from sutler.web.storage.store import Store, StoredEvent, ensure_utc

FORGOTTEN_NAME = "Somebody"
"""The name that replaces that of a person who asked to be forgotten."""
FORGOTTEN_TEXT = "…"
"""The text that replaces chat lines and remarks of people who asked to be forgotten."""


def collect_personal_data(store: Store, browser: str) -> dict[str, Any]:
    """Everything that is kept about a person, for them to download. `browser`: the hash of their cookie.

    Tables, seats, names, chat and decisions with their times, passkeys, mail addresses, push subscriptions, reports, listing, mutes.
    """
    tables = {
        table: _collect_table_data(store.load_events(table), seats)
        for table, seats in store.load_seats_of_browser(browser).items()
    }
    return {
        "browser": browser,
        "tables": tables,
        "passkeys": _collect_passkeys(store, browser),
        "mail addresses": _collect_mail_addresses(store, browser),
        "bells": _collect_push_subscriptions(store, browser),
        "reports": _collect_reports(store, browser),
        "listed as": _find_listed_name(store, browser),
        "people muted": ignore_list.count_ignored(store, browser),
        "muted until": (until := find_mute_end(store, [browser])) and until.isoformat(),
    }


def _collect_reports(store: Store, browser: str) -> list[dict[str, str]]:
    """A person's reports to the administrator, without their outcome."""
    kept = REPORTS.c
    query = select(kept.at, kept.table_id, kept.name, kept.reason).where(kept.reporter == browser).order_by(kept.id)
    with store.engine.connect() as connection:
        rows = connection.execute(query).all()
    return [
        {"at": ensure_utc(at).isoformat(), "table": table, "about": name, "reason": why}
        for at, table, name, why in rows
    ]


def _find_listed_name(store: Store, browser: str) -> str | None:
    """The name under which a person is listed in the tables of the best; None where they are not."""
    with store.engine.connect() as connection:
        return connection.scalar(select(LISTED.c.name).where(LISTED.c.browser == browser))


def _collect_push_subscriptions(store: Store, browser: str) -> list[dict[str, str]]:
    """The push subscriptions of a person's browsers: the host of the push service, and since when."""
    query = select(PUSHES.c.endpoint, PUSHES.c.made).where(PUSHES.c.browser == browser).order_by(PUSHES.c.made)
    with store.engine.connect() as connection:
        rows = connection.execute(query).all()
    return [{"service": str(urlsplit(where).hostname), "made": ensure_utc(made).isoformat()} for where, made in rows]


def _collect_mail_addresses(store: Store, browser: str) -> list[dict[str, Any]]:
    """When a person's mail addresses were added and used. The addresses themselves are not kept, only a digest."""
    kept = MAILS.c
    query = select(kept.made, kept.used, kept.settings).where(kept.browser == browser).order_by(kept.made)
    with store.engine.connect() as connection:
        rows = connection.execute(query).all()
    return [
        {
            "made": ensure_utc(row.made).isoformat(),
            "used": row.used and ensure_utc(row.used).isoformat(),
            "settings": json.loads(row.settings),
        }
        for row in rows
    ]


def _collect_passkeys(store: Store, browser: str) -> list[dict[str, Any]]:
    """A person's passkeys, without the keys themselves."""
    kept = PASSKEYS.c
    query = select(kept.called, kept.site, kept.made, kept.used, kept.counter, kept.settings).where(
        kept.browser == browser
    )
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(kept.made)).all()
    return [
        {
            "called": row.called,
            "site": row.site,
            "made": ensure_utc(row.made).isoformat(),
            "used": row.used and ensure_utc(row.used).isoformat(),
            "counter": row.counter,
            "settings": json.loads(row.settings),
        }
        for row in rows
    ]


def _collect_table_data(events: Sequence[StoredEvent], seats: Sequence[int]) -> dict[str, Any]:
    """The names, decisions, orders and words of these seats at one table. `events`: all events of the table."""
    found: dict[str, Any] = {"seats": list(seats), "names": [], "words": [], "decisions": [], "orders": [], "told": []}
    for one in events:
        at = one.at.isoformat()
        match one.event:
            case Created(game=game, seats=plans):
                found |= {
                    "game": game,
                    "opened": at,
                    "names": [plans[seat].name for seat in seats if seat < len(plans)],
                }
            case Joined(seat=seat, name=name) | Renamed(seat=seat, name=name) if seat in seats:
                found["names"].append(name)
            case Said(seat=seat, text=text) if seat in seats:
                found["words"].append({"at": at, "text": text})
            case Acted(seat=seat, action=action) if seat in seats:
                found["decisions"].append({"at": at, "seat": seat, "action": action})
            case Noted(seat=seat) as noted if seat in seats:
                found["told"].append({"at": at} | noted.model_dump(exclude={"kind", "seat"}))
            case Ordered(seat=seat, order=order, stands=stands) if seat in seats:
                found["orders"].append({"at": at, "seat": seat, "order": order, "stands": stands})
            case _:
                pass
    return found


def delete_personal_data(store: Store, browser: str) -> list[str]:
    """Delete a person's names and words from all tables, and their passkeys, mail addresses, seats, reports and listing, all in one go.

    `browser`: the hash of their cookie. Their decisions stay, since the game is the others' too. Return the ids of the changed tables.
    """
    held = store.load_seats_of_browser(browser)

    def write(connection: Connection) -> None:
        """Delete or change all of the person's rows within one transaction."""
        for table, seats in held.items():
            known = {plan.name for one in store.load_events(table) for plan in _find_named_parts(one.event, seats)}
            for one in store.load_events(table):
                if (changed := _anonymise_event(one.event, seats, known)) is not one.event:
                    row = (EVENTS.c.table_id == table, EVENTS.c.seq == one.seq)
                    connection.execute(update(EVENTS).where(*row).values(body=changed.model_dump_json()))
        connection.execute(STANDINGS.delete().where(STANDINGS.c.table_id.in_(list(held))))
        connection.execute(PRESENT.delete().where(PRESENT.c.browser == browser))
        connection.execute(PASSKEYS.delete().where(PASSKEYS.c.browser == browser))
        connection.execute(MAILS.delete().where(MAILS.c.browser == browser))
        connection.execute(PUSHES.delete().where(PUSHES.c.browser == browser))
        connection.execute(LISTED.delete().where(LISTED.c.browser == browser))
        connection.execute(IGNORED.delete().where(or_(IGNORED.c.browser == browser, IGNORED.c.ignored == browser)))
        about = [(REPORTS.c.table_id == table) & REPORTS.c.seat.in_(seats) for table, seats in held.items()]
        connection.execute(REPORTS.delete().where(or_(REPORTS.c.reporter == browser, *about)))

    store.run_in_transaction(write)
    return list(held)


def _find_named_parts(event: Event, seats: Sequence[int]) -> list[Any]:
    """The parts of an event that hold names of these seats."""
    if isinstance(event, Created):
        return [plan for i, plan in enumerate(event.seats) if i in seats]
    return [event] if isinstance(event, Joined | Renamed) and event.seat in seats else []


def _anonymise_event(event: Event, seats: Sequence[int], known_names: set[str]) -> Event:
    """The event without the names and words of these seats; the event itself where it has none of them.

    `known_names`: the names that these seats had.
    """
    match event:
        case Created():
            plans = [
                plan.model_copy(update={"name": FORGOTTEN_NAME}) if i in seats else plan
                for i, plan in enumerate(event.seats)
            ]
            return event.model_copy(update={"seats": tuple(plans)})
        case Joined(seat=seat) | Renamed(seat=seat) if seat in seats:
            return event.model_copy(update={"name": FORGOTTEN_NAME})
        case Said(seat=seat) if seat in seats:
            return event.model_copy(update={"name": FORGOTTEN_NAME, "text": FORGOTTEN_TEXT})
        case Noted(seat=seat, text=text) if seat in seats and text:
            return event.model_copy(update={"text": FORGOTTEN_TEXT})
        case Rematch(name=name) if name in known_names:
            return event.model_copy(update={"name": FORGOTTEN_NAME})
        case _:
            return event
