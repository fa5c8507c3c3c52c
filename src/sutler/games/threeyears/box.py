"""The box of Three Years of War: the form of `box.toml`, checked by pydantic models, and the packed records, sizes and enumerations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field as Limits

from sutler.core.actions import Names
from sutler.core.files.box import Blanking, Entry, Info
from sutler.core.files.entry_records import Amounts, record_of
from sutler.core.files.options import Options
from sutler.core.names import Numbers
from sutler.core.record import field, record, set_of
from sutler.games.threeyears.box_checks import SOUND

SEATS = 5
CLAIMS = 64
INFLUENCE = 128
"""The number of influence cards that fit into the records; the published deck has 90."""
KINDS = 96
"""The number of kinds of influence card that fit: cards with equal season, icons and symbols are one kind."""
DESPAIRS = 64
WRITS = 64
WRIT_KINDS = 32
CARDS = 8
"""The number of interlude cards of one event that fit; six are published."""
ROWS = 3
OFFERS = 2
STEPS = 99
"""The number of steps of a track that fit; nine are published."""
DOUBLES = 16
"""One more than the most two-icon cards that a set may hold."""

SEASON_NAMES = ("Spring", "Summer", "Autumn", "Winter")
SPRING, SUMMER, AUTUMN, WINTER = range(4)
SEASONS = 4
EVENT_NAMES = ("Marketplace", "Field of Battle", "Reaping What Was Sown", "The Bitter Months")  # one after each season
MARKETPLACE, BATTLE, REAPING, BITTER = range(4)

# Numbers of the icons, used everywhere; the first four are also the numbers of the four tracks.
ICON_NAMES = (
    "gold",
    "soldiers",
    "food",
    "holdings",
    "casualty",
    "siege",
    "thief",
    "hope",
    "writ",
    "renown",
    "scout",
    "cards",
    "locusts",
    "death",
    "rats",
    "ruin",
    "despair",
)
ICONS = len(ICON_NAMES)
(
    GOLD,
    SOLDIERS,
    FOOD,
    HOLDINGS,
    CASUALTY,
    SIEGE,
    THIEF,
    HOPE,
    WRIT,
    RENOWN,
    SCOUT,
    DRAW,
    LOCUSTS,
    DEATH,
    RATS,
    RUIN,
    DESPAIR,
) = range(ICONS)
TRACKS = 4
GREEN = 12  # icons with a lower number stand in the green section of a card
ONE_OF = {"soldiers": "soldier", "holdings": "holding", "cards": "card", "rats": "rat", "locusts": "locust"}
ICON_ONE = tuple(ONE_OF.get(name, name) for name in ICON_NAMES)

STAGE_NAMES = ("taxes", "influence", "stakes", "draft", "claims", "interlude", "hand limit", "end")
S = Numbers("stage", [name.replace(" ", "_") for name in STAGE_NAMES])
"""The course of a season (guide 3): the values of `state.stage`."""
DOUBLE_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
)  # fmt: skip

SIZES = {
    "season": SEASONS,
    "doubles": DOUBLES,
    "kind": KINDS,
    "claim": CLAIMS,
    "icon": ICONS,
    "seat": SEATS,
    "resource": TRACKS,
    "event": SEASONS,
    "despair": DESPAIRS,
    "token": WRITS,
    "writ": WRIT_KINDS,
    "row": ROWS,
    "offer": OFFERS,
}


FIRST, SECOND, LAST_PLACE = range(3)  # the standing of a seat in an interlude (9.3 to 9.7)
MORE, AS_MANY, FEWER = range(3)

OPTIONS = Options(Path(__file__).with_name("box.toml"))

Season = Literal["spring", "summer", "autumn", "winter"]
Resource = Literal["gold", "soldiers", "food", "holdings"]
SEASON_KEYS: tuple[str, ...] = get_args(Season)
Few = Annotated[int, Limits(ge=0, le=20)]
Some = Annotated[int, Limits(ge=1, le=60)]


class Green(Amounts):
    """Amounts of the icons of a card's green section."""

    gold: Few = 0
    soldiers: Few = 0
    food: Few = 0
    holdings: Few = 0
    casualty: Few = 0
    siege: Few = 0
    thief: Few = 0
    hope: Few = 0
    writ: Few = 0
    renown: Few = 0
    scout: Few = 0
    cards: Few = 0


class Grey(Amounts):
    """Amounts of the icons of a card's grey section."""

    locusts: Few = 0


class Red(Amounts):
    """Amounts of the icons of a card's red section."""

    death: Few = 0
    rats: Few = 0
    ruin: Few = 0
    despair: Few = 0


class Mixed(Red, Grey, Green):
    """Amounts of icons of any section, in the order in which they are resolved (pydantic takes the fields of the last base class first)."""


