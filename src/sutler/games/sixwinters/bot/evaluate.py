"""Evaluation of a position of Six Winters for bots: the score that the team may expect at the campaign's end, in points.

The weights were set by hand from what things cost and bring, then tuned over campaigns (`studies/best_response.py`; docs/bots.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.sixwinters.bot.card_and_fight_costs import (
    cheapest_next_die_cost,
    is_last_session_of_part,
    n_dice_to_complete,
    n_turns_left,
)
from sutler.games.sixwinters.bot.fights import fights_worth_at
from sutler.games.sixwinters.bot.mission_value import EFFECT, THREAT, missions_worth
from sutler.games.sixwinters.bot.weights import LAST_WEIGHTS, WEIGHTS
from sutler.games.sixwinters.box import ANY_RESOURCE, FACES, N_SKILLS, NO_END, RES, SLOTS, SPACES, YEARS
from sutler.games.sixwinters.cards.vocabulary import SORCERY
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules.common import heroes_at, is_in, level, n_dice, pool_size
from sutler.games.sixwinters.rules.missions import open_symbol
from sutler.games.sixwinters.scoring import team_points
from sutler.games.sixwinters.state import OUTCOME, UNLOCKED

if TYPE_CHECKING:
    from sutler.games.sixwinters.bot.weights import Numbers
    from sutler.games.sixwinters.records import Box, State


COOPERATIVE = True
SCALE = 12.0  # the points of a good session
# A search does worse in this game (docs/bots.md). Several redeals, because a bot would take the luck of a single one for certain.
LEVELS = {"hard": "judge:any_box=1:redeals=8"}

CAMPAIGN_WON = 40.1
LEVEL = 0.27  # a die more in a pool every turn, for each year to come
COMPLETED = 6.93  # the Sorcery track at its end
LORE = 2  # among the skills
HOPELESS = 2.97  # a card that cannot be completed
ASSET = 0.319
POOL_DIE = 0.0484
ACTION_DIE = 0.498
FACE = 0.0362
SCHEME_DIE = 0.319
OBSTACLE = 0.093
PROMISE = 0.913  # this share of the worth of the fights beside which characters stand
TAG = 0.431
EXCESS_TAG = 1.22  # a threat tag too many, for each turn to come
STRESS = 0.0791
MARK = (0.681, 0.546, 1.23)
MARKED_CHARACTER = 0.149  # a mark of a character in play
HARDY = 0.77
ABLE = 0.424
LAST_BOX = 0.93  # no condition left before a knock-out
KNOCK_OUT = 0.855
KNOCK_OUT_TURN = 7.35
ACHIEVEMENT = 0.941
XP = 0.197
CHARACTER = 2.52
TURN = 0.844  # what a turn brings on average (and YEAR, a year): only what a position has beyond this average counts
YEAR = 12.1
BEGIN = 14.7


@rule
def tracks_worth(box: Box, state: State, weights: Numbers, n_turns: float) -> float:
    """The worth of the resource tracks, in points: progress made, threats risen, threat tags in play, dice.

    `n_turns`: the turns left in this year.
    """
    worth = 0.0
    ahead = min(n_turns, 4.0)
    if state.year < YEARS:
        ahead += weights.next_year
    for r in range(RES):
        worth += weights.step[r] * state.progress[r] + LEVEL * (YEARS + 1 - state.year) * level(box, state, r)
        if box.track[r].has_threats == 1:
            tags = int(state.tags[r])
            worth -= THREAT[r] * (state.threat[r] + EXCESS_TAG * ahead * max(0, tags - box.rules.tags_free))
            worth -= TAG * THREAT[r] * min(tags, 4)
        pool = pool_size(state, r)
        scheme = 0
        if state.scheme >= 0:
            for v in range(FACES + 1):
                scheme += state.scheme_dice[r, v]
        worth += POOL_DIE * pool + ASSET * (int(state.in_play[r]) - pool - scheme) - SCHEME_DIE * scheme
    if state.progress[SORCERY] == SPACES:
        worth += COMPLETED
    return worth


@rule
def is_asked_by_mission(box: Box, state: State, resource: int) -> bool:
    """Does a mission of this session still ask for completed progress cards of this resource?"""
    return open_symbol(box, state, 0, resource) >= 0 or open_symbol(box, state, 1, resource) >= 0


@rule
def card_worth(box: Box, state: State, weights: Numbers, card: int) -> float:
    """The worth of completing a progress card, in points: the steps that it brings, and its use for a mission."""
    worth = 0.0
    serves = 0.0
    reward = box.card[card].reward
    for r in range(RES):
        if reward[r] > 0:
            if state.progress[r] < SPACES:
                worth += weights.step[r] * reward[r]
            if is_asked_by_mission(box, state, r):
                serves = weights.symbol + 0.8
        elif reward[ANY_RESOURCE] > 0 and is_asked_by_mission(box, state, r):
            serves = weights.symbol + 0.8
    if reward[ANY_RESOURCE] > 0:
        star = 1.0
        for r in range(RES):
            if state.progress[r] < SPACES:
                star = max(star, weights.step[r])
        worth += star
    return worth + serves


@rule
def held_card_worth(box: Box, state: State, weights: Numbers, hero: int, n_turns: float) -> float:
    """The worth of the progress card that character `hero` holds, in points: its reward, less the cost of the dice it still needs.

    `n_turns`: the turns left in this year.
    """
    one = state.heroes[hero]
    due = n_dice_to_complete(box, state, hero)
    if due >= NO_END:
        return -HOPELESS
    cost = due - 1.0 + cheapest_next_die_cost(box, state, weights, hero, due)
    worth = card_worth(box, state, weights, int(one.card)) + 1.0 - weights.die * cost
    if n_turns < 2.5:
        can = (n_dice(state, int(one.seat)) + 4.0 * (n_turns - 1.0)) * 0.7
        if cost > can + 0.5:
            worth *= max(0.0, 1.0 - 0.4 * (cost - can))
    return max(worth, -HOPELESS)


@rule
def heroes_worth(box: Box, state: State, weights: Numbers, n_turns: float) -> float:
    """The worth in points of the state of the characters in play: their cards, stress, knock-outs and unspent dice.

    `n_turns`: turns left.
    """
    worth = 0.0
    for h in range(state.n_heroes):
        one = state.heroes[h]
        if one.out == 1:
            worth -= KNOCK_OUT + KNOCK_OUT_TURN * n_turns
        elif is_in(state, h):
            if one.card >= 0:
                worth += held_card_worth(box, state, weights, h, n_turns)
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
def obstacles_worth(box: Box, state: State) -> float:
    """The worth of all obstacles in play, in points: a cost for each one, less the worth of fights for which characters stand ready."""
    worth = 0.0
    for slot in range(SLOTS):
        card = int(state.head[slot])
        if card >= 0:
            who = heroes_at(state, slot)
            if who != 0:
                worth += PROMISE * fights_worth_at(box, state, slot, who)
        while card >= 0:
            worth -= OBSTACLE
            card = int(state.after[card])
    return worth


@rule
def people_worth(box: Box, state: State, weights: Numbers) -> float:
    """The worth of the unlocked characters, in points: their skills, achievements, experience and conditions."""
    worth = 0.0
    for c in range(box.n_characters):
        person = state.people[c]
        if person.state == UNLOCKED:
            worth += CHARACTER + ACHIEVEMENT * person.achievements + XP * person.xp
            for skill in range(N_SKILLS):
                worth += weights.skill[skill] * weights.rank[person.skills[skill]]
            if person.hero >= 0 and state.year == YEARS:
                worth += weights.lore_last * person.skills[LORE]
            if person.marks[0] | person.marks[1] != 0:
                for track in range(2):
                    for box_no in range(3):
                        if person.marks[track] >> box_no & 1:
                            worth -= MARK[box_no]
                            if person.hero >= 0:
                                worth -= MARKED_CHARACTER
            if person.hero >= 0:  # the characters in play should be fit
                worth += HARDY * (person.start[0] + person.start[1]) + ABLE * person.achievements
    return worth


@rule
def campaign_effects_worth(state: State) -> float:
    """The worth of the campaign effects gained, in points."""
    worth = 0.0
    if state.effects != 0:
        for k in range(24):
            if state.effects >> k & 1:
                worth += EFFECT
    return worth


@rule
def expected_score(box: Box, state: State, weights: Numbers, obstacles_share: float) -> float:
    """The score to be expected at the campaign's end, in points, less the usual score at this time of a campaign.

    `obstacles_share`: the part of the score that the obstacles in play contribute, in points.
    """
    worth = float(team_points(box, state))
    if state.outcome == OUTCOME.won:
        return worth + CAMPAIGN_WON
    if state.phase == P.over:
        return worth
    left = n_turns_left(box, state)
    worth += (
        tracks_worth(box, state, weights, left)
        + missions_worth(box, state, weights, left)
        + heroes_worth(box, state, weights, left)
    )
    worth += obstacles_share + people_worth(box, state, weights) + campaign_effects_worth(state)
    return worth - BEGIN - YEAR * (state.year - 1) - TURN * state.turn_no


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """The value of the position to the team, in points, equal for every seat."""
    if is_last_session_of_part(box, state):
        return expected_score(box, state, LAST_WEIGHTS, obstacles_worth(box, state))
    return expected_score(box, state, WEIGHTS, obstacles_worth(box, state))
