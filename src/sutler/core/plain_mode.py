"""Rules run as they are written: for what is called once, where machine code of its own would take longer to make than to do without."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from sutler.core.rule import _here


@contextlib.contextmanager
def as_written() -> Iterator[None]:
    """Run rules as plain Python in this thread, to the same byte.

    The cache holds what goes through the engine's one door. A rule that Python calls by itself would be compiled by itself,
    for ten seconds where it sets up a large game, while somebody waits for the page.
    """
    before, _here.plain = _here.plain, True
    try:
        yield
    finally:
        _here.plain = before
