"""Reasons why bots prefer one position of Bellum to another: the parts of `evaluate`, each with its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
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
from sutler.games.bellum.bot.promises import headquarters_worth, lasting_worth, march_hopes, promises
from sutler.games.bellum.bot.survey import stands_of, survey
from sutler.games.bellum.box import POWERS
from sutler.games.bellum.scoring import power_of
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
