"""The aftermath of a battle (guide 8.2, 8.7 to 8.9; allies 14.9): what it costs, who is removed, who retreats where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import bit
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.bellum.box import LEADERS, POWERS, PURSUIT_BATTLE
from sutler.games.bellum.hexes import NONE, contains, difference, intersection, is_not_empty, read_hexes, union
from sutler.games.bellum.phases_actions_events import A, E, P, R
from sutler.games.bellum.rules.city import break_sieges
from sutler.games.bellum.rules.common import ATTACKING, DEFENDING, allow_areas, ask_power, pair_of
from sutler.games.bellum.state import all_leaders, ally_of, is_enemy, links_at, plan_of, tokens_of, where_is

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, State

# --- Aftermath (guide 8.2, 8.7) ----------------------------------------------


@rule
def settle_strengths(box: Box, state: State, events: Events, winner: int, loser: int, is_draw: bool) -> None:
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
    tell(events, E.strength, int(fight.attacker), was_attacker, int(state.powers[fight.attacker].strength))
    tell(events, E.strength, int(fight.defender), was_defender, int(state.powers[fight.defender].strength))
    fight.loser = loser
    fight.to_retreat = fight.foes
    if loser == fight.attacker:
        fight.to_retreat = fight.side
    if must_remove:
        ask_power(state, P.remove, loser)


@rule
def take_off(box: Box, state: State, events: Events, leader: int) -> None:
    """A leader leaves the board; a siege it kept up alone is broken (9.5)."""
    state.powers[leader >> 1].leader[leader & 1] = NOBODY
    state.fight.to_retreat &= ~(1 << leader)
    break_sieges(box, state, events)


@rule
def why_not_remove(box: Box, state: State, seat: int, leader: int) -> int:
    """8.7: one of the loser's own leaders that took part."""
    if state.phase != P.remove:
        return R.fine
    if state.fight.to_retreat >> leader & 1 and leader >> 1 == state.fight.loser:
        return R.fine
    return R.not_removed


@rule
def do_remove(box: Box, state: State, events: Events, seat: int, leader: int) -> None:
    """8.7: it may return in a later leader phase (12.5)."""
    tell(events, E.removed, leader)
    take_off(box, state, events, leader)
    go_on(state)


# --- Retreat (guide 8.8, 8.9) ------------------------------------------------


@rule
def watched_by(box: Box, state: State, leader: int) -> Hexes:
    """All hexes linked to this leader: next to him, or next to a city or HQ he stands at."""
    at = where_is(state, leader)
    if at == NOBODY:
        return NONE
    found = read_hexes(box.near[at])
    sites = links_at(box, state, at)
    for site in range(box.n_sites):
        if sites & bit(site) != 0:
            found = union(found, read_hexes(box.near[box.site_hex[site]]))
    return found


@rule
def pursuers(box: Box, state: State) -> int:
    """8.8: the winning side's leaders, the winner's and its ally's, as bits; by option only those that fought."""
    fight = state.fight
    winner = int(fight.attacker)
    fought = int(fight.side)
    if fight.loser == winner:
        winner = int(fight.defender)
        fought = int(fight.foes)
    if box.options.pursuit == PURSUIT_BATTLE:
        return fought
    ally = ally_of(box, state, winner)
    if ally == NOBODY:
        return pair_of(winner)
    return pair_of(winner) | pair_of(ally)


@rule
def watched(box: Box, state: State) -> Hexes:
    """8.8: all hexes adjacent to a leader who pursues."""
    found = NONE
    some = pursuers(box, state)
    for leader in range(LEADERS):
        if some >> leader & 1:
            found = union(found, watched_by(box, state, leader))
    return found


@rule
def enemy_tokens(box: Box, state: State, power: int) -> Hexes:
    """The areas with a token of an enemy of this power."""
    found = NONE
    for other in range(POWERS):
        if is_enemy(box, state, power, other):
            found = union(found, tokens_of(state, other))
    return found


