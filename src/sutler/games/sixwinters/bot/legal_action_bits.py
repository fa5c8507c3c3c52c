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
    """Make `action` the only legal action in `out`."""
    clear(out.ids)
    allow(out, action)


@rule
def legal_bits_in_block(out: Legal, block: int, n_actions: int) -> int:
    """The legal actions of a block as a bit set: bit i for the block's action i, of its first `n_actions`.

    `block`: its first action's number.
    """
    found = 0
    for k in range(n_actions):
        if has(out.ids, block + k):
            found |= 1 << k
    return found


@rule
def lowest_action(block: int, bits: int) -> int:
    """The action of a block that belongs to the lowest bit set in `bits`; the block's first action if no bit is set."""
    for v in range(FACES):
        if bits >> v & 1:
            return block + v
    return block


@rule
def highest_action(block: int, bits: int) -> int:
    """The action of a block that belongs to the highest bit set in `bits`; the block's first action if no bit is set."""
    for v in range(FACES - 1, -1, -1):
        if bits >> v & 1:
            return block + v
    return block
