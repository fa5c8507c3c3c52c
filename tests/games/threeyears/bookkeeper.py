"""A second account of a game, kept from its log alone: what its lines say, and what is printed on cards and tokens."""

from __future__ import annotations

from contract.bookkeeping import RecordBook, add, discard, has, move
from sutler.core.record import NOBODY
from sutler.games.threeyears.box import (
    AS_MANY,
    CARDS,
    DRAW,
    FEWER,
    FIRST,
    FOOD,
    GOLD,
    HOPE,
    LAST_PLACE,
    MORE,
    RENOWN,
    SEATS,
    SECOND,
    TRACKS,
)


class WarBook(RecordBook):
    """Tracks, tokens, influence cards, claims and stakes, as the log tells them; hands from the lines for their owners."""

    CHANGES_NOTHING = (
        "aimed bonus bonus_cards disgrace ended final forgotten locusts no_room no_stakes none_left own_writ "
        "resolving saw_card saw_despair saw_writ short sorrow stole taxed"
    )

    COURSE = (
        *("stage", "bidder", "kth", "step", "used", "suit", "ones", "twos", "kind"),
        *("actor", "icon", "theft", "shy", "looks", "depth", "due", "owed"),
    )
    OWNED = ("seats.hand",)

    def begin(self) -> None:
        """The interlude cards of each event that were turned up."""
        self.turned = [0] * len(self.state.interludes)

    def stands(self, seat: int, standing: int) -> None:
        self.state.seats[seat].standing = standing

    # --- the course ---

    def _year(self, n: int) -> None:
        self.state.year = n - 1

    def _season(self, season: int) -> None:
        state = self.state
        state.season, state.card = season, NOBODY
        for slot in range(SEATS):
            state.offer[slot] = state.taker[slot] = NOBODY
            state.seats[slot].marker, state.seats[slot].claim = 0, NOBODY

    def _lead(self, seat: int) -> None:
        self.state.lead = seat

    def _interlude(self, event: int, card: int) -> None:
        self.state.card = card - event * CARDS
        for me in self.state.seats[: self.state.n_seats]:
            me.standing = NOBODY
        self.turned[event] += 1

    def _first(self, seat: int, track: int) -> None:
        self.stands(seat, FIRST)

    def _second(self, seat: int, track: int) -> None:
        self.stands(seat, SECOND)

    def _last(self, seat: int, track: int) -> None:
        self.stands(seat, LAST_PLACE)

    def _surplus(self, seat: int, track: int) -> None:
        self.stands(seat, MORE)

    def _level(self, seat: int, track: int) -> None:
        self.stands(seat, AS_MANY)

    def _hunger(self, seat: int, track: int) -> None:
        self.stands(seat, FEWER)

    _sheltered, _crowded, _exposed = _surplus, _level, _hunger

    # --- influence cards ---

    def _dealt(self, seat: int, card: int) -> None:
        add(self.state.seats[seat].hand, card)

    def _reshuffled(self) -> None:
        self.state.discards[:] = 0

    def _played(self, seat: int, card: int) -> None:
        me = self.state.seats[seat]
        if self.before != "played":
            move(me.shown, me.spent)
        discard(me.hand, card)
        add(me.shown, card)

    def _matched(self, seat: int, n: int) -> None:
        self.state.total = n

    _raised = _matched

    def _dropped(self, seat: int, card: int) -> None:
        discard(self.state.seats[seat].hand, card)
        add(self.state.discards, card)

    def _stake(self, card: int) -> None:
        for me in self.state.seats:
            discard(me.shown, card)
            discard(me.spent, card)
        add(self.state.loose, card)

    def _cleared(self, n: int) -> None:
        assert n == sum(int(w).bit_count() for me in self.state.seats for w in (*me.shown, *me.spent))
        for me in self.state.seats:
            move(me.shown, self.state.discards)
            move(me.spent, self.state.discards)

    def _tied(self, seat: int, card: int, claim: int) -> None:
        discard(self.state.loose, card)
        add(self.state.tied[self.slot(claim)], card)

    def _stakes_gone(self, n: int) -> None:
        assert n == sum(int(w).bit_count() for stakes in self.state.tied for w in stakes)
        for stakes in self.state.tied:
            move(stakes, self.state.discards)

    # --- claims ---

    def slot(self, claim: int) -> int:
        """Where a claim card lies."""
        return [int(one) for one in self.state.offer].index(claim)

    def _recycled(self, season: int) -> None:
        self.state.claims |= self.box.season_claims[season]

    def _turned_up(self, claim: int) -> None:
        self.state.total = 0
        discard(self.state.claims, claim)
        self.state.offer[[int(one) for one in self.state.offer].index(NOBODY)] = claim

    def _passed(self, seat: int, marker: int) -> None:
        self.state.seats[seat].marker = marker

    _last_in = _passed

    def _drafted(self, seat: int, claim: int) -> None:
        self.state.taker[self.slot(claim)] = seat
        self.state.seats[seat].claim = self.slot(claim)

    # --- resources ---

    def _gained(self, seat: int, n: int, icon: int) -> None:
        me = self.state.seats[seat]
        if icon < TRACKS:
            me.tracks[icon] += n
        elif icon == RENOWN:
            me.renown += n
        else:
            assert icon == HOPE
            me.hope += n
            self.state.hopes -= n

    def _drew(self, seat: int, n: int, icon: int) -> None:
        assert icon == DRAW

    def _lost(self, seat: int, n: int, track: int) -> None:
        self.state.seats[seat].tracks[track] -= n

    def _bought(self, seat: int, n: int) -> None:
        self._lost(seat, n, GOLD)

    def _exchanged(self, seat: int, n: int) -> None:
        self._lost(seat, n, FOOD)

    # --- tokens ---

    def _took_writ(self, seat: int, token: int) -> None:
        discard(self.state.writs, token)
        add(self.state.seats[seat].writs, token)

    def _revealed(self, seat: int, token: int, writ: int) -> None:
        for me in self.state.seats:
            discard(me.writs, token)
            discard(me.seen_writs, token)

    def _despair(self, seat: int, token: int) -> None:
        discard(self.state.despairs, token)
        add(self.state.seats[seat].despair, token)

    def _doom(self, seat: int) -> None:
        self.state.seats[seat].doom += 1

    def _dispelled(self, token: int, n: int, seat: int) -> None:
        assert n == self.state.despair_face[token], "as the token was laid out"
        discard(self.state.seats[seat].despair, token)
        add(self.state.dispelled, token)

    def _scouted(self, seat: int, n: int, looks: int) -> None:
        self.state.scouts -= n
        self.state.seats[seat].scouts += n

    def _looked_event(self, seat: int, n: int, event: int) -> None:
        self.state.seats[seat].seen_cards[event] |= 1 << self.turned[event] + n - 1

    def _looked_despair(self, seat: int, token: int, owner: int) -> None:
        assert has(self.state.seats[owner].despair, token)
        add(self.state.seats[seat].seen_despair, token)

    def _looked_writ(self, seat: int, token: int, owner: int) -> None:
        assert has(self.state.seats[owner].writs, token)
        add(self.state.seats[seat].seen_writs, token)
