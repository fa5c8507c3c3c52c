"""Packing of Medieval Manor: the box and the chosen options as one record, and the parsing of options that are given as text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from sutler.core.bits import WORD, add, remove
from sutler.core.files.box import BoxError, Option
from sutler.core.files.entry import lay
from sutler.core.record import NOBODY
from sutler.games.manor.bot.evaluate import one_time_worth, worth_per_turn
from sutler.games.manor.box import (
    ALL_KINDS,
    BOUNTY,
    BOX,
    CARDS,
    COLUMNS,
    COST_RANGE,
    KIND_NAMES,
    LANDS,
    OPTIONS,
    SEATS,
    TOKEN_NAMES,
    TOKEN_ONE,
    UPGRADE,
    VICTORY,
    CardEntry,
    On,
    Sheet,
)


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The packed box record of a sheet and the chosen options, by name; BoxError where they contradict each other."""
    box = BOX.new()
    if len(sheet.card) > CARDS or len(sheet.land) > LANDS:
        raise BoxError(f"box: at most {CARDS} cards and {LANDS} lands fit")
    if int(options["start_peasants"]) < 1:
        raise BoxError(f"option start_peasants: {options['start_peasants']} is less than 1")
    OPTIONS.lay(box.options, options)
    lay(box.rules, sheet.rules)
    _pack_lands(box, sheet)
    for i, card in enumerate(sheet.card):
        _pack_card(box, i, card)
    for i in parse_without(sheet, str(options["without"])):
        remove(box.hardships, i)
    box.start_tokens[:] = [options[f"start_{token}"] for token in TOKEN_NAMES]
    for seat, what, n in parse_handicap(str(options["handicap"])):
        if what == "cards":
            box.extra_cards[seat] = n
        elif what == "upgrades":
            box.extra_upgrades[seat] = n
        else:
            box.extra_tokens[seat, TOKEN_NAMES.index(what)] = n
    _pack_card_sets(box, len(sheet.card))
    box.layout[:] = parse_map(sheet, str(options["map"]))
    return box


def _pack_lands(box: Any, sheet: Sheet) -> None:
    """Pack the lands of the sheet; BoxError if they do not fill rows, or too many want an edge."""
    basic = sum(not land.extra for land in sheet.land)
    for n, what in ((basic, "basic lands"), (len(sheet.land), "lands")):
        if n == 0 or n % COLUMNS:
            raise BoxError(f"[[land]]: {n} {what} do not fill rows of {COLUMNS} (2.1)")
        edges = sum(is_edge_place(place, n) for place in range(n))
        if sum(land.edge and (what == "lands" or not land.extra) for land in sheet.land) > edges:
            raise BoxError(f"[[land]], field edge: more lands want an edge than a map of {n} has (2.2)")
    box.n_lands = len(sheet.land)
    for i, land in enumerate(sheet.land):
        lay(box.land[i], land)
        box.kind_lands[KIND_NAMES.index(land.kind)] |= np.uint64(1 << i)


def _pack_card(box: Any, card_number: int, card: CardEntry) -> None:
    """Pack card number `card_number`; BoxError for fields that do not go together."""
    where = f'[[card]] "{card.name}"'
    if (card.type == "hardship") != (card.harm is not None):
        raise BoxError(f"{where}: a hardship has a harm, and nothing else has one")
    if card.type != "hardship" and not card.on:
        raise BoxError(f"{where}, field on: name at least one kind of land")
    for name in sorted(card.model_fields_set):
        if any(isinstance(one, On) and card.type not in one.types for one in CardEntry.model_fields[name].metadata):
            raise BoxError(f"{where}, field {name}: means nothing on a card of type {card.type}")
    if card.convert is not None and not any(card.convert.give.row()):
        raise BoxError(f"{where}, field convert.give: a conversion must cost something")
    lay(box.card[card_number], card)
    for kind in card.on:
        box.card[card_number].lands |= box.kind_lands[KIND_NAMES.index(kind)]
    if card.count:
        add(box.hardships if card.type == "hardship" else box.deck, card_number)


