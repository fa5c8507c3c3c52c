"""Many states in one array."""

from __future__ import annotations

from typing import Any

import numpy as np


def joined_states(*parts: Any) -> Any:
    """Arrays of states, or single ones, one after another in an array of their own type.

    `np.array` and `np.concatenate` make a type anew: the fields lie where they lay, but it is none of ours, and machine code refuses it.
    """
    lengths = [len(one) if isinstance(one, np.ndarray) else 1 for one in parts]
    out = np.zeros(sum(lengths), parts[0].dtype)
    ends = np.cumsum(lengths)
    for part, end, n in zip(parts, ends, lengths, strict=True):
        out[end - n : end] = part
    return out
