"""The battle phase (guide 8; allies 14.9; range 14.3): who may fight whom, secret strength, aftermath, retreats."""

from __future__ import annotations

from sutler.core.bits import bit
from sutler.core.events import tell, tell_to
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import LEADERS, POWERS
from sutler.games.bellum.hexes import NONE, both, either, holds, how_many, is_any, one, those, without
from sutler.games.bellum.rules.city import break_sieges
from sutler.games.bellum.rules.common import (
    ATTACKS,
    CHOSE,
    COMMITS,
    CUT_DOWN,
    DRAWN,
    FORFEIT,
    MINUS_RIVER,
    NO_BATTLE,
    OWN_CHOICE,
    PLUS_ALLY,
    PLUS_LEADER,
    PLUS_SITE,
    REMOVED,
    RETREATED,
    STRENGTH,
    TAKES_PART,
    WON,
    ask,
    go_on,
    next_stage,
)
from sutler.games.bellum.rules.supply import range_from
from sutler.games.bellum.state import (
    ANSWER,
    ATTACK,
    COMMIT,
    MOVING,
    REMOVE,
    RETREAT,
    RETREAT_FIRST,
    all_leaders,
    ally_of,
    clear_fight,
    is_enemy,
    leaders_of,
    plan_of,
    tokens_of,
    where_is,
)

ATTACKING, DEFENDING = range(2)

# --- Adjacency (guide 8.3) ---------------------------------------------------


@rule
def are_linked(box, state, a, b):
    """8.3: two leaders are adjacent when their areas are, or when both are next to the same city or HQ."""
    at = where_is(state, a)
    to = where_is(state, b)
    if at == NOBODY or to == NOBODY:
        return False
    plan = plan_of(box, state)
    return holds(those(box.near[at]), to) or plan.touches[at] & plan.touches[to] != 0


@rule
def are_linked_dry(box, state, a, b):
    """8.6: is there such a link that crosses no river?"""
    at = where_is(state, a)
    to = where_is(state, b)
    plan = plan_of(box, state)
    return holds(those(box.dry[at]), to) or plan.touches_dry[at] & plan.touches_dry[to] != 0


@rule
def is_linked_to_any(box, state, leader, some):
    """Is the leader linked to one of these (bits over leaders)?"""
    for other in range(LEADERS):
        if some >> other & 1 and other != leader and are_linked(box, state, leader, other):
            return True
    return False


# --- Who takes part (guide 8.4, 14.9) ----------------------------------------


@rule
def pair_of(power):
    """Both leaders of a power, as bits."""
    return 3 << (2 * int(power))


@rule
def group_of(box, state, power, foe, leader):
    """8.4: all leaders of the two powers that hang together with this one, as bits."""
    pool = pair_of(power) | pair_of(foe)
    group = 1 << leader
    for _ in range(3):
        for other in range(LEADERS):
            if pool >> other & 1 and not group >> other & 1 and is_linked_to_any(box, state, other, group):
                group |= 1 << other
    return group


@rule
def with_allies(box, state, power, group):
    """14.9: this power's leaders in the group, and allied ones linked to it."""
    side = group & pair_of(power)
    ally = ally_of(box, state, power)
    if ally != NOBODY:
        for _ in range(2):
            for k in range(2):
                leader = 2 * ally + k
                if is_linked_to_any(box, state, leader, group | side):
                    side |= 1 << leader
    return side


@rule
def note_links(box, state, power):
    """8.3: only who starts the phase adjacent to an enemy may attack it; remember who does."""
    state.began = 0
    state.fought = 0
    for k in range(2):
        for foe in range(POWERS):
            if is_enemy(box, state, power, foe) and is_linked_to_any(box, state, 2 * power + k, pair_of(foe)):
                state.began |= 1 << (4 * k + foe)


@rule
def may_still_attack(box, state, power, leader):
    """8.3, 8.5: has an own leader of this group, who began next to that enemy, an enemy next to it not fought yet?"""
    foe = leader >> 1
    group = group_of(box, state, power, foe, leader)
    fresh = group & pair_of(foe) & ~int(state.fought)
    for k in range(2):
        mine = 2 * power + k
        if group >> mine & 1 and state.began >> (4 * k + foe) & 1 and is_linked_to_any(box, state, mine, fresh):
            return True
    return False


@rule
def can_attack(box, state, power, leader):
    """8.3 to 8.5: a group with a battle left to wage; it is named by the first enemy leader in it not fought yet."""
    foe = leader >> 1
    if not is_enemy(box, state, power, foe) or where_is(state, leader) == NOBODY:
        return False
    fresh = group_of(box, state, power, foe, leader) & pair_of(foe) & ~int(state.fought)
    if fresh & ((2 << leader) - 1) != 1 << leader:
        return False
    return may_still_attack(box, state, power, leader)


