"""Traps at the end of a step (guide 10), exploring (8), the end of a turn (9), and winning and losing (14)."""

from __future__ import annotations

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    AMBUSH,
    AWAY,
    CAMP,
    CARDS,
    DECKS,
    EXPLORER,
    FARMLAND,
    FIELD,
    HOME,
    KARMA,
    MARTYRDOM,
    MIRACLE,
    MONK,
    REINFORCEMENT,
    SEATS,
    SOLDIER,
    VISITING,
)
from sutler.games.warfarm.rules.attack import start_karma
from sutler.games.warfarm.rules.common import (
    A_DROP,
    A_DROP_CARD,
    A_DROP_MIRACLE,
    A_DROP_TRAP,
    A_END_EXPLORE,
    A_EXPLORE,
    A_KEEP,
    A_REVEAL,
    DESTROYED,
    DISMISSED,
    DROPPED,
    EXPLORES,
    ROUND,
    SURRENDERED,
    TAKEN,
    WENT_OUT,
    WON_FARM,
    WON_GROWTH,
    WON_MILITARY,
    WON_MIRACLES,
    WON_STANDSTILL,
    WON_TIME,
    add_units,
    answer,
    ask,
    draw_card,
    end_job,
    enter,
    give_up_everything,
    go_on,
    hole_of,
    leave_hand,
    may_hold,
    note_loss,
    own_spot_of,
    remove_unit,
    spring,
    stir,
    take_off_table,
    take_up_trap,
)
from sutler.games.warfarm.rules.play import is_like_earlier, is_opponent, is_trap_like_earlier, is_unlocked
from sutler.games.warfarm.rules.upkeep import begin_turn
from sutler.games.warfarm.scoring import has_farm_win, has_growth_win, has_miracles_win
from sutler.games.warfarm.state import (
    BY_FARM,
    BY_GROWTH,
    BY_MILITARY,
    BY_MIRACLES,
    BY_STANDSTILL,
    BY_TIME,
    ENDING,
    EXPLORE,
    KARMA_JOB,
    NOT_WON,
    OVER,
    SPRING,
    TRIM_CARDS,
    TRIM_UNITS,
    n_alive,
    n_cards,
    n_units,
    nth_after,
)

# --- Traps that wait for the end of a step (guide 10) -----------------------------------


@rule
def is_triggered(box, state, seat, does):
    """12.3, 12.7, 12.10: has the active seat done what this Trap of the seat waits for?"""
    if not is_opponent(state, state.active, seat):
        return False
    if does == REINFORCEMENT:
        return state.n_built > 0 and state.seats[state.active].goods[SOLDIER] > 0
    if does == AMBUSH:
        for deck in range(DECKS):
            if state.seats[state.active].spots[AWAY + deck] > 0:
                return True
        return False
    robber = int(state.robber[seat])
    return state.lost[seat] > karma_bar(box) and robber != NOBODY and state.seats[robber].is_alive == 1


@rule
def karma_bar(box):
    """12.10: a loss up to this is borne."""
    bar = 0
    for card in range(CARDS):
        if box.card[card].does == KARMA:
            bar = int(box.card[card].above)
    return bar


@rule
def next_trap(box, state, events, does):
    """10.2: the Traps of one kind, from the active seat on. True while an owner is asked or strikes back."""
    while state.trap_k < SEATS - 1:
        state.trap_k += 1
        seat = nth_after(state.active, state.trap_k)
        if is_triggered(box, state, seat, does):
            if box.options.traps_optional == 1:
                if may_hold(box, state, seat, does):
                    state.trap_does = does
                    ask(state, SPRING, seat)
                    return True
            elif hole_of(box, state, seat, does) >= 0:
                set_off(box, state, events, seat, does)
                if state.job == KARMA_JOB:
                    return True
    return False


@rule
def set_off(box, state, events, seat, does):
    """12.3, 12.7, 12.10: the Trap works; an equal one of the next seat stays where it is, Karma alone springs for each."""
    if does != KARMA:
        state.trap_k = SEATS
    if does == REINFORCEMENT:
        spring(box, state, events, seat, does)
        remove_unit(box, state, state.active, own_spot_of(box, state, state.active, SOLDIER))
        note_loss(box, state, int(state.active), 1, seat)
        add_units(state, seat, SOLDIER, 1)
        tell(events, TAKEN, seat, 1, SOLDIER, state.active)
    elif does == AMBUSH:
        spring(box, state, events, seat, does)
        ambush(box, state, events, seat)
    else:
        start_karma(box, state, events, seat)


@rule
def ambush(box, state, events, seat):
    """12.7: the Explorers die; each brings the Trap's owner a card from its deck, unlocked or not."""
    them = state.seats[state.active]
    for deck in range(DECKS):
        n = int(them.spots[AWAY + deck])
        if n > 0:
            them.spots[AWAY + deck] = 0
            them.goods[EXPLORER] -= n
            note_loss(box, state, int(state.active), n, seat)
            tell(events, DESTROYED, seat, n, EXPLORER, state.active)
            for _ in range(n):
                draw_card(box, state, events, seat, deck)


