"""Playing cards and using those on the table (guide 4, and the cards of 11 to 13)."""

from __future__ import annotations

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    CALL,
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    DECKS,
    FACILITY,
    FARMER,
    FARMLAND,
    FIRE,
    GIVE,
    GOODS,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HOLES,
    HOMELAND,
    LIFE,
    MANAGEMENT,
    MARKET,
    MIRACLE,
    N_SPOTS,
    N_THINGS,
    NOT_FOR_SALE,
    OFFERING,
    PACKAGE,
    PEACE,
    PERMANENT,
    PLAGUE,
    PLAIN_SPOTS,
    RESOURCE,
    RETURNING,
    SEATS,
    SLOTS,
    STUDY,
    SURPRISE,
    TABLE,
    THINGS,
    TOKENS,
    TRAP,
    TRAP_SOLDIER,
    WATER,
    WILD,
    WORKERS,
)
from sutler.games.warfarm.rules.common import (
    A_DRAW,
    A_SEIZE,
    A_TAKE,
    A_UNIT,
    A_USE,
    DESTROYED,
    EXTINGUISHED,
    HANDED,
    LOST,
    PACT,
    PLAYED,
    SEIZED,
    SET_SECRET,
    SET_TRAP,
    TAKEN,
    USED,
    add_units,
    ask,
    can_pay,
    draw_card,
    end_job,
    enter,
    gain,
    gain_all,
    give_up_everything,
    go_on,
    has_seat,
    kill,
    lay_card,
    leave_hand,
    mark_miracle,
    n_on_board,
    note_loss,
    pay_token,
    remove_unit,
    sacrifice,
    stir,
    take_off_table,
)
from sutler.games.warfarm.state import (
    BUILDING,
    CALL_JOB,
    CALL_OVER,
    CHOOSE_DECK,
    CHOOSE_THING,
    DECK_JOB,
    LIFE_JOB,
    LOSE,
    MAKE_PEACE,
    OFFER_JOB,
    OFFER_UP,
    PEACE_JOB,
    PLAGUE_JOB,
    PLAY,
    SEIZE,
    SEIZE_JOB,
    THING_JOB,
    n_at,
    n_units,
    nth_after,
)

# --- What may be played (guide 4.1) ---------------------------------------------


@rule
def is_opponent(state, seat, other):
    """1.1: another seat that is still in the game."""
    return other != seat and state.seats[other].is_alive == 1


@rule
def can_play(box, state, seat, card):
    """4.1: a card in the hand whose price can be paid and whose condition holds."""
    if state.seats[seat].hand[card] <= 0:
        return False
    return is_playable(box, state, seat, card)


@rule
def is_playable(box, state, seat, card):
    """4.1: leaving aside whether it is in the hand."""
    one = box.card[card]
    if one.type == RESOURCE:
        return True
    if one.type == TABLE:
        return state.seats[seat].n_table < SLOTS
    if one.type == TRAP:
        return state.seats[seat].n_traps < HOLES
    if not can_pay(box, state, seat, card):
        return False
    if one.does == HOMELAND:
        return state.seats[seat].goods[FARMLAND] < one.below
    if one.does == PACKAGE:
        return state.has_package == 1
    return True


@rule
def can_use(box, state, seat, card):
    """4.8: a Table card that works whenever its owner pays."""
    does = box.card[card].does
    if does == MARKET:
        for thing in range(N_THINGS):
            if can_take(box, state, seat, card, thing):
                return True
    elif does == STUDY:
        for deck in range(DECKS):
            if can_study(box, state, seat, card, deck):
                return True
    elif does == FACILITY:
        if can_pay(box, state, seat, card) and state.seats[seat].n_table < SLOTS:
            for other in range(SEATS):
                if is_opponent(state, seat, other) and state.seats[other].n_table > 0:
                    return True
    return False


