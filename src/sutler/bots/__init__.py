"""Bots: `bot("greedy").choose(pos.for_seat(seat))`. A bot knows the contract and never a game's insides."""

from __future__ import annotations

from typing import Any, Protocol

from sutler.core.actions import Action
from sutler.core.game import SeatView


class Bot(Protocol):
    """Anything that decides: handed a seat's view, it gives back one of its legal actions."""

    name: str

    def choose(self, view: SeatView) -> Action:
        """One of the view's legal actions."""
        ...


def bot(name: str, **settings: Any) -> Bot:
    """A bot by name: random, greedy, search, or a level: easy, normal, hard. ValueError when there is none such."""
    from sutler.bots.random import RandomBot

    makers = {"random": RandomBot}
    if name not in makers:
        raise ValueError(f"there is no bot {name!r}; there are {', '.join(makers)}")
    return makers[name](**settings)
