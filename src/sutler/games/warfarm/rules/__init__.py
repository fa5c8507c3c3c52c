"""What you may do in WARFARM and what it does: a file for some chapters of the guide; `legal` and `apply` close it here."""

from __future__ import annotations

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    EXPLORER,
    HOLES,
    KARMA,
    LAND_FARMER,
    LAND_SOLDIER,
    N_SPOTS,
    REINFORCEMENT,
    SEATS,
    SLOTS,
    START_THINGS,
    THINGS,
    TRAP_SOLDIER,
)
from sutler.games.warfarm.rules.attack import (
    allow_attacks,
    allow_karma,
    allow_targets,
    do_hit_card,
    do_hit_land,
    do_hit_trap,
    do_hit_unit,
    do_hurl,
    do_karma_unit,
    do_ready,
    do_send,
    do_strike,
    do_strip,
    has_attack,
    proceed_karma,
    proceed_life,
    struck,
)
from sutler.games.warfarm.rules.build import (
    allow_building,
    allow_posts,
    allow_recalls,
    do_build,
    do_post,
    do_recall_card,
    do_recall_land,
    do_recall_trap,
    do_work,
    has_something_to_build,
    proceed_posts,
)
from sutler.games.warfarm.rules.common import (
    A_ARM_CARD,
    A_ARM_LAND,
    A_BEGIN,
    A_BIND,
    A_BUILD,
    A_DRAW,
    A_DROP,
    A_DROP_CARD,
    A_DROP_MIRACLE,
    A_DROP_TRAP,
    A_END_ATTACK,
    A_END_BUILD,
    A_END_EXPLORE,
    A_END_PLAY,
    A_END_POSTS,
    A_END_RECALL,
    A_ENOUGH,
    A_EXPLORE,
    A_EXTINGUISH,
    A_GUARD_CARD,
    A_GUARD_LAND,
    A_GUARD_TRAP,
    A_HIT_CARD,
    A_HIT_LAND,
    A_HIT_TRAP,
    A_HURL,
    A_KEEP,
    A_LEAVE,
    A_LIGHT,
    A_PLAY,
    A_RAID,
    A_READY,
    A_RECALL_CARD,
    A_RECALL_LAND,
    A_RECALL_TRAP,
    A_REVEAL,
    A_SEIZE,
    A_SEND,
    A_STRIKE_CARD,
    A_STRIKE_LAND,
    A_STRIKE_TRAP,
    A_STRIP,
    A_TAKE,
    A_UNIT,
    A_USE,
    A_WORK,
    BEGINS,
    ROUND,
    ask,
    destroy_card,
    destroy_land,
    destroy_trap,
    enter,
    go_on,
    receive,
)
from sutler.games.warfarm.rules.ending import (
    allow_drops,
    allow_exploring,
    allow_trap,
    ask_at_once,
    do_dismiss,
    do_drop,
    do_drop_card,
    do_drop_miracle,
    do_drop_trap,
    do_explore,
    do_keep,
    do_reveal,
    do_surrender,
    next_trap,
    proceed_end,
    proceed_explore,
    settle_fates,
)
from sutler.games.warfarm.rules.play import (
    allow_decks,
    allow_seizing,
    allow_things,
    allow_units,
    allow_uses,
    can_extinguish,
    can_play,
    do_bind,
    do_draw,
    do_extinguish,
    do_pick,
    do_play,
    do_seize,
    do_take,
    do_use,
    is_like_earlier,
    is_opponent,
    proceed_card,
    proceed_play,
    remember_decks,
)
from sutler.games.warfarm.rules.upkeep import (
    begin_turn,
    can_raid_farmers,
    do_leave,
    do_light,
    do_raid_farmer,
    do_raid_land,
    is_farmer_spot,
    proceed_start,
    proceed_yield,
)
from sutler.games.warfarm.state import (
    ATTACKING,
    BEGIN,
    BUILD,
    BUILDING,
    CALL_OVER,
    CHOOSE_DECK,
    CHOOSE_THING,
    DEFENDING,
    EXPLORE,
    EXPLORING,
    KARMA_JOB,
    LIFE_JOB,
    LOSE,
    MAKE_PEACE,
    MOVING,
    NO_JOB,
    OFFER_UP,
    OVER,
    PLAY,
    PLAYING,
    POST,
    RAID,
    RECALL,
    SEIZE,
    SPRING,
    START,
    STORM,
    STRIKE_BACK,
    TARGET,
    TORCH,
    TRIM_CARDS,
    TRIM_UNITS,
    YIELD,
    nth_after,
)