@rule
def allow_trap(box, state, seat, out):
    """10.3: spring it or hold it back. Who has another Trap of that deck is asked too, and can only hold back."""
    if hole_of(box, state, seat, int(state.trap_does)) >= 0:
        allow(out, A_REVEAL)
    allow(out, A_KEEP)


@rule
def ask_at_once(box, state):
    """10.3: with option 15.7, Martyrdom and Ascetic Monk wait for their owner's word. True when somebody is asked."""
    for k in range(SEATS):
        seat = nth_after(state.active, k)
        if state.martyrs[seat] > 0 or state.monks[seat] > 0:
            state.trap_does = MONK
            if state.martyrs[seat] > 0:
                state.trap_does = MARTYRDOM
            if state.seats[seat].is_alive == 1 and may_hold(box, state, seat, state.trap_does):
                ask(state, SPRING, seat)
                return True
            forget_call(state, seat)
    return False


@rule
def forget_call(state, seat):
    """10.3: one call of Martyrdom or Ascetic Monk is settled."""
    if state.trap_does == MARTYRDOM:
        state.martyrs[seat] -= 1
    else:
        state.monks[seat] -= 1


@rule
def do_reveal(box, state, events, seat):
    """10.3: the owner springs the Trap."""
    does = int(state.trap_does)
    go_on(state)
    if does == MARTYRDOM or does == MONK:
        forget_call(state, seat)
        answer(box, state, events, seat, does)
    else:
        set_off(box, state, events, seat, does)


@rule
def do_keep(state, seat):
    """10.3: the owner holds it back."""
    if state.trap_does == MARTYRDOM or state.trap_does == MONK:
        forget_call(state, seat)
    go_on(state)


# --- Exploring and farming (guide 8) -----------------------------------------------------


@rule
def do_explore(state, events, seat, deck):
    """8.1: an Explorer goes to a deck and is back next turn."""
    state.seats[seat].spots[CAMP] -= 1
    state.seats[seat].spots[AWAY + deck] += 1
    stir(state)
    tell(events, EXPLORES, seat, deck)
    go_on(state)


@rule
def allow_exploring(box, state, seat, out):
    """8.1, 8.2: the decks that are unlocked now."""
    for deck in range(DECKS):
        if is_unlocked(box, state, seat, deck):
            allow(out, A_EXPLORE + deck)
    allow(out, A_END_EXPLORE)


@rule
def proceed_explore(box, state, events, seat):
    """8: explore, then farm; then Guards fall upon the Explorers (12.7)."""
    if state.part == 0 and state.seats[seat].spots[CAMP] > 0:
        ask(state, EXPLORE, seat)
    elif state.part <= 1:
        state.seats[seat].farming = max(0, state.seats[seat].spots[FIELD] - state.n_operators)
        state.trap_k = 0
        state.part = 2
    elif not next_trap(box, state, events, AMBUSH):
        enter(state, ENDING)


# --- End of the turn (guide 9) ---------------------------------------------------------------


@rule
def card_count(box, state, seat):
    """9.2: the cards that count against the limit (15.6: those in the hand only)."""
    if box.options.hand_limit_only == 1:
        return int(state.seats[seat].n_hand)
    return n_cards(state, seat)


@rule
def can_drop_any(box, state, seat):
    """9.2: a Permanent stays; is there anything else to discard?"""
    me = state.seats[seat]
    if me.n_hand > 0:
        return True
    if box.options.hand_limit_only == 1:
        return False
    if me.n_table > 0 or me.n_traps > 0:
        return True
    for card in range(CARDS):
        if me.shown[card] > 0 and box.card[card].type == MIRACLE:
            return True
    return False


@rule
def allow_drops(box, state, seat, out):
    """9.2: cards of one's choice; equal ones once."""
    me = state.seats[seat]
    for card in range(CARDS):
        if me.hand[card] > 0:
            allow(out, A_DROP + card)
    if box.options.hand_limit_only == 1:
        return
    for card in range(CARDS):
        if me.shown[card] > 0 and box.card[card].type == MIRACLE:
            allow(out, A_DROP_MIRACLE + card)
    for slot in range(me.n_table):
        if not is_like_earlier(state, seat, slot):
            allow(out, A_DROP_CARD + slot)
    for hole in range(me.n_traps):
        if not is_trap_like_earlier(box, state, seat, hole, True):
            allow(out, A_DROP_TRAP + hole)


@rule
def do_dismiss(box, state, events, seat, spot):
    """9.1: a unit is given up; nobody mourns it."""
    tell(events, DISMISSED, seat, spot)
    remove_unit(box, state, seat, spot)
    go_on(state)


@rule
def do_drop(state, events, seat, card):
    """9.2: a card from the hand."""
    leave_hand(state, seat, card)
    note_drop(state, events, seat, card)


