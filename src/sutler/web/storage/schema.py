"""What the house keeps, table by table, as the database has it."""

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
"""The truth: what happened at each table, in order."""

PRESENT = Table(
    "present",
    META,
    Column("browser", String(64), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
)
"""Which browser (a hash of its cookie) has sat where: "my tables" in the lobby."""

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
"""One line per table for the lobby; can be thrown away and derived again.

`seq`: after so many events, so that no older line takes a newer one's place.
"""

HOUSE = Table("house", META, Column("name", String(32), primary_key=True), Column("value", Text, nullable=False))
"""What the house itself remembers: the key its seat links are made with."""

BOXES = Table(
    "boxes",
    META,
    Column("fingerprint", String(32), primary_key=True),
    Column("body", Text, nullable=False),
)
"""Whole boxes, each once: a game goes on with the one it began with."""

SNAPSHOTS = Table(
    "snapshots",
    META,
    Column("table_id", String(16), primary_key=True),
    Column("decision", Integer, primary_key=True),
    Column("state", LargeBinary, nullable=False),
)
"""States in the course of a game: they show where changed rules lead elsewhere, and one can go on from them."""

DUE = Table(
    "due",
    META,
    Column("table_id", String(16), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("lane", String(8), nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("turn", DateTime(timezone=True), nullable=False, index=True),
)
"""Where several processes share the database: bots' decisions that wait to be taken.

After this many events at the table a bot is to decide, from `at` on; whoever's `turn` comes first goes first.
"""

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
"""Passkeys by a hash of their id: whose they are, the public key, how often they were used.

`covered`: the cookie by which the person's browser is known, which only the passkey itself uncovers.
"""

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
"""Browsers that are told when their turn begins, by a hash of where: whose they are, and what covers a message for them."""

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
"""Mail addresses that lead to a person, by a slow digest with the house's key: whose they are, and how they like it.

`covered`: the cookie by which the person's browser is known, which only the address uncovers.
"""

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
"""Where several processes share the database: the lab's questions, and how far the answers are.

`begun`: when somebody last set to work on it; `holder`, `until`: who has it in hand, and until when, if they do not say so again.
"""

FINDINGS = Table(
    "findings",
    META,
    Column("question", String(16), primary_key=True),
    Column("name", String(120), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""What there is of these answers, file by file: the report, the games, and the parts of what is not done yet."""

BANS = Table(
    "bans",
    META,
    Column("who", String(80), primary_key=True),
    Column("until", DateTime(timezone=True), nullable=True),
)
"""Who is shut out ("address 192.0.2.0/24", "person HASH"), until when; for good where no time is said."""

DEEDS = Table(
    "deeds",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("what", String(16), nullable=False),
    Column("about", String(120), nullable=False),
)
"""The keeper's book: what whoever keeps the house did, and when. Open houses read it to hear of it."""
