"""What all chapters of Medieval Manor share: action ids, events, gaining and losing, the turn's small steps."""

from __future__ import annotations

from sutler.core.bits import add, remove
from sutler.core.events import Event, EventTable, tell
from sutler.core.rule import rule
from sutler.games.manor.box import ACTIONS, BAN_CROPS, CROPS, PEASANTS
from sutler.games.manor.state import MOVING, holder

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
    turn=Event("1.6", "Turn {n}", heading=True),
    phase=Event("1.6", "{stage:title}", heading=True),
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
    offered_token=Event("4.1", "{seat} would give {n} {token}"),
    offered_card=Event("4.1", "{seat} would give {card}"),
    wanted_token=Event("4.1", "{seat} wants {n} {token}"),
    wanted_card=Event("4.1", "{seat} wants {card}"),
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
    ended=Event("8.2", "The game ends", heading=True, ending=True),
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
    OFFERED_TOKEN,
    OFFERED_CARD,
    WANTED_TOKEN,
    WANTED_CARD,
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


# --- Gaining and losing (guide 3.3) ------------------------------------------


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


# --- Steps of a turn (guide 1.6) ----------------------------------------


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
    """1.5: each phase begins with the Lord and goes clockwise."""
    tell(events, PHASE, stage)
    state.stage = stage
    state.first = state.lord
    state.kth = 0
    state.step = 0
    state.used = 0