# --- Strengths (guide 8.1, 8.6) ----------------------------------------------


@rule
def leader_bonus(box, power, side):
    """8.6: both leaders of the power take part."""
    if side & pair_of(power) == pair_of(power):
        return int(box.rules.both_leaders)
    return 0


@rule
def ally_bonus(box, power, side):
    """14.9: one for each allied leader that takes part."""
    others = side & ~pair_of(power)
    n = 0
    for leader in range(LEADERS):
        n += others >> leader & 1
    return n * int(box.rules.allied_leader)


@rule
def is_across_water(box, state, side, foes):
    """8.6: does every link between the two sides cross a river?"""
    for a in range(LEADERS):
        for b in range(LEADERS):
            if side >> a & 1 and foes >> b & 1 and are_linked(box, state, a, b) and are_linked_dry(box, state, a, b):
                return False
    return True


@rule
def site_defence(box, state, power, site):
    """8.6: what an own HQ or a city with an own upright token adds to a defender next to it."""
    if plan_of(box, state).hq[power] == site:
        return int(box.rules.hq_defence)
    if state.site[site].holder == power:
        return int(box.rules.city_defence[state.site[site].extent])
    return 0


@rule
def defended_site(box, state, power, foes):
    """8.6: the own city or HQ that helps this defender most, rivers or not; NOBODY when there is none."""
    plan = plan_of(box, state)
    best = NOBODY
    for k in range(2):
        leader = 2 * power + k
        if foes >> leader & 1:
            sites = plan.touches[where_is(state, leader)]
            for site in range(box.n_sites):
                if sites & bit(site) != 0:
                    worth = site_defence(box, state, power, site)
                    if worth > 0 and (best == NOBODY or worth > site_defence(box, state, power, best)):
                        best = site
    return best


@rule
def attack_bonus(box, state, power, side, foes):
    """8.6: all that changes an attacker's strength."""
    bonus = leader_bonus(box, power, side) + ally_bonus(box, power, side)
    if is_across_water(box, state, side, foes):
        bonus -= int(box.rules.river)
    return bonus


@rule
def defence_bonus(box, state, power, foes):
    """8.6: all that changes a defender's strength."""
    bonus = leader_bonus(box, power, foes) + ally_bonus(box, power, foes)
    site = defended_site(box, state, power, foes)
    if site != NOBODY:
        bonus += site_defence(box, state, power, site)
    return bonus


@rule
def range_cap(box, state, power, side):
    """14.3: the own tokens on land, upright or tilted, in range of the power's leaders that take part."""
    start = NONE
    for k in range(2):
        if side >> (2 * power + k) & 1:
            start = either(start, one(where_is(state, 2 * power + k)))
    reached = range_from(box, state, power, start)
    return how_many(both(both(reached, tokens_of(state, power)), those(box.land)))


@rule
def most_to_commit(box, state, power, side):
    """8.1: up to the strength level and what the markers can show; less out of range (14.3)."""
    most = min(int(box.rules.most_committed), int(state.powers[power].strength))
    if box.options.out_of_range == 1:
        most = min(most, range_cap(box, state, power, side))
    return most


# --- The battle (guide 8.1) --------------------------------------------------


@rule
def do_attack(box, state, events, power, leader):
    """8.3: the group is drawn up, and both choose in secret."""
    foe = leader >> 1
    group = group_of(box, state, power, foe, leader)
    fight = state.fight
    fight.attacker = power
    fight.defender = foe
    fight.side = with_allies(box, state, power, group)
    fight.foes = with_allies(box, state, foe, group)
    state.fought |= fight.foes & pair_of(foe)
    tell(events, ATTACKS, power, foe)
    for one_of in range(LEADERS):
        if (fight.side | fight.foes) >> one_of & 1:
            tell(events, TAKES_PART, one_of)
    ask(state, COMMIT, power)


@rule
def do_commit(box, state, events, force):
    """8.1: more than the strength level counts as the strength level; when both have chosen, the markers are shown."""
    fight = state.fight
    if state.phase == COMMIT:
        power = int(fight.attacker)
        fight.commit[ATTACKING] = min(force, most_to_commit(box, state, power, int(fight.side)))
        tell(events, CHOSE, power)
        tell_to(events, 1 << state.seat_of[power], OWN_CHOICE, power, int(fight.commit[ATTACKING]), 0, 0, 0)
        ask(state, ANSWER, int(fight.defender))
    else:
        power = int(fight.defender)
        fight.commit[DEFENDING] = min(force, most_to_commit(box, state, power, int(fight.foes)))
        go_on(state)
        resolve(box, state, events)


