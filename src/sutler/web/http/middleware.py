"""Middleware for every request: security headers, bans, rate and size limits, refusal of cross-site requests that change something."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from sqlalchemy.exc import DBAPIError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sutler.core.text.language import _
from sutler.web.accounts.moderation import BanList
from sutler.web.http import cookies, log_lines
from sutler.web.http.metrics import Metrics
from sutler.web.rate_limits import (
    NO_LIMITS,
    Limits,
    TooMuch,
    build_too_soon_error,
    classify_request,
    get_max_request_bytes,
    limit_body,
    remember_client,
    to_client_key,
)
from sutler.web.root_path import LOCAL_CHECKS
from sutler.web.tokens import hash_browser, parse_url

LOG = logging.getLogger("sutler.web")
CONTENT_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'"
"""The content policy of a self-contained page without scripts: a report, sheets to print."""


HTTPS_FOR_A_YEAR = "max-age=31536000"
"""The value of the header HSTS: a browser that came by https uses only https for a year."""

SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers of every answer that does not set them itself."""

PROXY_LINE = "proxy_set_header Host $http_host;"
"""The line that nginx needs in its settings, so that the server sees by which host name it was asked for."""
MAX_NAME_CHARS = 80
"""The length to which a host name is cut before an error message repeats it."""
LOOPBACK = ("127.0.0.1", "::1")
BAN_REFRESH_SECONDS = 0.25
"""Seconds that a request waits for the newest bans; if the disk is slower, the request is checked against those known before."""