@rule
def do_drop_card(box, state, events, seat, slot):
    """9.2: a Table card; whoever stands on it goes home."""
    note_drop(state, events, seat, take_off_table(box, state, seat, slot))


@rule
def do_drop_trap(box, state, events, seat, hole):
    """9.2: a Trap."""
    note_drop(state, events, seat, take_up_trap(box, state, seat, hole))


@rule
def do_drop_miracle(state, events, seat, card):
    """9.2: a Miracle; it has been played all the same (14.4)."""
    state.seats[seat].shown[card] -= 1
    note_drop(state, events, seat, card)


@rule
def note_drop(state, events, seat, card):
    """9.2: it goes to the discards of its deck."""
    state.discards[card] += 1
    tell(events, DROPPED, seat, card)
    go_on(state)


@rule
def proceed_end(box, state, events, seat):
    """9: first units, then cards; then the next seat's turn."""
    me = state.seats[seat]
    if n_units(state, seat) > me.goods[FARMLAND]:
        ask(state, TRIM_UNITS, seat)
    elif card_count(box, state, seat) > me.goods[FARMLAND] and can_drop_any(box, state, seat):
        ask(state, TRIM_CARDS, seat)
    else:
        me.praying = me.spots[HOME]
        pass_turn(box, state, events)


@rule
def pass_turn(box, state, events):
    """1.8: the next seat still in the game; a round is over when the turn passes the seat that began."""
    seat = int(state.active)
    is_round_over = False
    for _ in range(SEATS):
        seat = nth_after(seat, 1)
        if seat == state.first:
            is_round_over = True
        if state.seats[seat].is_alive == 1:
            break
    if is_round_over:
        end_round(box, state, events)
    if state.phase != OVER:
        begin_turn(box, state, events, seat)


@rule
def end_round(box, state, events):
    """15.1, 15.2: the house rules against games without end."""
    if state.is_stirred == 1:
        state.quiet = 0
    else:
        state.quiet += 1
    state.is_stirred = 0
    if box.options.max_rounds > 0 and state.round_no >= box.options.max_rounds:
        tell(events, WON_TIME)
        finish(state, BY_TIME, -1)
    elif box.options.standstill_rounds > 0 and state.quiet >= box.options.standstill_rounds:
        tell(events, WON_STANDSTILL)
        finish(state, BY_STANDSTILL, -1)
    else:
        state.round_no += 1
        tell(events, ROUND, state.round_no)


# --- Winning and losing (guide 14) -------------------------------------------------------------


@rule
def finish(state, won_by, winner):
    """14: the game is over."""
    state.phase = OVER
    state.won_by = won_by
    state.winner = winner
    end_job(state)


@rule
def leave_game(state, seat):
    """14.5, 14.6: cards to the discards, pieces to the supply; Disciples of others go home."""
    give_up_everything(state, seat)
    me = state.seats[seat]
    me.goods[FARMLAND] = 0
    me.is_alive = 0
    me.peace = 0
    state.martyrs[seat] = 0
    state.monks[seat] = 0
    state.blows[seat] = 0
    if state.job == KARMA_JOB and state.victim == seat:
        end_job(state)
    for other in range(SEATS):
        guests = state.seats[other].spots[VISITING + seat]
        state.seats[other].spots[HOME] += guests
        state.seats[other].spots[VISITING + seat] = 0


@rule
def remove_the_landless(box, state, events):
    """14.5: whoever has no Farmland is out at once. Returns whether the active seat was."""
    for k in range(SEATS):
        seat = nth_after(state.active, k)
        if state.seats[seat].is_alive == 1 and state.seats[seat].goods[FARMLAND] <= 0:
            leave_game(state, seat)
            stir(state)
            tell(events, WENT_OUT, seat)


@rule
def check_wins(box, state, events):
    """14.7: after every change, the active seat first, then in turn order."""
    for k in range(SEATS):
        seat = nth_after(state.active, k)
        if state.seats[seat].is_alive == 1 and state.won_by == NOT_WON:
            if has_farm_win(box, state, seat):
                tell(events, WON_FARM, seat)
                finish(state, BY_FARM, seat)
            elif has_growth_win(box, state, seat):
                tell(events, WON_GROWTH, seat)
                finish(state, BY_GROWTH, seat)
            elif has_miracles_win(box, state, seat):
                tell(events, WON_MIRACLES, seat)
                finish(state, BY_MIRACLES, seat)
            elif n_alive(state) == 1:
                tell(events, WON_MILITARY, seat)
                finish(state, BY_MILITARY, seat)


@rule
def settle_fates(box, state, events):
    """14.5, 14.7: who is out, who has won; without its seat a turn ends."""
    remove_the_landless(box, state, events)
    check_wins(box, state, events)
    if state.phase != OVER and state.seats[state.active].is_alive == 0:
        end_job(state)
        pass_turn(box, state, events)


@rule
def do_surrender(box, state, events, seat):
    """14.6: a seat gives up."""
    tell(events, SURRENDERED, seat)
    leave_game(state, seat)
    stir(state)
    go_on(state)
