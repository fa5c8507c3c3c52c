"""What all chapters of WARFARM share: action ids, events, tokens, units, cards, and what happens when something is lost."""

from __future__ import annotations

from sutler.core.bits import bit
from sutler.core.chance import below
from sutler.core.events import Event, EventTable, tell, tell_to
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    ACTIONS,
    AWAY,
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    CARDS,
    CONSCRIPTION,
    DECKS,
    DISCIPLE,
    EXPLORER,
    FARMER,
    FARMLAND,
    FIELD,
    GOODS,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HOLES,
    HOME,
    HOME_SPOT,
    LAND_FARMER,
    LAND_SOLDIER,
    MARTYRDOM,
    MONK,
    N_DOES,
    PLAIN_SPOTS,
    RESERVE,
    RESOURCE_DECK,
    RETURNING,
    SEATS,
    SLOTS,
    SOLDIER,
    TEMPLE,
    TOKENS,
    TRAP_SOLDIER,
    VISITING,
    WORKERS,
)
from sutler.games.warfarm.state import MOVING, nth_after, unit_at

(
    A_BEGIN,
    A_RAID,
    A_LIGHT,
    A_LEAVE,
    A_PLAY,
    A_USE,
    A_EXTINGUISH,
    A_END_PLAY,
    A_TAKE,
    A_BIND,
    A_SEIZE,
    A_DRAW,
    A_UNIT,
    A_ENOUGH,
    A_BUILD,
    A_END_BUILD,
    A_RECALL_LAND,
    A_RECALL_CARD,
    A_RECALL_TRAP,
    A_END_RECALL,
    A_GUARD_LAND,
    A_GUARD_CARD,
    A_GUARD_TRAP,
    A_ARM_LAND,
    A_ARM_CARD,
    A_WORK,
    A_END_POSTS,
    A_READY,
    A_STRIKE_LAND,
    A_STRIKE_CARD,
    A_STRIKE_TRAP,
    A_HURL,
    A_SEND,
    A_END_ATTACK,
    A_HIT_LAND,
    A_HIT_CARD,
    A_HIT_TRAP,
    A_STRIP,
    A_EXPLORE,
    A_END_EXPLORE,
    A_DROP,
    A_DROP_CARD,
    A_DROP_TRAP,
    A_DROP_MIRACLE,
    A_REVEAL,
    A_KEEP,
    A_SURRENDER,
) = ACTIONS.firsts()