class Guard:
    """ASGI middleware that refuses requests or passes them on. It never buffers a body, so streams pass through it.

    `limits`: how much one client may ask for; `hosts`: the names the server answers to, all if none is given; `metrics`: counts requests;
    `ban_list`: the bans.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits | None = None,
        hosts: Sequence[str] = (),
        metrics: Metrics | None = None,
        ban_list: BanList | None = None,
    ) -> None:
        self.app = app
        self.ban_list = ban_list
        self.metrics = metrics
        self.limits = limits or NO_LIMITS
        self.hosts = {host.casefold() for host in hosts}
        self._refresher = ThreadPoolExecutor(1, thread_name_prefix="door")
        self._refreshing: Future[None] | None = None
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request with an answer that says why, or pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["scheme"] == "https":
            scope = dict(scope, headers=cookies.restore_plain_cookie_names(scope["headers"]))
        headers, send = Headers(scope=scope), self._wrap_send(scope, send, log_lines.assign_request_id())
        if self.ban_list is not None and self.ban_list.is_refresh_due:
            await self._refresh_bans(self.ban_list)
        if (refusal := self._find_refusal(scope, headers)) is not None:
            await refusal(scope, receive, send)
            return
        with remember_client(self.limits, _get_client_key(scope)):
            await self._stream_or_answer(scope, receive, send)

    async def _stream_or_answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; an event stream only where the client has not too many open."""
        if not scope["path"].endswith("/events"):
            await self._forward_with_body_limit(scope, receive, send)
            return
        with self.limits.count_stream(_get_client_key(scope)) as may:
            if may:
                await self._forward_with_body_limit(scope, receive, send)
            else:
                text = _("So many pages listen from your address already; close one.")
                await PlainTextResponse(text, status_code=429, headers={"Retry-After": "60"})(scope, receive, send)

    def _wrap_send(self, scope: Scope, send: Send, request_id: str) -> Send:
        """An ASGI `send` that adds the security headers to the answer, counts the request, and logs it under its id (`request_id`)."""
        started = time.perf_counter()

        async def send_guarded(message: Message) -> None:
            """Send a part of the answer; to its head, first add the security headers, then count and log it."""
            if message["type"] == "http.response.start":
                self._count_and_log_answer(scope, message["status"], started)
                out = MutableHeaders(scope=message)
                out[log_lines.REQUEST_ID_HEADER] = request_id
                for name, value in SECURITY_HEADERS.items():
                    out.setdefault(name, value)
                if scope["scheme"] == "https":
                    out["Strict-Transport-Security"] = HTTPS_FOR_A_YEAR
                    message["headers"] = cookies.protect_response_cookies(message["headers"])
            await send(message)

        return send_guarded

    def _count_and_log_answer(self, scope: Scope, status: int, started_at: float) -> None:
        """Count an answer, and write its line into the log. `started_at`: `time.perf_counter()` when the request came in."""
        if self.metrics is not None:
            self.metrics.count_answer(scope, status, started_at)
        log_lines.log_answer(scope, status, started_at)

    async def _forward_with_body_limit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with a limit on its body. A body over the limit is answered with an error; exceptions are logged as 500."""
        begun, started = False, time.perf_counter()

        async def send_noting_start(message: Message) -> None:
            """Send a part of the answer, and note that the answer has begun."""
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, limit_body(receive, get_max_request_bytes(scope["path"])), send_noting_start)
        except TooMuch as error:
            if not begun:
                await PlainTextResponse(error.detail, status_code=error.status_code)(scope, receive, send)
        except Exception:
            if not begun:  # the error page is sent from outside of this middleware
                self._count_and_log_answer(scope, 500, started)
            raise

    async def _refresh_bans(self, ban_list: BanList) -> None:
        """Refresh the bans in a thread of its own; wait for it no longer than BAN_REFRESH_SECONDS."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = self._refresher.submit(self._refresh_ban_list, ban_list)
        await asyncio.wait({asyncio.wrap_future(self._refreshing)}, timeout=BAN_REFRESH_SECONDS)

    @staticmethod
    def _refresh_ban_list(ban_list: BanList) -> None:
        """Refresh the bans; a database error is only logged."""
        try:
            ban_list.refresh()
        except DBAPIError as error:  # it is tried again soon; known bans stay in force
            LOG.warning("the keeper’s book cannot be read just now: %s", error.orig)

    def _find_refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        """The answer that refuses a request before its body is read; None where it may go on."""
        host, origin, path = headers.get("host", ""), headers.get("origin"), scope["path"]
        if (
            self.hosts
            and (name := parse_url(f"//{host}").hostname) not in self.hosts
            and not _is_local_health_check(scope)
        ):
            text = _(
                "This house goes by {names}, not by {name}. Behind a proxy: {line} Without one: sutler serve --trusted-host {name}",
                names=", ".join(sorted(self.hosts)),
                name=str(name)[:MAX_NAME_CHARS],
                line=PROXY_LINE,
            )
            self._log_refusal_once(text)
            return PlainTextResponse(text, status_code=421)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and origin and parse_url(origin).netloc != host:
            text = _(
                "This order came from a page of {origin}, and this house was asked for as {host}; nothing was done. Behind a proxy: {line}",
                origin=parse_url(origin).netloc[:MAX_NAME_CHARS] or "?",
                host=host[:MAX_NAME_CHARS],
                line=PROXY_LINE,
            )
            self._log_refusal_once(text)
            return PlainTextResponse(text, status_code=403)
        if self.ban_list is not None and (
            shut := self.ban_list.find_ban_reason(_get_address(scope), _get_browser_hash(headers))
        ):
            return PlainTextResponse(shut, status_code=403)
        told = headers.get("content-length", "0")
        if not told.isdigit() or int(told) > get_max_request_bytes(path):
            return PlainTextResponse(_("This is too large; nothing was done."), status_code=413)
        if wait := self.limits.count_request(_get_client_key(scope), classify_request(scope["method"], path)):
            error = build_too_soon_error(wait)
            return PlainTextResponse(error.text, status_code=error.status, headers=dict(error.headers))
        return None

    def _log_refusal_once(self, text: str) -> None:
        """Log a refusal whose cause may be the settings of a proxy; only the first such refusal is logged."""
        if not self._warned:
            self._warned = True
            LOG.warning("a request was refused: %s", text)


def _get_browser_hash(headers: Headers) -> str:
    """The hash of the cookie by which the browser is known; "" where it has none."""
    cookie = cookie_parser(headers.get("cookie", "")).get("sutler_browser", "")
    return hash_browser(cookie) if cookie else ""


def _is_local_health_check(scope: Scope) -> bool:
    """Is this a health check by a program on this machine? Such a request is accepted under any host name."""
    return scope["path"] in LOCAL_CHECKS and _get_address(scope) in LOOPBACK


def _get_address(scope: Scope) -> str:
    """The address a request comes from; "" if unknown."""
    return str((scope.get("client") or ("",))[0])


def _get_client_key(scope: Scope) -> str:
    """The client that a request counts for in rate limits (`to_client_key`)."""
    return to_client_key(_get_address(scope))
