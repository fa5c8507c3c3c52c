"""The coach's reasons for preferring one position of Medieval Manor to another: the parts of `evaluate`, with words for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import members
from sutler.core.rule import rule
from sutler.core.text.reason_figures import Count, Figure, largest_of_others
from sutler.games.manor.bot.evaluate import (
    BEST_OTHER,
    LAST_SHARE,
    actions_left,
    best_final_holdings,
    best_other_holdings,
    clinched_lead,
    coming_cards_worth,
    ends_now,
    final_food_worth,
    final_lead,
    final_stores_worth,
    final_victory,
    food_worth,
    peasants_worth,
    stores_worth,
    turns_left,
    upgrades_worth,
    victory_so_far,
    weight_of_lead,
)
from sutler.games.manor.box import ANIMALS, CROPS, GOLD, PEASANTS, RESOURCES, VICTORY
from sutler.games.manor.table import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.manor.records import Box, State

REASONS = (
    ("it brings you more victory", "it brings you less victory"),
    ("it leaves you more goods", "it leaves you fewer goods"),
    ("it leaves you more hands and actions", "it leaves you fewer hands and actions"),
    ("it feeds your people better", "it leaves your people hungrier"),
    ("it leaves you the better upgrades", "it leaves you the poorer upgrades"),
    ("it keeps the better hand", "it leaves you the poorer hand"),
    ("it keeps the others back", "it helps another"),
    ("it is better for who wins when the game ends", "it is worse for who wins when the game ends"),
)
"""Two sentences for each part that `reckon` computes: said of the position that has more of the part, and of the one that has less."""


def tokens(which: int) -> Count:
    """How many tokens of a kind a seat has."""
    return lambda box, state, seat: state.seats[seat].tokens[which]


FIGURES = (
    Figure(0, "victory", tokens(VICTORY)),
    Figure(1, "gold", tokens(GOLD)),
    Figure(1, "resources", tokens(RESOURCES)),
    Figure(2, "peasants", tokens(PEASANTS)),
    Figure(2, "actions left", actions_left),
    Figure(3, "crops", tokens(CROPS)),
    Figure(3, "animals", tokens(ANIMALS)),
    Figure(4, "upgrades", lambda box, state, seat: len(members(state.seats[seat].upgrades))),
    Figure(5, "cards in hand", lambda box, state, seat: len(members(state.seats[seat].hand))),
    Figure(6, "the most victory of another", largest_of_others(tokens(VICTORY)), is_welcome=False),
    Figure(6, "the most gold of another", largest_of_others(tokens(GOLD)), is_welcome=False),
    Figure(6, "the most crops of another", largest_of_others(tokens(CROPS)), is_welcome=False),
)
"""The numbers that speak for the parts."""


@rule
def reckon_last(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write the parts of `evaluate` into `out`, in the order of REASONS, where the game ends with this turn."""
    weight = weight_of_lead(0.0)
    out[0] = weight * final_victory(box, state, seat)
    out[1] = weight * final_stores_worth(box, state, seat)
    out[2] = weight * LAST_SHARE * peasants_worth(box, state, seat, 0.0)
    out[3] = weight * final_food_worth(box, state, seat)
    out[4] = weight * LAST_SHARE * upgrades_worth(box, state, seat, 0.0)
    out[5] = weight * LAST_SHARE * coming_cards_worth(box, state, seat, 0.0)
    out[6] = -weight * BEST_OTHER * best_final_holdings(box, state, seat)
    out[7] = clinched_lead(box, state, seat)


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write the parts of `evaluate` into `out`, in the order of REASONS; they add up to it."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    if state.phase == P.over:
        out[7] = final_lead(box, state, seat)
        return
    if ends_now(box, state):
        reckon_last(box, state, seat, out)
        return
    turns = turns_left(box, state)
    weight = weight_of_lead(turns)
    out[0] = weight * victory_so_far(box, state, seat)
    out[1] = weight * stores_worth(box, state, seat)
    out[2] = weight * peasants_worth(box, state, seat, turns)
    out[3] = weight * food_worth(box, state, seat, turns)
    out[4] = weight * upgrades_worth(box, state, seat, turns)
    out[5] = weight * coming_cards_worth(box, state, seat, turns)
    out[6] = -weight * BEST_OTHER * best_other_holdings(box, state, seat, turns)
