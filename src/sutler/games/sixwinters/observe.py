"""What a seat may know of Six Winters. The table is open: hidden are only the order of the draw piles and the dice to come."""

from __future__ import annotations

from sutler.core.chance import below
from sutler.core.rule import rule
from sutler.games.sixwinters.box import N_REGIONS, OBSTACLES


@rule
def see_pile(box, state, seat, of, out, at):
    """1.11: of a draw pile, from the top: the known cards; of those whose backs were seen the season; how many there are."""
    for region in range(N_REGIONS):
        n = int(state.n_draw[region])
        for i in range(OBSTACLES):
            where = at + region * OBSTACLES + i
            out[where] = -1
            if i < state.n_known[region]:
                out[where] = state.draw[region, n - 1 - i] + 10
            elif i < state.n_seen[region]:
                out[where] = box.obstacle[state.draw[region, n - 1 - i]].season


@rule
def redeal(box, state, seat, luck):
    """1.11: what lies below the known cards in any order that keeps the backs that were seen; the same for every seat."""
    for region in range(N_REGIONS):
        n = int(state.n_draw[region])
        top = n - 1 - int(state.n_known[region])  # the uppermost card that is not known
        for at in range(top, n - 1 - state.n_seen[region], -1):
            swap_for_season(box, state, region, at, luck)
        rest = n - int(state.n_seen[region])
        for i in range(rest - 1, 0, -1):
            swap(state, region, i, below(luck, i + 1))


@rule
def swap(state, region, i, j):
    """Two cards of a draw pile change places."""
    held = state.draw[region, i]
    state.draw[region, i] = state.draw[region, j]
    state.draw[region, j] = held


@rule
def swap_for_season(box, state, region, at, luck):
    """One whose back was seen becomes any card of its season that may lie there: itself or one further down."""
    season = box.obstacle[state.draw[region, at]].season
    n = 0
    for i in range(at + 1):
        if box.obstacle[state.draw[region, i]].season == season:
            n += 1
    k = below(luck, n)
    for i in range(at + 1):
        if box.obstacle[state.draw[region, i]].season == season:
            if k == 0:
                swap(state, region, at, i)
                return
            k -= 1
