"""Evaluation of a position of Bellum for bots that look one move ahead, and pruning; explained in the game's README.

Values are in points of the negotiation score. They were set by hand from what the rules pay, then tuned by matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import forbid, has
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.bot.battle_commitments import (
    draw_attack_commitment,
    draw_defence_commitment,
    expected_attack_worth,
)
from sutler.games.bellum.bot.evaluation_cache import survey_from_cache
from sutler.games.bellum.bot.map_survey import compute_stands
from sutler.games.bellum.bot.site_worth import Promises, promises_from_cache
from sutler.games.bellum.bot.undisturbed_forecast import Forecast, forecast_turns
from sutler.games.bellum.box import FEEDS, FORCES, HEXES, LANDS, LEADERS, POWERS, S
from sutler.games.bellum.hexes import n_hexes
from sutler.games.bellum.phases_actions_events import A, P
from sutler.games.bellum.rules.battle import most_of_seat
from sutler.games.bellum.scoring import (
    are_allied_seats,
    does_war_win,
    is_ahead,
    power_of_seat,
    seat_score,
)
from sutler.games.bellum.state import ally_of, is_in_play, tokens_of, where_is

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.bellum.records import Box, Notes, State

SCALE = 6.0
"""The lead in points that makes one side e times as likely to win as the other."""
# Where people play: a policy, which learned at every number of seats (docs/bots.md).
TABLE_LEVELS = {"normal": "policy", "hard": "policy:budget=1:threads=0"}
# Priors distribute the rounds of a search, and leads count linearly: no other setting won more games in equal time.
SEARCH = {"candidates": 0, "chances": 0, "curiosity": 1.0}

VICTORY = 60.0

HIGH1 = 0.81  # a point of the higher of supply and strength after the next turn
LOW1 = 0.098  # a point of the lower
HIGH2 = 0.23  # a point of the higher after the turn that follows
LOW2 = 0.063  # a point of the lower then
STRENGTH_NOW = 0.58  # a point of strength now
FOOD = 0.21  # a token in range, up to what strength can use
LAND = 0.021  # any token
LEADER_GONE = 2.5  # a removed leader
STRENGTH_ZERO = 1.9  # strength 0
SPOILS = 2.0  # what winning a battle brings beyond strength
KILL = 3.2  # and a leader removed by it
BATTLE_HOPE = 1.0  # what is to be expected of a battle under way
RIVAL = 0.36  # how much the best rival counts
OTHER_RIVALS = 0.018
RUIN_NOW = 0.33  # chance that a power is broken if its next turn leaves it with nothing
RUIN_SOON = 0.11  # chance that a power is broken if the turn after does
END = 2.7  # the worth of a clear lead when the war ends
LEAD = 2.6  # the lead in points that counts as clear
CAUTION = 0.25  # share of what neighbours may take of the next supply that is counted as lost
CUT = 0.35  # chance that neighbours take all the supply that they may take
FRAGILE = 4.6  # a strength of which a lost battle leaves next to nothing
BLOOD = 0.37  # share of the strength that a lost battle costs
HIT = 1.6  # the cost of a lost battle besides strength


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Remove from `out` the actions that bots need not consider.

    They feed by number, since token by token there are too many ways to the same end (11.4). What both sides of a battle commit is drawn
    (`battle_commitments`, 8.1); an attacker without strength cannot win. Strength rises by a limited amount each turn, and a token tilted
    beyond that feeds nobody, neither now nor next turn (11.2).
    """
    if state.phase == P.attack and state.powers[state.power].strength == 0:
        for leader in range(LEADERS):
            forbid(out, A.attack + leader)
    elif state.phase == P.commit and most_of_seat(box, state) > 0:
        allow_only_commitment(out, draw_attack_commitment(box, state))
    elif state.phase == P.answer:
        allow_only_commitment(out, draw_defence_commitment(box, state))
    if state.phase == P.feed:
        for area in range(HEXES):
            forbid(out, A.tilt + area)
        for total in range(state.fed_from + box.rules.most_change + 1, FEEDS):
            forbid(out, A.feed + total)
    elif state.phase == P.move:
        forbid_standing_still(state, out)


