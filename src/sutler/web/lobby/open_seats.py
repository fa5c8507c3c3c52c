"""Seats that anybody may take: their list in the lobby, taking one, and finding players for a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sutler.core.text.language import _, many
from sutler.web.errors import Lost, Refused, Used
from sutler.web.events import MAX_SEATS, Created, SeatPlan
from sutler.web.lobby import new_table
from sutler.web.root_path import get_root_path
from sutler.web.storage.listing_row import Offer, Standing
from sutler.web.table.people import joining
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.settings import describe_clock
from sutler.web.tokens import hash_browser, make_seat_token
from sutler.web.typed_text import make_unique_name

MAX_LISTED = 12
"""Tables with open seats shown in the lobby, the newest first."""
LISTED_FOR = timedelta(days=3)
"""How long a table with open seats is listed after the last event there."""
MAX_WAITING = 5
"""Tables at which one person may wait at once, so that nobody takes everybody's seats."""
PATIENCE_S = 300
"""Seconds after which a bot may replace an absent person, at tables of people who do not know each other."""


@dataclass(frozen=True)
class OpenTable:
    """A table in the lobby's list of open seats.

    `href`: the address of the person's own seat there (`is_mine`), or of the page to join.
    """

    row: Standing
    offer: Offer
    is_mine: bool
    href: str
    at: datetime

    @property
    def names(self) -> list[str]:
        """The names at the seats that are taken."""
        return [plan.name for seat, plan in enumerate(self.row.seats) if seat not in self.offer.free]

    @property
    def terms(self) -> str:
        """The clock of the table in words, such as "2 minutes for each decision"."""
        return describe_clock(self.offer.clock) if self.offer.clock else _("no clock")

    @property
    def free_in_words(self) -> str:
        """The number of free seats in words."""
        return many("{n} seat free", "{n} seats free", len(self.offer.free))


def list_open_tables(house: House, browser: str) -> list[OpenTable]:
    """The tables with seats that anybody may take, newest first. `browser`: the viewer's cookie."""
    held = house.store.load_seats_of_browser(hash_browser(browser)) if browser else {}
    found = []
    for at, row, offer in _list_waiting_tables(house)[:MAX_LISTED]:
        mine = held.get(row.table)
        href = get_root_path() + (
            f"/seat/{make_seat_token(house.key, row.table, mine[0])}" if mine else f"/open/{row.table}"
        )
        found.append(OpenTable(row, offer, bool(mine), href, at))
    return found


def take_free_seat(house: House, table: str, browser: str, name: str) -> tuple[Room, int]:
    """Take the first free seat of a table, or return to the person's own seat there; return the table and the seat.

    `browser`: the person's cookie. Errors of `find_free_seat`; raises Refused where the person waits at too many tables.
    """
    room, person = house.get_room(table), hash_browser(browser)
    with room.lock:  # a person who clicks twice gets one seat, and nobody else gets the same
        held = house.store.load_seats_of_browser(person)
        if table in held:
            return room, held[table][0]
        _require_under_waiting_limit(house, held)
        seat = find_free_seat(room)
        joining.take_seat(room, seat, name)
        house.store.record_seats(person, table, (seat,))
    return room, seat


def find_free_seat(room: Room) -> int:
    """The first seat of a table that anybody may take. Raises Used when the last one was taken, Lost when the table never had one."""
    if not any(plan.open for plan in room.seats):
        raise Lost("There is no such table.")
    with room.lock:
        free = joining.list_free_seats(room)
    if not free:
        raise Used("Somebody else has taken the last seat. Choose another table, or open one.")
    return free[0]


def _require_under_waiting_limit(house: House, seats_by_table: Mapping[str, Sequence[int]]) -> None:
    """Raise Refused where a person waits at MAX_WAITING tables already. `seats_by_table`: the tables at which they have seats."""
    if sum(row.table in seats_by_table for _at, row, _offer in _list_waiting_tables(house)) >= MAX_WAITING:
        raise Refused("You wait at {n} tables already. Leave one, or let it begin with bots.", n=MAX_WAITING)


def join_waiting_table(house: House, game: str, browser: str, name: str) -> tuple[Room, int]:
    """A seat at the oldest table that waits for players of this game as printed, or at a new table where there is none.

    `browser`: the person's cookie. Raises Refused where the person waits at too many tables.
    """
    held = house.store.load_seats_of_browser(hash_browser(browser))
    house.shelf.load_box_summary(game)  # RequestError for an unknown game
    for _at, row, offer in reversed(_list_waiting_tables(house)):
        if row.game == game and offer.as_printed and row.table not in held:
            try:
                return take_free_seat(house, row.table, browser, name)
            except Used:  # somebody was quicker
                continue
    _require_under_waiting_limit(house, held)
    room = house.open_table(_plan_table(house, game, name))
    house.store.record_seats(hash_browser(browser), room.id, (0,))
    return room, 0


def _list_waiting_tables(house: House) -> list[tuple[datetime, Standing, Offer]]:
    """The lobby rows of all tables with open seats, with their times and offers, newest first."""
    rows = house.store.load_standings_with_offers(house.store.now() - LISTED_FOR)
    return [(at, row, row.offer) for at, row in rows if row.offer is not None]


def _plan_table(house: House, game: str, name: str) -> Created:
    """The plan of a table for people who do not know each other: as few seats as the game allows, and a bot for absent players."""
    summary = house.shelf.load_box_summary(game)
    names = [name]
    for other in new_table.BOT_NAMES:
        names.append(make_unique_name(other, names))
    people = min(max(2, int(summary.min_seats)), int(summary.max_seats), MAX_SEATS)
    seats = [SeatPlan(kind="me", name=name)]
    seats += [SeatPlan(kind="link", name=called, open=True) for called in names[1:people]]
    loaded = house.shelf.load_game(game, {})
    return Created(
        game=game,
        seed=new_table.draw_seed(),
        seats=tuple(seats),
        box_hash=str(loaded.box_hash),
        waits=True,
        patience=PATIENCE_S,
        open_to_watch=False,
    )
