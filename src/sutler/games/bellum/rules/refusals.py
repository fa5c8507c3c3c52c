"""Why an action is not legal now, in words and by paragraph. `why_not` asks the very predicates that `legal` asks."""

from __future__ import annotations

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import CITY, LANDS, MAJOR, MINOR, SITES
from sutler.games.bellum.hexes import both, holds, is_any, one, those
from sutler.games.bellum.rules.battle import (
    can_attack,
    can_remove,
    enemy_tokens,
    group_of,
    is_linked_to_any,
    may_still_attack,
    most_to_commit,
    pair_of,
    retreating_power,
    retreats_of,
    watched,
)
from sutler.games.bellum.rules.city import can_force, can_give_ultimatum, site_at_hand
from sutler.games.bellum.rules.common import (
    A_ATTACK,
    A_BESIEGE,
    A_COMMIT,
    A_END_MOVES,
    A_END_PILLAGE,
    A_FEED,
    A_HOLD,
    A_LEAD,
    A_MOVE,
    A_PILLAGE,
    A_PLACE,
    A_REMOVE,
    A_RETREAT,
    A_RETREAT_FIRST,
    A_SPARE,
    A_STORM,
    A_TILT,
    A_ULTIMATUM,
    A_WAIT,
)
from sutler.games.bellum.rules.feed import can_feed, can_pillage, feeds_at_least, feeds_at_most
from sutler.games.bellum.rules.march import (
    MOST_CALLS,
    can_end_moves,
    can_lead,
    destinations,
    is_asked,
    is_at_home,
    may_return,
)
from sutler.games.bellum.state import (
    ANSWER,
    ATTACK,
    COMMIT,
    FEED,
    FORCE,
    MOVE,
    PILLAGE,
    PLACE,
    REMOVE,
    RETREAT,
    RETREAT_FIRST,
    SIEGE,
    all_leaders,
    is_enemy,
    plan_of,
    tokens_of,
    where_is,
)

REFUSALS = (
    ("This is legal.", ""),
    ("That is not what is being asked now.", "7.1"),
    # 4
    ("A ruin is no tile to place.", "4.4"),
    ("All tiles of this size are placed.", "4.4"),
    ("This city has its tile already.", "4.4"),
    ("This is no city in this game.", "4.4"),
    # 8
    ("This is your own leader.", "8.3"),
    ("Allies do not fight each other.", "14.9"),
    ("This leader is not on the board.", "8.3"),
    ("None of your leaders is adjacent to this one.", "8.3"),
    ("You have fought these leaders already.", "8.5"),
    ("These leaders fight together: attack the first of them.", "8.4"),
    ("Your leader was not adjacent to this enemy when the phase began.", "8.3"),
    ("You cannot commit more than your strength level.", "8.1"),
    ("You cannot commit more than the land tokens in range.", "14.3"),
    ("Only one of the loser's leaders that took part is removed.", "8.7"),
    ("This leader does not retreat now.", "8.8"),
    ("A retreat goes one step to an adjacent land area.", "8.8"),
    ("Another leader stands there.", "8.8"),
    ("An enemy's token lies there.", "8.8"),
    ("This area is adjacent to a leader of the winning side.", "8.8"),
    ("An ally's area is open only when there is no other.", "14.9"),
    # 9, 14
    ("This siege is not the one in question.", "14.4"),
    ("An ultimatum wants both leaders at the city, now and when the siege began.", "14.4"),
    # 11
    ("You have no upright token here.", "11.1"),
    ("This token is out of range of your leaders.", "11.1"),
    ("You have tilted as many tokens as your supply level allows.", "11.1"),
    ("You must feed your strength level as far as you can.", "11.1"),
    ("You cannot feed with more tokens than your supply and range allow.", "11.1"),
    ("You have tilted more than that already.", "11.1"),
    ("You have no token here to pillage.", "14.5"),
    ("Only own tokens on land in range can be pillaged.", "14.5"),
    # 12
    ("This is not your leader.", "12.4"),
    ("Another leader is being moved.", "12.4"),
    ("This leader has moved already.", "12.4"),
    ("You have called to and fro: send either leader now.", "12.4"),
    ("A leader returns instead of any march.", "12.5"),
    ("A leader stands there.", "12.2"),
    ("This hex is closed in this game.", "14.8"),
    ("This is no land area.", "12.2"),
    ("This is too far: three areas over own tokens, one beyond them, none past contested land.", "12.1"),
    ("A removed leader returns to a free area next to its headquarters.", "12.5"),
    ("The other leader would be shut in at the headquarters.", "12.3"),
    ("Leaders must leave their headquarters in the first turn.", "12.3"),
)
(
    FINE,
    NOT_NOW,
    NO_RUIN,
    NO_TILE,
    HAS_TILE,
    NO_CITY,
    OWN_LEADER,
    AN_ALLY,
    NOT_ON_BOARD,
    NOT_ADJACENT,
    FOUGHT,
    NOT_FIRST,
    NOT_BEGUN,
    TOO_STRONG,
    OUT_OF_RANGE,
    NOT_REMOVED,
    NOT_RETREATING,
    ONE_STEP,
    LEADER_THERE,
    TOKEN_THERE,
    WATCHED,
    ALLYS_AREA,
    OTHER_SIEGE,
    WANTS_BOTH,
    NO_TOKEN,
    TOKEN_FAR,
    SUPPLY_SPENT,
    FEED_MORE,
    FEED_LESS,
    FED_ALREADY,
    NOTHING_TO_PILLAGE,
    PILLAGE_FAR,
    NOT_YOURS,
    OTHER_MOVES,
    HAS_MOVED,
    HAS_CALLED,
    RETURNING,
    OCCUPIED,
    CLOSED,
    NO_LAND,
    TOO_FAR,
    NOT_AT_HOME,
    SHUT_IN,
    MUST_LEAVE,
) = range(len(REFUSALS))


