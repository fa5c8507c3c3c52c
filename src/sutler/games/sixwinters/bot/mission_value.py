"""The worth of the missions of a year, for bots: how much each still asks for, how likely it is got, and what either result is worth.

A result is read from the card as the rules read it (11.2): what its operations would do to the campaign as it stands.
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
SEVERED = 20.7
SYMBOL = 0.584
SYMBOL_CARDS = 0.696  # a symbol, in cards to complete; less of what is pursued anyhow, and where dice are many
PURSUED_SHARE = 0.191
DICE = 0.444
OVERCOMING = 3.75  # an obstacle, in cards to complete, for a team of no skill that meets MEAN_DIFFICULTY
MEAN_DIFFICULTY = 18.9
ABLER = 7.85  # what a rank in its skill makes up for
SHARED = 2.62  # the shared card
CHANCE_SLOPE = 0.616  # how fast a mission's chance falls with what is left to do
CARDS_A_TURN = 0.497  # that a character completes
MISSION_SHARE = 0.578  # of which so many are for this mission
BURDEN = 0.969  # an obstacle that is put into play
DECK_BURDEN = 0.238  # one that is put into a deck
BURNED_RELIEF = 0.35  # one that is burned
RESERVE_ACTION = 0.85  # a reserve action
EFFORT = 0.193  # what a mission asks for, before it is begun: it keeps the team from other things


# --- How much a mission asks for -------------------------------------------------------------


@rule
def far_off(box: Box, state: State, k: int) -> float:
    """How much a final mission asks for before and beside what it names: steps of a track, the shared card, The Severing again."""
    task = state.tasks[k]
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
def symbol_asks(box: Box, state: State, by: Numbers, r: int) -> float:
    """How much a symbol of a resource asks for: cards that raise what is pursued are taken anyhow, and large pools fill them sooner."""
    return SYMBOL_CARDS - PURSUED_SHARE * by.step[r] - DICE * level(box, state, r)


@rule
def obstacle_asks(box: Box, state: State, card: int) -> float:
    """How much an obstacle asks for: the harder the more, the less the better the team's best is at what it takes."""
    printed = box.obstacle[card]
    best = 0
    for c in range(box.n_characters):
        if state.people[c].state == UNLOCKED:
            best = max(best, int(state.people[c].skills[printed.skill]))
    return OVERCOMING * (printed.difficulty + box.rules.harder[state.n_seats]) / (MEAN_DIFFICULTY + ABLER * best)


@rule
def left_to_do(box: Box, state: State, by: Numbers, k: int) -> float:
    """How much a mission still asks for: cards to complete, obstacles to overcome, and what is told above.

    The obstacles of a final mission count alike: what they ask for besides their track is much for any team.
    """
    task = state.tasks[k]
    printed = box.mission[task.mission]
    left = by.far * far_off(box, state, k)
    for i in range(GOALS):
        r = symbol(box, state, k, i)
        if r >= 0 and task.card[i] < 0:
            left += symbol_asks(box, state, by, r)
    for i in range(printed.n_then):
        if task.then[i] != OVERCOME_IT:
            if printed.then == MISSION_END.track:
                left += OVERCOMING
            else:
                left += obstacle_asks(box, state, int(printed.then_card[i]))
    return left


# --- What a result brings ---------------------------------------------------------------------


@rule
def talent(box: Box, by: Numbers, c: int) -> float:
    """The worth of a character's printed skills and abilities."""
    worth = 0.0
    for skill in range(N_SKILLS):
        worth += by.skill[skill] * by.rank[box.character[c].skills[skill]]
    return worth


@rule
def op_worth(box: Box, state: State, by: Numbers, op: Op) -> float:
    """The worth of one operation: a threat as far as it moves, a character for the years that are left."""
    worth = 0.0
    if op.op == DO.threat:
        threat = state.threat[op.resource]
        worth += THREAT[op.resource] * (threat - min(SPACES, max(1, threat + op.by)))
    elif op.op == DO.unlock_character:
        if state.people[op.character].state == LOCKED:
            worth += by.newcomer * (YEARS - state.year) * talent(box, by, op.character)
    elif op.op == DO.campaign_effect:
        if not state.effects >> op.number & 1:
            worth += EFFECT
    elif op.op == DO.gain_reserve_action:
        worth += RESERVE_ACTION
    elif op.op == DO.place_obstacle:
        worth -= BURDEN
    elif op.op == DO.add_to_deck:
        worth -= DECK_BURDEN
    elif op.op == DO.burn_obstacles:
        worth += BURNED_RELIEF
    return worth


@rule
def result_worth(box: Box, state: State, by: Numbers, effect: Effect) -> float:
    """The worth of the operations of a result, or of a setup, together; optional ones are done if they are worth it."""
    worth = 0.0
    for i in range(effect.first, effect.first + effect.n):
        op = box.ops[i]
        worth += op_worth(box, state, by, op)
        if op.op == DO.choice:
            chosen = 0.0
            for k in range(op.first[0], op.first[0] + op.n[0]):
                chosen += op_worth(box, state, by, box.ops[k])
            worth += max(0.0, chosen)
    return worth


# --- Both together ------------------------------------------------------------------------------


@rule
def chance_of(box: Box, state: State, by: Numbers, k: int, left: float) -> float:
    """How likely a mission is passed, in the turns that are left."""
    due = left_to_do(box, state, by, k)
    if due > 0.0 and left < 0.5:
        return 0.0
    team = max(int(state.n_heroes), int(state.n_seats))
    can_do = MISSION_SHARE * CARDS_A_TURN * left * team
    return 1.0 / (1.0 + math.exp(max(-20.0, min(20.0, CHANCE_SLOPE * (due - can_do)))))


@rule
def mission_worth(box: Box, state: State, by: Numbers, k: int, left: float) -> float:
    """The expected worth of a mission without a result: either result by its chance.

    Before it is set up, less what its setup puts in the way and what it asks for: others could be chosen, now or in a later year.
    """
    task = state.tasks[k]
    printed = box.mission[task.mission]
    passed, failed = float(box.rules.pass_base), float(box.rules.fail_base)
    if task.difficult == 1:
        passed, failed = float(box.rules.pass_difficult), float(box.rules.fail_difficult)
    passed += result_worth(box, state, by, printed.passed)
    failed += result_worth(box, state, by, printed.failed)
    if printed.wins == 1:
        passed += by.winning
    chance = chance_of(box, state, by, k, left)
    worth = chance * passed + (1.0 - chance) * failed
    if state.part < PART.setup:
        if state.year < YEARS:
            worth -= EFFORT * left_to_do(box, state, by, k)
        for side in range(task.difficult + 1):
            worth += result_worth(box, state, by, printed.setup[side])
    return worth


@rule
def missions_worth(box: Box, state: State, by: Numbers, left: float) -> float:
    """The expected worth of the session's missions, and of what has been done for them."""
    worth = 0.0
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0 and task.result == OPEN:
            worth += mission_worth(box, state, by, k, left)
            for i in range(GOALS):
                if task.card[i] >= 0:
                    worth += SYMBOL
            for i in range(END_PARTS):
                if task.then[i] == OVERCOME_IT:
                    worth += 2.0 * SYMBOL
    if state.severing > 1:
        worth += SEVERED * (state.severing - 1)
    return worth
