"""A person's page: what waits, which games are open, how those that are over went, and a code to go on from another device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sutler.web.accounts.mail_links import Kept
from sutler.web.accounts.passkeys import Passkey, Site
from sutler.web.lobby import new_table
from sutler.web.routes.dependencies import Guest
from sutler.web.storage.listing_row import Standing
from sutler.web.table.registry import House
from sutler.web.tokens import browser_hash
from sutler.web.view import render

MOST = 400
"""So many tables of a person are looked at, the latest."""


@dataclass
class Tally:
    """How games of one title went for a person."""

    title: str
    played: int = 0
    won: int = 0
    shared: int = 0
    """Won together with others, who sat elsewhere."""


@dataclass(frozen=True)
class KeyRing:
    """What leads back to a person: passkeys and mail addresses.

    `known`: does the house have what checks passkeys; `site`: where they are good, if anywhere? `mail`: does it send links?
    """

    known: bool
    site: Site | None
    keys: list[Passkey]
    mail: bool = False
    mails: Sequence[Kept] = ()

    @property
    def leads_back(self) -> bool:
        """Would one come back to one's tables, once this browser knows nothing?"""
        return bool(self.keys or (self.mail and self.mails))


def page(house: House, guest: Guest, ring: KeyRing, code: str = "", notice: str = "") -> str:
    """The page. `code`: one that was just made; `notice`: what went wrong."""
    held = house.store.seats_of(browser_hash(guest.browser))
    house.bring_up_to_date(list(held))
    open_ones = [(at, one) for at, one in house.store.standings(list(held), over=False, limit=MOST) if not one.lesson]
    over = [(at, one) for at, one in house.store.standings(list(held), over=True, limit=MOST) if not one.lesson]
    rows = [new_table.row(house, at, one, held[one.table]) for at, one in open_ones]
    return render.render(
        "mine.html",
        waiting=[row for row in rows if row.mine_to_act],
        others=[row for row in rows if not row.mine_to_act],
        finished=[new_table.row(house, at, one, held[one.table]) for at, one in over],
        tallies=tallies([one for _, one in over], held),
        name=guest.name or new_table.name_for(guest.browser),
        theme=guest.theme,
        ring=ring,
        bell=house.tower.public if house.tower else "",
        code=code,
        notice=notice,
        sprite=render.sprite_url(),
    )


def tallies(over: list[Standing], held: dict[str, list[int]]) -> list[Tally]:
    """How games went, by title. A table at which a person held all seats says nothing of them, and is left out."""
    found: dict[str, Tally] = {}
    for one in over:
        mine = set(held[one.table])
        if len(mine) == len(one.seats) > 1:
            continue
        tally = found.setdefault(one.game, Tally(one.title))
        tally.played += 1
        won = mine & set(one.winners)
        tally.won += bool(won) and len(one.winners) == 1
        tally.shared += bool(won) and len(one.winners) > 1
    return sorted(found.values(), key=lambda tally: -tally.played)
