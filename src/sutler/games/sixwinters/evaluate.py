"""What a position of Six Winters is worth to the table, for bots: in points, the campaign's end included."""

from __future__ import annotations

from sutler.core.bits import count, forbid, has
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES, GOALS, RES, SLOTS, THEN
from sutler.games.sixwinters.rules.common import n_dice, pool_size
from sutler.games.sixwinters.rules.missions import symbol
from sutler.games.sixwinters.scoring import total
from sutler.games.sixwinters.state import OVERCOME_IT, PASSED, UNLOCKED
from sutler.games.sixwinters.table import A, P
from sutler.games.sixwinters.vocabulary import DIPLOMACY, ESPIONAGE, SORCERY

COOPERATIVE = True
SCALE = 8.0  # a good session

WON = 60.0
PROGRESS = 1.6  # a step of any track
FINALS = 1.2  # more for one that the last missions need
THREAT = 0.8
SYMBOL = 3.0  # a symbol of a mission filled
THEN_DONE = 4.0
PASSED_NOW = 5.0
PATH = 0.55  # a die on a progress card
ASSET = 0.30
POOL_DIE = 0.10
ACTION_DIE = 0.12
OBSTACLE = 0.45
TAG = 0.35
STRESS = 0.10
CONDITION = 1.0
OUT = 5.0
RANK_WORTH = 0.5
ACHIEVEMENT = 1.2
XP = 0.06
EFFECT = 1.5
CHARACTER = 3.0
SCHEME_DIE = 0.25


@rule
def tracks_worth(box, state):
    """Progress made, and threats grown."""
    worth = 0.0
    for r in range(RES):
        each = PROGRESS
        if r == SORCERY or r == ESPIONAGE or r == DIPLOMACY:
            each += FINALS
        worth += each * state.progress[r]
        if box.track[r].has_threats == 1:
            worth -= THREAT * state.threat[r]
            worth -= TAG * max(0, int(state.tags[r]) - 1)
        for v in range(FACES + 1):
            worth -= SCHEME_DIE * state.scheme_dice[r, v]
    return worth


@rule
def missions_worth(box, state):
    """What has been done for the session's missions."""
    worth = 0.0
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0:
            for i in range(GOALS):
                if symbol(box, state, k, i) >= 0 and task.card[i] >= 0:
                    worth += SYMBOL
            for i in range(THEN):
                if task.then[i] == OVERCOME_IT:
                    worth += THEN_DONE
            if task.result == PASSED:
                worth += PASSED_NOW
    return worth


@rule
def table_worth(box, state):
    """Dice at hand and on cards, obstacles in play."""
    worth = 0.0
    for r in range(RES):
        worth += POOL_DIE * pool_size(state, r)
        for slot in range(SLOTS):
            for v in range(FACES):
                worth += ASSET * state.assets[slot, r, v]
    for slot in range(SLOTS):
        card = int(state.head[slot])
        while card >= 0:
            worth -= OBSTACLE
            card = int(state.after[card])
    return worth


@rule
def people_worth(box, state):
    """How the characters stand: in play, and what they have become."""
    worth = 0.0
    for h in range(state.n_heroes):
        one = state.heroes[h]
        worth += PATH * one.n_path
        if one.out == 1:
            worth -= OUT
        for track in range(2):
            worth += STRESS * one.stress[track]
    for seat in range(state.n_seats):
        worth += ACTION_DIE * n_dice(state, seat)
    for c in range(box.n_characters):
        person = state.people[c]
        if person.state == UNLOCKED:
            worth += CHARACTER + ACHIEVEMENT * person.achievements + XP * person.xp
            for skill in range(8):
                worth += RANK_WORTH * person.skills[skill]
            for track in range(2):
                for box_no in range(3):
                    if person.marks[track] >> box_no & 1:
                        worth -= CONDITION
    return worth


@rule
def evaluate(box, state, seat):
    """What the campaign may bring the table, from here."""
    worth = float(total(box, state))
    if state.outcome == 1:
        return worth + WON + 40.0
    if state.phase == P.over:
        return worth
    for k in range(24):
        if state.effects >> k & 1:
            worth += EFFECT
    return (
        worth
        + tracks_worth(box, state)
        + missions_worth(box, state)
        + table_worth(box, state)
        + people_worth(box, state)
    )


@rule
def prune(box, state, out):
    """What a bot does not think about: handing the word round."""
    if state.phase == P.act:
        for h in range(state.n_heroes):
            if has(out.ids, A.step_in + h):
                drop(out, A.step_in + h)


@rule
def drop(out, action):
    """One thing less to think about."""
    if count(out.ids) > 1:
        forbid(out, action)
