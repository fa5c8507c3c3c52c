"""Packing of Medieval Manor: the box and the chosen options as one record (options given as text: `option_parsing`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sutler.core.bits import WORD, add, remove
from sutler.core.files.box import BoxError, Option
from sutler.core.files.entry_records import write_entry
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
    TOKEN_NAMES,
    UPGRADE,
    VICTORY,
    CardEntry,
    On,
    Sheet,
)
from sutler.games.manor.option_parsing import is_edge_place, parse_handicap, parse_map, parse_without


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The packed box record made of a sheet and the chosen options ({name: value}); BoxError where sheet or options are not possible."""
    box = BOX.new()
    if len(sheet.card) > CARDS or len(sheet.land) > LANDS:
        raise BoxError(f"box: at most {CARDS} cards and {LANDS} lands fit")
    if int(options["start_peasants"]) < 1:
        raise BoxError(f"option start_peasants: {options['start_peasants']} is less than 1")
    OPTIONS.write_options(box.options, options)
    write_entry(box.rules, sheet.rules)
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
        write_entry(box.land[i], land)
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
    write_entry(box.card[card_number], card)
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
