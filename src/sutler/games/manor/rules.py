"""What you may do in Medieval Manor and what it does, in the guide's order. `legal`, `apply` and `why_not` close the file."""

from __future__ import annotations

from typing import Any

import numpy as np

from sutler.core.bits import (
    add,
    allow,
    allow_range,
    allow_set,
    allow_word,
    assign,
    bit,
    clear,
    count,
    first_from,
    has,
    is_empty,
    lowest,
    merge,
    nth,
    popcount,
    remove,
    take_away,
)
from sutler.core.chance import below, die
from sutler.core.events import Event, EventTable, tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.manor.box import (
    ACTIONS,
    ANIMALS,
    BAN_CROPS,
    BAN_PLAY,
    CARD_TOKEN,
    CASTLE,
    COST_RANGE,
    CROPS,
    GOLD,
    GOODS,
    HARDSHIP,
    LANDS,
    MOST_AT_ONCE,
    PARTS,
    PEASANTS,
    RESOURCES,
    SEATS,
    SELF,
    STEAL_CARD,
    STEAL_GOOD,
    TOKENS,
    UPGRADE,
    VICTORY,
)
from sutler.games.manor.scoring import add_end_values, has_a_winner
from sutler.games.manor.state import (
    ANSWER,
    BUY,
    CHOOSE_LAND,
    COMPOSE,
    CONVERT,
    DRAW_PHASE,
    END_PHASE,
    FEED,
    FEEDING_PHASE,
    GIVE_UP,
    GROW,
    GROW_FEED,
    KEEP,
    LIMIT,
    MOVING,
    OFFER,
    OVER,
    PAY,
    SELL_GOOD,
    SELL_SECOND,
    SPEND,
    STEAL,
    STEAL_FROM,
    SWAP,
    SWAP_SECOND,
    TRADE_PHASE,
    UPGRADE_PHASE,
    USE,
    WORK,
    WORK_PHASE,
    food_of,
    goods_of,
    holder,
    kinds_with_room,
    money_of,
)

(
    A_BUY,
    A_GIVE_UP,
    A_KEEP,
    A_SWAP,
    A_OFFER,
    A_GIVE,
    A_GIVE_CARD,
    A_WANT,
    A_WANT_CARD,
    A_SEND,
    A_CANCEL,
    A_ACCEPT,
    A_DECLINE,
    A_PLACE,
    A_ON,
    A_CONVERT,
    A_STEAL_FROM,
    A_STEAL_CARD,
    A_STEAL_GOOD,
    A_PAY_GOLD,
    A_SELL,
    A_GAIN,
    A_FINISH,
    A_USE,
    A_SPEND,
    A_FEED_CROPS,
    A_GROW,
    A_DISCARD,
    A_DONE,
) = ACTIONS.firsts()

EVENTS = EventTable(
    turn=Event("1.2", "Turn {n}", heading=True),
    phase=Event("1.2", "{stage}", heading=True),
    dealt=Event("3.1", "{seat} draws {card}", icon="card-draw"),
    hardship=Event("3.2", "{card} strikes {seat}", icon="card"),
    lost=Event("3.3", "{seat} loses {n} {token}", icon="card-discard"),
    lost_card=Event("3.3", "{seat} loses {card}"),
    ban=Event("3.3", "{card} binds everybody until the turn ends"),
    dice=Event("9.3", "The dice show {n}"),
    bought=Event("3.4", "{seat} pays {n} goods and draws three cards"),
    gave_up=Event("3.4", "{seat} gives up 1 {token}"),
    kept=Event("3.4", "{seat} keeps {card}"),
    swapped=Event("3.5", "{seat} discards {card} and {card2:card} for a new card"),
    reshuffled=Event("3.6", "The discards are shuffled into a new deck"),
    offered=Event("4.2", "{seat} makes {other:seat} an offer"),
    traded=Event("4.2", "{other:seat} accepts the offer of {seat}"),
    gave=Event("4.1", "{seat} gives {other:seat} {n} {token}"),
    gave_card=Event("4.1", "{seat} gives {other:seat} {card}"),
    declined=Event("4.2", "{other:seat} declines the offer of {seat}"),
    placed=Event("5.2", "{seat} plays {card} on {land}", icon="card"),
    played=Event("5.2", "{seat} plays {card}", icon="card"),
    gained=Event("5.3", "{seat} gains {n} {token}", icon="token"),
    paid=Event("5.8", "{seat} pays {n} {token}"),
    converted=Event("5.4", "{seat} makes a conversion with {card}", icon="card"),
    stole=Event("5.5", "{seat} takes 1 {token} from {victim:seat}"),
    stole_card=Event("5.5", "{seat} takes {card} from {victim:seat}"),
    lordship=Event("5.7", "{seat} becomes Lord of the Manor", icon="crown"),
    sold=Event("5.9", "{seat} discards {card} and {card2:card} for 1 {token}"),
    passed=Event("5.10", "{seat} passes"),
    fed=Event("7.1", "{seat} feeds {n} food", icon="peasant"),
    hunger=Event("7.2", "{seat} cannot feed everybody and spends all food"),
    grew=Event("7.3", "{seat} takes in a peasant for {n} food", icon="peasant"),
    dropped=Event("8.1", "{seat} discards {card}"),
    end_value=Event("8.3", "{card} is worth {n} victory to {seat}", icon="card"),
    ended=Event("8.2", "The game ends", heading=True),
)

(
    TURN,
    PHASE,
    DEALT,
    STRUCK,
    LOST,
    LOST_CARD,
    BANNED,
    DICE,
    BOUGHT,
    GAVE_UP,
    KEPT,
    SWAPPED,
    RESHUFFLED,
    OFFERED,
    TRADED,
    GAVE,
    GAVE_CARD,
    DECLINED,
    PLACED,
    PLAYED,
    GAINED,
    PAID,
    CONVERTED,
    STOLE,
    STOLE_CARD,
    LORDSHIP,
    SOLD,
    PASSED,
    FED,
    HUNGER,
    GREW,
    DROPPED,
    END_VALUE,
    ENDED,
) = EVENTS.kinds()


