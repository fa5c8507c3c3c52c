"""What all chapters of Six Winters share (guide 1): asking and choosing, what is going on, dice and their supply, heroes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow_set, clear, count, has
from sutler.core.chance import die
from sutler.core.events import CAPACITY, tell
from sutler.core.names import Numbers
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.rule_tables import RuleTable
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import ABILITIES, FACES, FRAME_KIND_NAMES, RES, SLOTS
from sutler.games.sixwinters.phases_actions_events import A, E, R
from sutler.games.sixwinters.state import FRAMES, PART

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, Effect, Frame, State


@rule
def next_unasked(state: State, among: int) -> int:
    """The next of these characters that has not been asked; NOBODY when all have."""
    for h in range(state.n_heroes):
        if among >> h & 1 and not state.over.asked >> h & 1 and is_in(state, h):
            return h
    return NOBODY


@rule
def to_part(state: State, part: int) -> None:
    """The next part of the session begins."""
    state.part = part
    state.k = 0
    state.sub = 0


@rule
def first_option(state: State) -> int:
    """The lowest of the choices; NOBODY when there is none."""
    for number in range(128):
        if has(state.options, number):
            return number
    return NOBODY


KIND = Numbers("kind", {name: number for number, name in enumerate(FRAME_KIND_NAMES) if name})
"""What a frame is about: what goes on until it is finished, with whatever it brings on top of it."""
FRAME_RULES = RuleTable(KIND, ("box", "state", "events", "f"), frame="state.frames[f]")
on_frame = FRAME_RULES.of


# --- Asking (guide 1.12) ----------------------------------------------------------------


@rule
def no_options(state: State) -> None:
    """Nothing may be chosen yet."""
    clear(state.options)
    state.may_decline = 0


@rule
def offer(state: State, number: int) -> None:
    """One more thing that may be chosen."""
    add(state.options, number)


@rule
def n_options(state: State) -> int:
    """How many things may be chosen."""
    return count(state.options)


@rule
def answered(state: State, number: int) -> None:
    """A choice is made: the effect that asked goes on with it."""
    state.answer = number
    no_options(state)
    go_on(state)


@rule
def seat_for(state: State, hero: int) -> int:
    """1.12: whoever leads the character that something happens to; for the team (14.63) whoever acts, else the first seat."""
    if hero >= 0 and state.heroes[hero].seat >= 0:
        return int(state.heroes[hero].seat)
    if state.part == PART.actions and state.heroes[state.actor].seat >= 0:
        return int(state.heroes[state.actor].seat)
    return 0


@rule
def choose_one(state: State, frame: Frame, phase: int, hero: int) -> bool:
    """1.12: ask for one of the things laid out; the next step goes on with it. True if there is nothing to choose: that is all, then."""
    if n_options(state) == 0:
        return True
    frame.step += 1
    ask(state, phase, seat_for(state, hero))
    return False


@rule
def choose_if_several(state: State, frame: Frame, phase: int, hero: int) -> bool:
    """1.12: the next step goes on with one of the things laid out. False while players choose, as in `let_choose`."""
    frame.step += 1
    return let_choose(state, phase, hero)


@rule
def let_choose(state: State, phase: int, hero: int) -> bool:
    """1.12: one of the things laid out. False while players choose; `state.answer` then is it, NOBODY if there is none."""
    if n_options(state) > 1:
        ask(state, phase, seat_for(state, hero))
        return False
    state.answer = first_option(state)
    no_options(state)
    return True


@rule
def write_frame(frame: Frame, kind: int, op: int, left: int, hero: int, none: int) -> None:
    """What begins, with nothing done yet; `none`: what stands where it has no obstacle, die or place of its own."""
    frame.kind = kind
    frame.op = op
    frame.left = left
    frame.hero = hero
    frame.obstacle = none
    frame.paid = none
    frame.slot = none
    frame.step = 0
    frame.todo = 0
    frame.chosen = 0
    frame.detail = 0
    frame.target = 0


@rule
def push(state: State, kind: int, op: int, left: int, hero: int) -> int:
    """Something begins, and goes before all that is going on. Returns its number; the last one if there is no room."""
    f = int(state.n_frames)
    if f >= FRAMES:
        f = FRAMES - 1
    write_frame(state.frames[f], kind, op, left, hero, NOBODY)
    state.n_frames = f + 1
    state.n_passes = 0
    return f


@rule
def pop(state: State) -> None:
    """What went on is finished; its place is left clean, so that equal positions have equal bytes."""
    state.n_frames -= 1
    write_frame(state.frames[state.n_frames], 0, 0, 0, 0, 0)


@rule
def advance(state: State, f: int) -> None:
    """An operation is done: the next one of its effect follows."""
    frame = state.frames[f]
    frame.op += 1
    frame.left -= 1
    frame.step = 0
    frame.todo = 0


@rule
def here(state: State, frame: Frame) -> int:
    """13.1: where a card lies: an obstacle in play where it is now (14.55), else where the effect began."""
    if frame.obstacle >= 0 and 0 <= state.obstacle_at[frame.obstacle] < SLOTS:
        return int(state.obstacle_at[frame.obstacle])
    return int(frame.slot)


@rule
def run_effect(state: State, effect: Effect, hero: int, slot: int, obstacle: int) -> None:
    """Begin an effect's operations."""
    if effect.n > 0:
        f = push(state, KIND.ops, int(effect.first), int(effect.n), hero)
        state.frames[f].slot = slot
        state.frames[f].obstacle = obstacle