EVENTS = EventTable(
    round=Event("1.8", "Round {n}", heading=True),
    turn=Event("1.8", "{seat}’s turn", heading=True),
    begins=Event("2.3", "{seat} begins with a {thing}", icon="token"),
    burnt=Event("3.1", "Fire burns {n} Farmland of {seat}", icon="flame"),
    raided=Event("3.2", "A Disciple of {seat} takes {n} {good} from {victim:seat}", icon="prayer"),
    returned=Event("3.3", "Back from the attack for {seat}: {n} {good}", icon="pikeman"),
    came_back=Event("3.4", "Back from {deck} for {seat}: {n} {good}", icon="spyglass"),
    farmed=Event("3.5", "The Farmers of {seat} bring {n} {good}", icon="farmer"),
    prayed=Event("3.6", "The Disciples of {seat} bring {n} {good}", icon="prayer"),
    drew=Event("3.8", "{seat} draws a card from {deck}", icon="card-draw"),
    drew_card=Event("3.8", "{seat} draws {card}"),
    no_card=Event("3.8", "{deck} is empty, and {seat} draws nothing"),
    reshuffled=Event("3.8", "The discards of {deck} are shuffled into a new deck"),
    produced=Event("3.7", "{card} works for {seat}", icon="card-play"),
    tithed=Event("13.1", "{seat} takes {n} {good} from {victim:seat} as a tithe"),
    gained=Event("1.2", "{seat} gains {n} {good}", icon="token"),
    lost=Event("1.2", "{seat} loses {n} {good}"),
    paid=Event("4.1", "{seat} pays {n} {good}"),
    sacrificed=Event("4.1", "{seat} gives up {n} {good}"),
    handed=Event("4.1", "{seat} hands {other:seat} {n} {good}"),
    played=Event("4.1", "{seat} plays {card}", icon="card-play"),
    set_trap=Event("4.5", "{seat} sets a Trap from {deck}", icon="wolf-trap"),
    set_secret=Event("4.5", "{seat} sets a Trap", icon="wolf-trap"),
    used=Event("4.8", "{seat} uses {card}", icon="card-play"),
    extinguished=Event("4.9", "{seat} puts out a Fire with {n} {good}"),
    pact=Event("11.7", "{other:seat} may not attack {seat} until that seat is on turn again", icon="scroll-quill"),
    seized=Event("11.10", "{seat} takes {card} from {victim:seat}", icon="card-play"),
    taken=Event("13.11", "{seat} takes {n} {good} from {victim:seat}"),
    built=Event("5.1", "{seat} builds {n} {good}", icon="flat-hammer"),
    recalled=Event("6.1", "{seat} calls {n} in from post"),
    posted=Event("6.1", "{seat} posts 1 unit: {spot}"),
    posted_on=Event("6.1", "{seat} posts {n} {good} on {card}"),
    posted_trap=Event("6.1", "{seat} posts {n} {good} on a Trap"),
    destroyed=Event("7.7", "{seat} destroys {n} {good} of {victim:seat}", icon="crossed-swords"),
    destroyed_card=Event("7.7", "{seat} destroys {card} of {victim:seat}", icon="crossed-swords"),
    fell=Event("7.9", "The attacking Soldier of {seat} falls too"),
    hurled=Event("7.4", "{seat} shoots Fire at {victim:seat}, and the Cannon is gone", icon="flame"),
    sent=Event("7.5", "{seat} sends a Disciple to {other:seat}", icon="prayer"),
    explores=Event("8.1", "{seat} sends an Explorer to {deck}", icon="spyglass"),
    dismissed=Event("9.1", "{seat} gives up 1 unit: {spot}"),
    dropped=Event("9.2", "{seat} discards {card}", icon="card-discard"),
    sprung=Event("10.1", "{seat} springs {card}", icon="wolf-trap"),
    relief=Event("15.3", "{seat} has nothing left and receives a Farmer"),
    out=Event("14.5", "{seat} has no Farmland left and is out", icon="broken-heart"),
    surrendered=Event("14.6", "{seat} surrenders", icon="broken-heart"),
    won_farm=Event("14.1", "{seat} wins by farming", icon="trophy-cup", heading=True, ending=True),
    won_military=Event("14.2", "{seat} wins by arms", icon="trophy-cup", heading=True, ending=True),
    won_growth=Event("14.3", "{seat} wins by faith", icon="trophy-cup", heading=True, ending=True),
    won_miracles=Event("14.4", "{seat} wins by three Miracles", icon="trophy-cup", heading=True, ending=True),
    won_time=Event("15.1", "The rounds are over: the farms are compared", heading=True, ending=True),
    won_standstill=Event("15.2", "Nothing moves any more: the farms are compared", heading=True, ending=True),
)

(
    ROUND,
    TURN,
    BEGINS,
    BURNT,
    RAIDED,
    RETURNED,
    CAME_BACK,
    FARMED,
    PRAYED,
    DREW,
    DREW_CARD,
    NO_CARD,
    RESHUFFLED,
    PRODUCED,
    TITHED,
    GAINED,
    LOST,
    PAID,
    SACRIFICED,
    HANDED,
    PLAYED,
    SET_TRAP,
    SET_SECRET,
    USED,
    EXTINGUISHED,
    PACT,
    SEIZED,
    TAKEN,
    BUILT,
    RECALLED,
    POSTED,
    POSTED_ON,
    POSTED_TRAP,
    DESTROYED,
    DESTROYED_CARD,
    FELL,
    HURLED,
    SENT,
    EXPLORES,
    DISMISSED,
    DROPPED,
    SPRUNG,
    RELIEF,
    WENT_OUT,
    SURRENDERED,
    WON_FARM,
    WON_MILITARY,
    WON_GROWTH,
    WON_MIRACLES,
    WON_TIME,
    WON_STANDSTILL,
) = EVENTS.kinds()


# --- Steps and questions (guide 1.8) ------------------------------------------


@rule
def ask(state, phase, seat):
    """Stop: this seat has a decision to make."""
    state.phase = phase
    state.to_act = seat


