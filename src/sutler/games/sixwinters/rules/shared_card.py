"""The shared card (guide 6.7): the progress card that all fill together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import ask
from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import CELLS, FACES, RES
from sutler.games.sixwinters.rules.actions import acting
from sutler.games.sixwinters.rules.cards import lift_dice, why_not_lie
from sutler.games.sixwinters.rules.common import answered, no_options, offer
from sutler.games.sixwinters.rules.missions import resolve
from sutler.games.sixwinters.state import ON_MISSION, PASSED
from sutler.games.sixwinters.table import A, E, P, R

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, State


@rule
def fits_somewhere(box: Box, state: State, code: int, slot: int) -> bool:
    """6.7: may an asset from this place lie on the shared card? The cells are laid out as choices by `do_put_shared`."""
    for cell in range(CELLS):
        if why_not_shared(box, state, cell, code, slot) == 0:
            return True
    return False


@rule
def why_not_shared(box: Box, state: State, cell: int, code: int, slot: int) -> int:
    """6.7: the same rules as for one's own card."""
    n = int(state.shared_n)
    return why_not_lie(box, state, int(state.shared), state.shared_path, state.shared_die, n, cell, code, slot)


@rule
def why_not_put_shared(box: Box, state: State, seat: int, code: int) -> int:
    """6.7: an asset at the character's place onto the card that all fill together."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if state.shared < 0:
        return R.no_progress_card
    slot = int(state.heroes[h].slot)
    if state.assets[slot, code // FACES, code % FACES] == 0:
        return R.no_asset
    if not fits_somewhere(box, state, code, slot):
        return R.no_cell
    return 0


@rule
def allow_put_shared(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.7: mostly there is no such card."""
    if state.shared >= 0:
        for code in range(RES * FACES):
            if why_not_put_shared(box, state, seat, code) == 0:
                allow(out, A.put_shared + code)


@rule
def do_put_shared(box: Box, state: State, events: Events, seat: int, code: int) -> None:
    """6.7: the die is taken up; its cell comes next."""
    slot = int(state.heroes[state.actor].slot)
    no_options(state)
    for cell in range(CELLS):
        if why_not_shared(box, state, cell, code, slot) == 0:
            offer(state, cell)
    state.picked = code
    state.n_passes = 0
    ask(state, P.choose_cell, seat)


@rule
def do_cell(box: Box, state: State, events: Events, seat: int, cell: int) -> None:
    """6.7, 14.23: the die lies on the shared card; completed, it passes its mission at once, with its effects."""
    code = int(state.picked)
    one = state.heroes[state.actor]
    state.assets[one.slot, code // FACES, code % FACES] -= 1
    state.shared_path[state.shared_n] = cell
    state.shared_die[state.shared_n] = code
    state.shared_n += 1
    state.picked = 0
    tell(events, E.put_on_card, one.character, code, state.shared)
    answered(state, 0)
    if cell == box.card[state.shared].end:
        card = int(state.shared)
        tell(events, E.completed, one.character, card)
        clear_shared(state)
        state.card_at[card] = ON_MISSION
        for k in range(2):
            if state.tasks[k].mission == box.card[card].mission:
                resolve(box, state, events, k, PASSED)


@rule
def clear_shared(state: State) -> None:
    """6.7: the dice of the shared card go to the supply."""
    lift_dice(state, state.shared_path, state.shared_die, state.shared_n)
    state.shared_n = 0
    state.shared = NOBODY
