"""Around every answer: headers that keep secret links secret and scripts at home; no orders from elsewhere."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class Guard:
    """ASGI middleware; it touches no body, so streams pass through it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if (
            scope["method"] not in ("GET", "HEAD", "OPTIONS")
            and origin
            and urlsplit(origin).netloc != headers.get("host")
        ):
            refusal = PlainTextResponse("This order came from another site; nothing was done.", status_code=403)
            await refusal(scope, receive, send)
            return
        static = scope["path"].startswith("/static/")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                out.setdefault("Content-Security-Policy", POLICY)
                out["X-Content-Type-Options"] = "nosniff"
                out["Referrer-Policy"] = "same-origin"
                if static and b"v=" in scope["query_string"]:
                    out["Cache-Control"] = "public, max-age=31536000, immutable"
                elif "cache-control" not in out:
                    out["Cache-Control"] = "no-cache" if static else "no-store"
            await send(message)

        await self.app(scope, receive, guarded)
