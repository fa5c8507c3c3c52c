"""The tally of an overcome (guide 7.6, 7.7, 7.9): stress taken, progress added, the obstacle overcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import ask
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES, HEROES, OVERCOME, POOL, RES, XP_ONLY
from sutler.games.sixwinters.rules.common import (
    K_AFTERMATH,
    is_in,
    no_options,
    offer,
    pop,
    push,
    rank,
    run_effect,
    seat_for,
    to_supply,
)
from sutler.games.sixwinters.rules.difficulty import difficulty
from sutler.games.sixwinters.rules.heroes import gain_achievement, hit
from sutler.games.sixwinters.rules.land import discard, is_in_play
from sutler.games.sixwinters.rules.missions import obstacle_overcome
from sutler.games.sixwinters.state import ROUND_END, TALLY
from sutler.games.sixwinters.table import E, P
from sutler.games.sixwinters.vocabulary import BODY, DO, PSYCHE

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


# --- Value by value (guide 7.6, 7.7) -------------------------------------------------------------


@rule
def begin_tally(state: State) -> None:
    """7.6: from value 1 on."""
    state.over.stage = TALLY
    state.over.at = 0
    state.over.hits = state.over.rolled[0]


@rule
def n_joined(state: State) -> int:
    """7.7: how many take part and are on their feet."""
    n = 0
    for h in range(state.n_heroes):
        if state.over.joined >> h & 1:
            n += 1
    return n


@rule
def step_hit(box: Box, state: State, events: Events, f: int) -> None:
    """7.6, 7.7: one stress die of the value is taken; together, players choose who takes it."""
    frame = state.frames[f]
    over = state.over
    taker = NOBODY
    if frame.step == 1:
        taker = int(state.answer)
        frame.step = 0
    elif n_joined(state) > 1:
        no_options(state)
        for h in range(state.n_heroes):
            if over.joined >> h & 1:
                offer(state, h)
        frame.step = 1
        ask(state, P.choose_hero, seat_for(state, int(over.leader)))
        return
    else:
        for h in range(state.n_heroes):
            if over.joined >> h & 1:
                taker = h
    over.hits -= 1
    over.rolled[over.at] -= 1
    mask = box.obstacle[over.obstacle].stress_mask
    n = int(over.at) + 1
    if mask >> BODY & 1:
        hit(box, state, events, taker, BODY, n)
    if mask >> PSYCHE & 1:
        hit(box, state, events, taker, PSYCHE, n)


@rule
def worth_of(box: Box, state: State, v: int) -> int:
    """7.6: the progress of one value: every unspent action die and added asset of it, each with its owner's rank."""
    over = state.over
    skill = int(box.obstacle[over.obstacle].skill)
    total = 0
    for h in range(state.n_heroes):
        if over.joined >> h & 1 and is_in(state, h):
            n = 0
            if counts_dice(box, state, h, skill):
                n = int(state.seats[state.heroes[h].seat].dice[v])
            for r in range(RES):
                n += over.add[h, r * FACES + v]
            total += n * (v + 1 + rank(state, h, skill))
    return total


@rule
def counts_dice(box: Box, state: State, h: int, skill: int) -> bool:
    """4 of the notes on solo play: dice shared by two characters count once, with the better rank."""
    for other in range(state.n_heroes):
        if other != h and state.over.joined >> other & 1 and is_in(state, other):
            if state.heroes[other].seat == state.heroes[h].seat:
                if rank(state, other, skill) > rank(state, h, skill):
                    return False
                if rank(state, other, skill) == rank(state, h, skill) and other < h:
                    return False
    return True


@rule
def step_count(box: Box, state: State, events: Events, f: int) -> None:
    """7.6: the progress of a value is added; at the difficulty or above the obstacle is overcome."""
    over = state.over
    v = int(over.at)
    worth = worth_of(box, state, v)
    over.total += worth
    due = difficulty(box, state, int(over.obstacle))
    if worth > 0:
        tell(events, E.tallied, v + 1, over.total, due)
    if over.total >= due and worth > 0:
        succeed(box, state, events, f)
    elif v + 1 < FACES:
        over.at += 1
        over.hits = over.rolled[over.at]
        over.stage = TALLY
    else:
        over.stage = ROUND_END


# --- The end of a round, and overcome (guide 7.8, 7.9) -------------------------------------------


@rule
def spend_round(state: State) -> None:
    """7.8: reaction dice are spent, used or not, and assets whatever they did."""
    over = state.over
    for h in range(HEROES):
        for source in range(POOL):
            if source >= FACES:
                to_supply(state, (source - FACES) // FACES, int(over.react[h, source]))
            over.react[h, source] = 0
        for code in range(RES * FACES):
            to_supply(state, code // FACES, int(over.add[h, code]))
            over.add[h, code] = 0
    for v in range(FACES):
        over.rolled[v] = 0
        for w in range(FACES):
            over.cancelled[v, w] = 0
    over.at = 0
    over.hits = 0


@rule
def end_overcoming(state: State) -> None:
    """Nothing is being overcome."""
    spend_round(state)
    over = state.over
    over.obstacle = NOBODY
    over.leader = 0
    over.joined = 0
    over.asked = 0
    over.stage = 0
    over.round_no = 0
    over.total = 0


@rule
def goes_first(box: Box, card: int) -> int:
    """14.21: an overcome text that needs the obstacle where it is: it moves, or gives up the dice on it."""
    effect = box.obstacle[card].effect[OVERCOME]
    for i in range(effect.first, effect.first + effect.n):
        if box.ops[i].op == DO.move_self:
            return 2
        if box.ops[i].op == DO.card_dice_to_assets:
            return 1
    return 0


@rule
def succeed(box: Box, state: State, events: Events, f: int) -> None:
    """7.9: the obstacle is discarded at once, its text applies, missions and deeds take note."""
    card = int(state.over.obstacle)
    joined = int(state.over.joined)
    leader = int(state.over.leader)
    if not is_in(state, leader):
        for h in range(state.n_heroes):
            if joined >> h & 1:
                leader = h
    slot = int(state.frames[f].slot)
    tell(events, E.overcome, card)
    end_overcoming(state)
    pop(state)
    g = push(state, K_AFTERMATH, 0, 1, leader)
    state.frames[g].obstacle = card
    state.frames[g].todo = joined
    first = goes_first(box, card)
    if first == 0:
        discard(box, state, events, card)
    state.frames[g].chosen = first
    run_effect(state, box.obstacle[card].effect[OVERCOME], leader, slot, card)


@rule
def step_aftermath(box: Box, state: State, events: Events, f: int) -> None:
    """7.9, 14.19, 14.32: missions that wanted it go on; whoever took part may have done a deed."""
    frame = state.frames[f]
    card, joined = int(frame.obstacle), int(frame.todo)
    if frame.chosen == 1 and is_in_play(state, card):
        discard(box, state, events, card)
    pop(state)
    if box.options.deeds != XP_ONLY:
        for h in range(state.n_heroes):
            c = state.heroes[h].character
            if joined >> h & 1 and c >= 0 and box.obstacle[card].tags & box.character[c].deeds != 0:
                gain_achievement(box, state, events, c)
    obstacle_overcome(box, state, events, card)
