"""The lobby's page: covers, the person's tables, open seats, tables to watch and to replay, and the form for a new table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sutler.bots import levels
from sutler.core.definition import find_part_file
from sutler.core.text.language import _, listed, many
from sutler.web import wording
from sutler.web.accounts.leaderboard import best_at
from sutler.web.events import MAX_SEATS, SeatPlan
from sutler.web.lobby import open_seats, puzzle_page
from sutler.web.lobby.new_table import BOT_NAMES
from sutler.web.lobby.uploads import OpenedFile
from sutler.web.root_path import root
from sutler.web.shelf import Cover
from sutler.web.storage.listing_row import Standing
from sutler.web.table.registry import House
from sutler.web.table.snapshot import turn_and_phase_text
from sutler.web.table.teaching import lessons
from sutler.web.table.teaching.puzzles import is_puzzle
from sutler.web.tokens import browser_hash, seat_token
from sutler.web.view import render


@dataclass(frozen=True)
class Row:
    """One table in a list of the lobby."""

    table: str
    href: str
    title: str
    where: str
    others: str
    seats: tuple[SeatPlan, ...]
    to_act: int | None
    mine_to_act: bool
    awaited: str
    """The names of the people who must answer a proposal; the viewer is "you"."""
    over: bool
    winner: str
    said: int
    """The number of chat lines; 0 for viewers without a seat there."""
    at: datetime


def page(
    house: House, name: str, theme: str, browser: str, game: str, has_lab: bool = True, opened: OpenedFile | None = None
) -> str:
    """The lobby as HTML. `browser`: the viewer's cookie; `game`: the chosen game; `opened`: an uploaded file that fills in the form."""
    covers = house.shelf.covers()
    chosen = next((cover for cover in covers if cover.name == game), covers[0])
    held = house.store.seats_of(browser_hash(browser))
    house.write_listings(list(held))
    mine = [
        row(house, at, one, held[one.table])
        for at, one in house.store.standings(list(held), over=False)
        if not is_puzzle(one.lesson)
    ]
    watch = [row(house, at, one) for at, one in house.store.standings(over=False, limit=12) if one.table not in held]
    finished = [
        row(house, at, one)
        for at, one in house.store.standings(over=True, limit=12)
        if not one.lesson and (one.open_to_watch or one.table in held)
    ]
    return render.render(
        "lobby.html",
        covers=covers,
        chosen=chosen,
        mine=sorted(mine, key=lambda row: not row.mine_to_act),
        watch=watch,
        finished=finished,
        best=best_at(house.store, house.ratings, chosen.name, browser_hash(browser)),
        today=puzzle_page.puzzle_of_today(house),
        offered=open_seats.open_tables(house, browser),
        name=name,
        theme=theme,
        notice="",
        has_lab=has_lab,
        sprite=render.sprite_url(),
        form=setup_form(house, chosen, name, opened),
    )


def row(house: House, at: datetime, standing: Standing, held: list[int] | None = None) -> Row:
    """The row of a table. It links to the first of the viewer's seats there (`held`), or to watching. `at`: when it was written."""
    seats = standing.seats
    mine = held or []
    if mine:
        href = f"{root()}/seat/{seat_token(house.key, standing.table, mine[0])}"
    else:
        href = f"{root()}/watch/{standing.table}" + ("?moment=0" if standing.over else "")
    others = ", ".join(plan.name for i, plan in enumerate(seats) if i not in mine)
    winner = listed([seats[i].name for i in standing.winners])
    return Row(
        standing.table,
        href,
        standing.title,
        progress_text(standing) if not standing.over else many("{n} decision", "{n} decisions", standing.decisions),
        others,
        seats,
        standing.to_act,
        not standing.over and (bool({*standing.awaited} & {*mine}) if standing.awaited else standing.to_act in mine),
        listed([_("you") if i in mine else seats[i].name for i in standing.awaited]) if mine else "",
        standing.over,
        _("{names} won", names=winner) if winner else _("over"),
        standing.said if mine else 0,
        at,
    )


def progress_text(standing: Standing) -> str:
    """How far the game or lesson is: "turn 7, Work". A phase without a name in the reader's language is left out."""
    if standing.steps:
        return lessons.step_text(standing.lesson, standing.step, standing.steps)
    texts = wording.texts_of(standing.game)
    told = turn_and_phase_text(standing.turn, texts(standing.phase) if texts.speaks() else "")
    return told or many("{n} decision", "{n} decisions", standing.decisions)


def setup_form(house: House, cover: Cover, name: str, opened: OpenedFile | None = None) -> str:
    """The form for a new table of a game, as HTML, with its seats and options. `opened`: an uploaded file that fills it in."""
    game = house.shelf.box_summary(cover.name)
    least, most = int(game.min_seats), min(int(game.max_seats), MAX_SEATS)
    usual = opened.seats if opened and opened.seats else game.usual_seats
    spare = [one for one in BOT_NAMES if one.casefold() != name.casefold()]
    places = []
    for i in range(most):
        kind = "me" if i == 0 else "normal" if i < usual else "none"
        note = _("this browser") if i == 0 else ""
        places.append({"name": name if i == 0 else spare[i - 1], "kind": kind, "open": i < usual, "note": note})
    options = sorted(game.options, key=lambda option: option.kind != "flag")
    return render.render(
        "setup.html",
        cover=cover,
        least=least,
        places=places,
        options=options,
        levels=list(levels()),
        has_styles=find_part_file(house.shelf.folder(cover.name), "bot", "personas") is not None,
        opened=opened,
    )