# --- The course of the game (guide 1.8, 2.3) -----------------------------------------


@rule
def start(box, state, events):
    """2.3: the starting seat chooses first."""
    ask(state, BEGIN, int(state.first))


@rule
def do_begin(box, state, events, seat, thing):
    """2.3: one thing more; when all have chosen, the first turn begins."""
    receive(state, seat, THINGS[thing], 1)
    tell(events, BEGINS, seat, thing)
    state.turn_k += 1
    if state.turn_k < SEATS:
        ask(state, BEGIN, nth_after(state.first, state.turn_k))
    else:
        state.round_no = 1
        tell(events, ROUND, 1)
        begin_turn(box, state, events, int(state.first))


@rule
def proceed(box, state, events):
    """1.8: step by step, turn by turn, until somebody has a decision to make or the game is over."""
    while state.phase == MOVING:
        settle_fates(box, state, events)
        if state.phase == MOVING:
            if box.options.unlock_once == 1:
                remember_decks(box, state)
            seat = int(state.active)
            if box.options.traps_optional == 0 or not ask_at_once(box, state):
                if state.job == NO_JOB:
                    proceed_step(box, state, events, seat)
                elif state.job == LIFE_JOB:
                    proceed_life(state, seat)
                elif state.job == KARMA_JOB:
                    proceed_karma(state)
                else:
                    proceed_card(box, state, events, seat)


@rule
def proceed_step(box, state, events, seat):
    """1.8: on with the running step."""
    step = state.step
    if step == START:
        proceed_start(box, state, events, seat)
    elif step == YIELD:
        proceed_yield(box, state, events, seat)
    elif step == PLAYING:
        proceed_play(box, state, events, seat)
    elif step == BUILDING:
        proceed_build(box, state, events, seat)
    elif step == DEFENDING:
        proceed_posts(box, state, events, seat)
    elif step == ATTACKING:
        proceed_attack(box, state, events, seat)
    elif step == EXPLORING:
        proceed_explore(box, state, events, seat)
    else:
        proceed_end(box, state, events, seat)


@rule
def proceed_build(box, state, events, seat):
    """5, 12.3: build; then Forced Reinforcement."""
    if state.part == 0:
        if has_something_to_build(box, state, seat):
            ask(state, BUILD, seat)
        else:
            end_asking(state)
    elif not next_trap(box, state, events, REINFORCEMENT):
        enter(state, DEFENDING)


@rule
def proceed_attack(box, state, events, seat):
    """7, 12.10: attack; then Defenseless Karma."""
    if state.part == 0:
        if has_attack(state, seat):
            ask(state, STORM, seat)
        else:
            end_asking(state)
    elif not next_trap(box, state, events, KARMA):
        enter(state, EXPLORING)


@rule
def end_asking(state):
    """The active seat has done in this step what it wanted; now the Traps."""
    state.part = 1
    state.trap_k = 0
    go_on(state)


# --- What is legal ------------------------------------------------------------------------


@rule
def legal(box, state, out):
    """Mark every action id that the seat to act may take. `out` is all zeros when called."""
    phase = state.phase
    seat = int(state.to_act)
    if phase == PLAY:
        for card in range(box.n_cards):
            if can_play(box, state, seat, card):
                allow(out, A_PLAY + card)
        allow_uses(box, state, seat, out)
        if can_extinguish(box, state, seat):
            allow(out, A_EXTINGUISH)
        allow(out, A_END_PLAY)
    elif phase == BUILD:
        allow_building(box, state, seat, out)
    elif phase == RECALL:
        allow_recalls(state, seat, out)
    elif phase == POST:
        allow_posts(box, state, seat, out)
    elif phase == STORM:
        allow_attacks(box, state, seat, out)
    elif phase == TARGET:
        allow_targets(box, state, seat, out)
    elif phase == EXPLORE:
        allow_exploring(box, state, seat, out)
    elif phase == TRIM_CARDS:
        allow_drops(box, state, seat, out)
    elif phase in (TRIM_UNITS, LOSE):
        allow_units(box, state, seat, out, True)
    else:
        allow_rarer(box, state, seat, out)


