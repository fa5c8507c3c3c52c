"""A second account of Medieval Manor, kept from its log alone: what its lines say, and what is printed on lands and cards."""

from __future__ import annotations

from typing import Any

from contract.bookkeeping import RecordBook, add, discard, has, move
from sutler.core.record import NOBODY
from sutler.games.manor.box import ANIMALS, CROPS, HARDSHIP, LANDS, PEASANTS, UPGRADE, VICTORY, S


class ManorBook(RecordBook):
    """Tokens, hands, upgrades, the map, every pile that lies open, and who has done what in this turn, as the log tells them."""

    CHANGES_NOTHING = (
        "bought converted countered declined dice ended hunger offered offered_card offered_token traded "
        "wanted_card wanted_token"
    )

    COURSE = ("kth", "step", "used", "due", "card", "other", "victim", "offer", "seats.n_offers")

    def hand(self, seat: int) -> Any:
        """The hand that a seat plays from: with a common hand (9.5), the one on the table."""
        return self.state.seats[0 if self.box.options.common_hand else seat].hand

    def change(self, seat: int, token: int, n: int) -> None:
        self.state.seats[seat].tokens[token] += n

    def throw_away(self, seat: int, card: int) -> None:
        discard(self.hand(seat), card)
        add(self.state.discards, card)

    def lift(self, land: int) -> None:
        """A land is free again."""
        self.state.lies[land] = self.state.owner[land] = NOBODY

    # --- the course ---

    def _turn(self, n: int) -> None:
        state = self.state
        state.turn, state.ban, state.is_reached = n, 0, 0
        for me in state.seats:
            me.extra_draw, me.extra_next = me.extra_next, 0

    def _phase(self, stage: int) -> None:
        state = self.state
        if stage == S.upgrade:  # the work is done: bounties go to the discards, lands are free (5.11)
            move(state.table, state.discards)
            for land in range(LANDS):
                self.lift(land)
            for me in state.seats:
                me.worked = me.has_passed = 0
        state.stage, state.first = stage, state.lord

    def _reached(self, n: int) -> None:
        self.state.is_reached = 1

    def _lordship(self, seat: int) -> None:
        self.state.lord = seat

    # --- drawing ---

    def _dealt(self, seat: int, card: int) -> None:
        add(self.hand(seat), card)

    def _hardship(self, card: int, seat: int) -> None:
        discard(self.state.unseen, card)
        add(self.state.removed, card)

    def _ban(self, card: int) -> None:
        self.state.ban |= self.box.card[card].harm.ban

    def _lost_card(self, seat: int, card: int) -> None:
        if self.box.card[card].type == UPGRADE and has(self.state.seats[seat].upgrades, card):
            discard(self.state.seats[seat].upgrades, card)
            add(self.state.discards, card)
            for land in range(LANDS):
                if self.state.lies[land] == card:
                    self.lift(land)
        else:
            self.throw_away(seat, card)

    def _turned_up(self, card: int) -> None:
        discard(self.state.unseen, card)
        add(self.state.aside, card)

    def _kept(self, seat: int, card: int) -> None:
        discard(self.state.aside, card)
        move(self.state.aside, self.state.discards)
        if self.box.card[card].type != HARDSHIP:
            add(self.hand(seat), card)

    def _swapped(self, seat: int, card: int, card2: int) -> None:
        self.throw_away(seat, card)
        self.throw_away(seat, card2)

    def _reshuffled(self) -> None:
        self.state.discards[:] = 0

    # --- tokens ---

    def _gained(self, seat: int, n: int, token: int) -> None:
        self.change(seat, token, n)

    def _lost(self, seat: int, n: int, token: int) -> None:
        self.change(seat, token, -n)

    _paid = _lost

    def _gave_up(self, seat: int, token: int) -> None:
        self.change(seat, token, -1)

    def _gave(self, seat: int, other: int, n: int, token: int) -> None:
        self.change(seat, token, -n)
        self.change(other, token, n)

    def _stole(self, seat: int, token: int, victim: int) -> None:
        self.change(victim, token, -1)
        self.change(seat, token, 1)

    def _fed(self, seat: int, n: int, crops: int, animals: int) -> None:
        assert n == crops + animals
        self.change(seat, CROPS, -crops)
        self.change(seat, ANIMALS, -animals)

    def _grew(self, seat: int, n: int, crops: int, animals: int) -> None:
        self._fed(seat, n, crops, animals)
        self.change(seat, PEASANTS, 1)

    def _end_value(self, card: int, n: int, seat: int) -> None:
        self.change(seat, VICTORY, n)

    # --- cards ---

    def _gave_card(self, seat: int, other: int, card: int) -> None:
        discard(self.hand(seat), card)
        add(self.hand(other), card)

    def _stole_card(self, seat: int, card: int, victim: int) -> None:
        self._gave_card(victim, seat, card)

    def _played(self, seat: int, card: int) -> None:
        me, one = self.state.seats[seat], self.box.card[card]
        discard(self.hand(seat), card)
        me.worked += 1
        if one.type == UPGRADE:
            add(me.upgrades, card)
        else:
            add(self.state.table, card)
            me.extra_next += one.draw_next

    def _placed(self, seat: int, card: int, land: int) -> None:
        self._played(seat, card)
        self.state.lies[land], self.state.owner[land] = card, seat

    def _sold(self, seat: int, card: int, card2: int, token: int) -> None:
        self.throw_away(seat, card)
        self.throw_away(seat, card2)
        self.change(seat, token, 1)
        self.state.seats[seat].worked += 1

    def _passed(self, seat: int) -> None:
        self.state.seats[seat].has_passed = 1

    def _dropped(self, seat: int, card: int) -> None:
        self.throw_away(seat, card)