class WritGain(Amounts):
    """Amounts of the icons of a Writ."""

    gold: Few = 0
    soldiers: Few = 0
    food: Few = 0
    holdings: Few = 0
    renown: Few = 0
    hope: Few = 0


def count_icons(*sections: Amounts) -> list[int]:
    """The number of times each icon stands in the given sections together, in the order of ICON_NAMES."""
    return [sum(getattr(section, name, 0) for section in sections) for name in ICON_NAMES]


class Sections(Entry):
    """The icons of a card, section by section."""

    green: Green = Green()
    grey: Grey = Grey()
    red: Red = Red()

    def row(self) -> list[int]:
        """The number of times that each icon stands on the card, as an array in the order of ICON_NAMES."""
        return [*self.green.row(), *self.grey.row(), *self.red.row()]


class ClaimEntry(Sections):
    name: str
    season: Season


class InfluenceEntry(Entry):
    name: str
    season: Season
    icons: Annotated[int, Limits(ge=1, le=2)]
    copies: Few = 1
    stakes: Sections = Sections()  # the symbols that the card adds to a claim card as a seasonal stake


class Merchant(Entry):
    price: Annotated[int, Limits(ge=0, le=9)]
    gain: Mixed


class MarketEntry(Entry):
    name: str
    rows: Annotated[list[Merchant], Limits(min_length=ROWS, max_length=ROWS)]


class BattleEntry(Entry):
    name: str
    compare: Resource
    first: Mixed
    second: Mixed
    last: Mixed


class ReapingEntry(Entry):
    name: str
    compare: Resource
    pay_food: Annotated[int, Limits(ge=1, le=9)]
    offers: Annotated[list[Mixed], Limits(min_length=1, max_length=OFFERS)]


class BitterEntry(Entry):
    name: str
    compare: Resource
    more: Mixed
    equal: Mixed
    fewer: Mixed


class WritEntry(Entry):
    name: str
    count: Few = 1
    gain: WritGain


class DespairEntry(Entry):
    value: Few
    count: Annotated[int, Limits(ge=0, le=DESPAIRS)]


class Supply(Entry):
    hope: Annotated[int, Limits(ge=0, le=100)]
    scout: Annotated[int, Limits(ge=0, le=100)]


class MarkerEntry(Entry):
    seats: Annotated[int, Limits(ge=2, le=SEATS)]
    space: Annotated[int, Limits(ge=1, le=SEATS)]
    gain: Green


class Parameters(Entry):
    """Numbers of the rules that players cannot choose at the table, but that a designer may edit."""

    track_start: Few = 5
    track_max: Annotated[int, Limits(ge=1, le=STEPS)] = 9
    starting_hand: Few = 4
    tax_spring: Few = 3
    tax_other: Few = 1
    hand_limit: Some = 9
    first_pass_despair: Few = 1
    doom_value: Few = 5


CLAIM = record_of(ClaimEntry, field("icons", "i2", ICONS, by="icon"))  # `icons`: the icons of all sections together
CARD = record_of(
    InfluenceEntry,
    ("kind", "i2", (), "kind"),
    ("is_stake", "i1"),  # 1 if the card has symbols that count as a seasonal stake
    field("symbols", "i2", ICONS, by="icon"),  # the symbols of all sections together
)
KIND = record("Kind", ("season", "i1"), ("pips", "i1"), ("is_stake", "i1"), set_of("influence", "cards", INFLUENCE))

BOX = record(
    "Box",
    field("options", OPTIONS),
    field("rules", record_of(Parameters)),
    ("n_claims", "i2"),
    ("n_kinds", "i2"),
    ("n_influence", "i2"),
    field("claim", CLAIM, CLAIMS),
    set_of("claim", "season_claims", CLAIMS, SEASONS),
    field("card", CARD, INFLUENCE),
    field("kind", KIND, KINDS),
    ("first_kind", "i2", SEASONS + 1),  # kinds are sorted by season; [s] is the first of season s
    set_of("influence", "deck", INFLUENCE),
    set_of("influence", "of_shape", INFLUENCE, (SEASONS, 2)),  # cards by season and by number of icons less 1
    set_of("influence", "symbols", INFLUENCE, SEASONS),  # the cards with symbols, by season
    set_of("despair", "despairs", DESPAIRS),
    ("despair_value", "i1", DESPAIRS),
    ("mean_despair", "f8"),
    set_of("token", "writs", WRITS),
    ("writ_kind", "i1", WRITS),
    field("writ", record_of(WritEntry, field("icons", "i2", ICONS, by="icon")), WRIT_KINDS),
    ("n_writ_kinds", "i2"),
    ("hopes", "i2"),
    ("scouts", "i2"),
    field(
        "space", record_of(MarkerEntry, field("icons", "i2", ICONS, by="icon")), (SEATS + 1, SEATS + 1)
    ),  # index: number of seats, number of the marker
    ("n_cards", "i1", SEASONS),  # the number of interlude cards of each event
    field("market", record_of(MarketEntry), CARDS),
    field("battle", record_of(BattleEntry), CARDS),
    field("reaping", record_of(ReapingEntry), CARDS),
    field("bitter", record_of(BitterEntry), CARDS),
)


