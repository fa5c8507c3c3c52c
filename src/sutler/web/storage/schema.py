"""The tables of the database."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

META = MetaData()

EVENTS = Table(
    "events",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", String(16), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("table_id", "seq", name="one_event_per_number"),
)
"""The events of each game table, in order; everything else about a game is derived from them."""

PRESENT = Table(
    "present",
    META,
    Column("browser", String(64), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
)
"""The seats at which each browser (a hash of its cookie) has sat: "my tables" in the lobby."""

STANDINGS = Table(
    "standings",
    META,
    Column("table_id", String(16), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, index=True),
    Column("seq", Integer, nullable=False, server_default="0"),
    Column("over", Boolean, nullable=False),
    Column("open_to_watch", Boolean, nullable=False),
    Column("body", Text, nullable=False),
)
"""One row per game table for the lobby (`listing_row.Standing`); all rows can be deleted and derived again.

`seq`: the number of events it was derived from, so that no older row replaces a newer one."""

HOUSE = Table("house", META, Column("name", String(32), primary_key=True), Column("value", Text, nullable=False))
"""Values of the server itself by name, such as the key from which seat links are made."""

EXPIRING = ("way ", "mail ", "ask ")
"""Beginnings of names in HOUSE whose rows expire at the time with which their values begin: codes for another device ("way "), links by
mail, challenges to passkeys ("ask ")."""

BOXES = Table(
    "boxes",
    META,
    Column("fingerprint", String(32), primary_key=True),
    Column("body", Text, nullable=False),
)
"""Whole boxes by fingerprint, each stored once: a game goes on with the box it began with."""

SNAPSHOTS = Table(
    "snapshots",
    META,
    Column("table_id", String(16), primary_key=True),
    Column("decision", Integer, primary_key=True),
    Column("state", LargeBinary, nullable=False),
)
"""States during a game, by the number of decisions. If the rules change, they show from where replaying differs, and a game can go on
from them."""

DUE = Table(
    "due",
    META,
    Column("table_id", String(16), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("lane", String(8), nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("turn", DateTime(timezone=True), nullable=False, index=True),
)
"""The queue of bots' decisions, where several processes share the database (`shared_jobs`).

A bot is to decide after event `seq` of the table, from the time `at` on; the row with the earliest `turn` goes first."""

PASSKEYS = Table(
    "passkeys",
    META,
    Column("id", String(64), primary_key=True),
    Column("browser", String(64), nullable=False, index=True),
    Column("site", String(253), nullable=False),
    Column("credential", LargeBinary, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("counter", BigInteger, nullable=False),
    Column("called", String(24), nullable=False),
    Column("made", DateTime(timezone=True), nullable=False),
    Column("used", DateTime(timezone=True), nullable=True),
    Column("covered", Text, nullable=False),
    Column("settings", Text, nullable=False),
)
"""Passkeys by a hash of their id: their owner, the public key, and how often they were used.

`covered`: the cookie by which the owner's browser is known, encrypted under the passkey's secret."""

PUSHES = Table(
    "pushes",
    META,
    Column("id", String(64), primary_key=True),
    Column("browser", String(64), nullable=False, index=True),
    Column("endpoint", Text, nullable=False),
    Column("public", LargeBinary, nullable=False),
    Column("auth", LargeBinary, nullable=False),
    Column("made", DateTime(timezone=True), nullable=False),
)
"""Push subscriptions by a hash of their endpoint: their owner, and the keys for messages to them."""

MAILS = Table(
    "mails",
    META,
    Column("id", String(64), primary_key=True),
    Column("browser", String(64), nullable=False, index=True),
    Column("covered", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("made", DateTime(timezone=True), nullable=False),
    Column("used", DateTime(timezone=True), nullable=True),
)
"""Mail addresses by a slow digest with the server's key: their owner, and the owner's settings.

`covered`: the cookie by which the owner's browser is known, encrypted under a secret made from the address."""

QUESTIONS = Table(
    "questions",
    META,
    Column("id", String(16), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("asked", DateTime(timezone=True), nullable=False),
    Column("body", Text, nullable=False),
    Column("state", String(8), nullable=False),
    Column("done", Integer, nullable=False),
    Column("most", Integer, nullable=False),
    Column("said", Text, nullable=False),
    Column("trouble", Text, nullable=False),
    Column("begun", DateTime(timezone=True), nullable=True),
    Column("holder", String(16), nullable=False),
    Column("until", DateTime(timezone=True), nullable=True),
)
"""Questions to the lab and their progress, where several processes share the database.

`begun`: when a worker last claimed the question; `holder`, `until`: the claim, and when it expires unless it is renewed."""

FINDINGS = Table(
    "findings",
    META,
    Column("question", String(16), primary_key=True),
    Column("name", String(120), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""The files of answers from the lab: the report, the games, and partial results of questions that are not finished."""

BANS = Table(
    "bans",
    META,
    Column("who", String(80), primary_key=True),
    Column("until", DateTime(timezone=True), nullable=True),
)
"""Bans and mutes: of whom ("address 192.0.2.0/24", "person HASH", "muted HASH"), and until when; without a time they are for good."""

DEEDS = Table(
    "deeds",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("what", String(16), nullable=False),
    Column("about", String(120), nullable=False),
)
"""The log of moderation: what the administrator did, and when. Running servers read it and follow."""

REPORTS = Table(
    "reports",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("table_id", String(16), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("line", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("reporter", String(64), nullable=False, index=True),
    Column("decided", String(16), nullable=False, index=True),
)
"""Reports of players: about whom (seat −1: a watcher), which line of the chat (−1: none), what was said, why, and by whom; `decided`: ""
while the report waits."""

LISTED = Table(
    "listed",
    META,
    Column("browser", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("since", DateTime(timezone=True), nullable=False),
)
"""The people who chose to be listed in the server's tables of the best players, and under which name."""

IGNORED = Table(
    "ignored",
    META,
    Column("browser", String(64), primary_key=True),
    Column("ignored", String(64), primary_key=True),
    Column("since", DateTime(timezone=True), nullable=False),
)
"""Whose words a person (`browser`) does not want to read: the hashes of both cookies."""