@rule
def free_areas_near(box: Box, state: State, leader: int, at: int) -> Hexes:
    """8.8: land next to `at` with no leader and no enemy token, not linked to a leader of the winning side."""
    power = leader >> 1
    areas = intersection(read_hexes(box.near[at]), read_hexes(plan_of(box, state).land))
    areas = difference(areas, all_leaders(state))
    areas = difference(areas, enemy_tokens(box, state, power))
    areas = difference(areas, watched(box, state))
    mate = ally_of(box, state, power)
    if mate != NOBODY and is_not_empty(difference(areas, tokens_of(state, mate))):
        areas = difference(areas, tokens_of(state, mate))  # 14.9: an ally's area only for want of another
    return areas


@rule
def retreats_of(box: Box, state: State, leader: int) -> Hexes:
    """8.8, 8.9: where the leader may go; through the area of the one before it when it has no way of its own."""
    at = where_is(state, leader)
    areas = free_areas_near(box, state, leader, at)
    passing = int(state.fight.first_to[leader >> 1])
    if not is_not_empty(areas) and passing != NOBODY and contains(read_hexes(box.near[at]), passing):
        areas = free_areas_near(box, state, leader, passing)
    return areas


@rule
def retreating_power(state: State) -> int:
    """8.8, 14.9: the loser's own leaders go first, then its ally's."""
    fight = state.fight
    if fight.to_retreat & pair_of(fight.loser):
        return int(fight.loser)
    for power in range(POWERS):
        if fight.to_retreat & pair_of(power):
            return power
    return NOBODY


@rule
def why_not_retreat_first(box: Box, state: State, seat: int, leader: int) -> int:
    """8.8: either of the two that have to."""
    if state.phase == P.retreat_first and leader >> 1 != retreating_power(state):
        return R.not_retreating
    return R.fine


@rule
def do_retreat_first(box: Box, state: State, events: Events, seat: int, leader: int) -> None:
    """8.8: the loser picks who goes first."""
    state.fight.mover = leader
    go_on(state)


@rule
def why_not_retreat(box: Box, state: State, seat: int, area: int) -> int:
    """8.8, 8.9, 14.9: one step to free land, away from the victors."""
    if state.phase != P.retreat:
        return R.fine
    leader = int(state.fight.mover)
    if contains(retreats_of(box, state, leader), area):
        return R.fine
    at = where_is(state, leader)
    if not contains(intersection(read_hexes(box.near[at]), read_hexes(plan_of(box, state).land)), area):
        return R.one_step
    if contains(all_leaders(state), area):
        return R.leader_there
    if contains(enemy_tokens(box, state, leader >> 1), area):
        return R.token_there
    if contains(watched(box, state), area):
        return R.watched
    return R.allys_area


@rule
def allow_retreat(box: Box, state: State, seat: int, out: Legal) -> None:
    """8.8: the same, all at once."""
    allow_areas(out, A.retreat, retreats_of(box, state, int(state.fight.mover)))


@rule
def do_retreat(box: Box, state: State, events: Events, seat: int, area: int) -> None:
    """8.8: the leader goes; sieges are looked at at once (9.5)."""
    fight = state.fight
    leader = int(fight.mover)
    state.powers[leader >> 1].leader[leader & 1] = area
    fight.to_retreat &= ~(1 << leader)
    fight.first_to[leader >> 1] = area
    fight.mover = NOBODY
    tell(events, E.retreated, leader, area)
    break_sieges(box, state, events)
    go_on(state)


@rule
def proceed_retreat(box: Box, state: State, events: Events) -> None:
    """8.8: one leader after the other, until a choice is open or all are gone."""
    fight = state.fight
    while fight.to_retreat != 0 and state.phase == P.moving:
        power = retreating_power(state)
        if fight.mover == NOBODY:
            mine = (fight.to_retreat >> (2 * power)) & 3
            if mine == 3:
                ask_power(state, P.retreat_first, power)
                return
            fight.mover = 2 * power + (mine >> 1)
        leader = int(fight.mover)
        if is_not_empty(retreats_of(box, state, leader)):
            ask_power(state, P.retreat, power)
        else:
            tell(events, E.cut_down, leader)
            fight.mover = NOBODY
            take_off(box, state, events, leader)
