"""The house's tables of the best: whoever chose to be listed stands there by name, a table a game, by their rating.

Nobody is listed who has not asked for it. A listing is a name beside the hash of a cookie; it goes with the person.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, select, update

from sutler.web.accounts import moderation
from sutler.web.accounts.ratings import Rating, Ratings
from sutler.web.storage.schema import LISTED
from sutler.web.storage.store import Store

MIN_GAMES = 3
"""Rated games after which somebody who is listed stands in the table of a game."""
MAX_PLACES = 10


@dataclass(frozen=True)
class Place:
    """A place in a game's table of the best. place: from 1, the same for equals; mine: is it the viewer's?"""

    place: int
    name: str
    rating: Rating
    mine: bool


def list_person(store: Store, browser: str, name: str) -> None:
    """List a person under a name, in the place of an earlier one. `browser`: the hash of their cookie."""
    row = {"browser": browser, "name": name, "since": datetime.now(UTC)}

    def write(connection: Connection) -> None:
        connection.execute(delete(LISTED).where(LISTED.c.browser == browser))
        connection.execute(LISTED.insert(), [row])

    store.write(write)


def rename_person(store: Store, browser: str, name: str) -> None:
    """Let a person who is listed go by another name."""
    store.write(
        lambda connection: connection.execute(update(LISTED).where(LISTED.c.browser == browser).values(name=name))
    )


def unlist_person(store: Store, browser: str) -> None:
    """Take a person off all tables of the best."""
    store.write(lambda connection: connection.execute(delete(LISTED).where(LISTED.c.browser == browser)))


def is_listed(store: Store, browser: str) -> bool:
    """Has this person chosen to be listed?"""
    with store.engine.connect() as connection:
        return connection.execute(select(LISTED.c.browser).where(LISTED.c.browser == browser)).first() is not None


def best_at(store: Store, ratings: Ratings, game: str, viewer: str = "") -> list[Place]:
    """The best at a game among those who are listed and neither shut out nor muted, the best first.

    They stand by what their rating is at least (points less doubt), so that a few lucky games lead nobody to the top.
    """
    with store.engine.connect() as connection:
        names = {row.browser: row.name for row in connection.execute(select(LISTED.c.browser, LISTED.c.name))}
    if not names:
        return []
    hidden = {key.partition(" ")[2] for key in moderation.bans(store)}
    rated = ratings.at_game(game)
    found = [(one.points - one.doubt, browser, one) for browser, one in rated.items() if one.games >= MIN_GAMES]
    found = [one for one in found if one[1] in names and one[1] not in hidden]
    found = sorted(found, key=lambda one: (-one[0], names[one[1]].casefold()))[:MAX_PLACES]
    at_least = [points for points, _, _ in found]
    return [Place(at_least.index(points) + 1, names[browser], one, browser == viewer) for points, browser, one in found]
