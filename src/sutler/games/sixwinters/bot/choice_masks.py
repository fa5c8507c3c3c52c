"""The legal actions of one block as a bit set (bit i: the block's action i), and keeping one action only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, clear, has
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES

if TYPE_CHECKING:
    from sutler.core.typing import Legal


@rule
def keep_only(out: Legal, action: int) -> None:
    """Make one action legal in `out` and forbid all others."""
    clear(out.ids)
    allow(out, action)


@rule
def legal_bits_in_block(out: Legal, block: int, n_actions: int) -> int:
    """The legal ones among the first `n_actions` actions of a block, as a bit set; `block`: the number of its first action."""
    found = 0
    for k in range(n_actions):
        if has(out.ids, block + k):
            found |= 1 << k
    return found


@rule
def lowest_action(block: int, bits: int) -> int:
    """The lowest action of a block whose bit is set in `bits`; the block's first action when no bit is set."""
    for v in range(FACES):
        if bits >> v & 1:
            return block + v
    return block


@rule
def highest_action(block: int, bits: int) -> int:
    """The highest action of a block whose bit is set in `bits`; the block's first action when no bit is set."""
    for v in range(FACES - 1, -1, -1):
        if bits >> v & 1:
            return block + v
    return block