# --- Gaining and losing (guide 1.4) ------------------------------------------


@rule
def may_gain(state, token):
    """3.3 Blight: nobody gains crops by any means, neither from the supply nor from another seat."""
    return not (token == CROPS and state.ban & BAN_CROPS)


@rule
def gain(box, state, events, seat, token, n):
    """Take tokens from the supply."""
    if n > 0 and may_gain(state, token):
        state.seats[seat].tokens[token] += n
        tell(events, GAINED, seat, n, token)


@rule
def lose(box, state, events, seat, token, n):
    """Losses stop at 0 and never take the last peasant (3.3)."""
    spare = int(state.seats[seat].tokens[token])
    if token == PEASANTS:
        spare -= 1
    n = min(n, spare)
    if n > 0:
        state.seats[seat].tokens[token] -= n
        tell(events, LOST, seat, n, token)


@rule
def pay(box, state, events, seat, token, n):
    """Hand tokens in, by choice."""
    if n > 0:
        state.seats[seat].tokens[token] -= n
        tell(events, PAID, seat, n, token)


@rule
def discard_from_hand(box, state, seat, card):
    """Put a hand card on the discard pile."""
    remove(state.seats[holder(box, seat)].hand, card)
    add(state.discards, card)


# --- Draw phase (guide 3) ----------------------------------------------------


@rule
def start_turn(box, state, events):
    """9.3: with the hardships apart, two dice may bring one. D2X bounties of the last turn pay out now (3.1)."""
    tell(events, TURN, state.turn)
    state.ban = 0
    for seat in range(state.n_seats):
        state.seats[seat].extra_draw = state.seats[seat].extra_next
        state.seats[seat].extra_next = 0
    if box.options.hardship_deck == 1:
        roll_for_trouble(box, state, events)
    start_phase(state, events, DRAW_PHASE)


@rule
def roll_for_trouble(box, state, events):
    """9.3: on an eleven a random seat draws a hardship."""
    eyes = die(state, 6) + die(state, 6)
    tell(events, DICE, eyes)
    if eyes == box.rules.dice_trouble and not is_empty(state.hardships):
        seat = below(state, state.n_seats)
        card = nth(state.hardships, below(state, count(state.hardships)))
        remove(state.hardships, card)
        strike(box, state, events, seat, card)


@rule
def n_to_draw(box, state, seat):
    """3.1: peasants + 1, and what last turn's bounties promised; for a common hand, everybody's at once (9.5)."""
    if box.options.common_hand == 0:
        return state.seats[seat].tokens[PEASANTS] + 1 + state.seats[seat].extra_draw
    if state.kth > 0:
        return 0
    n = 1
    for s in range(state.n_seats):
        n += state.seats[s].tokens[PEASANTS] + state.seats[s].extra_draw
    return n


@rule
def has_cards(state):
    """Is there a card to draw, counting the discards that would be shuffled (3.6)?"""
    return not (is_empty(state.deck) and is_empty(state.discards))


@rule
def top_card(state, events):
    """3.6: take the top card of the deck; an empty deck is first made anew from the discards. There must be a card.

    Nobody knows the order of the deck, so a card drawn at random from it is its top card.
    """
    n = count(state.deck)
    if n == 0:
        assign(state.deck, state.discards)
        clear(state.discards)
        tell(events, RESHUFFLED)
        n = count(state.deck)
    card = nth(state.deck, below(state, n))
    remove(state.deck, card)
    return card


@rule
def draw_card(box, state, events, seat):
    """3.1, 3.2: one card to the hand; a hardship acts the moment it is dealt instead."""
    if has_cards(state):
        card = top_card(state, events)
        take_card(box, state, events, seat, card)


@rule
def take_card(box, state, events, seat, card):
    """3.2: a drawn card goes to the hand; a hardship acts and leaves the game."""
    if box.card[card].type == HARDSHIP:
        strike(box, state, events, seat, card)
    else:
        add(state.seats[holder(box, seat)].hand, card)
        tell(events, DEALT, seat, card)


@rule
def strike(box, state, events, seat, card):
    """3.2, 3.3: a hardship hits the seat it was dealt to, or everybody, and leaves the game."""
    tell(events, STRUCK, card, seat)
    add(state.removed, card)
    harm = box.card[card]
    if harm.ban != 0:
        state.ban |= harm.ban
        tell(events, BANNED, card)
    for s in range(state.n_seats):
        if s == seat or harm.harm_who != SELF:
            suffer(box, state, events, s, card)


@rule
def suffer(box, state, events, seat, card):
    """3.3: what one seat loses to a hardship."""
    harm = box.card[card]
    me = state.seats[seat]
    for token in range(TOKENS):
        if token < GOODS and harm.harm_lose_all & bit(token) != 0:
            lose(box, state, events, seat, token, int(me.tokens[token]))
        lose(box, state, events, seat, token, int(harm.harm_lose[token]))
    if harm.harm_hand == 1:
        lose_hand(box, state, events, seat)
    for _ in range(harm.harm_upgrades):
        lose_upgrade(box, state, events, seat)


@rule
def lose_hand(box, state, events, seat):
    """3.3 Heresy: the hand as it is at this moment."""
    hand = state.seats[seat].hand
    card = first_from(hand, 0)
    while card >= 0:
        tell(events, LOST_CARD, seat, card)
        card = first_from(hand, card + 1)
    merge(state.discards, hand)
    clear(hand)


@rule
def lose_upgrade(box, state, events, seat):
    """3.3 Fire: a random upgrade, to the discards; with none, nothing."""
    upgrades = state.seats[seat].upgrades
    n = count(upgrades)
    if n > 0:
        card = nth(upgrades, below(state, n))
        remove(upgrades, card)
        add(state.discards, card)
        tell(events, LOST_CARD, seat, card)


