"""A server below the root of its site (https://example.org/games/): one middleware removes that path from requests and adds it to answers.

Routes, limits and logs know no such path. Pages name addresses with `root()` in templates and `sutler.url(…)` in scripts.
"""

from __future__ import annotations

import re
from contextvars import ContextVar

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_CHECKS = ("/healthz", "/readyz", "/metrics")
"""Paths asked for by monitoring programs on the server's own machine, which may leave out the path of the site."""
ADDRESS_HEADERS = ("location", "hx-redirect")
_ROOT = re.compile(r"(/[A-Za-z0-9._~-]+)*")
_COOKIE_PATH = re.compile(rb"(?i)(; *path=)/")
_root: ContextVar[str] = ContextVar("root", default="")


def get_root_path() -> str:
    """The path below which the server stands, to be put before each address: "/games", or "" for the root of its site."""
    return _root.get()


def parse_root_path(path: str) -> str:
    """The path without a slash at its end. Raises ValueError, with an error message for the user, where it is no path."""
    bare = path.rstrip("/")
    if not _ROOT.fullmatch(bare) or any(part in (".", "..") for part in bare.split("/")):
        raise ValueError(f"--root-path: {path!r} is no path such as /games")
    return bare


def mount_below(app: Starlette, path: str) -> None:
    """Let an application that has not yet begun to answer stand below this path. Raises ValueError, with an error message, for no path."""
    if found := parse_root_path(path):
        app.add_middleware(RootPathMiddleware, path=found)


class RootPathMiddleware:
    """ASGI middleware outside of all others: it removes the site's path from requests and adds it to addresses in headers of answers."""

    def __init__(self, app: ASGIApp, path: str) -> None:
        self.app = app
        self.path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request below the site's path on without that path; answer any other with 404."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        _root.set(self.path)
        asked = scope["path"]
        if asked not in LOCAL_CHECKS:
            if asked != self.path and not asked.startswith(f"{self.path}/"):
                text = f"The house stands under {self.path}/; let the proxy pass the whole path on."
                await PlainTextResponse(text, status_code=404)(scope, receive, send)
                return
            raw = scope.get("raw_path") or asked.encode()
            bare = self.path.encode()
            scope = dict(
                scope, path=asked.removeprefix(self.path) or "/", raw_path=raw.removeprefix(bare) or b"/", root_path=""
            )
        await self.app(scope, receive, self._wrap_send(send))

    def _wrap_send(self, send: Send) -> Send:
        """An ASGI `send` that puts the site's path before addresses and before the paths of cookies in headers."""

        async def send_prefixed(message: Message) -> None:
            """Send a part of the answer, its headers with the site's path before addresses and cookies' paths."""
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name in ADDRESS_HEADERS:
                    if (where := headers.get(name, "")).startswith("/"):
                        headers[name] = self.path + where
                message["headers"] = [
                    (
                        name,
                        _COOKIE_PATH.sub(rb"\1" + self.path.encode() + b"/", value) if name == b"set-cookie" else value,
                    )
                    for name, value in message["headers"]
                ]
            await send(message)

        return send_prefixed
