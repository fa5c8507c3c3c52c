"""The coach's reasons for preferring one position of Medieval Manor to another: the parts of `evaluate`, with words for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import members
from sutler.core.rule import rule
from sutler.core.text.reason_figures import Count, Figure, largest_of_others
from sutler.games.manor.bot.evaluate import (
    BEST_OTHER,
    LAST_SHARE,
    best_final_rival_worth,
    best_rival_worth,
    clinched_lead_value,
    coming_cards_worth,
    final_food_worth,
    final_goods_worth,
    final_lead,
    final_victory,
    food_worth,
    goods_worth_with_conversion,
    is_last_turn,
    n_actions_left,
    n_turns_left,
    peasants_worth,
    upgrades_worth,
    victory_so_far,
    weight_of_lead,
)
from sutler.games.manor.box import ANIMALS, CROPS, GOLD, PEASANTS, RESOURCES, VICTORY
from sutler.games.manor.phases_actions_events import P

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


def build_token_counter(token: int) -> Count:
    """A function (box, state, seat) that gives the number of a seat's tokens of one kind, for a figure of the coach."""
    return lambda box, state, seat: state.seats[seat].tokens[token]


FIGURES = (
    Figure(0, "victory", build_token_counter(VICTORY)),
    Figure(1, "gold", build_token_counter(GOLD)),
    Figure(1, "resources", build_token_counter(RESOURCES)),
    Figure(2, "peasants", build_token_counter(PEASANTS)),
    Figure(2, "actions left", n_actions_left),
    Figure(3, "crops", build_token_counter(CROPS)),
    Figure(3, "animals", build_token_counter(ANIMALS)),
    Figure(4, "upgrades", lambda box, state, seat: len(members(state.seats[seat].upgrades))),
    Figure(5, "cards in hand", lambda box, state, seat: len(members(state.seats[seat].hand))),
    Figure(6, "the most victory of another", largest_of_others(build_token_counter(VICTORY)), is_welcome=False),
    Figure(6, "the most gold of another", largest_of_others(build_token_counter(GOLD)), is_welcome=False),
    Figure(6, "the most crops of another", largest_of_others(build_token_counter(CROPS)), is_welcome=False),
)
"""The numbers that speak for the parts."""


@rule
def reckon_final_turn(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write each part of `evaluate` into `out`, in the order of REASONS, for a position in which the game ends with this turn."""
    weight = weight_of_lead(0.0)
    out[0] = weight * final_victory(box, state, seat)
    out[1] = weight * final_goods_worth(box, state, seat)
    out[2] = weight * LAST_SHARE * peasants_worth(box, state, seat, 0.0)
    out[3] = weight * final_food_worth(box, state, seat)
    out[4] = weight * LAST_SHARE * upgrades_worth(box, state, seat, 0.0)
    out[5] = weight * LAST_SHARE * coming_cards_worth(box, state, seat, 0.0)
    out[6] = -weight * BEST_OTHER * best_final_rival_worth(box, state, seat)
    out[7] = clinched_lead_value(box, state, seat)


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write each part of `evaluate` into `out`, in the order of REASONS; the parts add up to the evaluation."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    if state.phase == P.over:
        out[7] = final_lead(box, state, seat)
        return
    if is_last_turn(box, state):
        reckon_final_turn(box, state, seat, out)
        return
    turns = n_turns_left(box, state)
    weight = weight_of_lead(turns)
    out[0] = weight * victory_so_far(box, state, seat)
    out[1] = weight * goods_worth_with_conversion(box, state, seat)
    out[2] = weight * peasants_worth(box, state, seat, turns)
    out[3] = weight * food_worth(box, state, seat, turns)
    out[4] = weight * upgrades_worth(box, state, seat, turns)
    out[5] = weight * coming_cards_worth(box, state, seat, turns)
    out[6] = -weight * BEST_OTHER * best_rival_worth(box, state, seat, turns)
