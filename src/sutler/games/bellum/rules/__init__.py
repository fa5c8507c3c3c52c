"""What you may do in Bellum and what it does: a file a chapter of the guide; `legal` and `apply` close it here."""

from __future__ import annotations

from sutler.core.bits import allow, allow_range, allow_word
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import CITY, LANDS, LEADERS, MAJOR, MINOR, SITES
from sutler.games.bellum.rules.battle import (
    can_attack,
    can_remove,
    do_attack,
    do_commit,
    do_hold,
    do_remove,
    do_retreat,
    do_retreat_first,
    most_to_commit,
    proceed_battle,
    retreating_power,
    retreats_of,
)
from sutler.games.bellum.rules.city import (
    can_give_ultimatum,
    can_storm,
    do_besiege,
    do_storm,
    do_ultimatum,
    proceed_city,
    site_at_hand,
)
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
    DEALT,
    LEADS,
    TURN,
    YEAR_BEGINS,
    go_on,
)
from sutler.games.bellum.rules.ending import end_by_peace, end_by_ruin
from sutler.games.bellum.rules.feed import (
    can_feed,
    can_pillage,
    do_feed,
    do_pillage,
    do_tilt,
    feeds_at_least,
    feeds_at_most,
    proceed_feed,
)
from sutler.games.bellum.rules.influence import proceed_influence
from sutler.games.bellum.rules.march import (
    can_end_moves,
    can_lead,
    destinations,
    do_end_moves,
    do_lead,
    do_move,
    is_asked,
    proceed_march,
)
from sutler.games.bellum.rules.preparation import can_place, do_place, is_prepared, proceed_preparation
from sutler.games.bellum.state import (
    ANSWER,
    ATTACK,
    BATTLE_PHASE,
    CITY_PHASE,
    COMMIT,
    FEED,
    FEED_PHASE,
    FORCE,
    INFLUENCE_PHASE,
    MOVE,
    MOVING,
    OVER,
    PILLAGE,
    PLACE,
    PREPARATION,
    REMOVE,
    RETREAT,
    RETREAT_FIRST,
    SIEGE,
    plan_of,
)

# --- The course of the game (guide 7.1) --------------------------------------


@rule
def start(box, state, events):
    """4: who leads what, and what lies already; then the first decision. A position set up midway just goes on."""
    if state.power == NOBODY and state.stage == PREPARATION:
        for k in range(state.n_powers):
            power = int(state.order[k])
            tell(events, LEADS, int(state.seat_of[power]), power)
        for site in range(box.n_sites):
            if plan_of(box, state).role[site] == CITY and state.site[site].extent != NOBODY:
                tell(events, DEALT, site, int(state.site[site].extent))
    proceed(box, state, events)


@rule
def start_turn(box, state, events):
    """7.1, 7.2: the next power in turn order; in a quiet round it only feeds and moves."""
    if state.kth == 0:
        tell(events, YEAR_BEGINS, int(state.round_no))
    state.power = state.order[state.kth]
    state.step = 0
    state.stage = BATTLE_PHASE
    if box.year[state.round_no].is_quiet == 1:
        state.stage = FEED_PHASE
    tell(events, TURN, int(state.power))


@rule
def end_turn(box, state, events):
    """13.2, 13.3: a broken power ends the game; else the next power's turn, or the next round, or peace."""
    power = int(state.power)
    if state.powers[power].supply == 0 and state.powers[power].strength == 0:
        end_by_ruin(box, state, events, power)
        return
    state.kth += 1
    if state.kth >= state.n_powers:
        state.kth = 0
        state.round_no += 1
        if box.year[state.round_no].is_peace == 1:
            end_by_peace(box, state, events)
            return
    start_turn(box, state, events)


@rule
def proceed(box, state, events):
    """7.1: battle, city, influence, feed, leader, until somebody has a decision to make or the game is over."""
    while state.phase == MOVING:
        if state.stage == PREPARATION:
            if is_prepared(box, state):
                state.kth = 0
                start_turn(box, state, events)
            else:
                proceed_preparation(box, state)
        elif state.stage == BATTLE_PHASE:
            proceed_battle(box, state, events)
        elif state.stage == CITY_PHASE:
            proceed_city(box, state, events)
        elif state.stage == INFLUENCE_PHASE:
            proceed_influence(box, state, events)
        elif state.stage == FEED_PHASE:
            proceed_feed(box, state, events)
        elif proceed_march(box, state):
            end_turn(box, state, events)


# --- What is legal -----------------------------------------------------------


@rule
def allow_areas(out, first, areas):
    """Allow an action for every area of a set; a land block has room for LANDS of them."""
    allow_word(out, first, areas[0])
    allow_word(out, first + 64, areas[1])


