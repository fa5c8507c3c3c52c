"""Listeners to tables' events, called in one written order; nobody else notifies anybody by hand.

A room tells its listeners of three things: events that this process has stored (`committed`), events that another process has
stored and that were read now (`caught_up`), and that its pages have to be drawn again (`redraw`). Before events are stored it asks
`job_after` which decision of a bot must be stored with them. `table.registry` puts the list together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sutler.web.events import Event
from sutler.web.jobs.queue import Lane

if TYPE_CHECKING:
    Listener: TypeAlias = Callable[[Any, Sequence[Event]], None]
    """Takes a room, whose lock is held, and the events."""
else:
    Listener = Callable


@dataclass(frozen=True)
class Listeners:
    """Functions to call, by the kind of occasion; those of one kind are called in the order in which they stand."""

    committed: tuple[Listener, ...] = ()
    caught_up: tuple[Listener, ...] = ()
    redraw: tuple[Callable[[Any], None], ...] = ()
    job_after: Callable[[Any, Sequence[Event]], tuple[Lane, float] | None] = lambda room, events: None
    """The (lane, pause in seconds) of a bot's decision that follows from events; None where none does."""