def _pack_card_sets(box: Any, n_cards: int) -> None:
    """Fill the sets of cards by type and effect, and the cards' worth to bots."""
    for i in range(n_cards):
        card = box.card[i]
        if card.type == BOUNTY:
            add(box.bounties, i)
        if card.type == UPGRADE:
            add(box.upgrades, i)
            for k in range(2 * COST_RANGE + 1):
                if card.cost_change <= k - COST_RANGE:
                    add(box.up_to[k], i)
            if card.convert.there and card.convert.get[VICTORY] > 0:
                add(box.mills, i)
            if card.discount:
                add(box.discounters, i)
            card.worth_turn = worth_per_turn(box, i)
        card.worth = one_time_worth(box, i)
        wanted = (np.arange(ALL_KINDS) & int(card.on)) != 0
        box.fits[wanted, i // WORD] |= np.uint64(1 << i % WORD)


def parse_map(sheet: Sheet, wanted: str) -> list[int]:
    """Parse the option `map`: the numbers of the lands in reading order, padded with NOBODY; BoxError where the map breaks 2.1 or 2.2."""
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
            if sheet.land[land].edge and not is_edge_place(place, n_spaces):
                raise BoxError(f"option map: {sheet.land[land].name} must lie on an edge of the map (2.2)")
    return order + [NOBODY] * (LANDS - len(order))


def parse_without(sheet: Sheet, names: str) -> list[int]:
    """Parse the option `without`, names of hardships between commas: the numbers of their cards (9.18); BoxError for any other name."""
    known = {card.name.casefold(): i for i, card in enumerate(sheet.card) if card.type == "hardship" and card.count}
    wanted = [" ".join(name.split()) for name in names.split(",") if name.strip()]
    for name in wanted:
        if name.casefold() not in known:
            raise BoxError(f"option without: there is no hardship {name!r}; there are {', '.join(known)} (9.18)")
    return [known[name.casefold()] for name in wanted]


MAX_HANDICAP = 20  # the largest difference that a handicap may give a seat, up or down
HANDICAP_THINGS = dict(zip(TOKEN_ONE, TOKEN_NAMES, strict=True)) | {"card": "cards", "upgrade": "upgrades"}


def parse_handicap(text: str) -> list[tuple[int, str, int]]:
    """Parse the option `handicap` into (seat, thing, difference) (9.21); BoxError if it cannot be read.

    The text reads "seat 2: 3 gold, 1 upgrade; seat 3: -2 crops". In the result seats count from 0; things are tokens, "cards", "upgrades".
    """
    found = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        match = re.fullmatch(r"seat ([1-9]) *: *(.+)", part, re.IGNORECASE)
        if match is None or int(match[1]) > SEATS:
            raise BoxError(f"option handicap: {part!r} does not read like 'seat 2: 3 gold, 1 upgrade' (9.21)")
        for one in match[2].split(","):
            amount = re.fullmatch(r" *([+-]?\d{1,2}) +(\w+) *", one)
            what = HANDICAP_THINGS.get(amount[2].casefold(), amount[2].casefold()) if amount else ""
            if amount is None or what not in HANDICAP_THINGS.values():
                raise BoxError(
                    f"option handicap: {one.strip()!r} is no number of {', '.join(HANDICAP_THINGS.values())} (9.21)"
                )
            n = int(amount[1])
            if abs(n) > MAX_HANDICAP or (what == "upgrades" and n < 0):
                raise BoxError(
                    f"option handicap: {one.strip()!r} is outside -{MAX_HANDICAP} to {MAX_HANDICAP}, or less than none (9.21)"
                )
            found.append((int(match[1]) - 1, what, n))
    return found


def is_edge_place(place: int, n_spaces: int) -> bool:
    """Does place number `place` (in reading order) of a map with `n_spaces` places lie on the edge of the map?"""
    row, column = divmod(place, COLUMNS)
    return row in (0, n_spaces // COLUMNS - 1) or column in (0, COLUMNS - 1)
