"""Why an action is not legal now, in words and by paragraph. `why_not` asks the very predicates that `legal` asks."""

from __future__ import annotations

from sutler.core.bits import bit, count, has
from sutler.core.rule import rule
from sutler.games.manor.box import BAN_PLAY, CARD_TOKEN, PAIR, STEAL_CARD, STEAL_GOOD, TOKENS, UPGRADE
from sutler.games.manor.rules.common import (
    A_ACCEPT,
    A_BUY,
    A_CANCEL,
    A_CONVERT,
    A_DECLINE,
    A_DISCARD,
    A_DONE,
    A_FEED_CROPS,
    A_FINISH,
    A_GAIN,
    A_GIVE,
    A_GIVE_CARD,
    A_GIVE_UP,
    A_GROW,
    A_KEEP,
    A_OFFER,
    A_ON,
    A_PAY_GOLD,
    A_PLACE,
    A_SELL,
    A_SEND,
    A_SPEND,
    A_STEAL_CARD,
    A_STEAL_FROM,
    A_STEAL_GOOD,
    A_SWAP,
    A_USE,
    A_WANT,
    A_WANT_CARD,
    may_gain,
)
from sutler.games.manor.rules.feeding import least_crops, most_crops
from sutler.games.manor.rules.trade import can_give, can_offer, can_want, is_blank
from sutler.games.manor.rules.work import (
    brings_only_crops,
    can_be_robbed,
    can_convert,
    can_take,
    cost_of,
    has_room,
    lands_for,
    least_gold,
    most_gold,
)
from sutler.games.manor.state import (
    ANSWER,
    BUY,
    CHOOSE_LAND,
    COMPOSE,
    CONVERT,
    FEED,
    GIVE_UP,
    GROW,
    GROW_FEED,
    KEEP,
    LIMIT,
    OFFER,
    PAY,
    SELL_GOOD,
    SELL_SECOND,
    SPEND,
    STEAL,
    STEAL_FROM,
    SWAP,
    SWAP_SECOND,
    USE,
    WORK,
    holder,
    money_of,
)

REFUSALS = (
    ("This is legal.", ""),
    ("That is not what is being asked now.", "1.6"),
    ("This card is not in your hand.", "5.2"),
    ("A rebellion rages: nobody plays a card this turn.", "3.3"),
    ("No land that suits this card is free.", "5.2"),
    ("You have too little gold and resources for this upgrade.", "5.8"),
    ("This land already holds a card.", "5.2"),
    ("The card does not belong on this land.", "5.2"),
    ("This land is not in the game.", "2.1"),
    ("It takes two cards from the hand.", "5.9"),
    ("You have chosen this card already.", "5.9"),
    ("There is Blight: nobody gains crops this turn.", "3.3"),
    ("You have none of these.", "3.4"),
    ("This card is not among those you drew.", "3.4"),
    ("An offer goes to another seat at the table.", "4.2"),
    ("You cannot offer more than you have; the last peasant stays.", "4.3"),
    ("You cannot ask for more than they have; their last peasant stays.", "4.3"),
    ("The offer is still blank.", "4.2"),
    ("This card is not theirs to give, or is on the slip already.", "4.3"),
    ("This seat has nothing the card could take.", "5.5"),
    ("They do not have this.", "5.5"),
    ("The payment cannot be split like this.", "5.8"),
    ("This upgrade is not yours.", "6.2"),
    ("This card has no conversion.", "6.2"),
    ("You have too little for this conversion.", "6.2"),
    ("There is no card left to draw.", "3.6"),
    ("The food cannot be split like this.", "7.1"),
    ("This is a hardship: it is never played.", "1.4"),
    ("There is one hand for all: cards are not traded.", "9.5"),
)
(
    FINE,
    NOT_NOW,
    NOT_IN_HAND,
    REBELLION,
    NO_ROOM,
    TOO_DEAR,
    TAKEN,
    WRONG_LAND,
    NO_SUCH_LAND,
    TWO_CARDS,
    SAME_CARD,
    BLIGHT,
    HAVE_NONE,
    NOT_DRAWN,
    NOT_A_PARTNER,
    GIVE_TOO_MUCH,
    WANT_TOO_MUCH,
    BLANK,
    NOT_THEIRS,
    NOTHING_TO_TAKE,
    THEY_LACK_IT,
    BAD_SPLIT,
    NOT_OWNED,
    NO_CONVERSION,
    TOO_LITTLE,
    NO_CARDS,
    BAD_FOOD,
    NEVER_PLAYED,
    ONE_HAND,
) = range(len(REFUSALS))


