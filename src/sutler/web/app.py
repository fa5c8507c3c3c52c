"""The web application: its routes, the services they use, and error pages."""

import contextlib
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from sutler.core.text.language import _
from sutler.web.accounts.mail_links import link_mailer_from_env
from sutler.web.errors import RequestError
from sutler.web.game_shelf import Shelf
from sutler.web.http import language, log_lines
from sutler.web.http.caching import VersionedFiles
from sutler.web.http.language import LanguageMiddleware
from sutler.web.http.metrics import Metrics
from sutler.web.http.middleware import SECURITY_HEADERS, Guard
from sutler.web.jobs.guest_process import GuestProcess
from sutler.web.lab.design_notebooks import Notebooks
from sutler.web.lab.multiprocess_service import SharedLab
from sutler.web.lab.service import Lab
from sutler.web.rate_limits import Limits
from sutler.web.routes import admin, event_stream, lobby, mail, passkey, push, table
from sutler.web.routes import lab as routes_lab
from sutler.web.routes.dependencies import Html, load_seat_viewer, load_watching_viewer, read_guest_cookies
from sutler.web.storage.store import Store
from sutler.web.table.registry import BOT_WORKERS, House
from sutler.web.view import jinja_templates


def create_app(
    database_url: str = "sqlite://",
    bot_pause: float = 0.35,
    warm: bool = True,
    *,
    lab: Path | bool = True,
    limits: Limits | None = None,
    hosts: Sequence[str] = (),
    answers_to: Sequence[str] = (),
    metrics: bool = False,
    bots: bool = True,
) -> FastAPI:
    """The server as an ASGI application.

    `bot_pause`: seconds before each decision of a bot; `warm`: are rules compiled in the background? `lab`: is there a lab? If it is a
    folder, its questions and reports are kept there, else in memory only; on PostgreSQL in the database. `limits`: how much one client may
    ask for (None: no limit); `hosts`: the names the server goes by and answers to; `answers_to`: names it answers to where `hosts` is
    empty, all if both are; `metrics`: are figures served to programs on this machine? `bots`: does this process decide for bots and answer
    the lab's questions, or leave that to workers (on PostgreSQL)? The mail server is named by the environment (`accounts.mailer`).
    """

    @contextlib.asynccontextmanager
    async def run_lifespan(app: FastAPI) -> AsyncIterator[None]:
        """Compile rules and resume tables when the server starts; close everything when it ends."""
        if warm:
            app.state.house.compile_rules_in_background()
        app.state.house.resume_tables()
        yield
        guests.close()
        app.state.lab.close()
        app.state.house.close()

    app = FastAPI(title="Sutler", docs_url=None, redoc_url=None, lifespan=run_lifespan)
    app.state.house = House(Store(database_url), Shelf(), bot_pause, bot_workers=BOT_WORKERS if bots else 0)
    store = app.state.house.store
    folder = lab if isinstance(lab, Path) else None
    app.state.lab = SharedLab(store, n_workers=int(bots and bool(lab))) if store.shared else Lab(folder)
    app.state.has_lab = bool(lab)
    app.state.notebooks = Notebooks()
    app.state.guests = guests = GuestProcess()
    app.state.hosts = tuple(hosts)
    app.state.postman = link_mailer_from_env(os.environ)
    metrics_routes = Metrics(app.state.house) if metrics else None
    app.add_middleware(
        Guard, limits=limits, hosts=hosts or answers_to, metrics=metrics_routes, ban_list=app.state.house.ban_list
    )
    app.add_middleware(LanguageMiddleware)
    # the routes asked for most often come first, because they are tried in order
    app.include_router(table.at, prefix="/seat/{token}", dependencies=[Depends(load_seat_viewer)])
    app.include_router(table.at, prefix="/watch/{table}", dependencies=[Depends(load_watching_viewer)])
    optional = ([metrics_routes.build_router()] if metrics_routes else []) + ([routes_lab.at] if lab else [])
    for room in (event_stream.at, lobby.at, passkey.at, mail.at, push.at, admin.at, language.at, *optional):
        app.include_router(room)
    app.mount("/static", VersionedFiles(directory=jinja_templates.STATIC), name="static")
    for kind in (RequestError, RequestValidationError, HTTPException, DBAPIError, OSError, Exception):
        app.add_exception_handler(kind, _render_error)
    return app


# --- Error pages --------------------------------------------------------------------------------------


async def _render_error(request: Request, error: Exception) -> Response:
    """The response to an error: a message to show on the page where a part of a page was asked for, else a page of its own."""
    rule = ""
    if isinstance(error, RequestError):
        status, text, rule = error.status, error.text, error.rule
    elif isinstance(error, RequestValidationError):
        status, text = 422, _("This request was not understood: {what}", what=_describe_invalid_field(error))
    elif isinstance(error, HTTPException):
        status = error.status_code
        told = {404: _("There is nothing at this address."), 405: _("This address cannot be asked for in this way.")}
        text = told.get(status, str(error.detail))
    elif isinstance(error, DBAPIError | OSError):
        status, text = (
            503,
            _("The house cannot write anything down just now. Nothing was lost, and nothing was done; try again."),
        )
    else:
        number = log_lines.get_request_id()
        status, text = (
            500,
            _(
                "Something broke on our side. The game is kept as it was; try again. Whoever keeps the house finds it under {number}.",
                number=number,
            ),
        )
    headers = SECURITY_HEADERS | dict(getattr(error, "headers", None) or {})
    headers |= {log_lines.REQUEST_ID_HEADER: log_lines.get_request_id()}
    if request.headers.get("hx-request"):
        body = jinja_templates.render("parts/word.html", kind="trouble", text=text, rule=rule)
        return Html(body, status_code=status, headers=headers)
    heads = {404: _("Nothing here"), 409: _("Too late"), 422: _("Not understood"), 503: _("Not now")}
    head = heads.get(status, _("Something broke") if status == 500 else _("That did not work"))
    sprite = jinja_templates.sprite_url()
    theme = read_guest_cookies(request).theme
    return Html(
        jinja_templates.render("trouble.html", head=head, text=text, sprite=sprite, theme=theme),
        status_code=status,
        headers=headers,
    )


def _describe_invalid_field(error: RequestValidationError) -> str:
    """The first field of a request that was not valid, and what is wrong with it."""
    first = error.errors()[0] if error.errors() else {}
    where = ".".join(str(part) for part in first.get("loc", ()) if part not in ("body", "query", "path"))
    what = str(first.get("msg", _("it does not fit")))
    return f"{where}: {what}" if where else what
