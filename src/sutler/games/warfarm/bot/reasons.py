"""The coach's reasons for preferring one position of WARFARM to another: the parts of `evaluate`, with words for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.core.text.reason_figures import Count, Figure, largest_of_others
from sutler.games.warfarm.bot.evaluate import (
    cards_worth,
    cost_of_excess,
    evaluate,
    farm_worth,
    force_worth,
    rivals_worth,
    share_of_game_left_by_farms_and_armies,
    victory_prospects_worth,
)
from sutler.games.warfarm.bot.worth import tokens_worth
from sutler.games.warfarm.box import (
    CANNON,
    DISCIPLE,
    EXPLORER,
    FARMER,
    FARMLAND,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    LAND_FARMER,
    LAND_SOLDIER,
    RELIGION,
    SOLDIER,
    STEEL,
    WATER,
)
from sutler.games.warfarm.phases_actions_events import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.warfarm.records import Box, State

REASONS = (
    ("it leaves you the bigger farm", "it leaves you the smaller farm"),
    ("it leaves you more tokens", "it leaves you fewer tokens"),
    ("it leaves you stronger units and guards", "it leaves you weaker units and guards"),
    ("it keeps the better cards", "it leaves you the poorer cards"),
    ("it loses you less at the limits", "it loses you more at the limits"),
    ("it brings you nearer to a victory", "it takes you further from a victory"),
    ("it keeps the others back", "it helps another"),
    ("it decides the game for you", "it decides the game against you"),
)
"""Two sentences for each part that `reckon` computes: said of the position that has more of the part, and of the one that has less."""


def build_goods_counter(good: int) -> Count:
    """A function (box, state, seat) that gives the number of one good on a seat's farm, for a figure of the coach."""
    return lambda box, state, seat: state.seats[seat].goods[good]


def n_guarding_units(box: Box, state: State, seat: int) -> int:
    """The number of units that stand guard on a farm's land and cards."""
    me = state.seats[seat]
    posted = sum(int(me.posts[kind][k]) for kind in (GUARD_SOLDIERS, GUARD_FARMERS) for k in range(me.n_table))
    return (
        posted
        + int(me.spots[LAND_SOLDIER])
        + int(me.spots[LAND_FARMER])
        + sum(int(me.trap_guards[k]) for k in range(me.n_traps))
    )


def n_units_without_land(box: Box, state: State, seat: int) -> int:
    """The number of units that a farm has beyond the Farmland they live on."""
    me = state.seats[seat]
    return max(0, sum(int(me.goods[unit]) for unit in range(FARMER, CANNON + 1)) - int(me.goods[FARMLAND]))


FIGURES = (
    Figure(0, "Farmland", build_goods_counter(FARMLAND)),
    Figure(0, "Farmers", build_goods_counter(FARMER)),
    Figure(0, "Explorers", build_goods_counter(EXPLORER)),
    Figure(1, "Water", build_goods_counter(WATER)),
    Figure(1, "Steel", build_goods_counter(STEEL)),
    Figure(1, "Religion", build_goods_counter(RELIGION)),
    Figure(2, "Soldiers", build_goods_counter(SOLDIER)),
    Figure(2, "Cannons", build_goods_counter(CANNON)),
    Figure(2, "units on guard", n_guarding_units),
    Figure(3, "cards", lambda box, state, seat: state.seats[seat].n_hand + state.seats[seat].n_table),
    Figure(4, "units without room", n_units_without_land, is_welcome=False),
    Figure(5, "Disciples", build_goods_counter(DISCIPLE)),
    Figure(6, "the most Farmland of another", largest_of_others(build_goods_counter(FARMLAND)), is_welcome=False),
    Figure(6, "the most Soldiers of another", largest_of_others(build_goods_counter(SOLDIER)), is_welcome=False),
    Figure(6, "the most Farmers of another", largest_of_others(build_goods_counter(FARMER)), is_welcome=False),
    Figure(
        6,
        "the most cards of another",
        largest_of_others(lambda box, state, seat: state.seats[seat].n_hand),
        is_welcome=False,
    ),
)
"""The numbers that speak for the parts."""


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write each part of `evaluate` into `out`, in the order of REASONS; the parts add up to the evaluation."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    game_left = share_of_game_left_by_farms_and_armies(box, state)
    if state.phase == P.over or state.seats[seat].is_alive == 0:
        out[7] = evaluate(box, state, seat)
        return
    out[0] = farm_worth(box, state, seat)
    out[1] = tokens_worth(box, state, seat)
    out[2] = force_worth(box, state, seat, game_left)
    out[3] = cards_worth(box, state, seat, game_left)
    out[4] = -cost_of_excess(state, seat)
    out[5] = victory_prospects_worth(box, state, seat)
    out[6] = -rivals_worth(box, state, seat, game_left)
