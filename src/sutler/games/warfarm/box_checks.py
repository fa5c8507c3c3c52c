"""Checks of a WARFARM box beyond its form, one row each: what the rulebook and the guide take for granted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sutler.core.files.constraints import Constraint, cards_without_picture, format_entry_place


def _find_units_without_cost(sheet: Any, box: Any) -> Iterator[str]:
    recipes = sheet.rules.recipes
    return (
        f"field rules.recipes.{name}" for name in type(recipes).model_fields if not any(getattr(recipes, name).row())
    )


def _find_wins_asking_nothing(sheet: Any, box: Any) -> Iterator[str]:
    rules = sheet.rules
    return (f"field rules.{name}" for name in ("farm_win", "growth_win") if not any(getattr(rules, name).row()))


def _find_no_miracle_asked(sheet: Any, box: Any) -> Iterator[str]:
    if sheet.rules.miracles_win < 1:
        yield "field rules.miracles_win"


def _find_empty_decks(sheet: Any, box: Any) -> Iterator[str]:
    full = {card.deck for card in sheet.card if card.copies}
    return (format_entry_place("deck", deck.name) for deck in sheet.deck if deck.name not in full)


def _find_draws_from_empty_decks(sheet: Any, box: Any) -> Iterator[str]:
    full = {card.deck for card in sheet.card if card.copies}
    for card in sheet.card:
        if any(n and deck not in full for deck, n in card.draws.items()):
            yield format_entry_place("card", card.name, "draws")


def _find_more_units_than_land(sheet: Any, box: Any) -> Iterator[str]:
    begun = sheet.rules.start
    if begun.farmer + begun.explorer + begun.soldier + begun.disciple + begun.cannon > begun.farmland:
        yield "field rules.start"


def _find_wins_at_the_start(sheet: Any, box: Any) -> Iterator[str]:
    begun = sheet.rules.start.row()
    for name in ("farm_win", "growth_win"):
        asked = getattr(sheet.rules, name).row()
        if any(asked) and all(has >= n for has, n in zip(begun, asked, strict=True)):
            yield f"field rules.{name}"


def _find_idle_workers(sheet: Any, box: Any) -> Iterator[str]:
    return (
        format_entry_place("card", card.name, "workers")
        for card in sheet.card
        if card.type != "table" and any(card.workers.row())
    )


def _find_cannons_without_shots(sheet: Any, box: Any) -> Iterator[str]:
    if sheet.rules.cannon_shots < 1:
        yield "field rules.cannon_shots"


def _find_empty_offers(sheet: Any, box: Any) -> Iterator[str]:
    for card in sheet.card:
        if card.does in ("wild", "market") and all(price < 0 for price in card.prices.row()):
            yield format_entry_place("card", card.name, "prices")


def _find_closed_studies(sheet: Any, box: Any) -> Iterator[str]:
    return (
        format_entry_place("card", card.name, "fees")
        for card in sheet.card
        if card.does == "study" and not any(card.fees.values())
    )


def _find_idle_karma(sheet: Any, box: Any) -> Iterator[str]:
    return (
        format_entry_place("card", card.name)
        for card in sheet.card
        if card.does == "karma" and not card.count and not card.land
    )


SOUND = (
    Constraint(
        "a card's icon is one of those drawn for the game (4.1)",
        cards_without_picture(Path(__file__).with_name("board")),
    ),
    Constraint("nobody begins with more units than Farmland (9.1)", _find_more_units_than_land),
    Constraint("what the farms begin with is no win yet (14.1)", _find_wins_at_the_start),
    Constraint("workers stand on Table cards only (6.3)", _find_idle_workers),
    Constraint("a Cannon that is manned shoots (7.3)", _find_cannons_without_shots),
    Constraint("something can be chosen (4.2)", _find_empty_offers),
    Constraint("a card to draw with names a deck and its fee (4.8)", _find_closed_studies),
    Constraint("Karma strikes something (12.10)", _find_idle_karma),
    Constraint("a unit costs something, or it could be built for ever (5.1)", _find_units_without_cost),
    Constraint("a win asks for something, or somebody has won at the start (14.1)", _find_wins_asking_nothing),
    Constraint("a win by Miracles takes one at least (14.4)", _find_no_miracle_asked),
    Constraint("a deck has a card (4.1)", _find_empty_decks),
    Constraint("what is drawn comes from a deck that has cards (4.8)", _find_draws_from_empty_decks),
)
