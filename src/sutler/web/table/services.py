"""The parts of the server (house) that its tables use: store, jobs, tokens, time, listeners; one record that every room holds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from sutler.web.events import Created
from sutler.web.game_shelf import Shelf
from sutler.web.jobs.job_queue import JobQueue
from sutler.web.storage.store import Store

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.game import Game
    from sutler.core.play.position import SeatView


from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from sutler.web.events import Event
from sutler.web.jobs.job_queue import Lane

if TYPE_CHECKING:
    Listener: TypeAlias = Callable[[Any, Sequence[Event]], None]
    """A function that takes a room, whose lock is held, and the events."""
else:
    Listener = Callable


class Player(Protocol):
    """A bot that chooses an action, and can say how much it thinks each choice is worth."""

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


@dataclass(frozen=True)
class Listeners:
    """The functions to call on each kind of occasion, in the order in which they are called; nothing else notifies anybody.

    A room notifies its listeners of events that this process has stored (`committed`), of events that another process has stored and that
    were just read (`caught_up`), and when its pages must be drawn again (`redraw`). Before events are stored it asks `job_after` which
    decision of a bot must be stored with them. `table.registry` makes the list.
    """

    committed: tuple[Listener, ...] = ()
    caught_up: tuple[Listener, ...] = ()
    redraw: tuple[Callable[[Any], None], ...] = ()
    job_after: Callable[[Any, Sequence[Event]], tuple[Lane, float] | None] = lambda room, events: None
    """A function that gives (lane, pause in seconds) of the bot's decision that follows from events, or None where none does."""
