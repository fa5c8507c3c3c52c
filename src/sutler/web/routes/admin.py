"""For whoever keeps the house: which tables there are, how busy it is, what is kept about a person, and that it be forgotten.

One comes in with a word that `sutler admin` prints. To everybody else there is nothing here.
"""

import hashlib
import hmac
import secrets
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, Form, Path, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints

from sutler.web.accounts import moderation, privacy
from sutler.web.errors import Lost
from sutler.web.jobs.queue import LANES
from sutler.web.lobby import new_table
from sutler.web.routes.dependencies import Html, TheGuest, TheHouse, house_of
from sutler.web.storage.store import Store
from sutler.web.table.registry import House
from sutler.web.view import render

COOKIE = "sutler_admin"
WORD = "admin"
"""Under this name the house remembers a hash of the word."""
SHOWN = 100
at = APIRouter(prefix="/admin")


class Word(BaseModel):
    """What whoever keeps the house was told by `sutler admin`."""

    model_config = ConfigDict(extra="ignore")
    word: str


def hashed(word: str) -> str:
    """What is kept of a word: enough to know it again."""
    return hashlib.sha256(word.encode("utf-8", "replace")).hexdigest()


def is_keeper(house: House, word: str) -> bool:
    """Is this the word? There is none until `sutler admin` has made one."""
    kept = house.store.remembered(WORD)
    return bool(kept) and hmac.compare_digest(str(kept), hashed(word))


def new_word(url: str) -> str:
    """A new word for a house; the one before it opens nothing any more."""
    word, store = secrets.token_urlsafe(24), Store(url)
    store.remember(WORD, hashed(word))
    store.close()
    return word


def keeper(request: Request) -> None:
    """Lost, as if there were nothing, for all who do not keep the house."""
    if not is_keeper(house_of(request), request.cookies.get(COOKIE, "")):
        raise Lost("There is nothing at this address.")


ForKeepers = [Depends(keeper)]


class Shutting(BaseModel):
    """Whom to shut out, and for how many hours: an empty field, for good."""

    model_config = ConfigDict(extra="ignore")
    who: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    hours: Annotated[float | None, BeforeValidator(lambda text: text or None)] = None


class Whom(BaseModel):
    """Whom to let in again."""

    model_config = ConfigDict(extra="ignore")
    who: Annotated[str, StringConstraints(min_length=1, max_length=80)]


TableName: TypeAlias = Annotated[str, Path(pattern="^[a-z2-7]{12}$")]
Browser: TypeAlias = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]


@at.get("", response_class=Html)
def door(request: Request, guest: TheGuest, house: TheHouse) -> Html:
    if not is_keeper(house, request.cookies.get(COOKIE, "")):
        return Html(render.render("admindoor.html", theme=guest.theme, sprite=render.sprite_url()), status_code=403)
    rooms = house.rooms()
    waiting = house.errands.waiting(*LANES) if house.store.due is None else house.store.due.waiting(*LANES)
    load = {
        "tables": house.store.count(),
        "held in memory here": len(rooms),
        "pages that listen here": sum(len(room.ears) for room in rooms),
        "decisions that wait": sum(waiting.values()),
    }
    lines = house.store.standings(house.store.tables()[-SHOWN:], limit=SHOWN)
    tables = [(when, line, privacy.at_table(house.store, line.table)) for when, line in lines]
    out = {who: until and moderation.said_time(until) for who, until in moderation.bans(house.store).items()}
    told = {"load": load, "tables": tables, "shown": SHOWN, "bans": out, "book": moderation.book(house.store)}
    return Html(
        render.render("admin.html", theme=guest.theme, sprite=render.sprite_url(), where=new_table.where, **told)
    )


@at.post("", response_class=Html, status_code=303)
def come_in(house: TheHouse, form: Annotated[Word, Form()]) -> Response:
    if not is_keeper(house, form.word.strip()):
        raise Lost("This is not the word. `sutler admin` makes a new one.", status=403)
    response = RedirectResponse("/admin", status_code=303)
    response.set_cookie(COOKIE, form.word.strip(), path="/admin", httponly=True, samesite="strict")
    return response


@at.get("/people/{browser}", dependencies=ForKeepers)
def about(house: TheHouse, browser: Browser) -> Response:
    name = f"person-{browser[:8]}.json"
    head = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JSONResponse(privacy.about(house.store, browser), headers=head)


@at.post("/people/{browser}/forget", dependencies=ForKeepers, response_class=Html, status_code=303)
def forget(house: TheHouse, browser: Browser) -> Response:
    house.forget(browser)
    return RedirectResponse("/admin", status_code=303)


@at.post("/tables/{table}/remove", dependencies=ForKeepers, response_class=Html, status_code=303)
def take_away(house: TheHouse, table: TableName) -> Response:
    house.remove(table)
    return RedirectResponse("/admin", status_code=303)


@at.post("/bans", dependencies=ForKeepers, response_class=Html, status_code=303)
def shut_out(house: TheHouse, form: Annotated[Shutting, Form()]) -> Response:
    moderation.ban(house.store, form.who, form.hours)
    house.door.look()
    return RedirectResponse("/admin", status_code=303)


@at.post("/bans/lift", dependencies=ForKeepers, response_class=Html, status_code=303)
def let_in(house: TheHouse, form: Annotated[Whom, Form()]) -> Response:
    moderation.lift(house.store, form.who.removeprefix("address ").removeprefix("person "))
    house.door.look()
    return RedirectResponse("/admin", status_code=303)
