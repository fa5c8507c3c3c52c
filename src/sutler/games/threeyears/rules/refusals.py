"""Why an action is not legal now, in words and by paragraph. `why_not` asks the very predicates that `legal` asks."""

from __future__ import annotations

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.box import DOUBLES, GOLD
from sutler.games.threeyears.rules.common import (
    A_BLIGHT,
    A_BUY,
    A_DISCARD,
    A_DONE,
    A_DRAFT,
    A_EXCHANGE,
    A_KEEP,
    A_LOOK_DESPAIR,
    A_LOOK_EVENT,
    A_LOOK_WRIT,
    A_ON,
    A_PICK,
    A_PLAY,
    A_RESOLVE,
    A_REVEAL,
    A_STAKE,
    A_TARGET,
)
from sutler.games.threeyears.rules.icons import (
    can_look_despair,
    can_look_event,
    can_look_writ,
    can_target,
    entangled_icons,
    has_writ,
)
from sutler.games.threeyears.rules.influence import can_pick, can_play, icons_needed, n_of_shape
from sutler.games.threeyears.rules.interludes import can_buy, can_discard, can_exchange, has_surplus, is_exchange_left
from sutler.games.threeyears.rules.stakes import can_stake, can_tie, slot_of
from sutler.games.threeyears.state import (
    BID,
    DRAFT,
    LAST_CHANCE,
    LIMIT,
    LOCUST,
    LOOK,
    MARKET,
    ORDER,
    PICK,
    REAP,
    STAKE,
    STAKE_ON,
    TARGET,
    WINDOW,
    owner_of_despair,
    owner_of_writ,
)

REFUSALS = (
    ("This is legal.", ""),
    ("That is not what is being asked now.", "3.4"),
    ("You hold no card of this season.", "5.3"),
    ("You do not hold enough cards of this season to match the influence total.", "5.4"),
    ("You do not hold enough cards of another season to raise the influence total.", "5.5"),
    ("You do not hold so many doubles of this season.", "5.3"),
    ("You hold too few singles of this season to go with these doubles.", "5.3"),
    ("A card in this set could be left out: only the fewest cards necessary may be played.", "5.8"),
    ("You could reach the total with fewer cards of this season.", "11.2"),
    ("You have no such card to put into this set.", "5.8"),
    ("This is not one of the stakes still to be assigned.", "6.2"),
    ("This claim card is not on the board.", "5.1"),
    ("Another claim card has fewer stakes; it must get one first.", "6.3"),
    ("Somebody has taken this claim card.", "7.1"),
    ("Its place in the order makes no difference now.", "7.5"),
    ("This seat is not at the table.", "1.2"),
    ("Opponents only may be aimed at.", "11.5"),
    ("This deck has no more cards face down to look at.", "8.8"),
    ("This token lies face down before nobody.", "8.8"),
    ("This Writ is your own; you know it.", "8.6"),
    ("You have seen this token.", "8.8"),
    ("You have no Writ of this kind.", "8.7"),
    ("You have bought from this merchant already.", "9.2"),
    ("You have too little gold.", "9.2"),
    ("You do not have more food than the card asks for.", "9.5"),
    ("The card has no such offer.", "9.6"),
    ("You have exchanged already.", "11.6"),
    ("You cannot pay that much food.", "9.6"),
    ("You hold no such card.", "9.8"),
    ("A set is being put together; finish it first.", "5.8"),
)
(
    FINE,
    NOT_NOW,
    NONE_OF_SEASON,
    TOO_FEW_TO_MATCH,
    TOO_FEW_TO_RAISE,
    FEWER_DOUBLES,
    FEWER_SINGLES,
    SUPERFLUOUS,
    NOT_FEWEST,
    NOT_PICKABLE,
    NO_STAKE,
    NOT_OFFERED,
    HAS_MORE_STAKES,
    TAKEN,
    NO_ORDER,
    NO_SUCH_SEAT,
    NOT_ONESELF,
    NO_MORE_CARDS,
    NOT_LYING,
    OWN_WRIT_KNOWN,
    ALL_SEEN,
    NO_SUCH_WRIT,
    BOUGHT_ALREADY,
    TOO_DEAR,
    NO_SURPLUS,
    NO_OFFER,
    EXCHANGED_ALREADY,
    NO_FOOD,
    NOT_HELD,
    MIDWAY,
) = range(len(REFUSALS))


@rule
def is_asked(phase, action):
    """Is an action of this block what the present decision is about?"""
    if action < A_PICK:
        return phase == BID
    if action < A_STAKE:
        return phase == PICK
    if action < A_ON:
        return phase == STAKE
    if action < A_DRAFT:
        return phase == STAKE_ON
    if action < A_RESOLVE:
        return phase == DRAFT
    if action < A_TARGET:
        return phase == ORDER
    if action < A_BLIGHT:
        return phase == TARGET
    if action < A_LOOK_EVENT:
        return phase == LOCUST
    if action < A_REVEAL:
        return phase == LOOK
    if action < A_KEEP:
        return phase != PICK
    if action == A_KEEP:
        return phase in (WINDOW, LAST_CHANCE)
    if action < A_EXCHANGE:
        return phase == MARKET
    if action < A_DISCARD:
        return phase == REAP
    if action < A_DONE:
        return phase == LIMIT
    return phase in (LOOK, MARKET, REAP)


