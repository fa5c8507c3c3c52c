"""The services of a house that its tables use (store, jobs, tokens, time), as one record handed to every room."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from sutler.web.events import Created
from sutler.web.jobs.queue import JobQueue
from sutler.web.shelf import Shelf
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
    """The store, the job queue, the games and bots of a house, and who is notified of what happens at its tables."""

    store: Store
    shelf: Shelf
    jobs: JobQueue
    key: bytes
    """The secret that links to seats are made with."""
    boot: str
    """Begins the name of every version of a page; another one after a restart."""
    bot_pause: float
    """Seconds before a bot's decision, in which one can see what happened."""
    game_of: Callable[[Created], Game]
    """The game played at a table, under the box it began with. RequestError where that is not kept."""
    bot: Callable[[str], Player]
    """A bot by the name of its level."""
    room_of: Callable[[str], Any]
    """The room of a table by its name. Lost when there is none."""
    listeners: Listeners
    closing: threading.Event = field(default_factory=threading.Event)
    """Is set when the house closes."""

    asks_for_numbers: ClassVar[bool] = True
    """Does each player's browser give a number of its own to the shuffle?"""
