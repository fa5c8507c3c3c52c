"""Bots: `bot("greedy").choose(pos.for_seat(seat))`. A bot knows the contract and never a game's insides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, Protocol

from sutler.core.actions import Action
from sutler.core.game import Game
from sutler.core.seat import SeatView


class Bot(Protocol):
    """Anything that decides: handed a seat's view, it gives back one of its legal actions."""

    @property
    def name(self) -> str:
        """What it is called in tables of results."""
        ...

    def choose(self, view: SeatView) -> Action:
        """One of the view's legal actions."""
        ...


LEVELS: dict[str, tuple[str, dict[str, Any]]] = {
    "easy": ("greedy", {"noise": 0.12, "blunders": 0.1}),
    "normal": ("greedy", {}),
    "hard": ("search", {"budget": 1.0}),
}
"""The levels a table offers, as a bot and its settings."""


def _makers() -> dict[str, Callable[..., Bot]]:
    from sutler.bots.greedy import GreedyBot
    from sutler.bots.random import RandomBot
    from sutler.bots.search import SearchBot

    return {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}


def names() -> list[str]:
    """Every name that `bot` knows."""
    return [*_makers(), *LEVELS]


def bot(name: str, **settings: Any) -> Bot:
    """A bot by name: random, greedy, search, or a level: easy, normal, hard. ValueError when there is none such."""
    kind, given = LEVELS.get(name, (name, {}))
    makers = _makers()
    if kind not in makers:
        raise ValueError(f"there is no bot {name!r}; there are {', '.join([*makers, *LEVELS])}")
    maker = makers[kind]
    known: list[str] = [one.name for one in fields(maker)] if is_dataclass(maker) else []
    for key in settings:
        if key not in known:
            raise ValueError(f"{name} has no setting {key!r}; it has {', '.join(known) or 'none'}")
    return maker(**{**given, **settings})


def warm(game: Game) -> None:
    """Compile, or load from the cache, what the bots of a game call from Python."""
    from sutler.bots.kit import warm as warm_kit

    warm_kit(game)
