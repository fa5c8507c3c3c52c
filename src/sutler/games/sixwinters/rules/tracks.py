"""The scheme of the Empire (guide 8.7 to 8.9) and the tracks (guide 2.1, 8.6): threats rise and fall, progress is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import FACES, RES, SLOTS, SPACES
from sutler.games.sixwinters.cards.vocabulary import DO, MILITARY, SORCERY, operation
from sutler.games.sixwinters.phases_actions_events import E, P
from sutler.games.sixwinters.rules.common import (
    drop_asset,
    drop_pool_die,
    fill_pool,
    n_options,
    no_options,
    offer,
    run_effect,
    seat_for,
    take_from_supply,
    threat_level,
    to_part,
    to_supply,
)
from sutler.games.sixwinters.rules.missions import look_at_missions
from sutler.games.sixwinters.state import OUTCOME, PART, on_part, recount

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


# --- Coming and going (guide 8.7, 14.14, 14.75) --------------------------------------------------


@rule
def feed_scheme(box: Box, state: State, events: Events, r: int, n: int) -> None:
    """8.7: dice of a resource are laid on the scheme, not rolled, as far as the supply has them."""
    laid = 0
    for _ in range(n):
        if take_from_supply(box, state, events, r):
            state.scheme_dice[r, 0] += 1
            laid += 1
    if laid > 0:
        tell(events, E.scheme_fed, r, laid)


@rule
def burn_scheme(box: Box, state: State, events: Events) -> None:
    """14.75: its dice go to the supply; there is no scheme until the session ends."""
    if state.scheme < 0:
        return
    state.burned_schemes |= 1 << int(state.scheme)
    tell(events, E.scheme_gone, state.scheme)
    remove_scheme(box, state)


@rule
def remove_scheme(box: Box, state: State) -> None:
    """14.14: the scheme is taken away with its dice."""
    for r in range(RES):
        for v in range(FACES + 1):
            to_supply(state, r, int(state.scheme_dice[r, v]))
            state.scheme_dice[r, v] = 0
    state.scheme = NOBODY
    state.scheme_hits = 0
    state.lasting = 0
    recount(box, state)


# --- Triggering it (guide 8.8, 8.9) --------------------------------------------------------------


@rule
def roll_scheme(box: Box, state: State, events: Events) -> None:
    """8.8, 14.10, 14.12: lasting effects end, and every die on the card is rolled."""
    for v in range(FACES):
        if state.lasting >> v & 1:
            tell(events, E.scheme_ended, state.scheme * FACES + v)
    state.lasting = 0
    recount(box, state)
    for r in range(RES):
        n = 0
        for v in range(FACES + 1):
            n += state.scheme_dice[r, v]
            state.scheme_dice[r, v] = 0
        for _ in range(n):
            v = die(state, FACES)
            state.scheme_dice[r, v] += 1
            tell(events, E.scheme_rolled, r, v)


@on_part("trigger")
@rule
def step_trigger(box: Box, state: State, events: Events) -> None:
    """8.8: roll; players cancel, die by die; what is left and within the level works, from 1 to 6."""
    if state.scheme < 0:
        to_part(state, PART.time)
    elif state.k == 0:
        roll_scheme(box, state, events)
        state.k = 1
        state.sub = 0
    elif state.k == 1:
        next_scheme_die(box, state)
    elif state.k == 2:
        find_hits(box, state)
        state.k = 3
        state.sub = 1
    elif state.sub <= FACES:
        work_scheme(box, state, events)
    else:
        to_part(state, PART.time)


@rule
def next_scheme_die(box: Box, state: State) -> None:
    """8.8: for each rolled die that could be cancelled players say with what, or let it be. `sub` counts kinds and values."""
    while state.sub < RES * FACES:
        r, v = state.sub // FACES, state.sub % FACES + 1
        if state.scheme_dice[r, v] > state.n_taken:
            offer_cancelling(box, state, r, v)
            if n_options(state) > 0:
                ask(state, P.scheme, seat_for(state, NOBODY))
                return
        state.sub += 1
        state.n_taken = 0
    no_options(state)
    state.n_taken = 0
    state.k = 2


@rule
def offer_cancelling(box: Box, state: State, r: int, v: int) -> None:
    """14.9, 14.66: assets of the die's resource anywhere, not lower than it; pool dice that campaign effects allow."""
    no_options(state)
    for w in range(v - 1, FACES):
        for slot in range(SLOTS):
            if state.assets[slot, r, w] > 0:
                offer(state, FACES + r * FACES + w)
        for other in range(RES):
            if state.pools[other, w] > 0 and pool_cancels(box, state, other):
                offer(state, FACES + RES * FACES + other * FACES + w)