@rule
def resolve(box, state, events):
    """8.1: the higher strength wins, on a draw the attacker; nothing loses to something; nothing twice is no battle."""
    fight = state.fight
    attacker = int(fight.attacker)
    defender = int(fight.defender)
    a = int(fight.commit[ATTACKING])
    d = int(fight.commit[DEFENDING])
    tell(events, COMMITS, attacker, a)
    tell(events, COMMITS, defender, d)
    if a == 0 and d == 0:
        tell(events, NO_BATTLE)
        clear_fight(state)
        return
    tell_modifiers(box, state, events)
    strong = a + attack_bonus(box, state, attacker, int(fight.side), int(fight.foes))
    hard = d + defence_bonus(box, state, defender, int(fight.foes))
    winner = attacker
    loser = defender
    if a == 0 or (d > 0 and hard > strong):
        winner = defender
        loser = attacker
    is_draw = a > 0 and d > 0 and strong == hard
    if is_draw:
        tell(events, DRAWN, strong, hard, winner)
    elif a == 0 or d == 0:
        tell(events, FORFEIT, winner, loser)
    elif winner == attacker:
        tell(events, WON, winner, strong, hard)
    else:
        tell(events, WON, winner, hard, strong)
    settle_strengths(box, state, events, winner, loser, is_draw)


@rule
def tell_modifiers(box, state, events):
    """8.6, 14.9: name every modifier of both sides."""
    fight = state.fight
    attacker = int(fight.attacker)
    defender = int(fight.defender)
    side = int(fight.side)
    foes = int(fight.foes)
    if leader_bonus(box, attacker, side) > 0:
        tell(events, PLUS_LEADER, attacker, leader_bonus(box, attacker, side))
    if ally_bonus(box, attacker, side) > 0:
        tell(events, PLUS_ALLY, attacker, ally_bonus(box, attacker, side))
    if is_across_water(box, state, side, foes):
        tell(events, MINUS_RIVER, attacker, int(box.rules.river))
    if leader_bonus(box, defender, foes) > 0:
        tell(events, PLUS_LEADER, defender, leader_bonus(box, defender, foes))
    if ally_bonus(box, defender, foes) > 0:
        tell(events, PLUS_ALLY, defender, ally_bonus(box, defender, foes))
    site = defended_site(box, state, defender, foes)
    if site != NOBODY:
        tell(events, PLUS_SITE, defender, site_defence(box, state, defender, site), site)


# --- Aftermath (guide 8.2, 8.7) ----------------------------------------------


@rule
def settle_strengths(box, state, events, winner, loser, is_draw):
    """8.2: both pay; then, but on a draw, the winner gains 1 and the loser loses 1, or a leader when none is left."""
    fight = state.fight
    was_attacker = int(state.powers[fight.attacker].strength)
    was_defender = int(state.powers[fight.defender].strength)
    state.powers[fight.attacker].strength -= fight.commit[ATTACKING]
    state.powers[fight.defender].strength -= fight.commit[DEFENDING]
    must_remove = False
    if not is_draw:
        state.powers[winner].strength += box.rules.spoils
        must_remove = state.powers[loser].strength < box.rules.spoils
        if not must_remove:
            state.powers[loser].strength -= box.rules.spoils
    tell(events, STRENGTH, int(fight.attacker), was_attacker, int(state.powers[fight.attacker].strength))
    tell(events, STRENGTH, int(fight.defender), was_defender, int(state.powers[fight.defender].strength))
    fight.loser = loser
    fight.to_retreat = fight.foes
    if loser == fight.attacker:
        fight.to_retreat = fight.side
    if must_remove:
        ask(state, REMOVE, loser)


@rule
def can_remove(state, leader):
    """8.7: one of the loser's own leaders that took part."""
    return state.fight.to_retreat >> leader & 1 and leader >> 1 == state.fight.loser


@rule
def take_off(box, state, events, leader):
    """A leader leaves the board; a siege it kept up alone is broken (9.5)."""
    state.powers[leader >> 1].leader[leader & 1] = NOBODY
    state.fight.to_retreat &= ~(1 << leader)
    break_sieges(box, state, events)


@rule
def do_remove(box, state, events, leader):
    """8.7: it may return in a later leader phase (12.5)."""
    tell(events, REMOVED, leader)
    take_off(box, state, events, leader)
    go_on(state)


# --- Retreat (guide 8.8, 8.9) ------------------------------------------------


