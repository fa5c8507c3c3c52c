"""The box of WARFARM: the form of `box.toml`, checked by pydantic models, and the packed records, sizes and enumerations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from sutler.core.actions import Names
from sutler.core.files.box import BoxError, Entry, Info
from sutler.core.files.entry_records import Amounts, record_of
from sutler.core.files.options import Options
from sutler.core.record import field, record
from sutler.games.warfarm.box_checks import SOUND

SEATS = 3
CARDS = 48
"""The number of card designs that fit; the box has 37, a designer may add some. Equal copies of a design are counted, not told apart."""
SLOTS = 60
"""The number of places for Table cards before a seat: as many as there are Table cards."""
HOLES = 20
"""The number of places for Traps before a seat."""

# Numbers of all that is counted, used everywhere: first the tokens, then the units.
FARMLAND, WATER, STEEL, RELIGION, FIRE, FARMER, EXPLORER, SOLDIER, DISCIPLE, CANNON = range(10)
TOKENS, GOODS = 5, 10
UNITS = GOODS - TOKENS
GOOD_NAMES = ("farmland", "water", "steel", "religion", "fire", "farmer", "explorer", "soldier", "disciple", "cannon")
GOOD_WORDS = (
    "Farmland",
    "Water",
    "Steel",
    "Religion",
    "Fire",
    "Farmers",
    "Explorers",
    "Soldiers",
    "Disciples",
    "Cannons",
)
GOOD_ONE = ("Farmland", "Water", "Steel", "Religion", "Fire", "Farmer", "Explorer", "Soldier", "Disciple", "Cannon")

Coin = Literal["", "water", "steel", "religion", "soldier"]
COINS = (FARMLAND, WATER, STEEL, RELIGION, SOLDIER)
"""The goods that cards are paid with, by the field `coin` of a card; a card without a coin is free."""

# The things that a player may choose with a Wild card, at a market or at the start of the game.
THINGS = (FARMER, FARMLAND, STEEL, RELIGION, FIRE)
N_THINGS = len(THINGS)
NOT_FOR_SALE = -1
START_THINGS = (0, 2, 3)

Deck = Literal[
    "Resource",
    "Farm I",
    "Farm II",
    "Farm III",
    "Military I",
    "Military II",
    "Military III",
    "Religion I",
    "Religion II",
    "Religion III",
]
DECK_NAMES: tuple[str, ...] = get_args(Deck)
DECKS = len(DECK_NAMES)
RESOURCE_DECK = 0
DECK_CARDS = 16  # the number of designs that one deck may hold

Type = Literal["resource", "table", "once", "trap", "permanent", "miracle"]
TYPE_NAMES: tuple[str, ...] = get_args(Type)
RESOURCE, TABLE, ONCE, TRAP, PERMANENT, MIRACLE = range(6)

Does = Literal[
    "nothing",
    "give",
    "wild",
    "produce",
    "conscription",
    "harvest",
    "management",
    "package",
    "peace",
    "market",
    "study",
    "facility",
    "homeland",
    "foundry",
    "reinforcement",
    "troops",
    "mercenaries",
    "ambush",
    "surprise",
    "karma",
    "life",
    "tithe",
    "martyrdom",
    "temple",
    "offering",
    "monk",
    "cathedral",
    "plague",
    "call",
]
DOES_NAMES: tuple[str, ...] = get_args(Does)
(
    NOTHING,
    GIVE,
    WILD,
    PRODUCE,
    CONSCRIPTION,
    HARVEST,
    MANAGEMENT,
    PACKAGE,
    PEACE,
    MARKET,
    STUDY,
    FACILITY,
    HOMELAND,
    FOUNDRY,
    REINFORCEMENT,
    TROOPS,
    MERCENARIES,
    AMBUSH,
    SURPRISE,
    KARMA,
    LIFE,
    TITHE,
    MARTYRDOM,
    TEMPLE,
    OFFERING,
    MONK,
    CATHEDRAL,
    PLAGUE,
    CALL,
) = range(len(DOES_NAMES))
N_DOES = len(DOES_NAMES)
DOES_BY_TYPE = {
    "resource": ("give", "wild"),
    "table": (
        [
            "produce",
            "conscription",
            "harvest",
            "market",
            "study",
            "facility",
            "foundry",
            "troops",
            "mercenaries",
            "tithe",
            "temple",
            "cathedral",
        ]
    ),
    "once": ("management", "package", "peace", "homeland", "surprise", "offering"),
    "trap": ("reinforcement", "ambush", "karma", "martyrdom", "monk"),
    "permanent": ("life",),
    "miracle": ("plague", "call"),
}

# The spots where a unit can stand, for one seat: first the plain ones, then those on the seat's cards.
FIELD, LAND_FARMER, CAMP, RESERVE, LAND_SOLDIER, HOME, PARK, VISITING, RETURNING, AWAY = 0, 1, 2, 3, 4, 5, 6, 7, 10, 11
PLAIN_SPOTS = AWAY + DECKS
CARD_SOLDIER = PLAIN_SPOTS
CARD_FARMER = CARD_SOLDIER + SLOTS
CARD_WORKER = CARD_FARMER + SLOTS
TRAP_SOLDIER = CARD_WORKER + SLOTS
N_SPOTS = TRAP_SOLDIER + HOLES
SPOT_UNIT = (
    FARMER, FARMER, EXPLORER, SOLDIER, SOLDIER, DISCIPLE, CANNON, DISCIPLE, DISCIPLE, DISCIPLE, SOLDIER,
    *(EXPLORER for _ in range(DECKS)),
)  # fmt: skip
HOME_SPOT = (FIELD, CAMP, RESERVE, HOME, PARK)  # the spot where each unit arrives, from FARMER on
GUARD_SOLDIERS, GUARD_FARMERS, WORKERS = range(3)
MOST_GUARDS = 100  # the most guards on one card
# The most Resource cards still to be doubled in a turn: three times what the box holds, and small enough for one byte.
MOST_DOUBLED = 120
# The most that a counter of a turn or a round holds: a farm that feeds itself would outgrow every number.
MOST_COUNTED = 9999
# The most goods of one kind that a seat owns (1.2): a farm that feeds itself would outgrow every number.
MOST_GOODS = 9999

# Weapons of an attack; the last one cannot be chosen: guards strike by themselves (7.6).
SOLDIER_WEAPON, CANNON_WEAPON, MERCENARY_WEAPON, GUARD_WEAPON = range(4)
WEAPON_NAMES = ("a Soldier", "a Cannon", "Mercenaries")

JOB_NAMES = ("none", "thing", "peace", "seize", "deck", "offering", "call", "plague", "life or death", "karma")
WON_NAMES = ("", "farm", "military", "religion", "miracles", "time", "standstill")
STEP_NAMES = ("start", "produce", "play", "build", "defend", "attack", "explore", "end")

SIZES = {
    "seat": SEATS,
    "card": CARDS,
    "deck": DECKS,
    "thing": N_THINGS,
    "token": TOKENS,
    "made": UNITS - 1,
    "slot": SLOTS,
    "hole": HOLES,
    "spot": N_SPOTS,
    "weapon": len(WEAPON_NAMES),
}


OPTIONS = Options(Path(__file__).with_name("box.toml"))

Count = Annotated[int, Field(ge=0, le=99)]
Price = Annotated[int, Field(ge=NOT_FOR_SALE, le=99)]


class Goods(Amounts):
    """Amounts of tokens and units, by name."""

    farmland: Count = 0
    water: Count = 0
    steel: Count = 0
    religion: Count = 0
    fire: Count = 0
    farmer: Count = 0
    explorer: Count = 0
    soldier: Count = 0
    disciple: Count = 0
    cannon: Count = 0


class Prices(Amounts):
    """The price of each thing; a thing that is not named is not for sale."""

    farmer: Price = NOT_FOR_SALE
    farmland: Price = NOT_FOR_SALE
    steel: Price = NOT_FOR_SALE
    religion: Price = NOT_FOR_SALE
    fire: Price = NOT_FOR_SALE


class DeckEntry(Entry):
    name: str
    needs: Goods = Goods()


class CardEntry(Entry):
    name: str
    deck: Deck
    type: Type
    does: Does
    copies: Annotated[int, Field(ge=0, le=MOST_GUARDS)]
    rule: str = "4.1"
    gain: Goods = Goods()
    pay: Goods = Goods()
    prices: Prices = Prices()
    coin: Coin = ""
    fees: dict[Deck, Count] = {}
    draws: dict[Deck, Count] = {}
    unlocked: bool = False
    workers: Goods = Goods()
    count: Count = 0
    below: Count = 0
    above: Count = 0
    land: Count = 0
    optional: bool = False
    icon: str = ""
    text: str = ""


class Recipes(Entry):
    explorer: Goods
    soldier: Goods
    disciple: Goods
    cannon: Goods


class Parameters(Entry):
    """Numbers of the rules that players cannot choose at the table, but that a designer may edit."""

    extinguish: Count = 5
    cannon_shots: Count = 2
    spoils: Count = 1
    burnt: Count = 1
    miracles_win: Count = 3
    farm_win: Goods
    growth_win: Goods
    start: Goods
    recipes: Recipes


CARD = record_of(CardEntry, ("worker", "i1"), ("n_workers", "i1"))  # the unit that works on the card, and its number
DECK = record_of(
    DeckEntry,
    ("n_designs", "i1"),
    ("designs", "i1", DECK_CARDS, "card"),
    ("traps", "u4"),  # what the deck's Traps do, as a bit set of `does`
)
RULES = record_of(Parameters, ("recipe", "i2", (UNITS, TOKENS)))  # the tokens that each unit takes

BOX = record(
    "Box",
    field("options", OPTIONS),
    field("rules", RULES),
    field("card", CARD, CARDS),
    field("deck", DECK, DECKS),
    ("n_cards", "i2"),
)


class Sheet(Entry):
    """The contents of `box.toml`, checked by pydantic."""

    SOUND: ClassVar = SOUND

    game: Info
    options: dict[str, Any]
    rules: Parameters
    deck: list[DeckEntry]
    card: list[CardEntry]

    def names(self) -> Names:
        """The names of cards, decks, goods, spots, seats and steps, by kind of name; "good:one" and "unit:one" hold the singular."""
        return {
            "card": [card.name for card in self.card],
            "deck": DECK_NAMES,
            "good": GOOD_WORDS,
            "good:one": GOOD_ONE,
            "thing": [GOOD_ONE[good] for good in THINGS],
            "token": GOOD_WORDS[:TOKENS],
            "unit": GOOD_WORDS[TOKENS:],
            "unit:one": GOOD_ONE[TOKENS:],
            "made": GOOD_ONE[EXPLORER:],
            "weapon": WEAPON_NAMES,
            "spot": list_spot_names(),
            "where": [
                name.partition(" visiting")[0] + " on a visit" if " visiting" in name else name
                for name in list_spot_names()
            ],
            "slot": [str(i + 1) for i in range(SLOTS)],
            "hole": [str(i + 1) for i in range(HOLES)],
            "seat": [f"seat {i}" for i in range(SEATS)],
            "icon": [card.icon for card in self.card],
            "text": [card.text for card in self.card],
            "rule": [card.rule for card in self.card],
            "does": DOES_NAMES,
            "step": STEP_NAMES,
            "job": JOB_NAMES,
            "won_by": ["nobody", *WON_NAMES[1:]],
        }

    def pile(self, kind: str, i: int) -> str:
        """The deck that card number `i` is drawn from; "" where `kind` is not "card"."""
        return self.card[i].deck if kind == "card" else ""

    def blanked(self, kind: str, i: int) -> Sheet | None:
        """A copy of the sheet in which one copy of card number `i` does nothing, for experiments; None where `kind` is not "card".

        The blank copy is a new design, the last of the sheet. For a card that does nothing the sheet itself comes back. BoxError if the box
        has no copy of the card, or no room for a new design.
        """
        if kind != "card":
            return None
        card = self.card[i]
        blank = build_blank_card(card)
        if blank == card.model_copy(update={"name": blank.name, "copies": 1, "rule": "", "icon": "", "text": ""}):
            return self  # the card does nothing as it is
        if not card.copies:
            raise BoxError(f"{card.name}: no copy is in the box")
        if len(self.card) >= CARDS:
            raise BoxError(f"{card.name}: {CARDS} designs are in the box, so there is no room for a blank")
        fewer = card.model_copy(update={"copies": card.copies - 1})
        return self.model_copy(update={"card": [*self.card[:i], fewer, *self.card[i + 1 :], blank]})


def build_blank_card(card: CardEntry) -> CardEntry:
    """A card of the same deck that does nothing; of the same type if that can do nothing, else a Once card."""
    type_, does = {
        "resource": ("resource", "give"),
        "table": ("table", "produce"),
        "trap": ("trap", "monk"),
    }.get(card.type, ("once", "management"))
    return CardEntry.model_validate(
        {"name": f"{card.name} (blank)", "deck": card.deck, "type": type_, "does": does, "copies": 1, "rule": ""}
    )


def list_spot_names() -> list[str]:
    """The name of each spot of a seat, as actions and kept games write it."""
    names = [
        "Farmer in the field",
        "Farmer guarding Farmland",
        "Explorer at home",
        "Soldier in reserve",
        "Soldier guarding Farmland",
        "Disciple at home",
        "Cannon",
        *(f"Disciple visiting seat {seat}" for seat in range(SEATS)),
        "Soldier returning",
        *(f"Explorer at {deck}" for deck in DECK_NAMES),
    ]
    names += [f"Soldier guarding card {i + 1}" for i in range(SLOTS)]
    names += [f"Farmer guarding card {i + 1}" for i in range(SLOTS)]
    names += [f"worker on card {i + 1}" for i in range(SLOTS)]
    return names + [f"Soldier guarding trap {i + 1}" for i in range(HOLES)]
