"""A person's page: tables that wait for them, open and finished games, and a code to go on from another device."""

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
from sutler.web.tokens import browser_hash
from sutler.web.view import render

MAX_TABLES = 400
"""A person's newest tables that are listed."""
MAX_OPPONENTS = 10
NOT_RATED: Mapping[str, Rating] = MappingProxyType({})


@dataclass
class Tally:
    """A person's results in games of one title."""

    title: str
    played: int = 0
    won: int = 0
    shared: int = 0
    """Won together with people at other seats."""
    rating: Rating | None = None
    """None where no rated game was played."""


@dataclass
class Opponent:
    """Somebody a person has played with: how many games, how many of them the person won, and the other one did."""

    name: str
    games: int = 0
    won: int = 0
    lost: int = 0


@dataclass(frozen=True)
class WaysBack:
    """A person's ways back to their tables: passkeys and mail addresses.

    `known`: can the house check passkeys? `site`: where they are valid, None for nowhere; `mail`: does the house send links?
    """

    known: bool
    site: Site | None
    keys: list[Passkey]
    mail: bool = False
    mails: Sequence[StoredAddress] = ()

    @property
    def leads_back(self) -> bool:
        """Can the person come back to their tables once this browser has lost its cookie?"""
        return bool(self.keys or (self.mail and self.mails))


def page(house: House, guest: Guest, ring: WaysBack, code: str = "", notice: str = "") -> str:
    """The page as HTML. `code`: one that was just made; `notice`: what went wrong."""
    held = house.store.seats_of(browser_hash(guest.browser))
    house.write_listings(list(held))
    open_ones = [
        (at, one) for at, one in house.store.standings(list(held), over=False, limit=MAX_TABLES) if not one.lesson
    ]
    over = [(at, one) for at, one in house.store.standings(list(held), over=True, limit=MAX_TABLES) if not one.lesson]
    rows = [lobby_page.row(house, at, one, held[one.table]) for at, one in open_ones]
    return render.render(
        "mine.html",
        waiting=[row for row in rows if row.mine_to_act],
        others=[row for row in rows if not row.mine_to_act],
        finished=[lobby_page.row(house, at, one, held[one.table]) for at, one in over],
        tallies=tallies([one for _, one in over], held, house.ratings.of(browser_hash(guest.browser))),
        opponents=opponents([one for _, one in over], held),
        is_listed=leaderboard.is_listed(house.store, browser_hash(guest.browser)),
        min_games=leaderboard.MIN_GAMES,
        name=guest.name or new_table.default_name(guest.browser),
        theme=guest.theme,
        ring=ring,
        bell=house.notifier.public if house.notifier else "",
        code=code,
        notice=notice,
        kept=bool(guest.browser),
        sprite=render.sprite_url(),
    )


def opponents(over: list[Standing], held: dict[str, list[int]]) -> list[Opponent]:
    """The people this person has played with most, by the names they went by."""
    found: dict[str, Opponent] = {}
    for one in over:
        mine = set(held[one.table])
        for seat, plan in enumerate(one.seats):
            if seat not in mine and plan.kind in ("me", "link"):
                other = found.setdefault(plan.name, Opponent(plan.name))
                other.games += 1
                other.won += bool(mine & set(one.winners))
                other.lost += seat in one.winners and not mine & set(one.winners)
    return sorted(found.values(), key=lambda other: (-other.games, other.name))[:MAX_OPPONENTS]


def tallies(over: list[Standing], held: dict[str, list[int]], rated: Mapping[str, Rating] = NOT_RATED) -> list[Tally]:
    """Results by title. Tables at which the person held all seats are left out."""
    found: dict[str, Tally] = {}
    for one in over:
        mine = set(held[one.table])
        if len(mine) == len(one.seats) > 1:
            continue
        tally = found.setdefault(one.game, Tally(one.title, rating=rated.get(one.game)))
        tally.played += 1
        won = mine & set(one.winners)
        tally.won += bool(won) and len(one.winners) == 1
        tally.shared += bool(won) and len(one.winners) > 1
    return sorted(found.values(), key=lambda tally: -tally.played)
