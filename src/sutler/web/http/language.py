"""In which language the pages speak: the one that was chosen here, else the browser's own; and the words of scripts."""

from __future__ import annotations

import functools
import hashlib
import json

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from sutler.core.language import ENGLISH, HOUSE, LANGUAGES, language, read_in, wished
from sutler.web.tokens import parts_of

YEAR = 365 * 24 * 3600
COOKIE = "sutler_language"
ONLY_ENGLISH = ("/lab", "/admin", "/print")
"""Pages for designers and for whoever keeps the house; and sheets, which are printed as the box is."""
at = APIRouter()


class Reader:
    """ASGI middleware: from here on everything is said in the language of whoever asks."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            read_in(ENGLISH if scope["path"].startswith(ONLY_ENGLISH) else language_of(Headers(scope=scope)))
        await self.app(scope, receive, send)


def language_of(headers: Headers) -> str:
    """What a browser has chosen here, else what it asks for."""
    chosen = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    return chosen if chosen in LANGUAGES else wished(headers.get("accept-language", ""))


@at.get("/language/{wanted}", response_class=RedirectResponse, status_code=303)
def choose(request: Request, wanted: str) -> Response:
    """Choose a language and go back to where one came from, in this house."""
    came = parts_of(request.headers.get("referer", ""))
    here = came.netloc == request.headers.get("host") and came.path.startswith("/") and not came.path.startswith("//")
    back = came.path + (f"?{came.query}" if came.query else "") if here else "/"
    response = RedirectResponse(back, status_code=303)
    if wanted in LANGUAGES:
        response.set_cookie(COOKIE, wanted, max_age=YEAR, samesite="lax")
    return response


@functools.cache
def script(wanted: str) -> str:
    """The texts of the house's scripts in a language, as a script that they read them from; "" where there are none."""
    if not (texts := HOUSE.of_scripts(wanted)):
        return ""
    return f"window.sutlerWords = {json.dumps(texts, ensure_ascii=False, sort_keys=True)};\n"


@functools.cache
def _address(wanted: str) -> str:
    body = script(wanted)
    return f"/words/{wanted}.js?v={hashlib.sha256(body.encode()).hexdigest()[:10]}" if body else ""


def words_script() -> str:
    """Where the words of scripts lie in the reader's language; "" in English, which the scripts themselves hold."""
    return _address(language()) if language() != ENGLISH else ""


@at.get("/words/{wanted}.js")
def words(wanted: str) -> Response:
    body = script(wanted) if wanted in LANGUAGES else ""
    kept = f"public, max-age={YEAR}, immutable"
    return Response(body, media_type="text/javascript; charset=utf-8", headers={"Cache-Control": kept})
