"""The box of Bellum se ipsum alet: `box.toml` checked and packed as one record; sizes, enums and the action table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sutler.core.actions import Names
from sutler.core.bits import add, has, members
from sutler.core.box import BoxError, Entry, Info, Option
from sutler.core.numbers import Numbers
from sutler.core.record import NOBODY, field, record

SEATS = 4
POWERS = 4
LEADERS = 2 * POWERS
"""Leaders 0 and 1 are the first power's, 2 and 3 the second's."""
LANDS = 128
"""Room for land areas; they come first among the hexes."""
HEXES = 192
WORDS = 3
SITES = 24
SIDES = 128
SIDE_WORDS = 2
ROUNDS = 32
FORCES = 22
"""Markers 1 to 6 make any strength from 0 to 21."""
FEEDS = 64
FAR = 60

RUIN, MINOR, MEDIUM, MAJOR = range(4)
SIZE_NAMES = ("ruin", "minor", "medium", "major")
OUT, CITY, HQ = range(3)
HALF, FULL = range(2)
SYMBOLS = ("half", "full")

STANDARD, CUT = range(2)
PLANS = 2

NO_ALLIES, ONE_ALLIANCE, ALL_ALLIED = range(3)

STAGE_NAMES = ("preparation", "battle", "city", "influence", "feed", "leader")
S = Numbers("stage", STAGE_NAMES)
"""What `state.stage` may be: setting up, then the five phases of a turn (guide 7.1)."""

SIZES = {
    "size": 4,
    "site": SITES,
    "leader": LEADERS,
    "force": FORCES,
    "land": LANDS,
    "hex": HEXES,
    "total": FEEDS,
}


RULES = record(
    "Parameters",
    ("start_supply", "i2"),
    ("start_strength", "i2"),
    ("most_committed", "i2"),
    ("hq_defence", "i2"),
    ("both_leaders", "i2"),
    ("river", "i2"),
    ("allied_leader", "i2"),
    ("spoils", "i2"),
    ("most_change", "i2"),
    ("steps", "i2"),
    ("steps_abroad", "i2"),
    ("token_value", "i2"),
    ("city_tiles", "i1", 4),
    ("city_supply", "i2", 4),
    ("city_defence", "i2", 4),
)

OPTIONS = record(
    "Options",
    ("alliance", "i1"),
    ("three_cut", "i1"),
    ("pair", "i1"),  # the power that leads the one alliance of three seats; NOBODY: by lot
    ("random_tiles", "i1"),
    ("drawn", "i1"),
    ("out_of_range", "i1"),
    ("forced_sieges", "i1"),
    ("pillage", "i1"),
)

YEAR = record(
    "Year",
    ("year", "i2"),
    ("siege", "i1"),
    ("resistance", "i1"),
    ("hq_supply", "i1"),
    ("is_quiet", "i1"),  # no battle, city and influence phase
    ("is_peace", "i1"),  # reaching it ends the game
)

PLAN = record(
    "Plan",
    ("in_play", "i1", POWERS),
    ("hq", "i1", POWERS, "site"),
    ("role", "i1", SITES),  # OUT, CITY or HQ
    ("whose", "i1", SITES, "power"),  # whose HQ it is
    ("site_at", "i1", HEXES, "site"),
    ("n_cities", "i1"),
    ("land", "u8", WORDS),  # areas that leaders may enter, as bits over hexes
    ("areas", "u8", WORDS),  # areas that may hold a token
    ("around", "u8", (SITES, WORDS)),  # areas next to a site, rivers or not
    ("before", "u8", (SITES, WORDS)),  # land next to a site with no river between
    ("touches", "u8", HEXES),  # sites in play next to a hex, as bits
    ("touches_dry", "u8", HEXES),  # the same, with no river between
    ("marches", "i1", (SITES, HEXES)),  # land areas to enter from a hex until one stands at the site, for bots
)

BOX = record(
    "Box",
    field("options", OPTIONS),
    field("rules", RULES),
    field("plan", PLAN, PLANS),
    field("year", YEAR, ROUNDS),
    ("n_rounds", "i1"),
    ("n_land", "i2"),
    ("n_hexes", "i2"),
    ("n_sides", "i2"),
    ("n_sites", "i1"),
    ("ally", "i1", POWERS, "power"),
    ("site_hex", "i2", SITES, "hex"),
    ("land", "u8", WORDS),
    ("sea", "u8", WORDS),
    ("near", "u8", (HEXES, WORDS)),  # neighbours of a hex, as bits
    ("dry", "u8", (HEXES, WORDS)),  # neighbours with no river between
    ("banks", "i2", (SIDES, 2), "hex"),  # the two hexes a river side parts
    ("shore", "u8", (SIDES, WORDS)),  # hexes that may be entered from a side: its banks, and the sea at a mouth
    ("sides_at", "u8", (HEXES, SIDE_WORDS)),  # sides that may be entered from a hex
    ("joins", "u8", (SIDES, SIDE_WORDS)),  # sides that share a corner
)


Code = Annotated[str, Field(pattern=r"^\d{4}$")]
Small = Annotated[int, Field(ge=0, le=99)]


class Leader(Entry):
    name: str
    full: str
    cypher: str = ""


class Power(Entry):
    name: str
    adjective: str
    ally: str
    colour: str = ""
    leaders: list[Leader]


class Land(Entry):
    land: list[str]
    sea: list[str]


class Site(Entry):
    site: str
    hex: Code
    evidence: str = ""


class River(Entry):
    river: str
    sides: list[str]
    mouth: str = ""
    evidence: str = ""


class Round(Entry):
    year: Annotated[int, Field(ge=0, le=9999)]
    siege: Literal["half", "full"]
    resistance: Small
    hq_supply: Small
    quiet: bool = False
    peace: bool = False


class Scenario(Entry):
    scenario: Literal["standard", "alternative", "cut"]
    hq: dict[str, str]
    cities: list[str]
    closed: list[str] = []


class Parameters(Entry):
    """Numbers of the rules that are no option at the table but may be edited."""

    start_supply: Small
    start_strength: Small
    city_tiles: list[Small]
    most_committed: Small
    city_supply: list[Small]
    city_defence: list[Small]
    hq_defence: Small
    both_leaders: Small
    river: Small
    allied_leader: Small
    spoils: Small
    most_change: Small
    steps: Small
    steps_abroad: Small
    token_value: Small


class Sheet(Entry):
    """`box.toml`, checked."""

    game: Info
    options: dict[str, Any]
    rules: Parameters
    power: list[Power]
    map: Land
    site: list[Site]
    river: list[River]
    round: list[Round]
    scenario: list[Scenario]

    def hexes(self) -> list[str]:
        """All hexes, by number: land areas first, then sea and sites."""
        land = [one[:4] for one in self.map.land]
        other = {one[:4] for one in self.map.sea} | {one.hex for one in self.site}
        return land + sorted(other)

    def names(self) -> Names:
        """What hexes, sites, powers and leaders are called."""
        called = {one[:4]: one[5:] for one in self.map.land}
        waters = {one[:4]: one[5:] for one in self.map.sea}
        towns: dict[str, str] = {}
        for one in self.site:
            towns.setdefault(one.hex, one.site)
        names = []
        for code in self.hexes():
            name = called.get(code) or towns.get(code) or waters.get(code, "")
            names.append(f"{name} {code}" if code in waters else name)
        powers = [power.name for power in self.power]
        return {
            "hex": names,
            "area": names,
            "reach": names,
            "land": names[: len(self.map.land)],
            "code": self.hexes(),
            "site": [one.site for one in self.site],
            "site code": [one.hex for one in self.site],
            "power": powers,
            "adjective": [power.adjective for power in self.power],
            "colour": [power.colour for power in self.power],
            "leader": [leader.name for power in self.power for leader in power.leaders],
            "full": [leader.full for power in self.power for leader in power.leaders],
            "cypher": [leader.cypher for power in self.power for leader in power.leaders],
            "size": SIZE_NAMES,
            "symbol": SYMBOLS,
            "seat": [f"seat {i}" for i in range(SEATS)],
            "stage": STAGE_NAMES,
            "year": [str(one.year) for one in self.round],
            "river": [f"{one.river}:{' '.join(one.sides)}" for one in self.river],
            "evidence": [one.evidence for one in self.site],
        }


# --- Packing ------------------------------------------------------------------


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The sheet and the chosen options as one box record; BoxError when they contradict each other."""
    box = BOX.new()
    _pack_options(box, sheet, options)
    _pack_rules(box, sheet)
    _pack_rounds(box, sheet)
    codes = _checked_hexes(sheet)
    index = {code: i for i, code in enumerate(codes)}
    box.n_land, box.n_hexes, box.n_sites = len(sheet.map.land), len(codes), len(sheet.site)
    for one in sheet.map.land:
        add(box.land, index[one[:4]])
    for one in sheet.map.sea:
        add(box.sea, index[one[:4]])
    for i, site in enumerate(sheet.site):
        box.site_hex[i] = index[site.hex]
    for code in codes:
        for other in neighbours(code):
            if other in index:
                add(box.near[index[code]], index[other])
    box.dry[:] = box.near
    _pack_rivers(box, sheet, index)
    plans = {one.scenario: one for one in sheet.scenario}
    if set(plans) != {"standard", "alternative", "cut"}:
        raise BoxError("box: the scenarios standard, alternative and cut are wanted, each once")
    standard = plans["alternative"] if options["alternative_hqs"] else plans["standard"]
    _pack_plan(box, box.plan[STANDARD], sheet, standard, index)
    _pack_plan(box, box.plan[CUT], sheet, plans["cut"], index)
    return box


