"""The box of Medieval Manor: `box.toml` checked and packed as one record; sizes, enums and the action table."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import Field

from sutler.core.actions import Names
from sutler.core.bits import WORD, add, remove, words
from sutler.core.box import BoxError, Entry, Info, Option
from sutler.core.entry import Amounts, lay, lay_options, record_of
from sutler.core.numbers import Numbers
from sutler.core.record import NOBODY, field, record, set_of

SEATS = 6
LANDS = 16
CARDS = 112
"""Room for cards; the printed deck has fewer, a designer may add some."""
COLUMNS = 4

# Tokens, in this order everywhere; the first four are goods, the first two of them food, the other two money.
CROPS, ANIMALS, GOLD, RESOURCES, VICTORY, PEASANTS = range(6)
GOODS, TOKENS = 4, 6
TOKEN_NAMES = ("crops", "animals", "gold", "resources", "victory", "peasants")
TOKEN_ONE = ("crop", "animal", "gold", "resource", "victory", "peasant")
CARD_TOKEN = 6  # in a conversion: a card given or drawn
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

PAIR = 2  # cards discarded together, for another card or for a good
MOST_AT_ONCE = 64  # the largest payment an action names
COST_RANGE = 16  # cost changes lie between -COST_RANGE and +COST_RANGE

STAGE_NAMES = ("draw", "trade", "work", "upgrade", "feeding", "end")
S = Numbers("stage", STAGE_NAMES)
"""The six phases of a turn (guide 1.2): what `state.stage` may be."""


SIZES = {"card": CARDS, "land": LANDS, "good": GOODS, "token": TOKENS, "seat": SEATS, "n": MOST_AT_ONCE}


Count = Annotated[int, Field(ge=0, le=99)]
Change = Annotated[int, Field(ge=-99, le=99)]


class Gains(Amounts):
    """Tokens won or lost."""

    crops: Count = 0
    animals: Count = 0
    gold: Count = 0
    resources: Count = 0
    victory: Count = 0
    peasants: Count = 0


class Parts(Gains):
    """One side of a conversion: tokens and cards."""

    cards: Count = 0


class Bonus(Amounts):
    """What a land adds, or takes."""

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


class CardEntry(Entry):
    name: str
    type: Type
    on: list[Kind] = []
    gain: Gains = Gains()
    helps: list[Literal["crops", "animals"]] = []
    marks: list[str] = []
    draw_next: Count = 0
    draw_now: Count = 0
    steal: Steal | None = None
    lose: Gains = Gains()
    convert: Convert | None = None
    cost_change: Annotated[int, Field(ge=-COST_RANGE, le=COST_RANGE)] = 0
    discount: Count = 0
    hand_size: Annotated[int, Field(ge=0, le=20)] = 0
    end: End = End()
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
    """Numbers of the rules that are no option at the table but may be edited."""

    upgrade_cost: Count = 3
    buy_price: Annotated[int, Field(ge=1, le=99)] = 3
    buy_draw: Annotated[int, Field(ge=1, le=99)] = 3
    hunger_victory: Count = 2
    grow_price: Count = 5
    most_conversions: Annotated[int, Field(ge=0, le=1000)] = 60
    big_map_seats: Annotated[int, Field(ge=2, le=SEATS + 1)] = 4
    dice_trouble: Annotated[int, Field(ge=2, le=12)] = 11
    free_slips: Count = 3


CARD = record_of(CardEntry, ("lands", "u8"))  # the lands it may lie on
LAND = record_of(LandEntry)
RULES = record_of(Parameters)

OPTIONS = record(
    "Options",
    ("victory", "i2"),
    ("hardships", "i1"),
    ("hardship_deck", "i1"),
    ("no_map", "i1"),
    ("common_hand", "i1"),
    ("hand_limit", "i1"),
    ("start_peasants", "i2"),
    ("start_crops", "i2"),
    ("start_animals", "i2"),
    ("start_gold", "i2"),
    ("start_resources", "i2"),
    ("start_cards", "i1"),
    ("offers", "i1"),
    ("buys", "i1"),
    ("swaps", "i1"),
    ("first_lord", "i1"),
    ("start_victory", "i2"),
    ("start_upgrades", "i1"),
)

BOX = record(
    "Box",
    field("options", OPTIONS),
    field("rules", RULES),
    field("card", CARD, CARDS),
    field("land", LAND, LANDS),
    ("n_lands", "i1"),
    ("layout", "i1", LANDS, "land"),  # a fixed map, land by land in reading order; NOBODY: laid at random
    set_of("card", "deck", CARDS),
    field("start_tokens", "i2", TOKENS),
    field("extra_tokens", "i2", (SEATS, TOKENS)),  # a handicap, seat by seat (9.21)
    field("extra_cards", "i2", SEATS),
    field("extra_upgrades", "i2", SEATS),
    set_of("card", "bounties", CARDS),
    set_of("card", "upgrades", CARDS),
    set_of("card", "hardships", CARDS),
    set_of("card", "converters", CARDS),
    set_of("card", "discounters", CARDS),
    ("kind_lands", "u8", KINDS),  # the lands of each kind, as bits
    field("fits", "u8", (ALL_KINDS, words(CARDS))),  # for every set of kinds with a free land: the cards that fit one
    field("up_to", "u8", (2 * COST_RANGE + 1, words(CARDS))),  # upgrades whose cost change is at most i - COST_RANGE
)


class Sheet(Entry):
    """`box.toml`, checked."""

    game: Info
    options: dict[str, Any]
    rules: Parameters = Parameters()
    land: list[LandEntry]
    card: list[CardEntry]

    def names(self) -> Names:
        """What cards, lands, goods and seats are called."""
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
        """The same box in which card `i` does nothing, for experiments; None for things that are no cards."""
        if kind != "card":
            return None
        card = self.card[i]
        harm = card.harm and Harm(who=card.harm.who)
        blank = CardEntry(name=card.name, type=card.type, on=card.on, harm=harm, count=card.count)
        return self.model_copy(update={"card": [*self.card[:i], blank, *self.card[i + 1 :]]})

    def unfit(self, box: Any, seats: int) -> str:
        """Why these options do not suit so many seats, or nothing."""
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


ONLY_ON = {
    **dict.fromkeys(("helps", "draw_next", "draw_now", "steal", "lose"), ("bounty",)),
    **dict.fromkeys(("cost_change", "discount", "hand_size", "end"), ("upgrade",)),
    **dict.fromkeys(("on", "gain", "convert"), ("bounty", "upgrade")),
}
"""Fields that the rules ask of cards of some types alone: on others better refused than silently without effect."""


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The sheet and the chosen options as one box record; BoxError when they contradict each other."""
    box = BOX.new()
    if len(sheet.card) > CARDS or len(sheet.land) > LANDS:
        raise BoxError(f"box: at most {CARDS} cards and {LANDS} lands fit")
    if int(options["start_peasants"]) < 1:
        raise BoxError(f"option start_peasants: {options['start_peasants']} is less than 1")
    lay_options(box.options, options)
    lay(box.rules, sheet.rules)
    _pack_lands(box, sheet)
    for i, card in enumerate(sheet.card):
        _pack_card(box, i, card)
    for i in hardships_named(sheet, str(options["without"])):
        remove(box.hardships, i)
    box.start_tokens[:] = [options[f"start_{token}"] for token in TOKEN_NAMES]
    for seat, what, n in handicaps(str(options["handicap"])):
        if what == "cards":
            box.extra_cards[seat] = n
        elif what == "upgrades":
            box.extra_upgrades[seat] = n
        else:
            box.extra_tokens[seat, TOKEN_NAMES.index(what)] = n
    _pack_tables(box, len(sheet.card))
    box.layout[:] = layout_from(sheet, str(options["map"]))
    return box