@rule
def why_not_play(box, state, seat, season, doubles):
    """5.3, 5.4, 5.5, 5.8, 11.2."""
    if can_play(box, state, seat, season, doubles):
        return FINE
    singles = n_of_shape(box, state, seat, season, 1)
    twos = n_of_shape(box, state, seat, season, 2)
    need = icons_needed(state, season)
    if singles + twos == 0:
        return NONE_OF_SEASON
    if singles + 2 * twos < need:
        if season == state.season:
            return TOO_FEW_TO_MATCH
        return TOO_FEW_TO_RAISE
    if need - 2 * doubles < -1:
        return SUPERFLUOUS
    if doubles > twos:
        return FEWER_DOUBLES
    if need - 2 * doubles > singles:
        return FEWER_SINGLES
    return NOT_FEWEST


@rule
def why_not_claim(state, claim, is_stake):
    """5.1, 6.3, 7.1."""
    slot = slot_of(state, claim)
    if slot == NOBODY:
        return NOT_OFFERED
    if is_stake:
        if can_tie(state, slot):
            return FINE
        return HAS_MORE_STAKES
    if state.taker[slot] == NOBODY:
        return FINE
    return TAKEN


@rule
def why_not_look(box, state, seat, action):
    """8.8."""
    if action < A_LOOK_DESPAIR:
        if can_look_event(box, state, action - A_LOOK_EVENT):
            return FINE
        return NO_MORE_CARDS
    if action < A_LOOK_WRIT:
        if can_look_despair(state, seat, action - A_LOOK_DESPAIR):
            return FINE
        if owner_of_despair(state, action - A_LOOK_DESPAIR) == NOBODY:
            return NOT_LYING
        return ALL_SEEN
    if can_look_writ(state, seat, action - A_LOOK_WRIT):
        return FINE
    owner = owner_of_writ(state, action - A_LOOK_WRIT)
    if owner == NOBODY:
        return NOT_LYING
    if owner == seat:
        return OWN_WRIT_KNOWN
    return ALL_SEEN


@rule
def why_not_event(box, state, seat, action):
    """9.2, 9.5, 9.6, 9.8."""
    if action < A_EXCHANGE:
        row = action - A_BUY
        if can_buy(box, state, seat, row):
            return FINE
        if state.seats[seat].tracks[GOLD] < box.market[state.card].price[row]:
            return TOO_DEAR
        return BOUGHT_ALREADY
    if action < A_DISCARD:
        if can_exchange(box, state, seat, action - A_EXCHANGE):
            return FINE
        if not has_surplus(box, state, seat):
            return NO_SURPLUS
        if action - A_EXCHANGE >= box.reaping[state.card].n_offers:
            return NO_OFFER
        if not is_exchange_left(box, state):
            return EXCHANGED_ALREADY
        return NO_FOOD
    if action - A_DISCARD < box.n_kinds and can_discard(box, state, seat, action - A_DISCARD):
        return FINE
    return NOT_HELD


@rule
def why_not(box, state, action):
    """0 when the action is legal, else the refusal to give."""
    seat = int(state.to_act)
    if not is_asked(state.phase, action):
        if state.phase == PICK:
            return MIDWAY
        return NOT_NOW
    if A_PLAY <= action < A_PICK:
        return why_not_play(box, state, seat, (action - A_PLAY) // DOUBLES, (action - A_PLAY) % DOUBLES)
    if A_PICK <= action < A_STAKE:
        if can_pick(box, state, seat, action - A_PICK):
            return FINE
        return NOT_PICKABLE
    if A_STAKE <= action < A_ON:
        if action - A_STAKE < box.n_kinds and can_stake(box, state, action - A_STAKE):
            return FINE
        return NO_STAKE
    if A_ON <= action < A_DRAFT:
        return why_not_claim(state, action - A_ON, True)
    if A_DRAFT <= action < A_RESOLVE:
        return why_not_claim(state, action - A_DRAFT, False)
    if A_RESOLVE <= action < A_TARGET:
        if entangled_icons(box, state, seat) >> (action - A_RESOLVE) & 1:
            return FINE
        return NO_ORDER
    if A_TARGET <= action < A_BLIGHT:
        if can_target(box, state, seat, action - A_TARGET):
            return FINE
        if action - A_TARGET == seat:
            return NOT_ONESELF
        return NO_SUCH_SEAT
    if A_LOOK_EVENT <= action < A_REVEAL:
        return why_not_look(box, state, seat, action)
    if A_REVEAL <= action < A_KEEP:
        if has_writ(box, state, seat, action - A_REVEAL):
            return FINE
        return NO_SUCH_WRIT
    if A_BUY <= action < A_DONE:
        return why_not_event(box, state, seat, action)
    return FINE
