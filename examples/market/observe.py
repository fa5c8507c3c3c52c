"""Market: what a seat may know of the others' customers, and worlds that agree with it."""

from __future__ import annotations

import numpy as np

from sutler.core.chance import below
from sutler.core.rule import rule
from sutler.games.market.box import KINDS, P


@rule
def knows_customer(box, state, seat, of):
    """1.2: one's own; when the game is over, everybody's."""
    return of == seat or state.phase == P.over


@rule
def redeal(box, state, seat, luck):
    """What this seat cannot know is drawn anew: the customers of the others, until the end shows them."""
    if state.phase == P.over:
        return
    left = np.uint64((1 << KINDS) - 1) & ~(np.uint64(1) << np.uint64(state.customer[seat]))
    for other in range(state.n_seats):
        if other != seat:
            kind = below(luck, KINDS)
            while left >> np.uint64(kind) & np.uint64(1) == np.uint64(0):
                kind = below(luck, KINDS)
            left &= ~(np.uint64(1) << np.uint64(kind))
            state.customer[other] = kind
