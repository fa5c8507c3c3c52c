"""Scores, ties and the condition that ends Medieval Manor (guide 8)."""

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
    """Does some seat have enough victory tokens to end the game (8.2)?"""
    for seat in range(state.n_seats):
        if state.seats[seat].tokens[VICTORY] >= box.options.victory:
            return True
    return False


@rule
def end_victory(box: Box, state: State, seat: int) -> int:
    """The victory tokens that a seat's upgrades add when the game ends (8.3); the University counts itself as an upgrade."""
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
    """Add to every seat the victory tokens that its upgrades bring at the end of the game (8.3)."""
    for seat in range(state.n_seats):
        state.seats[seat].tokens[VICTORY] += end_victory(box, state, seat)


@rule
def score(box: Box, state: State, out: Numbers) -> None:
    """Write the number of victory tokens of each seat into `out` (8.3)."""
    for seat in range(state.n_seats):
        out[seat] = state.seats[seat].tokens[VICTORY]


@rule
def is_ahead(box: Box, state: State, a: int, b: int) -> bool:
    """Does seat `a` place before seat `b`: more victory, else more upgrades, else more gold (8.4)? Equal seats share a place."""
    one = state.seats[a]
    two = state.seats[b]
    if one.tokens[VICTORY] != two.tokens[VICTORY]:
        return one.tokens[VICTORY] > two.tokens[VICTORY]
    if count(one.upgrades) != count(two.upgrades):
        return count(one.upgrades) > count(two.upgrades)
    return one.tokens[GOLD] > two.tokens[GOLD]
