"""The box of Bellum declared: the models that `box.toml` is read by, the fields of the record it is packed into (`packing`), sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from sutler.core.actions import Names
from sutler.core.files.box import Entry, Info
from sutler.core.files.entry_records import record_of
from sutler.core.files.options import Options
from sutler.core.names import Numbers
from sutler.core.record import field, record
from sutler.games.bellum.box_checks import SOUND

SEATS = 4
POWERS = 4
LEADERS = 2 * POWERS
"""The number of leaders, two for each power: 0 and 1 are the first power's, 2 and 3 the second's."""
LANDS = 128
"""The most land areas that a map may have; they come first among the hexes."""
HEXES = 192
WORDS = 3
SITES = 24
SIDES = 128
SIDE_WORDS = 2
ROUNDS = 32
FORCES = 22
"""The number of possible commitments: markers 1 to 6 add up to any strength from 0 to 21."""
FEEDS = 64
NO_WAY = 60

RUIN, MINOR, MEDIUM, MAJOR = range(4)
SIZE_NAMES = ("ruin", "minor", "medium", "major")
OUTSIDE, CITY, HQ = range(3)
HALF, FULL = range(2)
Symbol = Literal["half", "full"]
SYMBOLS: tuple[str, ...] = get_args(Symbol)

STANDARD, CUT = range(2)
PLANS = 2

NO_ALLIES, ONE_ALLIANCE, ALL_ALLIED = range(3)

STAGE_NAMES = ("preparation", "battle", "city", "influence", "feed", "leader")
S = Numbers("stage", STAGE_NAMES)
"""The values of `state.stage`: setting up, then the five phases of a turn (guide 7.1)."""

SIZES = {
    "size": 4,
    "site": SITES,
    "leader": LEADERS,
    "force": FORCES,
    "land": LANDS,
    "hex": HEXES,
    "total": FEEDS,
}


OPTIONS = Options(Path(__file__).with_name("box.toml"))
THREE_CUT = OPTIONS.number("three", "cut")
TILES_RANDOM = OPTIONS.number("city_tiles", "random")
PURSUIT_BATTLE = OPTIONS.number("pursuit", "battle")

PLAN = record(
    "Plan",
    ("in_play", "i1", POWERS),
    ("hq", "i1", POWERS, "site"),
    ("role", "i1", SITES),  # OUTSIDE, CITY or HQ
    ("whose", "i1", SITES, "power"),  # the power whose HQ the site is
    ("site_at", "i1", HEXES, "site"),
    ("n_cities", "i1"),
    ("land", "u8", WORDS),  # areas that leaders may enter, as bits over hexes
    ("areas", "u8", WORDS),  # areas that may hold a token
    ("around", "u8", (SITES, WORDS)),  # areas next to a site, rivers or not
    ("before", "u8", (SITES, WORDS)),  # land next to a site with no river between
    ("touches", "u8", HEXES),  # sites in play next to a hex, as a bit set
    ("touches_dry", "u8", HEXES),  # sites in play next to a hex with no river between, as a bit set
    ("stood_at", "i4", HEXES),  # sites that a leader in an area stands at, as a bit set
    ("marches", "i1", (SITES, HEXES)),  # the number of land areas to enter from a hex to stand at the site, for bots
)

Code = Annotated[str, Field(pattern=r"^\d{4}$")]
Small = Annotated[int, Field(ge=0, le=99)]
BySize = Annotated[list[Small], Field(min_length=4, max_length=4)]
BySizeOfCity = Annotated[list[Small], Field(min_length=3, max_length=3)]  # there is no tile of a ruin


class Leader(Entry):
    """A leader of a power, with its full name and the cypher printed on the piece."""

    name: str
    full: str
    cypher: str = ""


class Power(Entry):
    """A power: its ally's name, its colour and its two leaders."""

    name: str
    adjective: str
    ally: str
    colour: str = ""
    leaders: list[Leader]


class Land(Entry):
    """The hexes of the map, each as its code of four digits and its name."""

    land: list[str]
    sea: list[str]


class Site(Entry):
    """A city or headquarters, with its hex; `evidence`: a note on where the hex is known from."""

    site: str
    hex: Code
    evidence: str = ""


class River(Entry):
    """A river as a chain of hex sides ("0108-0109"); `mouth`: the hex of sea at its end."""

    river: str
    sides: list[str]
    mouth: str = ""
    evidence: str = ""


class Round(Entry):
    """A round of the game: its year, and what is printed for it."""

    year: Annotated[int, Field(ge=0, le=9999)]
    siege: Symbol
    resistance: Small
    hq_supply: Small
    quiet: bool = False  # no battle, city and influence phase
    peace: bool = False  # reaching it ends the game


class Scenario(Entry):
    """The sites in play on one of the maps: each power's HQ, the cities, and the hexes that are closed."""

    scenario: Literal["standard", "alternative", "cut"]
    hq: dict[str, str]
    cities: list[str]
    closed: list[str] = []


class Parameters(Entry):
    """Numbers of the rules that are no options at the table but may be edited."""

    start_supply: Small
    start_strength: Small
    city_tiles: BySizeOfCity
    most_committed: Small
    city_supply: BySize
    city_defence: BySize
    hq_defence: Small
    both_leaders: Small
    river: Small
    allied_leader: Small
    spoils: Small
    most_change: Small
    steps: Small
    steps_abroad: Small
    token_value: Small


BOX = record(
    "Box",
    field("options", OPTIONS),
    ("leads_pair", "i1", (), "power"),  # the one alliance of three seats; NOBODY: by lot
    field("rules", record_of(Parameters)),
    field("plan", PLAN, PLANS),
    field("year", record_of(Round), ROUNDS),
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
    ("within_two", "u8", (HEXES, WORDS)),  # the hex, its neighbours and theirs
    ("banks", "i2", (SIDES, 2), "hex"),  # the two hexes a river side parts
    ("shore", "u8", (SIDES, WORDS)),  # hexes that may be entered from a side: its banks, and the sea at a mouth
    ("sides_at", "u8", (HEXES, SIDE_WORDS)),  # sides that may be entered from a hex
    ("joins", "u8", (SIDES, SIDE_WORDS)),  # sides that share a corner
)


class Sheet(Entry):
    """The checked `box.toml`."""

    SOUND: ClassVar = SOUND

    game: Info
    options: dict[str, Any]
    rules: Parameters
    power: list[Power]
    map: Land
    site: list[Site]
    river: list[River]
    round: list[Round]
    scenario: list[Scenario]

    def hex_codes(self) -> list[str]:
        """The codes of all hexes, by number: land areas first, then sea and sites."""
        land = [one[:4] for one in self.map.land]
        other = {one[:4] for one in self.map.sea} | {one.hex for one in self.site}
        return land + sorted(other)

    def names(self) -> Names:
        """The names of hexes, sites, powers, leaders and all other things, as a list for each kind."""
        called = {one[:4]: one[5:] for one in self.map.land}
        waters = {one[:4]: one[5:] for one in self.map.sea}
        towns: dict[str, str] = {}
        for one in self.site:
            towns.setdefault(one.hex, one.site)
        names = []
        for code in self.hex_codes():
            name = called.get(code) or towns.get(code) or waters.get(code, "")
            names.append(f"{name} {code}" if code in waters else name)
        powers = [power.name for power in self.power]
        return {
            "hex": names,
            "area": names,
            "reach": names,
            "land": names[: len(self.map.land)],
            "code": self.hex_codes(),
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
