"""Overcoming an obstacle (guide 7): both sides' dice, reacting, the tally value by value, and round after round until it is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.chance import die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import FACES, HEROES, MOMENT, POOL, RES, XP_ONLY
from sutler.games.sixwinters.cards.vocabulary import BODY, DO, PSYCHE
from sutler.games.sixwinters.phases_actions_events import A, E, P, R
from sutler.games.sixwinters.rules.abilities import n_in_slots, user
from sutler.games.sixwinters.rules.actions import acting
from sutler.games.sixwinters.rules.common import (
    KIND,
    heroes_at,
    is_in,
    n_assets,
    n_dice,
    next_unasked,
    no_options,
    offer,
    on_frame,
    pop,
    push,
    rank,
    run_effect,
    seat_for,
    to_supply,
)
from sutler.games.sixwinters.rules.heroes import gain_achievement, hit, leave_overcoming
from sutler.games.sixwinters.rules.land import difficulty, discard, is_barred, is_for_one, is_in_play, n_stress_dice
from sutler.games.sixwinters.rules.missions import obstacle_overcome
from sutler.games.sixwinters.state import STAGE

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, Frame, State


# --- Value by value (guide 7.6, 7.7) -------------------------------------------------------------


@rule
def begin_tally(state: State) -> None:
    """7.6: from value 1 on."""
    state.over.stage = STAGE.tally
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
                n += int(over.add[h, r * FACES + v])
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
        over.stage = STAGE.tally
    else:
        over.stage = STAGE.round_end


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
def n_laid(state: State) -> int:
    """7.8: dice that were put into reaction pools and the progress."""
    n = 0
    for h in range(HEROES):
        for source in range(POOL):
            n += state.over.react[h, source]
        for code in range(RES * FACES):
            n += state.over.add[h, code]
    return n


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
    effect = box.obstacle[card].effect[MOMENT.overcome]
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
    g = push(state, KIND.aftermath, 0, 1, leader)
    state.frames[g].obstacle = card
    state.frames[g].todo = joined
    first = goes_first(box, card)
    if first == 0:
        discard(box, state, events, card)
    state.frames[g].chosen = first
    run_effect(state, box.obstacle[card].effect[MOMENT.overcome], leader, slot, card)


@on_frame("aftermath")
@rule
def step_aftermath(box: Box, state: State, events: Events, frame: Frame) -> None:
    """7.9, 14.19, 14.32: missions that wanted it go on; whoever took part may have done a deed."""
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
    tell(events, E.reacts, state.heroes[h].character, source)


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
    tell(events, E.adds, state.heroes[h].character, code)


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
def may_still_set(box: Box, state: State) -> bool:
    """7.3: has anybody whose dice are not set yet an asset at hand, or on the mat? Unspent action dice count as set."""
    for h in range(state.n_heroes):
        if state.over.joined >> h & 1 and not state.over.asked >> h & 1 and is_in(state, h):
            if n_assets(state, int(state.heroes[h].slot)) > 0 or n_in_slots(box, state, h) > 0:
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


# --- Beginning (guide 7.1, 7.2) ---------------------------------------------------------------------


@rule
def why_not_overcome(box: Box, state: State, seat: int, card: int) -> int:
    """7.1, 14.61: an obstacle here that no card protects, and a die to use; no action die is needed to begin."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if card >= box.n_obstacles or state.obstacle_at[card] != state.heroes[h].slot:
        return R.obstacle_elsewhere
    if is_barred(box, state, card):
        return R.barred_obstacle
    if n_dice(state, seat) == 0 and n_assets(state, int(state.heroes[h].slot)) == 0:
        return R.no_fighting_dice
    return 0