@rule
def is_asked(phase, action):
    """Is an action of this block what the present decision is about?"""
    if action == A_BUY:
        return phase == BUY
    if action < A_KEEP:
        return phase == GIVE_UP
    if action < A_SWAP:
        return phase == KEEP
    if action < A_OFFER:
        return phase in (SWAP, SWAP_SECOND)
    if action < A_GIVE:
        return phase == OFFER
    if action <= A_CANCEL:
        return phase == COMPOSE
    if action <= A_DECLINE:
        return phase == ANSWER
    if action < A_ON:
        return phase == WORK
    if action < A_CONVERT:
        return phase == CHOOSE_LAND
    if action == A_CONVERT:
        return phase == CONVERT
    if action < A_STEAL_CARD:
        return phase == STEAL_FROM
    if action < A_PAY_GOLD:
        return phase == STEAL
    if action < A_SELL:
        return phase == PAY
    if action < A_GAIN:
        return phase in (WORK, SELL_SECOND)
    if action < A_FINISH:
        return phase == SELL_GOOD
    if action == A_FINISH:
        return phase == WORK
    if action < A_SPEND:
        return phase == USE
    if action < A_FEED_CROPS:
        return phase == SPEND
    if action < A_GROW:
        return phase in (FEED, GROW_FEED)
    if action == A_GROW:
        return phase == GROW
    if action < A_DONE:
        return phase == LIMIT
    return phase in (BUY, SWAP, OFFER, CONVERT, USE, GROW)


@rule
def why_not_place(box, state, seat, card):
    """5.2, 5.8, 3.3."""
    if has(box.hardships, card):
        return NEVER_PLAYED
    if not has(state.seats[holder(box, seat)].hand, card):
        return NOT_IN_HAND
    if state.ban & BAN_PLAY:
        return REBELLION
    if not has_room(box, state, card):
        return NO_ROOM
    if box.card[card].type == UPGRADE and cost_of(box, state, seat, card) > money_of(state, seat):
        return TOO_DEAR
    return FINE


@rule
def why_not_on(box, state, land):
    """5.2."""
    if lands_for(box, state, int(state.card)) & bit(land) != 0:
        return FINE
    if state.place[land] < 0:
        return NO_SUCH_LAND
    if state.free & bit(land) == 0:
        return TAKEN
    return WRONG_LAND


@rule
def why_not_use(box, state, seat, card):
    """6.2, 3.3, 3.6."""
    if not has(state.seats[seat].upgrades, card):
        return NOT_OWNED
    if box.card[card].converts == 0:
        return NO_CONVERSION
    if can_convert(box, state, seat, card):
        return FINE
    if brings_only_crops(state, box.card[card]):
        return BLIGHT
    if box.card[card].get[CARD_TOKEN] > 0 and box.card[card].pay[CARD_TOKEN] == 0:
        for token in range(TOKENS):
            if state.seats[seat].tokens[token] < box.card[card].pay[token]:
                return TOO_LITTLE
        return NO_CARDS
    return TOO_LITTLE


@rule
def why_not_card(box, state, seat, card, first_chosen):
    """3.5, 5.9, 6.2, 8.1: a card of one's own hand, and not one twice."""
    hand = state.seats[holder(box, seat)].hand
    if not has(hand, card):
        return NOT_IN_HAND
    if card == first_chosen:
        return SAME_CARD
    return FINE


