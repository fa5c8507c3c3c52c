"""Listeners to tables' events, called in one fixed order; nothing else notifies anybody.

A room notifies its listeners of events that this process has stored (`committed`), of events that another process has stored and that
were just read (`caught_up`), and when its pages must be drawn again (`redraw`). Before events are stored it asks `job_after` which
decision of a bot must be stored with them. `table.registry` makes the list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sutler.web.events import Event
from sutler.web.jobs.job_queue import Lane

if TYPE_CHECKING:
    Listener: TypeAlias = Callable[[Any, Sequence[Event]], None]
    """A function that takes a room, whose lock is held, and the events."""
else:
    Listener = Callable


@dataclass(frozen=True)
class Listeners:
    """The functions to call on each kind of occasion, in the order in which they are called."""

    committed: tuple[Listener, ...] = ()
    caught_up: tuple[Listener, ...] = ()
    redraw: tuple[Callable[[Any], None], ...] = ()
    job_after: Callable[[Any, Sequence[Event]], tuple[Lane, float] | None] = lambda room, events: None
    """A function that gives (lane, pause in seconds) of the bot's decision that follows from events, or None where none does."""