@rule
def watched_by(box, state, power):
    """All hexes linked to this power's leaders: next to them, or next to a city or HQ they stand at."""
    plan = plan_of(box, state)
    found = leaders_of(state, power)
    for k in range(2):
        at = int(state.powers[power].leader[k])
        if at != NOBODY:
            found = either(found, those(box.near[at]))
            sites = plan.touches[at]
            for site in range(box.n_sites):
                if sites & bit(site) != 0:
                    found = either(found, those(box.near[box.site_hex[site]]))
    return found


@rule
def watched(box, state):
    """8.8: all hexes adjacent to a leader of the winning side: the winner's and its ally's."""
    winner = int(state.fight.attacker)
    if state.fight.loser == winner:
        winner = int(state.fight.defender)
    found = watched_by(box, state, winner)
    ally = ally_of(box, state, winner)
    if ally != NOBODY:
        found = either(found, watched_by(box, state, ally))
    return found


@rule
def enemy_tokens(box, state, power):
    """The areas with a token of an enemy of this power."""
    found = NONE
    for other in range(POWERS):
        if is_enemy(box, state, power, other):
            found = either(found, tokens_of(state, other))
    return found


@rule
def free_areas_near(box, state, leader, at):
    """8.8: land next to `at` with no leader and no enemy token, not linked to a leader of the winning side."""
    power = leader >> 1
    areas = both(those(box.near[at]), those(plan_of(box, state).land))
    areas = without(areas, all_leaders(state))
    areas = without(areas, enemy_tokens(box, state, power))
    areas = without(areas, watched(box, state))
    mate = ally_of(box, state, power)
    if mate != NOBODY and is_any(without(areas, tokens_of(state, mate))):
        areas = without(areas, tokens_of(state, mate))  # 14.9: an ally's area only for want of another
    return areas


@rule
def retreats_of(box, state, leader):
    """8.8, 8.9: where the leader may go; through the area of the one before it when it has no way of its own."""
    at = where_is(state, leader)
    areas = free_areas_near(box, state, leader, at)
    passing = int(state.fight.first_to[leader >> 1])
    if not is_any(areas) and passing != NOBODY and holds(those(box.near[at]), passing):
        areas = free_areas_near(box, state, leader, passing)
    return areas


@rule
def retreating_power(state):
    """8.8, 14.9: the loser's own leaders go first, then its ally's."""
    fight = state.fight
    if fight.to_retreat & pair_of(fight.loser):
        return int(fight.loser)
    for power in range(POWERS):
        if fight.to_retreat & pair_of(power):
            return power
    return NOBODY


@rule
def do_retreat_first(state, leader):
    """8.8: the loser picks who goes first."""
    state.fight.mover = leader
    go_on(state)


@rule
def do_retreat(box, state, events, area):
    """8.8: the leader goes; sieges are looked at at once (9.5)."""
    fight = state.fight
    leader = int(fight.mover)
    state.powers[leader >> 1].leader[leader & 1] = area
    fight.to_retreat &= ~(1 << leader)
    fight.first_to[leader >> 1] = area
    fight.mover = NOBODY
    tell(events, RETREATED, leader, area)
    break_sieges(box, state, events)
    go_on(state)


@rule
def proceed_retreat(box, state, events):
    """8.8: one leader after the other, until a choice is open or all are gone."""
    fight = state.fight
    while fight.to_retreat != 0 and state.phase == MOVING:
        power = retreating_power(state)
        if fight.mover == NOBODY:
            mine = (fight.to_retreat >> (2 * power)) & 3
            if mine == 3:
                ask(state, RETREAT_FIRST, power)
                return
            fight.mover = 2 * power + (mine >> 1)
        leader = int(fight.mover)
        if is_any(retreats_of(box, state, leader)):
            ask(state, RETREAT, power)
        else:
            tell(events, CUT_DOWN, leader)
            fight.mover = NOBODY
            take_off(box, state, events, leader)


# --- The phase ---------------------------------------------------------------


@rule
def has_attack(box, state, power):
    """Is there a battle to wage?"""
    if state.began == 0:
        return False
    for leader in range(LEADERS):
        if can_attack(box, state, power, leader):
            return True
    return False


@rule
def do_hold(state):
    """8.3: a battle may be left unfought."""
    state.began = 0
    go_on(state)


@rule
def proceed_battle(box, state, events):
    """8: retreats of the last battle, then the next attack, until the attacker stops."""
    power = int(state.power)
    if state.step == 0:
        note_links(box, state, power)
        state.step = 1
    if state.fight.loser != NOBODY:
        proceed_retreat(box, state, events)
        if state.phase != MOVING:
            return
        clear_fight(state)
    if has_attack(box, state, power):
        ask(state, ATTACK, power)
    else:
        state.began = 0
        state.fought = 0
        next_stage(state)
