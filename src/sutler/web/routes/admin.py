"""The administrator's pages: tables, load, a person's data and their deletion, reports, bans.

One signs in with a key that `sutler admin` prints. For everybody else there is nothing at these addresses.
"""

import hashlib
import hmac
import itertools
import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints

from sutler.web.accounts import moderation, privacy, reports
from sutler.web.errors import Lost
from sutler.web.jobs.job_queue import LANES
from sutler.web.lobby import lobby_page
from sutler.web.routes.dependencies import Guest, Html, TheGuest, TheHouse, get_house
from sutler.web.storage.listing_row import Standing
from sutler.web.storage.store import Store
from sutler.web.table.people import chat
from sutler.web.table.registry import House
from sutler.web.view import jinja_templates

COOKIE = "sutler_admin"
KEY_NAME = "admin"
"""The name under which the database stores a hash of the key."""
MAX_TABLES_SHOWN = 100
MAX_TABLES_SEARCHED = 2000
"""The most tables, the newest, that a search of the administrator looks through."""
at = APIRouter(prefix="/admin")


class KeyForm(BaseModel):
    """The form with the key that `sutler admin` printed."""

    model_config = ConfigDict(extra="ignore")
    word: str


def hash_key(key: str) -> str:
    """The hash of a key; only the hash is stored."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def is_admin_key(house: House, key: str) -> bool:
    """Is this the administrator's key? False until `sutler admin` has made one."""
    kept = house.store.get_value(KEY_NAME)
    return bool(kept) and hmac.compare_digest(str(kept), hash_key(key))


def create_key(url: str) -> str:
    """Make a new key for the database at `url` and return it; the previous one becomes void."""
    word, store = secrets.token_urlsafe(24), Store(url)
    store.set_value(KEY_NAME, hash_key(word))
    store.close()
    return word


def require_admin(request: Request) -> None:
    """Raise Lost, as if there were nothing, unless the administrator sent the request."""
    if not is_admin_key(get_house(request), request.cookies.get(COOKIE, "")):
        raise Lost("There is nothing at this address.")


AdminOnly = [Depends(require_admin)]


class BanForm(BaseModel):
    """The form of a ban: whom, and for how many hours; an empty field means without end."""

    model_config = ConfigDict(extra="ignore")
    who: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    hours: Annotated[float | None, BeforeValidator(lambda text: text or None)] = None


class DecisionForm(BaseModel):
    """The form of a decision on a report, and for how many hours somebody is muted; an empty field means without end."""

    model_config = ConfigDict(extra="ignore")
    decision: reports.Decision
    hours: Annotated[float | None, BeforeValidator(lambda text: text or None)] = None


class LiftForm(BaseModel):
    """The form that lifts the ban of somebody."""

    model_config = ConfigDict(extra="ignore")
    who: Annotated[str, StringConstraints(min_length=1, max_length=80)]


TableName: TypeAlias = Annotated[str, Path(pattern="^[a-z2-7]{12}$")]
Browser: TypeAlias = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]


@at.get("", response_class=Html)
def show_admin_page(
    request: Request, guest: TheGuest, house: TheHouse, find: Annotated[str, Query(max_length=80)] = ""
) -> Html:
    """The administrator's page; the form for the key where nobody is signed in.

    `find`: tables are listed whose game, id, names or people's numbers contain these words, among the newest `MAX_TABLES_SEARCHED`.
    """
    if not is_admin_key(house, request.cookies.get(COOKIE, "")):
        return _render_sign_in_form(guest)
    rooms = house.list_loaded_rooms()
    waiting = (
        house.job_queue.count_waiting_by_lane(*LANES)
        if house.store.due is None
        else house.store.due.count_waiting_by_lane(*LANES)
    )
    load = {
        "tables": house.store.count_tables(),
        "tables in memory": len(rooms),
        "open pages": sum(len(room.subscribers) for room in rooms),
        "bots’ moves to do": sum(waiting.values()),
    }
    tables = _list_tables(house, find.strip())
    out = {who: until and moderation.format_time(until) for who, until in moderation.load_bans(house.store).items()}
    told = {
        "load": load,
        "reports": reports.load_open_reports(house.store),
        "tables": tables,
        "shown": MAX_TABLES_SHOWN,
        "find": find.strip(),
        "bans": out,
        "book": moderation.load_newest_entries(house.store),
    }
    return Html(
        jinja_templates.render(
            "admin.html",
            theme=guest.theme,
            sprite=jinja_templates.sprite_url(),
            where=lobby_page.format_progress,
            **told,
        )
    )