@rule
def go_on(state):
    """No decision is open: the rules move on."""
    state.phase = MOVING


@rule
def enter(state, step):
    """1.8: the next step of the turn."""
    state.step = step
    state.part = 0


@rule
def end_job(state):
    """The card at work has done its work."""
    state.job = 0
    state.card = NOBODY
    state.victim = NOBODY
    state.left = 0
    state.times = 0


@rule
def stir(state):
    """15.2: something has happened in this round."""
    state.is_stirred = 1


# --- Tokens and units (guide 1.2, 1.3, 1.4) ------------------------------------


@rule
def add_units(state, seat, unit, n):
    """1.4: units arrive at home."""
    me = state.seats[seat]
    me.goods[unit] += n
    me.spots[HOME_SPOT[unit - FARMER]] += n
    stir(state)


@rule
def receive(state, seat, good, n):
    """1.2: tokens or units come to a seat."""
    if good < TOKENS:
        state.seats[seat].goods[good] += n
        if good == FARMLAND:
            stir(state)
    else:
        add_units(state, seat, good, n)


@rule
def gain(state, events, seat, good, n):
    """1.2: take tokens or units from the supply, which has no end."""
    if n > 0:
        receive(state, seat, good, n)
        tell(events, GAINED, seat, n, good)


@rule
def gain_all(box, state, events, seat, card, times):
    """4.1: everything a card brings, so many times over."""
    for good in range(GOODS):
        gain(state, events, seat, good, box.card[card].gain[good] * times)


@rule
def note_loss(box, state, seat, n, by):
    """12.10: what a seat loses in a round is counted, in its own turn too (but see 15.10), and through whom it went."""
    if box.options.karma_turn == 0 or seat != state.active:
        state.lost[seat] += n
        if by != NOBODY:
            state.robber[seat] = by


@rule
def move_at(state, seat, spot, n):
    """1.4: so many units more (or fewer) at a spot."""
    me = state.seats[seat]
    if spot < PLAIN_SPOTS:
        me.spots[spot] += n
    elif spot < CARD_FARMER:
        me.posts[GUARD_SOLDIERS, spot - CARD_SOLDIER] += n
    elif spot < CARD_WORKER:
        me.posts[GUARD_FARMERS, spot - CARD_FARMER] += n
    elif spot < TRAP_SOLDIER:
        me.posts[WORKERS, spot - CARD_WORKER] += n
    else:
        me.trap_guards[spot - TRAP_SOLDIER] += n


@rule
def remove_unit(box, state, seat, spot):
    """1.4: one unit leaves; those that were going to bring nothing leave first. Returns which kind it was."""
    unit = unit_at(box, state, seat, spot)
    me = state.seats[seat]
    move_at(state, seat, spot, -1)
    me.goods[unit] -= 1
    stir(state)
    if spot == FIELD:
        me.farming = min(me.farming, me.spots[FIELD])
    elif spot == HOME:
        me.praying = min(me.praying, me.spots[HOME])
    return unit


@rule
def own_spot_of(box, state, seat, unit):
    """4.1: where a unit that its owner spends is taken from: from home first, then from guard, then from work."""
    me = state.seats[seat]
    if me.spots[HOME_SPOT[unit - FARMER]] > 0:
        return HOME_SPOT[unit - FARMER]
    if unit == FARMER and me.spots[LAND_FARMER] > 0:
        return LAND_FARMER
    if unit == SOLDIER and me.spots[LAND_SOLDIER] > 0:
        return LAND_SOLDIER
    for slot in range(me.n_table):
        if unit == SOLDIER and me.posts[GUARD_SOLDIERS, slot] > 0:
            return CARD_SOLDIER + slot
        if unit == FARMER and me.posts[GUARD_FARMERS, slot] > 0:
            return CARD_FARMER + slot
    for slot in range(me.n_table):
        if me.posts[WORKERS, slot] > 0 and box.card[me.table[slot]].worker == unit:
            return CARD_WORKER + slot
    for hole in range(me.n_traps):
        if unit == SOLDIER and me.trap_guards[hole] > 0:
            return TRAP_SOLDIER + hole
    return NOBODY


