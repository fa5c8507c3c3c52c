"""The routes: from an address to what it asks for, and back to a page. Nothing is decided here."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias
from urllib.parse import quote, unquote

from fastapi import APIRouter, Depends, FastAPI, File, Form, Query, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from sutler.web import files, hints, labpages, lobby, pages, rematch, takeback
from sutler.web.games import Shelf
from sutler.web.guard import Guard
from sutler.web.house import House
from sutler.web.lab import Lab
from sutler.web.limits import Limits
from sutler.web.links import browser_hash, new_browser_id
from sutler.web.protocol import MAX_FILE, Lost, Name, Refused, Said, Talk, Trouble, Used
from sutler.web.store import Store
from sutler.web.viewers import Viewer

YEAR = 365 * 24 * 3600
HEARTBEAT = 15.0
Html = HTMLResponse


class Play(BaseModel):
    """A click: the action by name, the decision it answers."""

    model_config = ConfigDict(extra="ignore")
    action: str
    decision: int
    eyes: int | None = None


class Back(BaseModel):
    """Undo, or the question whether one may."""

    model_config = ConfigDict(extra="ignore")
    decision: int
    yes: str = ""


class GoingOn(BaseModel):
    """How a game goes on that changed rules lead elsewhere: from where all agreed, or from a state that was kept."""

    model_config = ConfigDict(extra="ignore")
    kept: str = ""


class Saying(BaseModel):
    """Words said at the table."""

    model_config = ConfigDict(extra="ignore")
    text: Talk


class Called(BaseModel):
    """A name."""

    model_config = ConfigDict(extra="ignore")
    name: Name


def create_app(
    database_url: str = "sqlite://",
    bot_pause: float = 0.35,
    warm: bool = True,
    lab_folder: Path | None = None,
    *,
    lab: bool = True,
    limits: Limits | None = None,
    hosts: Sequence[str] = (),
) -> FastAPI:
    """The table as a web application. `warm`: see to compiled rules behind the scenes.

    The lab's questions and reports are kept in `lab_folder`, or nowhere; `lab`: is there one at all? `limits`: how much
    one client may ask for (none said: as much as it likes); `hosts`: the names the house answers to.
    """

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        if warm:
            app.state.house.warm()
        yield
        app.state.lab.close()
        app.state.house.close()

    app = FastAPI(title="Sutler", docs_url=None, redoc_url=None, lifespan=life)
    app.state.house = House(Store(database_url), Shelf(), bot_pause)
    app.state.lab = Lab(lab_folder)
    app.state.has_lab = lab
    app.add_middleware(Guard, limits=limits, hosts=hosts)
    app.include_router(_house_routes())
    if lab:
        app.include_router(labpages.routes())
    app.include_router(_table_routes(at_seat), prefix="/seat/{token}")
    app.include_router(_table_routes(beside_the_table), prefix="/watch/{table}")
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    app.add_exception_handler(Trouble, _in_words)
    app.add_exception_handler(RequestValidationError, _in_words)
    app.add_exception_handler(HTTPException, _in_words)
    app.add_exception_handler(DBAPIError, _in_words)
    app.add_exception_handler(OSError, _in_words)
    app.add_exception_handler(Exception, _in_words)
    return app


# --- Who asks -------------------------------------------------------------------------------------


def house_of(request: Request) -> House:
    """The house this application keeps."""
    house: House = request.app.state.house
    return house


TheHouse = Annotated[House, Depends(house_of)]


def at_seat(request: Request, house: TheHouse, token: str) -> Viewer:
    """Whoever comes by a seat's secret link."""
    room, seat = house.seat(token)
    return Viewer(room, room.group(seat), f"/seat/{token}", str(request.base_url).rstrip("/"))


def beside_the_table(request: Request, house: TheHouse, table: str) -> Viewer:
    """Whoever comes to watch."""
    return Viewer(house.watched(table), (), f"/watch/{table}", str(request.base_url).rstrip("/"))


Eyes = Annotated[int | None, Query(ge=0, le=5)]
Moment = Annotated[int | None, Query(ge=0, le=1_000_000)]


