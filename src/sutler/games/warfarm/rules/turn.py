"""The course of the game (guide 1.8, 2.3): step by step, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.warfarm.box import FARMLAND, HOME, KARMA, SEATS, START_THINGS, THINGS
from sutler.games.warfarm.phases_actions_events import E, P, R
from sutler.games.warfarm.rules.attack import has_attack
from sutler.games.warfarm.rules.build import proceed_build
from sutler.games.warfarm.rules.chosen_units import proceed_card
from sutler.games.warfarm.rules.common import end_asking, end_job, enter
from sutler.games.warfarm.rules.exploring_and_turn_end import can_drop_any, card_count, proceed_explore
from sutler.games.warfarm.rules.goods import receive
from sutler.games.warfarm.rules.karma import proceed_karma
from sutler.games.warfarm.rules.play import proceed_play
from sutler.games.warfarm.rules.posts import proceed_posts
from sutler.games.warfarm.rules.targets import proceed_life
from sutler.games.warfarm.rules.traps import ask_at_once, next_trap
from sutler.games.warfarm.rules.upkeep import begin_turn, proceed_start, proceed_yield
from sutler.games.warfarm.rules.use import remember_decks
from sutler.games.warfarm.rules.winning import check_wins, end_round, remove_the_landless
from sutler.games.warfarm.state import (
    ATTACKING,
    BUILDING,
    DEFENDING,
    EXPLORING,
    KARMA_JOB,
    LIFE_JOB,
    NO_JOB,
    PLAYING,
    START,
    YIELD,
    n_units,
    nth_seat_after,
)

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.warfarm.records import Box, State

# --- The beginning (guide 2.3) -------------------------------------------------------------


@rule
def start(box: Box, state: State, events: Events) -> None:
    """2.3: the starting seat chooses first."""
    ask(state, P.begin, int(state.first))


@rule
def why_not_begin(box: Box, state: State, seat: int, thing: int) -> int:
    """2.3: a Farmer, a Steel or a Religion."""
    if thing not in START_THINGS:
        return R.not_to_begin
    return R.fine


@rule
def do_begin(box: Box, state: State, events: Events, seat: int, thing: int) -> None:
    """2.3: one thing more; when all have chosen, the first turn begins."""
    receive(state, seat, THINGS[thing], 1)
    tell(events, E.begins, seat, thing)
    state.turn_k += 1
    if state.turn_k < SEATS:
        ask(state, P.begin, nth_seat_after(state.first, state.turn_k))
    else:
        state.round_no = 1
        tell(events, E.round, 1)
        begin_turn(box, state, events, int(state.first))


# --- Steps (guide 1.8) -----------------------------------------------------------------------


@rule
def proceed(box: Box, state: State, events: Events) -> None:
    """1.8: step by step, turn by turn, until somebody has a decision to make or the game is over."""
    while state.phase == P.moving:
        settle_fates(box, state, events)
        if state.phase == P.moving:
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
def proceed_step(box: Box, state: State, events: Events, seat: int) -> None:
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
def proceed_attack(box: Box, state: State, events: Events, seat: int) -> None:
    """7, 12.10: attack; then Defenseless Karma."""
    if state.part == 0:
        if has_attack(state, seat):
            ask(state, P.attack, seat)
        else:
            end_asking(state)
    elif not next_trap(box, state, events, KARMA):
        enter(state, EXPLORING)


@rule
def proceed_end(box: Box, state: State, events: Events, seat: int) -> None:
    """9: first units, then cards; then the next seat's turn."""
    me = state.seats[seat]
    if n_units(state, seat) > me.goods[FARMLAND]:
        ask(state, P.trim_units, seat)
    elif card_count(box, state, seat) > me.goods[FARMLAND] and can_drop_any(box, state, seat):
        ask(state, P.trim_cards, seat)
    else:
        me.praying = me.spots[HOME]
        pass_turn(box, state, events)


# --- Turns (guide 1.8, 14.5) -------------------------------------------------------------------


@rule
def pass_turn(box: Box, state: State, events: Events) -> None:
    """1.8: the next seat still in the game; a round is over when the turn passes the seat that began."""
    seat = int(state.active)
    is_round_over = False
    for _ in range(SEATS):
        seat = nth_seat_after(seat, 1)
        if seat == state.first:
            is_round_over = True
        if state.seats[seat].is_alive == 1:
            break
    if is_round_over:
        end_round(box, state, events)
    if state.phase != P.over:
        begin_turn(box, state, events, seat)


@rule
def settle_fates(box: Box, state: State, events: Events) -> None:
    """14.5, 14.7: who is out, who has won; without its seat a turn ends."""
    remove_the_landless(box, state, events)
    check_wins(box, state, events)
    if state.phase != P.over and state.seats[state.active].is_alive == 0:
        end_job(state)
        pass_turn(box, state, events)
