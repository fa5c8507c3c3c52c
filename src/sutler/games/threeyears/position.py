"""Positions from scenario files: what a file leaves out follows from what it says, and contradictions are refused by name.

A file names a decision (`phase`), the seat that decides (`to_act`) and what lies on the table. The season is then begun at that
point and run by the rules themselves; everything that the file said must still be true at the decision they come to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

from sutler.core.bits import add, count, has, remove
from sutler.core.events import new_buffer
from sutler.core.files.box import BoxError
from sutler.core.record import NOBODY
from sutler.games.threeyears import state as s
from sutler.games.threeyears.box import AUTUMN, DESPAIRS, INFLUENCE, SEASON_NAMES, SEASONS, SEATS, SPRING, WINTER, S
from sutler.games.threeyears.rules.claims import OPENING
from sutler.games.threeyears.rules.influence import icons_in
from sutler.games.threeyears.rules.stakes import GATHER, TIE
from sutler.games.threeyears.rules.turn import proceed
from sutler.games.threeyears.table import PHASES, P

COURSE = (
    "stage",
    "to_act",
    "bidder",
    "total",
    "kth",
    "step",
    "used",
    "offer",
    "taker",
    "tied",
    "loose",
    "card",
    "picked",
)
"""The fields that a game beginning with the taxes of a season sets by itself."""
OF_A_SEASON = ("marker", "claim", "shown", "spent")
"""The fields of each seat that a game beginning with the taxes of a season sets by itself."""


def complete(box: Any, state: Any, written: Collection[str]) -> None:
    """Fill in what the file leaves out from what it says; BoxError names the field that contradicts the rest."""
    if state.season >= SEASONS or state.year >= box.options.years:
        raise _fault("year", f"the war of this file lasts {int(box.options.years)} years")
    _put_back(box, state)
    _deal_faces(box.despair_value, state.despair_face, "despair_face", written)
    _deal_faces(box.writ_kind, state.writ_face, "writ_face", written)
    _count_supplies(box, state, written)
    if "phase" not in written:
        _refuse_course(written)
        return
    said = s.STATE.copy(state)
    begin = BEGINNINGS.get(int(state.phase))
    if begin is None:
        raise _fault("phase", f"a position cannot begin with {PHASES.words[state.phase]!r}, in the midst of something")
    begin(box, state, written)
    state.phase = P.moving
    proceed(box, state, new_buffer(on=False))
    _compare(said, state, written)


def _fault(path: str, why: str) -> BoxError:
    return BoxError(f"{path}: {why}")


def _put_back(box: Any, state: Any) -> None:
    """Return what has no place: cards to the deck, tokens to their piles; claim cards turned up leave theirs."""
    for card in range(INFLUENCE):
        if has(box.deck, card) and not any(has(place, card) for place in _card_places(state)):
            add(state.deck, card)
    for token in range(DESPAIRS):
        lies = has(state.dispelled, token) or any(has(state.seats[seat].despair, token) for seat in range(SEATS))
        if has(box.despairs, token) and not lies:
            add(state.despairs, token)
    for slot in range(SEATS):
        if state.offer[slot] != NOBODY:
            remove(state.claims, int(state.offer[slot]))


def _card_places(state: Any) -> list[Any]:
    places = [state.deck, state.discards, state.loose]
    for seat in range(SEATS):
        me = state.seats[seat]
        places += [me.hand, me.shown, me.spent, state.tied[seat]]
    return places


def _deal_faces(printed: Any, faces: Any, path: str, written: Collection[str]) -> None:
    """Give tokens the faces that the file names; the others share the faces that are left, and keep theirs where they can."""
    told = [f"{path}[{token}]" in written for token in range(len(faces))]
    left = Counter(int(face) for face in printed)
    for token in sorted(range(len(faces)), key=lambda token: not told[token]):
        face = int(faces[token])
        if left[face]:
            left[face] -= 1
        elif told[token]:
            raise _fault(f"{path}[{token}]", "the box has not so many tokens with this face")
        else:
            faces[token] = NOBODY
    spare = iter(sorted(left.elements()))
    for token in range(len(faces)):
        if faces[token] == NOBODY:
            faces[token] = next(spare)


def _count_supplies(box: Any, state: Any, written: Collection[str]) -> None:
    """1.12: put Hope and Scout tokens that nobody has into the supply."""
    if "hopes" not in written:
        state.hopes = box.hopes - sum(int(one.hope) for one in state.seats)
    if "scouts" not in written:
        state.scouts = box.scouts - sum(int(one.scouts) for one in state.seats)


def _refuse_course(written: Collection[str]) -> None:
    """Refuse fields of a season's course: without a decision the game begins with the taxes, before anything of the season has happened."""
    for path in sorted(written):
        head, _, tail = path.partition(".")
        if head.partition("[")[0] in COURSE or tail.partition("[")[0] in OF_A_SEASON:
            raise _fault(path, "without a `phase` the game begins with the taxes of its season; write the phase too")


