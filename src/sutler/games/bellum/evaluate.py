"""What a position is worth to a seat, for bots that look one move ahead; documented in the game's README.

Values are in points of the negotiation score. They were set by hand from what the rules pay, then tuned by matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import forbid, lowest
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import CITY, FAR, FORCES, HEXES, LEADERS, MAJOR, POWERS, S
from sutler.games.bellum.forecast import Ahead, ahead, fallen_supply, next_city_round
from sutler.games.bellum.hexes import how_many
from sutler.games.bellum.rules.battle import most_of_seat
from sutler.games.bellum.rules.city import round_of_fall, round_of_revolt
from sutler.games.bellum.scoring import (
    does_war_win,
    is_ahead,
    is_same_side,
    power_of,
    seat_score,
    tokens_lost,
    tokens_won,
)
from sutler.games.bellum.stakes import defence, prospect
from sutler.games.bellum.state import ally_of, is_enemy, is_in_play, plan_of, tokens_of, where_is
from sutler.games.bellum.survey import ALL, alone_at, headquarters_of, of_any, open_to_siege, survey
from sutler.games.bellum.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.bellum.records import Box, State
    from sutler.games.bellum.survey import Survey

SCALE = 6.0
"""A lead of so much makes one side e times as likely to win (for bots)."""

VICTORY = 60.0

HIGH1 = 0.81  # the higher of supply and strength after the next turn
LOW1 = 0.098  # and the lower
HIGH2 = 0.23  # the same after the turn that follows
LOW2 = 0.063
NOW = 0.58  # strength as it is
FOOD = 0.21  # a token in range, up to what strength can use
LAND = 0.021  # any token
KEEPS = 0.025  # supply of a city occupied, for each round beyond these two turns
SIEGE = 0.85  # of the supply of a city under siege, besides
STANDING = 0.63  # of a city one stands at and may besiege
MARCH = 0.24  # for each area still to march
TARGET = 0.25  # of a city one marches for
HQ_TOKEN = 3.4  # a token not yet won, besides its score
LAST_TOKEN = 1.4  # and more for the last, which wins the war
TOKEN = 6.8  # a token won or lost
GONE = 2.5  # a removed leader
WEAK = 1.9  # strength 0
EXPOSED = 1.7  # an enemy alone at the own HQ
SPOILS = 2.0  # what winning a battle brings beyond strength
KILL = 3.2  # and a leader removed by it
OUT = 1.0  # what is to be expected of a battle under way
RIVAL = 0.36  # how much the best rival counts
OTHERS = 0.018
RUIN_NOW = 0.33  # how likely it is that a power is broken: whom its next turn leaves with nothing,
RUIN_SOON = 0.11  # and whom the turn after does
END = 2.7  # a clear lead when the war ends
LEAD = 2.6  # what lead is clear
CAUTION = 0.25  # of what neighbours may take of the next supply
CUT = 0.35  # how likely all supply goes that neighbours may take
FRAGILE = 4.6  # a strength that a lost battle leaves next to nothing of
BLOOD = 0.37  # of the strength, what a lost battle costs
HIT = 1.6  # and what else


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Bots feed by number (11.4): token by token there are too many ways to say the same. Nor do they attack with nothing.

    8.1: an attacker that commits 0 cannot win; what a defender commits is drawn (`stakes`).
    """
    if state.phase == P.attack and state.powers[state.power].strength == 0:
        for leader in range(LEADERS):
            forbid(out, A.attack + leader)
    elif state.phase == P.commit and most_of_seat(box, state) > 0:
        forbid(out, A.commit)
    elif state.phase == P.answer:
        drawn = defence(box, state)
        for force in range(FORCES):
            if force != drawn:
                forbid(out, A.commit + force)
    if state.phase == P.feed:
        for area in range(HEXES):
            forbid(out, A.tilt + area)


@rule
def is_busy(box: Box, state: State, leader: int, seen: Survey) -> bool:
    """Does this leader keep up a siege alone? Where both could, the first does."""
    plan = plan_of(box, state)
    kept = seen.besieged[leader >> 1] & int(plan.stood_at[where_is(state, leader)])
    mate = where_is(state, leader ^ 1)
    if leader & 1 and mate != NOBODY:
        kept &= ~int(plan.stood_at[mate])
    return kept != 0


@rule
def how_many_left(box: Box, state: State, power: int) -> int:
    """13.1: how many enemies' tokens a power has still to win."""
    n = 0
    for other in range(POWERS):
        if is_enemy(box, state, power, other) and not state.powers[power].held >> other & 1:
            n += 1
    return n


@rule
def targets(box: Box, state: State, power: int, seen: Survey) -> int:
    """The sites that may be ours to take, or to take again: cities of nobody, enemies or our own, and enemies' HQs with a token."""
    enemies = seen.enemies[power]
    friends = ALL & ~enemies & ~(1 << power)
    cities = seen.cities & ~(seen.besieged[power] | of_any(seen.held, friends))
    return cities | headquarters_of(box, state, enemies & ~int(state.powers[power].held))


