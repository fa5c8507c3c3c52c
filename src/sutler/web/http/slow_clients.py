"""Time limits for the head and the body of a request, and a size limit for the head, against clients that send slowly (Slowloris)."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sutler.web.rate_limits import compute_max_body_seconds, to_client_key

HEADER_TIMEOUT_S = 15.0
"""Seconds from the first byte of a request, or from opening the connection, to the end of the request's head."""
MAX_HEADER_BYTES = 64 * 1024
"""The size of a head beyond which the connection is closed."""
MAX_CONNECTIONS_PER_CLIENT = 256
"""Connections that one client may have open at the same time; a whole school may share one address."""
MAX_BYTES_AROUND = 8
"""Bytes of chunk sizes that may come around each byte of a body, beside MAX_HEADER_BYTES; a chunk of one byte has five. Beyond that
(endless trailers, which would all be kept in memory, or endless extensions of chunks) the connection is closed."""
BODY_GRACE_S = 5.0
"""Seconds after a body's time limit (where `rate_limits.bounded` answers 408) until the connection is closed, even if nobody reads the
body."""


class TimedHttpProtocol(HttpToolsProtocol):
    """Uvicorn's HTTP protocol with limits. Without them it would wait for the rest of a head for ever, and keep all that came of it."""

    _timer: asyncio.TimerHandle | None = None
    _header_bytes = 0
    """Bytes received of a head that has not ended."""
    _body_timer: asyncio.TimerHandle | None = None
    _body_bytes = 0
    _body_begun = 0.0
    _around_bytes = 0
    """Bytes received since a head ended that are not of the body: sizes of chunks, their extensions, trailers."""
    per_client: int | None = MAX_CONNECTIONS_PER_CLIENT
    """The number of connections that one client may have open; None: any number."""
    _open: Counter[str] = Counter()
    """The number of open connections of each client, in this process."""
    _counted = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer of the head when a client connects; close the connection where the client has too many."""
        super().connection_made(transport)
        peer = str(self.client[0]) if self.client else ""
        if self.per_client is not None and peer not in _TrustedHosts(self.config.forwarded_allow_ips or ""):
            self._counted = to_client_key(peer)
            self._open[self._counted] += 1
            if self._open[self._counted] > self.per_client:
                transport.close()
                return
        self._start_head_timer()

    def data_received(self, data: bytes) -> None:
        """Take data from the client; close the connection where a head, or what comes around a body, is too large."""
        begun, body_begun, body = self._timer, self._body_begun, self._body_bytes
        in_body = self._body_timer is not None
        super().data_received(data)
        if in_body and self._body_timer is not None and self._body_begun == body_begun:
            self._around_bytes += len(data) - (self._body_bytes - body)
            if self._around_bytes > MAX_HEADER_BYTES + MAX_BYTES_AROUND * self._body_bytes:
                self._stop_body_timer()
                self._close_connection()
        if self._timer is not None and self._timer is begun:
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES:
                self._stop_head_timer()
                self._close_connection()

    def on_message_begin(self) -> None:
        """Start the timer of the head when a request begins."""
        super().on_message_begin()
        if self._timer is None:
            self._start_head_timer()

    def on_headers_complete(self) -> None:
        """Stop the timer of the head, and start that of the body."""
        self._stop_head_timer()
        self._body_bytes, self._around_bytes, self._body_begun = 0, 0, self.loop.time()
        self._check_body_deadline()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count the bytes received of a body."""
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the timer of the body: the whole request has come."""
        self._stop_body_timer()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers when the connection is closed, and count it no longer."""
        self._stop_head_timer()
        self._stop_body_timer()
        if self._counted:
            self._open[self._counted] -= 1
            if not self._open[self._counted]:
                del self._open[self._counted]
            self._counted = ""
        super().connection_lost(exc)

    def _start_head_timer(self) -> None:
        """Start the timer of a request's head."""
        self._header_bytes = 0
        self._timer = self.loop.call_later(HEADER_TIMEOUT_S, self._close_connection)

    def _stop_head_timer(self) -> None:
        """Stop the timer of a request's head."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_body_deadline(self) -> None:
        """Close the connection when the body's time is over, or restart the timer where arrived bytes have earned more time."""
        self._stop_body_timer()
        end = self._body_begun + compute_max_body_seconds(self._body_bytes) + BODY_GRACE_S
        if end <= self.loop.time():
            self._close_connection()
        else:
            self._body_timer = self.loop.call_at(end, self._check_body_deadline)

    def _stop_body_timer(self) -> None:
        """Stop the timer of a request's body."""
        if self._body_timer is not None:
            self._body_timer.cancel()
            self._body_timer = None

    # --- The connection ---------------------------------------------------------------------------------

    def _close_connection(self, *_: Any) -> None:
        """Close the connection, unless that has begun already."""
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()


class UnlimitedHttpProtocol(TimedHttpProtocol):
    """The protocol of a server without limits for clients: each may have any number of connections open."""

    per_client = None