@rule
def phase_of(action):
    """The decision an action belongs to; ANSWER counts as COMMIT."""
    if action < A_ATTACK:
        return PLACE
    if action <= A_HOLD:
        return ATTACK
    if action < A_REMOVE:
        return COMMIT
    if action < A_RETREAT_FIRST:
        return REMOVE
    if action < A_RETREAT:
        return RETREAT_FIRST
    if action < A_BESIEGE:
        return RETREAT
    if action < A_STORM:
        return SIEGE
    if action < A_TILT:
        return FORCE
    if action < A_PILLAGE:
        return FEED
    if action <= A_END_PILLAGE:
        return PILLAGE
    return MOVE


@rule
def why_not_place(box, state, size, site):
    """4.4."""
    if site >= box.n_sites or plan_of(box, state).role[site] != CITY:
        return NO_CITY
    if state.site[site].extent != NOBODY:
        return HAS_TILE
    if not MINOR <= size <= MAJOR:
        return NO_RUIN
    if state.tiles[size] == 0:
        return NO_TILE
    return FINE


@rule
def why_not_attack(box, state, power, leader):
    """8.3 to 8.5, 14.9."""
    foe = leader >> 1
    if foe == power:
        return OWN_LEADER
    if where_is(state, leader) == NOBODY:
        return NOT_ON_BOARD
    if not is_enemy(box, state, power, foe):
        return AN_ALLY
    if can_attack(box, state, power, leader):
        return FINE
    group = group_of(box, state, power, foe, leader)
    fresh = group & pair_of(foe) & ~int(state.fought)
    if group & pair_of(power) == 0:
        return NOT_ADJACENT
    if fresh == 0:
        return FOUGHT
    if may_still_attack(box, state, power, leader):
        return NOT_FIRST
    for k in range(2):
        if group >> (2 * power + k) & 1 and is_linked_to_any(box, state, 2 * power + k, group & pair_of(foe)):
            return NOT_BEGUN
    return NOT_ADJACENT


@rule
def why_not_commit(box, state, force):
    """8.1, 14.3."""
    fight = state.fight
    power = int(fight.attacker)
    side = int(fight.side)
    if state.phase == ANSWER:
        power = int(fight.defender)
        side = int(fight.foes)
    if force <= most_to_commit(box, state, power, side):
        return FINE
    if force > state.powers[power].strength:
        return TOO_STRONG
    return OUT_OF_RANGE


@rule
def why_not_retreat(box, state, area):
    """8.8, 14.9."""
    leader = int(state.fight.mover)
    if holds(retreats_of(box, state, leader), area):
        return FINE
    at = where_is(state, leader)
    if not holds(both(those(box.near[at]), those(plan_of(box, state).land)), area):
        return ONE_STEP
    if holds(all_leaders(state), area):
        return LEADER_THERE
    if holds(enemy_tokens(box, state, leader >> 1), area):
        return TOKEN_THERE
    if holds(watched(box, state), area):
        return WATCHED
    return ALLYS_AREA


