"""A person's page: open tables, results by game, best turns, people they have played with, and ways to continue on another device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from sutler.core.text.language import join_with_and
from sutler.web import sentence_html
from sutler.web.accounts import ignore_list, leaderboard
from sutler.web.accounts.mail_links import StoredAddress
from sutler.web.accounts.passkeys import Passkey, Site
from sutler.web.accounts.privacy import FORGOTTEN_NAME
from sutler.web.accounts.ratings import Rating
from sutler.web.lobby import lobby_page, new_table
from sutler.web.lobby.lobby_page import Row
from sutler.web.routes.dependencies import Guest
from sutler.web.storage.listing_row import Standing
from sutler.web.table.registry import House
from sutler.web.table.table_as_seen import format_turn_and_phase
from sutler.web.tokens import hash_browser
from sutler.web.view import jinja_templates

MAX_TABLES = 400
"""The most tables of a person that are listed, the newest."""
MAX_OPPONENTS = 10
MAX_RESULTS = 14
"""The most results of one game that are shown in a line, the newest."""
MAX_BEST_TURNS = 4
MAX_FINISHED = 8
"""The most finished games that are listed at once; the others are folded away."""
NOT_RATED: Mapping[str, Rating] = MappingProxyType({})


@dataclass(frozen=True)
class Result:
    """How one game ended for a person.

    `href`: where it is replayed; `place`: of `seats`, 0 where a team has lost; `others`: whom they played with.
    """

    href: str
    place: int
    seats: int
    others: str
    at: datetime


@dataclass(frozen=True)
class TurnRow:
    """A row of the list of best turns: a turn after which the person's chance to win had risen most.

    `when`: the turn and phase in words; `before`, `after`: the chance in hundredths.
    """

    href: str
    game: str
    title: str
    when: str
    others: str
    before: int
    after: int


@dataclass
class Tally:
    """The results of one person in one game: numbers of games, by how they ended for that person."""

    game: str
    title: str
    played: int = 0
    won: int = 0
    shared: int = 0
    """Games won together with other seats."""
    rating: Rating | None = None
    """The person's rating; None where no rated game was played."""
    wash: str = ""
    """The colour of the game's cover."""
    results: list[Result] = field(default_factory=list)
    """How the newest games ended, the newest last."""


@dataclass
class Opponent:
    """A person with whom the page's owner has played: the number of games, how many the owner won, and how many the other won (`lost`).

    `table`, `title`, `company`: the newest of these games, its name and everybody else who played it; `seat`: the other's there.
    """

    name: str
    games: int = 0
    won: int = 0
    lost: int = 0
    table: str = ""
    title: str = ""
    company: str = ""
    seat: int = 0


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


def render_my_page(
    house: House, guest: Guest, ways_back: WaysBack, code: str = "", notice: str = "", address: str = ""
) -> str:
    """The page as HTML.

    `ways_back`: the person's ways back; `code`: one that was just made, to be used at this server's `address`; `notice`: an error to show.
    """
    held = house.store.load_seats_of_browser(hash_browser(guest.browser))
    house.write_listings(list(held))
    open_ones = [
        (at, one) for at, one in house.store.load_standings(list(held), over=False, limit=MAX_TABLES) if not one.lesson
    ]
    over = [
        (at, one) for at, one in house.store.load_standings(list(held), over=True, limit=MAX_TABLES) if not one.lesson
    ]
    rows = [lobby_page.build_row(house, at, one, held[one.table]) for at, one in open_ones]
    finished = [lobby_page.build_row(house, at, one, held[one.table]) for at, one in over]
    tallies = tally_results([one for _, one in over], held, house.ratings.get_ratings(hash_browser(guest.browser)))
    washes = {cover.name: cover.wash for cover in house.shelf.list_covers()}
    for tally in tallies:
        tally.wash = washes.get(tally.game, "")
        tally.results = list_results(over, held, finished, tally.game)
    return jinja_templates.render(
        "mine.html",
        first_game=house.shelf.list_covers()[0].name,
        waiting=[row for row in rows if row.mine_to_act],
        others=[row for row in rows if not row.mine_to_act],
        finished=finished[:MAX_FINISHED],
        earlier=finished[MAX_FINISHED:],
        tallies=tallies,
        best_turns=list_best_turns([one for _, one in over], held, finished),
        muted=ignore_list.count_ignored(house.store, hash_browser(guest.browser)),
        opponents=list_opponents([one for _, one in over], held),
        is_listed=leaderboard.is_listed(house.store, hash_browser(guest.browser)),
        min_games=leaderboard.MIN_GAMES,
        name=guest.name or new_table.make_default_name(guest.browser),
        theme=guest.theme,
        ring=ways_back,
        bell=house.notifier.public if house.notifier else "",
        code=code,
        address=address,
        notice=notice,
        kept=bool(guest.browser),
        sprite=jinja_templates.sprite_url(),
    )