@rule
def can_buy(box, state, seat):
    """3.4: three goods of any mix, once a turn."""
    return state.used < box.options.buys and goods_of(state, seat) >= box.rules.buy_price and has_cards(state)


@rule
def do_buy(box, state, events, seat):
    """3.4: which goods is chosen one by one."""
    state.used += 1
    state.due = box.rules.buy_price
    ask(state, GIVE_UP, seat)


@rule
def do_give_up(box, state, events, seat, good):
    """3.4: when all are paid, three cards are drawn aside, to keep one."""
    state.seats[seat].tokens[good] -= 1
    tell(events, GAVE_UP, seat, good)
    state.due -= 1
    if state.due == 0:
        tell(events, BOUGHT, seat, box.rules.buy_price)
        for _ in range(box.rules.buy_draw):
            if has_cards(state):
                add(state.aside, top_card(state, events))
        ask(state, KEEP, seat)


@rule
def do_keep(box, state, events, seat, card):
    """3.4: the others are discarded, hardships without effect; a hardship that is kept acts at once."""
    remove(state.aside, card)
    merge(state.discards, state.aside)
    clear(state.aside)
    tell(events, KEPT, seat, card)
    take_card(box, state, events, seat, card)
    go_on(state)


@rule
def can_swap(box, state, seat):
    """3.5: two hand cards for one new card, once a turn."""
    hand = state.seats[holder(box, seat)].hand
    return state.used < box.options.swaps and count(hand) >= box.rules.swap_price


@rule
def do_swap(box, state, events, seat, card):
    """3.5: discard two, draw one; a hardship drawn acts."""
    if state.phase == SWAP:
        state.other = card
        ask(state, SWAP_SECOND, seat)
    else:
        tell(events, SWAPPED, seat, state.other, card)
        discard_from_hand(box, state, seat, state.other)
        discard_from_hand(box, state, seat, card)
        state.other = NOBODY
        state.used += 1
        draw_card(box, state, events, seat)
        go_on(state)


@rule
def proceed_draw(box, state, events, seat):
    """3: one seat after the other draws, may buy, may swap."""
    if state.step == 0:
        for _ in range(n_to_draw(box, state, seat)):
            draw_card(box, state, events, seat)
        state.step = 1
    if state.step == 1:
        if can_buy(box, state, seat):
            ask(state, BUY, seat)
            return
        state.step = 2
        state.used = 0
    if can_swap(box, state, seat):
        ask(state, SWAP, seat)
    else:
        next_seat(state)


# --- Trade phase (guide 4) ---------------------------------------------------


@rule
def can_offer(box, state, seat, other):
    """4.2: to another seat, up to so many offers a turn."""
    return other != seat and other < state.n_seats and state.seats[seat].n_offers < box.options.offers


@rule
def do_offer(box, state, events, seat, other):
    """4.2: a fresh slip; taking it up counts as one of the turn's offers."""
    state.seats[seat].n_offers += 1
    clear_offer(state)
    state.offer.to_seat = other
    ask(state, COMPOSE, seat)


@rule
def clear_offer(state):
    """A blank slip."""
    state.offer.to_seat = NOBODY
    for token in range(TOKENS):
        state.offer.give[token] = 0
        state.offer.want[token] = 0
    clear(state.offer.give_cards)
    clear(state.offer.want_cards)


@rule
def n_to_trade(state, seat, token):
    """4.3: what a seat has of a token and may trade: never the last peasant."""
    n = int(state.seats[seat].tokens[token])
    if token == PEASANTS:
        n -= 1
    return n


@rule
def can_give(state, seat, token):
    """4.1, 4.3: one more of a token, while there is one; no crops under Blight (3.3)."""
    return may_gain(state, token) and state.offer.give[token] < n_to_trade(state, seat, token)


@rule
def can_want(state, seat, token):
    """4.1, 4.3: one more of a token that the other seat has; no crops under Blight (3.3)."""
    return may_gain(state, token) and state.offer.want[token] < n_to_trade(state, state.offer.to_seat, token)


@rule
def is_blank(state):
    """Does the offer give nothing and want nothing?"""
    for token in range(TOKENS):
        if state.offer.give[token] > 0 or state.offer.want[token] > 0:
            return False
    return is_empty(state.offer.give_cards) and is_empty(state.offer.want_cards)


@rule
def do_send(box, state, events, seat):
    """4.2: the other seat answers."""
    tell(events, OFFERED, seat, state.offer.to_seat)
    ask(state, ANSWER, state.offer.to_seat)


@rule
def do_accept(box, state, events, seat):
    """4.2: everything on the slip changes hands at once."""
    giver = seat_in_turn(state)
    tell(events, TRADED, seat, giver)
    hand_over(box, state, events, giver, seat, state.offer.give, state.offer.give_cards)
    hand_over(box, state, events, seat, giver, state.offer.want, state.offer.want_cards)
    clear_offer(state)
    go_on(state)


@rule
def hand_over(box, state, events, giver, taker, tokens, cards):
    """4.1: tokens and cards go from one seat to another."""
    for token in range(TOKENS):
        if tokens[token] > 0:
            state.seats[giver].tokens[token] -= tokens[token]
            state.seats[taker].tokens[token] += tokens[token]
            tell(events, GAVE, giver, taker, tokens[token], token)
    card = first_from(cards, 0)
    while card >= 0:
        remove(state.seats[giver].hand, card)
        add(state.seats[taker].hand, card)
        tell(events, GAVE_CARD, giver, taker, card)
        card = first_from(cards, card + 1)


@rule
def do_decline(box, state, events, seat):
    """4.2: nothing changes hands."""
    tell(events, DECLINED, seat, seat_in_turn(state))
    clear_offer(state)
    go_on(state)


@rule
def proceed_trade(box, state, events, seat):
    """4.2: from the Lord clockwise, each seat may make its offers."""
    if state.seats[seat].n_offers < box.options.offers and state.step == 0:
        ask(state, OFFER, seat)
    else:
        state.seats[seat].n_offers = 0
        next_seat(state)


# --- Work phase (guide 5) ----------------------------------------------------


