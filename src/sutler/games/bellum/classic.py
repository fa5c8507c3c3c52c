"""What a position of Bellum se ipsum alet was worth to the first bots: the judgement of `classic-greedy`, kept for comparison.

They might attack with nothing, did not see what comes of a retreat or of a march, nor that a war ends when one power is broken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import forbid, has
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.bot.promises import fallen_supply
from sutler.games.bellum.box import CITY, FAR, HEXES, POWERS
from sutler.games.bellum.hexes import both, holds, how_many, those
from sutler.games.bellum.rules.city import can_besiege, is_alone_at, round_of_fall, round_of_revolt
from sutler.games.bellum.rules.common import ATTACKING
from sutler.games.bellum.rules.strength import attack_bonus, defence_bonus, most_to_commit
from sutler.games.bellum.rules.supply import range_of
from sutler.games.bellum.scoring import (
    does_war_win,
    is_ahead,
    is_same_side,
    power_of,
    power_score,
    seat_score,
    tokens_lost,
    tokens_won,
)
from sutler.games.bellum.state import ally_of, is_enemy, is_in_play, plan_of, stands_at, tokens_of, where_is
from sutler.games.bellum.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, State


WEAKER = 0.35  # the lower of supply and strength counts so much
FOOD = 0.3  # a token that can feed next time, up to what strength can use
LAND = 0.06  # any token
SIEGE = (0.0, 0.75, 0.55, 0.4)  # a city under siege, by rounds until it falls
STANDING = 0.5  # a city one stands at and may besiege
MARCH = 0.82  # for each area still to march
TARGET = 0.42  # a city one marches for
HQ_TOKEN = 3.0  # what a token not yet won is worth, besides its score
GONE = 2.5  # a removed leader
WEAK = 1.2  # strength 0
RUINED = 5.0  # strength 0 and supply 0
EXPOSED = 1.5  # an enemy alone at the own HQ
SPOILS = 2.2  # what winning a battle brings beyond strength
KILL = 2.0  # and a leader removed by it
PAID = 0.6  # strength spent in battle
BLED = 0.3  # strength an enemy spends
RIVAL = 0.4  # how much the best rival counts
OTHERS = 0.1
VICTORY = 60.0


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Bots feed by number (11.4): token by token there are too many ways to say the same."""
    if state.phase == P.feed:
        for area in range(HEXES):
            forbid(out, A.tilt + area)


@rule
def supply_ahead(box: Box, state: State, power: int, reached: Hexes) -> float:
    """The supply to be expected: HQ and cities in range, cities about to revolt counting less."""
    total = 0.0
    plan = plan_of(box, state)
    home = int(plan.hq[power])
    ahead = min(int(state.round_no) + 1, int(box.n_rounds) - 1)
    if home != NOBODY and holds(reached, int(box.site_hex[home])):
        total += box.year[ahead].hq_supply
    for site in range(box.n_sites):
        slot = state.site[site]
        if slot.holder == power:
            left = round_of_revolt(box, state, int(slot.resistance)) - state.round_no
            stays = 1.0
            if left <= 1 and slot.extent == 1:
                stays = 0.3
            elif left <= 1:
                stays = 0.7
            if not holds(reached, int(box.site_hex[site])):
                stays *= 0.35
            total += stays * box.rules.city_supply[slot.extent]
    return total


@rule
def siege_hopes(box: Box, state: State, power: int) -> float:
    """Sieges under way, by how soon they end."""
    total = 0.0
    for site in range(box.n_sites):
        slot = state.site[site]
        if slot.besieger == power:
            rounds = round_of_fall(box, state, int(slot.siege)) - state.round_no
            if state.round_no + rounds < box.n_rounds - 1:
                total += fallen_supply(box, state, site) * SIEGE[min(rounds, 3)]
    return total


@rule
def is_busy(box: Box, state: State, leader: int) -> bool:
    """Does this leader keep up a siege alone?"""
    power = leader >> 1
    at = where_is(state, leader)
    mate = where_is(state, leader ^ 1)
    plan = plan_of(box, state)
    for site in range(box.n_sites):
        if state.site[site].besieger == power and has(plan.before[site], at):
            if mate == NOBODY or not has(plan.before[site], mate) or leader & 1 == 0:
                return True
    return False


@rule
def target_worth(box: Box, state: State, power: int, site: int) -> float:
    """What besieging this site would bring; 0 for none of ours to take."""
    plan = plan_of(box, state)
    if plan.role[site] == CITY:
        slot = state.site[site]
        if slot.extent <= 0 or slot.besieger == power:
            return 0.0
        if slot.holder == power:
            if round_of_revolt(box, state, int(slot.resistance)) - state.round_no <= 2:
                return 0.4 * box.rules.city_supply[max(slot.extent - 1, 0)]
            return 0.0
        if slot.holder != NOBODY and not is_enemy(box, state, power, int(slot.holder)):
            return 0.0
        return fallen_supply(box, state, site)
    whose = int(plan.whose[site])
    if whose != NOBODY and is_enemy(box, state, power, whose) and not state.powers[power].held >> whose & 1:
        return HQ_TOKEN
    return 0.0


