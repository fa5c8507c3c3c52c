"""What a position of Six Winters was worth to the first bots: the judgement of `classic-greedy`, kept for comparison.

They fought where they stood and walked to no obstacle, left skills unlearned, and did not trade or sail. What has not changed is told in
`plan.py`, `fights.py`, `sensible.py` and `evaluate.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, clear, forbid, has, is_empty
from sutler.core.rule import rule
from sutler.games.sixwinters.box import ANY, CELLS, FACES, NEVER, RES, SLOTS, SPACES, YEARS
from sutler.games.sixwinters.evaluate import (
    ABLE,
    ACHIEVEMENT,
    ACTION_DIE,
    ASSET,
    BEGIN,
    CHARACTER,
    COMPLETED,
    DIE,
    FACE,
    HARDY,
    HOPELESS,
    LAST_BOX,
    LEVEL,
    MARK,
    OUT,
    OUT_A_TURN,
    OVER,
    POOL_DIE,
    SCHEME_DIE,
    STRESS,
    SYMBOL,
    TAG,
    THREAT,
    TURN,
    UNFIT,
    WON,
    XP,
    YEAR,
    effects_worth,
    missions_worth,
)
from sutler.games.sixwinters.fights import (
    BRAVE,
    FALL,
    FIGHT_ANY,
    PER_STRESS,
    ROUNDS,
    prize,
    prune_allocate,
    prune_cancel,
)
from sutler.games.sixwinters.masks import first_of, only
from sutler.games.sixwinters.plan import (
    AT_HAND,
    EMPTY,
    FAR,
    PER_VALUE,
    TO_CREATE,
    TO_ROLL,
    TRAPPED,
    dice_to_go,
    is_shut,
    is_wanted,
    last_value,
    lies_there,
    may_be_next,
    safety,
    stress_to_come,
    takes_kind,
    takes_value,
    top_die,
    turns_left,
)
from sutler.games.sixwinters.rules.common import ability_op, heroes_at, is_in, level, n_assets, n_dice, pool_size
from sutler.games.sixwinters.rules.effects_ability import ASSETS_HERE
from sutler.games.sixwinters.rules.missions import open_symbol
from sutler.games.sixwinters.rules.movement import BY_FOOT, dice_price
from sutler.games.sixwinters.scoring import total
from sutler.games.sixwinters.sensible import (
    HARVEST,
    PULL,
    SPARE_PRICE,
    STEP_PRICE,
    TOMORROW,
    best_put,
    best_shared,
    changes_dice,
    gains_dice,
    keep_creating,
    most_saved,
    prune_clear,
    prune_create,
    prune_pay,
    prune_reroll,
    prune_scheme,
    prune_settle,
)
from sutler.games.sixwinters.state import UNLOCKED
from sutler.games.sixwinters.table import A, P
from sutler.games.sixwinters.vocabulary import DO

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.sixwinters.records import Box, State


ANY_FIGHT = 0.5  # that being rid of any obstacle was worth
STEP = (1.0, 1.0, 0.9, 1.1, 0.8, 3.0)  # of progress, by resource: Sorcery opens The Severing, which wins
GATHER = 1.5  # a character where a great obstacle waits that a mission wants
GREAT = 20
OBSTACLE = 0.3
RANK = (0.35, 0.35, 0.9, 0.35, 0.4, 0.35, 0.35, 0.35)


@rule
def next_die(box: Box, state: State, h: int, slot: int, due: int) -> float:
    """What the next die of a character's card costs if it stands at a slot; `due` is `dice_to_go`."""
    one = state.heroes[h]
    here = int(box.place[slot].resource)
    region = int(box.place[slot].region)
    top = top_die(state, int(one.seat))
    best = FAR
    if is_shut(box, state, slot):
        best = TRAPPED
    for cell in range(CELLS):
        if may_be_next(box, one, cell):
            print_of = box.card[one.card].cells[cell]
            if print_of.region < 0 or print_of.region == region:
                from_pool = takes_kind(box, state, print_of, here)
                if from_pool and pool_size(state, here) > 0:
                    best = min(best, TO_ROLL)
                elif from_pool:
                    best = min(best, EMPTY)
                for v in range(1, FACES + 1):
                    if box.card[one.card].need[cell, v - 1] < due and takes_value(box, one, cell, v):
                        if from_pool and v <= top and state.pools[here, v - 1] > 0:
                            best = min(best, TO_CREATE + PER_VALUE * v)
                        if lies_there(box, state, slot, print_of, v):
                            return AT_HAND
    return best


