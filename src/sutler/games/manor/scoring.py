"""Points, ties and the end of Medieval Manor (guide 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import count, first_from
from sutler.core.rule import rule
from sutler.games.manor.box import GOLD, VICTORY

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.manor.records import Box, State


@rule
def has_a_winner(box: Box, state: State) -> bool:
    """8.2: has some seat enough victory tokens?"""
    for seat in range(state.n_seats):
        if state.seats[seat].tokens[VICTORY] >= box.options.victory:
            return True
    return False


@rule
def end_value(box: Box, state: State, seat: int) -> int:
    """8.3: what the seat's upgrades add when the game ends; the University counts itself."""
    upgrades = state.seats[seat].upgrades
    owned = count(upgrades)
    total = 0
    card = first_from(upgrades, 0)
    while card >= 0:
        total += box.card[card].end.victory + box.card[card].end.per_upgrade * owned
        card = first_from(upgrades, card + 1)
    return total


@rule
def add_end_values(box: Box, state: State) -> None:
    """8.3: "End" values become victory tokens."""
    for seat in range(state.n_seats):
        state.seats[seat].tokens[VICTORY] += end_value(box, state, seat)


@rule
def score(box: Box, state: State, out: Numbers) -> None:
    """8.3: victory tokens per seat."""
    for seat in range(state.n_seats):
        out[seat] = state.seats[seat].tokens[VICTORY]


@rule
def is_ahead(box: Box, state: State, a: int, b: int) -> bool:
    """8.4: more victory; else more upgrades; else more gold. Seats that nothing parts share a place."""
    one = state.seats[a]
    two = state.seats[b]
    if one.tokens[VICTORY] != two.tokens[VICTORY]:
        return one.tokens[VICTORY] > two.tokens[VICTORY]
    if count(one.upgrades) != count(two.upgrades):
        return count(one.upgrades) > count(two.upgrades)
    return one.tokens[GOLD] > two.tokens[GOLD]