@rule
def n_on_board(state, seat, unit):
    """4.1: units of a kind on the own board: not visiting, not returning, not away."""
    me = state.seats[seat]
    n = int(me.goods[unit])
    if unit == DISCIPLE:
        for host in range(SEATS):
            n -= me.spots[VISITING + host]
    elif unit == SOLDIER:
        n -= me.spots[RETURNING]
    elif unit == EXPLORER:
        for deck in range(DECKS):
            n -= me.spots[AWAY + deck]
    return n


@rule
def can_pay(box, state, seat, card):
    """4.1: can the price of a card be paid?"""
    for good in range(TOKENS):
        if state.seats[seat].goods[good] < box.card[card].pay[good]:
            return False
    for unit in range(FARMER, GOODS):
        if box.card[card].pay[unit] > 0 and n_on_board(state, seat, unit) < box.card[card].pay[unit]:
            return False
    return True


@rule
def pay_token(state, events, seat, token, n):
    """4.1: tokens go back to the supply."""
    if n > 0:
        state.seats[seat].goods[token] -= n
        tell(events, PAID, seat, n, token)


@rule
def sacrifice(box, state, events, seat, unit, n):
    """4.1: a price in units; a Disciple given up dies (13.4)."""
    for _ in range(n):
        remove_unit(box, state, seat, own_spot_of(box, state, seat, unit))
    if n > 0:
        tell(events, SACRIFICED, seat, n, unit)
        if unit == DISCIPLE:
            for _ in range(n):
                mourn(box, state, events)


# --- Deaths (guide 13.3, 13.4) --------------------------------------------------


@rule
def mourn(box, state, events):
    """13.4: a Disciple has died; every Temple on the table brings its owner something."""
    for k in range(SEATS):
        seat = nth_after(state.active, k)
        if state.seats[seat].works[TEMPLE] > 0:
            for slot in range(state.seats[seat].n_table):
                card = int(state.seats[seat].table[slot])
                if box.card[card].does == TEMPLE:
                    gain_all(box, state, events, seat, card, 1)


@rule
def kill(box, state, events, seat, spot, by):
    """7.9: a unit is removed by another seat's attack or card (or by the owner's own Burnt Offering)."""
    unit = remove_unit(box, state, seat, spot)
    note_loss(box, state, seat, 1, by)
    if unit == DISCIPLE:
        if by != seat:
            call_trap(box, state, events, seat, MARTYRDOM)
        mourn(box, state, events)
    return unit


# --- Cards (guide 1.5, 3.8) -----------------------------------------------------


@rule
def count_deck(box, state, deck):
    """1.6: how many cards lie in a deck."""
    n = 0
    for i in range(box.deck[deck].n_designs):
        n += state.deck[box.deck[deck].designs[i]]
    return n


@rule
def refill_deck(box, state, events, deck):
    """3.8: an empty deck is made anew from its discards."""
    n = 0
    for i in range(box.deck[deck].n_designs):
        card = box.deck[deck].designs[i]
        n += state.discards[card]
        state.deck[card] = state.discards[card]
        state.discards[card] = 0
    if n > 0:
        tell(events, RESHUFFLED, deck)
    return n


@rule
def draw_card(box, state, events, seat, deck):
    """3.8: one card from a deck, unless there is none or Life or Death forbids it. A deck has no order but chance."""
    me = state.seats[seat]
    if me.is_bound == 1 or me.is_alive == 0:
        return
    n = count_deck(box, state, deck)
    if n == 0:
        n = refill_deck(box, state, events, deck)
    if n == 0:
        tell(events, NO_CARD, deck, seat)
        return
    k = below(state, n)
    for i in range(box.deck[deck].n_designs):
        card = int(box.deck[deck].designs[i])
        k -= state.deck[card]
        if k < 0:
            state.deck[card] -= 1
            me.hand[card] += 1
            me.n_hand += 1
            tell(events, DREW, seat, deck)
            tell_to(events, 1 << seat, DREW_CARD, seat, card, 0, 0, 0)
            stir(state)
            return


@rule
def leave_hand(state, seat, card):
    """4.1: a card leaves the hand."""
    state.seats[seat].hand[card] -= 1
    state.seats[seat].n_hand -= 1


