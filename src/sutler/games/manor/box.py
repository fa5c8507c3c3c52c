"""The box of Medieval Manor: the form of `box.toml`, checked by pydantic models, and the packed records, sizes and enumerations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from sutler.core.actions import Names
from sutler.core.bits import words
from sutler.core.files.box import Entry, Info
from sutler.core.files.entry_records import Amounts, record_of
from sutler.core.files.options import Options
from sutler.core.names import Numbers
from sutler.core.record import NOBODY, field, record, set_of
from sutler.games.manor.box_checks import SOUND

SEATS = 6
LANDS = 16
CARDS = 112
"""The number of cards that fit into the records; the printed deck has fewer, so a designer may add some."""
COLUMNS = 4

# Numbers of the tokens, used everywhere; the first four are goods: two kinds of food, then two of money.
CROPS, ANIMALS, GOLD, RESOURCES, VICTORY, PEASANTS = range(6)
GOODS, TOKENS = 4, 6
TOKEN_NAMES = ("crops", "animals", "gold", "resources", "victory", "peasants")
TOKEN_ONE = ("crop", "animal", "gold", "resource", "victory", "peasant")
CARD_TOKEN = 6  # the number that follows the tokens in the two sides of a conversion: a card given or drawn
PARTS = 7

Type = Literal["bounty", "upgrade", "hardship"]
TYPE_NAMES = get_args(Type)
BOUNTY, UPGRADE, HARDSHIP = range(3)

Kind = Literal["River", "Fields", "Pasture", "Woods", "Hills", "Road", "Village", "Market", "Church", "Castle"]
KIND_NAMES: tuple[str, ...] = get_args(Kind)
KINDS = len(KIND_NAMES)
CASTLE = KIND_NAMES.index("Castle")
ALL_KINDS = 1 << KINDS

STEAL_CARD, STEAL_GOOD = range(2)
SELF, ALL = range(2)
BAN_CROPS, BAN_PLAY = 1, 2

PAIR = 2  # the number of cards discarded together, for another card or for a good
MOST_TOKENS = 9999  # the most tokens of one kind that a seat can have (1.2)
MAX_TURN = 9999  # the count of turns stops here in a game that nobody ends
MOST_AT_ONCE = 64  # the largest payment that one action can name
COST_RANGE = 16  # a card changes the cost of upgrades by -COST_RANGE to +COST_RANGE

STAGE_NAMES = ("draw", "trade", "work", "upgrade", "feeding", "end")
S = Numbers("stage", STAGE_NAMES)
"""The six phases of a turn (guide 1.2): the values of `state.stage`."""


SIZES = {"card": CARDS, "land": LANDS, "good": GOODS, "token": TOKENS, "seat": SEATS, "n": MOST_AT_ONCE}


Count = Annotated[int, Field(ge=0, le=99)]
Change = Annotated[int, Field(ge=-99, le=99)]


class Gains(Amounts):
    """Amounts of each token, none below 0: what a card gives or takes."""

    crops: Count = 0
    animals: Count = 0
    gold: Count = 0
    resources: Count = 0
    victory: Count = 0
    peasants: Count = 0


class Parts(Gains):
    """One side of a conversion: amounts of each token, and a number of cards."""

    cards: Count = 0


class Bonus(Amounts):
    """The bonus of a land: tokens that it adds to a card's yield; below 0 it takes some away."""

    crops: Change = 0
    animals: Change = 0
    gold: Change = 0
    resources: Change = 0
    victory: Change = 0
    peasants: Change = 0


Good = Literal["crops", "animals", "gold", "resources"]


class Convert(Entry):
    give: Parts
    get: Parts


class Steal(Entry):
    what: Literal["card", "good"]
    count: Annotated[int, Field(ge=1, le=99)] = 1


class End(Entry):
    victory: Change = 0
    per_upgrade: Change = 0


class Harm(Entry):
    who: Literal["self", "all"] = "all"
    lose: Gains = Gains()
    lose_all: list[Good] = []
    hand: bool = False
    upgrade: Count = 0
    ban: Literal["", "crops", "play"] = ""


@dataclass(frozen=True)
class On:
    """The types of card on which a field has an effect. A card of another type must not have the field, since it would do nothing."""

    types: tuple[Type, ...]


BOUNTIES, UPGRADES, BOTH_TYPES = On(("bounty",)), On(("upgrade",)), On(("bounty", "upgrade"))


class CardEntry(Entry):
    name: str
    type: Type
    on: Annotated[list[Kind], BOTH_TYPES] = []
    gain: Annotated[Gains, BOTH_TYPES] = Gains()
    helps: Annotated[list[Literal["crops", "animals"]], BOUNTIES] = []
    marks: list[str] = []
    draw_next: Annotated[Count, BOUNTIES] = 0
    draw_now: Annotated[Count, BOUNTIES] = 0
    steal: Annotated[Steal | None, BOUNTIES] = None
    lose: Annotated[Gains, BOUNTIES] = Gains()
    convert: Annotated[Convert | None, BOTH_TYPES] = None
    cost_change: Annotated[int, Field(ge=-COST_RANGE, le=COST_RANGE), UPGRADES] = 0
    discount: Annotated[Count, UPGRADES] = 0
    hand_size: Annotated[int, Field(ge=0, le=20), UPGRADES] = 0
    end: Annotated[End, UPGRADES] = End()
    harm: Harm | None = None
    icon: str = ""
    ground: str = ""
    count: Literal[0, 1] = 1


