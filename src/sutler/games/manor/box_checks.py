"""Checks of a Medieval Manor box beyond its form, one row each: what the rulebook and the guide take for granted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sutler.core.files.constraints import Constraint, cards_without_picture, format_entry_place, list_repeated


def _find_cards_without_land(sheet: Any, box: Any) -> Iterator[str]:
    kinds = {land.kind for land in sheet.land}
    return (format_entry_place("card", card.name, "on") for card in sheet.card if card.on and not kinds & set(card.on))


def _find_cards_naming_a_kind_twice(sheet: Any, box: Any) -> Iterator[str]:
    return (format_entry_place("card", card.name, "on") for card in sheet.card if list_repeated(card.on))


def _find_surplus_castles(sheet: Any, box: Any) -> Iterator[str]:
    castles = [land for land in sheet.land if land.kind == "Castle"]
    return (format_entry_place("land", land.name, "kind") for land in castles if len(castles) > 1)


def _find_harmless_hardships(sheet: Any, box: Any) -> Iterator[str]:
    for card in sheet.card:
        harm = card.harm
        if harm is not None and not (any(harm.lose.row()) or harm.lose_all or harm.hand or harm.upgrade or harm.ban):
            yield format_entry_place("card", card.name, "harm")


def _find_empty_conversions(sheet: Any, box: Any) -> Iterator[str]:
    for card in sheet.card:
        if card.convert is not None and not any(card.convert.get.row()):
            yield format_entry_place("card", card.name, "convert.get")


def _find_missing_playable_card(sheet: Any, box: Any) -> Iterator[str]:
    if not any(card.count and card.type != "hardship" for card in sheet.card):
        yield "[[card]]"


SOUND = (
    Constraint(
        "a card's icon is one of those drawn for the game (5.2)",
        cards_without_picture(Path(__file__).with_name("board")),
    ),
    Constraint("no land of the map is of a kind that the card names (5.2)", _find_cards_without_land),
    Constraint("a kind of land is named once (5.2)", _find_cards_naming_a_kind_twice),
    Constraint("there is one Castle, for there is one Lord of the Manor (5.7)", _find_surplus_castles),
    Constraint("a hardship takes or forbids something (3.3)", _find_harmless_hardships),
    Constraint("a conversion brings something (5.4)", _find_empty_conversions),
    Constraint("some card is no hardship, or nobody could ever play one (3.1)", _find_missing_playable_card),
)