# --- Dice and their supply (guide 1.4) -------------------------------------------------------


@rule
def supply(box: Box, state: State, r: int) -> int:
    """1.4: how many dice of a resource can still be taken."""
    return int(box.rules.dice_each) - int(state.in_play[r])


@rule
def take_from_supply(box: Box, state: State, events: Events, r: int) -> bool:
    """1.4: one die of a resource; False when there is none left."""
    if state.in_play[r] >= box.rules.dice_each:
        tell_missing(events, r, 1)
        return False
    state.in_play[r] += 1
    return True


@rule
def tell_missing(events: Events, r: int, n: int) -> None:
    """1.4: what the supply lacks is told in one line, however many dice are asked for one after another."""
    last = events.n_told - 1
    if 0 <= last < CAPACITY and events.rows[last].kind == E.supply_out and events.rows[last].parts[0] == r:
        events.rows[last].parts[1] += n
    else:
        tell(events, E.supply_out, r, n)


@rule
def to_supply(state: State, r: int, n: int) -> None:
    """14.7: dice that are spent, cancelled or cleared go back to the supply."""
    state.in_play[r] -= n


@rule
def roll_asset(box: Box, state: State, events: Events, r: int, slot: int) -> int:
    """1.5: an asset made by an effect is rolled. Returns its value, 0 when the supply has none."""
    if not take_from_supply(box, state, events, r):
        return 0
    v = int(die(state, FACES))
    state.assets[slot, r, v - 1] += 1
    state.added_value = v
    tell(events, E.asset_added, r * FACES + v - 1, state.location_at[slot])
    return v


@rule
def set_asset(box: Box, state: State, events: Events, r: int, v: int, slot: int) -> bool:
    """1.5: an asset of a given value; False when the supply has none."""
    if not take_from_supply(box, state, events, r):
        return False
    state.assets[slot, r, v - 1] += 1
    tell(events, E.asset_added, r * FACES + v - 1, state.location_at[slot])
    return True


@rule
def drop_asset(state: State, events: Events, r: int, v: int, slot: int) -> None:
    """1.5: an asset goes back to the supply."""
    state.assets[slot, r, v - 1] -= 1
    to_supply(state, r, 1)
    tell(events, E.asset_removed, r * FACES + v - 1, state.location_at[slot])


@rule
def pool_size(state: State, r: int) -> int:
    """1.4: how many dice lie in a pool."""
    n = 0
    for v in range(FACES):
        n += state.pools[r, v]
    return n


@rule
def n_assets(state: State, slot: int) -> int:
    """1.5: how many assets lie at a place."""
    n = 0
    for r in range(RES):
        for v in range(FACES):
            n += state.assets[slot, r, v]
    return n


@rule
def level(box: Box, state: State, r: int) -> int:
    """2.1: a resource's progress level."""
    return int(box.track[r].levels[state.progress[r] - 1])


@rule
def threat_level(box: Box, state: State, r: int) -> int:
    """2.1: a resource's threat level."""
    return int(box.track[r].levels[state.threat[r] - 1])


@rule
def noted(v: int) -> int:
    """One die of a value as the log notes it: how many of each value, four bits each. Such notes are added up."""
    return 1 << (4 * (v - 1))


@rule
def fill_pool(box: Box, state: State, events: Events, r: int) -> None:
    """8.1, 14.7: new dice up to the level; what lies there stays as it is."""
    dice = 0
    for _ in range(level(box, state, r) - pool_size(state, r)):
        if take_from_supply(box, state, events, r):
            v = die(state, FACES)
            state.pools[r, v - 1] += 1
            dice += noted(v)
    if dice > 0:
        tell(events, E.pool_filled, r, dice)


@rule
def offer_pool(state: State, r: int, first: int) -> None:
    """1.4: the dice of a pool by their values; `first` is the choice of a 1."""
    for v in range(FACES):
        if state.pools[r, v] > 0:
            offer(state, first + v)


@rule
def drop_pool_die(state: State, events: Events, r: int, v: int) -> None:
    """1.4: a die of a pool goes back to the supply."""
    state.pools[r, v - 1] -= 1
    to_supply(state, r, 1)
    tell(events, E.pool_lost, r * FACES + v - 1)


@rule
def n_dice(state: State, seat: int) -> int:
    """5: how many unspent action dice a seat has."""
    n = 0
    for v in range(FACES):
        n += state.seats[seat].dice[v]
    return n


