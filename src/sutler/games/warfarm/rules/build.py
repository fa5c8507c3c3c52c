"""Building units (guide 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import CANNON, EXPLORER, FARMER, FIELD, FOUNDRY, GOODS, REINFORCEMENT, SOLDIER, TOKENS
from sutler.games.warfarm.phases_actions_events import E, P, R
from sutler.games.warfarm.rules.common import end_asking, enter
from sutler.games.warfarm.rules.goods import add_units, own_spot_of, remove_unit
from sutler.games.warfarm.rules.play import why_not_extinguish
from sutler.games.warfarm.rules.traps import next_trap
from sutler.games.warfarm.state import DEFENDING

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.warfarm.records import Box, State


@rule
def has_tokens_for(box: Box, state: State, seat: int, unit: int) -> bool:
    """5.1: the tokens that go into a unit."""
    for token in range(TOKENS):
        if state.seats[seat].goods[token] < box.rules.recipe[unit - TOKENS, token]:
            return False
    return True


@rule
def why_not_build(box: Box, state: State, seat: int, made: int) -> int:
    """5.1, 5.2: the tokens, and a Farmer; for a Cannon the Cannon card instead."""
    unit = EXPLORER + made
    if not has_tokens_for(box, state, seat, unit):
        return R.too_few_tokens
    if unit == CANNON:
        if state.seats[seat].works[FOUNDRY] == 0:
            return R.no_foundry
    elif state.seats[seat].goods[FARMER] == 0:
        return R.no_farmer
    return R.fine


@rule
def do_build(box: Box, state: State, events: Events, seat: int, made: int) -> None:
    """5.1: a Farmer and tokens become a unit, which is at home."""
    unit = EXPLORER + made
    for token in range(TOKENS):
        state.seats[seat].goods[token] -= box.rules.recipe[unit - TOKENS, token]
    if unit != CANNON:
        spot = own_spot_of(box, state, seat, FARMER)
        if spot != FIELD:
            tell(events, E.called_up, seat, spot)
        remove_unit(box, state, seat, spot)
    add_units(state, seat, unit, 1)
    if unit == SOLDIER:
        state.n_built += 1
    tell(events, E.built, seat, 1, unit)
    go_on(state)


@rule
def has_something_to_build(box: Box, state: State, seat: int) -> bool:
    """5.1, 4.9: is there a unit to build or a Fire to put out?"""
    for made in range(GOODS - EXPLORER):
        if why_not_build(box, state, seat, made) == R.fine:
            return True
    return why_not_extinguish(box, state, seat) == R.fine


@rule
def proceed_build(box: Box, state: State, events: Events, seat: int) -> None:
    """5, 12.3: build; then Forced Reinforcement."""
    if state.part == 0:
        if has_something_to_build(box, state, seat):
            ask(state, P.build, seat)
        else:
            end_asking(state)
    elif not next_trap(box, state, events, REINFORCEMENT):
        enter(state, DEFENDING)


@rule
def do_end_build(box: Box, state: State, events: Events, seat: int) -> None:
    """5.1: nothing more."""
    end_asking(state)