@rule
def allow_overcome(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.1: the obstacles here."""
    h = acting(state, seat)
    if h == NOBODY:
        return
    card = int(state.head[state.heroes[h].slot])
    while card >= 0:
        if why_not_overcome(box, state, seat, card) == 0:
            allow(out, A.overcome + card)
        card = int(state.after[card])


@rule
def do_overcome(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """7.1: the character leads; others here may join, unless the card forbids it."""
    h = int(state.actor)
    over = state.over
    over.obstacle = card
    over.leader = h
    over.joined = 1 << h
    over.asked = 1 << h
    if is_for_one(box, state, card):
        over.asked = (1 << HEROES) - 1
    over.stage = STAGE.asking
    over.round_no = 1
    over.total = 0
    f = push(state, KIND.overcome, 0, 1, h)
    state.frames[f].slot = state.heroes[h].slot
    tell(events, E.begun, state.heroes[h].character, card)
    go_on(state)


@rule
def do_join(box: Box, state: State, events: Events, seat: int) -> None:
    """7.2: the character joins."""
    h = next_unasked(state, heroes_at(state, int(state.heroes[state.over.leader].slot)))
    state.over.asked |= 1 << h
    state.over.joined |= 1 << h
    tell(events, E.joined, state.heroes[h].character)
    go_on(state)


@rule
def do_stay_out(box: Box, state: State, events: Events, seat: int) -> None:
    """7.2: the character stays out of it."""
    h = next_unasked(state, heroes_at(state, int(state.heroes[state.over.leader].slot)))
    state.over.asked |= 1 << h
    go_on(state)


# --- Rounds (guide 7.8) -------------------------------------------------------------------------------


@rule
def why_not_again(box: Box, state: State, seat: int) -> int:
    """7.8: as long as somebody has a die."""
    if state.over.obstacle == NOBODY or not has_more(box, state):
        return R.nothing_set
    return 0


@rule
def has_more(box: Box, state: State) -> bool:
    """14.61: has anybody who takes part a die left, or an asset at hand or on the mat?"""
    for h in range(state.n_heroes):
        if state.over.joined >> h & 1 and is_in(state, h):
            if n_dice(state, int(state.heroes[h].seat)) > 0 or n_assets(state, int(state.heroes[h].slot)) > 0:
                return True
            if n_in_slots(box, state, h) > 0:
                return True
    return False


@rule
def do_again(box: Box, state: State, events: Events, seat: int) -> None:
    """7.8: the progress stays, everybody sets dice anew."""
    state.over.round_no += 1
    state.over.asked = ((1 << HEROES) - 1) ^ state.over.joined
    state.over.stage = STAGE.setting
    tell(events, E.round_begun, state.over.round_no, state.over.obstacle)
    go_on(state)


@rule
def do_give_up(box: Box, state: State, events: Events, seat: int) -> None:
    """14.61: the progress is lost."""
    drop_it(box, state, events)
    go_on(state)


@rule
def drop_it(box: Box, state: State, events: Events) -> None:
    """7.8: the obstacle stays."""
    card = int(state.over.obstacle)
    if is_in_play(state, card):
        tell(events, E.given_up, card, state.over.total, difficulty(box, state, card))
    else:
        tell(events, E.out_of_reach, card)
    end_overcoming(state)
    pop(state)


@rule
def let_go(state: State, events: Events) -> None:
    """14.79: whoever is no longer where the obstacle lies takes no further part; somebody else leads."""
    over = state.over
    slot = int(state.obstacle_at[over.obstacle])
    for h in range(state.n_heroes):
        if is_in_play(state, int(over.obstacle)) and over.joined >> h & 1 and state.heroes[h].slot != slot:
            leave_overcoming(state, h)
            tell(events, E.left_it, state.heroes[h].character)
    if not over.joined >> over.leader & 1:
        over.leader = max(0, first_joined(state))


@on_frame("overcome")
@rule
def step_overcome(box: Box, state: State, events: Events, f: int) -> None:
    """7: what comes next in overcoming; 14.61: when the last die went into an ability, nothing is left to go on with."""
    over = state.over
    let_go(state, events)
    if over.joined == 0 or not is_in_play(state, int(over.obstacle)):
        drop_it(box, state, events)
    elif over.stage == STAGE.asking:
        h = next_unasked(state, heroes_at(state, int(state.frames[f].slot)))
        if h != NOBODY:
            ask(state, P.join, seat_for(state, h))
        else:
            over.asked = ((1 << HEROES) - 1) ^ over.joined
            over.stage = STAGE.setting
    elif over.stage == STAGE.setting:
        h = next_unasked(state, over.joined)
        if n_set(state) == 0 and not may_still_set(box, state):
            drop_it(box, state, events)
        elif h != NOBODY:
            ask(state, P.allocate, seat_for(state, h))
        else:
            roll_stress(box, state, events)
            over.stage = STAGE.rolled
    elif over.stage == STAGE.rolled:
        if can_cancel(state):
            ask(state, P.cancel, seat_for(state, int(over.leader)))
        else:
            begin_tally(state)
    elif over.stage == STAGE.tally:
        if over.hits > 0:
            step_hit(box, state, events, f)
        else:
            over.stage = STAGE.count
    elif over.stage == STAGE.count:
        step_count(box, state, events, f)
    else:
        end_round(box, state, events)


@rule
def end_round(box: Box, state: State, events: Events) -> None:
    """7.8: the round's dice are spent; another round, or not."""
    if state.over.stage == STAGE.round_end:
        if n_laid(state) > 0:
            tell(events, E.round_spent)
        spend_round(state)
        state.over.stage = STAGE.offered
    if has_more(box, state):
        ask(state, P.again, seat_for(state, first_joined(state)))
    else:
        drop_it(box, state, events)


@rule
def first_joined(state: State) -> int:
    """Whoever of those who take part is first on its feet."""
    for h in range(state.n_heroes):
        if state.over.joined >> h & 1 and is_in(state, h):
            return h
    return NOBODY