class LandEntry(Entry):
    name: str
    kind: Kind
    extra: bool = False
    edge: bool = False
    bonus: Bonus = Bonus()


class Parameters(Entry):
    """Numbers of the rules that players cannot choose at the table, but that a designer may edit."""

    upgrade_cost: Count = 3
    buy_price: Annotated[int, Field(ge=1, le=99)] = 3
    buy_draw: Annotated[int, Field(ge=1, le=99)] = 3
    hunger_victory: Count = 2
    grow_price: Count = 5
    most_conversions: Annotated[int, Field(ge=0, le=1000)] = 60
    big_map_seats: Annotated[int, Field(ge=2, le=SEATS + 1)] = 4
    dice_trouble: Annotated[int, Field(ge=2, le=12)] = 11
    free_slips: Count = 3


CARD = record_of(
    CardEntry,
    ("lands", "u8"),  # the lands that the card may lie on, as a bit set
    ("worth", "f8"),  # for bots: what a bounty brings when played, or an upgrade when the game ends (`one_time_worth`)
    ("worth_turn", "f8"),  # for bots: what an upgrade brings in each turn (`worth_per_turn`)
)
LAND = record_of(LandEntry)
RULES = record_of(Parameters)

OPTIONS = Options(Path(__file__).with_name("box.toml"))

BOX = record(
    "Box",
    field("options", OPTIONS),
    field("rules", RULES),
    field("card", CARD, CARDS),
    field("land", LAND, LANDS),
    ("n_lands", "i1"),
    ("layout", "i1", LANDS, "land"),  # a fixed map: its lands in reading order; all NOBODY: laid at random
    set_of("card", "deck", CARDS),
    field("start_tokens", "i2", TOKENS),
    field("extra_tokens", "i2", (SEATS, TOKENS)),  # a handicap: added to `start_tokens` (9.21)
    field("extra_cards", "i2", SEATS),
    field("extra_upgrades", "i2", SEATS),
    set_of("card", "bounties", CARDS),
    set_of("card", "upgrades", CARDS),
    set_of("card", "hardships", CARDS),
    set_of("card", "mills", CARDS),  # upgrades whose conversion makes victory tokens
    set_of("card", "discounters", CARDS),
    ("kind_lands", "u8", KINDS),  # the lands of each kind, as a bit set
    field("fits", "u8", (ALL_KINDS, words(CARDS))),  # for every set of kinds of land: the cards that fit one
    field("up_to", "u8", (2 * COST_RANGE + 1, words(CARDS))),  # [i]: upgrades with cost change <= i - COST_RANGE
)


class Sheet(Entry):
    """The contents of `box.toml`, checked by pydantic."""

    SOUND: ClassVar = SOUND

    game: Info
    options: dict[str, Any]
    rules: Parameters = Parameters()
    land: list[LandEntry]
    card: list[CardEntry]

    def names(self) -> Names:
        """The names of cards, lands, goods, tokens, seats and stages, by kind of name; "good:one" and "token:one" hold the singular."""
        return {
            "card": [card.name for card in self.card],
            "land": [land.name for land in self.land],
            "good": TOKEN_NAMES[:GOODS],
            "token": TOKEN_NAMES,
            "good:one": TOKEN_ONE,
            "token:one": TOKEN_ONE,
            "seat": [f"seat {i}" for i in range(SEATS)],
            "marks": [", ".join(card.marks) for card in self.card],
            "icon": [card.icon for card in self.card],
            "ground": [card.ground for card in self.card],
            "stage": STAGE_NAMES,
            "title": [name.capitalize() for name in STAGE_NAMES],
        }

    def blanked(self, kind: str, i: int) -> Sheet | None:
        """A copy of the sheet in which card number `i` does nothing, for experiments; None where `kind` is not "card"."""
        if kind != "card":
            return None
        card = self.card[i]
        kept = {name: getattr(card, name) for name in ("name", "type", "on", "count") if name in card.model_fields_set}
        blank = CardEntry(**kept, harm=Harm(who=card.harm.who)) if card.harm else CardEntry(**kept)
        return self.model_copy(update={"card": [*self.card[:i], blank, *self.card[i + 1 :]]})

    def unfit(self, box: Any, seats: int) -> str:
        """The reason, as a sentence, why the packed options of `box` do not suit a game of `seats` players; "" if they do."""
        if box.options.first_lord >= seats:
            return f"option first_lord: seat {box.options.first_lord + 1} is not in a game of {seats} (9.16)"
        lands = [land for land in box.layout if land != NOBODY]
        big = seats >= box.rules.big_map_seats
        wanted = len(self.land) if big else sum(not land.extra for land in self.land)
        if lands and (len(lands) < wanted or any(self.land[land].extra for land in lands[:wanted] if not big)):
            return f"option map: {seats} seats play on {wanted} lands; name these and no others (2.1, 9.17)"
        for seat in range(seats, SEATS):
            if box.extra_tokens[seat].any() or box.extra_cards[seat] or box.extra_upgrades[seat]:
                return f"option handicap: seat {seat + 1} is not in a game of {seats} (9.21)"
        return ""
