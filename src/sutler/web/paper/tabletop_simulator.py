"""Decks for Tabletop Simulator, as a file for its folder "Saved Objects".

A deck is an object "DeckCustom" that lists its cards by numbers: 100 times the number of the picture that shows the card, plus its
place in the picture, counted row by row from 0. A single card is an object "CardCustom".
Source: the knowledge base of Tabletop Simulator, "Save File Format" and "Custom Decks".
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
"""The distance of two decks on the virtual table, in the program's inches."""


def write_saved_object(folder: Path, sheets: Sequence[Sheet], title: str, url: str = "") -> Path:
    """Write the decks as a saved object; return its file.

    `url`: where the pictures will be on the web; "" for their place in this folder.
    """
    base = url.rstrip("/") if url else folder.resolve().as_uri()
    path = folder / f"{title}.json"
    states = list(build_deck_objects(sheets, base))
    write_atomically(path, json.dumps({"SaveName": title, "ObjectStates": states}, indent=2, ensure_ascii=False))
    return path


def build_deck_objects(sheets: Sequence[Sheet], pictures_url: str) -> Iterator[dict[str, Any]]:
    """Yield an object for each deck, decks side by side. `pictures_url`: the address of the pictures' folder."""
    decks: dict[str, list[tuple[int, Sheet]]] = {}
    for number, sheet in enumerate(sheets, 1):
        decks.setdefault(sheet.name, []).append((number, sheet))
    for at, (name, parts) in enumerate(decks.items()):
        pictures = {str(number): _build_custom_deck(sheet, pictures_url) for number, sheet in parts}
        cards = [
            (number * NUMBERS_PER_SHEET + place, number, piece.name)
            for number, sheet in parts
            for place, piece in enumerate(sheet.pieces)
            for _ in range(piece.count)
        ]
        where = _build_transform(at * DECK_SPACING)
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
                    **_build_transform(0.0),
                    "CardID": card,
                    "CustomDeck": {str(number): pictures[str(number)]},
                }
                for card, number, called in cards
            ]
            deck = {"Name": "DeckCustom", "Nickname": name, **where, "DeckIDs": [card for card, _, _ in cards]}
            yield {**deck, "CustomDeck": pictures, "ContainedObjects": inside}


def _build_custom_deck(sheet: Sheet, pictures_url: str) -> dict[str, Any]:
    """The pictures of a sheet in the form that the program expects. `pictures_url`: the address of their folder."""
    return {
        "FaceURL": f"{pictures_url}/{sheet.front}",
        "BackURL": f"{pictures_url}/{sheet.back}",
        "NumWidth": sheet.n_columns,
        "NumHeight": sheet.n_rows,
        "BackIsHidden": True,
        "UniqueBack": False,
    }


def _build_transform(x: float) -> dict[str, Any]:
    """The position of an object that lies face down, `x` inches to the right."""
    place = {"posX": x, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    return {"Transform": place | {"scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}}