@rule
def fight_worth(box: Box, state: State, card: int, who: int, so_far: int) -> float:
    """What a fight may bring, less what it may cost; below 0 it is not fought."""
    last = last_value(box, state, who, card, so_far)
    rounds = (last + FACES - 1) // FACES
    if last >= NEVER or rounds > ROUNDS:
        return -1.0
    stress = stress_to_come(box, state, card, last)
    left = safety(box, state, who, card)
    danger = stress / max(1.0, left)
    worth = prize(box, state, card, who) - FIGHT_ANY + ANY_FIGHT - PER_STRESS * stress
    if danger > BRAVE:
        worth -= FALL * (danger - BRAVE)
    return worth


@rule
def best_fight(box: Box, state: State, h: int, out: Legal) -> int:
    """The obstacle here that is best overcome now; -1: none."""
    best = 0.0
    chosen = -1
    slot = int(state.heroes[h].slot)
    who = heroes_at(state, slot)
    card = int(state.head[slot])
    while card >= 0:
        if has(out.ids, A.overcome + card):
            worth = fight_worth(box, state, card, who, 0)
            if worth > best:
                best = worth
                chosen = A.overcome + card
        card = int(state.after[card])
    return chosen


@rule
def pull(box: Box, state: State, h: int, slot: int) -> float:
    """What fights a place promises to somebody who comes there."""
    best = 0.0
    who = heroes_at(state, slot) | 1 << h
    card = int(state.head[slot])
    while card >= 0:
        worth = fight_worth(box, state, card, who, 0)
        if worth < 1.0 and box.obstacle[card].difficulty >= 20 and is_wanted(state, card):
            worth = 1.5  # somebody has to be there first
        best += max(0.0, worth)
        card = int(state.after[card])
    return best


@rule
def best_move(box: Box, state: State, h: int, due: int, here: float, out: Legal) -> int:
    """The place to walk to, for the next die of the card or for a fight; -1: none is worth its price."""
    best = 0.1
    chosen = -1
    dice = n_dice(state, int(state.heroes[h].seat))
    spare = max(0, dice - 2)
    at = int(state.heroes[h].slot)
    stay = HARVEST * min(dice, pool_size(state, int(box.place[at].resource)))
    if dice >= 3:
        stay += PULL * pull(box, state, h, at)
    for slot in range(SLOTS):
        if has(out.ids, A.move + slot):
            price = dice_price(box, state, at, slot, BY_FOOT)
            worth = -SPARE_PRICE * min(price, spare) - STEP_PRICE * max(0, price - spare)
            if due < NEVER and dice - price > 0:
                worth += here - next_die(box, state, h, slot, due)
            elif due < NEVER:
                worth += TOMORROW * (here - next_die(box, state, h, slot, due))
            worth += HARVEST * min(dice - price, pool_size(state, int(box.place[slot].resource))) - stay
            if dice - price >= 2:
                worth += PULL * pull(box, state, h, slot)
            if worth > best:
                best = worth
                chosen = A.move + slot
    return chosen


@rule
def dice_that(out: Legal, block: int) -> int:
    """The action dice that a block of actions may be done with, as bits."""
    found = 0
    for v in range(FACES):
        if has(out.ids, block + v):
            found |= 1 << v
    return found


@rule
def abilities_that(box: Box, state: State, h: int, out: Legal, stuck: int) -> int:
    """The abilities worth a thought, as bits: those that bring dice; when the next die is missing those that change one."""
    found = 0
    for k in range(10):
        if has(out.ids, A.ability + k):
            op = ability_op(box, state, h, k)
            if gains_dice(op) or op == DO.convert or (stuck and changes_dice(op)):
                found |= 1 << k
            elif op == DO.reroll and stuck and n_assets(state, int(state.heroes[h].slot)) > 0:
                found |= 1 << k
    return found


@rule
def effects_that(out: Legal) -> int:
    """The campaign effects that may be used, as bits."""
    found = 0
    for k in range(24):
        if has(out.ids, A.effect + k):
            found |= 1 << k
    return found


