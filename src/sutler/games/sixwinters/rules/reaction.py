"""Setting dice and reacting (guide 7.3 to 7.5): both sides of an overcome, the stress dice, and cancelling them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import go_on
from sutler.core.chance import die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES, POOL, RES
from sutler.games.sixwinters.rules.abilities import user
from sutler.games.sixwinters.rules.common import is_in, n_assets, n_dice, next_unasked
from sutler.games.sixwinters.rules.difficulty import n_stress_dice
from sutler.games.sixwinters.rules.tally import begin_tally
from sutler.games.sixwinters.table import E, R

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


# --- Setting the dice (guide 7.3) ---------------------------------------------------------------------


@rule
def why_not_react(box: Box, state: State, seat: int, source: int) -> int:
    """7.3: an unspent action die or an asset here into the reaction pool."""
    h = user(state, seat)
    if h == NOBODY or state.over.obstacle == NOBODY:
        return R.is_out
    if source < FACES:
        if state.seats[seat].dice[source] == 0:
            return R.no_die
    elif state.assets[state.heroes[h].slot, (source - FACES) // FACES, source % FACES] == 0:
        return R.no_die
    return 0


@rule
def do_react(box: Box, state: State, events: Events, seat: int, source: int) -> None:
    """7.3: the die lies in the reaction pool."""
    h = user(state, seat)
    if source < FACES:
        state.seats[seat].dice[source] -= 1
    else:
        state.assets[state.heroes[h].slot, (source - FACES) // FACES, source % FACES] -= 1
    state.over.react[h, source] += 1


@rule
def why_not_add(box: Box, state: State, seat: int, code: int) -> int:
    """7.3: an asset here into the progress; action dice that are not in the reaction pool count anyway."""
    h = user(state, seat)
    if h == NOBODY or state.over.obstacle == NOBODY:
        return R.is_out
    if state.assets[state.heroes[h].slot, code // FACES, code % FACES] == 0:
        return R.no_asset
    return 0


@rule
def do_add(box: Box, state: State, events: Events, seat: int, code: int) -> None:
    """7.3: the asset counts as progress."""
    h = user(state, seat)
    state.assets[state.heroes[h].slot, code // FACES, code % FACES] -= 1
    state.over.add[h, code] += 1


@rule
def n_set(state: State) -> int:
    """14.61: dice of all who take part, on either side; without any there is nothing to go on with."""
    n = 0
    for h in range(state.n_heroes):
        if state.over.joined >> h & 1:
            n += n_dice(state, int(state.heroes[h].seat))
            for source in range(POOL):
                n += state.over.react[h, source]
            for code in range(RES * FACES):
                n += state.over.add[h, code]
    return n


@rule
def may_still_set(state: State) -> bool:
    """7.3: has anybody whose dice are not set yet an asset at hand? Unspent action dice count as set."""
    for h in range(state.n_heroes):
        if state.over.joined >> h & 1 and not state.over.asked >> h & 1 and is_in(state, h):
            if n_assets(state, int(state.heroes[h].slot)) > 0:
                return True
    return False


@rule
def why_not_roll(box: Box, state: State, seat: int) -> int:
    """7.4, 14.73: with a die on either side; while others still set theirs, that can wait."""
    h = user(state, seat)
    if h == NOBODY or state.over.obstacle == NOBODY:
        return R.is_out
    if n_set(state) == 0 and next_unasked(state, state.over.joined & (0xFF ^ (1 << h))) == NOBODY:
        return R.nothing_set
    return 0


@rule
def do_roll(box: Box, state: State, events: Events, seat: int) -> None:
    """7.3, 7.4: this character's dice are set; when all are, the stress dice are rolled."""
    h = user(state, seat)
    state.over.asked |= 1 << h
    go_on(state)


@rule
def roll_stress(box: Box, state: State, events: Events) -> None:
    """7.4: as many dice as the obstacle says; they come and go, the supply does not limit them (14.7)."""
    over = state.over
    for v in range(FACES):
        over.rolled[v] = 0
        for w in range(FACES):
            over.cancelled[v, w] = 0
    for _ in range(n_stress_dice(box, state, int(over.obstacle))):
        over.rolled[die(state, FACES) - 1] += 1
    for v in range(FACES):
        if over.rolled[v] > 0:
            tell(events, E.rolled, over.rolled[v], v + 1)


# --- Reacting (guide 7.5) -----------------------------------------------------------------------------


@rule
def n_reactions(state: State, w: int) -> int:
    """7.5: reaction dice of a value that have not cancelled anything."""
    n = 0
    for h in range(state.n_heroes):
        n += state.over.react[h, w]
        for r in range(RES):
            n += state.over.react[h, FACES + r * FACES + w]
    for v in range(FACES):
        n -= state.over.cancelled[v, w]
    return n


@rule
def why_not_cancel(box: Box, state: State, seat: int, v: int, w: int) -> int:
    """7.5: a reaction die cancels one stress die of its value or above: the lower, the quicker."""
    if w > v:
        return R.too_slow
    if state.over.obstacle == NOBODY or state.over.rolled[v] == 0:
        return R.no_stress_die
    if n_reactions(state, w) <= 0:
        return R.no_die
    return 0


@rule
def do_cancel(box: Box, state: State, events: Events, seat: int, v: int, w: int) -> None:
    """7.5: the stress die is gone."""
    state.over.rolled[v] -= 1
    state.over.cancelled[v, w] += 1
    tell(events, E.cancelled, v + 1, w + 1)
    go_on(state)


@rule
def do_enough(box: Box, state: State, events: Events, seat: int) -> None:
    """7.5: no more is cancelled."""
    begin_tally(state)
    go_on(state)


@rule
def can_cancel(state: State) -> bool:
    """7.5: is there a reaction die that could cancel something?"""
    for v in range(FACES):
        if state.over.rolled[v] > 0:
            for w in range(v + 1):
                if n_reactions(state, w) > 0:
                    return True
    return False
