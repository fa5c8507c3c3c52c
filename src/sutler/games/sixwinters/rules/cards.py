"""Progress cards (guide 6.1 to 6.7): placing assets, completing a card, what it serves, taking a new one; the card all fill together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import ANY_RESOURCE, CELLS, FACES, RELATION, RES, SIDE, STAGED_OBSTACLES
from sutler.games.sixwinters.cards.vocabulary import DO, operation
from sutler.games.sixwinters.phases_actions_events import A, E, P, R
from sutler.games.sixwinters.rules.actions import acting
from sutler.games.sixwinters.rules.common import (
    KIND,
    answered,
    drop_asset,
    n_assets,
    no_options,
    offer,
    on_frame,
    pop,
    push,
    region_of,
    seat_for,
    to_supply,
)
from sutler.games.sixwinters.rules.land import bottom_staged, discard_staged, refill_staging
from sutler.games.sixwinters.rules.missions import look_at_missions, open_symbol, resolve, settle_at_once
from sutler.games.sixwinters.rules.tracks import change_progress
from sutler.games.sixwinters.state import CARD_AT, PASSED

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal, Row
    from sutler.games.sixwinters.records import Box, Frame, Hero, State


# --- Where a die may lie (guide 6.1) -----------------------------------------------------------


@rule
def are_neighbours(a: int, b: int) -> bool:
    """6.1: do two cells touch, along a side or at a corner?"""
    return a != b and abs(a // SIDE - b // SIDE) <= 1 and abs(a % SIDE - b % SIDE) <= 1


@rule
def lies_on(path: Row[int], n: int, cell: int) -> bool:
    """6.1: does a cell hold a die already?"""
    for i in range(n):
        if path[i] == cell:
            return True
    return False


@rule
def why_not_lie(
    box: Box, state: State, card: int, path: Row[int], dice: Row[int], n: int, cell: int, code: int, slot: int
) -> int:
    """6.1: may this asset, from this place, lie on this cell as the next die of the path?"""
    one = box.card[card].cells[cell]
    if one.there == 0 or lies_on(path, n, cell):
        return R.no_cell
    if n == 0:
        if cell != box.card[card].start:
            return R.not_next
    elif not are_neighbours(int(path[n - 1]), cell):
        return R.not_next
    r, v = code // FACES, code % FACES + 1
    if one.kind != ANY_RESOURCE and one.kind != r and not is_wild(box, state, r):
        return R.wrong_kind
    if one.value > 0 and one.value != v:
        return R.wrong_value
    if one.region >= 0 and region_of(box, slot) != one.region:
        return R.wrong_region
    if (
        one.relation != RELATION.any_value
        and n > 0
        and not fits_relation(int(one.relation), int(dice[n - 1]) % FACES + 1, v)
    ):
        return R.wrong_relation
    if cell == box.card[card].end and is_kept_open(box, state, dice, n, r):
        return R.barred_end
    return 0


@rule
def fits_relation(relation: int, before: int, v: int) -> bool:
    """6.1: one more, one less, or the same as the die before."""
    if relation == RELATION.plus_one:
        return v == before + 1
    if relation == RELATION.minus_one:
        return v == before - 1
    return v == before


@operation("wild_on_progress", needs="resource", holds=True)
@rule
def is_wild(box: Box, state: State, r: int) -> bool:
    """9.11: Transmutation: may an asset of this resource stand for any?"""
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.wild_on_progress and op.resource == r:
            return True
    return False


@operation("forbid_complete", needs="die", holds=True)
@rule
def is_kept_open(box: Box, state: State, dice: Row[int], n: int, last: int) -> bool:
    """14.57: a card in play forbids completing a card that has a die of some resource on it, the last one included."""
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.forbid_complete:
            if op.resource == last:
                return True
            for k in range(n):
                if dice[k] // FACES == op.resource:
                    return True
    return False


# --- Placing (guide 6.2) ----------------------------------------------------------------------


@rule
def why_not_put(box: Box, state: State, seat: int, cell: int, code: int) -> int:
    """6.2: an asset at the character's place onto the card it fills; free of charge."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    one = state.heroes[h]
    if one.card < 0:
        return R.no_progress_card
    if state.assets[one.slot, code // FACES, code % FACES] == 0:
        return R.no_asset
    if cell == box.card[one.card].end and n_assets(state, int(one.slot)) <= box.rules.progress_cost:
        return R.costs_more
    return why_not_lie(box, state, int(one.card), one.path, one.path_die, int(one.n_path), cell, code, int(one.slot))


@rule
def allow_put(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.2: only the cells beside the last die, and the assets that lie here."""
    h = acting(state, seat)
    if h == NOBODY or state.heroes[h].card < 0:
        return
    one = state.heroes[h]
    if n_assets(state, int(one.slot)) == 0:
        return
    for cell in range(CELLS):
        if near_enough(box, one, cell):
            for code in range(RES * FACES):
                if state.assets[one.slot, code // FACES, code % FACES] > 0:
                    if why_not_put(box, state, seat, cell, code) == 0:
                        allow(out, A.put + cell * RES * FACES + code)


@rule
def near_enough(box: Box, one: Hero, cell: int) -> bool:
    """6.1: the start of an empty card, else a neighbour of the last die."""
    if one.n_path == 0:
        return cell == box.card[one.card].start
    return are_neighbours(int(one.path[one.n_path - 1]), cell)


@rule
def do_put(box: Box, state: State, events: Events, seat: int, cell: int, code: int) -> None:
    """6.2: the die lies on the card; on the end cell it completes it."""
    h = int(state.actor)
    one = state.heroes[h]
    state.assets[one.slot, code // FACES, code % FACES] -= 1
    one.path[one.n_path] = cell
    one.path_die[one.n_path] = code
    one.n_path += 1
    state.n_passes = 0
    tell(events, E.put_on_card, one.character, code, one.card, cell)
    if cell == box.card[one.card].end:
        pay_more(box, state, events, int(one.slot))
        push(state, KIND.complete, 0, 1, h)
        go_on(state)


@rule
def pay_more(box: Box, state: State, events: Events, slot: int) -> None:
    """6.3: what a table's box makes completing cost on top: the lowest assets here."""
    due = int(box.rules.progress_cost)
    for v in range(FACES):
        for r in range(RES):
            while due > 0 and state.assets[slot, r, v] > 0:
                drop_asset(state, events, r, v + 1, slot)
                due -= 1


# --- Completing (guide 6.3 to 6.6) ---------------------------------------------------------------

RAISE, STARS, STAR_CHOSEN, SERVE_STEP, TAKE_STEP, TAKEN = range(6)


@rule
def lift_dice(state: State, path: Row[int], dice: Row[int], n: int) -> None:
    """6.3: the dice of a path go to the supply."""
    for i in range(n):
        to_supply(state, dice[i] // FACES, 1)
        dice[i] = 0
        path[i] = 0


@rule
def clear_path(state: State, h: int) -> None:
    """6.3: the dice of a card go to the supply."""
    one = state.heroes[h]
    lift_dice(state, one.path, one.path_die, one.n_path)
    one.n_path = 0


@on_frame("complete")
@rule
def step_complete(box: Box, state: State, events: Events, frame: Frame) -> None:
    """6.3: dice off, tracks up, the star's track, the mission it serves, a new card: in this order."""
    h = int(frame.hero)
    card = int(state.heroes[h].card)
    if frame.step == RAISE:
        tell(events, E.completed, state.heroes[h].character, card)
        clear_path(state, h)
        frame.step = STARS
        frame.chosen = box.card[card].reward[ANY_RESOURCE]
        for r in range(RES):
            if box.card[card].reward[r] > 0:
                frame.todo |= 1 << r
                change_progress(box, state, events, r, int(box.card[card].reward[r]))
    elif frame.step == STARS:
        if frame.chosen > 0:
            ask(state, P.star, seat_for(state, h))
        else:
            frame.step = SERVE_STEP
    elif frame.step == STAR_CHOSEN:
        frame.chosen -= 1
        frame.step = STARS
        frame.todo |= 1 << int(state.answer)
        change_progress(box, state, events, int(state.answer), 1)
    elif frame.step == SERVE_STEP:
        if serves_any(box, state, frame.todo):
            ask(state, P.serve, seat_for(state, h))
        else:
            frame.step = TAKE_STEP
            if state.card_at[card] == CARD_AT.hero:
                state.card_at[card] = CARD_AT.discard
                tell(events, E.card_discarded, card)
            state.heroes[h].card = NOBODY
    elif frame.step == TAKE_STEP and bottom_staged(state) != NOBODY:
        frame.step = TAKEN
        state.picked = h
        ask(state, P.staging, seat_for(state, h))
    else:
        pop(state)


@rule
def do_raise_track(box: Box, state: State, events: Events, seat: int, r: int) -> None:
    """6.4: the star raises this track."""
    state.frames[state.n_frames - 1].step = STAR_CHOSEN
    answered(state, r)


@rule
def serves_any(box: Box, state: State, resources: int) -> bool:
    """6.5: is there an open symbol of one of the card's resources?"""
    for k in range(2):
        for r in range(RES):
            if resources >> r & 1 and open_symbol(box, state, k, r) != NOBODY:
                return True
    return False


@rule
def why_not_serve(box: Box, state: State, seat: int, k: int, r: int) -> int:
    """6.5, 14.18: one symbol of one mission, of a resource that the card has raised."""
    if state.n_frames == 0 or state.frames[state.n_frames - 1].kind != KIND.complete:
        return R.serves_nothing
    if not state.frames[state.n_frames - 1].todo >> r & 1 or open_symbol(box, state, k, r) == NOBODY:
        return R.serves_nothing
    return 0


@rule
def do_serve(box: Box, state: State, events: Events, seat: int, k: int, r: int) -> None:
    """6.5: the card lies on the mission and stays there."""
    frame = state.frames[state.n_frames - 1]
    card = int(state.heroes[frame.hero].card)
    state.tasks[k].card[open_symbol(box, state, k, r)] = card
    state.card_at[card] = CARD_AT.mission
    tell(events, E.served, card, state.tasks[k].mission, r)
    frame.todo &= ~(1 << r)
    if box.options.serve_both == 0 or not serves_any(box, state, frame.todo):
        frame.step = TAKE_STEP
        state.heroes[frame.hero].card = NOBODY
    go_on(state)
    look_at_missions(box, state, events)
    settle_at_once(box, state, events, k)


@rule
def do_discard_card(box: Box, state: State, events: Events, seat: int) -> None:
    """6.5: it serves nothing."""
    frame = state.frames[state.n_frames - 1]
    card = int(state.heroes[frame.hero].card)
    if state.card_at[card] == CARD_AT.hero:
        state.card_at[card] = CARD_AT.discard
    tell(events, E.card_discarded, card)
    state.heroes[frame.hero].card = NOBODY
    frame.step = TAKE_STEP
    go_on(state)


# --- Taking a staged card (guide 3.11, 6.6) --------------------------------------------------------


@rule
def why_not_pick(box: Box, state: State, seat: int, i: int) -> int:
    """6.6: one of the staged cards."""
    if state.staged[i] < 0:
        return R.no_card
    return 0


@rule
def do_pick(box: Box, state: State, events: Events, seat: int, i: int) -> None:
    """6.6: take it; those below are discarded, those above slide down, new ones come on top."""
    h = int(state.picked)
    card = int(state.staged[i])
    state.staged[i] = NOBODY
    state.card_at[card] = CARD_AT.hero
    state.heroes[h].card = card
    for below in range(i + 1, STAGED_OBSTACLES):
        discard_staged(state, events, below)
    tell(events, E.staged_taken, state.heroes[h].seat, card)
    refill_staging(box, state, events)
    state.picked = 0
    answered(state, i)


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
    tell(events, E.put_on_card, one.character, code, state.shared, cell)
    answered(state, 0)
    if cell == box.card[state.shared].end:
        card = int(state.shared)
        tell(events, E.completed, one.character, card)
        clear_shared(state)
        state.card_at[card] = CARD_AT.mission
        for k in range(2):
            if state.tasks[k].mission == box.card[card].mission:
                resolve(box, state, events, k, PASSED)


@rule
def clear_shared(state: State) -> None:
    """6.7: the dice of the shared card go to the supply."""
    lift_dice(state, state.shared_path, state.shared_die, state.shared_n)
    state.shared_n = 0
    state.shared = NOBODY
