"""The worth of a position to a seat, for bots that look one move ahead; documented in the game's README.

Values are in points of the negotiation score. They were set by hand from what the rules pay, then tuned by matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import forbid, has
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.bot.commitments import attack, defence, prospect
from sutler.games.bellum.bot.evaluation_cache import survey_noted
from sutler.games.bellum.bot.forecast import Ahead, ahead
from sutler.games.bellum.bot.promises import Promises, promises_noted
from sutler.games.bellum.bot.survey import stands_of
from sutler.games.bellum.box import FEEDS, FORCES, HEXES, LANDS, LEADERS, POWERS, S
from sutler.games.bellum.hexes import how_many
from sutler.games.bellum.rules.battle import most_of_seat
from sutler.games.bellum.scoring import (
    does_war_win,
    is_ahead,
    is_same_side,
    power_of,
    seat_score,
)
from sutler.games.bellum.state import ally_of, is_in_play, tokens_of, where_is
from sutler.games.bellum.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.bellum.records import Box, Notes, State

SCALE = 6.0
"""The lead that makes one side e times as likely to win (for bots)."""
# The priors share out the rounds, and leads are worth what they are: no other search was seen to win more at equal time.
SEARCH = {"candidates": 0, "chances": 0, "curiosity": 1.0}

VICTORY = 60.0

HIGH1 = 0.81  # the higher of supply and strength after the next turn
LOW1 = 0.098  # and the lower
HIGH2 = 0.23  # the same after the turn that follows
LOW2 = 0.063
STRENGTH_NOW = 0.58  # strength as it is
FOOD = 0.21  # a token in range, up to what strength can use
LAND = 0.021  # any token
LEADER_GONE = 2.5  # a removed leader
STRENGTH_ZERO = 1.9  # strength 0
SPOILS = 2.0  # what winning a battle brings beyond strength
KILL = 3.2  # and a leader removed by it
BATTLE_HOPE = 1.0  # what is to be expected of a battle under way
RIVAL = 0.36  # how much the best rival counts
OTHER_RIVALS = 0.018
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
    """Remove actions that bots need not consider. They feed by number (11.4): token by token there are too many ways to do the same.

    8.1: what both sides commit is drawn (`commitments`); an attacker that commits 0 cannot win. 11.2: strength rises by a limited amount
    each turn, and a token tilted beyond that feeds nobody, neither now nor next turn.
    """
    if state.phase == P.attack and state.powers[state.power].strength == 0:
        for leader in range(LEADERS):
            forbid(out, A.attack + leader)
    elif state.phase == P.commit and most_of_seat(box, state) > 0:
        keep_commitment(out, attack(box, state))
    elif state.phase == P.answer:
        keep_commitment(out, defence(box, state))
    if state.phase == P.feed:
        for area in range(HEXES):
            forbid(out, A.tilt + area)
        for total in range(state.fed_from + box.rules.most_change + 1, FEEDS):
            forbid(out, A.feed + total)
    elif state.phase == P.move:
        forbid_standing_last(state, out)


@rule
def keep_commitment(out: Legal, drawn: int) -> None:
    """8.1: forbid all commitments but the one drawn."""
    for force in range(FORCES):
        if force != drawn:
            forbid(out, A.commit + force)


@rule
def forbid_standing_last(state: State, out: Legal) -> None:
    """12.4: for the last leader to move, forbid standing still: ending the turn does the same."""
    for k in range(2):
        leader = 2 * int(state.power) + k
        at = where_is(state, leader)
        if at != NOBODY and has(out.ids, A.end_moves) and state.moved >> (leader ^ 1) & 1:
            forbid(out, A.move + leader * LANDS + at)


@rule
def hunger(box: Box, strength: float, to_come: Ahead) -> float:
    """10.3, 11.2: how likely the next turn brings no supply and leaves no strength."""
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
def level_worth(state: State, power: int, to_come: Ahead) -> float:
    """The worth of supply and strength, now and after the next two turns."""
    supply = to_come.supply - CAUTION * (to_come.supply - to_come.firm)
    strength = to_come.strength - CAUTION * (to_come.strength - to_come.fed)
    strength -= to_come.danger * BLOOD * strength
    supply_later = to_come.supply_later
    strength_later = to_come.strength_later
    worth = HIGH1 * max(supply, strength) + LOW1 * min(supply, strength)
    worth += HIGH2 * max(supply_later, strength_later) + LOW2 * min(supply_later, strength_later)
    worth += STRENGTH_NOW * state.powers[power].strength
    if state.powers[power].strength == 0:
        worth -= STRENGTH_ZERO
    return worth - to_come.danger * HIT


@rule
def area_worth(state: State, power: int, to_come: Ahead) -> float:
    """The worth of tokens on areas, and of those that can feed."""
    return FOOD * min(to_come.in_range, 2.0 * (to_come.strength + 2.0)) + LAND * how_many(tokens_of(state, power))


@rule
def leaders_gone(state: State, power: int) -> float:
    """8.7: what removed leaders cost."""
    worth = 0.0
    for k in range(2):
        if state.powers[power].leader[k] == NOBODY:
            worth -= LEADER_GONE
    return worth


@rule
def power_worth(state: State, power: int, to_come: Ahead, sites: Promises) -> float:
    """A power's prospects, in points."""
    worth = level_worth(state, power, to_come) + area_worth(state, power, to_come) + sites.lasting
    return worth + sites.hopes + leaders_gone(state, power)


