"""The language of a page: the one chosen by cookie, else the one the browser asks for."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from sutler.core.text.language import ENGLISH, LANGUAGES, choose_preferred_language, set_language
from sutler.web.http.caching import build_cache_header, compute_digest
from sutler.web.root_path import get_root_path
from sutler.web.sentence_html import build_script_words
from sutler.web.tokens import parse_url

YEAR_S = 365 * 24 * 3600
COOKIE = "sutler_language"
ONLY_ENGLISH = ("/lab", "/admin", "/print")
"""Beginnings of paths in English only: pages for designers and the administrator, and printed sheets (boxes are in English)."""
at = APIRouter()


class LanguageMiddleware:
    """ASGI middleware that sets the language of all texts to that of the person who sent the request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the language of the request, then answer it."""
        if scope["type"] == "http":
            set_language(ENGLISH if scope["path"].startswith(ONLY_ENGLISH) else find_language(Headers(scope=scope)))
        await self.app(scope, receive, send)


def find_language(headers: Headers) -> str:
    """The language chosen in this browser by cookie, else the one its headers ask for."""
    chosen = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    return chosen if chosen in LANGUAGES else choose_preferred_language(headers.get("accept-language", ""))


@at.get("/language/{wanted}", response_class=RedirectResponse, status_code=303)
def choose_language(request: Request, wanted: str) -> Response:
    """Choose a language, and go back to the page the person came from, if it is one of this site."""
    came = parse_url(request.headers.get("referer", ""))
    here = came.netloc == request.headers.get("host") and came.path.startswith("/") and not came.path.startswith("//")
    path = came.path.removeprefix(get_root_path()) if here else ""
    back = (
        path + (f"?{came.query}" if came.query else "") if path.startswith("/") and not path.startswith("//") else "/"
    )
    response = RedirectResponse(back, status_code=303)
    if wanted in LANGUAGES:
        response.set_cookie(COOKIE, wanted, max_age=YEAR_S, samesite="lax")
    return response


@at.get("/words/{wanted}.js")
def serve_script_texts(wanted: str, v: str = "") -> Response:
    """The translated texts of scripts, as a script. `wanted`: the language; `v`: the digest in the address, for caching."""
    body = build_script_words(wanted) if wanted in LANGUAGES else ""
    kept = build_cache_header(v, compute_digest(body.encode()))
    return Response(body, media_type="text/javascript; charset=utf-8", headers=kept)
