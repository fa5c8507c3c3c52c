"""A time limit and a size limit for the head of a request (Slowloris). Bodies are timed in `rate_limits.bounded`."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_TIMEOUT_S = 15.0
"""From the first byte of a request, or from opening the connection, to the end of its head."""
MAX_HEADER_BYTES = 64 * 1024
"""A head that is longer when the next data has come closes the connection."""


class TimedHttpProtocol(HttpToolsProtocol):
    """Uvicorn's HTTP protocol with limits; by itself it waits for the rest of a head without end, and keeps all that came of it."""

    _timer: asyncio.TimerHandle | None = None
    _header_bytes = 0
    """Received of a head that has not ended."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer when a client connects."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Take data; close the connection when nothing but an endless head comes."""
        begun = self._timer
        super().data_received(data)
        if self._timer is not None and self._timer is begun:
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES:
                self._stop_timer()
                self._close()

    def on_message_begin(self) -> None:
        """Start the timer when a request begins."""
        super().on_message_begin()
        if self._timer is None:
            self._start_timer()

    def on_headers_complete(self) -> None:
        """Stop the timer: the head is complete."""
        self._stop_timer()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer: the connection is closed."""
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._header_bytes = 0
        self._timer = self.loop.call_later(HEADER_TIMEOUT_S, self._close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self, *_: Any) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()