def _cookies(request: Request) -> dict[str, Any]:
    theme = request.cookies.get("sutler_theme", "")
    browser = request.cookies.get("sutler_browser", "")
    return {
        "theme": theme if theme in ("day", "candle") else "",
        "name": unquote(request.cookies.get("sutler_name", ""))[:24].strip(),
        "browser": browser,
    }


def _answer(request: Request, viewer: Viewer, eyes: int | None, job: Callable[[], object]) -> Html:
    """Do something at the table, then the new picture; if it cannot be done, the picture as it is and a word why."""
    known = request.headers.get("sutler-log", "")
    try:
        job()
    except Trouble as trouble:
        return Html(viewer.parts(eyes, trouble=trouble, known=known), status_code=trouble.status)
    return Html(viewer.parts(eyes, known=known))


# --- The house --------------------------------------------------------------------------------------


def _house_routes() -> APIRouter:
    at = APIRouter()

    @at.get("/", response_class=Html)
    def the_lobby(request: Request, house: TheHouse, game: str = "") -> Html:
        cookies = _cookies(request)
        fresh = "" if cookies["browser"] else new_browser_id()
        browser = cookies["browser"] or fresh
        name = cookies["name"] or lobby.name_for(browser)
        response = Html(lobby.page(house, name, cookies["theme"], browser, game, request.app.state.has_lab))
        if fresh:
            response.set_cookie("sutler_browser", fresh, max_age=YEAR, httponly=True, samesite="lax")
        return response

    @at.post("/tables", response_class=Html, status_code=303)
    async def new_table(request: Request, house: TheHouse) -> Response:
        form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
        cookies = _cookies(request)
        name = cookies["name"] or lobby.name_for(cookies["browser"])
        created = await asyncio.to_thread(lobby.planned, house, form, name)
        room = await asyncio.to_thread(house.open, created)
        seat = next((i for i, plan in enumerate(created.seats) if plan.kind == "me"), None)
        if seat is None:
            return RedirectResponse(f"/watch/{room.id}", status_code=303)
        browser = cookies["browser"] or new_browser_id()
        house.store.seated(browser_hash(browser), room.id, room.group(seat))
        response = RedirectResponse(f"/seat/{room.token(seat)}", status_code=303)
        response.set_cookie("sutler_browser", browser, max_age=YEAR, httponly=True, samesite="lax")
        response.set_cookie("sutler_name", quote(created.seats[seat].name), max_age=YEAR, samesite="lax")
        return response

    @at.post("/name", response_class=Html, status_code=303)
    def my_name(form: Annotated[Called, Form()]) -> Response:
        response = RedirectResponse("/", status_code=303)
        response.set_cookie("sutler_name", quote(form.name), max_age=YEAR, samesite="lax")
        return response

    @at.post("/files", response_class=Html, status_code=303)
    async def replay_file(house: TheHouse, file: Annotated[UploadFile, File()]) -> Response:
        data = await file.read(MAX_FILE + 1)
        room = await asyncio.to_thread(files.laid_out, house, data)
        return RedirectResponse(f"/watch/{room.id}?moment=0", status_code=303)

    @at.get("/invited/{token}", response_class=Html)
    def invitation(request: Request, house: TheHouse, token: str) -> Response:
        room, seat = house.invited(token)
        cookies = _cookies(request)
        if room.taken[seat]:
            if seat in house.store.seats_of(browser_hash(cookies["browser"])).get(room.id, ()):
                return RedirectResponse(f"/seat/{room.token(seat)}", status_code=303)
            raise Used("This invitation was used. Whoever took the seat has a link of their own to it.")
        return Html(lobby.invitation(room, seat, f"/invited/{token}", cookies["name"], cookies["theme"]))

    @at.post("/invited/{token}", response_class=Html, status_code=303)
    def join(request: Request, house: TheHouse, token: str, form: Annotated[Called, Form()]) -> Response:
        room, seat = house.invited(token)
        room.join(seat, form.name)
        browser = _cookies(request)["browser"] or new_browser_id()
        house.store.seated(browser_hash(browser), room.id, (seat,))
        response = RedirectResponse(f"/seat/{room.token(seat)}", status_code=303)
        response.set_cookie("sutler_browser", browser, max_age=YEAR, httponly=True, samesite="lax")
        response.set_cookie("sutler_name", quote(form.name), max_age=YEAR, samesite="lax")
        return response

    @at.get("/learn/{game}", response_class=Html)
    def learn(request: Request, house: TheHouse, game: str) -> Html:
        return Html(lobby.guide(house, game, _cookies(request)["theme"]))

    @at.get("/sprite/{game}.svg")
    def sprite(house: TheHouse, game: str) -> Response:
        if game != "house" and game not in house.shelf.installed():
            raise Lost("There are no drawings of that game.")
        body = pages.sprite("" if game == "house" else game)
        return Response(
            body, media_type="image/svg+xml", headers={"Cache-Control": f"public, max-age={YEAR}, immutable"}
        )

    @at.get("/games/{game}/{name}")
    def board_file(house: TheHouse, game: str, name: str) -> Response:
        if game not in house.shelf.installed() or name not in ("board.css", "board.js"):
            raise Lost("There is no such file.")
        path: Path = house.shelf.folder(game) / "board" / name
        if not path.exists():
            raise Lost("There is no such file.")
        return FileResponse(path, headers={"Cache-Control": f"public, max-age={YEAR}, immutable"})

    @at.get("/healthz")
    def healthy() -> dict[str, str]:
        return {"status": "ok"}

    return at


