"""Checks of the sense of a box of WARFARM beyond its form, a row each: what rulebook and guide take for granted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.files.sound import Constraint, at


def _free_units(sheet: Any, box: Any) -> Iterator[str]:
    recipes = sheet.rules.recipes
    return (
        f"field rules.recipes.{name}" for name in type(recipes).model_fields if not any(getattr(recipes, name).row())
    )


def _won_at_once(sheet: Any, box: Any) -> Iterator[str]:
    rules = sheet.rules
    return (f"field rules.{name}" for name in ("farm_win", "growth_win") if not any(getattr(rules, name).row()))


def _no_miracle(sheet: Any, box: Any) -> Iterator[str]:
    if sheet.rules.miracles_win < 1:
        yield "field rules.miracles_win"


def _empty_decks(sheet: Any, box: Any) -> Iterator[str]:
    full = {card.deck for card in sheet.card if card.copies}
    return (at("deck", deck.name) for deck in sheet.deck if deck.name not in full)


def _strange_drawn(sheet: Any, box: Any) -> Iterator[str]:
    full = {card.deck for card in sheet.card if card.copies}
    for card in sheet.card:
        if any(n and deck not in full for deck, n in card.draws.items()):
            yield at("card", card.name, "draws")


SOUND = (
    Constraint("a unit costs something, or it could be built for ever (5.1)", _free_units),
    Constraint("a win asks for something, or somebody has won at the start (14.1)", _won_at_once),
    Constraint("a win by Miracles takes one at least (14.4)", _no_miracle),
    Constraint("a deck has a card (4.1)", _empty_decks),
    Constraint("what is drawn comes from a deck that has cards (4.8)", _strange_drawn),
)
