"""A time limit for a whole conversation with another machine; a timeout per read would not end one that sends a byte at a time."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def shut_socket_after(seconds: float, get_socket: Callable[[], socket.socket | None]) -> Iterator[None]:
    """Shut a socket down if the block takes longer than this; reading from the socket or writing to it then raises OSError.

    `get_socket`: called when the time is over; the socket, or None where none is open yet.
    """

    def shut_socket() -> None:
        """Shut down the socket that is open now, if any."""
        if (line := get_socket()) is not None:
            with contextlib.suppress(OSError, ValueError):  # closed at the same moment
                line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, shut_socket)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