@rule
def has_action(state, seat):
    """5.1: as many actions as peasants, counted live, until the seat passes."""
    me = state.seats[seat]
    return me.has_passed == 0 and me.worked < me.tokens[PEASANTS]


@rule
def upgrade_cost_base(box, state, seat):
    """5.8: 3 + upgrades owned, less 3 with the Brick Maker. A card's own change comes on top; never below 0."""
    upgrades = state.seats[seat].upgrades
    cost = box.rules.upgrade_cost + count(upgrades)
    card = first_from(box.discounters, 0)
    while card >= 0:
        if has(upgrades, card):
            cost -= box.card[card].discount
        card = first_from(box.discounters, card + 1)
    return cost


@rule
def cost_of(box, state, seat, card):
    """5.8: what an upgrade would cost this seat now, in gold and resources."""
    return max(0, upgrade_cost_base(box, state, seat) + box.card[card].cost_change)


@rule
def affordable_class(box, state, seat):
    """5.8: the row of `box.up_to` with the upgrades this seat can pay for."""
    spare = money_of(state, seat) - upgrade_cost_base(box, state, seat)
    return min(max(spare, -COST_RANGE - 1), COST_RANGE) + COST_RANGE


@rule
def has_room(box, state, card):
    """5.2: is a land free on which this card may lie? Without a map there always is (9.4)."""
    return box.options.no_map == 1 or state.free & box.card[card].lands != 0


@rule
def allow_placing(box, state, seat, out):
    """5.2, 5.8: every hand card that fits a free land and, if an upgrade, can be paid; none in a rebellion (3.3)."""
    if state.ban & BAN_PLAY:
        return
    hand = state.seats[holder(box, seat)].hand
    paid = affordable_class(box, state, seat)
    for w in range(len(hand)):
        cards = box.bounties[w]
        if paid >= 0:
            cards = cards | box.up_to[paid, w]
        cards = cards & hand[w]
        if box.options.no_map == 0:
            cards = cards & box.fits[state.open_kinds, w]
        if cards != 0:
            allow_word(out, A_PLACE + w * 64, cards)


@rule
def do_place(box, state, events, seat, card):
    """5.2: the card leaves the hand; where it goes comes next."""
    state.card = card
    if box.options.no_map == 1:
        tell(events, PLAYED, seat, card)
        play_card(box, state, events, seat, NOBODY)
    else:
        ask(state, CHOOSE_LAND, seat)


@rule
def lands_for(box, state, card):
    """5.2: the free lands this card may lie on, as bits."""
    return state.free & box.card[card].lands


@rule
def do_lay(box, state, events, seat, land):
    """5.2: the card occupies the land until the phase ends."""
    card = int(state.card)
    tell(events, PLACED, seat, card, land)
    state.lies[land] = card
    state.owner[land] = seat
    state.free &= ~bit(land)
    kind = box.land[land].kind
    if state.free & box.kind_lands[kind] == 0:
        state.open_kinds &= ~(1 << int(kind))
    play_card(box, state, events, seat, land)


@rule
def play_card(box, state, events, seat, land):
    """5.2 to 5.8: an upgrade is paid for, a bounty pays; a card on the Castle makes its player Lord."""
    card = int(state.card)
    state.seats[seat].worked += 1
    remove(state.seats[holder(box, seat)].hand, card)
    if is_at_castle(box, card, land):
        make_lord(state, events, seat)
    if box.card[card].type == UPGRADE:
        state.due = cost_of(box, state, seat, card)
        add(state.seats[seat].upgrades, card)
        pay_upgrade(box, state, events, seat)
    else:
        add(state.table, card)
        harvest(box, state, events, seat, land)
        if land != NOBODY:
            lend_help(box, state, card, land)
        start_theft(box, state, events, seat)


@rule
def is_at_castle(box, card, land):
    """5.7, 9.4: played on the Castle; without a map, a card that could lie nowhere else."""
    if land != NOBODY:
        return box.land[land].kind == CASTLE
    return box.card[card].kinds == bit(CASTLE)


@rule
def make_lord(state, events, seat):
    """5.7: at once; the order of the running phase stays."""
    if state.lord != seat:
        state.lord = seat
        tell(events, LORDSHIP, seat)


@rule
def yield_of(box, state, card, land, token):
    """5.3: what a bounty brings of one token on a land: printed, the land's bonus, one for each helping neighbour.

    Bonuses count only for a token that the card itself gains, and a malus never takes the yield below 0.
    """
    n = int(box.card[card].gain[token])
    if n > 0 and land != NOBODY:
        n += box.land[land].bonus[token]
        if token == CROPS:
            n += popcount(state.near[land] & state.crop_helps)
        if token == ANIMALS:
            n += popcount(state.near[land] & state.animal_helps)
        n = max(n, 0)
    return n


@rule
def harvest(box, state, events, seat, land):
    """5.3, 5.6: a bounty pays its tokens at once, then takes what it costs, then draws."""
    card = int(state.card)
    played = box.card[card]
    for token in range(TOKENS):
        gain(box, state, events, seat, token, yield_of(box, state, card, land, token))
    for token in range(TOKENS):
        lose(box, state, events, seat, token, int(played.lose[token]))
    for _ in range(played.draw_now):
        draw_card(box, state, events, seat)
    state.seats[seat].extra_next += played.draw_next


@rule
def lend_help(box, state, card, land):
    """5.3: from now on the card helps bounties that are played next to it."""
    if box.card[card].helps_crops == 1:
        state.crop_helps |= bit(land)
    if box.card[card].helps_animals == 1:
        state.animal_helps |= bit(land)


@rule
def can_take(state, victim, good):
    """5.5: a good the victim has; no crops under Blight, for nobody can gain them (3.3)."""
    return may_gain(state, good) and state.seats[victim].tokens[good] > 0


@rule
def has_loot(state, victim):
    """5.5: is there a good to take?"""
    for good in range(GOODS):
        if can_take(state, victim, good):
            return True
    return False