@rule
def roll_action_dice(state: State, events: Events, seat: int, n: int, kind: int) -> None:
    """5: new action dice for a seat; `kind` tells of them: a turn's dice, or more of them."""
    dice = 0
    for _ in range(n):
        v = die(state, FACES)
        state.seats[seat].dice[v - 1] += 1
        dice += noted(v)
    if n > 0:
        tell(events, kind, seat, dice)


@rule
def clear_dice(state: State, seat: int) -> None:
    """5: a seat's unspent action dice are put aside."""
    for v in range(FACES):
        state.seats[seat].dice[v] = 0


@rule
def lose_dice(state: State, events: Events, seat: int) -> None:
    """9.3: a seat's unspent action dice are lost."""
    dice = 0
    for v in range(FACES):
        dice += int(state.seats[seat].dice[v]) * noted(v + 1)
    clear_dice(state, seat)
    if dice > 0:
        tell(events, E.dice_lost, seat, dice)


# --- Heroes --------------------------------------------------------------------------------


@rule
def is_in(state: State, h: int) -> bool:
    """9.3: is this character in play and on its feet?"""
    return 0 <= h < state.n_heroes and state.heroes[h].character >= 0 and state.heroes[h].slot >= 0


@rule
def rank(state: State, h: int, skill: int) -> int:
    """1.7: a character's rank in a skill."""
    return int(state.people[state.heroes[h].character].skills[skill])


@rule
def heroes_at(state: State, slot: int) -> int:
    """Who stands at a place, as bits."""
    found = 0
    for h in range(state.n_heroes):
        if is_in(state, h) and state.heroes[h].slot == slot:
            found |= 1 << h
    return found


@rule
def has_ability(box: Box, state: State, h: int, k: int) -> bool:
    """9.4, 9.6: has this character the ability: from the start, or as an achievement gained?"""
    c = state.heroes[h].character
    if c < 0 or not 0 <= k < ABILITIES:
        return False
    one = box.character[c].ability[k]
    return one.there == 1 and one.achievement <= state.people[c].achievements


@rule
def ability_row(box: Box, state: State, h: int, k: int) -> int:
    """The row of an ability's first operation; 0, which is no operation, for none."""
    one = box.character[state.heroes[h].character].ability[k]
    if one.effect.n == 0:
        return 0
    return int(one.effect.first)


@rule
def ability_with(box: Box, state: State, h: int, op: int) -> int:
    """Which of a character's abilities does this operation; NOBODY for none."""
    for k in range(ABILITIES):
        if has_ability(box, state, h, k) and box.ops[ability_row(box, state, h, k)].op == op:
            return k
    return NOBODY


@rule
def region_of(box: Box, slot: int) -> int:
    """1.9: a slot's region; NOBODY for what lies in a pile, in the reserve or nowhere."""
    if not 0 <= slot < SLOTS:
        return NOBODY
    return int(box.place[slot].region)


@rule
def in_force(box: Box, state: State, op: int) -> bool:
    """Is a standing effect of this kind in force anywhere?"""
    for i in range(state.n_ruled):
        if box.ops[state.ruled[i].op].op == op:
            return True
    return False


DECLINED = -1
"""The answer when a may is not taken."""


@rule
def why_not_choose(box: Box, state: State, seat: int, number: int) -> int:
    """1.12: what is not laid out cannot be chosen."""
    if not has(state.options, number):
        return R.not_offered
    return 0


@rule
def do_choose(box: Box, state: State, events: Events, seat: int, number: int) -> None:
    """1.12: the choice is made."""
    answered(state, number)


# A place, an obstacle, a location card; a character in play, or any by name.
why_not_to = why_not_target = why_not_location = why_not_hero = why_not_name = why_not_choose
do_to = do_target = do_location = do_hero = do_name = do_choose

# A value, a resource, a region's pile, psyche or body, a condition, a skill, an amount of stress.
why_not_value = why_not_resource = why_not_pile = why_not_suffer = why_not_condition = why_not_skill = why_not_choose
do_value = do_resource = do_pile = do_suffer = do_condition = do_skill = do_amount = do_choose
why_not_amount = why_not_choose

# One of a card's options, an order of the four staged cards, action dice or assets, a cell of the shared card.
why_not_option = why_not_order = why_not_which_pool = why_not_cell = why_not_choose
do_option = do_order = do_which_pool = do_choose


@rule
def allow_target(box: Box, state: State, seat: int, out: Legal) -> None:
    """All that was laid out."""
    allow_set(out, A.target, state.options)


@rule
def allow_location(box: Box, state: State, seat: int, out: Legal) -> None:
    """All that was laid out."""
    allow_set(out, A.location, state.options)


@rule
def do_yes(box: Box, state: State, events: Events, seat: int) -> None:
    """1.12: it is done."""
    answered(state, 1)


@rule
def why_not_no(box: Box, state: State, seat: int) -> int:
    """1.12: only a may can be declined."""
    if state.may_decline == 0:
        return R.must_choose
    return 0


@rule
def do_no(box: Box, state: State, events: Events, seat: int) -> None:
    """1.12: the may is not taken."""
    answered(state, DECLINED)
