"""A time limit for a whole conversation with another machine; a timeout per read would not end one that sends a byte at a time."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def hang_up_after(seconds: float, socket_of: Callable[[], socket.socket | None]) -> Iterator[None]:
    """Shut a socket down if the block takes longer than this; reading from the socket or writing to it then raises OSError.

    `socket_of`: called when the time is over; the socket, or None where none is open yet.
    """

    def hang_up() -> None:
        if (line := socket_of()) is not None:
            with contextlib.suppress(OSError, ValueError):  # closed at the same moment
                line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
