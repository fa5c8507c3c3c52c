"""Asking the application without a server between: one request, its whole answer. Fast enough to ask thousands of times."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def text(self) -> str:
        """The body as words."""
        return self.body.decode()


class Asker:
    """Somebody who asks one application, again and again, with the same cookies."""

    def __init__(self, app: FastAPI, cookie: str = "sutler_browser=somebody") -> None:
        self.app = app
        self.cookie = cookie
        self._loop = asyncio.Runner()
        self._thread = ThreadPoolExecutor(1)  # of its own: where a browser is driven a loop may be running

    def close(self) -> None:
        """Done."""
        self._thread.submit(self._loop.close).result()
        self._thread.shutdown()

    def __call__(
        self, method: str, path: str, query: Mapping[str, Any] | None = None, body: Mapping[str, Any] | bytes = b""
    ) -> Answer:
        """One request. A stream of events is left after its first event."""
        data = body if isinstance(body, bytes) else urlencode(body).encode()
        asked = self._ask(method, path, urlencode(query or {}).encode(), data)
        return self._thread.submit(self._loop.run, asked).result()

    async def _ask(self, method: str, path: str, query: bytes, data: bytes) -> Answer:
        headers = [(b"host", b"table"), (b"cookie", self.cookie.encode()), (b"hx-request", b"true")]
        headers += [(b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"%d" % len(data))]
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http"}
        scope |= {"path": path, "raw_path": path.encode(), "query_string": query, "root_path": "", "headers": headers}
        scope |= {"client": ("127.0.0.1", 1), "server": ("table", 80)}
        left, told, start = asyncio.Event(), [], {}
        parts: list[dict[str, Any]] = [{"type": "http.request", "body": data, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if parts:
                return parts.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                told.append(message.get("body", b""))
                if not message.get("more_body") or b"event:" in told[-1]:
                    left.set()

        await self.app(scope, receive, send)
        return Answer(start["status"], tuple(start["headers"]), b"".join(told))


def routes(app: FastAPI) -> set[str]:
    """Every route the application has, as "GET /path". Whatever cannot be read stops the test that asks."""
    return {f"{method} {path}" for path, methods in _walk(app.routes) for method in methods}


def _walk(found: Any) -> Iterator[tuple[str, set[str]]]:
    for one in found:
        if hasattr(one, "effective_candidates"):  # a router included
            yield from _walk(one.effective_candidates())
        else:
            yield one.path, set(getattr(one, "methods", None) or {"MOUNT"}) - {"HEAD"}
