"""What all chapters of Three Years of War share: action ids, events, asking, drawing influence cards."""

from __future__ import annotations

from sutler.core.bits import add, assign, clear, count, first_from, nth, remove
from sutler.core.chance import below
from sutler.core.events import Event, EventTable, tell, tell_to
from sutler.core.rule import rule
from sutler.games.threeyears.box import ACTIONS
from sutler.games.threeyears.state import MOVING

(
    A_PASS,
    A_PLAY,
    A_PICK,
    A_STAKE,
    A_ON,
    A_DRAFT,
    A_RESOLVE,
    A_TARGET,
    A_BLIGHT,
    A_LOOK_EVENT,
    A_LOOK_DESPAIR,
    A_LOOK_WRIT,
    A_REVEAL,
    A_KEEP,
    A_BUY,
    A_EXCHANGE,
    A_DISCARD,
    A_DONE,
) = ACTIONS.firsts()

EVENTS = EventTable(
    year=Event("3.1", "Year {n}", heading=True),
    season=Event("3.2", "{season}", heading=True),
    taxed=Event("4.1", "{seat} levies {n} {icon}", icon="card-draw"),
    dealt=Event("4.1", "{seat} draws {influence}", icon="card-draw"),
    reshuffled=Event("4.2", "The discarded influence cards are shuffled into a new deck", icon="card-exchange"),
    turned_up=Event("5.1", "{claim} is turned up", icon="scroll-quill"),
    played=Event("5.3", "{seat} plays {influence}", icon="card-play"),
    matched=Event("5.4", "{seat} matches: influence stays at {n}", icon="check-mark"),
    raised=Event("5.5", "{seat} raises influence to {n}", icon="queen-crown"),
    passed=Event("5.9", "{seat} passes and takes claim marker {n}", icon="cancel"),
    lead=Event("5.10", "{seat} becomes lead player", icon="vertical-banner"),
    last_in=Event("5.11", "{seat} is the last in and takes claim marker {n}", icon="hourglass"),
    no_stakes=Event("6.1", "There are no seasonal stakes"),
    stake=Event("6.1", "{influence} becomes a seasonal stake", icon="tied-scroll"),
    tied=Event("6.2", "{seat} ties {influence} to {claim}", icon="tied-scroll"),
    drafted=Event("7.1", "{seat} takes {claim}", icon="card-pickup"),
    resolving=Event("7.2", "{seat} resolves {claim}", icon="rule-book"),
    gained=Event("8.1", "{seat} gains {n} {icon}", icon="token"),
    no_room=Event("8.1", "{seat} has no room for {n} {icon}", icon="cancel"),
    aimed=Event("8.4", "{seat} aims {icon} at {other:seat}", icon="crossed-swords"),
    stole=Event("8.3", "{seat} gets the gold of {other:seat}", icon="robber-hand"),
    none_left=Event("1.12", "No {icon} token is left for {seat}", icon="cancel"),
    took_writ=Event("8.6", "{seat} takes a Writ", icon="scroll-quill"),
    own_writ=Event("8.6", "It shows {writ}", icon="scroll-quill"),
    revealed=Event("8.7", "{seat} reveals a Writ: {writ}", icon="wax-seal"),
    scouted=Event("8.8", "{seat} takes a Scout token; looks to make: {n}", icon="spyglass"),
    looked_event=Event("8.8", "{seat} looks at card {n} of {event}", icon="spyglass"),
    saw_card=Event("8.8", "You see {interlude}", icon="spyglass"),
    looked_despair=Event("8.8", "{seat} looks at {despair} of {other:seat}", icon="spyglass"),
    saw_despair=Event("8.8", "It is worth {n}", icon="spyglass"),
    looked_writ=Event("8.8", "{seat} looks at {token} of {other:seat}", icon="spyglass"),
    saw_writ=Event("8.8", "It shows {writ}", icon="spyglass"),
    drew=Event("8.9", "{seat} draws {n} {icon}", icon="card-draw"),
    locusts=Event("8.10", "{seat} turns the locusts on {resource}", icon="fly"),
    lost=Event("8.11", "{seat} loses {n} {resource}", icon="damaged-house"),
    short=Event("8.13", "{seat} has no {resource} left to lose", icon="despair"),
    despair=Event("8.12", "{seat} takes a Despair token", icon="despair"),
    doom=Event("8.12", "{seat} takes a Doom token: there is no Despair left", icon="grim-reaper"),
    interlude=Event("9.1", "{event}: {interlude}", heading=True),
    bought=Event("9.2", "{seat} pays {n} gold", icon="shop"),
    first=Event("9.3", "{seat} comes first in {resource}", icon="trophy-cup"),
    second=Event("9.3", "{seat} comes second in {resource}", icon="crossed-sabres"),
    last=Event("9.4", "{seat} comes last in {resource}", icon="death-skull"),
    surplus=Event("9.5", "{seat} has more food than {resource}", icon="wheat"),
    level=Event("9.5", "{seat} has as much food as {resource}", icon="wheat"),
    hunger=Event("9.5", "{seat} has less food than {resource}", icon="wheat"),
    exchanged=Event("9.6", "{seat} pays {n} food", icon="shaking-hands"),
    sheltered=Event("9.7", "{seat} has more holdings than {resource}", icon="castle"),
    crowded=Event("9.7", "{seat} has as many holdings as {resource}", icon="castle"),
    exposed=Event("9.7", "{seat} has fewer holdings than {resource}", icon="frozen-block"),
    dropped=Event("9.8", "{seat} discards {influence}", icon="card-discard"),
    ended=Event("10.1", "Three years have passed", heading=True, ending=True),
    dispelled=Event("10.2", "Hope takes a Despair token worth {n} from {seat}", icon="candle-light"),
    sorrow=Event("10.3", "{seat} turns up Despair worth {n}", icon="despair"),
    bonus=Event("10.4", "{seat} earns {n} renown for {resource}", icon="laurels"),
    bonus_cards=Event("10.4", "{seat} earns {n} renown for cards in hand", icon="laurels"),
    final=Event("10.5", "{seat} ends with {n} renown", icon="laurels"),
    disgrace=Event("10.7", "The lands of {seat} fall into chaos; the house ends in disgrace", icon="death-skull"),
    forgotten=Event(
        "10.7", "{seat} wins all the same, with less than nothing; it will soon be forgotten", icon="laurels"
    ),
)

