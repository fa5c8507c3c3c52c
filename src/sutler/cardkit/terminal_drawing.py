"""The table of a card game in a terminal: tracks, rows and decks, the belongings of each seat, and the reader's hand with its texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich import box as boxes
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sutler.core.text.drawing import seat_text


def draw(view: Mapping[str, Any]) -> RenderableType:
    """The whole table, as drawn in a terminal, from the plain data of the view."""
    head = f"round {view['round']}" + (f" of {view['rounds']}" if "rounds" in view else "")
    parts: list[RenderableType] = [Text(head, "dim")]
    parts += [
        Text(f"{track['name']} {track['n']}" + (f" of {track['limit']}" if track["limit"] else ""), "bold")
        for track in view["tracks"]
    ]
    decks = [f"{place['name']}: {place['n']} cards" for place in view["places"] if not place["row"]]
    parts += [_build_cards_table(place) for place in view["places"] if place["row"]]
    if decks:
        parts.append(Text(" · ".join(decks), "dim"))
    parts.append(_build_seats_table(view))
    if view["seat"] is not None:
        parts += [_build_cards_table(place) for place in view["seats"][view["seat"]]["places"] if place["hand"]]
    return Group(*parts)


def _build_cards_table(place: Mapping[str, Any]) -> RenderableType:
    """A table of the cards of a place, one line for each."""
    table = Table(
        box=None,
        show_header=False,
        pad_edge=False,
        padding=(0, 2, 0, 2),
        title=str(place["name"]),
        title_justify="left",
        title_style="bold",
    )
    for card in place["cards"]:
        facts = ", ".join(
            str(fact["value"]) if fact["word"] else f"{fact['name']} {fact['value']}" for fact in card["facts"]
        )
        table.add_row(Text(card["name"], "bold"), facts, Text(card["text"], "italic"))
    if not place["cards"]:
        table.add_row(Text("no cards", "dim"), "", "")
    return table


def _build_seats_table(view: Mapping[str, Any]) -> Table:
    """A table of the tokens and cards of each seat."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    first = view["seats"][0]
    table.add_column("seat")
    for token in first["tokens"]:
        table.add_column(token["name"], justify="right")
    for place in first["places"]:
        table.add_column(place["name"], max_width=44)
    for one in view["seats"]:
        tokens = ["?" if token["n"] is None else str(token["n"]) for token in one["tokens"]]
        places = [
            (", ".join(card["name"] for card in place["cards"]) or "–") if place["known"] else f"{place['n']} cards"
            for place in one["places"]
        ]
        table.add_row(seat_text(one["seat"], one["name"]), *tokens, *places)
    return table
