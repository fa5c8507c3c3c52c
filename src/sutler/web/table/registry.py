"""The house: opens tables, brings them back from the store, and sees to it that bots think in a fair order."""

from __future__ import annotations

import functools
import hashlib
import logging
import secrets
import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from sutler import __version__
from sutler.web.accounts import moderation, privacy
from sutler.web.errors import Lost, Refused, Trouble
from sutler.web.events import Created, Event
from sutler.web.jobs.gil_priority import FLOOR, LINE
from sutler.web.jobs.queue import IDLE, SLOW, Errands
from sutler.web.shelf import Shelf
from sutler.web.storage.change_feed import News
from sutler.web.storage.store import Store
from sutler.web.table import bot_turns, clocks, turn_notices
from sutler.web.table.bot_workers import Thinkers
from sutler.web.table.listing import standing
from sutler.web.table.room import Room
from sutler.web.table.rules_changed import beginning
from sutler.web.tokens import new_table_id, read_invitation, read_token

if TYPE_CHECKING:
    from sutler.core.game import Game
    from sutler.web.storage.listing_row import Standing
    from sutler.web.table.bot_turns import Player

LOG = logging.getLogger("sutler.web")
ROOMS_KEPT_OPEN = 600
MOST_TABLES = 200_000
"""So many are kept; a game takes some ten kilobytes of the disk."""
LOBBY_PAUSE = 1.0
"""Seconds in which whatever happens at a table makes one line in the lobby."""
LINES_AT_ONCE = 40
CLOCKS = 30.0
"""Seconds after which several processes look again whether time has run out that no other of them sees to."""
THINKERS = 2
"""Threads that decide for bots, where the database is shared with others who may."""
SHORTEST = 0.1
"""Seconds a searching bot has however busy the house is."""


