"""A deadline for a conversation with another machine as a whole: a timeout of each step is none, where the other side drips."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def hang_up_after(seconds: float, socket_of: Callable[[], socket.socket | None]) -> Iterator[None]:
    """Shut a socket down when the block has taken so many seconds; whoever reads from it or writes to it then gets an OSError.

    `socket_of`: the socket, asked for at that moment; None where there is none yet.
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