@rule
def allow_rarer(box, state, seat, out):
    """The choices that come seldom."""
    phase = state.phase
    if phase == BEGIN:
        for thing in START_THINGS:
            allow(out, A_BEGIN + thing)
    elif phase == RAID:
        allow(out, A_RAID)
        allow_raids(box, state, int(state.victim), out)
    elif phase == TORCH:
        allow(out, A_LIGHT)
        allow(out, A_LEAVE)
    elif phase == CHOOSE_THING:
        allow_things(box, state, seat, out)
    elif phase == CHOOSE_DECK:
        allow_decks(box, state, seat, out)
    elif phase == MAKE_PEACE:
        for other in range(SEATS):
            if is_opponent(state, seat, other):
                allow(out, A_BIND + other)
    elif phase == SEIZE:
        allow_seizing(box, state, seat, out)
    elif phase == OFFER_UP:
        for owner in range(SEATS):
            allow_units(box, state, owner, out, False)
        allow(out, A_ENOUGH)
    elif phase == CALL_OVER:
        for owner in range(SEATS):
            if owner != seat:
                allow_units(box, state, owner, out, False)
    elif phase == STRIKE_BACK:
        allow_karma(box, state, out)
    elif phase == SPRING:
        allow_trap(box, state, seat, out)


@rule
def allow_raids(box, state, host, out):
    """3.2: the Farmers that a visiting Disciple may take."""
    if can_raid_farmers(state, host):
        first = A_UNIT + host * N_SPOTS
        for spot in (0, LAND_FARMER):
            if is_farmer_spot(box, state, host, spot):
                allow(out, first + spot)
        for slot in range(state.seats[host].n_table):
            if is_like_earlier(state, host, slot):
                continue
            if is_farmer_spot(box, state, host, CARD_FARMER + slot):
                allow(out, first + CARD_FARMER + slot)
            if is_farmer_spot(box, state, host, CARD_WORKER + slot):
                allow(out, first + CARD_WORKER + slot)


# --- What it does ---------------------------------------------------------------------------


@rule
def apply_unit(box, state, events, seat, owner, spot):
    """A unit has been picked, for whatever is being asked."""
    phase = state.phase
    if phase == TARGET:
        do_hit_unit(box, state, events, seat, owner, spot)
    elif phase == TRIM_UNITS:
        do_dismiss(box, state, events, seat, spot)
    elif phase == RAID:
        do_raid_farmer(box, state, events, seat, spot)
    elif phase == STRIKE_BACK:
        do_karma_unit(box, state, events, seat, spot)
    else:
        do_pick(box, state, events, seat, owner, spot)


