"""The slot on a mat (guide 9.9): an asset laid aside, and taken out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import ABILITIES, FACES
from sutler.games.sixwinters.rules.actions import acting
from sutler.games.sixwinters.rules.common import ability_op, has_ability
from sutler.games.sixwinters.table import A, R
from sutler.games.sixwinters.vocabulary import DO, operation

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, State


MOST_STASHING = 6  # how often a slot is used in a turn: enough for any purpose, and never without end


@operation("stash", needs="resource count", tags="ability", runs=False)
@rule
def why_not_slot(box: Box, state: State, seat: int, k: int) -> int:
    """9.9: an ability that is a slot."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if not has_ability(box, state, h, k) or ability_op(box, state, h, k) != DO.stash or box.options.stash == 0:
        return R.no_ability
    if state.heroes[h].stashed[k] >= MOST_STASHING:
        return R.enough_stashing
    return 0


@rule
def slot_resource(box: Box, state: State, h: int, k: int) -> int:
    """9.9: the resource of a slot."""
    return int(box.ops[box.character[state.heroes[h].character].ability[k].effect.first].resource)


@rule
def why_not_stash(box: Box, state: State, seat: int, k: int, v: int) -> int:
    """9.9: an asset of the slot's resource here, and the slot empty."""
    reason = why_not_slot(box, state, seat, k)
    if reason != 0:
        return reason
    h = int(state.actor)
    if state.heroes[h].stash[k] > 0:
        return R.slot_full
    if state.assets[state.heroes[h].slot, slot_resource(box, state, h, k), v] == 0:
        return R.no_asset
    return 0


@rule
def allow_stash(box: Box, state: State, seat: int, out: Legal) -> None:
    """9.9: whether it is a slot is asked once, not for every value."""
    for k in range(ABILITIES):
        if why_not_slot(box, state, seat, k) == 0:
            for v in range(FACES):
                if why_not_stash(box, state, seat, k, v) == 0:
                    allow(out, A.stash + k * FACES + v)


@rule
def do_stash(box: Box, state: State, events: Events, seat: int, k: int, v: int) -> None:
    """9.9: the asset goes onto the mat."""
    one = state.heroes[state.actor]
    r = slot_resource(box, state, int(state.actor), k)
    state.assets[one.slot, r, v] -= 1
    one.stash[k] = r * FACES + v + 1
    one.stashed[k] += 1
    state.n_passes = 0


@rule
def why_not_unstash(box: Box, state: State, seat: int, k: int) -> int:
    """9.9: a die in the slot."""
    reason = why_not_slot(box, state, seat, k)
    if reason == 0 and state.heroes[state.actor].stash[k] == 0:
        return R.slot_empty
    return reason


@rule
def do_unstash(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """9.9: the die becomes an asset here."""
    one = state.heroes[state.actor]
    code = int(one.stash[k]) - 1
    one.stash[k] = 0
    one.stashed[k] += 1
    state.assets[one.slot, code // FACES, code % FACES] += 1
    state.n_passes = 0