@rule
def lay_card(box, state, seat, card):
    """4.3: a Table card is laid face up, with nobody on it."""
    me = state.seats[seat]
    slot = int(me.n_table)
    me.table[slot] = card
    me.n_table += 1
    me.works[box.card[card].does] += 1


@rule
def clear_slot(box, state, seat, slot):
    """6.1: units on a Table card go home."""
    me = state.seats[seat]
    me.spots[RESERVE] += me.posts[GUARD_SOLDIERS, slot]
    me.spots[FIELD] += me.posts[GUARD_FARMERS, slot]
    n = me.posts[WORKERS, slot]
    if n > 0:
        unit = box.card[me.table[slot]].worker
        me.spots[HOME_SPOT[unit - FARMER]] += n
        if box.options.workers_idle == 0:  # they have stayed on their board all along (3.5, 3.6)
            if unit == FARMER:
                me.farming += n
            else:
                me.praying += n
    for row in range(3):
        me.posts[row, slot] = 0


@rule
def take_off_table(box, state, seat, slot):
    """4.3: a Table card leaves; whoever stands on it goes home. Returns the card."""
    me = state.seats[seat]
    card = int(me.table[slot])
    clear_slot(box, state, seat, slot)
    for later in range(slot, me.n_table - 1):
        me.table[later] = me.table[later + 1]
        for row in range(3):
            me.posts[row, later] = me.posts[row, later + 1]
        if seat == state.active:
            state.acted_card[later] = state.acted_card[later + 1]
    me.n_table -= 1
    last = int(me.n_table)
    me.table[last] = NOBODY
    for row in range(3):
        me.posts[row, last] = 0
    if seat == state.active:
        state.acted_card[last] = 0
    me.works[box.card[card].does] -= 1
    if me.works[CONSCRIPTION] == 0:
        stand_down(state, seat)
    return card


@rule
def stand_down(state, seat):
    """6.4: without the Reform, Farmers on guard go back to the field; those at the Farmland have farmed all along."""
    me = state.seats[seat]
    me.farming += me.spots[LAND_FARMER]
    me.spots[FIELD] += me.spots[LAND_FARMER]
    me.spots[LAND_FARMER] = 0
    for slot in range(me.n_table):
        me.spots[FIELD] += me.posts[GUARD_FARMERS, slot]
        me.posts[GUARD_FARMERS, slot] = 0


@rule
def take_up_trap(box, state, seat, hole):
    """4.5: a Trap leaves its place; its guards go home. Returns the card."""
    me = state.seats[seat]
    card = int(me.traps[hole])
    me.spots[RESERVE] += me.trap_guards[hole]
    for later in range(hole, me.n_traps - 1):
        me.traps[later] = me.traps[later + 1]
        me.trap_guards[later] = me.trap_guards[later + 1]
        if seat == state.active:
            state.acted_trap[later] = state.acted_trap[later + 1]
    me.n_traps -= 1
    last = int(me.n_traps)
    me.traps[last] = NOBODY
    me.trap_guards[last] = 0
    if seat == state.active:
        state.acted_trap[last] = 0
    return card


# --- Destroying (guide 7.7, 7.10) ----------------------------------------------


@rule
def share_spoils(box, state, events, by, victim):
    """7.10: attacker and victim draw Resource cards; a seat without Farmland draws nothing more."""
    for _ in range(box.rules.spoils):
        draw_card(box, state, events, by, RESOURCE_DECK)
        if state.seats[victim].goods[FARMLAND] > 0:
            draw_card(box, state, events, victim, RESOURCE_DECK)


@rule
def destroy_land(box, state, events, by, victim):
    """7.7: one Farmland is gone."""
    state.seats[victim].goods[FARMLAND] -= 1
    note_loss(box, state, victim, 1, by)
    tell(events, DESTROYED, by, 1, FARMLAND, victim)
    stir(state)
    share_spoils(box, state, events, by, victim)


@rule
def destroy_card(box, state, events, by, victim, slot):
    """7.7: one Table card is gone."""
    card = take_off_table(box, state, victim, slot)
    state.discards[card] += 1
    tell(events, DESTROYED_CARD, by, card, victim)
    stir(state)
    share_spoils(box, state, events, by, victim)
    call_trap(box, state, events, victim, MONK)


