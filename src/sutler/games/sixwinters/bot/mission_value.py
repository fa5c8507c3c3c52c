"""The worth of a year's missions for bots: the work each still asks for, the chance that it is passed, the worth of either result.

The worth of a result is computed from the operations on the card, as the rules carry them out on the campaign as it stands (11.2).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.sixwinters.box import END_PARTS, GOALS, MISSION_END, N_SKILLS, SPACES, YEARS
from sutler.games.sixwinters.cards.vocabulary import DO, SORCERY
from sutler.games.sixwinters.rules.common import level, threat_level
from sutler.games.sixwinters.rules.missions import symbol
from sutler.games.sixwinters.state import LOCKED, OPEN, OVERCOME_IT, PART, UNLOCKED, WAITING

if TYPE_CHECKING:
    from sutler.games.sixwinters.bot.weights import Numbers
    from sutler.games.sixwinters.records import Box, Effect, Op, State


THREAT = (1.2, 0.0, 0.222, 0.417, 0.139, 0.522)  # a step of a threat, by resource
EFFECT = 2.21  # a campaign effect
SEVERED = 20.7  # a step of the severing die
SYMBOL_CARDS = 0.696  # the work of a symbol, in cards to complete
PURSUED_SHARE = 0.191  # less work for each point that a step of the resource's progress is worth
DICE = 0.444  # less work for each level of the resource, which makes its pool larger
OVERCOMING = 3.75  # an obstacle, in cards to complete, for a team of no skill that meets MEAN_DIFFICULTY
MEAN_DIFFICULTY = 18.9
ABLER = 7.85  # the difficulty that each rank in an obstacle's skill makes up for
SHARED = 2.62  # the work of the shared card
CHANCE_SLOPE = 0.616  # how fast a mission's chance falls with the work that is left
CARDS_A_TURN = 0.497  # cards that a character completes in a turn
MISSION_SHARE = 0.578  # share of these cards that serves this mission
BURDEN = 0.969  # the cost of an obstacle put into play
DECK_BURDEN = 0.238  # the cost of an obstacle put into a deck
BURNED_RELIEF = 0.35  # the worth of an obstacle burned
RESERVE_ACTION = 0.85  # the worth of a reserve action
EFFORT = 0.193  # the cost of each unit of work of a mission not yet begun: it keeps the team from other things


# --- The work that a mission asks for -------------------------------------------------------------


@rule
def other_work_of_final_mission(box: Box, state: State, mission_index: int) -> float:
    """The work of a final mission other than its obstacles, counted as a number of cards to complete.

    It is the steps of a track, the shared card, and overcoming The Severing again.
    """
    task = state.tasks[mission_index]
    printed = box.mission[task.mission]
    left = 0.0
    if printed.then == MISSION_END.track and task.then[0] == WAITING:
        left += SPACES - state.progress[printed.then_track]
    if printed.shared >= 0:
        left += SHARED + SPACES - state.progress[box.card[printed.shared].after]
    if printed.severing == 1:
        left += OVERCOMING * max(0, threat_level(box, state, SORCERY) - state.severing - 1)
    return left


@rule
def work_to_fill_symbol(box: Box, state: State, weights: Numbers, resource: int) -> float:
    """The work of filling a mission's symbol of a resource, counted as a number of cards to complete.

    It is less for a resource whose progress is wanted anyway, and for one with larger pools.
    """
    return SYMBOL_CARDS - PURSUED_SHARE * weights.step[resource] - DICE * level(box, state, resource)


@rule
def work_to_overcome_obstacle(box: Box, state: State, card: int) -> float:
    """The work of overcoming an obstacle, counted as a number of cards to complete.

    It is more for a harder obstacle, and less for a team with a higher rank in the obstacle's skill.
    """
    printed = box.obstacle[card]
    best = 0
    for c in range(box.n_characters):
        if state.people[c].state == UNLOCKED:
            best = max(best, int(state.people[c].skills[printed.skill]))
    return OVERCOMING * (printed.difficulty + box.rules.harder[state.n_seats]) / (MEAN_DIFFICULTY + ABLER * best)


@rule
def mission_work_left(box: Box, state: State, weights: Numbers, mission_index: int) -> float:
    """The work that a mission still asks for, counted as a number of cards to complete.

    It is symbols to fill, obstacles to overcome, and what final missions add. Every obstacle of a final mission counts the same.
    """
    task = state.tasks[mission_index]
    printed = box.mission[task.mission]
    left = weights.far * other_work_of_final_mission(box, state, mission_index)
    for i in range(GOALS):
        r = symbol(box, state, mission_index, i)
        if r >= 0 and task.card[i] < 0:
            left += work_to_fill_symbol(box, state, weights, r)
    for i in range(printed.n_then):
        if task.then[i] != OVERCOME_IT:
            if printed.then == MISSION_END.track:
                left += OVERCOMING
            else:
                left += work_to_overcome_obstacle(box, state, int(printed.then_card[i]))
    return left


# --- The worth of a result ---------------------------------------------------------------------


@rule
def printed_skills_worth(box: Box, weights: Numbers, character: int) -> float:
    """The worth of a character's printed skills, in points."""
    worth = 0.0
    for skill in range(N_SKILLS):
        worth += weights.skill[skill] * weights.rank[box.character[character].skills[skill]]
    return worth