def _pack_lands(box: Any, sheet: Sheet) -> None:
    basic = sum(not land.extra for land in sheet.land)
    for n, what in ((basic, "basic lands"), (len(sheet.land), "lands")):
        if n == 0 or n % COLUMNS:
            raise BoxError(f"[[land]]: {n} {what} do not fill rows of {COLUMNS} (2.1)")
        edges = sum(on_edge(place, n) for place in range(n))
        if sum(land.edge and (what == "lands" or not land.extra) for land in sheet.land) > edges:
            raise BoxError(f"[[land]], field edge: more lands want an edge than a map of {n} has (2.2)")
    box.n_lands = len(sheet.land)
    for i, land in enumerate(sheet.land):
        lay(box.land[i], land)
        box.kind_lands[KIND_NAMES.index(land.kind)] |= np.uint64(1 << i)


def _pack_card(box: Any, i: int, card: CardEntry) -> None:
    where = f'[[card]] "{card.name}"'
    if (card.type == "hardship") != (card.harm is not None):
        raise BoxError(f"{where}: a hardship has a harm, and nothing else has one")
    if card.type != "hardship" and not card.on:
        raise BoxError(f"{where}, field on: name at least one kind of land")
    for name in sorted(card.model_fields_set):
        if card.type not in ONLY_ON.get(name, TYPE_NAMES):
            raise BoxError(f"{where}, field {name}: means nothing on a card of type {card.type}")
    if card.convert is not None and not any(card.convert.give.row()):
        raise BoxError(f"{where}, field convert.give: a conversion must cost something")
    lay(box.card[i], card)
    for kind in card.on:
        box.card[i].lands |= box.kind_lands[KIND_NAMES.index(kind)]
    if card.count:
        add(box.hardships if card.type == "hardship" else box.deck, i)


