"""A table of Medieval Manor laid out for a test: nothing on it but what the test names."""

from __future__ import annotations

from typing import Any

from sutler.contract.helpers import given, offered, play
from sutler.core.bits import members
from sutler.core.play.position import Position
from sutler.games.manor.box import TOKEN_NAMES

PRINTED = (
    ("River", "Fertile Fields", "Good Fields", "Poor Fields"),
    ("Woods", "Pasture", "Hills", "Road"),
    ("Village", "Market", "Church", "Castle"),
    ("Irrigated Fields", "Hunting Grounds", "Mountains", "Forest"),
)
"""The map that these tests are played on: the order of the rulebook's list."""


def table(
    *seats: dict[str, Any], n: int = 2, seed: int = 0, options: dict[str, Any] | None = None, **state: Any
) -> Position:
    """A position in which each seat has 2 peasants and what is said (tokens by name, `hand`, `upgrades`)."""
    rows = []
    for seat in (*seats, *({} for _ in range(n - len(seats)))):
        tokens = {token: seat.get(token, 2 if token == "peasants" else 0) for token in TOKEN_NAMES}
        others = {key: value for key, value in seat.items() if key not in TOKEN_NAMES}
        rows.append({"hand": [], "upgrades": [], **others, "tokens": tokens})
    return given(
        "manor", n, seed, {"map": "printed", **(options or {})}, seats=rows, **{"lord": 0, "to_act": 0, **state}
    )


def work(*seats: dict[str, Any], **more: Any) -> Position:
    """The work phase, seat 0 to act first."""
    return table(*seats, phase="work", **more)


def tokens(pos: Position, seat: int) -> dict[str, int]:
    """A seat's tokens that are not zero, peasants left out."""
    return {name: n for name, n in has(pos, seat).items() if n and name != "peasants"}


def has(pos: Position, seat: int) -> dict[str, int]:
    """A seat's tokens by name."""
    return {name: int(n) for name, n in zip(TOKEN_NAMES, pos.state.seats[seat].tokens, strict=True)}


def cards(pos: Position, what: Any) -> set[str]:
    """The names of a set of cards."""
    return {pos.game.names["card"][card] for card in members(what)}


def hand(pos: Position, seat: int) -> set[str]:
    """A seat's hand."""
    return cards(pos, pos.state.seats[seat].hand)


def upgrades(pos: Position, seat: int) -> set[str]:
    """A seat's upgrades."""
    return cards(pos, pos.state.seats[seat].upgrades)


def phase(pos: Position) -> str:
    """The decision at hand."""
    return str(pos.game.names["phase"][pos.state.phase])


def stage(pos: Position) -> str:
    """The phase of the turn."""
    return str(pos.game.names["stage"][pos.state.stage])


def refused(pos: Position, action: str) -> str:
    """The paragraph that stands in an action's way; empty when it is legal."""
    refusal = pos.why_not(action)
    return refusal.rule if refusal else ""


__all__ = [
    "PRINTED",
    "cards",
    "hand",
    "has",
    "offered",
    "phase",
    "play",
    "refused",
    "stage",
    "table",
    "tokens",
    "upgrades",
    "work",
]
