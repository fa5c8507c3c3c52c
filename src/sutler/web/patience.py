"""Half a request: whoever begins one says the rest soon, or is hung up on. (Bodies are timed in `limits`.)"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADERS_TIME = 15.0
"""Seconds from the first letter of a request, or from opening the line, to the end of its head."""


class Patient(HttpToolsProtocol):
    """Uvicorn's protocol, which would wait for the rest of a head for ever."""

    _clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has opened a line."""
        super().connection_made(transport)
        self._wait()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        if self._clock is None:
            self._wait()

    def on_headers_complete(self) -> None:
        """Its head is complete."""
        self._wait_no_more()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The line is closed."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._clock = self.loop.call_later(HEADERS_TIME, self._hang_up)

    def _wait_no_more(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _hang_up(self, *_: Any) -> None:
        self._clock = None
        if not self.transport.is_closing():
            self.transport.close()