@rule
def why_not_trade(box, state, seat, action):
    """4.1 to 4.3."""
    if action < A_GIVE:
        if can_offer(box, state, seat, action - A_OFFER):
            return FINE
        return NOT_A_PARTNER
    if action < A_GIVE_CARD or A_WANT <= action < A_WANT_CARD:
        is_gift = action < A_GIVE_CARD
        token = action - A_WANT
        if is_gift:
            token = action - A_GIVE
        if not may_gain(state, token):
            return BLIGHT
        if is_gift and not can_give(state, seat, token):
            return GIVE_TOO_MUCH
        if not is_gift and not can_want(state, seat, token):
            return WANT_TOO_MUCH
        return FINE
    if action < A_SEND:
        if box.options.common_hand == 1:
            return ONE_HAND
        if action < A_WANT:
            card = action - A_GIVE_CARD
            if has(state.seats[seat].hand, card) and not has(state.offer.give_cards, card):
                return FINE
            return NOT_IN_HAND
        card = action - A_WANT_CARD
        if has(state.seats[state.offer.to_seat].hand, card) and not has(state.offer.want_cards, card):
            return FINE
        return NOT_THEIRS
    if action == A_SEND and is_blank(state):
        return BLANK
    return FINE


@rule
def why_not_steal(box, state, seat, action):
    """5.5."""
    if action < A_STEAL_CARD:
        if can_be_robbed(box, state, seat, action - A_STEAL_FROM):
            return FINE
        return NOTHING_TO_TAKE
    kind = box.card[state.card].steal
    if action < A_STEAL_GOOD:
        if kind == STEAL_CARD and has(state.seats[state.victim].hand, action - A_STEAL_CARD):
            return FINE
        return THEY_LACK_IT
    good = action - A_STEAL_GOOD
    if kind == STEAL_GOOD and not may_gain(state, good):
        return BLIGHT
    if kind == STEAL_GOOD and can_take(state, int(state.victim), good):
        return FINE
    return THEY_LACK_IT


@rule
def why_not(box, state, action):
    """0 when the action is legal now, else the number of the reason in REFUSALS."""
    seat = int(state.to_act)
    phase = state.phase
    if not is_asked(phase, action):
        return NOT_NOW
    if A_OFFER <= action <= A_DECLINE:
        if action >= A_ACCEPT:
            return FINE
        return why_not_trade(box, state, seat, action)
    if A_GIVE_UP <= action < A_KEEP:
        if state.seats[seat].tokens[action - A_GIVE_UP] > 0:
            return FINE
        return HAVE_NONE
    if A_KEEP <= action < A_SWAP:
        if has(state.aside, action - A_KEEP):
            return FINE
        return NOT_DRAWN
    if A_SWAP <= action < A_OFFER:
        return why_not_card(box, state, seat, action - A_SWAP, state.other)
    if A_PLACE <= action < A_ON:
        return why_not_place(box, state, seat, action - A_PLACE)
    if A_ON <= action < A_CONVERT:
        return why_not_on(box, state, action - A_ON)
    if A_STEAL_FROM <= action < A_PAY_GOLD:
        return why_not_steal(box, state, seat, action)
    if A_PAY_GOLD <= action < A_SELL:
        if least_gold(state, seat) <= action - A_PAY_GOLD <= most_gold(state, seat):
            return FINE
        return BAD_SPLIT
    if A_SELL <= action < A_GAIN:
        if count(state.seats[holder(box, seat)].hand) < PAIR:
            return TWO_CARDS
        return why_not_card(box, state, seat, action - A_SELL, state.other)
    if A_GAIN <= action < A_FINISH:
        if may_gain(state, action - A_GAIN):
            return FINE
        return BLIGHT
    if A_USE <= action < A_SPEND:
        return why_not_use(box, state, seat, action - A_USE)
    if A_SPEND <= action < A_FEED_CROPS:
        return why_not_card(box, state, seat, action - A_SPEND, -1)
    if A_FEED_CROPS <= action < A_GROW:
        if least_crops(state, seat) <= action - A_FEED_CROPS <= most_crops(state, seat):
            return FINE
        return BAD_FOOD
    if A_DISCARD <= action < A_DONE:
        return why_not_card(box, state, seat, action - A_DISCARD, -1)
    return FINE