@operation("pool_cancels_scheme", needs="resource schemes", holds=True)
@rule
def pool_cancels(box: Box, state: State, r: int) -> bool:
    """14.66: may dice of this pool cancel dice of the present scheme?"""
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.pool_cancels_scheme and op.resource == r:
            if op.schemes >> box.scheme[state.scheme].resource & 1:
                return True
    return False


@rule
def cancel_scheme_die(box: Box, state: State, events: Events, source: int) -> None:
    """8.8: the die and what cancels it go to the supply; of like assets, the one at the place with the most is spent."""
    r, v = state.sub // FACES, state.sub % FACES + 1
    if source < FACES + RES * FACES:
        code = source - FACES
        best = NOBODY
        for slot in range(SLOTS):
            n = state.assets[slot, code // FACES, code % FACES]
            if n > 0 and (best == NOBODY or n > state.assets[best, code // FACES, code % FACES]):
                best = slot
        drop_asset(state, events, code // FACES, code % FACES + 1, best)
    else:
        code = source - FACES - RES * FACES
        drop_pool_die(state, events, code // FACES, code % FACES + 1)
    state.scheme_dice[r, v] -= 1
    to_supply(state, r, 1)
    tell(events, E.scheme_cancelled, r, v)
    go_on(state)


@rule
def do_let_be(box: Box, state: State, events: Events, seat: int) -> None:
    """8.8: this die stays."""
    state.n_taken += 1
    go_on(state)


@rule
def find_hits(box: Box, state: State) -> None:
    """8.9, 14.8, 14.11: the values that work: each once, up to the level of the scheme's own resource."""
    level = threat_level(box, state, int(box.scheme[state.scheme].resource))
    state.scheme_hits = 0
    for v in range(1, level + 1):
        for r in range(RES):
            if state.scheme_dice[r, v] > 0:
                state.scheme_hits |= 1 << (v - 1)


@rule
def work_scheme(box: Box, state: State, events: Events) -> None:
    """8.9: the next value's effect: at once, or lasting until the scheme is triggered again."""
    v = int(state.sub)
    state.sub += 1
    if not state.scheme_hits >> (v - 1) & 1:
        return
    scheme = int(state.scheme)
    tell(events, E.scheme_works, scheme, scheme * FACES + v - 1)
    if box.scheme[scheme].lasts >> (v - 1) & 1:
        state.lasting |= 1 << (v - 1)
        recount(box, state)
    else:
        run_effect(state, box.scheme[scheme].effect[v - 1], NOBODY, NOBODY, NOBODY)


@rule
def change_threat(box: Box, state: State, events: Events, r: int, by: int) -> None:
    """14.6: a threat marker moves; a step beyond the last space is a die on the scheme instead, nothing in year one."""
    if box.track[r].has_threats == 0:
        return
    beyond_end = 0
    for _ in range(by):
        if state.threat[r] < SPACES:
            state.threat[r] += 1
            tell(events, E.threat_rose, r, state.threat[r])
        elif state.scheme >= 0:
            beyond_end += 1
    feed_scheme(box, state, events, r, beyond_end)
    if by < 0:
        state.threat[r] = max(1, state.threat[r] + by)
        tell(events, E.threat_fell, r, state.threat[r])
    if (
        box.options.critical == 1
        and by > 0
        and (r == MILITARY or r == SORCERY)
        and threat_level(box, state, r) == FACES
    ):
        state.outcome = OUTCOME.lost


@rule
def beyond(box: Box, state: State, r: int) -> int:
    """12.5: where a step goes that a full track cannot take: along the wheel; from Sorcery to the lowest track."""
    at = int(r)
    for _ in range(RES):
        at = int(box.wheel[at])
        if at < 0:
            break
        if state.progress[at] < SPACES:
            return at
    best = NOBODY
    for other in range(RES):
        if state.progress[other] < SPACES and (best < 0 or state.progress[other] < state.progress[best]):
            best = other
    return best


@rule
def change_progress(box: Box, state: State, events: Events, r: int, by: int) -> None:
    """2.1, 14.4, 14.5, 14.7: a progress marker moves; a raised track fills its pool at once."""
    for _ in range(by):
        at = int(r)
        if state.progress[at] == SPACES and box.options.overflow == 1:
            at = beyond(box, state, at)
        if at < 0 or state.progress[at] == SPACES:
            tell(events, E.wasted, r)
        else:
            state.progress[at] += 1
            tell(events, E.raised, at, state.progress[at])
            fill_pool(box, state, events, at)
    if by < 0:
        state.progress[r] = max(1, state.progress[r] + by)
        tell(events, E.lowered, r, state.progress[r])
    look_at_missions(box, state, events)
