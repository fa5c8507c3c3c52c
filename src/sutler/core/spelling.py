"""A suggestion for a word that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(wrong: str, right: Iterable[str]) -> str:
    """A suggestion, "; did you mean 'stress'?", or nothing when no known word is like it."""
    by_low = {name.casefold(): name for name in right}
    close = difflib.get_close_matches(wrong.casefold(), by_low, n=1, cutoff=0.6)
    return f"; did you mean {by_low[close[0]]!r}?" if close else ""
