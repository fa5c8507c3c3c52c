"""The battle phase (guide 8.1, 8.3 to 8.6; allies 14.9; range 14.3): who may fight whom, strength in secret, who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow_range, lowest
from sutler.core.events import tell, tell_to
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.bellum.box import LEADERS, POWERS
from sutler.games.bellum.phases_actions_events import A, E, P, R
from sutler.games.bellum.rules.common import ATTACKING, DEFENDING, ask_power, next_stage, pair_of
from sutler.games.bellum.rules.retreat import proceed_retreat, settle_strengths
from sutler.games.bellum.rules.strength import (
    ally_bonus,
    attack_bonus,
    defence_bonus,
    defended_site,
    is_across_water,
    is_linked_to_any,
    leader_bonus,
    most_to_commit,
    site_defence,
)
from sutler.games.bellum.state import ally_of, clear_fight, is_enemy, where_is

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.bellum.records import Box, State

# --- Who takes part (guide 8.4, 14.9) ----------------------------------------


@rule
def group_of(box: Box, state: State, power: int, foe: int, leader: int) -> int:
    """8.4: all leaders of the two powers that hang together with this one, as bits."""
    pool = pair_of(power) | pair_of(foe)
    group = 1 << leader
    for _ in range(3):
        left = pool & ~group
        while left != 0:
            other = lowest(left)
            left &= left - 1
            if is_linked_to_any(box, state, other, group):
                group |= 1 << other
    return group


@rule
def with_allies(box: Box, state: State, power: int, group: int) -> int:
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
def note_links(box: Box, state: State, power: int) -> None:
    """8.3: only who starts the phase adjacent to an enemy may attack it; remember who does."""
    state.began = 0
    state.fought = 0
    for k in range(2):
        for foe in range(POWERS):
            if is_enemy(box, state, power, foe) and is_linked_to_any(box, state, 2 * power + k, pair_of(foe)):
                state.began |= 1 << (4 * k + foe)


@rule
def may_still_attack(box: Box, state: State, power: int, foe: int, group: int, fresh: int) -> bool:
    """8.3, 8.5: has an own leader of the group, who began next to that enemy, one not fought yet next to him?"""
    for k in range(2):
        mine = 2 * power + k
        if group >> mine & 1 and state.began >> (4 * k + foe) & 1 and is_linked_to_any(box, state, mine, fresh):
            return True
    return False


@rule
def why_not_wage(box: Box, state: State, power: int, leader: int) -> int:
    """8.3 to 8.5, 14.9: a group with a battle left to wage, named by the first enemy leader in it not fought yet."""
    foe = leader >> 1
    if foe == power:
        return R.own_leader
    if where_is(state, leader) == NOBODY:
        return R.not_on_board
    if not is_enemy(box, state, power, foe):
        return R.an_ally
    group = group_of(box, state, power, foe, leader)
    if group & pair_of(power) == 0:
        return R.not_adjacent
    fresh = group & pair_of(foe) & ~int(state.fought)
    if fresh == 0:
        return R.fought
    if not may_still_attack(box, state, power, foe, group, fresh):
        return R.not_begun
    if fresh & ((2 << leader) - 1) != 1 << leader:
        return R.not_first
    return R.fine


@rule
def why_not_attack(box: Box, state: State, seat: int, leader: int) -> int:
    """8.3 to 8.5: the same; what has been fought matters in the battle phase only."""
    power = int(state.power)
    if power == NOBODY:
        return R.fine
    reason = why_not_wage(box, state, power, leader)
    if state.phase != P.attack and (reason == R.fought or reason == R.not_begun or reason == R.not_first):
        return R.fine
    return reason


@rule
def has_attack(box: Box, state: State) -> bool:
    """8.3: is there a battle to wage?"""
    if state.began == 0:
        return False
    for leader in range(LEADERS):
        if why_not_wage(box, state, int(state.power), leader) == R.fine:
            return True
    return False


@rule
def do_attack(box: Box, state: State, events: Events, seat: int, leader: int) -> None:
    """8.3: the group is drawn up, and both choose in secret."""
    power = int(state.power)
    foe = leader >> 1
    group = group_of(box, state, power, foe, leader)
    fight = state.fight
    fight.attacker = power
    fight.defender = foe
    fight.side = with_allies(box, state, power, group)
    fight.foes = with_allies(box, state, foe, group)
    state.fought |= fight.foes & pair_of(foe)
    tell(events, E.attack, power, foe)
    for one_of in range(LEADERS):
        if (fight.side | fight.foes) >> one_of & 1:
            tell(events, E.takes_part, one_of)
    ask_power(state, P.commit, power)


@rule
def do_hold(box: Box, state: State, events: Events, seat: int) -> None:
    """8.3: a battle may be left unfought."""
    state.began = 0
    go_on(state)


# --- The battle (guide 8.1) --------------------------------------------------


@rule
def most_of_seat(box: Box, state: State) -> int:
    """8.1: the most that the power which chooses now may commit."""
    fight = state.fight
    if state.phase == P.answer:
        return most_to_commit(box, state, int(fight.defender), int(fight.foes))
    return most_to_commit(box, state, int(fight.attacker), int(fight.side))


@rule
def why_not_commit(box: Box, state: State, seat: int, force: int) -> int:
    """8.1, 14.3: no more than the strength level, nor than the markers show, nor than the land in range."""
    if state.phase != P.commit and state.phase != P.answer:
        return R.fine
    if force <= most_of_seat(box, state):
        return R.fine
    power = int(state.fight.attacker)
    if state.phase == P.answer:
        power = int(state.fight.defender)
    if force > state.powers[power].strength:
        return R.too_strong
    if force > box.rules.most_committed:
        return R.no_markers
    return R.out_of_range


@rule
def allow_commit(box: Box, state: State, seat: int, out: Legal) -> None:
    """8.1: the same, all at once."""
    allow_range(out, A.commit, most_of_seat(box, state) + 1)


@rule
def do_commit(box: Box, state: State, events: Events, seat: int, force: int) -> None:
    """8.1: more than the strength level counts as the strength level; when both have chosen, the markers are shown."""
    fight = state.fight
    if state.phase == P.commit:
        power = int(fight.attacker)
        fight.commit[ATTACKING] = min(force, most_to_commit(box, state, power, int(fight.side)))
        tell(events, E.chose, power)
        tell_to(events, 1 << state.seat_of[power], E.own_choice, power, int(fight.commit[ATTACKING]), 0, 0, 0)
        ask_power(state, P.answer, int(fight.defender))
    else:
        power = int(fight.defender)
        fight.commit[DEFENDING] = min(force, most_to_commit(box, state, power, int(fight.foes)))
        go_on(state)
        resolve(box, state, events)


@rule
def resolve(box: Box, state: State, events: Events) -> None:
    """8.1: the higher strength wins, on a draw the attacker; nothing loses to something; nothing twice is no battle."""
    fight = state.fight
    attacker = int(fight.attacker)
    defender = int(fight.defender)
    a = int(fight.commit[ATTACKING])
    d = int(fight.commit[DEFENDING])
    tell(events, E.commits, attacker, a)
    tell(events, E.commits, defender, d)
    if a == 0 and d == 0:
        tell(events, E.no_battle)
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
        tell(events, E.drawn, strong, hard, winner)
    elif a == 0 or d == 0:
        tell(events, E.forfeit, winner, loser)
    elif winner == attacker:
        tell(events, E.won, winner, strong, hard)
    else:
        tell(events, E.won, winner, hard, strong)
    settle_strengths(box, state, events, winner, loser, is_draw)


@rule
def tell_modifiers(box: Box, state: State, events: Events) -> None:
    """8.6, 14.9: name every modifier of both sides."""
    fight = state.fight
    attacker = int(fight.attacker)
    defender = int(fight.defender)
    side = int(fight.side)
    foes = int(fight.foes)
    if leader_bonus(box, attacker, side) > 0:
        tell(events, E.plus_leader, attacker, leader_bonus(box, attacker, side))
    if ally_bonus(box, attacker, side) > 0:
        tell(events, E.plus_ally, attacker, ally_bonus(box, attacker, side))
    if is_across_water(box, state, side, foes):
        tell(events, E.minus_river, attacker, int(box.rules.river))
    if leader_bonus(box, defender, foes) > 0:
        tell(events, E.plus_leader, defender, leader_bonus(box, defender, foes))
    if ally_bonus(box, defender, foes) > 0:
        tell(events, E.plus_ally, defender, ally_bonus(box, defender, foes))
    site = defended_site(box, state, defender, foes)
    if site != NOBODY:
        tell(events, E.plus_site, defender, site_defence(box, state, defender, site), site)


# --- The phase ---------------------------------------------------------------


@rule
def proceed_battle(box: Box, state: State, events: Events) -> None:
    """8: retreats of the last battle, then the next attack, until the attacker stops."""
    power = int(state.power)
    if state.step == 0:
        note_links(box, state, power)
        state.step = 1
    if state.fight.loser != NOBODY:
        proceed_retreat(box, state, events)
        if state.phase != P.moving:
            return
        clear_fight(state)
    if has_attack(box, state):
        ask_power(state, P.attack, power)
    else:
        state.began = 0
        state.fought = 0
        next_stage(state)