def _pack_options(box: Any, sheet: Sheet, options: dict[str, Any]) -> None:
    names = [power.name for power in sheet.power]
    if len(sheet.power) != POWERS:
        raise BoxError(f"box: {POWERS} powers are wanted")
    for i, power in enumerate(sheet.power):
        if power.ally not in names or sheet.power[names.index(power.ally)].ally != power.name:
            raise BoxError(f'[[power]] "{power.name}", field ally: allies must name each other')
        if len(power.leaders) != 2:
            raise BoxError(f'[[power]] "{power.name}", field leaders: two leaders are wanted')
        box.ally[i] = names.index(power.ally)
    chosen = box.options
    chosen.alliance = options["alliance"]
    chosen.three_cut = options["three"] == "cut"
    lowered = [name.casefold() for name in names]
    chosen.pair = NOBODY if options["pair"] == "drawn" else lowered.index(str(options["pair"]))
    chosen.random_tiles = options["city_tiles"] == "random"
    for flag in ("drawn", "out_of_range", "forced_sieges", "pillage"):
        setattr(chosen, flag, options[flag])


def _pack_rules(box: Any, sheet: Sheet) -> None:
    for name in RULES.dtype.names or ():
        value = getattr(sheet.rules, name)
        if name == "city_tiles":
            value = [0, *value]
        if isinstance(value, list) and len(value) != 4:
            raise BoxError(f"rules.{name}: one number a size is wanted")
        if isinstance(value, list):
            getattr(box.rules, name)[:] = value
        else:
            setattr(box.rules, name, value)
    if not 0 < sheet.rules.most_committed < FORCES:
        raise BoxError(f"rules.most_committed: from 1 to {FORCES - 1}")
    if not 1 <= sheet.rules.steps <= 3 or not 0 <= sheet.rules.steps_abroad <= 2:
        raise BoxError("rules.steps: from 1 to 3; rules.steps_abroad: from 0 to 2")


