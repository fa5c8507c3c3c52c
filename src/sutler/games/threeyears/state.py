"""The state of Three Years of War: the record, setting up (guide 2), and what must always be true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, assign, count, count_both, has, merge, nth, remove
from sutler.core.chance import below, shuffle
from sutler.core.record import HEADER, NOBODY, field, record, set_of
from sutler.core.rule import rule
from sutler.games.threeyears.box import CARDS, CLAIMS, DESPAIRS, ICONS, INFLUENCE, SEASONS, SEATS, TRACKS, WRITS, S
from sutler.games.threeyears.table import F, P

if TYPE_CHECKING:
    from sutler.games.threeyears.records import Box, State

MOST_DUE, MOST_STEPS = 200, 8  # more icons of a kind are never due at once, nor does a stage have more steps

SEAT = record(
    "Seat",
    field("tracks", "i2", TRACKS, by="resource"),
    ("renown", "i2"),
    ("hope", "i2"),
    ("doom", "i2"),
    ("scouts", "i2"),
    set_of("despair", "despair", DESPAIRS),  # face down for everybody, the owner too
    set_of("token", "writs", WRITS),
    set_of("influence", "hand", INFLUENCE, seen_by="owner"),
    set_of("influence", "shown", INFLUENCE),  # the set played last this season
    set_of("influence", "spent", INFLUENCE),  # sets before it
    ("marker", "i1"),  # 0: none yet
    ("claim", "i1"),  # the slot of the claim card it took; NOBODY: none
    ("standing", "i1"),  # in the interlude: FIRST, SECOND, LAST, or MORE, EQUAL, FEWER; NOBODY: neither
    # What this seat has seen as a scout (guide 8.8): tokens by themselves, interlude cards by their place in the deck.
    set_of("despair", "seen_despair", DESPAIRS),
    set_of("token", "seen_writs", WRITS),
    field("seen_cards", "i2", SEASONS, by="event"),
)

STATE = record(
    "State",
    *HEADER,
    ("stage", "i1", (), "stage"),
    ("year", "i1"),  # from 0
    ("season", "i1", (), "season"),
    ("lead", "i1", (), "seat"),
    ("bidder", "i1", (), "seat"),
    ("total", "i2"),  # the influence total
    ("kth", "i2"),  # how far a stage has gone round from the lead player, or down the markers
    ("step", "i1"),  # how far the present seat has got in it
    ("used", "i2"),  # rows bought, as bits; or: somebody has revealed a Writ in this round
    # a set being put together
    ("suit", "i1", (), "season"),
    ("ones", "i2"),  # cards still to choose
    ("twos", "i2"),
    ("kind", "i2", (), "kind", None, "picker"),  # the kind chosen last; the stake being assigned
    set_of("influence", "picked", INFLUENCE, seen_by="picker"),
    # claim cards turned up, and the stakes on them
    field("offer", "i1", SEATS, "claim"),
    field("taker", "i1", SEATS, "seat"),
    set_of("influence", "tied", INFLUENCE, SEATS),
    set_of("influence", "loose", INFLUENCE),  # stakes not assigned yet
    # icons being resolved
    ("actor", "i1", (), "seat"),  # whose icons they are; NOBODY: none are
    ("icon", "i1", (), "icon"),  # the one being aimed
    ("theft", "i1"),  # does the actor get what is lost?
    field(
        "shy", "i1", SEATS, by="seat", bits="resource"
    ),  # resources whose next loss a seat bears without a Writ, as bits
    ("looks", "i2"),  # looks left
    field("depth", "i1", SEASONS, by="event"),  # cards of each interlude deck looked at while scouting now
    field("due", "i2", ICONS, by="icon"),
    field("owed", "i2", (SEATS, TRACKS), by="seat"),  # losses not suffered yet
    # supplies and decks
    ("hopes", "i2"),
    ("scouts", "i2"),
    # Tokens are numbered as they lie in their face-down pile; the next one drawn is the lowest left.
    set_of("despair", "despairs", DESPAIRS),
    set_of("despair", "dispelled", DESPAIRS),  # taken away by Hope
    set_of("token", "writs", WRITS),
    # What a seat knows of what lies face down stands among the features of `observe.py`.
    field("despair_face", "i1", DESPAIRS, by="despair", seen_by="nobody"),  # points lost
    field("writ_face", "i1", WRITS, "writ", by="token", seen_by="nobody"),  # which Writ it is
    set_of("influence", "deck", INFLUENCE, seen_by="nobody", counted=True),
    set_of("influence", "discards", INFLUENCE),
    set_of("claim", "claims", CLAIMS),  # face down, all seasons
    field("interludes", "i1", (SEASONS, CARDS), by="event", seen_by="nobody"),  # each deck, top card first
    ("card", "i1"),  # the interlude card turned up; NOBODY: none
    field("seats", SEAT, SEATS, by="seat"),
)


# --- Setting up (guide 2) ----------------------------------------------------


@rule
def setup(box: Box, state: State) -> None:
    """2: tracks, decks, hands, the lead player. `n_seats` and `rng` are set; all else is zero."""
    state.actor = NOBODY
    state.card = NOBODY
    state.hopes = box.hopes
    state.scouts = box.scouts
    assign(state.despairs, box.despairs)
    assign(state.writs, box.writs)
    assign(state.deck, box.deck)
    for token in range(DESPAIRS):
        state.despair_face[token] = box.despair_value[token]
    shuffle(state, state.despair_face, count(state.despairs))
    for token in range(WRITS):
        state.writ_face[token] = box.writ_kind[token]
    shuffle(state, state.writ_face, count(state.writs))
    for season in range(SEASONS):
        merge(state.claims, box.season_claims[season])
        for i in range(box.n_cards[season]):
            state.interludes[season, i] = i
        shuffle(state, state.interludes[season], int(box.n_cards[season]))
    for slot in range(SEATS):
        state.offer[slot] = NOBODY
        state.taker[slot] = NOBODY
        state.seats[slot].claim = NOBODY
        state.seats[slot].standing = NOBODY
    for seat in range(state.n_seats):
        for track in range(TRACKS):
            state.seats[seat].tracks[track] = box.rules.track_start
        for _ in range(box.rules.starting_hand):
            card = nth(state.deck, below(state, count(state.deck)))
            remove(state.deck, card)
            add(state.seats[seat].hand, card)
    state.lead = below(state, state.n_seats)
    state.to_act = state.lead
    state.stage = S.taxes


@rule
def recount(box: Box, state: State) -> None:
    """Do nothing: no field is a count of others."""
    return


# --- What must always be true ------------------------------------------------


@rule
def check(box: Box, state: State) -> int:
    """Return 0, or the number of the fault in FAULTS."""
    if not is_every_card_once(box, state):
        return F.card_misplaced
    if not is_every_despair_once(box, state):
        return F.despair_misplaced
    if not is_no_writ_twice(box, state):
        return F.writ_twice
    hopes = int(state.hopes)
    scouts = int(state.scouts)
    for seat in range(state.n_seats):
        me = state.seats[seat]
        for track in range(TRACKS):
            if me.tracks[track] < 0 or me.tracks[track] > box.rules.track_max:
                return F.track_out_of_range
        if me.doom > 0 and count(state.despairs) > 0:
            return F.doom_too_early
        if me.hope < 0 or me.scouts < 0:
            return F.tokens_astray
        hopes += me.hope
        scouts += me.scouts
    if state.hopes < 0 or hopes != box.hopes or state.scouts < 0 or scouts != box.scouts:
        return F.tokens_astray
    if not 0 <= state.to_act < state.n_seats:
        return F.nobody_acts
    if not 0 <= state.lead < state.n_seats:
        return F.nobody_leads
    for event in range(SEASONS):
        found = 0
        for i in range(box.n_cards[event]):
            found |= 1 << int(state.interludes[event, i])
        if found != (1 << int(box.n_cards[event])) - 1:
            return F.interlude_twice
    if not are_face_counts_as_in_box(box, state):
        return F.faces_wrong
    if not is_course_in_range(box, state):
        return F.out_of_range
    return 0


@rule
def is_course_in_range(box: Box, state: State) -> bool:
    """Is every field that says how far things have got within its range? Otherwise a loop might never end."""
    n = int(state.n_seats)
    if not (0 <= state.phase <= P.over and S.taxes <= state.stage <= S.end and 0 <= state.season < SEASONS):
        return False
    if not (0 <= state.year <= MOST_DUE and NOBODY <= state.card < box.n_cards[state.season]):
        return False
    if not 0 <= state.kind < box.n_kinds:
        return False
    if state.phase == P.stake_on and count_both(state.loose, box.kind[state.kind].cards) == 0:
        return False
    if state.ones + state.twos > count(state.seats[state.to_act].hand):
        return False
    if not (NOBODY <= state.bidder < n and NOBODY <= state.actor < n and NOBODY <= state.icon < ICONS):
        return False
    if not (-SEATS <= state.kth <= 2 * SEATS and 0 <= state.step <= MOST_STEPS and NOBODY <= state.suit < SEASONS):
        return False
    if not (0 <= state.looks <= MOST_DUE and 0 <= state.ones <= INFLUENCE and 0 <= state.twos <= INFLUENCE):
        return False
    for icon in range(ICONS):
        if not 0 <= state.due[icon] <= MOST_DUE:
            return False
    for event in range(SEASONS):
        if not 0 <= state.depth[event] <= box.n_cards[event]:
            return False
    markers = 0
    for seat in range(SEATS):
        me = state.seats[seat]
        if not (0 <= me.marker <= n and NOBODY <= me.claim < n):
            return False
        if me.marker > 0 and markers >> int(me.marker) & 1:
            return False
        markers |= 1 << int(me.marker)
        if not (NOBODY <= state.offer[seat] < CLAIMS and NOBODY <= state.taker[seat] < n):
            return False
        for track in range(TRACKS):
            if not 0 <= state.owed[seat, track] <= MOST_DUE:
                return False
    return True


@rule
def is_every_card_once(box: Box, state: State) -> bool:
    """Is each influence card of the box in exactly one place?"""
    for card in range(INFLUENCE):
        n = int(has(state.deck, card)) + int(has(state.discards, card)) + int(has(state.loose, card))
        for seat in range(SEATS):
            me = state.seats[seat]
            n += int(has(me.hand, card)) + int(has(me.shown, card)) + int(has(me.spent, card))
            n += int(has(state.tied[seat], card))
        if n != int(has(box.deck, card)):
            return False
    return True


@rule
def is_every_despair_once(box: Box, state: State) -> bool:
    """Is each Despair token in the supply, with one seat, or gone?"""
    for token in range(DESPAIRS):
        n = int(has(state.despairs, token)) + int(has(state.dispelled, token))
        for seat in range(SEATS):
            n += int(has(state.seats[seat].despair, token))
        if n != int(has(box.despairs, token)):
            return False
    return True


@rule
def are_face_counts_as_in_box(box: Box, state: State) -> bool:
    """Do as many tokens show each face as in the box?"""
    for face in range(WRITS):
        balance = 0
        for token in range(DESPAIRS):
            balance += int(state.despair_face[token] == face) - int(box.despair_value[token] == face)
        if balance != 0:
            return False
        for token in range(WRITS):
            balance += int(state.writ_face[token] == face) - int(box.writ_kind[token] == face)
        if balance != 0:
            return False
    return True


@rule
def is_no_writ_twice(box: Box, state: State) -> bool:
    """Is each Writ in the supply or with one seat at most? Revealed ones are gone."""
    for token in range(WRITS):
        n = int(has(state.writs, token))
        for seat in range(SEATS):
            n += int(has(state.seats[seat].writs, token))
        if n > int(has(box.writs, token)):
            return False
    return True


# --- Small questions everybody asks --------------------------------------------


@rule
def seat_from_lead(state: State, k: int) -> int:
    """3.3: the k-th seat clockwise from the lead player."""
    seat = state.lead + k
    if seat >= state.n_seats:
        seat -= state.n_seats
    return int(seat)


@rule
def n_passed(state: State) -> int:
    """The number of seats that have taken their marker."""
    n = 0
    for seat in range(state.n_seats):
        if state.seats[seat].marker != 0:
            n += 1
    return n


@rule
def track_short(state: State, seat: int) -> int:
    """8.7: the resource that a seat would have to lose and does not have; NOBODY when nothing is owed, as with hunger (9.5)."""
    for track in range(TRACKS):
        if state.owed[seat, track] > 0:
            return track
    return NOBODY


@rule
def owner_of_despair(state: State, token: int) -> int:
    """The seat before which a Despair token lies; NOBODY when before none."""
    for seat in range(state.n_seats):
        if has(state.seats[seat].despair, token):
            return seat
    return NOBODY


@rule
def owner_of_writ(state: State, token: int) -> int:
    """The seat before which a Writ lies unrevealed; NOBODY when before none."""
    for seat in range(state.n_seats):
        if has(state.seats[seat].writs, token):
            return seat
    return NOBODY


@rule
def writs_of(state: State, seat: int) -> int:
    """The number of a seat's unrevealed Writs."""
    return count(state.seats[seat].writs)


@rule
def held(box: Box, state: State, seat: int, kind: int) -> int:
    """The number of cards of a kind that a seat holds."""
    return count_both(state.seats[seat].hand, box.kind[kind].cards)
