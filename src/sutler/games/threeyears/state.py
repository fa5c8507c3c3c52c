"""The state of Three Years of War: its record, the setup (guide 2), and the checks of what must always be true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, assign, count, count_both, has, merge, nth, remove
from sutler.core.chance import below, shuffle
from sutler.core.record import HEADER, NOBODY, field, record, set_of
from sutler.core.rule import rule
from sutler.games.threeyears.box import (
    CARDS,
    CLAIMS,
    DESPAIRS,
    ICONS,
    INFLUENCE,
    LAST_PLACE,
    SEASONS,
    SEATS,
    TRACKS,
    WRITS,
    S,
)
from sutler.games.threeyears.phases_actions_events import F, P

if TYPE_CHECKING:
    from sutler.games.threeyears.records import Box, State

# Upper bounds of counters in the state: icons of one kind due at once, and steps of a stage.
MOST_DUE, MOST_STEPS = 200, 8
RESULTS = LAST_PLACE + 1
"""The results of a battle, for each of which the seats are gone through once (9.3)."""

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
    set_of("influence", "shown", INFLUENCE),  # the set that the seat played last in this season
    set_of("influence", "spent", INFLUENCE),  # sets that the seat played earlier in this season
    ("marker", "i1"),  # the number of the claim marker; 0: none yet
    ("claim", "i1"),  # the slot of the claim card that the seat took; NOBODY: none
    ("standing", "i1"),  # in an interlude: FIRST, SECOND, LAST_PLACE, or MORE, AS_MANY, FEWER; NOBODY: none of them
    # What the seat has seen as a scout (8.8): tokens by their number, interlude cards by their place in the deck, as a bit set.
    set_of("despair", "seen_despair", DESPAIRS),
    set_of("token", "seen_writs", WRITS),
    field("seen_cards", "i2", SEASONS, by="event"),
)

STATE = record(
    "State",
    *HEADER,
    ("stage", "i1", (), "stage"),
    ("year", "i1"),  # counted from 0
    ("season", "i1", (), "season"),
    ("lead", "i1", (), "seat"),
    ("bidder", "i1", (), "seat"),
    ("total", "i2"),  # the influence total
    ("kth", "i2"),  # the number of seats that are done with the stage, from the lead player or down the markers
    ("step", "i1"),  # the number of steps that the seat to act is done with in the stage
    ("used", "i2"),  # market rows bought, as a bit set; or 1: a seat has revealed a Writ in this round
    # the set that a seat is choosing the cards of
    ("suit", "i1", (), "season"),
    ("ones", "i2"),  # one-icon cards still to choose
    ("twos", "i2"),
    ("kind", "i2", (), "kind", None, "picker"),  # the kind of card chosen last, or of the stake being assigned
    set_of("influence", "picked", INFLUENCE, seen_by="picker"),
    # the claim cards turned up, by slot, who took them, and the stakes on them
    field("offer", "i1", SEATS, "claim"),
    field("taker", "i1", SEATS, "seat"),
    set_of("influence", "tied", INFLUENCE, SEATS),
    set_of("influence", "loose", INFLUENCE),  # stakes that are not yet assigned to a claim card
    # the icons being resolved
    ("actor", "i1", (), "seat"),  # the seat whose icons are being resolved; NOBODY: none are
    ("icon", "i1", (), "icon"),  # the icon for which a target is being chosen
    ("theft", "i1"),  # 1 if the actor gains what the target loses
    field(
        "shy", "i1", SEATS, by="seat", bits="resource"
    ),  # for each seat, the resources whose next loss it accepts without a Writ, as a bit set
    ("looks", "i2"),  # the number of looks that the scout still has
    field("depth", "i1", SEASONS, by="event"),  # the number of cards of each interlude deck looked at in this scouting
    field("due", "i2", ICONS, by="icon"),
    field("owed", "i2", (SEATS, TRACKS), by="seat"),  # losses that a seat has still to suffer
    # supplies and decks
    ("hopes", "i2"),
    ("scouts", "i2"),
    # Tokens are numbered in the order of their face-down pile: the next one drawn is the lowest that is left.
    set_of("despair", "despairs", DESPAIRS),
    set_of("despair", "dispelled", DESPAIRS),  # Despair tokens taken away by Hope
    set_of("token", "writs", WRITS),
    # What a seat knows of face-down tokens and cards stands among the features of `observe.py`.
    field("despair_face", "i1", DESPAIRS, by="despair", seen_by="nobody"),  # the points that each Despair token costs
    field("writ_face", "i1", WRITS, "writ", by="token", seen_by="nobody"),  # the kind of each Writ token
    set_of("influence", "deck", INFLUENCE, seen_by="nobody", counted=True),
    set_of("influence", "discards", INFLUENCE),
    set_of("claim", "claims", CLAIMS),  # claim cards of all seasons that are still face down
    field("interludes", "i1", (SEASONS, CARDS), by="event", seen_by="nobody"),  # the order of each deck, top card first
    ("card", "i1"),  # the interlude card turned up; NOBODY: none
    field("seats", SEAT, SEATS, by="seat"),
)


# --- Setting up (guide 2) ----------------------------------------------------


@rule
def setup(box: Box, state: State) -> None:
    """Set up a game: tracks, decks, tokens, hands, the lead player (guide 2). Before, only `n_seats` and `rng` are set."""
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
    """Do nothing, since this state has no field that is computed from others."""
    return


# --- What must always be true ------------------------------------------------


@rule
def check(box: Box, state: State) -> int:
    """Return 0, or the number in FAULTS of the first thing that is wrong with the state."""
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
    if not are_progress_counters_in_range(box, state):
        return F.out_of_range
    return 0


@rule
def are_progress_counters_in_range(box: Box, state: State) -> bool:
    """Is every counter of the game's progress within its range? Otherwise a loop of the rules might never end."""
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
    if not (-n <= state.kth <= RESULTS * n and 0 <= state.step <= MOST_STEPS and NOBODY <= state.suit < SEASONS):
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
    """Is each Despair token in exactly one place: the supply, a seat, or taken away by Hope?"""
    for token in range(DESPAIRS):
        n = int(has(state.despairs, token)) + int(has(state.dispelled, token))
        for seat in range(SEATS):
            n += int(has(state.seats[seat].despair, token))
        if n != int(has(box.despairs, token)):
            return False
    return True


