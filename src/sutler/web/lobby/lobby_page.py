"""The lobby's page: covers, the person's tables, open seats, tables to watch and to replay, and the form for a new table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sutler.bots import load_levels
from sutler.core.definition import find_part_file
from sutler.core.text.language import _, join_with_and, many
from sutler.web import sentence_html
from sutler.web.accounts.leaderboard import list_best_players
from sutler.web.events import MAX_SEATS, SeatPlan
from sutler.web.game_shelf import Cover
from sutler.web.lobby import open_seats, puzzle_page
from sutler.web.lobby.new_table import BOT_NAMES
from sutler.web.lobby.uploads import OpenedFile
from sutler.web.root_path import get_root_path
from sutler.web.storage.listing_row import Standing
from sutler.web.table.registry import House
from sutler.web.table.table_as_seen import format_turn_and_phase
from sutler.web.table.teaching import lessons
from sutler.web.table.teaching.puzzles import is_puzzle
from sutler.web.tokens import hash_browser, make_seat_token
from sutler.web.view import jinja_templates


@dataclass(frozen=True)
class Row:
    """One table in a list on the lobby's page."""

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


def render_lobby(
    house: House, name: str, theme: str, browser: str, game: str, has_lab: bool = True, opened: OpenedFile | None = None
) -> str:
    """The lobby as HTML. `browser`: the viewer's cookie; `game`: the chosen game; `opened`: an uploaded file that fills in the form."""
    covers = house.shelf.list_covers()
    chosen = next((cover for cover in covers if cover.name == game), covers[0])
    held = house.store.load_seats_of_browser(hash_browser(browser))
    house.write_listings(list(held))
    mine = [
        build_row(house, at, one, held[one.table])
        for at, one in house.store.load_standings(list(held), over=False)
        if not is_puzzle(one.lesson)
    ]
    watch = [
        build_row(house, at, one)
        for at, one in house.store.load_standings(over=False, limit=12)
        if one.table not in held
    ]
    finished = [
        build_row(house, at, one)
        for at, one in house.store.load_standings(over=True, limit=12)
        if not one.lesson and (one.open_to_watch or one.table in held)
    ]
    return jinja_templates.render(
        "lobby.html",
        covers=covers,
        chosen=chosen,
        mine=sorted(mine, key=lambda row: not row.mine_to_act),
        watch=watch,
        finished=finished,
        best=list_best_players(house.store, house.ratings, chosen.name, hash_browser(browser)),
        today=puzzle_page.choose_puzzle_of_today(house),
        offered=open_seats.list_open_tables(house, browser),
        name=name,
        theme=theme,
        notice="",
        has_lab=has_lab,
        sprite=jinja_templates.sprite_url(),
        form=render_setup_form(house, chosen, name, opened),
    )


def build_row(house: House, written_at: datetime, standing: Standing, own_seats: list[int] | None = None) -> Row:
    """A table's row in the lobby. It links to the first of the viewer's seats there (`own_seats`), or to watching.

    `written_at`: the time at which the table's row was stored.
    """
    seats = standing.seats
    mine = own_seats or []
    if mine:
        href = f"{get_root_path()}/seat/{make_seat_token(house.key, standing.table, mine[0])}"
    else:
        href = f"{get_root_path()}/watch/{standing.table}" + ("?moment=0" if standing.over else "")
    others = ", ".join(plan.name for i, plan in enumerate(seats) if i not in mine)
    winner = join_with_and([seats[i].name for i in standing.winners])
    return Row(
        standing.table,
        href,
        standing.title,
        format_progress(standing) if not standing.over else many("{n} decision", "{n} decisions", standing.decisions),
        others,
        seats,
        standing.to_act,
        not standing.over and (bool({*standing.awaited} & {*mine}) if standing.awaited else standing.to_act in mine),
        join_with_and([_("you") if i in mine else seats[i].name for i in standing.awaited]) if mine else "",
        standing.over,
        _("{names} won", names=winner) if winner else _("over"),
        standing.said if mine else 0,
        written_at,
    )


def format_progress(standing: Standing) -> str:
    """How far the game or lesson is: "turn 7, Work". A phase without a name in the reader's language is left out."""
    if standing.steps:
        return lessons.format_step(standing.lesson, standing.step, standing.steps)
    if not standing.begun:
        return _("waiting for players")
    texts = sentence_html.get_game_texts(standing.game)
    told = format_turn_and_phase(standing.turn, texts(standing.phase) if texts.has_reader_language() else "")
    return told or many("{n} decision", "{n} decisions", standing.decisions)


def render_setup_form(house: House, cover: Cover, name: str, opened: OpenedFile | None = None) -> str:
    """The form for a new table of a game, as HTML, with its seats and options. `opened`: an uploaded file that fills it in."""
    game = house.shelf.load_box_summary(cover.name)
    least, most = int(game.min_seats), min(int(game.max_seats), MAX_SEATS)
    usual = opened.seats if opened and opened.seats else game.usual_seats
    spare = [one for one in BOT_NAMES if one.casefold() != name.casefold()]
    places = []
    for i in range(most):
        kind = "me" if i == 0 else "normal" if i < usual else "none"
        note = _("this browser") if i == 0 else ""
        places.append({"name": name if i == 0 else spare[i - 1], "kind": kind, "open": i < usual, "note": note})
    options = sorted(game.options, key=lambda option: option.kind != "flag")
    return jinja_templates.render(
        "setup.html",
        cover=cover,
        least=least,
        places=places,
        options=options,
        levels=list(load_levels()),
        has_styles=find_part_file(house.shelf.find_game_folder(cover.name), "bot", "personas") is not None,
        opened=opened,
    )