@rule
def target_worth(box: Box, state: State, power: int, site: int) -> float:
    """What besieging one of the `targets` would bring."""
    if plan_of(box, state).role[site] == CITY:
        slot = state.site[site]
        if slot.holder != power:
            return fallen_supply(box, state, site)
        if round_of_revolt(box, state, int(slot.resistance)) - state.round_no <= 2:
            return 0.4 * box.rules.city_supply[max(slot.extent - 1, 0)]
        return 0.0
    if how_many_left(box, state, power) == 1:
        return HQ_TOKEN + LAST_TOKEN
    return HQ_TOKEN


@rule
def far_worth(box: Box) -> float:
    """More than any city three areas away or farther can be worth: what is worth as much already needs no look at it."""
    most = 0
    for size in range(MAJOR + 1):
        most = max(most, int(box.rules.city_supply[size]))
    return 1.01 * most * TARGET * MARCH * MARCH * MARCH


@rule
def march_hopes(box: Box, state: State, power: int, seen: Survey) -> float:
    """For each leader that keeps no siege: the best site to stand at or march for; the second leader wants another."""
    plan = plan_of(box, state)
    aims = targets(box, state, power, seen)
    ready = (alone_at(power, seen) & ~seen.cities) | open_to_siege(power, seen)
    far = far_worth(box)
    total = 0.0
    taken = 0
    for k in range(2):
        leader = 2 * power + k
        at = where_is(state, leader)
        if at == NOBODY or is_busy(box, state, leader, seen):
            continue
        best = 0.0
        aim = 0
        left = aims & ~taken
        while left != 0:
            site = lowest(left)
            left &= left - 1
            away = int(plan.marches[site][at])
            if away >= FAR or (away > 2 and best >= far and seen.cities >> site & 1):
                continue
            worth = target_worth(box, state, power, site)
            if away > 0:
                worth *= TARGET
                while away > 0 and worth > best:
                    worth *= MARCH
                    away -= 1
            elif ready >> site & 1:
                worth *= STANDING
            else:
                worth *= 0.4 * STANDING
            if worth > best:
                best = worth
                aim = 1 << site
        total += best
        taken = aim
    return total


@rule
def lasting(box: Box, state: State, power: int, seen: Survey) -> float:
    """Cities occupied, by the rounds they will still be after the next two; sieges that take longer than that."""
    coming = next_city_round(box, state, power)
    total = 0.0
    sites = seen.held[power] | seen.besieged[power]
    while sites != 0:
        site = lowest(sites)
        sites &= sites - 1
        slot = state.site[site]
        if slot.holder == power:
            left = min(round_of_revolt(box, state, int(slot.resistance)), int(box.n_rounds)) - coming - 1
            total += KEEPS * max(0, left) * box.rules.city_supply[slot.extent]
        elif round_of_fall(box, state, int(slot.siege)) < box.n_rounds - 1:
            total += SIEGE * fallen_supply(box, state, site)
    return total


@rule
def hunger(box: Box, strength: float, to_come: Ahead) -> float:
    """10.3, 11.2: how likely the next turn brings no supply, and leaves no strength."""
    if to_come.firm > 0.5:
        return 0.0
    weak = 1.0
    if strength > box.rules.most_change:
        weak = to_come.danger * min(1.0, FRAGILE / strength)
    if to_come.supply > 0.5:
        return CUT * weak
    return weak


@rule
def risk_of_ruin(box: Box, state: State, power: int, to_come: Ahead) -> float:
    """13.2: how likely the power is to be broken soon: with this turn, with its next or with the one after."""
    me = state.powers[power]
    if power == state.power and state.stage > S.feed and me.supply == 0 and me.strength == 0:
        return 1.0
    risk = RUIN_NOW * hunger(box, 1.0 * me.strength, to_come)
    if to_come.supply_later < 0.5 and to_come.strength_later < 0.5:
        return max(risk, RUIN_SOON)
    return risk


@rule
def levels(state: State, power: int, to_come: Ahead) -> float:
    """Supply and strength, now and after the next two turns."""
    supply = to_come.supply - CAUTION * (to_come.supply - to_come.firm)
    strength = to_come.strength - CAUTION * (to_come.strength - to_come.fed)
    strength -= to_come.danger * BLOOD * strength
    supply_later = to_come.supply_later
    strength_later = to_come.strength_later
    worth = HIGH1 * max(supply, strength) + LOW1 * min(supply, strength)
    worth += HIGH2 * max(supply_later, strength_later) + LOW2 * min(supply_later, strength_later)
    worth += NOW * state.powers[power].strength
    if state.powers[power].strength == 0:
        worth -= WEAK
    return worth - to_come.danger * HIT


@rule
def country(state: State, power: int, to_come: Ahead) -> float:
    """Tokens on areas, and what of them can feed."""
    return FOOD * min(to_come.in_range, 2.0 * (to_come.strength + 2.0)) + LAND * how_many(tokens_of(state, power))


