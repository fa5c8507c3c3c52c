"""Tables of card games whose file was saved since they began: such a table goes on unchanged, and a new one uses the saved version."""

from __future__ import annotations

from pathlib import Path

from sutler.web.errors import RequestError
from sutler.web.events import Created
from sutler.web.table.room import Room

CARD_FILE = "cards.toml"
"""The designer's file in a card game's folder (`sutler.cardkit.game_source`)."""


def is_card_game(folder: Path) -> bool:
    """Was the game in this folder made from a card game's file?"""
    return (folder / CARD_FILE).exists()


def was_saved_since_start(room: Room) -> bool:
    """Has the file of this table's game been saved, with other rules or cards, since the table began?"""
    made, shelf = room.created, room.services.shelf
    if not is_card_game(room.game.definition.home.folder):
        return False
    try:
        today = shelf.load_game(made.game, made.options, made.edit, made.settings)
    except RequestError:  # an option that the table uses was removed
        return True
    return (made.rules, made.box) != (today.definition.home.rules_fingerprint, today.box_fingerprint)


def use_saved_file(created: Created) -> Created:
    """The plan of a table that uses the saved file as it is now, instead of the box that the earlier table began with."""
    return created.model_copy(update={"box": "", "box_hash": "", "rules": ""})
