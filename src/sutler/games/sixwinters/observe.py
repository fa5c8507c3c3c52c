"""The knowledge of a seat of Six Winters. The table is open; only the order of the draw piles and future rolls are hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import below
from sutler.core.rule import rule
from sutler.games.sixwinters.box import N_REGIONS, OBSTACLES
from sutler.games.sixwinters.setup import swap_pile_cards

if TYPE_CHECKING:
    from sutler.core.typing import Luck, Numbers
    from sutler.games.sixwinters.records import Box, State


@rule
def observe_field_pile(box: Box, state: State, seat: int, out: Numbers, at: int) -> None:
    """Write the obstacle draw piles into `out`, from index `at` on, as all seats know them, each pile from its top (1.11).

    A known card is written as its number plus 10, a card whose back was seen as its season, any other as -1.
    """
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
def redeal(box: Box, state: State, seat: int, luck: Luck) -> None:
    """Shuffle, in place, the unknown cards of each obstacle draw pile, so that the backs that were seen stay true (1.11).

    `luck`: a source of random numbers. All seats know the same. Cards are first sorted by number, so that nothing of the true order is
    left.
    """
    for region in range(N_REGIONS):
        n = int(state.n_draw[region])
        for at in range(n - 1 - state.n_known[region], n - 1 - state.n_seen[region], -1):
            replace_by_card_of_season(box, state, region, at, luck)
        rest = n - int(state.n_seen[region])
        sort_pile_bottom(state, region, rest)
        for i in range(rest - 1, 0, -1):
            swap_pile_cards(state, region, i, below(luck, i + 1))


@rule
def sort_pile_bottom(state: State, region: int, n_cards: int) -> None:
    """Sort the lowest `n_cards` cards of a region's draw pile by their numbers."""
    for i in range(1, n_cards):
        j = i
        while j > 0 and state.draw[region, j - 1] > state.draw[region, j]:
            swap_pile_cards(state, region, j - 1, j)
            j -= 1


@rule
def replace_by_card_of_season(box: Box, state: State, region: int, index: int, luck: Luck) -> None:
    """Replace a card whose back was seen by a random card with the same season: itself, or one further down in the pile.

    `index`: the card's index in the region's pile; `luck`: a source of random numbers.
    """
    season = box.obstacle[state.draw[region, index]].season
    n = 0
    for i in range(index + 1):
        if box.obstacle[state.draw[region, i]].season == season:
            n += 1
    k = below(luck, n)
    for i in range(index + 1):
        if (
            box.obstacle[state.draw[region, i]].season == season
            and n_lower_of_same_season(box, state, region, index, i) == k
        ):
            swap_pile_cards(state, region, index, i)
            return


@rule
def n_lower_of_same_season(box: Box, state: State, region: int, index: int, pile_index: int) -> int:
    """The number of cards, among those up to `index` in the pile, with a lower number and the same season as the card at `pile_index`."""
    card = state.draw[region, pile_index]
    n = 0
    for j in range(index + 1):
        other = state.draw[region, j]
        if other < card and box.obstacle[other].season == box.obstacle[card].season:
            n += 1
    return n