@rule
def retreat_worth(state: State, power: int) -> float:
    """8.7, 8.8: what is still to come of a battle while its loser has to retreat."""
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
def attackers_prospects(box: Box, state: State) -> float:
    """The expected outcome for an attacker that has committed, while the defender chooses."""
    if state.phase == P.answer:
        return prospect(box, state)
    return 0.0


@rule
def battle_worth(box: Box, state: State, power: int, hope: float) -> float:
    """The worth of a battle under way to the power's side; `hope` is that of its attacker (`attackers_prospects`)."""
    worth = retreat_worth(state, power)
    ally = ally_of(box, state, power)
    if ally != NOBODY:
        worth += retreat_worth(state, ally)
    if state.phase == P.answer:
        if state.fight.attacker == power or (ally != NOBODY and state.fight.attacker == ally):
            worth += BATTLE_HOPE * hope
        elif state.fight.defender == power or (ally != NOBODY and state.fight.defender == ally):
            worth -= 0.7 * BATTLE_HOPE * hope
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
    """The value of a war that is over: won or lost, and by how much."""
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
def expected(box: Box, state: State, seat: int, notes: Notes | None) -> tuple[float, float, float, float]:
    """The seat's prospects, what counts against it of the others', and how likely it is that no power is broken: its own, others'."""
    mine = power_of(state, seat)
    friend = ally_of(box, state, mine)
    hope = attackers_prospects(box, state)
    seen = survey_noted(box, state, notes)
    stands = stands_of(box, state)
    worth = battle_worth(box, state, mine, hope)
    safe = 1.0
    calm = 1.0
    best = -100.0
    total = 0.0
    for power in range(POWERS):
        if is_in_play(box, state, power):
            sites = promises_noted(box, state, power, seen, notes)
            to_come = ahead(box, state, power, seen, stands, sites, notes)
            risk = risk_of_ruin(box, state, power, to_come)
            value = power_worth(state, power, to_come, sites)
            if power == mine or power == friend:
                worth += value
                safe *= 1.0 - risk
            else:
                calm *= 1.0 - risk
                value += battle_worth(box, state, power, hope)
                best = max(best, value)
                total += value
    left = box.n_rounds - 1 - state.round_no
    calm *= min(1.0, max(0.0, (left - 0.4) / 3.0))
    return worth, RIVAL * best + OTHER_RIVALS * total, safe, calm


@rule
def at_the_end(box: Box, state: State, seat: int, safe: float, calm: float) -> float:
    """13.2, 13.4: the lead, weighted by how likely the war ends soon; a side whose own power is broken has lost it."""
    if safe == 1.0 and calm == 1.0:
        return 0.0  # nothing hangs on the lead
    lead = max(-1.0, min(1.0, lead_now(box, state, seat) / LEAD))
    return safe * (1.0 - calm) * END * lead - (1.0 - safe) * END


@rule
def evaluate_noting(box: Box, state: State, seat: int, notes: Notes | None) -> float:
    """How far a seat is ahead: its own side's prospects less the others', and the scores, weighted by how likely the war ends soon."""
    if state.phase == P.over:
        return finished(box, state, seat)
    worth, against, safe, calm = expected(box, state, seat, notes)
    return safe * calm * (worth - against) + at_the_end(box, state, seat, safe, calm)


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """`evaluate_noting` without notes."""
    return evaluate_noting(box, state, seat, None)
