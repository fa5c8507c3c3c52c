"""Many states in one array."""

from __future__ import annotations

from typing import Any

import numpy as np


def joined_states(*parts: Any) -> Any:
    """Join arrays of states, or single states, into one array that keeps their dtype.

    `np.array` and `np.concatenate` would make another dtype with the same layout, which compiled code refuses.
    """
    lengths = [len(one) if isinstance(one, np.ndarray) else 1 for one in parts]
    out = np.zeros(sum(lengths), parts[0].dtype)
    ends = np.cumsum(lengths)
    for part, end, n in zip(parts, ends, lengths, strict=True):
        out[end - n : end] = part
    return out
