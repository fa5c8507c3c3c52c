"""Fights of Six Winters as bots judge them: the worth of removing an obstacle, its cost, and the worth of a place.

Nothing here is a rule of the game. Dice that count as progress are not spent (7.8), so a fight costs stress alone, and who
stands beside an obstacle with fresh dice has most of it already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import has
from sutler.core.rule import rule
from sutler.games.sixwinters.bot.choice_masks import only
from sutler.games.sixwinters.bot.plan import is_wanted, last_value, progress_of, safety, stress_to_come, turns_left
from sutler.games.sixwinters.bot.weights import WEIGHTS
from sutler.games.sixwinters.box import FACES, HEROES, NO_END, RES
from sutler.games.sixwinters.rules.abilities import user
from sutler.games.sixwinters.rules.common import heroes_at, is_in, rank
from sutler.games.sixwinters.rules.land import difficulty, n_stress_dice
from sutler.games.sixwinters.rules.overcome import n_reactions
from sutler.games.sixwinters.state import threat_tags
from sutler.games.sixwinters.table import A

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.sixwinters.bot.weights import Numbers
    from sutler.games.sixwinters.records import Box, State


URGE = (0.177, 0.156, 1.55, 1.03, 0.266, 2.48)  # of a threat tag, by resource: Sorcery may lose the campaign at once
FIGHT_OVER = 2.28  # a fight is worth it for a threat tag too many
FIGHT_TAG = 0.631
FIGHT_ANY = 1.33
FIGHT_WANTED = 6.22
FIGHT_DEED = 1.78
PER_STRESS = 0.0604
FALL = 8.43  # what a knock-out costs
BRAVE = 0.463  # of what those who fight can take
ROUNDS = 3
NEXT_TURN_SHARE = 0.204  # of what a fight is worth, if it can be fought in the next turn only
JOINT_FIGHT_SHARE = 0.241  # if it takes all of them
CALM = 0.423  # of what those who fight can take: with less stress than that to come nobody spends dice to react
MAX_PLACE_VALUE = 9.7  # of all fights of one place


@rule
def prize(box: Box, state: State, card: int, who: int) -> float:
    """The worth of removing an obstacle."""
    worth = FIGHT_ANY
    for r in range(RES):
        n = int(threat_tags(box, state, card, r))
        if n > 0:
            if state.tags[r] > box.rules.tags_free:
                worth += FIGHT_OVER * URGE[r] * n
            else:
                worth += FIGHT_TAG * URGE[r] * n
    if is_wanted(state, card):
        worth += FIGHT_WANTED
    for h in range(state.n_heroes):
        if who >> h & 1:
            c = int(state.heroes[h].character)
            if box.obstacle[card].tags & box.character[c].deeds != 0:
                if state.people[c].achievements < box.character[c].n_achievements:
                    worth += FIGHT_DEED
    return worth


@rule
def worth_until(box: Box, state: State, by: Numbers, card: int, who: int, last: int) -> float:
    """The expected gain of a fight less its cost, if dice up to the value `last` are counted (FACES a round)."""
    rounds = (last + FACES - 1) // FACES
    if last >= NO_END or rounds > ROUNDS:
        return -1.0
    stress = stress_to_come(box, state, card, last)
    danger = stress / max(1.0, safety(box, state, who, card))
    rest = (turns_left(box, state) - 1.0) / 3.0
    care = min(1.0, by.calm_end + (1.0 - by.calm_end) * rest)  # stress is forgotten at the year's end
    worth = prize(box, state, card, who) - by.shy - care * PER_STRESS * stress
    if danger > BRAVE:
        worth -= care * FALL * (danger - BRAVE)
    return worth


@rule
def fight_worth(box: Box, state: State, by: Numbers, card: int, who: int, so_far: int) -> float:
    """The worth of a fight with the dice at hand; below 0 it is not fought."""
    return worth_until(box, state, by, card, who, last_value(box, state, who, card, so_far))


@rule
def fresh_last(box: Box, state: State, card: int, who: int) -> int:
    """The value up to which dice must be counted with a turn's new dice, about."""
    skill = int(box.obstacle[card].skill)
    n = 0
    ranks = 0
    for h in range(state.n_heroes):
        if who >> h & 1:
            n += 1
            ranks += rank(state, h, skill)
    dice = float(box.rules.action_dice[state.n_seats])
    if state.n_seats == 1:
        dice = 0.5 * box.rules.shared_dice
    due = float(difficulty(box, state, card))
    total = 0.0
    for v in range(FACES):
        total += dice / FACES * (n * (v + 1) + ranks)
        if total >= due:
            return v + 1
    if total <= 0.0:
        return NO_END
    return int(min(1.0 * NO_END, FACES * (1.0 + due // total)))


@rule
def everybody(state: State) -> int:
    """All characters on their feet, as bits."""
    found = 0
    for h in range(state.n_heroes):
        if is_in(state, h):
            found |= 1 << h
    return found


@rule
def promise(box: Box, state: State, slot: int, who: int) -> float:
    """The worth of the fights at a place to those who stand there, now or with the next turn's dice."""
    worth = 0.0
    all_in = everybody(state)
    card = int(state.head[slot])
    while card >= 0:
        now = fight_worth(box, state, WEIGHTS, card, who, 0)
        soon = NEXT_TURN_SHARE * worth_until(box, state, WEIGHTS, card, who, fresh_last(box, state, card, who))
        if who != all_in and soon <= 0.0:  # too much for these: somebody has to be there first
            soon = JOINT_FIGHT_SHARE * worth_until(
                box, state, WEIGHTS, card, all_in, fresh_last(box, state, card, all_in)
            )
        worth += max(0.0, max(now, soon))
        card = int(state.after[card])
    return min(worth, MAX_PLACE_VALUE)


# --- What is looked at in a fight ---------------------------------------------------------------------


@rule
def best_fight(box: Box, state: State, by: Numbers, h: int, out: Legal) -> int:
    """The obstacle here that is best overcome now; -1: none."""
    best = 0.0
    chosen = -1
    slot = int(state.heroes[h].slot)
    who = heroes_at(state, slot)
    card = int(state.head[slot])
    while card >= 0:
        if has(out.ids, A.overcome + card):
            worth = fight_worth(box, state, by, card, who, 0)
            if worth > best:
                best = worth
                chosen = A.overcome + card
        card = int(state.after[card])
    return chosen


@rule
def short_of(box: Box, state: State) -> int:
    """How much the unspent dice of all who fight fall short of the difficulty in this round; below 0: they are more."""
    over = state.over
    card = int(over.obstacle)
    due = difficulty(box, state, card) - over.total
    for v in range(FACES):
        due -= progress_of(box, state, int(over.joined), int(box.obstacle[card].skill), v)
    return due


@rule
def n_reacting(state: State) -> int:
    """How many dice lie in the reaction pools."""
    n = 0
    for h in range(HEROES):
        if state.over.joined >> h & 1:
            for source in range(42):
                n += state.over.react[h, source]
    return n


@rule
def prune_allocate(box: Box, state: State, out: Legal) -> None:
    """7.3: a low die into the reaction pool while enough is left; an asset to the progress when that makes it enough."""
    seat = int(state.to_act)
    h = user(state, seat)
    card = int(state.over.obstacle)
    if h < 0 or card < 0:
        return
    short = short_of(box, state)
    rank = int(state.people[state.heroes[h].character].skills[box.obstacle[card].skill])
    if short <= 0:
        who = int(state.over.joined)
        last = last_value(box, state, who, card, int(state.over.total))
        stress = stress_to_come(box, state, card, last)
        low = 1
        if stress > CALM * safety(box, state, who, card):
            low = 3
        for v in range(low):
            if has(out.ids, A.react + v) and short + v + 1 + rank <= 0:
                if n_reacting(state) < n_stress_dice(box, state, card):
                    only(out, A.react + v)
                    return
    elif is_wanted(state, card):
        for v in range(FACES - 1, -1, -1):
            for r in range(RES):
                if has(out.ids, A.add + r * FACES + v):
                    only(out, A.add + r * FACES + v)
                    return
    if has(out.ids, A.roll):
        only(out, A.roll)


@rule
def prune_cancel(box: Box, state: State, out: Legal) -> None:
    """7.5: the highest stress die that would be taken, with the highest die that can."""
    over = state.over
    last = min(FACES, last_value(box, state, int(over.joined), int(over.obstacle), int(over.total)))
    for v in range(last - 1, -1, -1):
        if over.rolled[v] > 0:
            for w in range(v, -1, -1):
                if n_reactions(state, w) > 0 and has(out.ids, A.cancel + v * FACES + w):
                    only(out, A.cancel + v * FACES + w)
                    return
    only(out, A.enough)


@rule
def prune_again(box: Box, state: State, by: Numbers, out: Legal) -> None:
    """7.8: on, as long as it is worth it."""
    over = state.over
    worth = fight_worth(box, state, by, int(over.obstacle), int(over.joined), int(over.total))
    if worth > 0.0 and has(out.ids, A.again):
        only(out, A.again)
    else:
        only(out, A.give_up)