@rule
def why_not_force(box, state, power, action):
    """14.4."""
    site = site_at_hand(state)
    asked = (action - A_STORM) % SITES
    if asked != site or not can_force(box, state, power, site):
        return OTHER_SIEGE
    if A_ULTIMATUM <= action < A_WAIT and not can_give_ultimatum(box, state, power, site):
        return WANTS_BOTH
    return FINE


@rule
def why_not_tilt(box, state, power, area):
    """11.1."""
    if not holds(those(state.powers[power].upright), area):
        return NO_TOKEN
    if not holds(can_feed(state, power), area):
        return TOKEN_FAR
    if state.n_fed >= feeds_at_most(state, power):
        return SUPPLY_SPENT
    return FINE


@rule
def why_not_feed(state, power, total):
    """11.1."""
    if total > feeds_at_most(state, power):
        return FEED_LESS
    if total < feeds_at_least(state, power):
        return FEED_MORE
    if total < state.n_fed:
        return FED_ALREADY
    return FINE


@rule
def why_not_pillage(box, state, power, area):
    """14.5."""
    if holds(can_pillage(box, state, power), area):
        return FINE
    if holds(tokens_of(state, power), area):
        return PILLAGE_FAR
    return NOTHING_TO_PILLAGE


@rule
def why_not_lead(box, state, power, leader):
    """12.4, 12.5."""
    if leader >> 1 != power:
        return NOT_YOURS
    if can_lead(box, state, leader):
        return FINE
    if leader == state.mover:
        return OTHER_MOVES
    if state.moved >> leader & 1:
        return HAS_MOVED
    if state.calls >= MOST_CALLS:
        return HAS_CALLED
    if where_is(state, leader) == NOBODY and not may_return(box, state, leader):
        return RETURNING
    return TOO_FAR


@rule
def why_not_move(box, state, power, leader, area):
    """12.1 to 12.5, 14.8."""
    if leader >> 1 != power:
        return NOT_YOURS
    if state.moved >> leader & 1:
        return HAS_MOVED
    if not is_asked(box, state, leader):
        if where_is(state, leader) == NOBODY and not may_return(box, state, leader):
            return RETURNING
        return OTHER_MOVES
    if holds(destinations(box, state, leader), area):
        return FINE
    if not holds(those(box.land), area):
        return NO_LAND
    if not holds(those(plan_of(box, state).land), area):
        return CLOSED
    if is_any(both(all_leaders(state), one(area))):
        return OCCUPIED
    if where_is(state, leader) == NOBODY:
        return NOT_AT_HOME
    if is_at_home(box, state, leader) and holds(those(box.near[where_is(state, leader)]), area):
        return SHUT_IN
    return TOO_FAR


@rule
def why_not(box, state, action):
    """0 when the action is legal, else its place in REFUSALS."""
    power = int(state.power)
    phase = phase_of(action)
    if phase != state.phase and not (phase == COMMIT and state.phase == ANSWER):
        return NOT_NOW
    if phase == PLACE:
        size = (action - A_PLACE) // SITES
        return why_not_place(box, state, size, action - A_PLACE - size * SITES)
    if phase == ATTACK and action != A_HOLD:
        return why_not_attack(box, state, power, action - A_ATTACK)
    if phase == COMMIT:
        return why_not_commit(box, state, action - A_COMMIT)
    if phase == REMOVE and not can_remove(state, action - A_REMOVE):
        return NOT_REMOVED
    if phase == RETREAT_FIRST and (action - A_RETREAT_FIRST) >> 1 != retreating_power(state):
        return NOT_RETREATING
    if phase == RETREAT:
        return why_not_retreat(box, state, action - A_RETREAT)
    if phase == SIEGE:
        asked = action - A_BESIEGE
        if action >= A_SPARE:
            asked = action - A_SPARE
        if asked != site_at_hand(state):
            return OTHER_SIEGE
    if phase == FORCE:
        return why_not_force(box, state, power, action)
    if phase == FEED:
        if action >= A_FEED:
            return why_not_feed(state, power, action - A_FEED)
        return why_not_tilt(box, state, power, action - A_TILT)
    if phase == PILLAGE and action != A_END_PILLAGE:
        return why_not_pillage(box, state, power, action - A_PILLAGE)
    if phase == MOVE:
        if action == A_END_MOVES:
            if not can_end_moves(box, state):
                return MUST_LEAVE
        elif action >= A_MOVE:
            leader = (action - A_MOVE) // LANDS
            return why_not_move(box, state, power, leader, action - A_MOVE - leader * LANDS)
        else:
            return why_not_lead(box, state, power, action - A_LEAD)
    return FINE