def list_results(
    over: Sequence[tuple[datetime, Standing]], seats_by_table: Mapping[str, list[int]], rows: Sequence[Row], game: str
) -> list[Result]:
    """How a person's newest games of one title ended, the newest last. Tables at which they held all seats are left out.

    `over`: the person's finished tables with their times, newest first; `rows`: the row of each in a list.
    """
    found = []
    for (at, one), row in zip(over, rows, strict=True):
        mine = seats_by_table[one.table]
        if one.game != game or len(mine) == len(one.seats) > 1 or not one.places:
            continue
        place = min(one.places[seat] for seat in mine)
        team_lost = not one.winners
        found.append(Result(row.href, 0 if team_lost else place, len(one.seats), row.others, at))
    return found[:MAX_RESULTS][::-1]


def list_best_turns(
    finished: Sequence[Standing], seats_by_table: Mapping[str, list[int]], rows: Sequence[Row]
) -> list[TurnRow]:
    """The turns of a person's finished games after which their chance to win had risen most, the greatest rise first.

    `finished`: the person's finished tables; `seats_by_table`: the person's seats at each; `rows`: the row of each in a list.
    """
    found = []
    for one, row in zip(finished, rows, strict=True):
        mine = seats_by_table[one.table]
        for turn in one.best_turns:
            if turn.seat in mine and len(mine) < max(2, len(one.seats)):
                texts = sentence_html.get_game_texts(one.game)
                when = format_turn_and_phase(turn.turn, texts(turn.phase) if texts.has_reader_language() else "")
                href = f"{row.href}?moment={turn.decision}"
                found.append(TurnRow(href, one.game, one.title, when, row.others, turn.before, turn.after))
    return sorted(found, key=lambda turn: turn.before - turn.after)[:MAX_BEST_TURNS]


def list_opponents(finished: list[Standing], seats_by_table: dict[str, list[int]]) -> list[Opponent]:
    """The people whom this person has played with most, by name.

    `finished`: the person's finished tables, newest first; `seats_by_table`: the person's seats at each.
    """
    found: dict[str, Opponent] = {}
    for one in finished:
        mine = set(seats_by_table[one.table])
        for seat, plan in enumerate(one.seats):
            if seat not in mine and plan.kind in ("me", "link") and plan.name != FORGOTTEN_NAME:
                if plan.name not in found:  # the newest game comes first
                    company = join_with_and([other.name for i, other in enumerate(one.seats) if i not in mine])
                    found[plan.name] = Opponent(plan.name, table=one.table, title=one.title, company=company, seat=seat)
                other = found[plan.name]
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
        tally = found.setdefault(one.game, Tally(one.game, one.title, rating=ratings_by_game.get(one.game)))
        tally.played += 1
        won = mine & set(one.winners)
        tally.won += bool(won) and len(one.winners) == 1
        tally.shared += bool(won) and len(one.winners) > 1
    return sorted(found.values(), key=lambda tally: -tally.played)
