"""Choosing a unit, whatever it is chosen for: one action, and what it means in each decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.warfarm.box import SEATS
from sutler.games.warfarm.phases_actions_events import P, R
from sutler.games.warfarm.rules.cards import is_alike
from sutler.games.warfarm.rules.chosen_units import allow_units, can_pick, do_pick
from sutler.games.warfarm.rules.exploring_and_turn_end import dismiss
from sutler.games.warfarm.rules.karma import do_karma_unit, struck
from sutler.games.warfarm.rules.targets import allow_hit_units, do_hit_unit, why_not_hit_unit
from sutler.games.warfarm.rules.upkeep import allow_raids, do_raid_farmer, why_not_raid_farmer
from sutler.games.warfarm.state import n_units_at

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.warfarm.records import Box, State


@rule
def why_not_unit(box: Box, state: State, seat: int, owner: int, spot: int) -> int:
    """3.2, 7.7, 7.8, 9.1, 12.10, 13.6 to 13.11: a unit that stands there and may be chosen; of equal ones the first."""
    if n_units_at(state, owner, spot) <= 0:
        return R.no_unit
    phase = state.phase
    reason = R.fine
    if phase == P.raid:
        reason = why_not_raid_farmer(box, state, owner, spot)
    elif phase == P.target:
        reason = why_not_hit_unit(state, seat, owner, spot)
    elif phase == P.strike_back:
        if owner != struck(state):
            reason = R.not_this_unit
    elif phase == P.offering or phase == P.call or phase == P.lose or phase == P.trim_units:
        if not can_pick(box, state, seat, owner, spot):
            reason = R.not_this_unit
    if reason == R.fine and is_alike(box, state, owner, spot):
        reason = R.alike
    return reason


@rule
def allow_unit(box: Box, state: State, seat: int, out: Legal) -> None:
    """The same for each decision, unit by unit."""
    phase = state.phase
    if phase == P.raid:
        allow_raids(box, state, int(state.victim), out)
    elif phase == P.target:
        allow_hit_units(box, state, seat, out)
    elif phase == P.strike_back:
        allow_units(box, state, struck(state), out, True)
    elif phase == P.offering or phase == P.call:
        for owner in range(SEATS):
            if phase == P.offering or owner != seat:
                allow_units(box, state, owner, out, False)
    else:
        allow_units(box, state, seat, out, True)


@rule
def do_unit(box: Box, state: State, events: Events, seat: int, owner: int, spot: int) -> None:
    """A unit has been chosen, for whatever is being asked."""
    phase = state.phase
    if phase == P.target:
        do_hit_unit(box, state, events, seat, owner, spot)
    elif phase == P.trim_units:
        dismiss(box, state, events, seat, spot)
    elif phase == P.raid:
        do_raid_farmer(box, state, events, seat, spot)
    elif phase == P.strike_back:
        do_karma_unit(box, state, events, seat, spot)
    else:
        do_pick(box, state, events, seat, owner, spot)
