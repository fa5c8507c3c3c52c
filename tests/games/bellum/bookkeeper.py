"""A second account of a war, kept from its log alone: what its lines say, and what is printed on the map and the year track."""

from __future__ import annotations

from contract.bookkeeping import RecordBook, add, discard, has, move
from sutler.core.record import NOBODY
from sutler.games.bellum.box import FULL, HALF, MAJOR
from sutler.games.bellum.state import is_enemy


class WarBook(RecordBook):
    """Levels, leaders, tokens, cities, sieges and headquarters, as the log tells them."""

    CHANGES_NOTHING = (
        "chose commits gave_ultimatum leads minus_river own_choice plus_ally plus_leader plus_site until war_wins"
    )

    COURSE = (
        *("kth", "stage", "step", "fight.mover", "began", "fought", "moved", "mover", "is_returning", "calls"),
        *("fed_from", "n_fed", "n_pillaged", "fed", "in_range"),
        "site.with_both",  # told where it matters: with forced sieges
    )

    def begin(self) -> None:
        """The tokens that feed in this phase, until it is said that all have."""
        self.feeding: list[int] = []
        if self.box.options.forced_sieges:
            self.COURSE = tuple(one for one in type(self).COURSE if one != "site.with_both")

    # --- the course ---

    def _year(self, year: int) -> None:
        self.state.round_no = year

    def _turn(self, power: int) -> None:
        self.state.power = power

    def _by_sieges(self, power: int) -> None:
        self.state.ending, self.state.winner = 1, power

    def _by_ruin(self, power: int) -> None:
        self.state.ending, self.state.powers[power].is_broken = 2, 1

    def _by_peace(self) -> None:
        self.state.ending = 3
        self.state.round_no = next(i for i in range(len(self.box.year)) if self.box.year[i].peace)

    # --- battles ---

    def _attack(self, power: int, enemy: int) -> None:
        fight = self.state.fight
        fight.attacker, fight.defender = power, enemy

    def _takes_part(self, leader: int) -> None:
        fight, power = self.state.fight, leader >> 1
        is_against = power == fight.defender or is_enemy(self.box, self.state, int(fight.attacker), power)
        if is_against:
            fight.foes |= 1 << leader
        else:
            fight.side |= 1 << leader

    def _no_battle(self) -> None:
        self.battle_over()

    def battle_over(self) -> None:
        """Nobody fights, or all who have lost are gone."""
        fight = self.state.fight
        fight.attacker = fight.defender = fight.loser = NOBODY
        fight.side = fight.foes = fight.to_retreat = 0
        fight.first_to[:] = NOBODY

    def _won(self, winner: int, strong: int, weak: int) -> None:
        fight = self.state.fight
        is_won = winner == fight.attacker
        fight.loser, fight.to_retreat = (fight.defender, fight.foes) if is_won else (fight.attacker, fight.side)

    def _forfeit(self, winner: int, enemy: int) -> None:
        self._won(winner, 0, 0)

    def _drawn(self, strong: int, hard: int, winner: int) -> None:
        self._won(winner, strong, hard)

    def goes(self, leader: int) -> None:
        """One less of those who have lost has to go; with the last the battle is over."""
        fight = self.state.fight
        if fight.loser != NOBODY:
            fight.to_retreat &= ~(1 << leader)
            if not fight.to_retreat:
                self.battle_over()

    # --- levels ---

    def _strength(self, power: int, before: int, now: int) -> None:
        assert self.state.powers[power].strength == before
        self.state.powers[power].strength = now

    def _supply(self, power: int, n: int) -> None:
        self.state.powers[power].supply = n

    def _fed(self, power: int, n: int, before: int, now: int) -> None:
        assert len(self.feeding) == n, "every token that feeds is named"
        self._strength(power, before, now)
        me = self.state.powers[power]
        move(me.tilted, me.upright)
        for area in self.feeding:
            if not has(self.state.pillaged, area):
                discard(me.upright, area)
                add(me.tilted, area)
        self.feeding = []

    # --- leaders ---

    def _stands(self, leader: int, area: int) -> None:
        self.state.powers[leader >> 1].leader[leader & 1] = area

    _moved = _returned = _stands

    def _retreated(self, leader: int, area: int) -> None:
        self._stands(leader, area)
        self.state.fight.first_to[leader >> 1] = area
        self.goes(leader)

    def _removed(self, leader: int) -> None:
        self._stands(leader, NOBODY)
        self.goes(leader)

    _cut_down = _removed

    # --- tokens ---

    def _placed(self, power: int, area: int) -> None:
        add(self.state.powers[power].upright, area)

    def _placed_tilted(self, power: int, area: int) -> None:
        add(self.state.powers[power].tilted, area)

    def _gone(self, power: int, area: int) -> None:
        discard(self.state.powers[power].upright, area)
        discard(self.state.powers[power].tilted, area)

    def _tilted(self, power: int, area: int) -> None:
        assert has(self.state.powers[power].upright, area)
        self.feeding.append(area)
        discard(self.state.powers[power].upright, area)

    def _pillaged(self, power: int, area: int) -> None:
        self._gone(power, area)
        add(self.state.pillaged, area)

    # --- cities ---

    def _tile(self, power: int, site: int, size: int) -> None:
        self._dealt(site, size)
        self.state.tiles[size] -= 1

    def _dealt(self, site: int, size: int) -> None:
        self.state.site[site].extent = size

    def _long_siege(self, power: int, site: int) -> None:
        slot, now = self.state.site[site], int(self.box.year[self.state.round_no].siege)
        slot.besieger, slot.opened, slot.with_both = power, self.state.round_no, 0
        slot.siege = now if slot.extent == MAJOR else {HALF: FULL, FULL: HALF}[now]  # the tile that goes with the size

    def _besieged(self, power: int, site: int, year: int) -> None:
        self._long_siege(power, site)
        assert self.state.site[site].siege == self.box.year[year].siege

    def _both_there(self, power: int, site: int) -> None:
        self.state.site[site].with_both = 1

    def _broken(self, site: int, power: int) -> None:
        self.state.site[site].besieger = NOBODY

    def _stormed(self, power: int, site: int) -> None:
        self.state.site[site].besieger = self.state.site[site].holder = NOBODY

    def _occupied(self, power: int, site: int) -> None:
        slot, year = self.state.site[site], self.state.round_no
        slot.holder, slot.besieger, slot.since = power, NOBODY, year
        slot.resistance = self.box.year[year].resistance

    def _revolted(self, site: int, power: int) -> None:
        self.state.site[site].holder = NOBODY

    def _shrank(self, site: int, size: int) -> None:
        self.state.site[site].extent = size

    def _ruined(self, site: int) -> None:
        slot = self.state.site[site]
        slot.extent, slot.holder, slot.besieger = 0, NOBODY, NOBODY
        for area in self.around(site):
            for power in range(len(self.state.powers)):
                self._gone(power, area)

    def around(self, site: int) -> list[int]:
        """The hexes next to a site, as the map is printed."""
        around = self.box.plan[self.state.plan].around[site]
        return [area for area in range(64 * len(around)) if has(around, area)]

    def _hq_token(self, power: int, site: int, enemy: int) -> None:
        self.state.powers[power].held |= 1 << enemy
