"""The parts of the server (house) that its tables use: store, jobs, tokens, time; one record that every room holds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from sutler.web.events import Created
from sutler.web.game_shelf import Shelf
from sutler.web.jobs.job_queue import JobQueue
from sutler.web.storage.store import Store
from sutler.web.table.listeners import Listeners

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.game import Game
    from sutler.core.play.seat import SeatView


class Player(Protocol):
    """A bot that decides, and can say what it thinks of each choice."""

    def choose(self, view: SeatView) -> Action:
        """One of the view's legal actions."""
        ...

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """(action, its value, how often it was tried) for each action, the best first."""
        ...


@dataclass
class Services:
    """The store, job queue, games and bots of one server, and the listeners to events at its tables."""

    store: Store
    shelf: Shelf
    jobs: JobQueue
    key: bytes
    """The server's key, from which links to seats are made."""
    boot: str
    """The beginning of all version names of pages; it changes with a restart."""
    bot_pause: float
    """Seconds before a bot's decision, so that people can see the one before."""
    game_of: Callable[[Created], Game]
    """A function that gives the game of a table, with the box it began with. Raises RequestError where that box is not stored."""
    bot: Callable[[str], Player]
    """A function that gives the bot of a level."""
    room_of: Callable[[str], Any]
    """A function that gives the room of a table by its id. Raises Lost when there is none."""
    listeners: Listeners
    closing: threading.Event = field(default_factory=threading.Event)
    """Set when the server closes."""

    asks_for_numbers: ClassVar[bool] = True
    """Does each player's browser give a random number of its own to the shuffle?"""