@rule
def headquarters(box: Box, state: State, power: int, seen: Survey) -> float:
    """13.4: tokens won and lost, and an enemy alone at the own HQ."""
    worth = TOKEN * (tokens_won(state, power) - tokens_lost(state, power))
    home = int(plan_of(box, state).hq[power])
    for other in range(POWERS):
        if seen.stood_at[other] >> home & 1 and seen.enemies[power] >> other & 1:
            if not state.powers[other].held >> power & 1 and alone_at(other, seen) >> home & 1:
                worth -= EXPOSED
    return worth


@rule
def leaders_gone(state: State, power: int) -> float:
    """8.7: what removed leaders cost."""
    worth = 0.0
    for k in range(2):
        if state.powers[power].leader[k] == NOBODY:
            worth -= GONE
    return worth


@rule
def power_worth(box: Box, state: State, power: int, to_come: Ahead, seen: Survey) -> float:
    """A power's prospects, in points."""
    worth = levels(state, power, to_come) + country(state, power, to_come) + lasting(box, state, power, seen)
    worth += march_hopes(box, state, power, seen) + headquarters(box, state, power, seen)
    return worth + leaders_gone(state, power)


@rule
def aftermath(state: State, power: int) -> float:
    """8.7, 8.8: while the loser of a battle still has to retreat: what is to come of it."""
    fight = state.fight
    if fight.loser == NOBODY or (power != fight.attacker and power != fight.defender):
        return 0.0
    worth = SPOILS
    if state.phase == P.remove:
        worth += KILL
    if power == fight.loser:
        return -worth
    return worth


@rule
def hopes(box: Box, state: State) -> float:
    """What an attacker who has committed may expect, while the defender chooses."""
    if state.phase == P.answer:
        return prospect(box, state)
    return 0.0


@rule
def fighting(box: Box, state: State, power: int, hope: float) -> float:
    """What a battle under way promises the power's side; `hope`: its attacker's (`hopes`)."""
    worth = aftermath(state, power)
    ally = ally_of(box, state, power)
    if ally != NOBODY:
        worth += aftermath(state, ally)
    if state.phase == P.answer:
        if state.fight.attacker == power or (ally != NOBODY and state.fight.attacker == ally):
            worth += OUT * hope
        elif state.fight.defender == power or (ally != NOBODY and state.fight.defender == ally):
            worth -= 0.7 * OUT * hope
    return worth


@rule
def lead_now(box: Box, state: State, seat: int) -> float:
    """13.4, 13.5: how far ahead the seat would be if peace came now."""
    best = -100.0
    for other in range(state.n_seats):
        if other != seat and not is_same_side(box, state, seat, other):
            there = 1.0 * seat_score(box, state, other)
            if is_ahead(box, state, other, seat):
                there += 0.5
            best = max(best, there)
    return seat_score(box, state, seat) + 0.25 - best


@rule
def finished(box: Box, state: State, seat: int) -> float:
    """A war that is over: won or lost, and by how much."""
    ahead_by = 1.0 * seat_score(box, state, seat)
    best = -100.0
    is_first = not does_war_win(box, state)
    for other in range(state.n_seats):
        if other != seat and not is_same_side(box, state, seat, other):
            best = max(best, 1.0 * seat_score(box, state, other))
            if is_ahead(box, state, other, seat):
                is_first = False
    if is_first:
        return VICTORY + ahead_by - best
    return ahead_by - best - 0.5 * VICTORY


@rule
def expected(box: Box, state: State, seat: int) -> tuple[float, float, float, float]:
    """The own side's prospects, what the others' count against it, and how likely it is that no power is broken: own, others'."""
    mine = power_of(state, seat)
    friend = ally_of(box, state, mine)
    hope = hopes(box, state)
    seen = survey(box, state)
    worth = fighting(box, state, mine, hope)
    safe = 1.0
    calm = 1.0
    best = -100.0
    total = 0.0
    for power in range(POWERS):
        if is_in_play(box, state, power):
            to_come = ahead(box, state, power, seen)
            risk = risk_of_ruin(box, state, power, to_come)
            value = power_worth(box, state, power, to_come, seen)
            if power == mine or power == friend:
                worth += value
                safe *= 1.0 - risk
            else:
                calm *= 1.0 - risk
                value += fighting(box, state, power, hope)
                best = max(best, value)
                total += value
    left = box.n_rounds - 1 - state.round_no
    calm *= min(1.0, max(0.0, (left - 0.4) / 3.0))
    return worth, RIVAL * best + OTHERS * total, safe, calm


@rule
def at_the_end(box: Box, state: State, seat: int, safe: float, calm: float) -> float:
    """13.2, 13.4: the lead, as likely as the war ends soon; a power of one's own that is broken has lost it."""
    if safe == 1.0 and calm == 1.0:
        return 0.0  # nothing hangs on the lead
    lead = max(-1.0, min(1.0, lead_now(box, state, seat) / LEAD))
    return safe * (1.0 - calm) * END * lead - (1.0 - safe) * END


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead: its own side's prospects less the others', or the scores, as likely as the war ends soon."""
    if state.phase == P.over:
        return finished(box, state, seat)
    worth, against, safe, calm = expected(box, state, seat)
    return safe * calm * (worth - against) + at_the_end(box, state, seat, safe, calm)
