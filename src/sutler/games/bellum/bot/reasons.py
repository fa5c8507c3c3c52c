"""Reasons why bots prefer one position of Bellum to another: the parts of `evaluate`, each with its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import members
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.text.reason_figures import Figure, largest_of_others
from sutler.games.bellum.bot.evaluate import (
    areas_worth,
    battle_worth,
    committed_attack_worth,
    early_end_worth,
    finished_game_worth,
    levels_worth,
    lost_leaders_penalty,
    seat_prospects,
)
from sutler.games.bellum.bot.map_survey import compute_stands, hexes_of_sites, survey_sites
from sutler.games.bellum.bot.site_worth import (
    compute_promises,
    headquarters_worth,
    lasting_sites_worth,
    march_targets_worth,
    target_site_bits,
)
from sutler.games.bellum.bot.undisturbed_forecast import forecast_turns
from sutler.games.bellum.box import POWERS
from sutler.games.bellum.phases_actions_events import P
from sutler.games.bellum.scoring import power_of_seat, seat_score, tokens_won
from sutler.games.bellum.state import ally_of

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.bellum.records import Box, State

REASONS = (
    (
        "it leaves you more supply and strength in the turns to come",
        "it costs supply and strength in the turns to come",
    ),
    ("it leaves you more country to feed from", "it leaves you less country to feed from"),
    ("it keeps your cities and sieges", "it is worse for your cities and sieges"),
    ("it brings your leaders nearer to what they can take", "it takes your leaders further from what they can take"),
    ("it is better for tokens of headquarters", "it is worse for tokens of headquarters"),
    ("it keeps your leaders on the board", "it may cost you a leader"),
    ("it leaves you better off in the fighting", "it leaves you worse off in the fighting"),
    ("it keeps the others back", "it helps another"),
    ("it is better for you if the war ends soon", "it is worse for you if the war ends soon"),
)
"""The words for each part that `reckon` computes: for the position that has more of the part, and for the one that has less."""


def supply_plus_strength(box: Box, state: State, seat: int) -> int:
    """The sum of supply and strength of a seat's power."""
    own = state.powers[power_of_seat(state, seat)]
    return int(own.supply) + int(own.strength)


def n_areas_that_feed(box: Box, state: State, seat: int) -> int:
    """The number of areas that can still feed a seat's army."""
    return len(members(state.powers[power_of_seat(state, seat)].upright))


def n_areas(box: Box, state: State, seat: int) -> int:
    """The number of areas with a token of a seat's power."""
    return n_areas_that_feed(box, state, seat) + len(members(state.powers[power_of_seat(state, seat)].tilted))


def n_cities(box: Box, state: State, seat: int) -> int:
    """The number of cities that a seat's power holds."""
    mine = power_of_seat(state, seat)
    return sum(int(state.site[k].holder) == mine for k in range(box.n_sites))


def n_sieges(box: Box, state: State, seat: int) -> int:
    """The number of cities that a seat's power besieges."""
    mine = power_of_seat(state, seat)
    return sum(int(state.site[k].besieger) == mine for k in range(box.n_sites))


def n_leaders(box: Box, state: State, seat: int) -> int:
    """The number of a seat's leaders on the board."""
    return sum(int(at) != NOBODY for at in state.powers[power_of_seat(state, seat)].leader)


def steps_to_nearest_targets(box: Box, state: State, seat: int) -> int:
    """The number of steps from each of a seat's leaders to the nearest city or headquarters it may take, added up.

    Rivers and enemies are ignored.
    """
    mine, seen = power_of_seat(state, seat), survey_sites(box, state)
    wanted = set(members(hexes_of_sites(box, target_site_bits(box, state, mine, seen))))
    return sum(n_steps_to_nearest(box, int(at), wanted) for at in state.powers[mine].leader if at != NOBODY)


def n_steps_to_nearest(box: Box, start: int, goals: set[int]) -> int:
    """The number of steps from the hex `start` to the nearest hex of the set `goals`; MAX_STEPS where none is that near."""
    reached, edge = {start}, {start}
    for steps in range(MAX_STEPS):
        if edge & goals:
            return steps
        edge = {one for at in edge for one in members(box.near[at])} - reached
        reached |= edge
    return MAX_STEPS


MAX_STEPS = 12
FIGURES = (
    Figure(0, "supply", lambda box, state, seat: state.powers[power_of_seat(state, seat)].supply),
    Figure(0, "strength", lambda box, state, seat: state.powers[power_of_seat(state, seat)].strength),
    Figure(1, "areas that can feed you", n_areas_that_feed),
    Figure(1, "areas with your tokens", n_areas),
    Figure(2, "cities", n_cities),
    Figure(2, "sieges", n_sieges),
    Figure(3, "steps from your leaders to what they can take", steps_to_nearest_targets, is_welcome=False),
    Figure(4, "tokens of headquarters won", lambda box, state, seat: tokens_won(state, power_of_seat(state, seat))),
    Figure(5, "leaders on the board", n_leaders),
    Figure(7, "supply and strength of the strongest other", largest_of_others(supply_plus_strength), is_welcome=False),
    Figure(8, "score if peace came now", seat_score),
)
"""The numbers that speak for the parts."""


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write each part of `evaluate` into `out`, in points and in the order of `REASONS`; the parts add up to the evaluation."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    if state.phase == P.over:
        out[8] = finished_game_worth(box, state, seat)
        return
    _, against, safe, calm = seat_prospects(box, state, seat, None)
    share = safe * calm
    mine = power_of_seat(state, seat)
    friend = ally_of(box, state, mine)
    seen = survey_sites(box, state)
    stands = compute_stands(box, state)
    for power in range(POWERS):
        if power == mine or power == friend:
            to_come = forecast_turns(box, state, power, seen, stands, compute_promises(box, state, power, seen), None)
            out[0] += share * levels_worth(state, power, to_come)
            out[1] += share * areas_worth(state, power, to_come)
            out[2] += share * lasting_sites_worth(box, state, power, seen)
            out[3] += share * march_targets_worth(box, state, power, seen)
            out[4] += share * headquarters_worth(box, state, power, seen)
            out[5] += share * lost_leaders_penalty(state, power)
    out[6] = share * battle_worth(box, state, mine, committed_attack_worth(box, state))
    out[7] = -share * against
    out[8] = early_end_worth(box, state, seat, safe, calm)