@rule
def march_hopes(box: Box, state: State, power: int) -> float:
    """For each leader that keeps no siege: the best site to stand at or march for; the second leader wants another."""
    plan = plan_of(box, state)
    total = 0.0
    taken = NOBODY
    for k in range(2):
        leader = 2 * power + k
        at = where_is(state, leader)
        if at == NOBODY or is_busy(box, state, leader):
            continue
        best = 0.0
        aim = NOBODY
        for site in range(box.n_sites):
            away = int(plan.marches[site][at])
            if away >= FAR or site == taken:
                continue
            worth = target_worth(box, state, power, site)
            if worth > 0.0:
                if away == 0:
                    if is_alone_at(box, state, power, site) and (
                        plan.role[site] != CITY or can_besiege(box, state, power, site)
                    ):
                        worth *= STANDING
                    else:
                        worth *= 0.2
                else:
                    worth *= TARGET * MARCH**away
                if worth > best:
                    best = worth
                    aim = site
        total += best
        taken = aim
    return total


@rule
def power_worth(box: Box, state: State, power: int) -> float:
    """A power's prospects, in points."""
    me = state.powers[power]
    reached = range_of(box, state, power)
    supply = supply_ahead(box, state, power, reached)
    strength = 1.0 * me.strength
    tokens = tokens_of(state, power)
    ready = how_many(both(both(tokens, reached), those(plan_of(box, state).areas)))
    worth = max(supply, strength) + WEAKER * min(supply, strength)
    worth += FOOD * min(1.0 * ready, 1.6 * (strength + 2.0)) + LAND * how_many(tokens)
    worth += siege_hopes(box, state, power) + march_hopes(box, state, power)
    for k in range(2):
        if me.leader[k] == NOBODY:
            worth -= GONE
    if me.strength == 0:
        worth -= WEAK
        if supply < 0.5:
            worth -= RUINED
    home = int(plan_of(box, state).hq[power])
    for other in range(POWERS):
        if is_enemy(box, state, power, other) and not state.powers[other].held >> power & 1:
            if stands_at(box, state, other, home) and is_alone_at(box, state, other, home):
                worth -= EXPOSED
    left = box.n_rounds - 1 - state.round_no
    far = min(1.0, (left - 0.4) / 3.0)
    value = box.rules.token_value * (tokens_won(state, power) - tokens_lost(state, power))
    return far * (worth + value) + (1.0 - far) * power_score(box, state, power) + 0.15 * worth


@rule
def outlook(box: Box, state: State) -> float:
    """While the defender still chooses: what the attacker may expect, every answer being as likely."""
    fight = state.fight
    attacker = int(fight.attacker)
    defender = int(fight.defender)
    side = int(fight.side)
    foes = int(fight.foes)
    a = int(fight.commit[ATTACKING])
    plus = attack_bonus(box, state, attacker, side, foes)
    against = defence_bonus(box, state, defender, foes)
    most = min(most_to_commit(box, state, defender, foes), 7)
    total = 0.0
    for d in range(most + 1):
        if a == 0 and d == 0:
            continue
        wins = d == 0 or (a > 0 and a + plus >= d + against)
        total += BLED * d - PAID * a
        if wins:
            total += SPOILS
            if state.powers[defender].strength - d < 1:
                total += KILL
        else:
            total -= SPOILS
            if state.powers[attacker].strength - a < 1:
                total -= KILL
    return total / (most + 1)


@rule
def side_worth(box: Box, state: State, power: int) -> float:
    """A power and its ally."""
    worth = power_worth(box, state, power)
    ally = ally_of(box, state, power)
    if ally != NOBODY:
        worth += power_worth(box, state, ally)
    if state.phase == P.answer:
        if state.fight.attacker == power or (ally != NOBODY and state.fight.attacker == ally):
            worth += outlook(box, state)
        elif state.fight.defender == power or (ally != NOBODY and state.fight.defender == ally):
            worth -= 0.7 * outlook(box, state)
    return worth


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead: its own side's prospects less the best rival's; at the end, whether it has won."""
    mine = power_of(state, seat)
    if state.phase == P.over:
        ahead = 1.0 * seat_score(box, state, seat)
        best = -100.0
        is_first = not does_war_win(box, state)
        for other in range(state.n_seats):
            if other != seat and not is_same_side(box, state, seat, other):
                best = max(best, 1.0 * seat_score(box, state, other))
                if is_ahead(box, state, other, seat):
                    is_first = False
        if is_first:
            return VICTORY + ahead - best
        return ahead - best - 0.5 * VICTORY
    worth = side_worth(box, state, mine)
    best = -100.0
    total = 0.0
    for power in range(POWERS):
        if is_in_play(box, state, power) and is_enemy(box, state, mine, power):
            ally = ally_of(box, state, power)
            if ally == NOBODY or power < ally:
                rival = side_worth(box, state, power)
                best = max(best, rival)
                total += rival
    return worth - RIVAL * best - OTHERS * total
