"""A second account of WARFARM, kept from its log alone: what its lines say, and what is printed on boards, cards and in recipes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from contract.bookkeeping import RecordBook
from sutler.core.events import Told
from sutler.core.record import NOBODY
from sutler.games.warfarm import box as b
from sutler.games.warfarm import state as s

MOVING = {
    *("burnt", "raided", "led_away", "came_back", "relief", "drew", "lost", "sacrificed", "played", "set_trap"),
    *("set_secret", "extinguished", "seized", "taken", "built", "killed", "destroyed_card", "destroyed_trap"),
    *("hurled", "sent", "explores", "dismissed", "fell", "out", "surrendered"),
}
"""Lines by which a round is one in which something happened (15.2), besides Farmland and units that come."""


class FarmBook(RecordBook):
    """Tokens, units and where they stand, cards before each seat, discards, counters of the turn, as the log tells them."""

    CHANGES_NOTHING = "drew_card no_card produced"

    COURSE = (
        *("step", "part", "trap_k", "trap_does", "martyrs", "monks", "job", "card", "times", "left", "turn_k"),
        *("victim", "blows", "torch", "weapon", "weapon_spot"),
    )
    OWNED = ("seats.peace",)

    def begin(self) -> None:
        """What the turn has seen of which a later line depends."""
        self.studying = self.buying = self.has_farmed = False
        self.struck_from = self.life = NOBODY

    def note(self, told: Iterable[Told]) -> None:
        for one in told:
            super().note([one])
            if one.kind in MOVING:
                self.stir()
            if self.box.options.unlock_once and self.has_begun:
                self.unlock()

    def compares(self, path: str, one: Any) -> bool:
        """How many will bring Water next turn is said when the turn ends: of the seat in turn it is not settled."""
        return super().compares(path, one) and path != f"seats[{int(self.state.active)}].farming"

    def moment(self) -> Any:
        return int(self.state.active)

    # --- small steps ---

    def seat(self, seat: int) -> Any:
        return self.state.seats[seat]

    def stir(self) -> None:
        self.state.is_stirred = 1

    def unlock(self) -> None:
        """Decks once unlocked (15.5): what each asks for is printed."""
        for me in self.state.seats:
            for deck in range(b.DECKS):
                needs = self.box.deck[deck].needs
                if me.is_alive and all(me.goods[good] >= needs[good] for good in range(b.GOODS)):
                    me.opened |= 1 << deck

    def unit(self, seat: int, spot: int) -> int:
        """What stands there: a plain spot has its kind, a worker's place is printed on the card."""
        if spot < b.PLAIN_SPOTS:
            return b.SPOT_UNIT[spot]
        if b.CARD_FARMER <= spot < b.CARD_WORKER:
            return b.FARMER
        if b.CARD_WORKER <= spot < b.TRAP_SOLDIER:
            return int(self.box.card[self.seat(seat).table[spot - b.CARD_WORKER]].worker)
        return b.SOLDIER

    def put(self, seat: int, spot: int, n: int) -> None:
        """So many units more at a spot."""
        me = self.seat(seat)
        if spot < b.PLAIN_SPOTS:
            me.spots[spot] += n
        elif spot >= b.TRAP_SOLDIER:
            me.trap_guards[spot - b.TRAP_SOLDIER] += n
        else:
            row, slot = divmod(spot - b.PLAIN_SPOTS, b.SLOTS)
            me.posts[row, slot] += n

    def home(self, unit: int) -> int:
        return b.HOME_SPOT[unit - b.FARMER]

    def arrive(self, seat: int, good: int, n: int) -> None:
        """Tokens, or units at home."""
        self.seat(seat).goods[good] += n
        if good >= b.FARMER:
            self.put(seat, self.home(good), n)
        if good >= b.FARMER or good == b.FARMLAND:
            self.stir()

    def leave(self, seat: int, spot: int, n: int = 1) -> int:
        """Units leave a spot and the seat, those first who bring nothing. Returns their kind."""
        me, unit = self.seat(seat), self.unit(seat, spot)
        self.put(seat, spot, -n)
        me.goods[unit] -= n
        if spot == b.FIELD:
            me.farming = min(me.farming, me.spots[b.FIELD])
        if spot == b.HOME:
            me.praying = min(me.praying, me.spots[b.HOME])
        return unit

    def suffer(self, seat: int, n: int, by: int) -> None:
        """12.10: what has been lost since the seat's own turn began, and through whom the last of it went."""
        if not (self.box.options.karma_turn and seat == self.state.active):
            self.state.lost[seat] += n
            if by not in (NOBODY, seat):
                self.state.robber[seat] = by

    def lay(self, seat: int, card: int) -> None:
        me = self.seat(seat)
        me.table[me.n_table] = card
        me.n_table += 1

    def off_table(self, seat: int, slot: int) -> None:
        """A Table card leaves its place: who stood on it is at home, later cards move up."""
        me, last = self.seat(seat), int(self.seat(seat).n_table) - 1
        worker = int(self.box.card[me.table[slot]].worker)
        for row, unit in ((0, b.SOLDIER), (1, b.FARMER), (2, worker)):
            self.stand_home(seat, int(me.posts[row, slot]), unit, row == 2)
        me.table[slot:last], me.table[last] = me.table[slot + 1 : last + 1].copy(), NOBODY
        me.posts[:, slot:last], me.posts[:, last] = me.posts[:, slot + 1 : last + 1].copy(), 0
        me.n_table = last
        if seat == self.state.active:
            acted = self.state.acted_card
            acted[slot:last], acted[last] = acted[slot + 1 : last + 1].copy(), 0
        if not self.has_at_work(seat, b.CONSCRIPTION):
            me.farming += me.spots[b.LAND_FARMER]
            me.spots[b.FIELD] += me.spots[b.LAND_FARMER] + me.posts[1].sum()
            me.spots[b.LAND_FARMER], me.posts[1] = 0, 0

    def stand_home(self, seat: int, n: int, unit: int, is_worker: bool) -> None:
        """Who is called in stands at home; workers have farmed and prayed all along (3.5, 3.6)."""
        me = self.seat(seat)
        if n:
            self.put(seat, self.home(unit), n)
            if is_worker and not self.box.options.workers_idle:
                if unit == b.FARMER:
                    me.farming += n
                else:
                    me.praying += n

    def off_trap(self, seat: int, hole: int, card: int) -> None:
        """A Trap leaves its place for the discards: its guards are at home, later ones move up."""
        me, last = self.seat(seat), int(self.seat(seat).n_traps) - 1
        me.spots[b.RESERVE] += me.trap_guards[hole]
        me.trap_guards[hole:last], me.trap_guards[last] = me.trap_guards[hole + 1 : last + 1].copy(), 0
        me.n_traps = last
        if seat == self.state.active:
            acted = self.state.acted_trap
            acted[hole:last], acted[last] = acted[hole + 1 : last + 1].copy(), 0
        self.state.discards[card] += 1

    def has_at_work(self, seat: int, does: int) -> bool:
        me = self.seat(seat)
        return any(self.box.card[card].does == does for card in me.table[: me.n_table])

    # --- the course ---

    def _begins(self, seat: int, thing: int) -> None:
        self.arrive(seat, b.THINGS[thing], 1)

    def _round(self, n: int) -> None:
        state = self.state
        state.round_no = n
        if n > 1:
            state.quiet = 0 if state.is_stirred else state.quiet + 1
            state.is_stirred = 0

    def farms(self) -> None:
        """The seat in turn has come to the end of its turn: who is in the field now will bring Water."""
        if not self.has_farmed:
            me = self.seat(int(self.state.active))
            idle = int(self.state.n_operators) * int(self.box.options.crews_idle)
            me.farming = max(0, int(me.spots[b.FIELD]) - idle)
            self.has_farmed = True

    def end_turn(self) -> None:
        """Who is in the field and at home now has stayed there (3.5, 3.6)."""
        me = self.seat(int(self.state.active))
        self.farms()
        me.praying = me.spots[b.HOME]

    def _turn(self, seat: int) -> None:
        state = self.state
        if self.has_begun:
            self.end_turn()
        self.has_begun, self.has_farmed = True, False
        state.active = seat
        for field in ("doubles", "has_package", "is_surprise", "n_built", "n_hired", "n_manned", "n_shots"):
            setattr(state, field, 0)
        state.n_operators = state.acted_reserve = state.acted_land = state.n_drawn = 0
        state.acted_card[:] = state.acted_trap[:] = 0
        for other in range(b.SEATS):
            if other == seat or self.box.options.karma_turn:
                state.lost[other], state.robber[other] = 0, NOBODY
        if not self.box.options.peace_for_good:
            self.seat(seat).peace = 0

    has_begun = False

    def _out(self, seat: int) -> None:
        me = self.seat(seat)
        me.goods[b.FARMLAND] = me.is_alive = me.peace = 0
        if seat == self.state.active:
            self.has_farmed = True

    _surrendered = _out

    def won(self, by: int, seat: int) -> None:
        self.state.won_by, self.state.winner = by, seat

    def _won_farm(self, seat: int) -> None:
        self.won(s.BY_FARM, seat)

    def _won_military(self, seat: int) -> None:
        self.won(s.BY_MILITARY, seat)

    def _won_growth(self, seat: int) -> None:
        self.won(s.BY_GROWTH, seat)

    def _won_miracles(self, seat: int) -> None:
        self.won(s.BY_MIRACLES, seat)

    def _won_time(self) -> None:
        self.end_turn()
        self.state.quiet = 0 if self.state.is_stirred else self.state.quiet + 1
        self.state.is_stirred = 0
        self.won(s.BY_TIME, NOBODY)

    def _won_standstill(self) -> None:
        self._won_time()
        self.won(s.BY_STANDSTILL, NOBODY)

    # --- 3: what a turn begins with ---

    def _burnt(self, n: int, seat: int) -> None:
        self.seat(seat).goods[b.FARMLAND] -= n
        self.suffer(seat, n, NOBODY)

    def back_from(self, seat: int, host: int) -> None:
        self.put(seat, b.VISITING + host, -1)
        self.put(seat, b.HOME, 1)

    def _raided(self, seat: int, n: int, good: int, victim: int) -> None:
        self.seat(victim).goods[good] -= n
        self.arrive(seat, good, n)
        self.suffer(victim, n, seat)
        self.back_from(seat, victim)

    def _led_away(self, seat: int, victim: int, spot: int) -> None:
        self.arrive(seat, self.leave(victim, spot), 1)
        self.suffer(victim, 1, seat)
        self.back_from(seat, victim)

    def _returned(self, seat: int, n: int, good: int) -> None:
        self.put(seat, b.RETURNING, -n)
        self.put(seat, b.RESERVE, n)

    def _came_back(self, deck: int, seat: int, n: int, good: int) -> None:
        self.leave(seat, b.AWAY + deck, n)
        self.arrive(seat, b.FARMER, n)
        if deck == b.RESOURCE_DECK:
            self.state.has_package = 1

    def _farmed(self, seat: int, n: int, good: int) -> None:
        self.arrive(seat, good, n)
        self.seat(seat).farming = 0

    def _prayed(self, seat: int, n: int, good: int) -> None:
        self.arrive(seat, good, n)
        self.seat(seat).praying = 0

    def _tithed(self, seat: int, n: int, good: int, victim: int) -> None:
        self.seat(victim).goods[good] -= n
        self.arrive(seat, good, n)
        self.suffer(victim, n, seat)

    def _gained(self, seat: int, n: int, good: int) -> None:
        self.arrive(seat, good, n)

    def _relief(self, seat: int) -> None:
        self.arrive(seat, b.FARMER, 1)

    # --- 4: cards ---

    def _drew(self, seat: int, deck: int) -> None:
        self.seat(seat).n_hand += 1

    def _reshuffled(self, deck: int) -> None:
        designs = self.box.deck[deck]
        self.state.discards[designs.designs[: designs.n_designs]] = 0

    def _paid(self, seat: int, n: int, good: int) -> None:
        self.seat(seat).goods[good] -= n
        self.studied()
        if self.buying:
            self.stir()
            self.buying = False

    def studied(self) -> None:
        """A card is drawn with a Table card: its fee has been paid (15.14)."""
        if self.studying:
            self.state.n_drawn += 1
            self.studying = False

    def _sacrificed(self, seat: int, spot: int) -> None:
        self.leave(seat, spot)
        self.studied()

    def _handed(self, seat: int, other: int, n: int, good: int) -> None:
        self.seat(seat).goods[good] -= n
        self.seat(other).goods[good] += n

    def _played(self, seat: int, card: int) -> None:
        me, one = self.seat(seat), self.box.card[card]
        me.n_hand -= 1
        if one.type == b.TABLE:
            self.lay(seat, card)
        elif one.type in (b.PERMANENT, b.MIRACLE):
            me.shown[card] += 1
        else:
            self.state.discards[card] += 1
        if one.type == b.MIRACLE:
            me.miracles |= 1 << card
        elif one.type == b.RESOURCE and self.state.doubles:
            self.state.doubles -= 1
        elif one.does == b.MANAGEMENT:
            self.state.doubles += one.count
        elif one.does == b.SURPRISE:
            self.state.is_surprise = 1
        elif one.does == b.LIFE:
            me.is_bound, self.life = 1, card

    def _set_secret(self, seat: int) -> None:
        self.seat(seat).n_hand -= 1
        self.seat(seat).n_traps += 1

    def _set_trap(self, seat: int, deck: int) -> None:
        self._set_secret(seat)

    def _used(self, seat: int, card: int) -> None:
        self.studying = self.box.card[card].does == b.STUDY
        self.buying = self.box.card[card].does == b.MARKET

    def _extinguished(self, seat: int, n: int, good: int) -> None:
        self.seat(seat).goods[good] -= n
        self.seat(seat).goods[b.FIRE] -= 1

    def _pact(self, other: int, seat: int) -> None:
        self.seat(seat).peace |= 1 << other

    def _seized(self, seat: int, card: int, slot: int, victim: int) -> None:
        assert self.seat(victim).table[slot] == card
        self.off_table(victim, slot)
        self.lay(seat, card)

    def _taken(self, seat: int, n: int, victim: int, spot: int) -> None:
        self.arrive(seat, self.leave(victim, spot, n), n)
        self.suffer(victim, n, seat)

    def _laid_down(self, seat: int, card: int) -> None:
        self.state.discards[card] += 1

    def _cleared(self, seat: int) -> None:
        """All that lies and stands before a seat; Life or Death itself stays on the table (12.11)."""
        me = self.seat(seat)
        me.shown[:] = me.posts[:] = me.trap_guards[:] = me.spots[:] = 0
        me.table[:] = NOBODY
        me.n_hand = me.n_table = me.n_traps = me.farming = me.praying = 0
        me.goods[1:] = 0
        if self.life != NOBODY:
            me.shown[self.life], self.life = 1, NOBODY

    # --- 5, 6: building and posts ---

    def _called_up(self, seat: int, spot: int) -> None:
        self.put(seat, spot, -1)
        self.put(seat, b.FIELD, 1)

    def _built(self, seat: int, n: int, good: int) -> None:
        me = self.seat(seat)
        me.goods[: b.TOKENS] -= self.box.rules.recipe[good - b.TOKENS]
        if good != b.CANNON:
            self.leave(seat, b.FIELD)
        self.arrive(seat, good, n)
        if good == b.SOLDIER:
            self.state.n_built += n

    def _recalled(self, seat: int, n: int, spot: int) -> None:
        self.put(seat, spot, -n)
        self.stand_home(seat, n, self.unit(seat, spot), b.CARD_WORKER <= spot < b.TRAP_SOLDIER)

    def _posted(self, seat: int, spot: int) -> None:
        self.put(seat, self.home(self.unit(seat, spot)), -1)
        self.put(seat, spot, 1)

    def _posted_on(self, seat: int, card: int, spot: int) -> None:
        assert self.seat(seat).table[(spot - b.PLAIN_SPOTS) % b.SLOTS] == card
        self._posted(seat, spot)

    # --- 7: attacks ---

    def _attacked(self, seat: int, victim: int, weapon: int) -> None:
        state, self.struck_from = self.state, NOBODY
        if weapon == b.MERCENARY_WEAPON:
            state.n_hired += 1
        elif weapon == b.CANNON_WEAPON:
            if state.n_shots == 0:
                state.n_manned += 1
                state.n_operators += 1
                state.n_shots = self.box.rules.cannon_shots
            state.n_shots -= 1
        elif self.has_at_work(seat, b.TROOPS):
            state.acted_reserve += 1
        else:
            self.put(seat, b.RESERVE, -1)
            self.put(seat, b.RETURNING, 1)

    def _struck(self, seat: int, victim: int, spot: int) -> None:
        self.struck_from = spot
        self.act(spot, 1)

    def act(self, spot: int, n: int) -> None:
        """So many guards more at this spot have acted."""
        if spot == b.LAND_SOLDIER:
            self.state.acted_land += n
        elif spot < b.CARD_FARMER:
            self.state.acted_card[spot - b.CARD_SOLDIER] += n
        else:
            self.state.acted_trap[spot - b.TRAP_SOLDIER] += n

    def _fell(self, seat: int) -> None:
        if self.struck_from != NOBODY:
            self.act(self.struck_from, -1)
            self.leave(seat, self.struck_from)
        elif self.has_at_work(seat, b.TROOPS):
            self.state.acted_reserve -= 1
            self.leave(seat, b.RESERVE)
        else:
            self.leave(seat, b.RETURNING)
        self.suffer(seat, 1, NOBODY)

    def _destroyed(self, seat: int, n: int, good: int, victim: int) -> None:
        self.seat(victim).goods[good] -= n
        self.suffer(victim, n, seat)
        if good == b.FARMLAND:
            self.stir()

    def _killed(self, seat: int, n: int, victim: int, spot: int) -> None:
        self.leave(victim, spot, n)
        self.suffer(victim, n, seat)

    def _lost(self, seat: int, spot: int) -> None:
        self.leave(seat, spot)
        self.suffer(seat, 1, int(self.state.active))

    def _destroyed_card(self, seat: int, card: int, slot: int, victim: int) -> None:
        assert self.seat(victim).table[slot] == card
        self.off_table(victim, slot)
        self.state.discards[card] += 1

    def _destroyed_trap(self, seat: int, card: int, hole: int, victim: int) -> None:
        self.off_trap(victim, hole, card)

    def _hurled(self, seat: int, victim: int) -> None:
        me, state = self.seat(seat), self.state
        if state.n_shots:
            state.n_shots = 0
            state.n_manned -= 1
        else:
            state.n_operators += 1
        self.leave(seat, b.PARK)
        me.goods[b.FIRE] -= 1
        self.seat(victim).goods[b.FIRE] += 1

    def _sent(self, seat: int, other: int) -> None:
        self.put(seat, b.HOME, -1)
        self.put(seat, b.VISITING + other, 1)

    def _came_home(self, seat: int, other: int, n: int) -> None:
        self.put(seat, b.VISITING + other, -n)
        self.put(seat, b.HOME, n)

    # --- 8 to 10: exploring, the end of a turn, Traps ---

    def _explores(self, seat: int, deck: int) -> None:
        self.put(seat, b.CAMP, -1)
        self.put(seat, b.AWAY + deck, 1)

    def _dismissed(self, seat: int, spot: int) -> None:
        self.farms()
        self.leave(seat, spot)

    def _dropped(self, seat: int, card: int) -> None:
        self.farms()
        self.seat(seat).n_hand -= 1
        self.state.discards[card] += 1

    def _dropped_card(self, seat: int, card: int, slot: int) -> None:
        self.farms()
        self.off_table(seat, slot)
        self.state.discards[card] += 1

    def _dropped_trap(self, seat: int, card: int, hole: int) -> None:
        self.farms()
        self.off_trap(seat, hole, card)

    def _dropped_miracle(self, seat: int, card: int) -> None:
        self.farms()
        self.seat(seat).shown[card] -= 1
        self.state.discards[card] += 1

    def _sprung(self, seat: int, card: int, hole: int) -> None:
        if self.box.card[card].does == b.AMBUSH:
            self.farms()
        self.off_trap(seat, hole, card)
        if self.box.card[card].does == b.KARMA:
            self.state.lost[seat] = 0
