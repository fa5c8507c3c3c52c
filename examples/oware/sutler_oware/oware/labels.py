"""Oware: the words for people."""

from __future__ import annotations

from typing import Any

from sutler.core.actions import Action
from sutler.core.text.sentences import Line, Sentence, Speaker

SPOTS = {"house": "house:{}"}


def left(box: Any, state: Any, speaker: Speaker) -> Sentence:
    """How far the seat to sow is from more than half."""
    return speaker.say("{n} seeds in the houses", n=int(sum(state.seeds)))


def effect(box: Any, state: Any, speaker: Speaker, action: Action) -> Sentence:
    """How many seeds a house holds."""
    return speaker.say("{n} {n:#seed|seeds}", n=int(state.seeds[action.args[0]]))


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """4.4: seeds taken."""
    return [Line(("seeds",), float(state.taken[seat]), "4.4")]