# --- Where each decision stands in its season --------------------------------------


def _begin_bid(box: Any, state: Any, written: Collection[str]) -> None:
    """5: seats that have passed hold the highest markers; the total is that of the last set."""
    _turned_up(box, state)
    _markers(state, written, everybody=False)
    highest = max(int(icons_in(box, state.seats[seat].shown)) for seat in range(state.n_seats))
    if "total" in written and state.total != highest:
        raise _fault("total", f"the last set before the seats shows {highest} icons")
    if "bidder" in written and "to_act" in written and state.bidder != state.to_act:
        raise _fault("bidder", "it is the seat to act")
    bidder = int(state.bidder if "bidder" in written else state.to_act if "to_act" in written else state.lead)
    _stage(state, S.influence)
    state.total, state.bidder = highest, bidder
    if state.seats[bidder].marker:
        raise _fault("to_act", "this seat has passed")


def _begin_stake(box: Any, state: Any, written: Collection[str]) -> None:
    """6: all have passed; the sets before the seats are gathered, unless the stakes lie apart already."""
    _turned_up(box, state)
    _markers(state, written, everybody=True)
    _stage(state, S.stakes)
    state.step = TIE if count(state.loose) else GATHER


def _begin_draft(box: Any, state: Any, written: Collection[str]) -> None:
    """7.1: claim cards are taken in the order of the markers."""
    _turned_up(box, state)
    _markers(state, written, everybody=True)
    _stage(state, S.draft)
    takers = [int(state.taker[slot]) for slot in range(state.n_seats) if state.taker[slot] != NOBODY]
    state.kth = len(takers)
    for slot in range(state.n_seats):
        if state.taker[slot] != NOBODY:
            state.seats[state.taker[slot]].claim = slot
    if sorted(int(state.seats[seat].marker) for seat in takers) != list(range(1, len(takers) + 1)):
        raise _fault("taker", "claim cards are taken in the order of the markers, one by each seat")


def _begin_window(box: Any, state: Any, written: Collection[str]) -> None:
    """8.7: before the last claim card is taken or a claim is resolved; or, an interlude card open, round from the lead player."""
    if state.card == NOBODY:
        last = state.n_seats - 1
        if [int(state.taker[slot]) for slot in range(state.n_seats)].count(NOBODY) == 1:
            _begin_draft(box, state, written)
            if state.seats[state.to_act].marker != last + 1:
                raise _fault("to_act", "the last claim card goes to who holds the last marker")
            return
        _turned_up(box, state)
        _markers(state, written, everybody=True)
        _stage(state, S.claims)
        state.kth, state.step = int(state.seats[state.to_act].marker) - 1, OPENING
        for slot in range(state.n_seats):
            if state.taker[slot] == NOBODY:
                raise _fault("taker", "every claim card has been taken before one is resolved")
            state.seats[state.taker[slot]].claim = slot
        return
    _open_card(box, state)
    state.kth = _from_lead(state) - int(state.n_seats)