# --- A table ------------------------------------------------------------------------------------------


def _table_routes(who: Callable[..., Viewer]) -> APIRouter:
    """The routes of a table, the same for players and watchers: `who` says which of them is asking."""
    at = APIRouter()
    Who: TypeAlias = Annotated[Viewer, Depends(who)]

    @at.get("", response_class=Html)
    def table(request: Request, viewer: Who, house: TheHouse, eyes: Eyes = None, moment: Moment = None) -> Html:
        cookies = _cookies(request)
        room = viewer.room
        browser = cookies["browser"] or new_browser_id()
        if viewer.seats:
            house.store.seated(browser_hash(browser), room.id, viewer.seats)
        response = Html(viewer.page(eyes, moment, theme=cookies["theme"]))
        if not cookies["browser"]:
            response.set_cookie("sutler_browser", browser, max_age=YEAR, httponly=True, samesite="lax")
        return response

    @at.get("/now", response_class=Html)
    def now(request: Request, viewer: Who, eyes: Eyes = None, moment: Moment = None) -> Html:
        return Html(viewer.parts(eyes, moment, known=request.headers.get("sutler-log", "")))

    @at.post("/play", response_class=Html)
    def play(request: Request, viewer: Who, form: Annotated[Play, Form()]) -> Html:
        return _answer(request, viewer, form.eyes, lambda: viewer.room.act(viewer.seats, form.decision, form.action))

    @at.post("/undo", response_class=Html)
    def undo(request: Request, viewer: Who, form: Annotated[Back, Form()]) -> Html:
        return _answer(request, viewer, None, lambda: viewer.room.undo(viewer.seats, form.decision))

    @at.post("/ask-back", response_class=Html)
    def ask_back(request: Request, viewer: Who, form: Annotated[Back, Form()]) -> Html:
        return _answer(request, viewer, None, lambda: takeback.ask(viewer.room, viewer.seats, form.decision))

    @at.post("/answer-back", response_class=Html)
    def answer_back(request: Request, viewer: Who, form: Annotated[Back, Form()]) -> Html:
        return _answer(
            request, viewer, None, lambda: takeback.answer(viewer.room, viewer.seats, form.decision, bool(form.yes))
        )

    @at.post("/go-on", response_class=Html)
    def go_on(request: Request, viewer: Who, form: Annotated[GoingOn, Form()]) -> Html:
        return _answer(request, viewer, None, lambda: viewer.room.go_on(viewer.seats, bool(form.kept)))

    @at.post("/say", response_class=Html)
    def say(request: Request, viewer: Who, form: Annotated[Saying, Form()]) -> Html:
        seat = viewer.seats[0] if viewer.seats else None
        return _answer(
            request, viewer, None, lambda: viewer.room.say(Said(seat=seat, name=viewer.name, text=form.text))
        )

    @at.post("/rename", response_class=Html)
    def rename(request: Request, viewer: Who, form: Annotated[Called, Form()]) -> Html:
        if not viewer.seats:
            raise Refused("Watchers go by no name.")
        return _answer(request, viewer, None, lambda: viewer.room.rename(viewer.seats[0], form.name))

    @at.post("/rematch", response_class=Html)
    def again(request: Request, viewer: Who) -> Html:
        if not viewer.seats or not viewer.room.pos.over:
            return _answer(request, viewer, None, lambda: _refuse("A rematch is for those who have played to the end."))
        following = rematch.rematch(viewer.room, viewer.seats)
        return Html("", headers={"HX-Redirect": f"/seat/{following.token(viewer.seats[0])}"})

    @at.get("/hint", response_class=Html)
    async def hint(viewer: Who) -> Html:
        try:
            advice = await hints.advise(viewer.room, viewer.seats)
        except Trouble as trouble:
            return Html(pages.render("parts/word.html", kind="trouble", text=trouble.text, rule=trouble.rule))
        return Html(pages.render("parts/hint.html", advice=advice))

    @at.get("/why", response_class=Html)
    def why(viewer: Who, at: Annotated[str, Query(max_length=80)]) -> Html:
        return Html(viewer.why(at))

    @at.get("/explain", response_class=Html)
    def explain(viewer: Who, key: Annotated[str, Query(max_length=80)]) -> Html:
        kind, _, name = key.partition(":")
        return Html(viewer.explain(kind, name))

    @at.get("/game.json")
    def game_file(viewer: Who) -> Response:
        name = f"{viewer.room.created.game}-{viewer.room.id}.json"
        return Response(
            files.file_for(viewer.room),
            media_type="application/json",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @at.get("/events")
    async def events(request: Request, viewer: Who) -> Response:
        return StreamingResponse(
            _news(request, viewer),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    return at


def _refuse(text: str) -> None:
    raise Refused(text)


async def _news(request: Request, viewer: Viewer) -> AsyncIterator[str]:
    """The table's version whenever it changes; whoever comes back after a lost line hears it at once."""
    room, told = viewer.room, request.headers.get("last-event-id", "")
    with room.listening() as ear:
        yield "retry: 1000\n\n"
        while not room.house.closing.is_set() and not await request.is_disconnected():
            ear.clear()
            if room.version != told:
                told = room.version
                yield f"id: {told}\nevent: table\ndata: {told}\n\n"
            try:
                await asyncio.wait_for(ear.wait(), HEARTBEAT)
            except TimeoutError:
                yield ": still here\n\n"


# --- Trouble ------------------------------------------------------------------------------------------


async def _in_words(request: Request, error: Exception) -> Response:
    """Whatever goes wrong is told in words: as a toast where a part of a page was asked for, else as a page."""
    rule = ""
    if isinstance(error, Trouble):
        status, text, rule = error.status, error.text, error.rule
    elif isinstance(error, RequestValidationError | ValidationError):
        status, text = 422, "This request was not understood: " + _what_is_wrong(error)
    elif isinstance(error, HTTPException):
        status = error.status_code
        text = "There is nothing at this address." if status == 404 else str(error.detail)
    elif isinstance(error, DBAPIError | OSError):
        status, text = (
            503,
            "The house cannot write anything down just now. Nothing was lost, and nothing was done; try again.",
        )
    else:
        status, text = 500, "Something broke on our side. The game is kept as it was; try again."
    headers = dict(getattr(error, "headers", None) or {})
    if request.headers.get("hx-request"):
        body = pages.render("parts/word.html", kind="trouble", text=text, rule=rule)
        return Html(body, status_code=status, headers=headers)
    head = {404: "Nothing here", 409: "Too late", 422: "Not understood", 503: "Not now", 500: "Something broke"}.get(
        status, "That did not work"
    )
    sprite = pages.sprite_url()
    theme = _cookies(request)["theme"]
    return Html(
        pages.render("trouble.html", head=head, text=text, sprite=sprite, theme=theme),
        status_code=status,
        headers=headers,
    )


def _what_is_wrong(error: RequestValidationError | ValidationError) -> str:
    first = error.errors()[0] if error.errors() else {}
    where = ".".join(str(part) for part in first.get("loc", ()) if part not in ("body", "query", "path"))
    return f"{where}: {first.get('msg', 'it does not fit')}" if where else str(first.get("msg", "it does not fit"))