@rule
def can_take(box, state, seat, card, thing):
    """4.2, 11.8, 13.5: is this thing offered, and can it be paid?"""
    one = box.card[card]
    if one.prices[thing] == NOT_FOR_SALE or (THINGS[thing] == FIRE and box.options.no_fire_trade == 1):
        return False
    if one.does == WILD:
        return True
    return state.seats[seat].goods[one.coin] >= one.prices[thing]


@rule
def can_study(box, state, seat, card, deck):
    """11.9, 12.6, 13.2: may a card be drawn from this deck, and can it be paid?"""
    one = box.card[card]
    if one.fees[deck] == 0 or state.seats[seat].is_bound == 1 or has_drawn_enough(box, state):
        return False
    if one.coin < TOKENS:
        if state.seats[seat].goods[one.coin] < one.fees[deck]:
            return False
    elif n_on_board(state, seat, one.coin) < one.fees[deck]:
        return False
    return one.is_unlocked_only == 0 or is_unlocked(box, state, seat, deck)


@rule
def has_drawn_enough(box, state):
    """15.14: have as many cards been drawn with Table cards as a turn allows?"""
    return box.options.most_draws > 0 and state.n_drawn >= box.options.most_draws


@rule
def is_unlocked(box, state, seat, deck):
    """8.2: does the seat own what the deck asks for, wherever it is (15.5: or has it owned it before)?"""
    me = state.seats[seat]
    if box.options.unlock_once == 1 and (int(me.opened) >> deck) & 1 == 1:
        return True
    for good in range(GOODS):
        if me.goods[good] < box.deck[deck].needs[good]:
            return False
    return True


@rule
def remember_decks(box, state):
    """15.5: decks once unlocked stay open."""
    for seat in range(SEATS):
        for deck in range(DECKS):
            if state.seats[seat].is_alive == 1 and is_unlocked(box, state, seat, deck):
                state.seats[seat].opened |= 1 << deck


@rule
def can_extinguish(box, state, seat):
    """4.9: a Fire and enough Water."""
    return state.seats[seat].goods[FIRE] > 0 and state.seats[seat].goods[WATER] >= box.rules.extinguish


@rule
def do_extinguish(box, state, events, seat):
    """4.9: one Fire is out."""
    state.seats[seat].goods[WATER] -= box.rules.extinguish
    state.seats[seat].goods[FIRE] -= 1
    stir(state)
    tell(events, EXTINGUISHED, seat, box.rules.extinguish, WATER)
    go_on(state)


@rule
def has_use(box, state, seat):
    """4.8: can any Table card be used now?"""
    for slot in range(state.seats[seat].n_table):
        if can_use(box, state, seat, int(state.seats[seat].table[slot])):
            return True
    return False


@rule
def proceed_play(box, state, events, seat):
    """4.1: as many cards as one likes. With an empty hand and nothing to use there is nothing to ask."""
    if state.seats[seat].n_hand > 0 or can_extinguish(box, state, seat) or has_use(box, state, seat):
        ask(state, PLAY, seat)
    else:
        enter(state, BUILDING)


# --- Playing a card (guide 4.2 to 4.7) -------------------------------------------


@rule
def do_play(box, state, events, seat, card):
    """4.1: the card leaves the hand and takes its place."""
    one = box.card[card]
    leave_hand(state, seat, card)
    stir(state)
    go_on(state)
    if one.type == TRAP:
        me = state.seats[seat]
        me.traps[me.n_traps] = card
        me.n_traps += 1
        if box.options.hidden_traps == 1:
            tell(events, SET_SECRET, seat)
        else:
            tell(events, SET_TRAP, seat, one.deck)
        return
    tell(events, PLAYED, seat, card)
    if one.type == TABLE:
        lay_card(box, state, seat, card)
    elif one.type == RESOURCE:
        state.discards[card] += 1
        play_resource(box, state, events, seat, card)
    else:
        if one.type == MIRACLE or one.type == PERMANENT:
            state.seats[seat].shown[card] += 1
        else:
            state.discards[card] += 1
        if one.type == MIRACLE:
            mark_miracle(state, seat, card)
        if one.does != PEACE:
            pay_price(box, state, events, seat, card)
        work_once(box, state, events, seat, card)