def _pack_tables(box: Any, n_cards: int) -> None:
    for i in range(n_cards):
        card = box.card[i]
        if card.type == BOUNTY:
            add(box.bounties, i)
        if card.type == UPGRADE:
            add(box.upgrades, i)
            for k in range(2 * COST_RANGE + 1):
                if card.cost_change <= k - COST_RANGE:
                    add(box.up_to[k], i)
            if card.convert.there:
                add(box.converters, i)
            if card.discount:
                add(box.discounters, i)
        wanted = (np.arange(ALL_KINDS) & int(card.on)) != 0
        box.fits[wanted, i // WORD] |= np.uint64(1 << i % WORD)


def layout_from(sheet: Sheet, wanted: str) -> list[int]:
    """The option `map` as lands in reading order; BoxError when a map breaks 2.1 or 2.2."""
    if wanted.strip().casefold() == "random":
        return [NOBODY] * LANDS
    by_name = {land.name.casefold(): i for i, land in enumerate(sheet.land)}
    if wanted.strip().casefold() == "printed":
        order = [i for i, land in enumerate(sheet.land) if not land.extra]
        order += [i for i, land in enumerate(sheet.land) if land.extra]
    else:
        order = []
        for name in wanted.split(","):
            if name.strip().casefold() not in by_name:
                raise BoxError(f"option map: there is no land {name.strip()!r}")
            order.append(by_name[name.strip().casefold()])
    basic = sum(not land.extra for land in sheet.land)
    if len(set(order)) != len(order) or len(order) not in (basic, len(sheet.land)):
        raise BoxError(f"option map: name each of the {basic} basic lands once, or all {len(sheet.land)} lands (2.1)")
    if len(order) == basic and any(sheet.land[i].extra for i in order):
        raise BoxError("option map: a map of basic lands only has none of the extra ones (2.1)")
    for n_spaces in {basic, len(order)}:
        for place, land in enumerate(order[:n_spaces]):
            if sheet.land[land].edge and not on_edge(place, n_spaces):
                raise BoxError(f"option map: {sheet.land[land].name} must lie on an edge of the map (2.2)")
    return order + [NOBODY] * (LANDS - len(order))


def hardships_named(sheet: Sheet, names: str) -> list[int]:
    """The option `without`: hardships by name, with commas between; BoxError for anything else (9.18)."""
    known = {card.name.casefold(): i for i, card in enumerate(sheet.card) if card.type == "hardship" and card.count}
    wanted = [" ".join(name.split()) for name in names.split(",") if name.strip()]
    for name in wanted:
        if name.casefold() not in known:
            raise BoxError(f"option without: there is no hardship {name!r}; there are {', '.join(known)} (9.18)")
    return [known[name.casefold()] for name in wanted]


HANDICAP = 20  # the most of anything that a seat may have more or less
WHAT = dict(zip(TOKEN_ONE, TOKEN_NAMES, strict=True)) | {"card": "cards", "upgrade": "upgrades"}


def handicaps(text: str) -> list[tuple[int, str, int]]:
    """The option `handicap`, "seat 2: 3 gold, 1 upgrade; seat 3: -2 crops", as (seat, what, how many); BoxError (9.21)."""
    found = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        match = re.fullmatch(r"seat ([1-9]) *: *(.+)", part, re.IGNORECASE)
        if match is None or int(match[1]) > SEATS:
            raise BoxError(f"option handicap: {part!r} does not read like 'seat 2: 3 gold, 1 upgrade' (9.21)")
        for one in match[2].split(","):
            amount = re.fullmatch(r" *([+-]?\d{1,2}) +(\w+) *", one)
            what = WHAT.get(amount[2].casefold(), amount[2].casefold()) if amount else ""
            if amount is None or what not in WHAT.values():
                raise BoxError(f"option handicap: {one.strip()!r} is no number of {', '.join(WHAT.values())} (9.21)")
            n = int(amount[1])
            if abs(n) > HANDICAP or (what == "upgrades" and n < 0):
                raise BoxError(
                    f"option handicap: {one.strip()!r} is outside -{HANDICAP} to {HANDICAP}, or less than none (9.21)"
                )
            found.append((int(match[1]) - 1, what, n))
    return found


def on_edge(place: int, n_spaces: int) -> bool:
    """Does this place of the grid (in reading order) lie on its edge?"""
    row, column = divmod(place, COLUMNS)
    return row in (0, n_spaces // COLUMNS - 1) or column in (0, COLUMNS - 1)
