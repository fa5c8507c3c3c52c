"""The server's tables (the house): opens them, loads them from the store, and connects their events with listeners."""

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
from sutler.web.accounts.ratings import Ratings
from sutler.web.errors import Lost, Refused, RequestError
from sutler.web.events import Created, Event, are_private
from sutler.web.game_shelf import Shelf
from sutler.web.jobs.gil_priority import GIL_LOCK, LOBBY_PATIENCE_S
from sutler.web.jobs.job_queue import IDLE_LANE, SLOW_LANE, JobQueue
from sutler.web.rate_limits import count_new_table_of_request, count_opening_of_request
from sutler.web.storage.change_feed import ChangeFeed
from sutler.web.storage.store import Store
from sutler.web.table import best_turns, bot_turns, clocks, retention
from sutler.web.table.bot_workers import BotWorkers
from sutler.web.table.changed_rules import is_card_game
from sutler.web.table.lobby_row import build_standing
from sutler.web.table.people import subscribers, turn_notices
from sutler.web.table.room import Room, create_first_position
from sutler.web.table.services import Listeners, Player, Services
from sutler.web.tokens import draw_table_id, read_invitation_token, read_seat_token

if TYPE_CHECKING:
    from sutler.core.play.game import Game
    from sutler.web.storage.listing_row import Standing

LOG = logging.getLogger("sutler.web")
ROOMS_KEPT_OPEN = 600
MAX_TABLES = 200_000
"""The most tables of a server; a game takes about ten kilobytes of the disk."""
LISTING_DELAY_S = 1.0
"""Seconds until a table's row in the lobby is written after an event; further events in this time need no row of their own."""
LINES_AT_ONCE = 40
CLOCK_POLL_S = 30.0
"""Seconds after which each process looks for clocks that have run out at tables that no process has loaded."""
LESSON_PAUSE_S = 3600.0
"""Seconds between searches for abandoned lessons."""
EXPIRY_PAUSE_S = 60.0
"""Seconds between deletions of expired values."""
BOT_WORKERS = 2
"""Threads that decide for bots, where the database is shared with other processes."""
OUTGOING_WORKERS = 3
"""Threads for mail and notices of turns; one is always left free."""
OUTGOING_PATIENCE_S = 1.0
"""Seconds that a closing server waits for a message that is being sent."""
MIN_SEARCH_S = 0.1
"""The least thinking time in seconds of a searching bot, however busy the server is."""