def _pack_rounds(box: Any, sheet: Sheet) -> None:
    if not 2 <= len(sheet.round) <= ROUNDS or not sheet.round[-1].peace:
        raise BoxError(f"box: 2 to {ROUNDS} rounds are wanted, the last one with peace = true")
    box.n_rounds = len(sheet.round)
    for i, one in enumerate(sheet.round):
        year = box.year[i]
        year.year, year.siege, year.resistance = one.year, SYMBOLS.index(one.siege), one.resistance
        year.hq_supply, year.is_quiet, year.is_peace = one.hq_supply, one.quiet, one.peace


def _checked_hexes(sheet: Sheet) -> list[str]:
    codes = sheet.hexes()
    for text in (*sheet.map.land, *sheet.map.sea):
        if not (text[:4].isdigit() and text[4:5] == " " and text[5:].strip()):
            raise BoxError(f'map: {text!r} should be four digits, a space and a name, as in "0108 Picardie"')
    twice = sorted({code for code in codes if codes.count(code) > 1})
    if twice:
        raise BoxError(f"map: hex {', '.join(twice)} is named twice")
    if len(sheet.map.land) > LANDS or len(codes) > HEXES or len(sheet.site) > SITES:
        raise BoxError(f"map: at most {LANDS} land areas, {HEXES} hexes and {SITES} sites fit")
    return codes


def neighbours(code: str) -> Iterator[str]:
    """The codes of the six hexes around one, clockwise from north."""
    column, row = int(code[:2]), int(code[2:])
    low = 1 - column % 2  # even columns sit half a hex lower
    for across, down in ((0, -1), (1, low - 1), (1, low), (0, 1), (-1, low), (-1, low - 1)):
        yield f"{column + across:02d}{row + down:02d}"


def centre(code: str) -> tuple[int, int]:
    """A hex's centre in thirds of its width and halves of its height."""
    column, row = int(code[:2]), int(code[2:])
    return 3 * column, 2 * row + (1 - column % 2)


def corners(code: str) -> set[tuple[int, int]]:
    """The six corners of a hex, in the measure of `centre`."""
    x, y = centre(code)
    return {(x + 2, y), (x - 2, y), (x + 1, y + 1), (x + 1, y - 1), (x - 1, y + 1), (x - 1, y - 1)}