@rule
def operation_worth(box: Box, state: State, weights: Numbers, operation: Op) -> float:
    """The worth of one operation in a mission's result, in points.

    A threat counts by the steps it moves, a character by the years that are left.
    """
    worth = 0.0
    if operation.op == DO.threat:
        threat = state.threat[operation.resource]
        worth += THREAT[operation.resource] * (threat - min(SPACES, max(1, threat + operation.by)))
    elif operation.op == DO.unlock_character:
        if state.people[operation.character].state == LOCKED:
            worth += weights.newcomer * (YEARS - state.year) * printed_skills_worth(box, weights, operation.character)
    elif operation.op == DO.campaign_effect:
        if not state.effects >> operation.number & 1:
            worth += EFFECT
    elif operation.op == DO.gain_reserve_action:
        worth += RESERVE_ACTION
    elif operation.op == DO.place_obstacle:
        worth -= BURDEN
    elif operation.op == DO.add_to_deck:
        worth -= DECK_BURDEN
    elif operation.op == DO.burn_obstacles:
        worth += BURNED_RELIEF
    return worth


@rule
def result_worth(box: Box, state: State, weights: Numbers, effect: Effect) -> float:
    """The worth of all operations of a mission's result or setup, in points; an optional one counts only if its worth is above 0."""
    worth = 0.0
    for i in range(effect.first, effect.first + effect.n):
        op = box.ops[i]
        worth += operation_worth(box, state, weights, op)
        if op.op == DO.choice:
            chosen = 0.0
            for k in range(op.first[0], op.first[0] + op.n[0]):
                chosen += operation_worth(box, state, weights, box.ops[k])
            worth += max(0.0, chosen)
    return worth


# --- The worth of a mission ------------------------------------------------------------------------------


@rule
def pass_chance(box: Box, state: State, weights: Numbers, mission_index: int, n_turns: float) -> float:
    """The chance (0-1) that a mission of the session is passed; `mission_index`: its index, `n_turns`: the turns left in this year."""
    due = mission_work_left(box, state, weights, mission_index)
    if due > 0.0 and n_turns < 0.5:
        return 0.0
    team = max(int(state.n_heroes), int(state.n_seats))
    can_do = MISSION_SHARE * CARDS_A_TURN * n_turns * team
    return 1.0 / (1.0 + math.exp(max(-20.0, min(20.0, CHANCE_SLOPE * (due - can_do)))))


@rule
def mission_worth(box: Box, state: State, weights: Numbers, mission_index: int, n_turns: float) -> float:
    """The expected worth of a mission not yet decided, in points: the worth of passing and of failing, weighted with their chances.

    Until the mission is set up, the cost of its setup and the work that it asks for are subtracted, since another may be chosen.
    """
    task = state.tasks[mission_index]
    printed = box.mission[task.mission]
    passed, failed = float(box.rules.pass_base), float(box.rules.fail_base)
    if task.difficult == 1:
        passed, failed = float(box.rules.pass_difficult), float(box.rules.fail_difficult)
    passed += result_worth(box, state, weights, printed.passed)
    failed += result_worth(box, state, weights, printed.failed)
    if printed.wins == 1:
        passed += weights.winning
    chance = pass_chance(box, state, weights, mission_index, n_turns)
    worth = chance * passed + (1.0 - chance) * failed
    if state.part < PART.setup:
        if state.year < YEARS:
            worth -= EFFORT * mission_work_left(box, state, weights, mission_index)
        for side in range(task.difficult + 1):
            worth += result_worth(box, state, weights, printed.setup[side])
    return worth


@rule
def missions_worth(box: Box, state: State, weights: Numbers, n_turns: float) -> float:
    """The expected worth of the session's missions, in points, with the parts of them that are done.

    `n_turns`: the turns left in this year.
    """
    worth = 0.0
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0 and task.result == OPEN:
            worth += mission_worth(box, state, weights, k, n_turns)
            for i in range(GOALS):
                if task.card[i] >= 0:
                    worth += weights.symbol
            for i in range(END_PARTS):
                if task.then[i] == OVERCOME_IT:
                    worth += 2.0 * weights.symbol
    if state.severing > 1:
        worth += SEVERED * (state.severing - 1)
    return worth