class House:
    """All tables of one process: opens them, loads them from the store, and notifies their listeners."""

    def __init__(
        self,
        store: Store,
        shelf: Shelf,
        bot_pause: float = 0.35,
        job_queue: JobQueue | None = None,
        bot_workers: int = BOT_WORKERS,
        serves_pages: bool = True,
    ) -> None:
        """`bot_workers`: threads that decide for bots, where the database is shared; `serves_pages`: False where only that is done."""
        self.store, self.serves_pages = store, serves_pages
        self.shelf = shelf
        self.key = store.get_server_key()
        boot = secrets.token_hex(3)
        if store.shared:  # versions of pages from different processes must be comparable
            boot = hashlib.sha256(self.key + __version__.encode()).hexdigest()[:6]
        self.notifier = turn_notices.create_notifier(store, store.get_value(turn_notices.CONTACT) or "")
        """Sends notices of turns; None where no contact address for push services is set."""
        self.services = Services(
            store,
            shelf,
            job_queue or JobQueue(),
            self.key,
            boot,
            bot_pause,
            self.load_game_of_table,
            self.get_bot,
            self.get_room,
            self._listeners(),
        )
        self.outgoing = job_queue or JobQueue(OUTGOING_WORKERS)
        """Jobs that wait for other machines (mail, notices of turns), so that slow ones delay nothing else."""
        self.closing = self.services.closing
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._alive: weakref.WeakValueDictionary[str, Room] = weakref.WeakValueDictionary()
        """All rooms that something still refers to, so that there are never two of one table."""
        self._doors: dict[str, threading.Lock] = {}
        """A lock for each table that is being loaded; only requests for that table wait for it."""
        self._lock = threading.Lock()
        """Guards these four dictionaries; held only to read or change them, never while a game is loaded."""
        self._due: dict[str, Room] = {}
        """Tables whose row in the lobby must be written again."""
        self.ratings = Ratings(store)
        self.ban_list = moderation.BanList(store, self.drop_table, changed=self._catch_up)
        self.news = ChangeFeed(self) if store.shared else None
        self.bot_workers = BotWorkers(self.services, self.get_room, bot_workers) if store.shared else None
        if self.news is not None:
            self.news.start()

    @property
    def job_queue(self) -> JobQueue:
        """The queue of background jobs."""
        return self.services.jobs

    def _listeners(self) -> Listeners:
        """The listeners to a table's events, in this order: lobby, clock, pages, bots, notices to people."""
        return Listeners(
            committed=(
                self._on_events,
                clocks.on_events,
                subscribers.on_events,
                bot_turns.on_events,
                functools.partial(turn_notices.on_events, self),
            ),
            caught_up=(clocks.on_events, subscribers.on_events),
            redraw=(subscribers.notify_pages,),
            job_after=bot_turns.find_job_after,
        )

    def _on_events(self, room: Room, events: Sequence[Event]) -> None:
        """Queue the table's lobby row to be written after these events, unless only one seat may know them."""
        if not are_private(events):
            self.queue_listing(room)

    def compile_rules_in_background(self) -> None:
        """Load and compile the rules in the background."""
        self.shelf.compile_rules_in_background()

    def get_bot(self, level: str) -> Player:
        """A bot by its level. While many people wait for searching bots, each bot searches for a shorter time."""
        from sutler.bots import mark_with_level
        from sutler.bots.kit import is_search_by_time

        bot = self.shelf.get_bot(level)
        if is_search_by_time(bot) and (others := self._count_waiting_searches()):
            bot = mark_with_level(replace(bot, budget=max(MIN_SEARCH_S, bot.budget / (1 + others))), level)
        found: Player = bot
        return found

    def _count_waiting_searches(self) -> int:
        """The number of bots' searches that people wait for."""
        if self.store.due is None:
            return self.job_queue.count_waiting_searches()
        return self.job_queue.count_waiting_searches() + sum(self.store.due.count_waiting_by_lane(SLOW_LANE).values())

    def load_game_of_table(self, created: Created) -> Game:
        """The game of a table, with the box it began with.

        Raises RequestError where that box is not stored, or does not fit the game any more.
        """
        try:
            game = self.shelf.load_game(created.game, created.options, created.edit, created.settings)
            if not created.box or game.box_fingerprint == created.box:
                return game
        except RequestError:
            if not created.box:
                raise
        whole = self.store.load_box(created.box)
        if whole is None:
            raise RequestError(
                "The box this game was played with is not kept here; the cards have changed since.", status=500
            )
        try:
            return self.shelf.load_game(created.game, created.options, whole=whole)
        except RequestError:
            if not is_card_game(self.shelf.find_game_folder(created.game)):
                raise
            raise RequestError(
                "The file of this game was saved with other cards since this table began, and it cannot go on. "
                "Open a new table in the lobby.",
                status=409,
            ) from None

    # --- Tables -------------------------------------------------------------------------------------

    def open_table(self, created: Created) -> Room:
        """Open a new table and return its room."""
        return self.open_table_with_events(created, ())

    def open_table_with_events(self, created: Created, events: Sequence[Event]) -> Room:
        """Open a new table at which these events have happened already (those of an uploaded game); return its room.

        All new tables are opened here, so here they count for the client's rate limit. Raises RequestError where the game cannot begin,
        Refused where the server has too many tables.
        """
        from sutler.core.play.sealed_luck import compute_seal

        count_new_table_of_request()
        if self.store.count_tables() >= MAX_TABLES:
            raise Refused("The house is full: it keeps no more tables. Whoever keeps it can make room.", status=503)
        game = self.load_game_of_table(created)
        create_first_position(game, created, created.opening)  # errors here prevent the table from being stored
        self.store.store_box(game.box_fingerprint, game.data)
        bound = {
            "box": game.box_fingerprint,
            "box_hash": game.box_hash,
            "rules": game.definition.home.rules_fingerprint,
        }
        if not created.nonce:
            bound["nonce"] = secrets.token_hex(16)
            bound["seal"] = compute_seal(game, len(created.seats), created.seed, bound["nonce"])
        created = created.model_copy(update=bound)
        table = draw_table_id()
        self.store.append_events(table, 0, [created, *events])
        room = self.get_room(table)
        self.store.write_standings([build_standing(room)])
        return room

    def get_room(self, table: str) -> Room:
        """The room of the table with this id, loaded from the store if it is not in memory. Raises Lost when there is none.

        While a long game is replayed, only requests for that very table wait.
        """
        room = self._get_open_room(table)
        if room is not None:
            return room
        with GIL_LOCK.release_during_block():
            return self._load_room(table)

    def _load_room(self, table: str) -> Room:
        """The room of a table, loaded from the store unless another thread has loaded it meanwhile. Raises Lost when there is none."""
        with self._lock:
            door = self._doors.setdefault(table, threading.Lock())
        try:
            with door:
                room = self._get_open_room(table)
                if room is not None:
                    return room
                kept = self.store.load_events(table)
                if not kept:
                    raise Lost("There is no such table.")
                count_opening_of_request()
                room = Room.load_from_events(self.services, table, kept)
                with self._lock:
                    self._alive[table] = self._rooms[table] = room
                    self._close_unused_rooms()
        finally:
            with self._lock:
                self._doors.pop(table, None)
        self._resume_room(room)
        return room

    def _resume_room(self, room: Room) -> None:
        """Set the clock of a room that was just loaded, and queue a bot's decision if one is to be made."""
        clocks.set_timer(room)
        if self.store.due is None:
            bot_turns.queue_decision(room)
            return
        self._catch_up_or_drop(room)  # events stored after it was read, and before notifications reached it
        with room.lock:
            seat = room.pos.seat
            if seat is not None and bot_turns.is_bot_to_decide(room):
                self.store.due.add_decision_if_missing(
                    room.id, room.seq, bot_turns.choose_lane(room, seat), bot_turns.compute_delay(room)
                )
                self.wake_bot_workers()

    def resume_tables(self) -> None:
        """Resume after a restart: start clocks, rewrite unreadable rows of the lobby, delete expired values and abandoned lessons."""
        self.start_clocks()
        self.job_queue.add_job(self.rewrite_unreadable_listings, IDLE_LANE)  # it reads all rows, so nobody waits for it
        self.job_queue.add_job(self._drop_expired, IDLE_LANE)
        self.job_queue.add_job(self._drop_lessons, IDLE_LANE)

    def _drop_lessons(self) -> None:
        """Delete lessons that nobody has begun or continued, and queue the next such search after LESSON_PAUSE_S."""
        for table in retention.delete_abandoned_lessons(self.store):
            self.drop_table(table)
        self.job_queue.add_job(self._drop_lessons, IDLE_LANE, after=LESSON_PAUSE_S)

    def _drop_expired(self) -> None:
        """Delete codes, links and challenges that have expired, and queue the next deletion after EXPIRY_PAUSE_S."""
        self.store.drop_expired()
        self.job_queue.add_job(self._drop_expired, IDLE_LANE, after=EXPIRY_PAUSE_S)

    def start_clocks(self) -> None:
        """Load the tables at which a clock runs that has consequences, so that its limit is enforced."""
        for table in self.store.list_tables_with_deadlines():
            self.job_queue.add_job(functools.partial(self.get_room, table), IDLE_LANE)
        if self.store.shared:
            self.job_queue.add_job(self._enforce_clocks, IDLE_LANE, after=CLOCK_POLL_S)

    def _enforce_clocks(self) -> None:
        """Load the tables at which a clock has run out, so that its limit is enforced; the process that had them loaded may be gone."""
        for table in self.store.list_tables_with_deadlines(before=self.store.now()):
            self.job_queue.add_job(functools.partial(self.get_room, table), IDLE_LANE)
        self.job_queue.add_job(self._enforce_clocks, IDLE_LANE, after=CLOCK_POLL_S)

    # --- Other processes ------------------------------------------------------------------------------

    def read_new_events(self, table: str, seq: int) -> None:
        """Read the new events of a table that has `seq` events now, if it is loaded here.

        Where no page is served they are left for the next decision, unless a clock runs at the table.
        """
        with self._lock:
            room = self._alive.get(table)
        if room is not None and room.seq < seq and (self.serves_pages or room.next_clock_check is not None):
            self._catch_up_or_drop(room)

    def expect_decision(self, table: str, lane: str, seconds: float) -> None:
        """Have this process's bot workers look for a decision at a table, of this lane (its name), which is due after this many seconds."""
        if self.bot_workers is not None:
            self.bot_workers.expect_decision(table, lane, seconds)

    def expect_no_decision(self, table: str) -> None:
        """Tell this process's bot workers that the decision they expect at a table was made."""
        if self.bot_workers is not None:
            self.bot_workers.expect_no_decision(table)

    def reload_table(self, table: str) -> None:
        """Read all events of a table again, because stored ones were changed (somebody asked to be forgotten)."""
        with self._lock:
            room = self._alive.get(table)
        if room is not None:
            room.reload_all_events()

    def drop_table(self, table: str) -> None:
        """Drop a table that was removed: nobody finds it any more, and its bots stop."""
        with self._lock:
            room = self._alive.pop(table, None)
            self._rooms.pop(table, None)
            self._due.pop(table, None)
        if room is not None:
            room.gone = True
            room.redraw_all_pages(room.seq + 1)

    def _catch_up(self, table: str) -> None:
        """Read new events of a table that is loaded here, after the administrator's command has changed it."""
        if (room := self._get_open_room(table)) is not None and room.read_new_events():
            room.redraw_all_pages()

    def remove_table(self, table: str) -> None:
        """Delete a table for all processes. Raises Lost when there is none."""
        moderation.remove_table(self.store, table)
        self.drop_table(table)

    def forget_person(self, browser: str) -> None:
        """Delete a person's data for all processes. `browser`: the hash of their cookie.

        Afterwards their names and words are in no file of the database.
        """
        tables = privacy.delete_personal_data(self.store, browser)
        self.ratings.drop_person(browser)
        for table in tables:
            room = self.get_room(table)
            room.reload_all_events()
            self.queue_listing(room)
            self.store.notify_processes(f"again {table}")
        self.store.run_in_transaction(
            lambda connection: moderation.log_action(connection, "forgot", f"person {browser}")
        )
        self.write_listings(tables)  # a row of the lobby may have been written meanwhile, with the old name
        self.store.purge_deleted_data()

    def catch_up(self) -> None:
        """Read new events of all loaded tables, after the connection to other processes was lost."""
        for room in self.list_loaded_rooms():
            self._catch_up_or_drop(room)
        self.wake_bot_workers()

    def _catch_up_or_drop(self, room: Room) -> None:
        """Read the events of a table that other processes have stored; drop the room if they removed the table."""
        if not room.read_new_events():
            self.drop_table(room.id)

    def wake_bot_workers(self) -> None:
        """Wake this process's bot workers: a decision may be waiting."""
        if self.bot_workers is not None:
            self.bot_workers.wake_bot_workers()

    def list_loaded_rooms(self) -> list[Room]:
        """All rooms in memory."""
        with self._lock:
            return list(self._alive.values())

    def _get_open_room(self, table: str) -> Room | None:
        """The room of a table if it is in memory, noted as recently used; else None."""
        with self._lock:
            room = self._alive.get(table)
            if room is not None:
                self._rooms[table] = room
                self._rooms.move_to_end(table)
                self._close_unused_rooms()
            return room

    def _close_unused_rooms(self) -> None:
        """Drop rooms that were not used for long, if there are more than ROOMS_KEPT_OPEN; the store keeps their events."""
        if len(self._rooms) <= ROOMS_KEPT_OPEN:
            return
        for table, room in list(self._rooms.items()):
            if len(self._rooms) <= ROOMS_KEPT_OPEN:
                return
            if room.is_idle:
                del self._rooms[table]

    def find_loaded_room(self, table: str) -> Room | None:
        """The room of the table with this id if it is in memory, without waiting; else None."""
        return self._get_open_room(table)

    def parse_seat_link(self, token: str) -> tuple[str, int]:
        """The table and seat of a secret link (its token). Raises Lost where this server has not made it."""
        found = read_seat_token(self.key, token)
        if found is None:
            raise Lost("This link leads to no seat. Perhaps a few of its letters were lost on the way.")
        return found

    def find_seat(self, token: str) -> tuple[Room, int]:
        """The room and seat of a secret link (its token). Raises Lost where it leads to no seat that a person has taken."""
        table, seat = self.parse_seat_link(token)
        room = self.get_room(table)
        if seat >= len(room.seats) or room.seats[seat].kind not in ("me", "link") or not room.persons_have_come[seat]:
            raise Lost("This link leads to no seat.")
        return room, seat

    def find_invited_seat(self, token: str) -> tuple[Room, int]:
        """The room and seat of an invitation (its token). Raises Lost when there is no such invitation."""
        found = read_invitation_token(self.key, token)
        if found is None:
            raise Lost("This is no invitation. Perhaps a few of its letters were lost on the way.")
        room = self.get_room(found[0])
        if found[1] >= len(room.seats) or room.seats[found[1]].kind != "link":
            raise Lost("This is no invitation.")
        return room, found[1]

    def find_watchable_room(self, table: str) -> Room:
        """The room of the table with this id, if it is open to watchers. Raises Lost otherwise, so that nobody learns that it exists."""
        room = self.get_room(table)
        if not room.created.open_to_watch:
            raise Lost("There is no such table.")
        return room

    # --- Rows of the lobby ----------------------------------------------------------------------------

    def queue_listing(self, room: Room) -> None:
        """Queue a table's row in the lobby to be written; nobody at the table waits for it."""
        with self._lock:
            first = not self._due
            self._due[room.id] = room
        if first:
            self.job_queue.add_job(self._write_queued_listings, IDLE_LANE, after=LISTING_DELAY_S)

    def write_listings(self, tables: Sequence[str]) -> None:
        """Write the lobby's rows of these tables now if they are queued, for a person whose lobby shows them."""
        with self._lock:
            due = [self._due.pop(table) for table in tables if table in self._due]
        if due:
            self.store.write_standings([build_standing(room) for room in due])
            self._search_best_turns(due)

    def rewrite_unreadable_listings(self) -> None:
        """Derive the rows again that another release has written in a form that cannot be read here."""
        for table in self.store.list_unreadable_standings():
            self.job_queue.add_job(functools.partial(self._rewrite_listing, table), IDLE_LANE)

    def _rewrite_listing(self, table: str) -> None:
        """Queue the row of a table that is loaded for it."""
        self.queue_listing(self.get_room(table))

    def _write_queued_listings(self, max_rows: int = LINES_AT_ONCE) -> None:
        """Write up to `max_rows` queued rows of the lobby, and queue the rest."""
        with self._lock:
            due = [self._due.pop(table) for table in list(self._due)[:max_rows]]
            more = bool(self._due)
        if more:
            self.job_queue.add_job(self._write_queued_listings, IDLE_LANE)
        if due:
            try:
                self.store.write_standings([self._derive_listing(room) for room in due])
            except DBAPIError as error:  # nothing is lost: rows can be derived again from the events
                LOG.warning("the lobby's lines cannot be written just now: %s", error.orig)
            self._search_best_turns(due)

    def _search_best_turns(self, rooms: Sequence[Room]) -> None:
        """Queue the search for best turns at those of these tables where a game has ended."""
        for room in rooms:
            if not room.pos.over:
                room.best_turns = None  # a game that was over goes on, after an undo
            elif room.best_turns is None and best_turns.may_be_analysed(room):
                room.best_turns = ()
                self.job_queue.add_job(functools.partial(self._store_best_turns, room), IDLE_LANE)

    def _store_best_turns(self, room: Room) -> None:
        """Find the best turns of a finished game, and write the table's row in the lobby again where there are any."""
        room.best_turns = best_turns.find_best_turns(room)
        if room.best_turns:
            self.store.write_standings([self._derive_listing(room)])

    @staticmethod
    def _derive_listing(room: Room) -> Standing:
        """The lobby row of a table, derived while this thread holds the priority lock at low priority."""
        with GIL_LOCK.hold(LOBBY_PATIENCE_S):
            return build_standing(room)

    def close(self) -> None:
        """Stop all threads and close the database; every event is stored already."""
        self.closing.set()
        self.shelf.close()
        self.job_queue.close()
        self.outgoing.close(OUTGOING_PATIENCE_S)
        if self.bot_workers is not None:
            self.bot_workers.close()
        if self.news is not None:
            self.news.join()
        self._write_queued_listings(max_rows=len(self._due))
        self.store.close()
