"""Decks for Tabletop Simulator: a saved object, which is put into its folder "Saved Objects".

A deck is an object "DeckCustom" that names its cards by numbers: a hundred times the number of the picture they lie in, plus their
place in it, counted row by row from 0. A single card is an object "CardCustom".
Source: its knowledge base, "Save File Format" and "Custom Decks".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sutler.lab.play.atomic_files import write_atomically
from sutler.web.paper.deck_sheets import Sheet

NUMBERS_PER_SHEET = 100
DECK_SPACING = 4.0
"""The distance of two decks on its table, in its inches."""


def write_saved_object(folder: Path, sheets: Sequence[Sheet], title: str, url: str = "") -> Path:
    """Write the decks as a saved object; returns its file. `url`: where the pictures will lie; this folder if empty."""
    base = url.rstrip("/") if url else folder.resolve().as_uri()
    path = folder / f"{title}.json"
    states = list(deck_objects(sheets, base))
    write_atomically(path, json.dumps({"SaveName": title, "ObjectStates": states}, indent=2, ensure_ascii=False))
    return path


def deck_objects(sheets: Sequence[Sheet], base: str) -> Iterator[dict[str, Any]]:
    """Yield an object for each deck, side by side; the sheets of one deck lie in one."""
    decks: dict[str, list[tuple[int, Sheet]]] = {}
    for number, sheet in enumerate(sheets, 1):
        decks.setdefault(sheet.name, []).append((number, sheet))
    for at, (name, parts) in enumerate(decks.items()):
        pictures = {str(number): _picture(sheet, base) for number, sheet in parts}
        cards = [
            (number * NUMBERS_PER_SHEET + place, number, piece.name)
            for number, sheet in parts
            for place, piece in enumerate(sheet.pieces)
            for _ in range(piece.count)
        ]
        where = _where(at * DECK_SPACING)
        if len(cards) == 1:
            yield {
                "Name": "CardCustom",
                "Nickname": cards[0][2],
                **where,
                "CardID": cards[0][0],
                "CustomDeck": pictures,
            }
        elif cards:
            inside = [
                {
                    "Name": "CardCustom",
                    "Nickname": called,
                    **_where(0.0),
                    "CardID": card,
                    "CustomDeck": {str(number): pictures[str(number)]},
                }
                for card, number, called in cards
            ]
            deck = {"Name": "DeckCustom", "Nickname": name, **where, "DeckIDs": [card for card, _, _ in cards]}
            yield {**deck, "CustomDeck": pictures, "ContainedObjects": inside}


def _picture(sheet: Sheet, base: str) -> dict[str, Any]:
    return {
        "FaceURL": f"{base}/{sheet.front}",
        "BackURL": f"{base}/{sheet.back}",
        "NumWidth": sheet.columns,
        "NumHeight": sheet.rows,
        "BackIsHidden": True,
        "UniqueBack": False,
    }


def _where(x: float) -> dict[str, Any]:
    """Face down, `x` to the right."""
    place = {"posX": x, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    return {"Transform": place | {"scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}}
