"""Reports: a player reports a line of chat or a person to the administrator, who looks at the report and decides.

Nobody at the table learns of a report. Stored with it are the reported words, the reporter (the hash of their cookie) and the table;
it is deleted with either person (`privacy.delete_personal_data`). A mute is stored beside the bans and holds at every table of the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import Connection, func, select, update
from sqlalchemy.sql.elements import ColumnElement

from sutler.web.accounts import moderation
from sutler.web.errors import Lost, Refused, TooMany
from sutler.web.events import Said
from sutler.web.storage.schema import REPORTS
from sutler.web.storage.store import Store, ensure_utc

MAX_OPEN_OF_ONE = 10
"""The most undecided reports by one person."""
MAX_OPEN_AT_TABLE = 20
"""The most undecided reports from one table, since a person with many cookies is many reporters."""
MAX_OPEN = 2000
LINES_BEFORE = 3
"""Lines of chat before a reported line that are stored with it."""
LINES_OF_PERSON = 6
"""The number of a reported person's newest lines that are stored with the report."""
MAX_SHOWN = 100
Decision = Literal["dismiss", "hide", "mute"]
OUTCOMES: dict[Decision, str] = {"dismiss": "dismissed", "hide": "hidden", "mute": "muted"}


@dataclass(frozen=True)
class Report:
    """A report that waits for a decision.

    `seat`: whose, None for a watcher; `line`: the number of the line in the table's chat, None where the report is about the person;
    `words`: what was said, a line each; `people`: the browsers that have sat at the seat; `reporter`: who reported it; `dismissed`: how
    many of the reporter's other reports were dismissed, of `decided`.
    """

    number: int
    at: datetime
    table: str
    seat: int | None
    line: int | None
    name: str
    words: str
    reason: str
    reporter: str
    people: tuple[str, ...]
    dismissed: int
    decided: int


def report_line(
    store: Store, table: str, chat_lines: Sequence[Said], line: int, seats: Sequence[int], reporter: str, reason: str
) -> None:
    """Report a line of a table's chat.

    `chat_lines`: the whole chat; `line`: the line's number from 0; `seats`: the reporter's seats; `reporter`: the hash of their cookie;
    `reason`: in words. Raises Lost where there is no such line; raises Refused where it is the reporter's own.
    """
    if not 0 <= line < len(chat_lines):
        raise Lost("There is no such line.")
    said = chat_lines[line]
    if said.seat in seats:
        raise Refused("This is a line of your own.")
    words = _format_chat(chat_lines[max(0, line - LINES_BEFORE) : line + 1])
    _store_report(store, table, said.seat, line, said.name, words, reporter, reason)


def report_person(
    store: Store,
    table: str,
    chat_lines: Sequence[Said],
    seat: int,
    name: str,
    seats: Sequence[int],
    reporter: str,
    reason: str,
) -> None:
    """Report the person at a seat, whose name there is `name`. Raises Refused where the reporter sits at that seat.

    Other arguments as for `report_line`.
    """
    if seat in seats:
        raise Refused("This is your own seat.")
    words = _format_chat([said for said in chat_lines if said.seat == seat][-LINES_OF_PERSON:])
    _store_report(store, table, seat, None, name, words, reporter, reason)


def _format_chat(lines: Sequence[Said]) -> str:
    """Lines of chat as one text, "NAME: TEXT" on each line."""
    return "\n".join(f"{one.name}: {one.text}" for one in lines)


def _store_report(
    store: Store, table: str, seat: int | None, line: int | None, name: str, words: str, reporter: str, reason: str
) -> None:
    """Store a report, unless an identical one waits already. Raises TooMany where too many reports wait."""
    kept, waits = REPORTS.c, REPORTS.c.decided == ""
    same: list[ColumnElement[bool]] = [
        kept.reporter == reporter,
        kept.table_id == table,
        kept.line == (-1 if line is None else line),
    ]
    same.append(kept.seat == (-1 if seat is None else seat))
    with store.engine.connect() as connection:
        if connection.scalar(select(kept.id).where(waits, *same).limit(1)) is not None:
            return
        mine = connection.scalar(select(func.count()).where(waits, kept.reporter == reporter)) or 0
        here = connection.scalar(select(func.count()).where(waits, kept.table_id == table)) or 0
        everybodys = connection.scalar(select(func.count()).where(waits)) or 0
    if mine >= MAX_OPEN_OF_ONE or here >= MAX_OPEN_AT_TABLE or everybodys >= MAX_OPEN:
        raise TooMany("So many reports wait already; whoever keeps this house has to look at them first.")
    row = {
        "at": datetime.now(UTC),
        "table_id": table,
        "seat": -1 if seat is None else seat,
        "name": name,
        "words": words,
    }
    row |= {"line": -1 if line is None else line, "reason": reason, "reporter": reporter, "decided": ""}
    store.run_in_transaction(lambda connection: connection.execute(REPORTS.insert(), [row]))


# --- The administrator's side ------------------------------------------------------------------------


def load_open_reports(store: Store) -> list[Report]:
    """The reports that wait for a decision, oldest first."""
    kept = REPORTS.c
    with store.engine.connect() as connection:
        rows = connection.execute(select(REPORTS).where(kept.decided == "").order_by(kept.id).limit(MAX_SHOWN)).all()
        counted = select(kept.reporter, kept.decided, func.count()).where(kept.decided != "")
        decided = connection.execute(counted.group_by(kept.reporter, kept.decided)).all()
    found = []
    for row in rows:
        people = [browser for browser, seats in store.load_browsers_at_table(row.table_id).items() if row.seat in seats]
        before = {what: n for who, what, n in decided if who == row.reporter}
        found.append(
            Report(
                row.id,
                ensure_utc(row.at),
                row.table_id,
                None if row.seat < 0 else row.seat,
                None if row.line < 0 else row.line,
                row.name,
                row.words,
                row.reason,
                row.reporter,
                tuple(people),
                before.get(OUTCOMES["dismiss"], 0),
                sum(before.values()),
            )
        )
    return found


def load_open_report(store: Store, number: int) -> Report:
    """The undecided report with this number. Raises Lost where there is none."""
    for one in load_open_reports(store):
        if one.number == number:
            return one
    raise Lost("There is no such report, or it was decided already.")


def require_decision_possible(report: Report, decision: Decision) -> None:
    """Raise Refused where the decision cannot be carried out: nobody to mute, or no line to hide."""
    if decision == "mute" and not report.people:
        raise Refused("Whoever said this was a watcher, or is forgotten; the line can be hidden.")
    if decision == "hide" and report.line is None:
        raise Refused("This report is about no line.")


def decide_report(store: Store, report: Report, decision: Decision, hours: float | None = None) -> None:
    """Close a report; with "mute", mute everybody who has sat at the seat, for a number of hours or without end (None).

    Raises Refused where there is nobody to mute, or no line to hide. Hiding the line at its table is left to the caller.
    """
    require_decision_possible(report, decision)
    until = moderation.compute_end_time(hours)

    def write(connection: Connection) -> None:
        mine = (REPORTS.c.id == report.number, REPORTS.c.decided == "")
        connection.execute(update(REPORTS).where(*mine).values(decided=OUTCOMES[decision]))
        for person in report.people if decision == "mute" else ():
            moderation.write_ban(connection, f"{moderation.MUTED} {person}", until)
        moderation.log_action(connection, OUTCOMES[decision], f"report {report.number} at table {report.table}")

    store.run_in_transaction(write)