class Sheet(Blanking):
    """The contents of `box.toml`, checked by pydantic."""

    BLANKS: ClassVar = ("influence", "kind", "claim", "writ", "interlude")
    SOUND: ClassVar = SOUND

    game: Info
    options: dict[str, Any]
    reconstructed: list[str] = []
    rules: Parameters = Parameters()
    supply: Supply
    despair: list[DespairEntry]
    marker: list[MarkerEntry] = []
    claim: list[ClaimEntry]
    influence: list[InfluenceEntry]
    marketplace: list[MarketEntry]
    battle: list[BattleEntry]
    reaping: list[ReapingEntry]
    bitter: list[BitterEntry]
    writ: list[WritEntry]

    def events(self) -> tuple[list[Any], ...]:
        """The interlude cards of the four events, in the order of the seasons."""
        return self.marketplace, self.battle, self.reaping, self.bitter

    def cards(self) -> list[InfluenceEntry]:
        """Every influence card; an entry with several copies is repeated."""
        return [entry for entry in self.influence for _ in range(entry.copies)]

    def kinds(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """The kinds of influence card, each as (season, icons, symbols).

        They are ordered by season; doubles come first, and those with symbols before plain ones.
        """
        found = {kind_of_card(entry) for entry in self.cards()}
        first = {kind: i for i, entry in reversed(list(enumerate(self.influence))) for kind in [kind_of_card(entry)]}
        return sorted(found, key=lambda kind: (kind[0], -kind[1], not any(kind[2]), first[kind]))

    def names(self) -> Names:
        """The names of cards, icons, tokens, seats and stages, by kind of name; "icon:one" and "resource:one" hold the singular."""
        interludes = []
        for cards in self.events():
            interludes += [card.name for card in cards] + [f"no card {i}" for i in range(CARDS - len(cards))]
        return {
            "season": SEASON_NAMES,
            "event": EVENT_NAMES,
            "doubles": [_doubles_in_words(n) for n in range(DOUBLES)],
            "kind": [self._kind_name(kind) for kind in self.kinds()],
            "claim": [claim.name for claim in self.claim],
            "influence": [card.name for card in self.cards()],
            "interlude": interludes,
            "icon": ICON_NAMES,
            "icon:one": ICON_ONE,
            "resource": ICON_NAMES[:TRACKS],
            "resource:one": ICON_ONE[:TRACKS],
            "despair": [f"Despair {i + 1}" for i in range(DESPAIRS)],
            "token": [f"Writ {i + 1}" for i in range(WRITS)],
            "writ": [writ.name for writ in self.writ],
            "row": [f"row {i + 1}" for i in range(ROWS)],
            "offer": [f"for offer {i + 1}" for i in range(OFFERS)],
            "seat": [f"seat {i}" for i in range(SEATS)],
            "stage": STAGE_NAMES,
            "reconstructed": self.reconstructed,
        }

    def _kind_name(self, kind: tuple[int, int, tuple[int, ...]]) -> str:
        """The name of a kind of influence card: its card's name, or "… or alike" and "a plain Spring single" for several cards."""
        names = [entry.name for entry in self.influence if kind_of_card(entry) == kind and entry.copies]
        if len(names) == 1:
            return names[0]
        if any(kind[2]):
            return f"{names[0]} or alike"
        return f"a plain {SEASON_NAMES[kind[0]]} {'double' if kind[1] == 2 else 'single'}"

    def unfit(self, box: Any, seats: int) -> str:
        """The reason, as a sentence, why a packed box has too few claim cards for `seats` players; "" if it has enough."""
        wanted = seats * (1 if box.options.recycle_claims else int(box.options.years))
        for season, name in enumerate(SEASON_KEYS):
            n = sum(claim.season == name for claim in self.claim)
            if n < wanted:
                return f"{SEASON_NAMES[season]} has {n} claim cards, {seats} seats need {wanted}"
        return ""


def _doubles_in_words(n_doubles: int) -> str:
    """The number of two-icon cards in a set, in words: "with two doubles"."""
    word = DOUBLE_WORDS[n_doubles] if n_doubles < len(DOUBLE_WORDS) else str(n_doubles)
    return "without doubles" if n_doubles == 0 else f"with {word} double{'s' if n_doubles > 1 else ''}"


def kind_of_card(entry: InfluenceEntry) -> tuple[int, int, tuple[int, ...]]:
    """The kind of an influence card as (season, icons, symbols): cards equal in all three are of one kind."""
    return SEASON_KEYS.index(entry.season), entry.icons, tuple(entry.stakes.row())