@rule
def prune_act(box: Box, state: State, out: Legal) -> None:
    """5.1: put, fight, create, walk, use what brings dice; when nothing of it is left, done."""
    h = int(state.actor)
    one = state.heroes[h]
    done = most_saved(out)
    if one.card < 0 or one.slot < 0:
        due, here = NEVER, FAR
    else:
        due = dice_to_go(box, state, h)
        here = next_die(box, state, h, int(one.slot), due)
        if here <= AT_HAND:
            action = best_put(box, state, h, due, out)
            if action >= 0:
                only(out, action)
                return
    action = best_fight(box, state, h, out)
    if action < 0 and state.shared >= 0:
        action = best_shared(box, state, h, out)
    if action >= 0:
        only(out, action)
        return
    dice = n_dice(state, int(one.seat))
    creates = dice_that(out, A.create)
    uses = dice_that(out, A.use_location)
    powers = abilities_that(box, state, h, out, here >= TO_ROLL)
    effects = effects_that(out)
    by_stress = has(out.ids, A.create_by_stress) and one.stress[0] > 1 and one.stress[1] > 1
    move = -1
    if here >= TO_CREATE + 0.25 and dice > 0:
        move = best_move(box, state, h, due, here, out)
    clear(out.ids)
    if move >= 0:
        allow(out, move)
    if creates != 0 and (here < TO_ROLL or dice > 1):
        keep_creating(box, state, h, 0, creates, out)
    if by_stress and here < TO_ROLL:
        allow(out, A.create_by_stress)
    if uses != 0 and dice > 2:
        allow(out, first_of(A.use_location, uses))
    for k in range(24):
        if effects >> k & 1:
            allow(out, A.effect + k)
        if powers >> k & 1:
            allow(out, A.ability + k)
    if is_empty(out.ids):
        allow(out, done)


@rule
def prune_again(box: Box, state: State, out: Legal) -> None:
    """7.8: on, as long as it is worth it."""
    over = state.over
    if fight_worth(box, state, int(over.obstacle), int(over.joined), int(over.total)) > 0.0 and has(out.ids, A.again):
        only(out, A.again)
    else:
        only(out, A.give_up)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """What a bot looks at."""
    phase = state.phase
    if phase == P.act:
        prune_act(box, state, out)
    elif phase == P.pay:
        prune_pay(box, state, out)
    elif phase == P.create:
        prune_create(box, state, out)
    elif phase == P.join:
        only(out, A.join)
    elif phase == P.allocate:
        prune_allocate(box, state, out)
    elif phase == P.cancel:
        prune_cancel(box, state, out)
    elif phase == P.again:
        prune_again(box, state, out)
    elif phase == P.scheme:
        prune_scheme(box, state, out)
    elif phase == P.settle:
        prune_settle(box, state, out)
    elif phase == P.clear:
        prune_clear(box, state, out)
    elif phase == P.serve:
        forbid(out, A.discard_card)
    elif phase == P.choose_pool:
        if has(out.ids, A.which_pool + ASSETS_HERE):
            only(out, A.which_pool + ASSETS_HERE)
    elif phase == P.reroll:
        prune_reroll(box, state, out)


@rule
def tracks_worth(box: Box, state: State, left: float) -> float:
    """Progress made, threats grown, and threat tags that will make them grow."""
    worth = 0.0
    for r in range(RES):
        worth += STEP[r] * state.progress[r] + LEVEL * (YEARS + 1 - state.year) * level(box, state, r)
        if box.track[r].has_threats == 1:
            tags = int(state.tags[r])
            worth -= THREAT[r] * (state.threat[r] + OVER * min(left, 4.0) * max(0, tags - box.rules.tags_free))
            worth -= TAG * THREAT[r] * min(tags, 4)
        pool = pool_size(state, r)
        scheme = 0
        if state.scheme >= 0:
            for v in range(FACES + 1):
                scheme += state.scheme_dice[r, v]
        worth += POOL_DIE * pool + ASSET * (int(state.in_play[r]) - pool - scheme) - SCHEME_DIE * scheme
    if state.progress[5] == SPACES:
        worth += COMPLETED
    return worth