def _begin_event(season: int) -> Callable[[Any, Any, Collection[str]], None]:
    """9.2, 9.5: a function that begins an event, from the lead player clockwise."""

    def begin(box: Any, state: Any, written: Collection[str]) -> None:
        if state.season != season:
            raise _fault("season", f"this event comes after {SEASON_NAMES[season]}")
        if state.card == NOBODY:
            raise _fault("card", "the interlude card lies open; write its number in its deck, from 0")
        _open_card(box, state)
        state.kth = _from_lead(state)

    return begin


def _begin_limit(box: Any, state: Any, written: Collection[str]) -> None:
    """9.8: after The Bitter Months."""
    if state.season != WINTER:
        raise _fault("season", "hands are checked after The Bitter Months, in Winter")
    state.card = state.interludes[WINTER, state.year] if state.card == NOBODY else state.card
    _open_card(box, state)
    _stage(state, S.hand_limit)
    state.kth = _from_lead(state)


BEGINNINGS: dict[int, Callable[[Any, Any, Collection[str]], None]] = {
    P.bid: _begin_bid,
    P.stake: _begin_stake,
    P.stake_on: _begin_stake,
    P.draft: _begin_draft,
    P.window: _begin_window,
    P.market: _begin_event(SPRING),
    P.reap: _begin_event(AUTUMN),
    P.limit: _begin_limit,
}


def _stage(state: Any, stage: int) -> None:
    state.stage, state.kth, state.step, state.used, state.actor = stage, 0, 0, 0, NOBODY


def _from_lead(state: Any) -> int:
    """3.3: how many seats after the lead player the seat to act is."""
    return int(state.to_act - state.lead) % int(state.n_seats)


def _turned_up(box: Any, state: Any) -> None:
    """5.1: check that as many claim cards of the season are turned up as there are seats, all different."""
    claims = [int(state.offer[slot]) for slot in range(state.n_seats)]
    if NOBODY in claims or len(set(claims)) < len(claims):
        raise _fault("offer", f"as many different claim cards as seats are turned up: {int(state.n_seats)}")
    for slot, claim in enumerate(claims):
        if box.claim[claim].season != state.season:
            raise _fault(f"offer[{slot}]", f"this is no claim card of {SEASON_NAMES[state.season]}")


def _markers(state: Any, written: Collection[str], everybody: bool) -> None:
    """5.9, 5.10: check that the highest markers are out, and make the holder of the highest lead player."""
    n = int(state.n_seats)
    held = sorted(int(state.seats[seat].marker) for seat in range(n) if state.seats[seat].marker)
    if held != list(range(n - len(held) + 1, n + 1)) or (len(held) == n) != everybody or len(held) == n - 1:
        wanted = f"1 to {n}, one to each seat" if everybody else f"those who have passed hold {n} and on down"
        raise _fault("seats[].marker", wanted)
    if held:
        first = next(seat for seat in range(n) if state.seats[seat].marker == n)
        if "lead" in written and state.lead != first:
            raise _fault("lead", "the first to pass holds the highest marker and is lead player")
        state.lead = first


def _open_card(box: Any, state: Any) -> None:
    """9.1: check that the card turned up is the one of this year; put the deck in order for it."""
    if not 0 <= state.card < box.n_cards[state.season]:
        raise _fault("card", f"this event has {int(box.n_cards[state.season])} cards, numbered from 0")
    deck = state.interludes[state.season]
    place = next(i for i in range(len(deck)) if deck[i] == state.card)
    deck[place], deck[state.year] = deck[state.year], state.card
    _stage(state, S.interlude)


def _compare(said: Any, state: Any, written: Collection[str]) -> None:
    """Check that everything the file says is true at the decision the rules come to."""
    for (path, one, was), (_, _, now) in zip(s.STATE.leaves(said), s.STATE.leaves(state), strict=True):
        if path in written and (was.tobytes() if one.is_set else was) != (now.tobytes() if one.is_set else now):
            became = (
                ""
                if one.is_set
                else f": it is {PHASES.words[now]!r} then"
                if path == "phase"
                else f": it is {now} then"
            )
            raise _fault(path, f"this does not agree with the rest of the position{became}")