@rule
def destroy_trap(box, state, events, by, victim, hole):
    """10.4: one Trap is gone without effect."""
    card = take_up_trap(box, state, victim, hole)
    state.discards[card] += 1
    tell(events, DESTROYED_CARD, by, card, victim)
    stir(state)
    share_spoils(box, state, events, by, victim)


# --- Traps that answer at once (guide 10) ----------------------------------------


@rule
def hole_of(box, state, seat, does):
    """10.1: where a seat has set a Trap of this kind; NOBODY when it has none."""
    me = state.seats[seat]
    for hole in range(me.n_traps):
        if box.card[me.traps[hole]].does == does:
            return hole
    return NOBODY


@rule
def has_from(box, state, seat, deck):
    """1.9: has a seat a card of this deck in its hand or face down before it? Everybody has seen it drawn."""
    me = state.seats[seat]
    for i in range(box.deck[deck].n_designs):
        if me.hand[box.deck[deck].designs[i]] > 0:
            return True
    for hole in range(me.n_traps):
        if box.card[me.traps[hole]].deck == deck:
            return True
    return False


@rule
def may_hold(box, state, seat, does):
    """10.3: can the others not rule out that one of a seat's face-down Traps is of this kind?"""
    me = state.seats[seat]
    if box.options.hidden_traps == 1:
        for deck in range(DECKS):
            if (int(box.deck[deck].traps) >> int(does)) & 1 == 1 and has_from(box, state, seat, deck):
                return me.n_traps > 0
        return False
    for hole in range(me.n_traps):
        if (int(box.deck[box.card[me.traps[hole]].deck].traps) >> int(does)) & 1 == 1:
            return True
    return False


@rule
def call_trap(box, state, events, seat, does):
    """10.1: Martyrdom or Ascetic Monk answers at once; with option 15.7 its owner is asked first."""
    if box.options.traps_optional == 1:
        if may_hold(box, state, seat, does):
            if does == MARTYRDOM:
                state.martyrs[seat] += 1
            else:
                state.monks[seat] += 1
    elif hole_of(box, state, seat, does) != NOBODY:
        answer(box, state, events, seat, does)


@rule
def answer(box, state, events, seat, does):
    """13.3, 13.7: what Martyrdom and Ascetic Monk bring."""
    card = spring(box, state, events, seat, does)
    gain_all(box, state, events, seat, card, 1)
    for deck in range(DECKS):
        for _ in range(box.card[card].draws[deck]):
            draw_card(box, state, events, seat, deck)


@rule
def spring(box, state, events, seat, does):
    """10.1: the Trap is turned face up and goes to the discards. Returns the card."""
    card = take_up_trap(box, state, seat, hole_of(box, state, seat, does))
    state.discards[card] += 1
    tell(events, SPRUNG, seat, card)
    return card


# --- Giving up (guide 12.11, 14.5) -----------------------------------------------


@rule
def give_up_everything(state, seat):
    """All cards go to the discards, all units and tokens but Farmland to the supply."""
    me = state.seats[seat]
    for card in range(CARDS):
        state.discards[card] += me.hand[card] + me.shown[card]
        me.hand[card] = 0
        me.shown[card] = 0
    me.n_hand = 0
    for slot in range(me.n_table):
        state.discards[me.table[slot]] += 1
    for slot in range(SLOTS):
        me.table[slot] = NOBODY
        for row in range(3):
            me.posts[row, slot] = 0
    me.n_table = 0
    for hole in range(me.n_traps):
        state.discards[me.traps[hole]] += 1
    for hole in range(HOLES):
        me.traps[hole] = NOBODY
        me.trap_guards[hole] = 0
    me.n_traps = 0
    for does in range(N_DOES):
        me.works[does] = 0
    for good in range(FARMLAND + 1, GOODS):
        me.goods[good] = 0
    for spot in range(PLAIN_SPOTS):
        me.spots[spot] = 0
    me.farming = 0
    me.praying = 0


@rule
def has_seat(bits, seat):
    """Is a seat among those of a set kept as bits?"""
    return (int(bits) >> int(seat)) & 1 == 1


@rule
def mark_miracle(state, seat, card):
    """13.9: a Miracle played counts once, whatever becomes of it."""
    state.seats[seat].miracles |= bit(card)