@rule
def pay_price(box, state, events, seat, card):
    """4.1: tokens and units that a card costs."""
    for token in range(TOKENS):
        pay_token(state, events, seat, token, int(box.card[card].pay[token]))
    for unit in range(FARMER, GOODS):
        sacrifice(box, state, events, seat, unit, int(box.card[card].pay[unit]))


@rule
def play_resource(box, state, events, seat, card):
    """4.2: take what the card shows; doubled by Resource Management (11.5)."""
    times = 1
    if state.doubles > 0:
        state.doubles -= 1
        times = 2
    if box.card[card].does == GIVE:
        gain_all(box, state, events, seat, card, times)
    else:
        start_job(state, THING_JOB, card)
        state.times = times


@rule
def start_job(state, job, card):
    """A card begins to work."""
    state.job = job
    state.card = card


@rule
def work_once(box, state, events, seat, card):
    """4.4, 4.6, 4.7: what Once cards, Permanents and Miracles do."""
    one = box.card[card]
    does = one.does
    if does == MANAGEMENT:
        state.doubles += one.n_times
    elif does == PACKAGE:
        for deck in range(DECKS):
            for _ in range(one.draws[deck]):
                draw_card(box, state, events, seat, deck)
    elif does == PEACE:
        start_job(state, PEACE_JOB, card)
    elif does == HOMELAND:
        gain_all(box, state, events, seat, card, 1)
    elif does == SURPRISE:
        state.is_surprise = 1
    elif does == OFFERING:
        start_job(state, OFFER_JOB, card)
        state.left = one.n_times
    elif does == CALL:
        start_job(state, CALL_JOB, card)
        state.left = one.n_times
    elif does == PLAGUE:
        start_job(state, PLAGUE_JOB, card)
        state.turn_k = 1
        state.left = one.n_times
    elif does == LIFE:
        give_up_everything(state, seat)
        state.seats[seat].shown[card] += 1
        state.discards[card] -= 1
        state.seats[seat].is_bound = 1
        start_job(state, LIFE_JOB, card)
        for other in range(SEATS):
            if is_opponent(state, seat, other) and not is_spared(box, state, seat, other):
                state.blows[other] = one.n_times


@rule
def is_at_peace(state, seat, other):
    """11.7: is the seat bound not to attack the other?"""
    return has_seat(state.seats[other].peace, seat)


@rule
def is_spared(box, state, seat, other):
    """12.11: a Peace Contract holds against Life or Death (but see 15.11)."""
    return box.options.life_breaks_peace == 0 and is_at_peace(state, seat, other)


# --- Using a card on the table (guide 4.8) -----------------------------------------


@rule
def do_use(box, state, events, seat, card):
    """4.8: pay and choose."""
    tell(events, USED, seat, card)
    does = box.card[card].does
    if does == MARKET:
        start_job(state, THING_JOB, card)
        state.times = 1
    elif does == STUDY:
        start_job(state, DECK_JOB, card)
    else:
        start_job(state, SEIZE_JOB, card)
    go_on(state)


@rule
def do_take(box, state, events, seat, thing):
    """4.2, 11.8, 13.5: one thing, or two of it from a doubled Wild."""
    card = int(state.card)
    if box.card[card].does == MARKET:
        pay_token(state, events, seat, int(box.card[card].coin), int(box.card[card].prices[thing]))
        stir(state)
    gain(state, events, seat, THINGS[thing], int(state.times))
    end_job(state)
    go_on(state)


@rule
def do_draw(box, state, events, seat, deck):
    """11.9, 12.6, 13.2: pay the fee and draw."""
    one = box.card[state.card]
    if one.coin < TOKENS:
        pay_token(state, events, seat, int(one.coin), int(one.fees[deck]))
    else:
        sacrifice(box, state, events, seat, int(one.coin), int(one.fees[deck]))
    draw_card(box, state, events, seat, deck)
    state.n_drawn += 1
    end_job(state)
    go_on(state)


