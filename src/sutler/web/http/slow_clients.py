"""Half a request: whoever begins one says the rest soon, or is hung up on. (Bodies are timed in `limits`.)"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADERS_TIME = 15.0
"""Seconds from the first letter of a request, or from opening the line, to the end of its head."""
LONGEST_HEAD = 64 * 1024
"""Bytes after which a head has to end with what comes next."""


class Patient(HttpToolsProtocol):
    """Uvicorn's protocol, which would wait for the rest of a head for ever, and keep all that is said in it."""

    _clock: asyncio.TimerHandle | None = None
    _said = 0
    """Bytes of a head that has not ended."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has opened a line."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Something is said; if it is nothing but a head, and that goes on and on, it is hung up on."""
        begun = self._clock
        super().data_received(data)
        if self._clock is not None and self._clock is begun:
            self._said += len(data)
            if self._said > LONGEST_HEAD:
                self._wait_no_more()
                self._hang_up()

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
        self._said = 0
        self._clock = self.loop.call_later(HEADERS_TIME, self._hang_up)

    def _wait_no_more(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _hang_up(self, *_: Any) -> None:
        self._clock = None
        if not self.transport.is_closing():
            self.transport.close()
