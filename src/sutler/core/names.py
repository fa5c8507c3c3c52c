"""Enumerations: numbers with names (`A.place`, `P.work`), and suggestions for a mistyped name.

In rules a number by name compiles to a plain constant (`core.compilation.intrinsics`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


class Numbers:
    """Whole numbers, each with a name. `of` says what they count, for the error when a name is mistyped."""

    def __init__(self, of: str, values: Mapping[str, int] | Iterable[str]) -> None:
        named = dict(values) if isinstance(values, Mapping) else {name: i for i, name in enumerate(values)}
        for name in named:
            if not name.isidentifier() or name.startswith("_"):
                raise ValueError(f"{of}: {name!r} cannot be the name of a number")
        self.__dict__.update(named, _of=of, _values=named)

    def __getattr__(self, name: str) -> int:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"there is no {self._of} {name!r}{did_you_mean(name, self._list_names())}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self._of} {name!r}: numbers stay as they are")

    def __iter__(self) -> Iterator[str]:
        return iter(self._list_names())

    def __repr__(self) -> str:
        return f"<Numbers of {self._of}: {', '.join(f'{name}={n}' for name, n in self._list_pairs())}>"

    def _list_pairs(self) -> list[tuple[str, int]]:
        """(name, number) of every name, in order."""
        values: Any = self.__dict__["_values"]
        return list(values.items())

    def _list_names(self) -> list[str]:
        """The names, in the order of their numbers."""
        return [name for name, _ in self._list_pairs()]


def did_you_mean(wrong: str, right: Iterable[str]) -> str:
    """A suggestion such as "; did you mean 'stress'?"; "" when no known word is similar."""
    by_low = {name.casefold(): name for name in right}
    close = difflib.get_close_matches(wrong.casefold(), by_low, n=1, cutoff=0.6)
    return f"; did you mean {by_low[close[0]]!r}?" if close else ""