@rule
def do_bind(box, state, events, seat, other):
    """11.7: the opponent has the Water and keeps the peace."""
    hand_over(box, state, events, seat, other, int(state.card))
    state.seats[seat].peace |= 1 << other
    tell(events, PACT, other, seat)
    end_job(state)
    go_on(state)


@rule
def hand_over(box, state, events, seat, other, card):
    """11.7, 11.10: the price goes to an opponent, not to the supply."""
    for token in range(TOKENS):
        n = int(box.card[card].pay[token])
        if n > 0:
            state.seats[seat].goods[token] -= n
            state.seats[other].goods[token] += n
            tell(events, HANDED, seat, other, n, token)


@rule
def do_seize(box, state, events, seat, victim, slot):
    """11.10: 2 Water for a Table card; whoever stood on it stays with its old owner."""
    hand_over(box, state, events, seat, victim, int(state.card))
    card = take_off_table(box, state, victim, slot)
    lay_card(box, state, seat, card)
    stir(state)
    tell(events, SEIZED, seat, card, victim)
    end_job(state)
    go_on(state)


# --- Choosing units (guide 13.6 to 13.11) --------------------------------------------


@rule
def is_on_board(spot):
    """13.6: units that can be seen on a board; not Soldiers returning or Explorers away."""
    return spot < RETURNING or spot >= PLAIN_SPOTS


@rule
def can_pick(box, state, seat, owner, spot):
    """13.6, 13.9, 13.11, 12.10, 9.1: may this unit be chosen for what is going on?"""
    if n_at(state, owner, spot) <= 0:
        return False
    if state.phase == OFFER_UP:
        return is_on_board(spot)
    if state.phase == CALL_OVER:
        return owner != seat and is_on_board(spot)
    return owner == seat


@rule
def is_like_earlier(state, seat, slot):
    """1.4: does an equal card with equal posts lie before this one? Then it is no choice of its own."""
    me = state.seats[seat]
    for other in range(slot):
        if (
            me.table[other] == me.table[slot]
            and me.posts[GUARD_SOLDIERS, other] == me.posts[GUARD_SOLDIERS, slot]
            and me.posts[GUARD_FARMERS, other] == me.posts[GUARD_FARMERS, slot]
            and me.posts[WORKERS, other] == me.posts[WORKERS, slot]
        ):
            return True
    return False


@rule
def is_trap_like_earlier(box, state, seat, hole, is_owner):
    """1.4: the same for Traps. Others cannot tell those of one deck apart; with plain backs (15.9) each is one of its own."""
    me = state.seats[seat]
    for other in range(hole):
        if me.trap_guards[other] == me.trap_guards[hole]:
            if is_owner and me.traps[other] == me.traps[hole]:
                return True
            if is_owner or box.options.hidden_traps == 1:
                continue
            if box.card[me.traps[other]].deck == box.card[me.traps[hole]].deck:
                return True
    return False


@rule
def allow_units(box, state, owner, out, with_absent):
    """Mark a seat's units, one of each kind and place."""
    me = state.seats[owner]
    first = A_UNIT + owner * N_SPOTS
    for spot in range(RETURNING):
        if me.spots[spot] > 0:
            allow(out, first + spot)
    if with_absent:
        for spot in range(RETURNING, PLAIN_SPOTS):
            if me.spots[spot] > 0:
                allow(out, first + spot)
    for slot in range(me.n_table):
        n = me.posts[GUARD_SOLDIERS, slot] + me.posts[GUARD_FARMERS, slot] + me.posts[WORKERS, slot]
        if n > 0 and not is_like_earlier(state, owner, slot):
            if me.posts[GUARD_SOLDIERS, slot] > 0:
                allow(out, first + CARD_SOLDIER + slot)
            if me.posts[GUARD_FARMERS, slot] > 0:
                allow(out, first + CARD_FARMER + slot)
            if me.posts[WORKERS, slot] > 0:
                allow(out, first + CARD_WORKER + slot)
    for hole in range(me.n_traps):
        if me.trap_guards[hole] > 0 and not is_trap_like_earlier(box, state, owner, hole, False):
            allow(out, first + TRAP_SOLDIER + hole)


