"""Types of rules' arguments, for readers and type checkers only; they have no effect at run time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeVar, overload

import numpy as np

T = TypeVar("T")
Word = np.uint64
"""Up to 64 bits, such as the lands that are free."""


class Row(Protocol[T]):
    """An array with one index."""

    def __getitem__(self, at: int) -> T: ...
    def __setitem__(self, at: int, value: T) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[T]: ...


class Grid(Protocol[T]):
    """An array with two indexes."""

    @overload
    def __getitem__(self, at: int) -> Row[T]: ...
    @overload
    def __getitem__(self, at: tuple[int, int]) -> T: ...
    def __setitem__(self, at: tuple[int, int], value: T) -> None: ...
    def __len__(self) -> int: ...


class Cube(Protocol[T]):
    """An array with three indexes."""

    @overload
    def __getitem__(self, at: int) -> Grid[T]: ...
    @overload
    def __getitem__(self, at: tuple[int, int]) -> Row[T]: ...
    @overload
    def __getitem__(self, at: tuple[int, int, int]) -> T: ...
    def __setitem__(self, at: tuple[int, int, int], value: T) -> None: ...
    def __len__(self) -> int: ...


Bits = Row[Word]
"""A set of small numbers (core.bits)."""
Numbers = np.ndarray[Any, np.dtype[Any]]
"""The array that a score, a rank or an observation is written into."""


class Events(Protocol):
    """The buffer that rules write events into."""

    kinds: int
    n_told: int
    rows: Any


class Legal(Protocol):
    """A set of action ids."""

    ids: Bits


class Luck(Protocol):
    """Any record with a generator."""

    rng: Row[int]