@rule
def can_be_robbed(box, state, seat, victim):
    """5.5: another seat that has what the card steals."""
    if victim == seat or victim >= state.n_seats:
        return False
    if box.card[state.card].steal == STEAL_CARD:
        return box.options.common_hand == 0 and not is_empty(state.seats[victim].hand)
    return has_loot(state, victim)


@rule
def start_theft(box, state, events, seat):
    """5.5: a card that steals asks from whom, if anybody has anything."""
    if box.card[state.card].steal != 0:
        for victim in range(state.n_seats):
            if can_be_robbed(box, state, seat, victim):
                state.due = box.card[state.card].n_steal
                ask(state, STEAL_FROM, seat)
                return
    start_conversion(box, state, seat)


@rule
def do_steal_from(box, state, events, seat, victim):
    """5.5: all of one card's theft is from the same seat."""
    state.victim = victim
    ask(state, STEAL, seat)


@rule
def do_steal_card(box, state, events, seat, card):
    """5.5: hands are open, so the thief chooses."""
    victim = state.victim
    remove(state.seats[victim].hand, card)
    add(state.seats[seat].hand, card)
    tell(events, STOLE_CARD, seat, card, victim)
    after_theft(box, state, seat, is_empty(state.seats[victim].hand))


@rule
def do_steal_good(box, state, events, seat, good):
    """5.5: one good; fewer than the card says if there are fewer."""
    victim = state.victim
    state.seats[victim].tokens[good] -= 1
    state.seats[seat].tokens[good] += 1
    tell(events, STOLE, seat, good, victim)
    after_theft(box, state, seat, not has_loot(state, victim))


@rule
def after_theft(box, state, seat, nothing_left):
    """5.5: on with the theft, or with the card."""
    state.due -= 1
    if state.due == 0 or nothing_left:
        state.due = 0
        state.victim = NOBODY
        start_conversion(box, state, seat)
    else:
        ask(state, STEAL, seat)


@rule
def can_convert(box, state, seat, card):
    """5.4, 6.2: does the seat have what one conversion of this card costs? Never the last peasant."""
    played = box.card[card]
    me = state.seats[seat]
    if played.converts == 0:
        return False
    for token in range(TOKENS):
        n = int(played.pay[token])
        if n > 0 and me.tokens[token] < n + int(token == PEASANTS):
            return False
    if played.pay[CARD_TOKEN] > 0 and count(state.seats[holder(box, seat)].hand) < played.pay[CARD_TOKEN]:
        return False
    if played.get[CARD_TOKEN] > 0 and not has_cards(state):
        return False
    return not brings_only_crops(state, played)


@rule
def brings_only_crops(state, played):
    """3.3 Blight: a conversion that brings nothing but crops would now bring nothing, so it is not offered."""
    if may_gain(state, CROPS) or played.get[CROPS] == 0:
        return False
    for part in range(PARTS):
        if part != CROPS and played.get[part] > 0:
            return False
    return True


@rule
def start_conversion(box, state, seat):
    """5.4: a bounty's conversion can be made only now, any number of times."""
    if can_convert(box, state, seat, state.card):
        ask(state, CONVERT, seat)
    else:
        end_action(state)


@rule
def exchange(box, state, events, seat, card):
    """5.4, 6.2: pay the tokens of one conversion and take what it brings."""
    played = box.card[card]
    tell(events, CONVERTED, seat, card)
    for token in range(TOKENS):
        pay(box, state, events, seat, token, int(played.pay[token]))
    for token in range(TOKENS):
        gain(box, state, events, seat, token, int(played.get[token]))
    for _ in range(played.get[CARD_TOKEN]):
        draw_card(box, state, events, seat)


@rule
def do_convert(box, state, events, seat):
    """5.4: once more."""
    exchange(box, state, events, seat, int(state.card))
    start_conversion(box, state, seat)


@rule
def pay_upgrade(box, state, events, seat):
    """5.8: gold and resources in any mix; the payer is asked only where there is a choice."""
    me = state.seats[seat]
    least = max(0, state.due - me.tokens[RESOURCES])
    most = min(state.due, me.tokens[GOLD])
    if least == most or state.due >= MOST_AT_ONCE:
        do_pay(box, state, events, seat, least)
    else:
        ask(state, PAY, seat)


@rule
def do_pay(box, state, events, seat, gold):
    """5.8: so much in gold, the rest in resources."""
    pay(box, state, events, seat, GOLD, gold)
    pay(box, state, events, seat, RESOURCES, state.due - gold)
    state.due = 0
    end_action(state)


@rule
def do_sell(box, state, events, seat, card):
    """5.9: two cards from the hand; which good comes next."""
    if state.phase == WORK:
        state.other = card
        ask(state, SELL_SECOND, seat)
    else:
        state.card = card
        ask(state, SELL_GOOD, seat)


@rule
def do_gain(box, state, events, seat, good):
    """5.9: one good of any type."""
    state.seats[seat].worked += 1
    discard_from_hand(box, state, seat, state.card)
    discard_from_hand(box, state, seat, state.other)
    tell(events, SOLD, seat, state.other, state.card, good)
    state.other = NOBODY
    state.seats[seat].tokens[good] += 1
    end_action(state)


@rule
def do_finish(box, state, events, seat):
    """5.10: the seat's remaining actions are gone."""
    state.seats[seat].has_passed = 1
    tell(events, PASSED, seat)
    end_action(state)


@rule
def end_action(state):
    """5.1: the next seat has its action."""
    state.card = NOBODY
    pass_on(state)
    go_on(state)


@rule
def pass_on(state):
    """5.1: clockwise, round and round."""
    state.kth += 1
    if state.kth == state.n_seats:
        state.kth = 0


@rule
def proceed_work(box, state, events):
    """5.1: one action at a time, clockwise, skipping seats that are done."""
    for _ in range(state.n_seats):
        seat = seat_in_turn(state)
        if has_action(state, seat):
            ask(state, WORK, seat)
            return
        pass_on(state)
    end_work(box, state, events)