@rule
def allow_only_commitment(out: Legal, commitment: int) -> None:
    """Forbid in `out` every commitment but `commitment`, the one that was drawn for the bot (8.1)."""
    for force in range(FORCES):
        if force != commitment:
            forbid(out, A.commit + force)


@rule
def forbid_standing_still(state: State, out: Legal) -> None:
    """Forbid in `out` that the last leader to move stands still, since ending the turn has the same result (12.4)."""
    for k in range(2):
        leader = 2 * int(state.power) + k
        at = where_is(state, leader)
        if at != NOBODY and has(out.ids, A.end_moves) and state.moved >> (leader ^ 1) & 1:
            forbid(out, A.move + leader * LANDS + at)


@rule
def starvation_chance(box: Box, strength: float, forecast: Forecast) -> float:
    """The chance (0-1) that the next turn brings no supply and leaves the power without strength (10.3, 11.2)."""
    if forecast.firm > 0.5:
        return 0.0
    weak = 1.0
    if strength > box.rules.most_change:
        weak = forecast.danger * min(1.0, FRAGILE / strength)
    if forecast.supply > 0.5:
        return CUT * weak
    return weak


@rule
def breaking_chance(box: Box, state: State, power: int, forecast: Forecast) -> float:
    """The chance (0-1) that a power is broken soon: in this turn, its next or the one after (13.2)."""
    me = state.powers[power]
    if power == state.power and state.stage > S.feed and me.supply == 0 and me.strength == 0:
        return 1.0
    risk = RUIN_NOW * starvation_chance(box, 1.0 * me.strength, forecast)
    if forecast.supply_later < 0.5 and forecast.strength_later < 0.5:
        return max(risk, RUIN_SOON)
    return risk


@rule
def levels_worth(state: State, power: int, forecast: Forecast) -> float:
    """The worth of a power's supply and strength levels, in points: those of now and those forecast for its next two turns."""
    supply = forecast.supply - CAUTION * (forecast.supply - forecast.firm)
    strength = forecast.strength - CAUTION * (forecast.strength - forecast.fed)
    strength -= forecast.danger * BLOOD * strength
    supply_later = forecast.supply_later
    strength_later = forecast.strength_later
    worth = HIGH1 * max(supply, strength) + LOW1 * min(supply, strength)
    worth += HIGH2 * max(supply_later, strength_later) + LOW2 * min(supply_later, strength_later)
    worth += STRENGTH_NOW * state.powers[power].strength
    if state.powers[power].strength == 0:
        worth -= STRENGTH_ZERO
    return worth - forecast.danger * HIT


@rule
def areas_worth(state: State, power: int, forecast: Forecast) -> float:
    """The worth of a power's tokens on areas, in points; tokens that can feed the army count extra."""
    return FOOD * min(forecast.in_range, 2.0 * (forecast.strength + 2.0)) + LAND * n_hexes(tokens_of(state, power))


@rule
def lost_leaders_penalty(state: State, power: int) -> float:
    """The cost of a power's removed leaders, as points below zero (8.7)."""
    worth = 0.0
    for k in range(2):
        if state.powers[power].leader[k] == NOBODY:
            worth -= LEADER_GONE
    return worth


@rule
def power_worth(state: State, power: int, forecast: Forecast, sites: Promises) -> float:
    """The worth of a power's position, in points: its levels, areas, leaders and sites, now and as forecast."""
    worth = levels_worth(state, power, forecast) + areas_worth(state, power, forecast) + sites.lasting
    return worth + sites.hopes + lost_leaders_penalty(state, power)


@rule
def retreat_worth(state: State, power: int) -> float:
    """The worth to a power of the retreat that the loser of a battle still owes, in points (8.7, 8.8).

    It is positive for the winner, negative for the loser, and 0 for other powers and where no loser has to retreat.
    """
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
def committed_attack_worth(box: Box, state: State) -> float:
    """The expected worth of a battle to an attacker that has committed, in points; 0 unless the defender is about to commit."""
    if state.phase == P.answer:
        return expected_attack_worth(box, state)
    return 0.0


