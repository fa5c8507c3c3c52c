"""Exerting influence (guide 5): what set may be played, which cards are in it, passing, the claim markers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import (
    WORD,
    add,
    allow,
    clear,
    count,
    count_both,
    first_from,
    has,
    merge,
    nth_bit,
    popcount,
    remove,
    take_away,
)
from sutler.core.chance import below
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.threeyears.box import DOUBLES, SEASONS, SEATS, S
from sutler.games.threeyears.phases_actions_events import A, E, P, R
from sutler.games.threeyears.rules.common import start_stage
from sutler.games.threeyears.rules.gains import take_despair
from sutler.games.threeyears.rules.icons import add_icons, begin_icons
from sutler.games.threeyears.state import n_cards_of_kind, n_seats_passed

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Events, Legal
    from sutler.games.threeyears.records import Box, State

# How far a bidder's pass has got.
BIDDING, PASSING = range(2)


# --- The claim cards (guide 5.1) ------------------------------------------------


@rule
def turn_up_claims(box: Box, state: State, events: Events) -> None:
    """5.1: as many claim cards of the season as there are seats, from the shuffled face-down part of the deck."""
    if box.options.recycle_claims == 1:
        before = count(state.claims)
        merge(state.claims, box.season_claims[state.season])
        if count(state.claims) > before:
            tell(events, E.recycled, int(state.season))
    for slot in range(state.n_seats):
        k = below(state, count_both(state.claims, box.season_claims[state.season]))
        claim = nth_of_both(state.claims, box.season_claims[state.season], k)
        remove(state.claims, claim)
        state.offer[slot] = claim
        tell(events, E.turned_up, claim)


@rule
def nth_of_both(one: Bits, other: Bits, k: int) -> int:
    """The k-th number that is in both sets; -1 when fewer are."""
    for w in range(len(one)):
        both = one[w] & other[w]
        n = popcount(both)
        if k < n:
            return w * WORD + nth_bit(both, k)
        k -= n
    return -1


@rule
def start_bidding(box: Box, state: State, events: Events) -> None:
    """5.2: influence starts at zero, and the lead player goes first."""
    turn_up_claims(box, state, events)
    start_stage(state, S.influence)
    state.total = 0
    state.bidder = state.lead


# --- Sets (guide 5.3 to 5.8) -------------------------------------------------------


@rule
def icons_needed(state: State, season: int) -> int:
    """5.4, 5.5, 5.6: as many icons as the total in season, one more out of season; never none."""
    if season == state.season:
        return max(1, int(state.total))
    return int(state.total) + 1


@rule
def makes_set(box: Box, need: int, doubles: int, ones: int, twos: int) -> bool:
    """5.8: do so many of these doubles make a set?

    The rest of the set are singles that meet the need exactly; only doubles alone may go one beyond it.
    """
    singles = need - 2 * doubles
    if doubles >= DOUBLES or doubles > twos or singles < -1 or singles > ones:
        return False
    return box.options.strict_fewest == 0 or n_in_set(need, doubles) == fewest_cards(need, twos)


@rule
def n_in_set(need: int, doubles: int) -> int:
    """How many cards a set with so many doubles has."""
    return doubles + max(0, need - 2 * doubles)


@rule
def fewest_cards(need: int, twos: int) -> int:
    """11.2: the fewest cards that meet the need: as many doubles as there are and are wanted, then singles."""
    return n_in_set(need, min(twos, (need + 1) // 2))


@rule
def n_of_shape(box: Box, state: State, seat: int, season: int, pips: int) -> int:
    """How many cards of a season with one or two icons the seat holds."""
    return count_both(state.seats[seat].hand, box.of_shape[season, pips - 1])


@rule
def cannot_bid(state: State, seat: int) -> bool:
    """5.9: everybody sees that so few cards cannot reach the total."""
    return 2 * count(state.seats[seat].hand) < max(1, int(state.total))


@rule
def why_not_play(box: Box, state: State, seat: int, season: int, doubles: int) -> int:
    """5.3, 5.4, 5.5, 5.8, 11.2: cards of the season that reach the total, none of them superfluous."""
    singles = n_of_shape(box, state, seat, season, 1)
    twos = n_of_shape(box, state, seat, season, 2)
    if singles + twos == 0:
        return R.none_of_season
    if state.phase != P.bid:
        return R.fine
    need = icons_needed(state, season)
    if makes_set(box, need, doubles, singles, twos):
        return R.fine
    if singles + 2 * twos < need:
        if season == state.season:
            return R.too_few_to_match
        return R.too_few_to_raise
    if need - 2 * doubles < -1:
        return R.superfluous
    if doubles > twos:
        return R.fewer_doubles
    if need - 2 * doubles > singles:
        return R.fewer_singles
    return R.not_fewest


@rule
def allow_play(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.3: the sets by season and number of doubles."""
    for season in range(SEASONS):
        need = icons_needed(state, season)
        ones = n_of_shape(box, state, seat, season, 1)
        twos = n_of_shape(box, state, seat, season, 2)
        for doubles in range(min(twos, (need + 1) // 2) + 1):
            if makes_set(box, need, doubles, ones, twos):
                allow(out, A.play + season * DOUBLES + doubles)


@rule
def do_play(box: Box, state: State, events: Events, seat: int, season: int, doubles: int) -> None:
    """5.3: a set of this season and shape; which cards, where it makes a difference, is asked next."""
    state.suit = season
    state.twos = doubles
    state.ones = max(0, icons_needed(state, season) - 2 * doubles)
    state.kind = box.first_kind[season]
    clear(state.picked)
    fill_set(box, state, events, seat)


@rule
def n_free(box: Box, state: State, seat: int, kind: int) -> int:
    """Cards of a kind in hand that are not in the set yet."""
    return count_both(state.seats[seat].hand, box.kind[kind].cards) - count_both(state.picked, box.kind[kind].cards)


@rule
def pips_wanted(state: State) -> int:
    """5.8: doubles are chosen before singles."""
    if state.twos > 0:
        return 2
    return 1


@rule
def why_not_pick(box: Box, state: State, seat: int, kind: int) -> int:
    """5.8: kinds are chosen in their order, doubles first, so that each set can be put together in one way only."""
    if kind >= box.n_kinds or n_cards_of_kind(box, state, seat, kind) == 0:
        return R.not_held
    if state.phase != P.pick:
        return R.fine
    if box.kind[kind].season != state.suit or n_free(box, state, seat, kind) == 0:
        return R.not_pickable
    pips = pips_wanted(state)
    if box.kind[kind].pips != pips:
        return R.other_shape
    if kind < state.kind:
        return R.out_of_order
    from_here_on = 0
    for later in range(kind, box.first_kind[state.suit + 1]):
        if box.kind[later].pips == pips:
            from_here_on += n_free(box, state, seat, later)
    if from_here_on < n_wanted(state):
        return R.out_of_order
    return R.fine


@rule
def allow_pick(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.8: the same, all at once: from the last kind back, counting what is left from each on."""
    pips = pips_wanted(state)
    wanted = n_wanted(state)
    n_later = 0
    for kind in range(box.first_kind[state.suit + 1] - 1, state.kind - 1, -1):
        if box.kind[kind].pips == pips:
            n = n_free(box, state, seat, kind)
            n_later += n
            if n > 0 and n_later >= wanted:
                allow(out, A.pick + kind)


@rule
def n_wanted(state: State) -> int:
    """How many cards of the shape being chosen the set still needs."""
    if state.twos > 0:
        return int(state.twos)
    return int(state.ones)


@rule
def only_pick(box: Box, state: State, seat: int) -> int:
    """5.8: the kind to be put in, where only one can be; NOBODY where there is a choice. From the last kind back, counting."""
    pips = pips_wanted(state)
    wanted = n_wanted(state)
    only = NOBODY
    n_later = 0
    for kind in range(box.first_kind[state.suit + 1] - 1, state.kind - 1, -1):
        if box.kind[kind].pips == pips:
            n = n_free(box, state, seat, kind)
            n_later += n
            if n > 0 and n_later >= wanted:
                if only != NOBODY:
                    return NOBODY
                only = kind
    return only


@rule
def fill_set(box: Box, state: State, events: Events, seat: int) -> None:
    """5.8: put the cards in that leave no choice; ask about the others; then the set is played."""
    while state.twos + state.ones > 0:
        kind = only_pick(box, state, seat)
        if kind == NOBODY:
            ask(state, P.pick, seat)
            return
        pick(box, state, seat, kind)
    show_set(box, state, events, seat)


@rule
def pick(box: Box, state: State, seat: int, kind: int) -> None:
    """Put a card of this kind into the set."""
    hand = state.seats[seat].hand
    card = first_from(box.kind[kind].cards, 0)
    while not has(hand, card) or has(state.picked, card):
        card = first_from(box.kind[kind].cards, card + 1)
    add(state.picked, card)
    if state.twos > 0:
        state.twos -= 1
    else:
        state.ones -= 1
    state.kind = kind
    if state.twos == 0 and box.kind[kind].pips == 2:
        state.kind = box.first_kind[state.suit]


@rule
def do_pick(box: Box, state: State, events: Events, seat: int, kind: int) -> None:
    """5.8: the kind that was chosen."""
    go_on(state)
    pick(box, state, seat, kind)
    fill_set(box, state, events, seat)


@rule
def icons_in(box: Box, cards: Bits) -> int:
    """5.7: the season icons on a set of cards."""
    n = 0
    for season in range(len(box.symbols)):
        n += count_both(cards, box.of_shape[season, 0]) + 2 * count_both(cards, box.of_shape[season, 1])
    return n


@rule
def show_set(box: Box, state: State, events: Events, seat: int) -> None:
    """5.7: the set alone makes the new total; the seat's earlier sets are turned face down."""
    me = state.seats[seat]
    merge(me.spent, me.shown)
    clear(me.shown)
    merge(me.shown, state.picked)
    take_away(me.hand, state.picked)
    card = first_from(me.shown, 0)
    while card >= 0:
        tell(events, E.played, seat, card)
        card = first_from(me.shown, card + 1)
    before = int(state.total)
    state.total = icons_in(box, me.shown)
    if state.total == before:
        tell(events, E.matched, seat, state.total)
    else:
        tell(events, E.raised, seat, state.total)
    clear(state.picked)
    next_bidder(state)
    go_on(state)


@rule
def next_bidder(state: State) -> None:
    """5.2: clockwise, skipping whoever has passed."""
    for _ in range(SEATS):
        state.bidder += 1
        if state.bidder >= state.n_seats:
            state.bidder = 0
        if state.seats[state.bidder].marker == 0:
            return


# --- Passing (guide 5.9 to 5.11) -----------------------------------------------------


@rule
def do_give_up(box: Box, state: State, events: Events, seat: int) -> None:
    """5.9: the highest marker left, and what lies beside it."""
    marker = state.n_seats - n_seats_passed(state)
    state.seats[seat].marker = marker
    tell(events, E.passed, seat, marker)
    state.step = PASSING
    take_space(box, state, seat, marker)
    go_on(state)


@rule
def take_space(box: Box, state: State, seat: int, marker: int) -> None:
    """1.13: what the board shows beside a claim marker."""
    add_icons(state, box.space[state.n_seats, marker].icons)
    begin_icons(state, seat)


@rule
def finish_pass(box: Box, state: State, events: Events) -> None:
    """5.10: the first to pass becomes lead player and takes a Despair, after what lay beside the marker."""
    seat = int(state.bidder)
    state.step = BIDDING
    if state.seats[seat].marker == state.n_seats:
        state.lead = seat
        tell(events, E.lead, seat)
        for _ in range(box.rules.first_pass_despair):
            take_despair(state, events, seat)
    next_bidder(state)


@rule
def proceed_bidding(box: Box, state: State, events: Events) -> None:
    """5.2: the next seat that has not passed, until only one is left."""
    if state.step == PASSING:
        finish_pass(box, state, events)
        return
    seat = int(state.bidder)
    left = state.n_seats - n_seats_passed(state)
    if left == 0:
        start_stage(state, S.stakes)
    elif left == 1:
        state.seats[seat].marker = 1
        tell(events, E.last_in, seat, 1)
        take_space(box, state, seat, 1)
    elif cannot_bid(state, seat):
        do_give_up(box, state, events, seat)
    else:
        ask(state, P.bid, seat)
