"""Packing of WARFARM: the box and the chosen options as one record."""

from __future__ import annotations

from typing import Any

from sutler.core.files.box import BoxError, Option
from sutler.core.files.entry_records import write_entry
from sutler.games.warfarm.box import (
    BOX,
    CANNON,
    CARDS,
    DECK_CARDS,
    DECK_NAMES,
    DISCIPLE,
    DOES_BY_TYPE,
    EXPLORER,
    FARMER,
    FARMLAND,
    GOOD_NAMES,
    GOODS,
    HOLES,
    NOT_FOR_SALE,
    OPTIONS,
    SLOTS,
    SOLDIER,
    TOKENS,
    CardEntry,
    Parameters,
    Sheet,
)


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The packed box record made of a sheet and the chosen options ({name: value}); BoxError where sheet or options are not possible."""
    box = BOX.new()
    if len(sheet.card) > CARDS:
        raise BoxError(f"box: at most {CARDS} designs of cards fit, {len(sheet.card)} are given")
    if [deck.name for deck in sheet.deck] != list(DECK_NAMES):
        raise BoxError(f"box: the decks are {', '.join(DECK_NAMES)}, in this order")
    OPTIONS.write_options(box.options, options)
    _pack_rules(box, sheet.rules)
    for i, deck in enumerate(sheet.deck):
        write_entry(box.deck[i], deck)
    box.n_cards = len(sheet.card)
    for i, card in enumerate(sheet.card):
        _pack_card(box, i, card)
        if not box.options.fire_declined:
            box.card[i].optional = 0
    for type_name, room in (("table", SLOTS), ("trap", HOLES)):
        if (n := sum(card.copies for card in sheet.card if card.type == type_name)) > room:
            raise BoxError(f"box: {n} {type_name} cards are too many, {room} fit on the table")
    return box


def _pack_rules(box: Any, rules: Parameters) -> None:
    """Pack the numbers of the rules into `box`; BoxError for numbers with which no game could be played."""
    write_entry(box.rules, rules)
    for unit in range(EXPLORER, GOODS):
        wanted = getattr(rules.recipes, GOOD_NAMES[unit]).row()
        if any(wanted[TOKENS:]):
            raise BoxError(f"field rules.recipes.{GOOD_NAMES[unit]}: units are built from tokens (and one Farmer)")
        box.rules.recipe[unit - TOKENS] = wanted[:TOKENS]
    if box.rules.start[FARMLAND] < 1:
        raise BoxError("field rules.start.farmland: nobody begins without Farmland (14.5)")
    for unit in (EXPLORER, SOLDIER, DISCIPLE, CANNON):
        if box.rules.start[unit]:
            raise BoxError(
                f"field rules.start.{GOOD_NAMES[unit]}: only Farmers and tokens are there at the start (2.1)"
            )


def _lowest_price(card: CardEntry) -> int:
    """The lowest price of anything that the card sells; 0 if it sells nothing."""
    return min((price for price in card.prices.row() if price != NOT_FOR_SALE), default=0)


def _pack_card(box: Any, card_number: int, card: CardEntry) -> None:
    """Pack card number `card_number`, in place, and add it to its deck; BoxError for fields that do not go together."""
    where = f'[[card]] "{card.name}"'
    if card.does not in DOES_BY_TYPE[card.type]:
        raise BoxError(f"{where}, field does: a {card.type} card does one of {', '.join(DOES_BY_TYPE[card.type])}")
    packed = box.card[card_number]
    write_entry(packed, card)
    if card.type != "resource" and any(card.gain.row()[EXPLORER:]):
        raise BoxError(f"{where}, field gain: cards bring tokens and Farmers")
    if card.does in ("market", "study") and not card.coin:
        raise BoxError(f"{where}, field coin: say what is paid with")
    if (card.coin == "soldier") and card.does != "study":
        raise BoxError(f"{where}, field coin: only draws are paid with Soldiers")
    if card.does == "market" and _lowest_price(card) < 1:
        raise BoxError(f"{where}, field prices: what costs nothing could be taken for ever")
    workers = [(good, n) for good, n in enumerate(card.workers.row()) if n]
    if workers:
        if len(workers) > 1 or workers[0][0] not in (FARMER, DISCIPLE):
            raise BoxError(f"{where}, field workers: some Farmers or some Disciples")
        packed.worker, packed.n_workers = workers[0]
    deck_record = box.deck[packed.deck]
    if deck_record.n_designs == DECK_CARDS:
        raise BoxError(f"{where}: a deck holds at most {DECK_CARDS} designs")
    deck_record.designs[deck_record.n_designs] = card_number
    deck_record.n_designs += 1
    if card.type == "trap" and card.copies:
        deck_record.traps |= 1 << int(packed.does)
