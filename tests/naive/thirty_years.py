"""Bellum counted a second time, slowly, from the printed rules and the map file alone: no bits, no tables made in advance.

A `War` is read from a view, which says what lies where; what touches what is counted anew from the codes of the hexes. The
numbers in the docstrings are the printed rulebook's.
"""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import sutler.games.bellum

FILE = Path(sutler.games.bellum.__file__).parent / "box.toml"
Spot = tuple[int, int]


def spot(code: str) -> Spot:
    """A hex as column and row."""
    return int(code[:2]), int(code[2:4])


def around(at: Spot) -> set[Spot]:
    """The six hexes next to one, on the board or not; even columns sit half a hex lower."""
    column, row = at
    beside = (row, row + 1) if column % 2 == 0 else (row - 1, row)
    return {(column, row - 1), (column, row + 1), *product((column - 1, column + 1), beside)}


class Map:
    """Land, sea, sites and rivers as the file names them."""

    def __init__(self) -> None:
        sheet = tomllib.loads(FILE.read_text(encoding="utf-8"))
        self.land = {spot(one) for one in sheet["map"]["land"]}
        self.sea = {spot(one) for one in sheet["map"]["sea"]}
        self.sides: list[tuple[frozenset[Spot], frozenset[Spot]]] = []  # a river's side: its two banks; what it touches
        for river in sheet["river"]:
            for k, text in enumerate(river["sides"]):
                banks = frozenset(map(spot, text.split("-")))
                is_last = k == len(river["sides"]) - 1 and river.get("mouth")
                self.sides.append((banks, banks | {spot(river["mouth"])} if is_last else banks))
        self.wet = {banks for banks, _ in self.sides}
        ends = [self.corners(banks) for banks, _ in self.sides]
        self.joins = [{m for m, other in enumerate(ends) if other & mine} for mine in ends]

    def is_dry(self, a: Spot, b: Spot) -> bool:
        """Next to each other with no river between."""
        return b in around(a) and frozenset((a, b)) not in self.wet

    def corners(self, side: frozenset[Spot]) -> set[frozenset[Spot]]:
        """The two ends of a side: where both banks meet a third hex."""
        a, b = side
        return {frozenset((a, b, third)) for third in around(a) & around(b)}


MAP = Map()


