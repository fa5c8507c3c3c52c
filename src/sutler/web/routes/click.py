"""The two requests of a table that are nearly all of a house's work, a click and the picture after it, without FastAPI's detours.

FastAPI matches a request twice and looks through every dependency each time, half a millisecond a click. Here a request is answered
that reads as pages send it; any other, well-formed or not, goes on to the same routes of `routes.table`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Receive, Scope, Send

from sutler.web.jobs.request_queue import queued
from sutler.web.routes import table
from sutler.web.routes.dependencies import house_of, seat_viewer, viewer_of, watching_viewer
from sutler.web.routes.forms import PlayForm

_PATH = re.compile(r"/(seat|watch)/([^/]+)/(now|play)")
_QUERY = re.compile(rb"(?:(?:eyes=[0-5]|(?:moment|since)=[0-9]{1,6}|at_once=true)(?:&(?!$)|$))*")
FORM_TYPE = "application/x-www-form-urlencoded"
MAX_FIELDS = 1000
"""A form with more fields is no page's."""


class ClickRoute(BaseRoute):
    """`GET /now` and `POST /play` of every table, from its seats and of those who watch."""

    def __init__(self) -> None:
        self._now = queued(table.now, is_order=False)
        self._play = queued(table.play, is_order=True)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Is it one of the two, as a page sends it?"""
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            return Match.NONE, {}
        kind, name, what = found.groups()
        if what == "now":
            fits = scope["method"] == "GET" and _QUERY.fullmatch(scope["query_string"]) is not None
        else:
            fits = scope["method"] == "POST" and Headers(scope=scope).get("content-type") == FORM_TYPE
        if not fits:
            return Match.NONE, {}
        return Match.FULL, {"click": (kind, name, what), "route": _PATTERNS[kind, what]}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer it."""
        request, (kind, name, what) = Request(scope, receive, send), scope["click"]
        body = await request.body() if what == "play" else b""
        await (seat_viewer if kind == "seat" else watching_viewer)(request, house_of(request), name)
        viewer = await viewer_of(request)
        if what == "play":
            response = await self._play(request=request, viewer=viewer, form=_form(body))
        else:
            response = await self._now(request=request, viewer=viewer, **_query(scope["query_string"]))
        await response(scope, receive, send)

    def effective_candidates(self) -> list[Pattern]:
        """The routes it stands for, as those of a router that was included."""
        return list(_PATTERNS.values())

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        """It has no name of its own."""
        raise NoMatchFound(name, path_params)


@dataclass(frozen=True)
class Pattern:
    """The pattern of an address, for figures, lines of the log and lists of routes."""

    path: str
    methods: frozenset[str]


_PATTERNS = {
    (kind, what): Pattern(f"/{kind}/{name}/{what}", frozenset({method}))
    for kind, name in (("seat", "{token}"), ("watch", "{table}"))
    for what, method in (("now", "GET"), ("play", "POST"))
}


def _query(text: bytes) -> dict[str, Any]:
    given = dict(parse_qsl(text.decode("ascii")))
    at_once = given.pop("at_once", "") == "true"
    return {"at_once": at_once, **{name: int(value) for name, value in given.items()}}


def _form(body: bytes) -> PlayForm:
    """The form of a click. RequestValidationError where a field is missing or does not fit, as FastAPI has it."""
    try:
        given = parse_qsl(body.decode("latin-1"), max_num_fields=MAX_FIELDS)
        return PlayForm.model_validate(dict(given))
    except ValidationError as error:
        errors = [{**one, "loc": ("body", *one["loc"])} for one in error.errors()]
        raise RequestValidationError(errors, body=body) from error
    except ValueError as error:
        raise RequestValidationError([{"type": "form", "loc": ("body",), "msg": str(error)}]) from error