@rule
def end_work(box, state, events):
    """5.11: bounties go to the discards; upgrades have gone to their owners; the lands are free again."""
    merge(state.discards, state.table)
    clear(state.table)
    for land in range(LANDS):
        if state.lies[land] != NOBODY:
            state.lies[land] = NOBODY
            state.owner[land] = NOBODY
            state.free |= bit(land)
    state.open_kinds = kinds_with_room(box, state)
    state.crop_helps = np.uint64(0)
    state.animal_helps = np.uint64(0)
    for seat in range(state.n_seats):
        state.seats[seat].worked = 0
        state.seats[seat].has_passed = 0
    start_phase(state, events, UPGRADE_PHASE)


# --- Upgrade phase (guide 6) -------------------------------------------------


@rule
def collect(box, state, events, seat):
    """6.1: each upgrade's simple gain, once a turn."""
    upgrades = state.seats[seat].upgrades
    card = first_from(upgrades, 0)
    while card >= 0:
        for token in range(TOKENS):
            gain(box, state, events, seat, token, int(box.card[card].gain[token]))
        card = first_from(upgrades, card + 1)


@rule
def has_conversion(box, state, seat):
    """6.2: is any of the seat's upgrades ready to convert?"""
    if state.used >= box.rules.most_conversions:
        return False
    upgrades = state.seats[seat].upgrades
    card = first_from(upgrades, 0)
    while card >= 0:
        if can_convert(box, state, seat, card):
            return True
        card = first_from(upgrades, card + 1)
    return False


@rule
def do_use(box, state, events, seat, card):
    """6.2: a conversion that costs cards asks which; any other is made at once."""
    state.used += 1
    if box.card[card].pay[CARD_TOKEN] > 0:
        state.card = card
        state.due = box.card[card].pay[CARD_TOKEN]
        ask(state, SPEND, seat)
    else:
        exchange(box, state, events, seat, card)
        go_on(state)


@rule
def do_spend(box, state, events, seat, card):
    """6.2: one hand card towards the conversion."""
    discard_from_hand(box, state, seat, card)
    tell(events, DROPPED, seat, card)
    state.due -= 1
    if state.due == 0:
        used = int(state.card)
        state.card = NOBODY
        exchange(box, state, events, seat, used)
        go_on(state)


@rule
def proceed_upgrade(box, state, events, seat):
    """6: gains first, then conversions in any order, any number of times."""
    if state.step == 0:
        collect(box, state, events, seat)
        state.step = 1
    if state.step == 1 and has_conversion(box, state, seat):
        ask(state, USE, seat)
    else:
        next_seat(state)


# --- Feeding phase (guide 7) -------------------------------------------------


@rule
def start_feeding(box, state, events, seat):
    """7.1, 7.2: one food for each peasant but one. Who cannot, spends all food, and loses a peasant and 2 victory."""
    me = state.seats[seat]
    state.due = me.tokens[PEASANTS] - 1
    state.step = 1
    if food_of(state, seat) < state.due:
        tell(events, HUNGER, seat)
        pay(box, state, events, seat, CROPS, int(me.tokens[CROPS]))
        pay(box, state, events, seat, ANIMALS, int(me.tokens[ANIMALS]))
        lose(box, state, events, seat, PEASANTS, 1)
        lose(box, state, events, seat, VICTORY, int(box.rules.hunger_victory))
        state.due = 0
        state.step = 2
    elif state.due > 0:
        split_food(box, state, events, seat, FEED)


@rule
def least_crops(state, seat):
    """The fewest crops a payment of `due` food can hold."""
    return max(0, state.due - state.seats[seat].tokens[ANIMALS])


@rule
def most_crops(state, seat):
    """The most crops a payment of `due` food can hold."""
    return min(state.due, state.seats[seat].tokens[CROPS])


@rule
def split_food(box, state, events, seat, phase):
    """7.1: any mix of crops and animals; asked only where there is a choice."""
    least = least_crops(state, seat)
    if least == most_crops(state, seat) or state.due >= MOST_AT_ONCE:
        pay_food(box, state, events, seat, least, phase == GROW_FEED)
    else:
        ask(state, phase, seat)


@rule
def pay_food(box, state, events, seat, crops, is_growing):
    """7.1, 7.3: so many crops, the rest animals."""
    me = state.seats[seat]
    me.tokens[CROPS] -= crops
    me.tokens[ANIMALS] -= state.due - crops
    if is_growing:
        tell(events, GREW, seat, state.due)
        me.tokens[PEASANTS] += 1
        state.step = 2
    else:
        tell(events, FED, seat, state.due)
    state.due = 0


@rule
def do_feed(box, state, events, seat, crops):
    """7.1, 7.3: the mix that was chosen."""
    pay_food(box, state, events, seat, crops, state.phase == GROW_FEED)
    go_on(state)


@rule
def can_grow(box, state, seat):
    """7.3: five food for a peasant, once, when all were fed."""
    return food_of(state, seat) >= box.rules.grow_price


@rule
def do_grow(box, state, events, seat):
    """7.3: pay, in any mix."""
    state.due = box.rules.grow_price
    go_on(state)
    split_food(box, state, events, seat, GROW_FEED)


@rule
def proceed_feeding(box, state, events, seat):
    """7: feed, then perhaps take in a peasant."""
    if state.step == 0:
        start_feeding(box, state, events, seat)
        if state.phase != MOVING:
            return
    if state.step == 1 and can_grow(box, state, seat):
        ask(state, GROW, seat)
    else:
        next_seat(state)


# --- End phase (guide 8) -----------------------------------------------------


@rule
def hand_limit(box, state, seat):
    """8.1: three cards, and one more for each upgrade that says so; a common hand counts everybody's (9.5)."""
    limit = int(box.options.hand_limit)
    for s in range(state.n_seats):
        if s == seat or box.options.common_hand == 1:
            upgrades = state.seats[s].upgrades
            card = first_from(upgrades, 0)
            while card >= 0:
                limit += box.card[card].hand_size
                card = first_from(upgrades, card + 1)
    return limit


