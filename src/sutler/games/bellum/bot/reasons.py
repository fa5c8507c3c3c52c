"""Reasons why bots prefer one position of Bellum to another: the parts of `evaluate`, each with its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import members
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.text.reason_figures import Figure, largest_of_others
from sutler.games.bellum.bot.evaluate import (
    area_worth,
    attackers_prospects,
    battle_worth,
    ending_worth,
    finished_worth,
    level_worth,
    lost_leaders_penalty,
    prospects_of_seat,
)
from sutler.games.bellum.bot.forecast import forecast_turns
from sutler.games.bellum.bot.promises import headquarters_worth, lasting_worth, march_hopes, promises, targets
from sutler.games.bellum.bot.survey import hexes_of, stands_of, survey
from sutler.games.bellum.box import POWERS
from sutler.games.bellum.scoring import power_of, seat_score, tokens_won
from sutler.games.bellum.state import ally_of
from sutler.games.bellum.table import P

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
    ("it promises more of the battle", "it promises less of the battle"),
    ("it keeps the others back", "it helps another"),
    ("it is better for you if the war ends soon", "it is worse for you if the war ends soon"),
)
"""The words for each part that `reckon` computes: for the position that has more of the part, and for the one that has less."""


def levels(box: Box, state: State, seat: int) -> int:
    """Supply and strength of a seat's power."""
    own = state.powers[power_of(state, seat)]
    return int(own.supply) + int(own.strength)


def fed_by(box: Box, state: State, seat: int) -> int:
    """The number of areas that can still feed a seat's army."""
    return len(members(state.powers[power_of(state, seat)].upright))


def areas(box: Box, state: State, seat: int) -> int:
    """The number of areas with a token of a seat's power."""
    return fed_by(box, state, seat) + len(members(state.powers[power_of(state, seat)].tilted))


def cities(box: Box, state: State, seat: int) -> int:
    """The number of cities that a seat's power holds."""
    mine = power_of(state, seat)
    return sum(int(state.site[k].holder) == mine for k in range(box.n_sites))


def sieges(box: Box, state: State, seat: int) -> int:
    """The number of cities that a seat's power besieges."""
    mine = power_of(state, seat)
    return sum(int(state.site[k].besieger) == mine for k in range(box.n_sites))


def leaders(box: Box, state: State, seat: int) -> int:
    """The number of a seat's leaders on the board."""
    return sum(int(at) != NOBODY for at in state.powers[power_of(state, seat)].leader)


def way_to_cities(box: Box, state: State, seat: int) -> int:
    """The steps, as the crow flies, from a seat's leaders to the nearest city or headquarters that each may take."""
    mine, seen = power_of(state, seat), survey(box, state)
    wanted = set(members(hexes_of(box, targets(box, state, mine, seen))))
    return sum(steps_to(box, int(at), wanted) for at in state.powers[mine].leader if at != NOBODY)


def steps_to(box: Box, start: int, wanted: set[int]) -> int:
    """The number of steps from a hex to the nearest of some others; MAX_STEPS where none is that near."""
    reached, edge = {start}, {start}
    for steps in range(MAX_STEPS):
        if edge & wanted:
            return steps
        edge = {one for at in edge for one in members(box.near[at])} - reached
        reached |= edge
    return MAX_STEPS


MAX_STEPS = 12
FIGURES = (
    Figure(0, "supply", lambda box, state, seat: state.powers[power_of(state, seat)].supply),
    Figure(0, "strength", lambda box, state, seat: state.powers[power_of(state, seat)].strength),
    Figure(1, "areas that can feed you", fed_by),
    Figure(1, "areas with your tokens", areas),
    Figure(2, "cities", cities),
    Figure(2, "sieges", sieges),
    Figure(3, "steps from your leaders to what they can take", way_to_cities, is_welcome=False),
    Figure(4, "tokens of headquarters won", lambda box, state, seat: tokens_won(state, power_of(state, seat))),
    Figure(5, "leaders on the board", leaders),
    Figure(7, "supply and strength of the strongest other", largest_of_others(levels), is_welcome=False),
    Figure(8, "score if peace came now", seat_score),
)
"""The numbers that speak for the parts."""


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write the parts of `evaluate` into `out`, in points and in the order of `REASONS`; their sum is the evaluation."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    if state.phase == P.over:
        out[8] = finished_worth(box, state, seat)
        return
    _, against, safe, calm = prospects_of_seat(box, state, seat, None)
    share = safe * calm
    mine = power_of(state, seat)
    friend = ally_of(box, state, mine)
    seen = survey(box, state)
    stands = stands_of(box, state)
    for power in range(POWERS):
        if power == mine or power == friend:
            to_come = forecast_turns(box, state, power, seen, stands, promises(box, state, power, seen), None)
            out[0] += share * level_worth(state, power, to_come)
            out[1] += share * area_worth(state, power, to_come)
            out[2] += share * lasting_worth(box, state, power, seen)
            out[3] += share * march_hopes(box, state, power, seen)
            out[4] += share * headquarters_worth(box, state, power, seen)
            out[5] += share * lost_leaders_penalty(state, power)
    out[6] = share * battle_worth(box, state, mine, attackers_prospects(box, state))
    out[7] = -share * against
    out[8] = ending_worth(box, state, seat, safe, calm)
