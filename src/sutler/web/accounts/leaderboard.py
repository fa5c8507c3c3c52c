"""The tables of the best players, one for each game: people who chose to be listed, by name, in the order of their ratings.

Nobody is listed who has not asked for it. A listing is a name beside the hash of a browser's cookie, and is deleted with the person.
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
"""Rated games in a game after which a listed person appears in its table."""
MAX_PLACES = 10


@dataclass(frozen=True)
class Place:
    """A person's place in a game's table of the best. `place`: from 1, shared by equals; `mine`: is the person the viewer?"""

    place: int
    name: str
    rating: Rating
    mine: bool


def list_person(store: Store, browser: str, name: str) -> None:
    """List a person under a name, replacing an earlier listing. `browser`: the hash of their cookie."""
    row = {"browser": browser, "name": name, "since": datetime.now(UTC)}

    def write(connection: Connection) -> None:
        """Replace the person's row within one transaction."""
        connection.execute(delete(LISTED).where(LISTED.c.browser == browser))
        connection.execute(LISTED.insert(), [row])

    store.run_in_transaction(write)


def rename_person(store: Store, browser: str, name: str) -> None:
    """Change the name under which a person is listed. `browser`: the hash of their cookie."""
    store.run_in_transaction(
        lambda connection: connection.execute(update(LISTED).where(LISTED.c.browser == browser).values(name=name))
    )


def unlist_person(store: Store, browser: str) -> None:
    """Remove a person from all tables of the best. `browser`: the hash of their cookie."""
    store.run_in_transaction(lambda connection: connection.execute(delete(LISTED).where(LISTED.c.browser == browser)))


def is_listed(store: Store, browser: str) -> bool:
    """Has the person with this hash of a cookie chosen to be listed?"""
    with store.engine.connect() as connection:
        return connection.execute(select(LISTED.c.browser).where(LISTED.c.browser == browser)).first() is not None


def list_best_players(store: Store, ratings: Ratings, game: str, viewer: str = "") -> list[Place]:
    """The best players of a game, best first, among those who are listed and neither banned nor muted.

    They are ordered by a lower bound of their rating (points less doubt), so that a few lucky games lead nobody to the top. `viewer`: the
    hash of the viewer's cookie.
    """
    with store.engine.connect() as connection:
        names = {row.browser: row.name for row in connection.execute(select(LISTED.c.browser, LISTED.c.name))}
    if not names:
        return []
    hidden = {key.partition(" ")[2] for key in moderation.load_bans(store)}
    rated = ratings.get_game_ratings(game)
    found = [(one.points - one.doubt, browser, one) for browser, one in rated.items() if one.games >= MIN_GAMES]
    found = [one for one in found if one[1] in names and one[1] not in hidden]
    found = sorted(found, key=lambda one: (-one[0], names[one[1]].casefold()))[:MAX_PLACES]
    at_least = [points for points, _, _ in found]
    return [Place(at_least.index(points) + 1, names[browser], one, browser == viewer) for points, browser, one in found]
