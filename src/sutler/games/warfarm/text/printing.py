"""WARFARM on paper: cards, places for the decks, farms, tokens and units, as pieces to print (`core.play.pieces`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.play.pieces import CARD, Kind, Piece, Sheets
from sutler.games.warfarm.box import DECKS, GOOD_NAMES, SEATS
from sutler.games.warfarm.view import amount_in_words, printed_cards, printed_deck

if TYPE_CHECKING:
    from sutler.core.play.game import Game

FARM_SIZE = (190.0, 135.0)
CHIP_SIZE = (14.0, 14.0)
TOKEN_COUNTS = {
    "farmland": ((1, 42),),
    "water": ((1, 42), (5, 14)),
    "steel": ((1, 28),),
    "religion": ((1, 42),),
    "fire": ((1, 14),),
}
UNIT_COUNTS = {"farmer": 16, "explorer": 8, "soldier": 10, "disciple": 12, "cannon": 4}
"""The units to print for each seat. The rules have no limit (1.2): the counts are this project's choice."""
HERALDIC_COLOURS = ("Azure", "Gules", "Or")
PRINT_MORE_NOTE = "There are always enough (1.2): print more if you need."


def sheets(game: Game) -> Sheets:
    """All pieces to print; the backs name the deck where Traps are not secret (15.9)."""
    box, names = game.box, game.names
    decks = [printed_deck(box, deck) for deck in range(DECKS)]
    told = None if box.options.hidden_traps else {deck["name"]: deck for deck in decks}
    cards = tuple(
        Piece(name, one["copies"], one, told and told[one["deck"]]) for name, one in printed_cards(box, names).items()
    )
    places = tuple(Piece(deck["name"], 1, deck) for deck in decks)
    tokens = tuple(
        Piece(good if n == 1 else f"{n} {good}", count, {"good": good, "n": n})
        for good, kinds in TOKEN_COUNTS.items()
        for n, count in kinds
    )
    units = tuple(
        Piece(f"{unit} of {HERALDIC_COLOURS[seat]}", count, {"good": unit, "seat": seat})
        for seat in range(SEATS)
        for unit, count in UNIT_COUNTS.items()
    )
    farms = tuple(
        Piece(HERALDIC_COLOURS[seat], 1, {"seat": seat, "goals": _goals_in_words(game)}) for seat in range(SEATS)
    )
    kinds = (
        Kind(
            "card",
            "Cards",
            "card",
            CARD,
            cards,
            back="card_back",
            note="Sorted into ten decks by what stands at their foot.",
        ),
        Kind("deck", "Places of the decks", "place", CARD, places, note="Laid in the middle, each under its deck."),
        Kind("farm", "Farms", "farm", FARM_SIZE, farms, note="One for each seat."),
        Kind("unit", "Units", "unit", CHIP_SIZE, units, note=PRINT_MORE_NOTE),
        Kind("token", "Tokens", "token", CHIP_SIZE, tokens, note=PRINT_MORE_NOTE),
    )
    return Sheets({}, kinds)


def _goals_in_words(game: Game) -> list[str]:
    rules = game.sheet.rules
    farm, growth = (_goods_in_words(one.model_dump()) for one in (rules.farm_win, rules.growth_win))
    return [f"Farm: {farm}", f"Growth: {growth}", f"Miracles: {rules.miracles_win} different"]


def _goods_in_words(goods: dict[str, Any]) -> str:
    return " and ".join(amount_in_words(GOOD_NAMES.index(good), int(n)) for good, n in goods.items() if n)