def _pack_rivers(box: Any, sheet: Sheet, index: dict[str, int]) -> None:
    ends: list[set[tuple[int, int]]] = []
    for river in sheet.river:
        where = f'[[river]] "{river.river}"'
        if river.mouth and river.mouth not in index:
            raise BoxError(f"{where}, field mouth: there is no hex {river.mouth}")
        for k, text in enumerate(river.sides):
            a, _, b = text.partition("-")
            if a not in index or b not in index or b not in set(neighbours(a)):
                raise BoxError(f"{where}, field sides: {text!r} is no side between two hexes of the map")
            side = len(ends)
            if side >= SIDES:
                raise BoxError(f"map: at most {SIDES} river sides fit")
            ends.append(corners(a) & corners(b))
            if k and not ends[side] & ends[side - 1]:
                raise BoxError(f"{where}, field sides: {text!r} does not go on where the side before it ended")
            one, two = index[a], index[b]
            box.banks[side] = (one, two)
            box.dry[one][two >> 6] &= ~(np.uint64(1) << np.uint64(two & 63))
            box.dry[two][one >> 6] &= ~(np.uint64(1) << np.uint64(one & 63))
            touched = [one, two]
            if river.mouth and k == len(river.sides) - 1:
                touched.append(index[river.mouth])
            for touching in touched:
                add(box.shore[side], touching)
                add(box.sides_at[touching], side)
    box.n_sides = len(ends)
    for i, mine in enumerate(ends):
        for j, other in enumerate(ends):
            if i != j and mine & other:
                add(box.joins[i], j)


def _pack_plan(box: Any, plan: Any, sheet: Sheet, scenario: Scenario, index: dict[str, int]) -> None:
    where = f'[[scenario]] "{scenario.scenario}"'
    sites = [one.site for one in sheet.site]
    powers = [one.name for one in sheet.power]
    plan.hq[:] = NOBODY
    plan.whose[:] = NOBODY
    plan.site_at[:] = NOBODY
    for name in (*scenario.hq.values(), *scenario.cities):
        if name not in sites:
            raise BoxError(f"{where}: there is no site {name!r}")
        site = sites.index(name)
        if plan.role[site] != OUT or plan.site_at[box.site_hex[site]] != NOBODY:
            raise BoxError(f"{where}: {name} is in play twice")
        plan.role[site] = CITY
        plan.site_at[box.site_hex[site]] = site
    plan.n_cities = len(scenario.cities)
    if sum(sheet.rules.city_tiles) < plan.n_cities:
        raise BoxError(f"{where}: {plan.n_cities} cities, but rules.city_tiles has fewer tiles")
    for name, site_name in scenario.hq.items():
        if name not in powers:
            raise BoxError(f"{where}, field hq: there is no power {name!r}")
        site, power = sites.index(site_name), powers.index(name)
        plan.role[site] = HQ
        plan.whose[site] = power
        plan.hq[power] = site
        plan.in_play[power] = 1
    _check_apart(box, sheet, scenario, where)
    closed = np.zeros(WORDS, np.uint64)
    for code in scenario.closed:
        if code not in index:
            raise BoxError(f"{where}, field closed: there is no hex {code}")
        add(closed, index[code])
    plan.land[:] = box.land & ~closed
    plan.areas[:] = (box.land | box.sea) & ~closed
    for site in range(len(sites)):
        if plan.role[site] == OUT:
            continue
        at = int(box.site_hex[site])
        plan.around[site] = box.near[at] & plan.areas
        plan.before[site] = box.dry[at] & plan.land
        for h in range(len(index)):
            if has(box.near[at], h):
                plan.touches[h] |= np.uint64(1) << np.uint64(site)
            if has(box.dry[at], h):
                plan.touches_dry[h] |= np.uint64(1) << np.uint64(site)
        plan.marches[site] = _marches(box, plan, site, len(index))


def _check_apart(box: Any, sheet: Sheet, scenario: Scenario, where: str) -> None:
    """4.3: every HQ lays a token on each area next to it, so no area may lie next to two of them."""
    sites = [one.site for one in sheet.site]
    around = {name: set(members(box.near[box.site_hex[sites.index(name)]])) for name in scenario.hq.values()}
    for one, other in combinations(around, 2):
        if around[one] & around[other] or int(box.site_hex[sites.index(other)]) in around[one]:
            raise BoxError(f"{where}, field hq: {one} and {other} are too near: an area lies next to both")


def _marches(box: Any, plan: Any, site: int, n_hexes: int) -> Any:
    """How many land areas lie between each hex and a site, enemies left aside; FAR when there is no way."""
    far = np.full(HEXES, FAR, np.int8)
    edge = members(plan.before[site])
    far[edge] = 0
    for n in range(1, FAR):
        around = {near for h in edge if has(plan.land, h) for near in members(box.near[h]) if far[near] == FAR}
        edge = [h for h in around if h < n_hexes]
        far[edge] = n
    return far