@rule
def is_over_limit(box, state, seat):
    """8.1: does this seat hold too many cards? Only the Lord answers for a common hand (9.5)."""
    if box.options.common_hand == 1 and state.kth > 0:
        return False
    return count(state.seats[holder(box, seat)].hand) > hand_limit(box, state, seat)


@rule
def do_discard(box, state, events, seat, card):
    """8.1: one card of the seat's choice."""
    discard_from_hand(box, state, seat, card)
    tell(events, DROPPED, seat, card)
    go_on(state)


@rule
def proceed_end(box, state, events, seat):
    """8.1: down to the limit, one seat after the other."""
    if is_over_limit(box, state, seat):
        ask(state, LIMIT, seat)
    else:
        next_seat(state)


@rule
def end_turn(box, state, events):
    """8.2, 8.3: with enough victory somewhere the game ends; else the next turn begins."""
    if has_a_winner(box, state):
        tell(events, ENDED)
        for seat in range(state.n_seats):
            tell_end_values(box, state, events, seat)
        add_end_values(box, state)
        state.phase = OVER
    else:
        state.turn += 1
        start_turn(box, state, events)


@rule
def tell_end_values(box, state, events, seat):
    """8.3: name each upgrade that is worth something at the end."""
    upgrades = state.seats[seat].upgrades
    n = count(upgrades)
    card = first_from(upgrades, 0)
    while card >= 0:
        worth = box.card[card].end_victory + box.card[card].end_per_upgrade * n
        if worth != 0:
            tell(events, END_VALUE, card, worth, seat)
        card = first_from(upgrades, card + 1)


# --- The course of a turn (guide 1.2) ----------------------------------------


@rule
def seat_in_turn(state):
    """The seat whose go it is in the running phase."""
    seat = state.first + state.kth
    if seat >= state.n_seats:
        seat -= state.n_seats
    return seat


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
def next_seat(state):
    """The next seat's go in this phase; `kth` reaches n_seats when all have had theirs."""
    state.kth += 1
    state.step = 0
    state.used = 0


@rule
def start_phase(state, events, stage):
    """1.2: each phase begins with the Lord and goes clockwise."""
    tell(events, PHASE, stage)
    state.stage = stage
    state.first = state.lord
    state.kth = 0
    state.step = 0
    state.used = 0


@rule
def proceed(box, state, events):
    """1.2: draw, trade, work, upgrade, feed, end, until somebody has a decision to make or the game is over."""
    while state.phase == MOVING:
        seat = seat_in_turn(state)
        if state.stage == WORK_PHASE:
            proceed_work(box, state, events)
        elif state.kth >= state.n_seats:
            if state.stage == END_PHASE:
                end_turn(box, state, events)
            elif state.stage == DRAW_PHASE and box.options.offers == 0:
                start_phase(state, events, WORK_PHASE)
            else:
                start_phase(state, events, state.stage + 1)
        elif state.stage == DRAW_PHASE:
            proceed_draw(box, state, events, seat)
        elif state.stage == TRADE_PHASE:
            proceed_trade(box, state, events, seat)
        elif state.stage == UPGRADE_PHASE:
            proceed_upgrade(box, state, events, seat)
        elif state.stage == FEEDING_PHASE:
            proceed_feeding(box, state, events, seat)
        else:
            proceed_end(box, state, events, seat)


@rule
def start(box, state, events):
    """From the set-up table to the first decision."""
    go_on(state)
    start_turn(box, state, events)
    proceed(box, state, events)


# --- What is legal -----------------------------------------------------------


@rule
def allow_trade(box, state, seat, out):
    """4: the choices while an offer is written."""
    for token in range(TOKENS):
        if can_give(state, seat, token):
            allow(out, A_GIVE + token)
        if can_want(state, seat, token):
            allow(out, A_WANT + token)
    if box.options.common_hand == 0:
        mine = state.seats[seat].hand
        theirs = state.seats[state.offer.to_seat].hand
        for w in range(len(mine)):
            allow_word(out, A_GIVE_CARD + w * 64, mine[w] & ~state.offer.give_cards[w])
            allow_word(out, A_WANT_CARD + w * 64, theirs[w] & ~state.offer.want_cards[w])
    if not is_blank(state):
        allow(out, A_SEND)
    allow(out, A_CANCEL)


