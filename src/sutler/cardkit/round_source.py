"""The course of a round as rules: phases, turns, ends; and what every part of a game's rules is written with."""

from __future__ import annotations

from sutler.cardkit.card_parts import CardGame
from sutler.cardkit.paragraphs import Numbering
from sutler.cardkit.rule_source import (
    RuleSource,
)

CLEAN = [("acting", "-1"), ("target", "-1"), ("source", "-1")]
WORK = [
    "    state.doer = seat",
    "    state.acting = card",
    "    state.source = card",
    "    state.target = -1",
    "    tell(events, E.works, card)",
    "    begin_program(box, state, events, program)",
]
"""Source that lets a card do what it says: `card`, `program` and `seat` are given."""


def phase_of(stage: int) -> str:
    """The name of the phase in which a stage's actions are asked for."""
    return f"turn_{stage + 1}"


def said(name: str) -> str:
    """A name of the file in words."""
    return name.replace("_", " ")


class GameWriter:
    """One game's rules while they are written: their source, the reasons they refuse by, and what the file asks for."""

    def __init__(self, game: CardGame, numbering: Numbering) -> None:
        self.game, self.numbering = game, numbering
        self.writer = RuleSource(game, numbering)
        self.out: list[str] = []
        self.refusals: dict[str, tuple[str, str]] = {}
