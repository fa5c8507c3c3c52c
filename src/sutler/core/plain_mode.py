"""Running rules as plain Python in one thread, where compiling would take longer than it saves."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from sutler.core.rule import _here


@contextlib.contextmanager
def as_written() -> Iterator[None]:
    """Run rules as plain Python in this thread, with the same results to the byte.

    The cache only holds what the engine's one entry calls. A rule that Python calls directly would be compiled on its own, which
    takes ten seconds where it sets up a large game, while somebody waits for the page.
    """
    before, _here.plain = _here.plain, True
    try:
        yield
    finally:
        _here.plain = before
