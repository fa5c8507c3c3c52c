"""Complete a Three Years of War position from a scenario file: what the file leaves out follows from the rest; contradictions are refused.

A file names a decision (`phase`), the seat that decides (`to_act`) and what lies on the table. The season is begun at that point and run by
the rules themselves; everything that the file says must still be true at the decision that the rules come to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

from sutler.core.bits import add, count, has, remove
from sutler.core.events import new_event_buffer
from sutler.core.files.box import BoxError
from sutler.core.record import NOBODY
from sutler.games.threeyears import state as s
from sutler.games.threeyears.box import AUTUMN, DESPAIRS, INFLUENCE, SEASON_NAMES, SEASONS, SEATS, SPRING, WINTER, S
from sutler.games.threeyears.phases_actions_events import PHASES, P
from sutler.games.threeyears.rules.claims import OPENING
from sutler.games.threeyears.rules.influence import icons_in
from sutler.games.threeyears.rules.stakes import GATHER, TIE
from sutler.games.threeyears.rules.turn import proceed

SEASON_FIELDS = (
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
"""The fields that the rules set by themselves in a game that begins with the taxes of a season."""
SEAT_SEASON_FIELDS = ("marker", "claim", "shown", "spent")
"""The fields of each seat that the rules set by themselves in a game that begins with the taxes of a season."""


def complete(box: Any, state: Any, written: Collection[str]) -> None:
    """Fill in the fields that a scenario file leaves out; BoxError names a field that contradicts the rest.

    `written`: the fields in the file.
    """
    if state.season >= SEASONS or state.year >= box.options.years:
        raise _build_fault("year", f"the war of this file lasts {int(box.options.years)} years")
    _return_to_piles(box, state)
    _deal_faces(box.despair_value, state.despair_face, "despair_face", written)
    _deal_faces(box.writ_kind, state.writ_face, "writ_face", written)
    _count_supplies(box, state, written)
    if "phase" not in written:
        _refuse_progress_without_phase(written)
        return
    said = s.STATE.copy(state)
    begin = BEGINNINGS.get(int(state.phase))
    if begin is None:
        raise _build_fault(
            "phase", f"a position cannot begin with {PHASES.words[state.phase]!r}, in the midst of something"
        )
    begin(box, state, written)
    state.phase = P.moving
    proceed(box, state, new_event_buffer(on=False))
    _require_agreement(said, state, written)


def _build_fault(path: str, reason: str) -> BoxError:
    """A BoxError that names a field of the file and says why its value is wrong."""
    return BoxError(f"{path}: {reason}")


def _return_to_piles(box: Any, state: Any) -> None:
    """Put the cards and tokens that the file places nowhere into their piles, and take the claim cards on the table out of their deck."""
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
    """Every set of the state in which influence cards can lie."""
    places = [state.deck, state.discards, state.loose]
    for seat in range(SEATS):
        me = state.seats[seat]
        places += [me.hand, me.shown, me.spent, state.tied[seat]]
    return places


def _deal_faces(printed: Any, faces: Any, path: str, written: Collection[str]) -> None:
    """Give each token its face: the one that the file names, else one of the faces that are left.

    `printed` are the faces of the box, `faces` those of the state (changed in place), `path` the name of the field for BoxError. Tokens
    without a name in the file keep their face where they can.
    """
    told = [f"{path}[{token}]" in written for token in range(len(faces))]
    left = Counter(int(face) for face in printed)
    for token in sorted(range(len(faces)), key=lambda token: not told[token]):
        face = int(faces[token])
        if left[face]:
            left[face] -= 1
        elif told[token]:
            raise _build_fault(f"{path}[{token}]", "the box has not so many tokens with this face")
        else:
            faces[token] = NOBODY
    spare = iter(sorted(left.elements()))
    for token in range(len(faces)):
        if faces[token] == NOBODY:
            faces[token] = next(spare)


def _count_supplies(box: Any, state: Any, written: Collection[str]) -> None:
    """Put the Hope and Scout tokens that no seat has into the supply (1.12)."""
    if "hopes" not in written:
        state.hopes = box.hopes - sum(int(one.hope) for one in state.seats)
    if "scouts" not in written:
        state.scouts = box.scouts - sum(int(one.scouts) for one in state.seats)


def _refuse_progress_without_phase(written: Collection[str]) -> None:
    """Raise BoxError for fields about the progress of a season where the file names no phase, since the game then begins with the taxes."""
    for path in sorted(written):
        head, _, tail = path.partition(".")
        if head.partition("[")[0] in SEASON_FIELDS or tail.partition("[")[0] in SEAT_SEASON_FIELDS:
            raise _build_fault(
                path, "without a `phase` the game begins with the taxes of its season; write the phase too"
            )


# --- Beginnings: where each decision stands in its season --------------------------


def _complete_bid_phase(box: Any, state: Any, written: Collection[str]) -> None:
    """Fill in a position that begins in the bidding (guide 5).

    Seats that have passed hold the highest markers, and the influence total is that of the largest set.
    """
    _require_claims_turned_up(box, state)
    _check_markers(state, written, everybody=False)
    highest = max(int(icons_in(box, state.seats[seat].shown)) for seat in range(state.n_seats))
    if "total" in written and state.total != highest:
        raise _build_fault("total", f"the last set before the seats shows {highest} icons")
    if "bidder" in written and "to_act" in written and state.bidder != state.to_act:
        raise _build_fault("bidder", "it is the seat to act")
    bidder = int(state.bidder if "bidder" in written else state.to_act if "to_act" in written else state.lead)
    _enter_stage(state, S.influence)
    state.total, state.bidder = highest, bidder
    if state.seats[bidder].marker:
        raise _build_fault("to_act", "this seat has passed")


def _complete_stake_phase(box: Any, state: Any, written: Collection[str]) -> None:
    """Fill in a position that begins with the seasonal stakes (guide 6).

    All seats have passed; the played sets become the stakes, unless stakes lie apart already.
    """
    _require_claims_turned_up(box, state)
    _check_markers(state, written, everybody=True)
    _enter_stage(state, S.stakes)
    state.step = TIE if count(state.loose) else GATHER


def _complete_draft_phase(box: Any, state: Any, written: Collection[str]) -> None:
    """Fill in a position that begins with the draft: claim cards are taken in the order of the markers (7.1)."""
    _require_claims_turned_up(box, state)
    _check_markers(state, written, everybody=True)
    _enter_stage(state, S.draft)
    takers = [int(state.taker[slot]) for slot in range(state.n_seats) if state.taker[slot] != NOBODY]
    state.kth = len(takers)
    for slot in range(state.n_seats):
        if state.taker[slot] != NOBODY:
            state.seats[state.taker[slot]].claim = slot
    if sorted(int(state.seats[seat].marker) for seat in takers) != list(range(1, len(takers) + 1)):
        raise _build_fault("taker", "claim cards are taken in the order of the markers, one by each seat")


def _complete_window_phase(box: Any, state: Any, written: Collection[str]) -> None:
    """Fill in a position that begins where a seat may reveal a Writ (8.7).

    That is before the last claim card is taken, before a claim is resolved, or in an interlude.
    """
    if state.card == NOBODY:
        last = state.n_seats - 1
        if [int(state.taker[slot]) for slot in range(state.n_seats)].count(NOBODY) == 1:
            _complete_draft_phase(box, state, written)
            if state.seats[state.to_act].marker != last + 1:
                raise _build_fault("to_act", "the last claim card goes to who holds the last marker")
            return
        _require_claims_turned_up(box, state)
        _check_markers(state, written, everybody=True)
        _enter_stage(state, S.claims)
        state.kth, state.step = int(state.seats[state.to_act].marker) - 1, OPENING
        for slot in range(state.n_seats):
            if state.taker[slot] == NOBODY:
                raise _build_fault("taker", "every claim card has been taken before one is resolved")
            state.seats[state.taker[slot]].claim = slot
        return
    _set_interlude_card(box, state)
    state.kth = _n_places_from_lead(state) - int(state.n_seats)


def _complete_event_phase(season: int) -> Callable[[Any, Any, Collection[str]], None]:
    """A function that fills in a position that begins in the interlude after `season` (9.2, 9.5)."""

    def begin(box: Any, state: Any, written: Collection[str]) -> None:
        if state.season != season:
            raise _build_fault("season", f"this event comes after {SEASON_NAMES[season]}")
        if state.card == NOBODY:
            raise _build_fault("card", "the interlude card lies open; write its number in its deck, from 0")
        _set_interlude_card(box, state)
        state.kth = _n_places_from_lead(state)

    return begin


def _complete_limit_phase(box: Any, state: Any, written: Collection[str]) -> None:
    """Fill in a position that begins with the check of hands after The Bitter Months (9.8)."""
    if state.season != WINTER:
        raise _build_fault("season", "hands are checked after The Bitter Months, in Winter")
    state.card = state.interludes[WINTER, state.year] if state.card == NOBODY else state.card
    _set_interlude_card(box, state)
    _enter_stage(state, S.hand_limit)
    state.kth = _n_places_from_lead(state)


BEGINNINGS: dict[int, Callable[[Any, Any, Collection[str]], None]] = {
    P.bid: _complete_bid_phase,
    P.stake: _complete_stake_phase,
    P.stake_on: _complete_stake_phase,
    P.draft: _complete_draft_phase,
    P.window: _complete_window_phase,
    P.market: _complete_event_phase(SPRING),
    P.reap: _complete_event_phase(AUTUMN),
    P.limit: _complete_limit_phase,
}


def _enter_stage(state: Any, stage: int) -> None:
    """Set the stage of the state, and all progress within it to its beginning."""
    state.stage, state.kth, state.step, state.used, state.actor = stage, 0, 0, 0, NOBODY


def _n_places_from_lead(state: Any) -> int:
    """The number of places clockwise from the lead player to the seat to act (3.3)."""
    return int(state.to_act - state.lead) % int(state.n_seats)


def _require_claims_turned_up(box: Any, state: Any) -> None:
    """Raise BoxError unless as many different claim cards of the season are turned up as there are seats (5.1)."""
    claims = [int(state.offer[slot]) for slot in range(state.n_seats)]
    if NOBODY in claims or len(set(claims)) < len(claims):
        raise _build_fault("offer", f"as many different claim cards as seats are turned up: {int(state.n_seats)}")
    for slot, claim in enumerate(claims):
        if box.claim[claim].season != state.season:
            raise _build_fault(f"offer[{slot}]", f"this is no claim card of {SEASON_NAMES[state.season]}")


def _check_markers(state: Any, written: Collection[str], everybody: bool) -> None:
    """Raise BoxError unless the highest markers are held (5.9); make the holder of the highest one lead player (5.10).

    `everybody`: must every seat hold a marker?
    """
    n = int(state.n_seats)
    held = sorted(int(state.seats[seat].marker) for seat in range(n) if state.seats[seat].marker)
    if held != list(range(n - len(held) + 1, n + 1)) or (len(held) == n) != everybody or len(held) == n - 1:
        wanted = f"1 to {n}, one to each seat" if everybody else f"those who have passed hold {n} and on down"
        raise _build_fault("seats[].marker", wanted)
    if held:
        first = next(seat for seat in range(n) if state.seats[seat].marker == n)
        if "lead" in written and state.lead != first:
            raise _build_fault("lead", "the first to pass holds the highest marker and is lead player")
        state.lead = first


def _set_interlude_card(box: Any, state: Any) -> None:
    """Move the interlude card that is turned up to this year's place in its deck; BoxError if it is of another event (9.1)."""
    if not 0 <= state.card < box.n_cards[state.season]:
        raise _build_fault("card", f"this event has {int(box.n_cards[state.season])} cards, numbered from 0")
    deck = state.interludes[state.season]
    place = next(i for i in range(len(deck)) if deck[i] == state.card)
    deck[place], deck[state.year] = deck[state.year], state.card
    _enter_stage(state, S.interlude)


def _require_agreement(written_state: Any, state: Any, written: Collection[str]) -> None:
    """Raise BoxError, naming the field, where the file says something else than the decision that the rules lead to."""
    for (path, one, was), (_, _, now) in zip(
        s.STATE.iter_values(written_state), s.STATE.iter_values(state), strict=True
    ):
        if path in written and (was.tobytes() if one.is_set else was) != (now.tobytes() if one.is_set else now):
            became = (
                ""
                if one.is_set
                else f": it is {PHASES.words[now]!r} then"
                if path == "phase"
                else f": it is {now} then"
            )
            raise _build_fault(path, f"this does not agree with the rest of the position{became}")
