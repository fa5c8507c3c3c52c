"""Fights of Six Winters as bots judge them: the worth of removing an obstacle, its cost in stress, and the worth of a place.

Nothing here is a rule of the game. Dice that count as progress are not spent (7.8), so a fight costs stress alone, and a character beside
an obstacle with unspent dice has most of what the fight takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import has
from sutler.core.rule import rule
from sutler.games.sixwinters.bot.card_and_fight_costs import (
    expected_stress,
    is_obstacle_wanted,
    n_turns_left,
    n_values_to_overcome,
    progress_of_value,
    team_stress_capacity,
)
from sutler.games.sixwinters.bot.legal_action_bits import keep_only
from sutler.games.sixwinters.bot.weights import WEIGHTS
from sutler.games.sixwinters.box import FACES, HEROES, NO_END, RES
from sutler.games.sixwinters.phases_actions_events import A
from sutler.games.sixwinters.rules.abilities import user
from sutler.games.sixwinters.rules.common import heroes_at, is_in, rank
from sutler.games.sixwinters.rules.land import difficulty, n_stress_dice
from sutler.games.sixwinters.rules.overcome import n_reactions
from sutler.games.sixwinters.state import n_threat_tags

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.sixwinters.bot.weights import Numbers
    from sutler.games.sixwinters.records import Box, State


URGE = (
    0.177,
    0.156,
    1.55,
    1.03,
    0.266,
    2.48,
)  # the weight of a threat tag, by resource: Sorcery may lose the campaign at once
FIGHT_OVER = 2.28  # the worth of removing a threat tag when there are too many
FIGHT_TAG = 0.631  # a threat tag otherwise
FIGHT_ANY = 1.33  # any obstacle
FIGHT_WANTED = 6.22  # an obstacle that a mission asks for
FIGHT_DEED = 1.78  # one that is a fighter's deed
PER_STRESS = 0.0604  # the cost of a point of stress
FALL = 8.43  # what a knock-out costs
BRAVE = 0.463  # share of the stress that the fighters can take: stress beyond it risks a knock-out
ROUNDS = 3  # the longest fight that is begun
NEXT_TURN_SHARE = 0.204  # share of a fight's worth that counts if it can be fought in the next turn only
JOINT_FIGHT_SHARE = 0.241  # share that counts if all characters are needed
CALM = 0.423  # share of the stress that the fighters can take: if less is to come nobody spends dice to react
MAX_PLACE_VALUE = 9.7  # the most that all fights of one place are worth


@rule
def removal_worth(box: Box, state: State, card: int, fighters: int) -> float:
    """The worth of removing an obstacle from play, in points; `fighters`: the characters who fight, as a bit set."""
    worth = FIGHT_ANY
    for r in range(RES):
        n = int(n_threat_tags(box, state, card, r))
        if n > 0:
            if state.tags[r] > box.rules.tags_free:
                worth += FIGHT_OVER * URGE[r] * n
            else:
                worth += FIGHT_TAG * URGE[r] * n
    if is_obstacle_wanted(state, card):
        worth += FIGHT_WANTED
    for h in range(state.n_heroes):
        if fighters >> h & 1:
            c = int(state.heroes[h].character)
            if box.obstacle[card].tags & box.character[c].deeds != 0:
                if state.people[c].achievements < box.character[c].n_achievements:
                    worth += FIGHT_DEED
    return worth


@rule
def fight_worth_up_to(box: Box, state: State, weights: Numbers, card: int, fighters: int, n_values: int) -> float:
    """The worth of a fight, in points: the gain less the stress, if the obstacle is overcome after `n_values` die values are counted.

    `fighters`: a bit set. `n_values` is 6 for each whole round, plus the values counted in the last one.
    """
    rounds = (n_values + FACES - 1) // FACES
    if n_values >= NO_END or rounds > ROUNDS:
        return -1.0
    stress = expected_stress(box, state, card, n_values)
    danger = stress / max(1.0, team_stress_capacity(box, state, fighters, card))
    rest = (n_turns_left(box, state) - 1.0) / 3.0
    care = min(1.0, weights.calm_end + (1.0 - weights.calm_end) * rest)  # stress is forgotten at the year's end
    worth = removal_worth(box, state, card, fighters) - weights.shy - care * PER_STRESS * stress
    if danger > BRAVE:
        worth -= care * FALL * (danger - BRAVE)
    return worth


@rule
def fight_worth(box: Box, state: State, weights: Numbers, card: int, fighters: int, progress_so_far: int) -> float:
    """The worth of a fight with the dice at hand, in points; below 0 the fight is not worth it.

    `fighters`: the fighters as a bit set; `progress_so_far`: the progress made in earlier rounds.
    """
    return fight_worth_up_to(
        box, state, weights, card, fighters, n_values_to_overcome(box, state, fighters, card, progress_so_far)
    )


@rule
def n_values_next_turn(box: Box, state: State, card: int, fighters: int) -> int:
    """An estimate of the number of die values (6 a round) to count until an obstacle is overcome with the dice of the next turn.

    `fighters`: the fighters' bits.
    """
    skill = int(box.obstacle[card].skill)
    n = 0
    ranks = 0
    for h in range(state.n_heroes):
        if fighters >> h & 1:
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
def standing_hero_bits(state: State) -> int:
    """The characters in play that are not knocked out, as a bit set by their index in `state.heroes`."""
    found = 0
    for h in range(state.n_heroes):
        if is_in(state, h):
            found |= 1 << h
    return found


@rule
def fights_worth_at(box: Box, state: State, slot: int, fighters: int) -> float:
    """The worth of all fights at a place for the characters `fighters` (a bit set), in points, fought now or in the next turn."""
    worth = 0.0
    all_in = standing_hero_bits(state)
    card = int(state.head[slot])
    while card >= 0:
        now = fight_worth(box, state, WEIGHTS, card, fighters, 0)
        soon = NEXT_TURN_SHARE * fight_worth_up_to(
            box, state, WEIGHTS, card, fighters, n_values_next_turn(box, state, card, fighters)
        )
        if fighters != all_in and soon <= 0.0:  # too hard for these characters: others have to come first
            soon = JOINT_FIGHT_SHARE * fight_worth_up_to(
                box, state, WEIGHTS, card, all_in, n_values_next_turn(box, state, card, all_in)
            )
        worth += max(0.0, max(now, soon))
        card = int(state.after[card])
    return min(worth, MAX_PLACE_VALUE)


# --- Pruning the decisions of a fight ---------------------------------------------------------------------


@rule
def best_fight_action(box: Box, state: State, weights: Numbers, hero: int, out: Legal) -> int:
    """The action that begins the fight most worth it where character `hero` stands; -1 if no fight there is worth it."""
    best = 0.0
    chosen = -1
    slot = int(state.heroes[hero].slot)
    who = heroes_at(state, slot)
    card = int(state.head[slot])
    while card >= 0:
        if has(out.ids, A.overcome + card):
            worth = fight_worth(box, state, weights, card, who, 0)
            if worth > best:
                best = worth
                chosen = A.overcome + card
        card = int(state.after[card])
    return chosen


@rule
def missing_progress(box: Box, state: State) -> int:
    """The progress still missing to overcome the obstacle in this round if all unspent dice of the fighters count; at most 0: none."""
    over = state.over
    card = int(over.obstacle)
    due = difficulty(box, state, card) - over.total
    for v in range(FACES):
        due -= progress_of_value(box, state, int(over.joined), int(box.obstacle[card].skill), v)
    return due


@rule
def n_reaction_dice(state: State) -> int:
    """The number of dice in the reaction pools of all fighters together."""
    n = 0
    for h in range(HEROES):
        if state.over.joined >> h & 1:
            for source in range(42):
                n += state.over.react[h, source]
    return n


@rule
def prune_setting_dice(box: Box, state: State, out: Legal) -> None:
    """Keep the best use of a die before a roll: a low die becomes a reaction die if enough progress is left without it (7.3).

    If progress is missing, an asset is added, but only for an obstacle that a mission asks for.
    """
    seat = int(state.to_act)
    h = user(state, seat)
    card = int(state.over.obstacle)
    if h < 0 or card < 0:
        return
    short = missing_progress(box, state)
    rank = int(state.people[state.heroes[h].character].skills[box.obstacle[card].skill])
    if short <= 0:
        who = int(state.over.joined)
        last = n_values_to_overcome(box, state, who, card, int(state.over.total))
        stress = expected_stress(box, state, card, last)
        low = 1
        if stress > CALM * team_stress_capacity(box, state, who, card):
            low = 3
        for v in range(low):
            if has(out.ids, A.react + v) and short + v + 1 + rank <= 0:
                if n_reaction_dice(state) < n_stress_dice(box, state, card):
                    keep_only(out, A.react + v)
                    return
    elif is_obstacle_wanted(state, card):
        for v in range(FACES - 1, -1, -1):
            for r in range(RES):
                if has(out.ids, A.add + r * FACES + v):
                    keep_only(out, A.add + r * FACES + v)
                    return
    if has(out.ids, A.roll):
        keep_only(out, A.roll)


@rule
def prune_cancelling(box: Box, state: State, out: Legal) -> None:
    """Keep one way of cancelling: the highest stress die that counts, by the highest reaction die that cancels it; else "enough" (7.5)."""
    over = state.over
    last = min(FACES, n_values_to_overcome(box, state, int(over.joined), int(over.obstacle), int(over.total)))
    for v in range(last - 1, -1, -1):
        if over.rolled[v] > 0:
            for w in range(v, -1, -1):
                if n_reactions(state, w) > 0 and has(out.ids, A.cancel + v * FACES + w):
                    keep_only(out, A.cancel + v * FACES + w)
                    return
    keep_only(out, A.enough)


@rule
def prune_another_round(box: Box, state: State, weights: Numbers, out: Legal) -> None:
    """Keep one answer to the question of another round: go on while the fight is worth it, else give up (7.8)."""
    over = state.over
    worth = fight_worth(box, state, weights, int(over.obstacle), int(over.joined), int(over.total))
    if worth > 0.0 and has(out.ids, A.again):
        keep_only(out, A.again)
    else:
        keep_only(out, A.give_up)