@rule
def legal(box, state, out):
    """Every action the seat to act may take now."""
    phase = int(state.phase)
    power = int(state.power)
    if phase == MOVE:
        for leader in range(2 * power, 2 * power + 2):
            if is_asked(box, state, leader):
                allow_areas(out, A_MOVE + leader * LANDS, destinations(box, state, leader))
            if can_lead(box, state, leader):
                allow(out, A_LEAD + leader)
        if can_end_moves(box, state):
            allow(out, A_END_MOVES)
    elif phase == FEED:
        most = feeds_at_most(state, power)
        if state.n_fed < most:
            areas = can_feed(state, power)
            allow_areas(out, A_TILT, areas)
            allow_word(out, A_TILT + 128, areas[2])
        least = max(feeds_at_least(state, power), int(state.n_fed))
        allow_range(out, A_FEED + least, most - least + 1)
    elif phase == ATTACK:
        for leader in range(LEADERS):
            if can_attack(box, state, power, leader):
                allow(out, A_ATTACK + leader)
        allow(out, A_HOLD)
    elif phase == COMMIT:
        allow_range(out, A_COMMIT, most_to_commit(box, state, int(state.fight.attacker), int(state.fight.side)) + 1)
    elif phase == ANSWER:
        allow_range(out, A_COMMIT, most_to_commit(box, state, int(state.fight.defender), int(state.fight.foes)) + 1)
    elif phase == RETREAT:
        allow_areas(out, A_RETREAT, retreats_of(box, state, int(state.fight.mover)))
    elif phase == PLACE:
        for size in range(MINOR, MAJOR + 1):
            for site in range(box.n_sites):
                if can_place(box, state, size, site):
                    allow(out, A_PLACE + size * SITES + site)
    elif phase == FORCE:
        site = site_at_hand(state)
        if can_storm(box, state, power, site):
            allow(out, A_STORM + site)
        if can_give_ultimatum(box, state, power, site):
            allow(out, A_ULTIMATUM + site)
        allow(out, A_WAIT + site)
    elif phase == SIEGE:
        allow(out, A_BESIEGE + site_at_hand(state))
        allow(out, A_SPARE + site_at_hand(state))
    elif phase == PILLAGE:
        allow_areas(out, A_PILLAGE, can_pillage(box, state, power))
        allow(out, A_END_PILLAGE)
    elif phase == REMOVE:
        for leader in range(LEADERS):
            if can_remove(state, leader):
                allow(out, A_REMOVE + leader)
    elif phase == RETREAT_FIRST:
        retreating = retreating_power(state)
        allow_range(out, A_RETREAT_FIRST + 2 * retreating, 2)


# --- What it does ------------------------------------------------------------


@rule
def apply_battle(box, state, events, power, action):
    """8: an action of the battle phase."""
    if action < A_HOLD:
        do_attack(box, state, events, power, action - A_ATTACK)
    elif action == A_HOLD:
        do_hold(state)
    elif action < A_REMOVE:
        do_commit(box, state, events, action - A_COMMIT)
    elif action < A_RETREAT_FIRST:
        do_remove(box, state, events, action - A_REMOVE)
    elif action < A_RETREAT:
        do_retreat_first(state, action - A_RETREAT_FIRST)
    else:
        do_retreat(box, state, events, action - A_RETREAT)


@rule
def apply_city(box, state, events, power, action):
    """9: an action of the city phase."""
    if action < A_SPARE:
        do_besiege(box, state, events, power, action - A_BESIEGE)
    elif A_STORM <= action < A_ULTIMATUM:
        do_storm(box, state, events, power, action - A_STORM)
    elif A_ULTIMATUM <= action < A_WAIT:
        do_ultimatum(box, state, events, power, action - A_ULTIMATUM)
    else:
        go_on(state)


@rule
def apply(box, state, events, action):
    """Take a legal action for the seat to act, and go on to the next decision or the end."""
    power = int(state.power)
    if action >= A_MOVE:
        if action == A_END_MOVES:
            do_end_moves(state)
        else:
            leader = (action - A_MOVE) // LANDS
            do_move(box, state, events, leader, action - A_MOVE - leader * LANDS)
    elif A_TILT <= action < A_FEED:
        do_tilt(state, power, action - A_TILT)
    elif A_FEED <= action < A_PILLAGE:
        do_feed(box, state, events, power, action - A_FEED)
    elif action >= A_LEAD:
        do_lead(state, action - A_LEAD)
    elif action >= A_PILLAGE:
        if action == A_END_PILLAGE:
            go_on(state)
        else:
            do_pillage(box, state, power, action - A_PILLAGE)
    elif action < A_ATTACK:
        size = (action - A_PLACE) // SITES
        do_place(box, state, events, size, action - A_PLACE - size * SITES)
    elif action < A_BESIEGE:
        apply_battle(box, state, events, power, action)
    else:
        apply_city(box, state, events, power, action)
    proceed(box, state, events)


@rule
def is_midway(box, state):
    """Has the seat to act begun something that it must carry through?"""
    return state.phase in (COMMIT, ANSWER, REMOVE, RETREAT_FIRST, RETREAT) or (state.phase == FEED and state.n_fed > 0)


@rule
def is_over(state):
    """13: has the game ended?"""
    return state.phase == OVER