class House:
    """All tables."""

    asks_for_numbers = True
    """Does each player's browser give a number of its own to the shuffle?"""

    def __init__(
        self,
        store: Store,
        shelf: Shelf,
        bot_pause: float = 0.35,
        errands: Errands | None = None,
        thinkers: int = THINKERS,
    ) -> None:
        self.store = store
        self.shelf = shelf
        self.bot_pause = bot_pause
        self.key = store.key()
        self.boot = secrets.token_hex(3)
        if store.shared:  # pages come from any of the processes, and tell by it what is newer
            self.boot = hashlib.sha256(self.key + __version__.encode()).hexdigest()[:6]
        self.tower = turn_notices.tower(store, store.remembered(turn_notices.CONTACT) or "")
        """Tells people of their turns; None where nobody said whom push services may write to."""
        self.closing = threading.Event()
        self.errands = errands or Errands()
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._alive: weakref.WeakValueDictionary[str, Room] = weakref.WeakValueDictionary()
        """A room that was let go of, but to which somebody still listens, is the room: there are never two of a table."""
        self._doors: dict[str, threading.Lock] = {}
        """One a table that is being opened: whoever else wants to it waits there, and nobody else does."""
        self._lock = threading.Lock()
        """Held for a moment, to look into these four or to change them; never while a game is read."""
        self._due: dict[str, Room] = {}
        """Tables whose line in the lobby is to be written anew."""
        self.door = moderation.Doorkeeper(store, self.gone)
        self.news = News(self) if store.shared else None
        self.thinkers = Thinkers(self, thinkers) if store.shared else None
        if self.news is not None:
            self.news.start()

    def warm(self) -> None:
        """Fetch the rules while nobody is waiting for them."""
        self.shelf.warm()

    def bot(self, level: str) -> Player:
        """A bot of this level. Where many wait for a searching one, it thinks for a shorter time."""
        from sutler.bots import at_level
        from sutler.bots.search import SearchBot

        bot: Player = self.shelf.bot(level)
        if isinstance(bot, SearchBot) and not bot.rounds and (others := self._searches()):
            bot = at_level(replace(bot, budget=max(SHORTEST, bot.budget / (1 + others))), level)
        return bot

    def _searches(self) -> int:
        """How many people's searches wait."""
        if self.store.due is None:
            return self.errands.load()
        return self.errands.load() + sum(self.store.due.waiting(SLOW).values())

    def game_of(self, created: Created) -> Game:
        """The game played at a table, under the box it began with."""
        try:
            game = self.shelf.game(created.game, created.options, created.edit, created.settings)
            if not created.box or game.box_kept == created.box:
                return game
        except Trouble:
            if not created.box:
                raise
        whole = self.store.box(created.box)
        if whole is None:
            raise Trouble(
                "The box this game was played with is not kept here; the cards have changed since.", status=500
            )
        return self.shelf.game(created.game, created.options, whole=whole)

    # --- Tables -------------------------------------------------------------------------------------

    def open(self, created: Created) -> Room:
        """A new table."""
        return self.lay_out(created, ())

    def lay_out(self, created: Created, events: Sequence[Event]) -> Room:
        """A table at which this has happened: nothing yet, or a game that came as a file."""
        from sutler.core.seal import seal_of

        if self.store.count() >= MOST_TABLES:
            raise Refused("The house is full: it keeps no more tables. Whoever keeps it can make room.", status=503)
        game = self.game_of(created)
        beginning(game, created, created.opening)  # what cannot begin is not kept
        self.store.keep_box(game.box_kept, game.data)
        bound = {"box": game.box_kept, "box_hash": game.box_hash, "rules": game.definition.home.meaning}
        if not created.nonce:
            bound["nonce"] = secrets.token_hex(16)
            bound["seal"] = seal_of(game, len(created.seats), created.seed, bound["nonce"])
        created = created.model_copy(update=bound)
        table = new_table_id()
        self.store.append(table, 0, [created, *events])
        room = self.room(table)
        self.store.stand([standing(room)])
        return room

    def room(self, table: str) -> Room:
        """The room of this name; from the store when it is not open. Lost when there is none.

        While a long game is played again to where it stands, only those who want to that very table wait.
        """
        room = self._opened(table)
        if room is not None:
            return room
        with FLOOR.aside():
            return self._brought_back(table)

    def _brought_back(self, table: str) -> Room:
        with self._lock:
            door = self._doors.setdefault(table, threading.Lock())
        try:
            with door:
                room = self._opened(table)
                if room is not None:
                    return room
                kept = self.store.events(table)
                if not kept:
                    raise Lost("There is no such table.")
                room = Room.from_events(self, table, kept)
                with self._lock:
                    self._alive[table] = self._rooms[table] = room
                    self._close_some()
        finally:
            with self._lock:
                self._doors.pop(table, None)
        self._see_to(room)
        return room

    def _see_to(self, room: Room) -> None:
        """A room was opened: a bot that is to decide is seen to, and the clock."""
        clocks.wind(room)
        if self.store.due is None:
            bot_turns.wake(room)
            return
        room.catch_up()  # what happened after it was read, and before it could hear of it
        with room.lock:
            seat = room.pos.seat
            if seat is not None and bot_turns.is_to_decide(room):
                self.store.due.see_to(room.id, room.seq, bot_turns.lane_of(room, seat), bot_turns.pause_of(room))
                self.ring()

    def wake(self) -> None:
        """The house was opened: what went on, or grew old, while it was closed is seen to."""
        self.wind_clocks()
        self.errands.add(self.renew_lines, IDLE)  # all lines are read for it: nobody waits

    def wind_clocks(self) -> None:
        """Whoever ran out of time meanwhile, or will, is seen to."""
        for table in self.store.deadlines():
            self.errands.add(functools.partial(self.room, table), IDLE)
        if self.store.shared:
            self.errands.add(self._look_at_clocks, IDLE, after=CLOCKS)

    def _look_at_clocks(self) -> None:
        """Time that has run out at a table nobody has opened here: the process that had opened it may be gone."""
        for table in self.store.deadlines(before=self.store.now()):
            self.errands.add(functools.partial(self.room, table), IDLE)
        self.errands.add(self._look_at_clocks, IDLE, after=CLOCKS)

    # --- Other processes ------------------------------------------------------------------------------

    def heard(self, table: str, seq: int) -> None:
        """Another process, or this one, has kept so many events at a table."""
        with self._lock:
            room = self._alive.get(table)
        if room is not None and room.seq < seq:
            room.catch_up()

    def read_again(self, table: str) -> None:
        """What was kept of a table was changed: somebody wished to be forgotten."""
        with self._lock:
            room = self._alive.get(table)
        if room is not None:
            room.read_again()

    def gone(self, table: str) -> None:
        """A table was taken away: nobody finds it any more, and its bots think no further."""
        with self._lock:
            room = self._alive.pop(table, None)
            self._rooms.pop(table, None)
            self._due.pop(table, None)
        if room is not None:
            room.gone = True
            room.tell(room.seq + 1)

    def remove(self, table: str) -> None:
        """Take a table away, in all processes. Lost when there is none."""
        moderation.remove(self.store, table)
        self.gone(table)

    def forget(self, browser: str) -> None:
        """Somebody wishes to be forgotten, in all processes."""
        for table in privacy.forget(self.store, browser):
            room = self.room(table)
            room.read_again()
            self.note(room)
            self.store.tell(f"again {table}")
        self.store.write(lambda connection: moderation.note(connection, "forgot", f"person {browser}"))

    def catch_up(self) -> None:
        """Nothing was heard for a while: whatever happened at the tables that are open is read after."""
        for room in self.rooms():
            room.catch_up()
        self.ring()

    def ring(self) -> None:
        """Whoever thinks here is told that there may be something to decide."""
        if self.thinkers is not None:
            self.thinkers.ring()

    def rooms(self) -> list[Room]:
        """The rooms that are open."""
        with self._lock:
            return list(self._alive.values())

    def _opened(self, table: str) -> Room | None:
        with self._lock:
            room = self._alive.get(table)
            if room is not None:
                self._rooms[table] = room
                self._rooms.move_to_end(table)
                self._close_some()
            return room

    def _close_some(self) -> None:
        """Let go of rooms nobody has visited for long; the store remembers them."""
        if len(self._rooms) <= ROOMS_KEPT_OPEN:
            return
        for table, room in list(self._rooms.items()):
            if len(self._rooms) <= ROOMS_KEPT_OPEN:
                return
            if room.is_idle:
                del self._rooms[table]

    def at_hand(self, table: str) -> Room | None:
        """The room of this name if it is open; whoever asks does not wait."""
        return self._opened(table)

    def linked(self, token: str) -> tuple[str, int]:
        """The table and seat a secret link names. Lost when it is none of ours."""
        found = read_token(self.key, token)
        if found is None:
            raise Lost("This link leads to no seat. Perhaps a few of its letters were lost on the way.")
        return found

    def seat(self, token: str) -> tuple[Room, int]:
        """The room and seat a secret link leads to. Lost when it leads nowhere."""
        table, seat = self.linked(token)
        room = self.room(table)
        if seat >= len(room.seats) or room.seats[seat].kind not in ("me", "link") or not room.taken[seat]:
            raise Lost("This link leads to no seat.")
        return room, seat

    def invited(self, token: str) -> tuple[Room, int]:
        """The room and seat somebody is invited to. Lost when there is no such invitation."""
        found = read_invitation(self.key, token)
        if found is None:
            raise Lost("This is no invitation. Perhaps a few of its letters were lost on the way.")
        room = self.room(found[0])
        if found[1] >= len(room.seats) or room.seats[found[1]].kind != "link":
            raise Lost("This is no invitation.")
        return room, found[1]

    def watched(self, table: str) -> Room:
        """The room of this name, if one may watch there; else as if there were none."""
        room = self.room(table)
        if not room.created.open_to_watch:
            raise Lost("There is no such table.")
        return room

    # --- The lobby's lines ----------------------------------------------------------------------------

    def note(self, room: Room) -> None:
        """Something happened at a table: the lobby will say so soon. Nobody at the table waits for it."""
        with self._lock:
            first = not self._due
            self._due[room.id] = room
        if first:
            self.errands.add(self._write_lines, IDLE, after=LOBBY_PAUSE)

    def bring_up_to_date(self, tables: Sequence[str]) -> None:
        """The lines of these tables, now: whoever comes from the table sees how it stands."""
        with self._lock:
            due = [self._due.pop(table) for table in tables if table in self._due]
        if due:
            self.store.stand([standing(room) for room in due])

    def renew_lines(self) -> None:
        """Lines that another release has written, and nobody here can read, are made again from their tables."""
        for table in self.store.unread():
            self.errands.add(functools.partial(self._renew, table), IDLE)

    def _renew(self, table: str) -> None:
        self.note(self.room(table))

    def _write_lines(self, most: int = LINES_AT_ONCE) -> None:
        with self._lock:
            due = [self._due.pop(table) for table in list(self._due)[:most]]
            more = bool(self._due)
        if more:
            self.errands.add(self._write_lines, IDLE)
        if due:
            try:
                self.store.stand([self._line(room) for room in due])
            except DBAPIError as error:  # nothing is lost: they are made again from the tables
                LOG.warning("the lobby's lines cannot be written just now: %s", error.orig)

    @staticmethod
    def _line(room: Room) -> Standing:
        with FLOOR.held(LINE):
            return standing(room)

    def close(self) -> None:
        """Stop thinking; everything is kept already."""
        self.closing.set()
        self.shelf.close()
        self.errands.close()
        if self.thinkers is not None:
            self.thinkers.close()
        if self.news is not None:
            self.news.join()
        self._write_lines(most=len(self._due))
        self.store.close()
