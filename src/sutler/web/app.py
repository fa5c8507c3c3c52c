"""The application: what pages there are, what they stand on, and what is said when something goes wrong."""

import contextlib
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from sutler.core.language import _
from sutler.web.accounts.mail_links import postman_of
from sutler.web.errors import Trouble
from sutler.web.http import language
from sutler.web.http.language import Reader
from sutler.web.http.metrics import Gauges
from sutler.web.http.middleware import Guard
from sutler.web.lab.service import Lab
from sutler.web.lab.shared_service import SharedLab
from sutler.web.rate_limits import Limits
from sutler.web.routes import admin, lobby, mail, passkey, push, table
from sutler.web.routes import lab as routes_lab
from sutler.web.routes.dependencies import Html, at_seat, beside_the_table, guest_of
from sutler.web.shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table.registry import THINKERS, House
from sutler.web.view import render


def create_app(
    database_url: str = "sqlite://",
    bot_pause: float = 0.35,
    warm: bool = True,
    lab_folder: Path | None = None,
    *,
    lab: bool = True,
    limits: Limits | None = None,
    hosts: Sequence[str] = (),
    metrics: bool = False,
    bots: bool = True,
) -> FastAPI:
    """The table as a web application. `warm`: see to compiled rules behind the scenes.

    The lab's questions and reports are kept in `lab_folder`, or nowhere; on PostgreSQL in the database. `lab`: is there one at
    all? `limits`: how much one client may ask for (none said: as much as it likes); `hosts`: the names the house answers
    to; `metrics`: does it tell figures to programs on its own machine? `bots`: does this process decide for bots and
    answer the lab's questions, or leave that to workers (on PostgreSQL)? Who takes its mail stands in the environment (`post`).
    """

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        if warm:
            app.state.house.warm()
        app.state.house.wake()
        yield
        app.state.lab.close()
        app.state.house.close()

    app = FastAPI(title="Sutler", docs_url=None, redoc_url=None, lifespan=life)
    app.state.house = House(Store(database_url), Shelf(), bot_pause, thinkers=THINKERS if bots else 0)
    store = app.state.house.store
    app.state.lab = SharedLab(store, hands=int(bots and lab)) if store.shared else Lab(lab_folder)
    app.state.has_lab = lab
    app.state.hosts = tuple(hosts)
    app.state.postman = postman_of(os.environ)
    gauges = Gauges(app.state.house) if metrics else None
    app.add_middleware(Guard, limits=limits, hosts=hosts, gauges=gauges, door=app.state.house.door)
    app.add_middleware(Reader)
    # what is asked most often is looked for first
    app.include_router(table.at, prefix="/seat/{token}", dependencies=[Depends(at_seat)])
    app.include_router(table.at, prefix="/watch/{table}", dependencies=[Depends(beside_the_table)])
    if gauges is not None:
        app.include_router(gauges.routes())
    app.include_router(lobby.at)
    app.include_router(passkey.at)
    app.include_router(mail.at)
    app.include_router(push.at)
    app.include_router(admin.at)
    app.include_router(language.at)
    if lab:
        app.include_router(routes_lab.at)
    app.mount("/static", StaticFiles(directory=render.STATIC), name="static")
    app.add_exception_handler(Trouble, _in_words)
    app.add_exception_handler(RequestValidationError, _in_words)
    app.add_exception_handler(HTTPException, _in_words)
    app.add_exception_handler(DBAPIError, _in_words)
    app.add_exception_handler(OSError, _in_words)
    app.add_exception_handler(Exception, _in_words)
    return app


# --- Trouble ------------------------------------------------------------------------------------------


async def _in_words(request: Request, error: Exception) -> Response:
    """Whatever goes wrong is told in words: as a toast where a part of a page was asked for, else as a page."""
    rule = ""
    if isinstance(error, Trouble):
        status, text, rule = error.status, error.text, error.rule
    elif isinstance(error, RequestValidationError):
        status, text = 422, _("This request was not understood: {what}", what=_what_is_wrong(error))
    elif isinstance(error, HTTPException):
        status = error.status_code
        text = _("There is nothing at this address.") if status == 404 else str(error.detail)
    elif isinstance(error, DBAPIError | OSError):
        status, text = (
            503,
            _("The house cannot write anything down just now. Nothing was lost, and nothing was done; try again."),
        )
    else:
        status, text = 500, _("Something broke on our side. The game is kept as it was; try again.")
    headers = dict(getattr(error, "headers", None) or {})
    if request.headers.get("hx-request"):
        body = render.render("parts/word.html", kind="trouble", text=text, rule=rule)
        return Html(body, status_code=status, headers=headers)
    heads = {404: _("Nothing here"), 409: _("Too late"), 422: _("Not understood"), 503: _("Not now")}
    head = heads.get(status, _("Something broke") if status == 500 else _("That did not work"))
    sprite = render.sprite_url()
    theme = guest_of(request).theme
    return Html(
        render.render("trouble.html", head=head, text=text, sprite=sprite, theme=theme),
        status_code=status,
        headers=headers,
    )


def _what_is_wrong(error: RequestValidationError) -> str:
    first = error.errors()[0] if error.errors() else {}
    where = ".".join(str(part) for part in first.get("loc", ()) if part not in ("body", "query", "path"))
    what = str(first.get("msg", _("it does not fit")))
    return f"{where}: {what}" if where else what
