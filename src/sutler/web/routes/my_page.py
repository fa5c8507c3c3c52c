"""A person's page: tables that wait for them, running and finished games, results, and ways to continue on another device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sutler.web.accounts import leaderboard
from sutler.web.accounts.mail_links import StoredAddress
from sutler.web.accounts.passkeys import Passkey, Site
from sutler.web.accounts.ratings import Rating
from sutler.web.lobby import lobby_page, new_table
from sutler.web.routes.dependencies import Guest
from sutler.web.storage.listing_row import Standing
from sutler.web.table.registry import House
from sutler.web.tokens import hash_browser
from sutler.web.view import jinja_templates

MAX_TABLES = 400
"""The most tables of a person that are listed, the newest."""
MAX_OPPONENTS = 10
NOT_RATED: Mapping[str, Rating] = MappingProxyType({})


@dataclass
class Tally:
    """The results of one person in one game: numbers of games, by how they ended for that person."""

    title: str
    played: int = 0
    won: int = 0
    shared: int = 0
    """Games won together with other seats."""
    rating: Rating | None = None
    """The person's rating; None where no rated game was played."""


@dataclass
class Opponent:
    """A person with whom the page's owner has played: the number of games, how many the owner won, and how many the other won (`lost`)."""

    name: str
    games: int = 0
    won: int = 0
    lost: int = 0


@dataclass(frozen=True)
class WaysBack:
    """The ways by which a person can return to their tables on another device: passkeys and mail addresses.

    `known`: can the server check passkeys? `site`: where they are valid, None for nowhere; `mail`: does the server send links?
    """

    known: bool
    site: Site | None
    keys: list[Passkey]
    mail: bool = False
    mails: Sequence[StoredAddress] = ()

    @property
    def leads_back(self) -> bool:
        """Can the person return to their tables if this browser loses its cookie?"""
        return bool(self.keys or (self.mail and self.mails))


def render_my_page(house: House, guest: Guest, ways_back: WaysBack, code: str = "", notice: str = "") -> str:
    """The page as HTML. `ways_back`: the person's ways back; `code`: one that was just made; `notice`: an error to show."""
    held = house.store.load_seats_of_browser(hash_browser(guest.browser))
    house.write_listings(list(held))
    open_ones = [
        (at, one) for at, one in house.store.load_standings(list(held), over=False, limit=MAX_TABLES) if not one.lesson
    ]
    over = [
        (at, one) for at, one in house.store.load_standings(list(held), over=True, limit=MAX_TABLES) if not one.lesson
    ]
    rows = [lobby_page.build_row(house, at, one, held[one.table]) for at, one in open_ones]
    return jinja_templates.render(
        "mine.html",
        first_game=house.shelf.list_covers()[0].name,
        waiting=[row for row in rows if row.mine_to_act],
        others=[row for row in rows if not row.mine_to_act],
        finished=[lobby_page.build_row(house, at, one, held[one.table]) for at, one in over],
        tallies=tally_results([one for _, one in over], held, house.ratings.get_ratings(hash_browser(guest.browser))),
        opponents=list_opponents([one for _, one in over], held),
        is_listed=leaderboard.is_listed(house.store, hash_browser(guest.browser)),
        min_games=leaderboard.MIN_GAMES,
        name=guest.name or new_table.make_default_name(guest.browser),
        theme=guest.theme,
        ring=ways_back,
        bell=house.notifier.public if house.notifier else "",
        code=code,
        notice=notice,
        kept=bool(guest.browser),
        sprite=jinja_templates.sprite_url(),
    )


def list_opponents(finished: list[Standing], seats_by_table: dict[str, list[int]]) -> list[Opponent]:
    """The people whom this person has played with most, by name.

    `finished`: the person's finished tables; `seats_by_table`: the person's seats at each.
    """
    found: dict[str, Opponent] = {}
    for one in finished:
        mine = set(seats_by_table[one.table])
        for seat, plan in enumerate(one.seats):
            if seat not in mine and plan.kind in ("me", "link"):
                other = found.setdefault(plan.name, Opponent(plan.name))
                other.games += 1
                other.won += bool(mine & set(one.winners))
                other.lost += seat in one.winners and not mine & set(one.winners)
    return sorted(found.values(), key=lambda other: (-other.games, other.name))[:MAX_OPPONENTS]


def tally_results(
    finished: list[Standing], seats_by_table: dict[str, list[int]], ratings_by_game: Mapping[str, Rating] = NOT_RATED
) -> list[Tally]:
    """A person's results, a tally for each game. Tables at which the person held all seats are left out.

    `finished`: finished tables; `seats_by_table`: the person's seats at each table; `ratings_by_game`: the person's ratings by game.
    """
    found: dict[str, Tally] = {}
    for one in finished:
        mine = set(seats_by_table[one.table])
        if len(mine) == len(one.seats) > 1:
            continue
        tally = found.setdefault(one.game, Tally(one.title, rating=ratings_by_game.get(one.game)))
        tally.played += 1
        won = mine & set(one.winners)
        tally.won += bool(won) and len(one.winners) == 1
        tally.shared += bool(won) and len(one.winners) > 1
    return sorted(found.values(), key=lambda tally: -tally.played)
