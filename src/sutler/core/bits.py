"""Sets of small numbers as bits in 64-bit words: hands, decks, legal actions. All are rules, compiled or plain.

A set is an array of `uint64` words; number `i` is bit `i % 64` of word `i // 64`. `words(n)` says how many words n
numbers need. Everything is spelled in `np.uint64`, since a signed and an unsigned 64-bit number do not mix in either
way of running.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sutler.core.rule import rule

WORD = 64
_ONE = np.uint64(1)
_NONE = np.uint64(0)
_LOW_BITS = np.uint64(63)


def words(n: int) -> int:
    """The number of 64-bit words that a set of n numbers needs."""
    return (n + WORD - 1) // WORD


def mask_of(numbers: Any, size: int) -> Any:
    """A new set holding these numbers, as an array of `words(size)` words (for boxes and tests, not for rules)."""
    out = np.zeros(words(size), np.uint64)
    for number in numbers:
        add(out, number)
    return out


def members(set_words: Any) -> list[int]:
    """The numbers in a set, ascending (for views and tests, not for rules)."""
    raw = np.ascontiguousarray(set_words, dtype="<u8").view(np.uint8)
    return [int(i) for i in np.flatnonzero(np.unpackbits(raw, bitorder="little"))]


def popcount(word: Any) -> int:
    """The number of set bits in one word."""
    return int(word).bit_count()


def lowest(word: Any) -> int:
    """The position of the lowest set bit of a word that is not zero."""
    number = int(word)
    return (number & -number).bit_length() - 1


def nth_bit(word: Any, k: Any) -> int:
    """The position of the k-th set bit of a word, k counted from 0 at the low end; the word must have that many."""
    number = int(word)
    for _ in range(int(k)):
        number &= number - 1
    return lowest(number)


@rule
def bit(i: Any) -> np.uint64:
    """A word in which only bit i is set, 0 <= i < 64."""
    return _ONE << np.uint64(i)


@rule
def has(set_words: Any, i: Any) -> bool:
    """Is i in the set?"""
    return (set_words[i >> 6] >> (np.uint64(i) & _LOW_BITS)) & _ONE != _NONE  # type: ignore[no-any-return]


@rule
def add(set_words: Any, i: Any) -> None:
    """Put i into the set."""
    set_words[i >> 6] |= _ONE << (np.uint64(i) & _LOW_BITS)


@rule
def remove(set_words: Any, i: Any) -> None:
    """Take i out of the set."""
    set_words[i >> 6] &= ~(_ONE << (np.uint64(i) & _LOW_BITS))


@rule
def clear(set_words: Any) -> None:
    """Empty the set."""
    for w in range(len(set_words)):
        set_words[w] = _NONE


@rule
def count(set_words: Any) -> int:
    """The number of numbers in the set."""
    total = 0
    for w in range(len(set_words)):
        total += popcount(set_words[w])
    return total


@rule
def is_empty(set_words: Any) -> bool:
    """Is the set empty?"""
    for w in range(len(set_words)):
        if set_words[w] != _NONE:
            return False
    return True


@rule
def count_both(set_words: Any, others: Any) -> int:
    """The size of the intersection of two sets: the number of numbers that are in both."""
    total = 0
    for w in range(len(set_words)):
        total += popcount(set_words[w] & others[w])
    return total


@rule
def merge(set_words: Any, others: Any) -> None:
    """Add every number of the other set to this one."""
    for w in range(len(set_words)):
        set_words[w] |= others[w]


@rule
def keep_only(set_words: Any, others: Any) -> None:
    """Remove from this set every number that is not in the other."""
    for w in range(len(set_words)):
        set_words[w] &= others[w]


@rule
def take_away(set_words: Any, others: Any) -> None:
    """Remove from this set every number of the other."""
    for w in range(len(set_words)):
        set_words[w] &= ~others[w]


@rule
def assign(set_words: Any, others: Any) -> None:
    """Make this set equal to the other."""
    for w in range(len(set_words)):
        set_words[w] = others[w]


@rule
def nth(set_words: Any, k: Any) -> int:
    """The k-th number of a set in ascending order, from 0; -1 when the set has no more than k."""
    for w in range(len(set_words)):
        n = popcount(set_words[w])
        if k < n:
            return w * 64 + nth_bit(set_words[w], k)
        k -= n
    return -1


@rule
def first_from(set_words: Any, start: Any) -> int:
    """The lowest number >= start in the set, -1 when there is none.

    A loop over a set goes on with `i = first_from(s, i + 1)`.
    """
    w = start >> 6
    if w >= len(set_words):
        return -1
    word = set_words[w] >> (np.uint64(start) & _LOW_BITS)
    if word != _NONE:
        return start + lowest(word)  # type: ignore[no-any-return]
    for v in range(w + 1, len(set_words)):
        if set_words[v] != _NONE:
            return v * 64 + lowest(set_words[v])
    return -1


@rule
def mark_word(out: Any, first: Any, word: Any) -> None:
    """Write a 1 at `out[first + i]` for every bit i of one word."""
    while word != _NONE:
        out[first + lowest(word)] = 1
        word &= word - _ONE


@rule
def mark_set(out: Any, first: Any, set_words: Any) -> None:
    """Write a 1 at `out[first + i]` for every i in a set."""
    for w in range(len(set_words)):
        mark_word(out, first + w * 64, set_words[w])


# --- Legal actions: `out.ids`, one bit an action id --------------------------


@rule
def allow(out: Any, action: Any) -> None:
    """Mark an action id as legal in `out`."""
    out.ids[action >> 6] |= _ONE << (np.uint64(action) & _LOW_BITS)


@rule
def forbid(out: Any, action: Any) -> None:
    """Unmark an action id in `out`, so that it is not legal."""
    out.ids[action >> 6] &= ~(_ONE << (np.uint64(action) & _LOW_BITS))


@rule
def allow_range(out: Any, first: Any, n: Any) -> None:
    """Mark the n action ids from `first` on as legal in `out`."""
    for action in range(first, first + n):
        out.ids[action >> 6] |= _ONE << (np.uint64(action) & _LOW_BITS)


@rule
def want_range(first: Any, n: Any, legal: Any, out: Any) -> None:
    """Add to the set `out` each of the n action ids from `first` on that is legal."""
    for action in range(first, first + n):
        if has(legal, action):
            add(out, action)


@rule
def allow_word(out: Any, first: Any, word: Any) -> None:
    """Mark `first + i` as legal in `out` for every bit i of one word."""
    w = first >> 6
    shift = np.uint64(first) & _LOW_BITS
    out.ids[w] |= word << shift
    if shift != _NONE:
        high = word >> (np.uint64(64) - shift)
        if high != _NONE:
            out.ids[w + 1] |= high


@rule
def allow_set(out: Any, first: Any, set_words: Any) -> None:
    """Mark `first + i` as legal in `out` for every i in a set."""
    for w in range(len(set_words)):
        allow_word(out, first + w * 64, set_words[w])