def _list_tables(house: House, find: str) -> list[tuple[datetime, Standing, dict[str, list[int]]]]:
    """Rows of the newest tables, newest first: (time, row, {browser: its seats}). `find`: text that a row must contain, or ""."""
    newest = MAX_TABLES_SEARCHED if find else MAX_TABLES_SHOWN
    lines = house.store.load_standings(house.store.list_tables()[-newest:], limit=newest)
    rows = ((when, line, house.store.load_browsers_at_table(line.table)) for when, line in lines)
    wanted = find.casefold()
    found = (row for row in rows if wanted in _search_text(row[1], row[2]))
    return list(itertools.islice(found, MAX_TABLES_SHOWN))


def _render_sign_in_form(guest: Guest, notice: str = "") -> Html:
    """The page on which the administrator signs in. `notice`: why the last try failed."""
    page = jinja_templates.render(
        "admindoor.html", theme=guest.theme, sprite=jinja_templates.sprite_url(), notice=notice
    )
    return Html(page, status_code=403)


def _search_text(line: Standing, browsers: Iterable[str]) -> str:
    """Everything by which a table is found, in small letters: title, game, id, names, numbers of people."""
    return " ".join((line.title, line.game, line.table, *(seat.name for seat in line.seats), *browsers)).casefold()


@at.post("", response_class=Html, status_code=303)
def sign_in(guest: TheGuest, house: TheHouse, form: Annotated[KeyForm, Form()]) -> Response:
    """Sign in as the administrator with the key in the form; the form again where it is another."""
    if not is_admin_key(house, form.word.strip()):
        return _render_sign_in_form(guest, "This is not the password.")
    response = RedirectResponse("/admin", status_code=303)
    response.set_cookie(COOKIE, form.word.strip(), path="/admin", httponly=True, samesite="strict")
    return response


@at.get("/people/{browser}", dependencies=AdminOnly)
def download_person_data(house: TheHouse, browser: Browser) -> Response:
    """All data that are kept about a person, to download as JSON."""
    name = f"person-{browser[:8]}.json"
    head = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JSONResponse(privacy.collect_personal_data(house.store, browser), headers=head)


@at.post("/people/{browser}/forget", dependencies=AdminOnly, response_class=Html, status_code=303)
def forget_person(house: TheHouse, browser: Browser) -> Response:
    """Delete the data that are kept about a person."""
    house.forget_person(browser)
    return RedirectResponse("/admin", status_code=303)


@at.post("/tables/{table}/remove", dependencies=AdminOnly, response_class=Html, status_code=303)
def remove_table(house: TheHouse, table: TableName) -> Response:
    """Delete a table."""
    house.remove_table(table)
    return RedirectResponse("/admin", status_code=303)


@at.post("/reports/{number}", dependencies=AdminOnly, response_class=Html, status_code=303)
def decide_report(
    house: TheHouse, number: Annotated[int, Path(ge=1, le=2**31 - 1)], form: Annotated[DecisionForm, Form()]
) -> Response:
    """Dismiss a report, hide the reported line of chat, or mute the person, which hides the line too."""
    report = reports.load_open_report(house.store, number)
    reports.decide_report(house.store, report, form.decision, form.hours)
    if form.decision != "dismiss" and report.line is not None:
        chat.hide_chat_line(house.get_room(report.table), report.line)
    return RedirectResponse("/admin", status_code=303)


@at.post("/bans", dependencies=AdminOnly, response_class=Html, status_code=303)
def ban_client(house: TheHouse, form: Annotated[BanForm, Form()]) -> Response:
    """Ban somebody."""
    moderation.ban(house.store, form.who, form.hours)
    house.ban_list.refresh()
    return RedirectResponse("/admin", status_code=303)


@at.post("/bans/lift", dependencies=AdminOnly, response_class=Html, status_code=303)
def lift_ban(house: TheHouse, form: Annotated[LiftForm, Form()]) -> Response:
    """Lift the ban of somebody."""
    moderation.lift_ban(house.store, form.who.removeprefix("address ").removeprefix("person "))
    house.ban_list.refresh()
    return RedirectResponse("/admin", status_code=303)