class War:
    """Everything that lies on the board, by name."""

    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view
        self.token = {spot(h["id"]): (h["owner"], h["tilted"]) for h in view["hexes"] if h["owner"]}
        self.pillaged = {spot(h["id"]) for h in view["hexes"] if h["pillaged"]}
        self.land = {spot(h["id"]) for h in view["hexes"] if h["terrain"] == "land"}
        self.areas = self.land | {spot(h["id"]) for h in view["hexes"] if h["terrain"] == "sea"}
        self.leaders = {one["name"]: (one["power"], spot(one["hex"])) for one in view["leaders"] if one["hex"]}
        self.sites = {spot(site["hex"]): dict(site) for site in view["sites"]}
        self.ally = {name: power["ally"] for name, power in view["powers"].items()}
        self.year = next(one for one in view["rounds"] if one["now"])

    def is_enemy(self, power: str, other: str) -> bool:
        return other not in (power, self.ally[power])

    def at(self, power: str) -> list[Spot]:
        """Where a power's leaders stand."""
        return [where for whose, where in self.leaders.values() if whose == power]

    def leader_in(self, area: Spot) -> str | None:
        """Whose leader stands there."""
        return next((whose for whose, where in self.leaders.values() if where == area), None)

    # --- Influence (10, 14.1) ---

    def leads(self, power: str, area: Spot) -> bool:
        """10: land with a leader or next to one, not across a river."""
        return area in self.land and any(area == where or MAP.is_dry(where, area) for where in self.at(power))

    def rules_from_city(self, power: str, area: Spot) -> bool:
        """10: next to a city the power occupies; ruins exercise none."""
        cities = [at for at, site in self.sites.items() if site["role"] == "city" and site["holder"] == power]
        return any(at in around(area) for at in cities)

    def reaches(self, power: str, area: Spot) -> bool:
        """10.2: by leaders, cities or the HQ."""
        home = any(site["power"] == power and at in around(area) for at, site in self.sites.items())
        return home or self.leads(power, area) or self.rules_from_city(power, area)

    def is_by_free_city(self, area: Spot) -> bool:
        """10.1: next to a city that is neither a ruin nor besieged nor occupied."""
        return any(
            site["role"] == "city" and site["size"] != "ruin" and not (site["holder"] or site["besieger"])
            for at, site in self.sites.items()
            if at in around(area)
        )

    def quarrels(self, power: str, area: Spot) -> bool:
        """14.1: one ally's leader, the other ally's city."""
        ally = self.ally[power]
        if ally is None:
            return False
        return any(
            self.leads(one, area) and self.rules_from_city(two, area) for one, two in ((power, ally), (ally, power))
        )

    def influence(self, power: str) -> dict[Spot, tuple[str, bool]]:
        """10.1, 10.2: the tokens on areas after this power's influence phase."""
        after = dict(self.token)
        for area in self.areas - self.pillaged:
            owner, tilted = self.token.get(area, (None, False))
            add = self.reaches(power, area)
            lose = self.is_by_free_city(area) or any(
                self.reaches(other, area) for other in self.ally if self.is_enemy(power, other)
            )
            here = self.leader_in(area)
            if here == power:
                add, lose = True, False
            elif here is not None and self.is_enemy(power, here):
                add, lose = False, True
            elif here is None and ((add and lose) or self.quarrels(power, area)):
                after.pop(area, None)  # contested
                continue
            elif add and lose:
                continue  # an ally's own area
            if add and owner != power and (owner is None or owner != self.ally[power]):
                after[area] = (power, tilted)
            elif lose and owner == power:
                del after[area]
        return after

    # --- Range and supply (10.3) ---

    def is_held(self, power: str, at: Spot) -> bool:
        """An own token on an area, an own occupied city, the own HQ."""
        site = self.sites.get(at)
        if site is not None:
            return site["power"] == power or site["holder"] == power
        return self.token.get(at, (None,))[0] == power

    def in_range(self, power: str, starts: list[Spot]) -> set[Spot]:
        """10.3: along own tokens, or along a river where at least one side holds no enemy token."""

        def is_open(side: int) -> bool:
            foes = [other for other in self.ally if self.is_enemy(power, other)]
            return not all(any(self.is_held(foe, bank) for foe in foes) for bank in MAP.sides[side][0])

        reached: set[Spot] = set(starts)
        sailed: set[int] = set()
        open_sides = {side for side in range(len(MAP.sides)) if is_open(side)}
        grew = True
        while grew:
            before = len(reached), len(sailed)
            for side in open_sides - sailed:
                if MAP.sides[side][1] & reached or MAP.joins[side] & sailed:
                    sailed.add(side)
            near = {other for at in reached for other in around(at)} | {at for n in sailed for at in MAP.sides[n][1]}
            reached |= {at for at in near if self.is_held(power, at)}
            grew = before != (len(reached), len(sailed))
        return reached

    def supply(self, power: str) -> int:
        """10.3: 6 for a major city, 4, 2; the HQ what the year says; only in range."""
        worth = {"major": 6, "medium": 4, "minor": 2, "ruin": 0}
        reached = self.in_range(power, self.at(power))
        total = 0
        for at in reached & set(self.sites):
            site = self.sites[at]
            total += self.year["hq_supply"] if site["role"] == "hq" else worth[site["size"]]
        return total

    def feeding(self, power: str, supply: int, strength: int) -> tuple[int, int]:
        """11: the fewest and the most tokens to tilt."""
        reached = self.in_range(power, self.at(power))
        there = sum(self.token.get(area) == (power, False) for area in reached & self.areas)
        return min(strength, supply, there), min(supply, there)

    # --- Marches (12) ---

    def marches(self, power: str, start: Spot) -> set[Spot]:
        """12: every area that up to three steps lead to."""
        found: set[Spot] = set()
        foes = [other for other in self.ally if self.is_enemy(power, other)]

        def step(at: Spot, left: int) -> None:
            for area in around(at) & self.land if left else ():
                if self.leader_in(area) is not None:
                    continue
                found.add(area)
                owner = self.token.get(area, (None,))[0]
                if owner in foes or any(self.reaches(foe, area) for foe in foes):
                    continue
                step(area, left - 1 if owner == power else min(left - 1, 1))

        step(start, 3)
        return found

    # --- Battles (8) ---

    def are_adjacent(self, a: Spot, b: Spot) -> bool:
        """8: next to each other, or next to the same city."""
        cities = [at for at, site in self.sites.items() if site["role"] != "hq"]
        return b in around(a) or any(at in around(a) and at in around(b) for at in cities)

    def battle(self, power: str, foe: str, leader: str) -> set[str]:
        """8: all leaders of the two powers that hang together with this one."""
        group = {leader}
        while True:
            more = {
                name
                for name, (whose, where) in self.leaders.items()
                if whose in (power, foe) and any(self.are_adjacent(where, self.leaders[one][1]) for one in group)
            }
            if more <= group:
                return group
            group |= more

    def retreats(self, leader: str, winners: list[str], start: Spot | None = None) -> set[Spot]:
        """8.2: next land without leader and enemy token, not adjacent to any leader of the winning side; 14.1 allies."""
        power, stood = self.leaders[leader]
        start = start or stood
        free = set()
        for area in around(start) & self.land:
            owner = self.token.get(area, (None,))[0]
            bare = self.leader_in(area) is None and (owner is None or not self.is_enemy(power, owner))
            seen = any(self.are_adjacent(area, where) for whose, where in self.leaders.values() if whose in winners)
            if bare and not seen:
                free.add(area)
        own = {area for area in free if self.token.get(area, (None,))[0] in (None, power)}
        return own or free

    # --- Cities (9) ---

    def stands(self, power: str, city: Spot) -> bool:
        """9.1: a leader adjacent, no river between."""
        return any(MAP.is_dry(where, city) for where in self.at(power))

    def city_phase(self, power: str) -> dict[str, tuple[Any, ...]]:
        """9: every city after the phase, as size, holder, resistance, besieger and siege symbol; all tiles lay before."""
        return {site["name"]: self._city(power, at) for at, site in self.sites.items() if site["role"] == "city"}

    def _city(self, power: str, at: Spot) -> tuple[Any, ...]:
        site, now = self.sites[at], self.year
        size, holder, besieger = site["size"], site["holder"], site["besieger"]
        tiles = {"resistance": site["resistance"], "siege": site["siege"]}
        smaller = {"major": "medium", "medium": "minor", "minor": "ruin"}
        rivals = [other for other in self.ally if other != power and self.stands(other, at)]
        blocked = any(self.is_enemy(power, other) or other == holder for other in rivals)
        taken = False
        if size == "ruin":
            pass
        elif besieger == power and tiles["siege"] == now["siege"]:
            taken = True
        elif holder == power and tiles["resistance"] == now["resistance"]:
            holder, size = None, smaller[size]
        elif self.stands(power, at) and not blocked and power not in (holder, besieger):
            if besieger is None or self.is_enemy(power, besieger):
                besieger, taken = power, size == "minor"
                other = {"half": "full", "full": "half"}[now["siege"]]
                tiles["siege"] = now["siege"] if size == "major" else other
        if taken:
            besieger = None
            size = smaller[size] if holder is not None else size
            holder, tiles["resistance"] = (None, None) if size == "ruin" else (power, now["resistance"])
        if size == "ruin":
            holder = besieger = None
        return size, holder, tiles["resistance"] if holder else None, besieger, tiles["siege"] if besieger else None