@rule
def legal(box, state, out):
    """Mark every action id that the seat to act may take. `out` is all zeros when called."""
    phase = state.phase
    seat = int(state.to_act)
    hand = state.seats[holder(box, seat)].hand
    if phase == WORK:
        allow_placing(box, state, seat, out)
        if count(hand) >= box.rules.sell_price:
            allow_set(out, A_SELL, hand)
        allow(out, A_FINISH)
    elif phase == CHOOSE_LAND:
        allow_word(out, A_ON, lands_for(box, state, int(state.card)))
    elif phase == SELL_SECOND or phase == SWAP_SECOND:
        first = A_SELL
        if phase == SWAP_SECOND:
            first = A_SWAP
        allow_set(out, first, hand)
        out[(first + state.other) >> 6] &= ~bit((first + state.other) & 63)
    elif phase == SELL_GOOD:
        for good in range(GOODS):
            if may_gain(state, good):
                allow(out, A_GAIN + good)
    elif phase == SWAP:
        allow_set(out, A_SWAP, hand)
        allow(out, A_DONE)
    elif phase == BUY:
        allow(out, A_BUY)
        allow(out, A_DONE)
    elif phase == GIVE_UP:
        for good in range(GOODS):
            if state.seats[seat].tokens[good] > 0:
                allow(out, A_GIVE_UP + good)
    elif phase == KEEP:
        allow_set(out, A_KEEP, state.aside)
    elif phase == LIMIT:
        allow_set(out, A_DISCARD, hand)
    elif phase == USE:
        upgrades = state.seats[seat].upgrades
        card = first_from(upgrades, 0)
        while card >= 0:
            if can_convert(box, state, seat, card):
                allow(out, A_USE + card)
            card = first_from(upgrades, card + 1)
        allow(out, A_DONE)
    elif phase == SPEND:
        allow_set(out, A_SPEND, hand)
    elif phase == FEED or phase == GROW_FEED:
        least = least_crops(state, seat)
        allow_range(out, A_FEED_CROPS + least, most_crops(state, seat) - least + 1)
    elif phase == GROW:
        allow(out, A_GROW)
        allow(out, A_DONE)
    elif phase == PAY:
        least = max(0, state.due - state.seats[seat].tokens[RESOURCES])
        most = min(state.due, state.seats[seat].tokens[GOLD])
        allow_range(out, A_PAY_GOLD + least, most - least + 1)
    elif phase == CONVERT:
        allow(out, A_CONVERT)
        allow(out, A_DONE)
    elif phase == STEAL_FROM:
        for victim in range(state.n_seats):
            if can_be_robbed(box, state, seat, victim):
                allow(out, A_STEAL_FROM + victim)
    elif phase == STEAL:
        if box.card[state.card].steal == STEAL_GOOD:
            for good in range(GOODS):
                if can_take(state, int(state.victim), good):
                    allow(out, A_STEAL_GOOD + good)
        else:
            allow_set(out, A_STEAL_CARD, state.seats[state.victim].hand)
    elif phase == OFFER:
        for other in range(state.n_seats):
            if can_offer(box, state, seat, other):
                allow(out, A_OFFER + other)
        allow(out, A_DONE)
    elif phase == COMPOSE:
        allow_trade(box, state, seat, out)
    elif phase == ANSWER:
        allow(out, A_ACCEPT)
        allow(out, A_DECLINE)


# --- What it does ------------------------------------------------------------


@rule
def do_done(box, state, events, seat):
    """No more of what was asked: no purchase, no swap, no offer, no conversion, no new peasant."""
    if state.phase == CONVERT:
        end_action(state)
        return
    if state.phase == BUY:
        state.step = 2
        state.used = 0
    elif state.phase == OFFER:
        state.step = 1
    elif state.phase == USE or state.phase == GROW:
        state.step = 2
    else:
        next_seat(state)
    go_on(state)


@rule
def apply_trade(box, state, events, seat, action):
    """4: an action of the trade phase."""
    if action < A_GIVE:
        do_offer(box, state, events, seat, action - A_OFFER)
    elif action < A_GIVE_CARD:
        state.offer.give[action - A_GIVE] += 1
    elif action < A_WANT:
        add(state.offer.give_cards, action - A_GIVE_CARD)
    elif action < A_WANT_CARD:
        state.offer.want[action - A_WANT] += 1
    elif action < A_SEND:
        add(state.offer.want_cards, action - A_WANT_CARD)
    elif action == A_SEND:
        do_send(box, state, events, seat)
    elif action == A_CANCEL:
        clear_offer(state)
        go_on(state)
    elif action == A_ACCEPT:
        do_accept(box, state, events, seat)
    else:
        do_decline(box, state, events, seat)


@rule
def apply_work(box, state, events, seat, action):
    """5: an action of the work phase."""
    if action < A_ON:
        do_place(box, state, events, seat, action - A_PLACE)
    elif action < A_CONVERT:
        do_lay(box, state, events, seat, action - A_ON)
    elif action == A_CONVERT:
        do_convert(box, state, events, seat)
    elif action < A_STEAL_CARD:
        do_steal_from(box, state, events, seat, action - A_STEAL_FROM)
    elif action < A_STEAL_GOOD:
        do_steal_card(box, state, events, seat, action - A_STEAL_CARD)
    elif action < A_PAY_GOLD:
        do_steal_good(box, state, events, seat, action - A_STEAL_GOOD)
    elif action < A_SELL:
        do_pay(box, state, events, seat, action - A_PAY_GOLD)
    elif action < A_GAIN:
        do_sell(box, state, events, seat, action - A_SELL)
    elif action < A_FINISH:
        do_gain(box, state, events, seat, action - A_GAIN)
    else:
        do_finish(box, state, events, seat)


@rule
def apply(box, state, events, action):
    """Take a legal action for the seat to act, and go on to the next decision or the end."""
    seat = int(state.to_act)
    if A_PLACE <= action < A_USE:
        apply_work(box, state, events, seat, action)
    elif action == A_DONE:
        do_done(box, state, events, seat)
    elif action < A_OFFER:
        if action == A_BUY:
            do_buy(box, state, events, seat)
        elif action < A_KEEP:
            do_give_up(box, state, events, seat, action - A_GIVE_UP)
        elif action < A_SWAP:
            do_keep(box, state, events, seat, action - A_KEEP)
        else:
            do_swap(box, state, events, seat, action - A_SWAP)
    elif action < A_PLACE:
        apply_trade(box, state, events, seat, action)
    elif action < A_SPEND:
        do_use(box, state, events, seat, action - A_USE)
    elif action < A_FEED_CROPS:
        do_spend(box, state, events, seat, action - A_SPEND)
    elif action < A_GROW:
        do_feed(box, state, events, seat, action - A_FEED_CROPS)
    elif action == A_GROW:
        do_grow(box, state, events, seat)
    else:
        do_discard(box, state, events, seat, action - A_DISCARD)
    proceed(box, state, events)


@rule
def is_midway(box, state):
    """Has the seat to act begun something that it must carry through?"""
    phase = state.phase
    return (
        phase == GIVE_UP
        or phase == KEEP
        or phase == SWAP_SECOND
        or phase == COMPOSE
        or phase == CHOOSE_LAND
        or phase == PAY
        or phase == CONVERT
        or phase == STEAL_FROM
        or phase == STEAL
        or phase == SELL_SECOND
        or phase == SELL_GOOD
        or phase == SPEND
        or phase == GROW_FEED
    )


@rule
def is_over(state):
    """8.2: has the game ended?"""
    return state.phase == OVER
