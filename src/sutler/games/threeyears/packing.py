"""Packing of Three Years of War: the box and the chosen options as one record."""

from __future__ import annotations

from typing import Any

import numpy as np

from sutler.core.bits import add
from sutler.core.files.box import BoxError, Option
from sutler.core.files.entry_records import without_amounts, write_entry
from sutler.games.threeyears.box import (
    BOX,
    CARDS,
    CLAIMS,
    DESPAIRS,
    EVENT_NAMES,
    INFLUENCE,
    KINDS,
    OPTIONS,
    SEASONS,
    SEATS,
    WRIT_KINDS,
    WRITS,
    Sheet,
    count_icons,
    kind_of_card,
)


def _require_unique_names(entries: list[Any], table: str) -> None:
    """Raise BoxError if two entries of the table `table` have one name."""
    seen: set[str] = set()
    for entry in entries:
        if entry.name.casefold() in seen:
            raise BoxError(f'[[{table}]] "{entry.name}": two entries have this name')
        seen.add(entry.name.casefold())


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The packed box record made of a sheet and the chosen options ({name: value}); BoxError where sheet or options are not possible."""
    box = BOX.new()
    OPTIONS.write_options(box.options, options)
    write_entry(box.rules, sheet.rules)
    if sheet.rules.track_start > sheet.rules.track_max:
        raise BoxError("[rules], field track_start: above track_max")
    for what in ("claim", "influence", "writ", "marketplace", "battle", "reaping", "bitter"):
        _require_unique_names(getattr(sheet, what), what)
    box.hopes, box.scouts = sheet.supply.hope, sheet.supply.scout
    _pack_claims(box, sheet)
    _pack_influence(box, sheet)
    _pack_tokens(box, sheet)
    _pack_interludes(box, sheet)
    return box


def _pack_claims(box: Any, sheet: Sheet) -> None:
    """Pack the claim cards and the markers' spaces into `box`; BoxError where there is no room for them."""
    if len(sheet.claim) > CLAIMS:
        raise BoxError(
            f"[[claim]]: {len(sheet.claim)} cards, and there is room for {CLAIMS}; take others out with remove = true"
        )
    box.n_claims = len(sheet.claim)
    for i, claim in enumerate(sheet.claim):
        if not any(claim.row()):
            raise BoxError(f'[[claim]] "{claim.name}": a claim card shows at least one icon')
        claim = without_amounts(claim) if sheet.is_blank("claim", i) else claim
        write_entry(box.claim[i], claim)
        box.claim[i].icons[:] = claim.row()
        add(box.season_claims[box.claim[i].season], i)
    if box.options.marker_spaces:
        for marker in sheet.marker:
            if marker.space > marker.seats:
                raise BoxError(f"[[marker]]: with {marker.seats} seats there is no space {marker.space}")
            space = box.space[marker.seats, marker.space]
            write_entry(space, marker)
            space.icons += np.array(count_icons(marker.gain), np.int16)


def _pack_influence(box: Any, sheet: Sheet) -> None:
    """Pack the influence cards and their kinds into `box`; BoxError where there are too few, or no room for them."""
    cards, kinds = sheet.cards(), sheet.kinds()
    if len(cards) > INFLUENCE or len(kinds) > KINDS:
        raise BoxError(f"[[influence]]: at most {INFLUENCE} cards of {KINDS} kinds fit")
    if len(cards) < SEATS * (sheet.rules.starting_hand + sheet.rules.tax_spring):
        raise BoxError(f"[[influence]]: {len(cards)} cards are too few to deal {SEATS} hands and the first taxes")
    box.n_influence, box.n_kinds = len(cards), len(kinds)
    for k, (season, pips, icons) in enumerate(kinds):
        kind = box.kind[k]
        kind.season, kind.pips, kind.is_stake = season, pips, any(icons)
    for season in range(SEASONS + 1):
        box.first_kind[season] = sum(kind[0] < season for kind in kinds)
    for i, entry in enumerate(cards):
        card = box.card[i]
        season, pips, icons = kind_of_card(entry)
        k = kinds.index(kind_of_card(entry))
        if sheet.is_blank("influence", i) or sheet.is_blank("kind", k):
            # the symbols stay printed, so the card is still a stake; they have no effect
            entry = without_amounts(entry)
        write_entry(card, entry)
        card.kind, card.is_stake, card.symbols[:] = k, any(icons), entry.stakes.row()
        add(box.kind[k].cards, i)
        add(box.deck, i)
        add(box.of_shape[season, pips - 1], i)
        if any(icons):
            add(box.symbols[season], i)


def _pack_tokens(box: Any, sheet: Sheet) -> None:
    """Pack the Despair tokens and the Writs into `box`; BoxError where there is no room for them."""
    values = [entry.value for entry in sheet.despair for _ in range(entry.count)]
    if len(values) > DESPAIRS:
        raise BoxError(f"[[despair]]: {len(values)} tokens; at most {DESPAIRS} fit")
    for i, value in enumerate(values):
        box.despair_value[i] = value
        add(box.despairs, i)
    box.mean_despair = sum(values) / max(1, len(values))
    kinds = [k for k, entry in enumerate(sheet.writ) for _ in range(entry.count)]
    if len(kinds) > WRITS or len(sheet.writ) > WRIT_KINDS:
        raise BoxError(f"[[writ]]: at most {WRITS} tokens of {WRIT_KINDS} kinds fit")
    box.n_writ_kinds = len(sheet.writ)
    for i, k in enumerate(kinds):
        box.writ_kind[i] = k
        add(box.writs, i)
    for k, entry in enumerate(sheet.writ):
        entry = without_amounts(entry) if sheet.is_blank("writ", k) else entry
        write_entry(box.writ[k], entry)
        box.writ[k].icons[:] = count_icons(entry.gain)


def _pack_interludes(box: Any, sheet: Sheet) -> None:
    """Pack the interlude cards into `box`; BoxError for too few or too many, or for a card that compares a thing with itself."""
    for event, cards in enumerate(sheet.events()):
        if not int(box.options.years) <= len(cards) <= CARDS:
            raise BoxError(f"{EVENT_NAMES[event]}: {len(cards)} cards; {int(box.options.years)} to {CARDS} are needed")
        box.n_cards[event] = len(cards)
    decks = (box.market, box.battle, box.reaping, box.bitter)
    for event, (rows, cards) in enumerate(zip(decks, sheet.events(), strict=True)):
        for i, card in enumerate(cards):
            write_entry(rows[i], without_amounts(card) if sheet.is_blank("interlude", CARDS * event + i) else card)
    for reap in sheet.reaping:
        if reap.compare == "food":
            raise BoxError(f'[[reaping]] "{reap.name}", field compare: food cannot be measured against itself')
        if any(offer.food >= reap.pay_food for offer in reap.offers):
            raise BoxError(f'[[reaping]] "{reap.name}", field offers: an exchange must cost food')
    for months in sheet.bitter:
        if months.compare == "holdings":
            raise BoxError(f'[[bitter]] "{months.name}", field compare: holdings cannot be measured against themselves')
