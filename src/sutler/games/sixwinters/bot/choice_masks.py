"""Choices of one kind as bits: which dice or powers a block of actions may be done with, and keeping one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, clear, has
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES

if TYPE_CHECKING:
    from sutler.core.typing import Legal


@rule
def only(out: Legal, action: int) -> None:
    """Leave one action legal and nothing else."""
    clear(out.ids)
    allow(out, action)


@rule
def those_of(out: Legal, block: int, n: int) -> int:
    """Which of the first `n` actions of a block are open, as bits."""
    found = 0
    for k in range(n):
        if has(out.ids, block + k):
            found |= 1 << k
    return found


@rule
def first_of(block: int, bits: int) -> int:
    """The lowest of a block's actions among these."""
    for v in range(FACES):
        if bits >> v & 1:
            return block + v
    return block


@rule
def last_of(block: int, bits: int) -> int:
    """The highest of a block's actions among these."""
    for v in range(FACES - 1, -1, -1):
        if bits >> v & 1:
            return block + v
    return block