@rule
def battle_worth(box: Box, state: State, power: int, attack_worth: float) -> float:
    """The worth of the battle under way to a power, in points; `attack_worth`: its worth to the attacker (`committed_attack_worth`)."""
    worth = retreat_worth(state, power)
    ally = ally_of(box, state, power)
    if ally != NOBODY:
        worth += retreat_worth(state, ally)
    if state.phase == P.answer:
        if state.fight.attacker == power or (ally != NOBODY and state.fight.attacker == ally):
            worth += BATTLE_HOPE * attack_worth
        elif state.fight.defender == power or (ally != NOBODY and state.fight.defender == ally):
            worth -= 0.7 * BATTLE_HOPE * attack_worth
    return worth


@rule
def lead_if_peace_now(box: Box, state: State, seat: int) -> float:
    """The lead of a seat in points if the war ended in peace now; below 0 if another seat is ahead (13.4, 13.5)."""
    best = -100.0
    for other in range(state.n_seats):
        if other != seat and not are_allied_seats(box, state, seat, other):
            there = 1.0 * seat_score(box, state, other)
            if is_ahead(box, state, other, seat):
                there += 0.5
            best = max(best, there)
    return seat_score(box, state, seat) + 0.25 - best


@rule
def finished_game_worth(box: Box, state: State, seat: int) -> float:
    """The value of a finished war to a seat, in points: a large amount for victory or defeat, and the seat's lead."""
    ahead_by = 1.0 * seat_score(box, state, seat)
    best = -100.0
    is_first = not does_war_win(box, state)
    for other in range(state.n_seats):
        if other != seat and not are_allied_seats(box, state, seat, other):
            best = max(best, 1.0 * seat_score(box, state, other))
            if is_ahead(box, state, other, seat):
                is_first = False
    if is_first:
        return VICTORY + ahead_by - best
    return ahead_by - best - 0.5 * VICTORY


@rule
def seat_prospects(box: Box, state: State, seat: int, notes: Notes | None) -> tuple[float, float, float, float]:
    """The prospects of a seat: (own worth, worth to subtract for its rivals, chance its own side stays whole, chance the war goes on).

    The worths are in points, the chances 0-1: that no power of the seat's side is broken soon, and that nothing else ends the war soon.
    `notes`: cached values of earlier positions, or None.
    """
    mine = power_of_seat(state, seat)
    friend = ally_of(box, state, mine)
    hope = committed_attack_worth(box, state)
    seen = survey_from_cache(box, state, notes)
    stands = compute_stands(box, state)
    worth = battle_worth(box, state, mine, hope)
    safe = 1.0
    calm = 1.0
    best = -100.0
    total = 0.0
    for power in range(POWERS):
        if is_in_play(box, state, power):
            sites = promises_from_cache(box, state, power, seen, notes)
            to_come = forecast_turns(box, state, power, seen, stands, sites, notes)
            risk = breaking_chance(box, state, power, to_come)
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
def early_end_worth(box: Box, state: State, seat: int, chance_unbroken: float, chance_going_on: float) -> float:
    """The worth to a seat of its present lead in case the war ends soon, in points; negative for a side with a broken power (13.2, 13.4).

    `chance_unbroken`: the chance that no power of the own side is broken; `chance_going_on`: the chance that nothing else ends the war.
    """
    if chance_unbroken == 1.0 and chance_going_on == 1.0:
        return 0.0  # the lead does not matter
    lead = max(-1.0, min(1.0, lead_if_peace_now(box, state, seat) / LEAD))
    return chance_unbroken * (1.0 - chance_going_on) * END * lead - (1.0 - chance_unbroken) * END


@rule
def evaluate_noting(box: Box, state: State, seat: int, notes: Notes | None) -> float:
    """The value of a position to a seat, in points: the prospects of its side less those of the other sides.

    The score counts too, weighted with the chance that the war ends soon. `notes`: cached values of earlier positions, which are
    brought up to date; None for no cache.
    """
    if state.phase == P.over:
        return finished_game_worth(box, state, seat)
    worth, against, safe, calm = seat_prospects(box, state, seat, notes)
    return safe * calm * (worth - against) + early_end_worth(box, state, seat, safe, calm)


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """The value of a position to a seat, in points, computed without a cache (see `evaluate_noting`)."""
    return evaluate_noting(box, state, seat, None)