@rule
def apply_hit(box, state, events, seat, action):
    """Farmland, a card or a Trap has been chosen as target."""
    if state.phase == TARGET:
        if action < A_HIT_CARD:
            do_hit_land(box, state, events, seat, action - A_HIT_LAND)
        elif action < A_HIT_TRAP:
            place = action - A_HIT_CARD
            do_hit_card(box, state, events, seat, place // SLOTS, place % SLOTS)
        else:
            place = action - A_HIT_TRAP
            do_hit_trap(box, state, events, seat, place // HOLES, place % HOLES)
    else:
        victim = struck(state)
        if action < A_HIT_CARD:
            destroy_land(box, state, events, seat, victim)
        elif action < A_HIT_TRAP:
            destroy_card(box, state, events, seat, victim, (action - A_HIT_CARD) % SLOTS)
        else:
            destroy_trap(box, state, events, seat, victim, (action - A_HIT_TRAP) % HOLES)
        state.left -= 1
        go_on(state)


@rule
def apply_card(box, state, events, seat, action):
    """4: an action of playing and using cards, or of a card at work."""
    if action < A_USE:
        do_play(box, state, events, seat, action - A_PLAY)
    elif action < A_EXTINGUISH:
        do_use(box, state, events, seat, action - A_USE)
    elif action == A_EXTINGUISH:
        do_extinguish(box, state, events, seat)
    elif action == A_END_PLAY:
        enter(state, BUILDING)
        go_on(state)
    elif action < A_BIND:
        do_take(box, state, events, seat, action - A_TAKE)
    elif action < A_SEIZE:
        do_bind(box, state, events, seat, action - A_BIND)
    elif action < A_DRAW:
        place = action - A_SEIZE
        do_seize(box, state, events, seat, place // SLOTS, place % SLOTS)
    else:
        do_draw(box, state, events, seat, action - A_DRAW)


@rule
def apply_post(box, state, events, seat, action):
    """6: an action of the defend step."""
    if action == A_RECALL_LAND:
        do_recall_land(state, events, seat)
    elif action < A_RECALL_TRAP:
        do_recall_card(box, state, events, seat, action - A_RECALL_CARD)
    elif action < A_END_RECALL:
        do_recall_trap(state, events, seat, action - A_RECALL_TRAP)
    elif action == A_END_RECALL:
        state.part = 1
        go_on(state)
    elif action == A_GUARD_LAND:
        do_post(box, state, events, seat, LAND_SOLDIER)
    elif action < A_GUARD_TRAP:
        do_post(box, state, events, seat, CARD_SOLDIER + action - A_GUARD_CARD)
    elif action < A_ARM_LAND:
        do_post(box, state, events, seat, TRAP_SOLDIER + action - A_GUARD_TRAP)
    elif action == A_ARM_LAND:
        do_post(box, state, events, seat, LAND_FARMER)
    elif action < A_WORK:
        do_post(box, state, events, seat, CARD_FARMER + action - A_ARM_CARD)
    elif action < A_END_POSTS:
        do_work(box, state, events, seat, action - A_WORK)
    else:
        state.part = 2
        go_on(state)


@rule
def apply_attack(box, state, events, seat, action):
    """7: an action of the attack step."""
    if action < A_STRIKE_LAND:
        do_ready(state, seat, action - A_READY)
    elif action == A_STRIKE_LAND:
        do_strike(state, seat, LAND_SOLDIER)
    elif action < A_STRIKE_TRAP:
        do_strike(state, seat, CARD_SOLDIER + action - A_STRIKE_CARD)
    elif action < A_HURL:
        do_strike(state, seat, TRAP_SOLDIER + action - A_STRIKE_TRAP)
    elif action < A_SEND:
        do_hurl(box, state, events, seat, action - A_HURL)
    elif action < A_END_ATTACK:
        do_send(state, events, seat, action - A_SEND)
    elif action == A_END_ATTACK:
        end_asking(state)
    elif action < A_STRIP:
        apply_hit(box, state, events, seat, action)
    else:
        do_strip(box, state, events, seat, action - A_STRIP)


@rule
def apply_late(box, state, events, seat, action):
    """8, 9, 10: exploring, discarding, Traps, surrender."""
    if action < A_END_EXPLORE:
        do_explore(state, events, seat, action - A_EXPLORE)
    elif action == A_END_EXPLORE:
        state.part = 1
        go_on(state)
    elif action < A_DROP_CARD:
        do_drop(state, events, seat, action - A_DROP)
    elif action < A_DROP_TRAP:
        do_drop_card(box, state, events, seat, action - A_DROP_CARD)
    elif action < A_DROP_MIRACLE:
        do_drop_trap(box, state, events, seat, action - A_DROP_TRAP)
    elif action < A_REVEAL:
        do_drop_miracle(state, events, seat, action - A_DROP_MIRACLE)
    elif action == A_REVEAL:
        do_reveal(box, state, events, seat)
    elif action == A_KEEP:
        do_keep(state, seat)
    else:
        do_surrender(box, state, events, seat)


@rule
def apply(box, state, events, action):
    """Take a legal action for the seat to act, and go on to the next decision or the end."""
    seat = int(state.to_act)
    if action < A_PLAY:
        if action < A_RAID:
            do_begin(box, state, events, seat, action - A_BEGIN)
        elif action == A_RAID:
            do_raid_land(box, state, events, seat)
        elif action == A_LIGHT:
            do_light(box, state, events, seat)
        else:
            do_leave(state)
    elif action < A_UNIT:
        apply_card(box, state, events, seat, action)
    elif action < A_ENOUGH:
        place = action - A_UNIT
        apply_unit(box, state, events, seat, place // N_SPOTS, place % N_SPOTS)
    elif action == A_ENOUGH:
        state.left = 0
        go_on(state)
    elif action < A_END_BUILD:
        do_build(box, state, events, seat, EXPLORER + action - A_BUILD)
    elif action == A_END_BUILD:
        end_asking(state)
    elif action < A_READY:
        apply_post(box, state, events, seat, action)
    elif action < A_EXPLORE:
        apply_attack(box, state, events, seat, action)
    else:
        apply_late(box, state, events, seat, action)
    proceed(box, state, events)


@rule
def is_midway(box, state):
    """Has the seat to act begun something that it must carry through?"""
    return state.phase in (CHOOSE_THING, CHOOSE_DECK, MAKE_PEACE, SEIZE, OFFER_UP, CALL_OVER, TARGET, STRIKE_BACK)


@rule
def is_over(state):
    """14: has the game ended?"""
    return state.phase == OVER
