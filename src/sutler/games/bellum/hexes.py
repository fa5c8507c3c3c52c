"""Sets of hexes as tuples of three 64-bit words, which need no memory of their own, compiled or plain.

A set is read from a record with `read_hexes(words)` and written back with `store_hexes(words, some)`; rules combine sets with functions
such as `difference(intersection(near, land), taken)`. Plain Python may read a set that a rule returns (as three numbers), but must not
pass one to a rule: compiled code would take the numbers for signed ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sutler.core.bits import lowest, popcount
from sutler.core.rule import rule
from sutler.games.bellum.box import WORDS

if TYPE_CHECKING:
    from sutler.core.typing import Bits
    from sutler.games.bellum.records import Box

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_LOW_BITS = np.uint64(63)

Hexes = tuple[np.uint64, np.uint64, np.uint64]
"""A set of hexes: hex h is bit h % 64 of word h // 64."""
NONE: Hexes = (_ZERO, _ZERO, _ZERO)
assert len(NONE) == WORDS


@rule
def read_hexes(words: Bits) -> Hexes:
    """The set of hexes that three words of a record hold."""
    return (words[0], words[1], words[2])


@rule
def store_hexes(words: Bits, some: Hexes) -> None:
    """Write the set of hexes `some` into the three words `words` of a record."""
    words[0] = some[0]
    words[1] = some[1]
    words[2] = some[2]


@rule
def single_hex(h: int) -> Hexes:
    """The set that holds only the hex `h`."""
    bit = _ONE << (np.uint64(h) & _LOW_BITS)
    word = h >> 6
    if word == 0:
        return (bit, _ZERO, _ZERO)
    if word == 1:
        return (_ZERO, bit, _ZERO)
    return (_ZERO, _ZERO, bit)


@rule
def union(a: Hexes, b: Hexes) -> Hexes:
    """The hexes that are in set `a`, in set `b` or in both (union)."""
    return (a[0] | b[0], a[1] | b[1], a[2] | b[2])


@rule
def intersection(a: Hexes, b: Hexes) -> Hexes:
    """The hexes that are in both sets (intersection)."""
    return (a[0] & b[0], a[1] & b[1], a[2] & b[2])


@rule
def difference(a: Hexes, b: Hexes) -> Hexes:
    """The hexes of set `a` that are not in set `b` (difference)."""
    return (a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2])


@rule
def is_not_empty(a: Hexes) -> bool:
    """Is the set not empty?"""
    return bool((a[0] | a[1] | a[2]) != _ZERO)


@rule
def are_equal(a: Hexes, b: Hexes) -> bool:
    """Do the sets `a` and `b` hold the same hexes?"""
    return bool(((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2])) == _ZERO)


@rule
def contains(a: Hexes, h: int) -> bool:
    """Is the hex `h` in the set?"""
    word = h >> 6
    if word == 0:
        held = a[0]
    elif word == 1:
        held = a[1]
    else:
        held = a[2]
    return bool((held >> (np.uint64(h) & _LOW_BITS)) & _ONE != _ZERO)


@rule
def n_hexes(a: Hexes) -> int:
    """The number of hexes in the set."""
    return popcount(a[0]) + popcount(a[1]) + popcount(a[2])


@rule
def first_hex(a: Hexes) -> int:
    """The lowest hex in a set, which must not be empty."""
    if a[0] != _ZERO:
        return lowest(a[0])
    if a[1] != _ZERO:
        return 64 + lowest(a[1])
    return 128 + lowest(a[2])


@rule
def without_first(a: Hexes) -> Hexes:
    """A copy of a set without its lowest hex; the set must not be empty."""
    if a[0] != _ZERO:
        return (a[0] & (a[0] - _ONE), a[1], a[2])
    if a[1] != _ZERO:
        return (a[0], a[1] & (a[1] - _ONE), a[2])
    return (a[0], a[1], a[2] & (a[2] - _ONE))


@rule
def neighbours_of(box: Box, a: Hexes) -> Hexes:
    """The hexes next to any hex of a set."""
    found = NONE
    while is_not_empty(a):
        found = union(found, read_hexes(box.near[first_hex(a)]))
        a = without_first(a)
    return found
