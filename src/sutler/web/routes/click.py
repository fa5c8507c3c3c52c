"""A fast path for the two requests that make up nearly all of a server's work: a click, and the table's page after it.

FastAPI matches a request twice and resolves every dependency each time, half a millisecond a click. Requests in the form that our pages
send are answered here; any other, well-formed or not, goes on to the same routes of `routes.table`.
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
"""The most fields of a form that is read; our pages send fewer."""


class ClickRoute(BaseRoute):
    """The routes `GET /now` and `POST /play` of all tables, for seats and for watchers."""

    def __init__(self) -> None:
        self._now = queued(table.now, is_order=False)
        self._play = queued(table.play, is_order=True)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether this is one of the two requests, in the form that our pages send."""
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
        """Answer the request."""
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
        """The address patterns that this route stands for, as an included router would list them."""
        return list(_PATTERNS.values())

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        """Raise NoMatchFound, since this route has no name."""
        raise NoMatchFound(name, path_params)


@dataclass(frozen=True)
class Pattern:
    """The pattern of an address, for metrics, log lines and lists of routes."""

    path: str
    methods: frozenset[str]


_PATTERNS = {
    (kind, what): Pattern(f"/{kind}/{name}/{what}", frozenset({method}))
    for kind, name in (("seat", "{token}"), ("watch", "{table}"))
    for what, method in (("now", "GET"), ("play", "POST"))
}


def _query(text: bytes) -> dict[str, Any]:
    """The parameters in the query of a request for the table's page."""
    given = dict(parse_qsl(text.decode("ascii")))
    at_once = given.pop("at_once", "") == "true"
    return {"at_once": at_once, **{name: int(value) for name, value in given.items()}}


def _form(body: bytes) -> PlayForm:
    """The form of a click. Raises RequestValidationError where a field is missing or does not fit, as from FastAPI."""
    try:
        given = parse_qsl(body.decode("latin-1"), max_num_fields=MAX_FIELDS)
        return PlayForm.model_validate(dict(given))
    except ValidationError as error:
        errors = [{**one, "loc": ("body", *one["loc"])} for one in error.errors()]
        raise RequestValidationError(errors, body=body) from error
    except ValueError as error:
        raise RequestValidationError([{"type": "form", "loc": ("body",), "msg": str(error)}]) from error
