"""Seats that anybody may take: the lobby's list of them, sitting down, and finding somebody to play with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sutler.core.language import _, many
from sutler.web.errors import Lost, Refused, Used
from sutler.web.events import MAX_SEATS, Created, SeatPlan
from sutler.web.lobby import new_table
from sutler.web.names import unique_name
from sutler.web.storage.listing_row import Standing
from sutler.web.table import joining
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.settings import duration_in_words
from sutler.web.tokens import browser_hash, seat_token

MAX_LISTED = 12
"""Tables with open seats in the lobby, the newest first."""
LISTED_FOR = timedelta(days=3)
"""Nobody sits down at a table at which nothing has happened for so long."""
MAX_WAITING = 5
"""Tables at which one person may wait at once, so that nobody takes everybody's seats."""
PATIENCE_S = 300
"""At a table of people who do not know each other: after so long a bot may take an absent person's seat."""


@dataclass(frozen=True)
class OpenTable:
    """A table of the lobby's list, at which seats are free. href: one's own seat there, where one sits already."""

    table: str
    game: str
    title: str
    names: tuple[str, ...]
    """The players who sit there."""
    free: int
    terms: str
    as_printed: bool
    newcomers: bool
    href: str
    at: datetime

    @property
    def free_in_words(self) -> str:
        """The number of free seats in words."""
        return many("{n} seat free", "{n} seats free", self.free)


def open_tables(house: House, browser: str) -> list[OpenTable]:
    """The tables at which anybody may sit down, the newest first."""
    held = house.store.seats_of(browser_hash(browser)) if browser else {}
    return [_line(house, at, one, held.get(one.table, ())) for at, one in _waiting(house)][:MAX_LISTED]


def sit_down(house: House, table: str, browser: str, name: str) -> tuple[Room, int]:
    """Take the first free seat of a table. Used when the last was taken; Refused where one waits at too many tables."""
    held = house.store.seats_of(browser_hash(browser))
    if table in held:
        return house.room(table), held[table][0]
    if sum(one.table in held for _at, one in _waiting(house)) >= MAX_WAITING:
        raise Refused("You wait at {n} tables already. Leave one, or let it begin with bots.", n=MAX_WAITING)
    room, seat = offered_room(house, table)
    joining.join(room, seat, name)
    house.store.record_seats(browser_hash(browser), table, (seat,))
    return room, seat


def offered_room(house: House, table: str) -> tuple[Room, int]:
    """The room of a table with open seats, and the first of them. Used when the last was taken, Lost when there never was one."""
    room = house.room(table)
    if not any(plan.open for plan in room.seats):
        raise Lost("There is no such table.")
    with room.lock:
        free = joining.free_seats(room)
    if not free:
        raise Used("Somebody else has taken the last seat. Choose another table, or open one.")
    return room, free[0]


def find_players(house: House, game: str, browser: str, name: str) -> tuple[Room, int]:
    """A seat at the oldest table of this game, as printed, that waits for players; at a new one where there is none."""
    held = house.store.seats_of(browser_hash(browser))
    house.shelf.box_summary(game)  # a game nobody knows is refused here, in words
    for _at, one in reversed(_waiting(house)):
        if one.game == game and one.offer is not None and one.offer.as_printed and one.table not in held:
            try:
                return sit_down(house, one.table, browser, name)
            except Used:  # somebody was quicker
                continue
    room = house.open(_plan(house, game, name))
    house.store.record_seats(browser_hash(browser), room.id, (0,))
    return room, 0


def _waiting(house: House) -> list[tuple[datetime, Standing]]:
    """The rows of all tables with open seats, newest first."""
    since = house.store.now() - LISTED_FOR
    return [(at, one) for at, one in house.store.standings_with_offers() if at > since and one.offer is not None]


def _line(house: House, at: datetime, one: Standing, held: list[int] | tuple[int, ...]) -> OpenTable:
    assert one.offer is not None
    clock = one.offer.clock
    terms = _("no clock")
    if clock is not None:
        time = duration_in_words(clock.seconds)
        terms = (
            _("{time} for each decision", time=time)
            if clock.per == "move"
            else _("{time} for the whole game", time=time)
        )
    href = f"/seat/{seat_token(house.key, one.table, held[0])}" if held else ""
    names = tuple(plan.name for seat, plan in enumerate(one.seats) if seat not in one.offer.free)
    return OpenTable(
        one.table,
        one.game,
        one.title,
        names,
        len(one.offer.free),
        terms,
        one.offer.as_printed,
        one.offer.newcomers,
        href,
        at,
    )


def _plan(house: House, game: str, name: str) -> Created:
    """The plan of a table for people who do not know each other: as few as can play, and a bot for whoever stays away."""
    summary = house.shelf.box_summary(game)
    names = [name]
    for other in new_table.BOT_NAMES:
        names.append(unique_name(other, names))
    people = min(max(2, int(summary.min_seats)), int(summary.max_seats), MAX_SEATS)
    seats = [SeatPlan(kind="me", name=name)]
    seats += [SeatPlan(kind="link", name=called, open=True) for called in names[1:people]]
    loaded = house.shelf.game(game, {})
    return Created(
        game=game,
        seed=new_table.new_seed(),
        seats=tuple(seats),
        box_hash=str(loaded.box_hash),
        waits=True,
        patience=PATIENCE_S,
        open_to_watch=False,
    )