@rule
def n_on_boards(state, seat, is_everybody):
    """13.6, 13.11: is there any unit left to choose, the own ones included or not?"""
    n = 0
    for owner in range(SEATS):
        if is_everybody or owner != seat:
            me = state.seats[owner]
            n += n_units(state, owner)
            for spot in range(RETURNING, PLAIN_SPOTS):
                n -= me.spots[spot]
    return n


@rule
def do_pick(box, state, events, seat, owner, spot):
    """A unit has been chosen for Burnt Offering, The Call, or a Miracle's toll."""
    if state.phase == OFFER_UP:
        unit = kill(box, state, events, owner, spot, seat)
        tell(events, DESTROYED, seat, 1, unit, owner)
    elif state.phase == CALL_OVER:
        unit = remove_unit(box, state, owner, spot)
        add_units(state, seat, unit, 1)
        note_loss(box, state, owner, 1, seat)
        tell(events, TAKEN, seat, 1, unit, owner)
    else:
        unit = kill(box, state, events, owner, spot, state.active)
        tell(events, LOST, owner, 1, unit)
    state.left -= 1
    go_on(state)


@rule
def proceed_plague(box, state, events, seat):
    """13.9, 13.10: each opponent in turn order loses units of its choice, then receives its tokens."""
    if state.turn_k >= SEATS:
        state.turn_k = 0
        end_job(state)
        return
    other = nth_after(seat, state.turn_k)
    if is_opponent(state, seat, other):
        if state.left > 0 and n_units(state, other) > 0:
            ask(state, LOSE, other)
            return
        gain_all(box, state, events, other, int(state.card), 1)
    state.turn_k += 1
    state.left = box.card[state.card].n_times


@rule
def proceed_card(box, state, events, seat):
    """A card at work asks its owner, or has done its work."""
    job = state.job
    if job == THING_JOB:
        ask(state, CHOOSE_THING, seat)
    elif job == DECK_JOB:
        ask(state, CHOOSE_DECK, seat)
    elif job == SEIZE_JOB:
        ask(state, SEIZE, seat)
    elif job == PEACE_JOB:
        ask(state, MAKE_PEACE, seat)
    elif job == PLAGUE_JOB:
        proceed_plague(box, state, events, seat)
    elif job == OFFER_JOB:
        if state.left > 0 and n_on_boards(state, seat, True) > 0:
            ask(state, OFFER_UP, seat)
        else:
            end_job(state)
    else:
        if state.left > 0 and n_on_boards(state, seat, False) > 0:
            ask(state, CALL_OVER, seat)
        else:
            end_job(state)


# --- What is legal (guide 4) ----------------------------------------------------------


@rule
def allow_uses(box, state, seat, out):
    """4.8: the Table cards that can be used."""
    for slot in range(state.seats[seat].n_table):
        card = int(state.seats[seat].table[slot])
        if can_use(box, state, seat, card):
            allow(out, A_USE + card)


@rule
def allow_things(box, state, seat, out):
    """4.2, 11.8, 13.5: what can be taken."""
    for thing in range(N_THINGS):
        if can_take(box, state, seat, int(state.card), thing):
            allow(out, A_TAKE + thing)


@rule
def allow_decks(box, state, seat, out):
    """11.9, 12.6, 13.2: where can be drawn."""
    for deck in range(DECKS):
        if can_study(box, state, seat, int(state.card), deck):
            allow(out, A_DRAW + deck)


@rule
def allow_seizing(box, state, seat, out):
    """11.10: the Table cards of the others, guarded or not; equal ones once."""
    for other in range(SEATS):
        if is_opponent(state, seat, other):
            for slot in range(state.seats[other].n_table):
                if not is_like_earlier(state, other, slot):
                    allow(out, A_SEIZE + other * SLOTS + slot)