@rule
def are_face_counts_as_in_box(box: Box, state: State) -> bool:
    """Does each face of a token occur as often in the state as in the box?"""
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
    """Is each Writ at most in one place: the supply, or one seat? A revealed Writ is in none."""
    for token in range(WRITS):
        n = int(has(state.writs, token))
        for seat in range(SEATS):
            n += int(has(state.seats[seat].writs, token))
        if n > int(has(box.writs, token)):
            return False
    return True


# --- Small questions everybody asks --------------------------------------------


@rule
def seat_from_lead(state: State, n_places: int) -> int:
    """The seat that sits `n_places` places clockwise from the lead player (3.3)."""
    seat = state.lead + n_places
    if seat >= state.n_seats:
        seat -= state.n_seats
    return int(seat)


@rule
def n_seats_passed(state: State) -> int:
    """The number of seats that have passed in this season; each of them has a claim marker."""
    n = 0
    for seat in range(state.n_seats):
        if state.seats[seat].marker != 0:
            n += 1
    return n


@rule
def first_resource_lacking(state: State, seat: int) -> int:
    """The first resource that a seat must lose and does not have (8.7); NOBODY if it has all that it must lose."""
    for track in range(TRACKS):
        if state.owed[seat, track] > 0:
            return track
    return NOBODY


@rule
def owner_of_despair(state: State, token: int) -> int:
    """The seat before which a Despair token lies; NOBODY if it lies before none."""
    for seat in range(state.n_seats):
        if has(state.seats[seat].despair, token):
            return seat
    return NOBODY


@rule
def owner_of_writ(state: State, token: int) -> int:
    """The seat before which a Writ lies unrevealed; NOBODY if it lies before none."""
    for seat in range(state.n_seats):
        if has(state.seats[seat].writs, token):
            return seat
    return NOBODY


@rule
def writs_of(state: State, seat: int) -> int:
    """The number of a seat's unrevealed Writs."""
    return count(state.seats[seat].writs)


@rule
def n_cards_of_kind(box: Box, state: State, seat: int, kind: int) -> int:
    """The number of cards of a kind in a seat's hand."""
    return count_both(state.seats[seat].hand, box.kind[kind].cards)