@rule
def card_worth(box: Box, state: State, card: int) -> float:
    """What completing a progress card brings: the steps, and a symbol of a mission."""
    worth = 0.0
    serves = 0.0
    reward = box.card[card].reward
    for r in range(RES):
        wanted = open_symbol(box, state, 0, r) >= 0 or open_symbol(box, state, 1, r) >= 0
        if reward[r] > 0:
            if state.progress[r] < SPACES:
                worth += STEP[r] * reward[r]
            if wanted:
                serves = SYMBOL + 0.8
        elif reward[ANY] > 0 and wanted:
            serves = SYMBOL + 0.8
    if reward[ANY] > 0:
        star = 1.0
        for r in range(RES):
            if state.progress[r] < SPACES:
                star = max(star, STEP[r])
        worth += star
    return worth + serves


@rule
def card_at_hand(box: Box, state: State, h: int, left: float) -> float:
    """What the card before a character is worth: its reward, less the dice that are still to be found for it."""
    one = state.heroes[h]
    due = dice_to_go(box, state, h)
    if due >= NEVER:
        return -HOPELESS
    cost = due - 1.0 + next_die(box, state, h, int(one.slot), due)
    worth = card_worth(box, state, int(one.card)) + 1.0 - DIE * cost
    if left < 2.5:
        can = (n_dice(state, int(one.seat)) + 4.0 * (left - 1.0)) * 0.7
        if cost > can + 0.5:
            worth *= max(0.0, 1.0 - 0.4 * (cost - can))
    return max(worth, -HOPELESS)


@rule
def heroes_worth(box: Box, state: State, left: float) -> float:
    """How the characters in play stand."""
    worth = 0.0
    for h in range(state.n_heroes):
        one = state.heroes[h]
        if one.out == 1:
            worth -= OUT + OUT_A_TURN * left
        elif is_in(state, h):
            if one.card >= 0:
                worth += card_at_hand(box, state, h, left)
            marks = state.people[one.character].marks
            for track in range(2):
                worth += STRESS * min(5, int(one.stress[track]))
                free = 0
                for box_no in range(one.box_no[track] + 1, 4):
                    if not marks[track] >> (box_no - 1) & 1:
                        free += 1
                if free == 0:
                    worth -= LAST_BOX / one.stress[track]
    for seat in range(state.n_seats):
        for v in range(FACES):
            worth += (ACTION_DIE + FACE * v) * state.seats[seat].dice[v]
    return worth


@rule
def land_worth(box: Box, state: State) -> float:
    """The obstacles in play, and who stands where a mission wants a great one overcome."""
    worth = 0.0
    for slot in range(SLOTS):
        card = int(state.head[slot])
        while card >= 0:
            worth -= OBSTACLE
            if box.obstacle[card].difficulty >= GREAT and is_wanted(state, card):
                for h in range(state.n_heroes):
                    if state.heroes[h].slot == slot:
                        worth += GATHER
            card = int(state.after[card])
    return worth


@rule
def people_worth(box: Box, state: State) -> float:
    """What the characters have become."""
    worth = 0.0
    for c in range(box.n_characters):
        person = state.people[c]
        if person.state == UNLOCKED:
            worth += CHARACTER + ACHIEVEMENT * person.achievements + XP * person.xp
            for skill in range(8):
                worth += RANK[skill] * person.skills[skill]
            if person.marks[0] | person.marks[1] != 0:
                for track in range(2):
                    for box_no in range(3):
                        if person.marks[track] >> box_no & 1:
                            worth -= MARK[box_no]
                            if person.hero >= 0:
                                worth -= UNFIT
            if person.hero >= 0:  # those who go should be fit
                worth += HARDY * (person.start[0] + person.start[1]) + ABLE * person.achievements
    return worth


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """What the campaign may bring the team, from here, more than is usual at this time."""
    worth = float(total(box, state))
    if state.outcome == 1:
        return worth + WON
    if state.phase == P.over:
        return worth
    left = turns_left(box, state)
    worth += tracks_worth(box, state, left) + missions_worth(box, state, left) + heroes_worth(box, state, left)
    worth += land_worth(box, state) + people_worth(box, state) + effects_worth(state)
    return worth - BEGIN - YEAR * (state.year - 1) - TURN * state.turn_no