(
    YEAR,
    SEASON,
    TAXED,
    DEALT,
    RESHUFFLED,
    TURNED_UP,
    PLAYED,
    MATCHED,
    RAISED,
    PASSED,
    LEAD,
    LAST_IN,
    NO_STAKES,
    STAKE_FOUND,
    TIED,
    DRAFTED,
    RESOLVING,
    GAINED,
    NO_ROOM,
    AIMED,
    STOLE,
    NONE_LEFT,
    TOOK_WRIT,
    OWN_WRIT,
    REVEALED,
    SCOUTED,
    LOOKED_EVENT,
    SAW_CARD,
    LOOKED_DESPAIR,
    SAW_DESPAIR,
    LOOKED_WRIT,
    SAW_WRIT,
    DREW,
    LOCUSTS_ON,
    LOST,
    SHORT,
    TOOK_DESPAIR,
    TOOK_DOOM,
    TURNED_EVENT,
    BOUGHT,
    CAME_FIRST,
    CAME_SECOND,
    CAME_LAST,
    SURPLUS,
    LEVEL,
    HUNGER,
    EXCHANGED,
    SHELTERED,
    CROWDED,
    EXPOSED,
    DROPPED,
    ENDED,
    DISPELLED,
    SORROW,
    BONUS,
    BONUS_CARDS,
    FINAL,
    DISGRACE,
    FORGOTTEN,
) = EVENTS.kinds()


# --- Steps (guide 3) -----------------------------------------------------------


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
def start_stage(state, stage):
    """3.2: the next phase of the season begins with the lead player, or with marker 1."""
    state.stage = stage
    state.kth = 0
    state.step = 0
    state.used = 0


@rule
def next_in_turn(state):
    """The next seat's go."""
    state.kth += 1
    state.step = 0
    state.used = 0


# --- Influence cards (guide 4.2) -------------------------------------------------


@rule
def draw_influence(box, state, events, seat, n):
    """4.2: so many cards to the hand; an empty deck is made anew from the discards. Returns how many there were.

    Nobody knows the order of the deck, so a card drawn at random from it is its top card.
    """
    for drawn in range(n):
        left = count(state.deck)
        if left == 0:
            assign(state.deck, state.discards)
            clear(state.discards)
            left = count(state.deck)
            if left == 0:
                return drawn
            tell(events, RESHUFFLED)
        card = nth(state.deck, below(state, left))
        remove(state.deck, card)
        add(state.seats[seat].hand, card)
        tell_to(events, 1 << int(seat), DEALT, seat, card, 0, 0, 0)
    return n


@rule
def draw_next(tokens):
    """Take the next token out of a supply that has one. The pile was shuffled once, so its order is luck enough."""
    token = first_from(tokens, 0)
    remove(tokens, token)
    return token


@rule
def draw_at_random(state, tokens):
    """Take any token of a set that is not empty."""
    token = nth(tokens, below(state, count(tokens)))
    remove(tokens, token)
    return token


@rule
def is_shy(state, seat, track):
    """8.7: has this seat said that it loses this resource rather than reveal a Writ?"""
    return bool(int(state.shy[seat]) >> int(track) & 1)


@rule
def clear_shy(state):
    """8.7: the losses are over; what comes next is asked for anew."""
    for seat in range(state.n_seats):
        state.shy[seat] = 0


@rule
def bit_of(seat):
    """A seat as one bit of a small number."""
    return 1 << int(seat)
