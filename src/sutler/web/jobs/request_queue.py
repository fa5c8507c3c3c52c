"""Who is answered first at the tables: whoever has clicked, then whoever looks on; and few at a time.

Python lets one thread work at a time, and each that wants to go on after a wait (the disk, compiled rules) stands in line with all
others that are at work. So a crowd of pictures that are drawn at once holds up every click many times over. Here what
is asked waits before it is begun, where waiting costs nothing: orders go first, and a look begins while few are at work. Of those that
are begun one at a time has the floor (`floor`).
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import anyio.to_thread
from anyio.lowlevel import RunVar
from fastapi.routing import APIRoute

from sutler.web.jobs.gil_priority import CLICK, FLOOR, LOOK

T = TypeVar("T")
ORDERS = 8
"""So many orders are seen to at once: they wait for the disk, or for another machine's."""
LOOKS = 2
"""So many pictures are drawn at once: one that takes long does not hold up all others."""


@dataclass(eq=False)
class _Lane:
    most: int
    inside: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class Gate:
    """Lets jobs through to threads, for one event loop."""

    def __init__(self, orders: int = ORDERS, looks: int = LOOKS) -> None:
        self._orders, self._looks = _Lane(orders), _Lane(looks)

    async def through(self, job: Callable[[], T], is_order: bool) -> T:
        """Do the job in a thread as soon as it is its turn, in the context of whoever asks."""
        lane = self._orders if is_order else self._looks
        lane.waiting.append(turn := asyncio.get_running_loop().create_future())
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # let in, and gone at the same moment
                self._leave(lane)
            raise
        try:
            return await anyio.to_thread.run_sync(job)
        finally:
            self._leave(lane)

    def _leave(self, lane: _Lane) -> None:
        lane.inside -= 1
        self._admit()

    def _admit(self) -> None:
        """Orders first. A look does not begin beside an order, unless none is being drawn: nobody waits for ever."""
        while self._orders.waiting and self._orders.inside < self._orders.most:
            self._let_in(self._orders)
        while self._looks.waiting and self._looks.inside < (1 if self._orders.inside else self._looks.most):
            self._let_in(self._looks)

    @staticmethod
    def _let_in(lane: _Lane) -> None:
        turn = lane.waiting.popleft()
        if not turn.cancelled():  # whoever waited is still there
            lane.inside += 1
            turn.set_result(None)


_gate: RunVar[Gate] = RunVar("gate")
_press: RunVar[Gate] = RunVar("press")


def gate() -> Gate:
    """The gate of the loop that is running."""
    found: Gate | None = _gate.get(None)
    if found is None:
        _gate.set(found := Gate())
    return found


def press() -> Gate:
    """Sheets to print take seconds: one is drawn at a time, and whoever waits for it holds no thread that others need."""
    found: Gate | None = _press.get(None)
    if found is None:
        _press.set(found := Gate(looks=1))
    return found


class InTurn(APIRoute):
    """A route whose work is done when it is its turn: what is posted is an order, all else a look. One that waits by itself need not."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        if not inspect.iscoroutinefunction(endpoint):
            endpoint = _in_turn(endpoint, is_order="POST" in (more.get("methods") or ()))
        super().__init__(path, endpoint, **more)


def _with_the_floor(patience: float, endpoint: Callable[..., T], given: dict[str, Any]) -> T:
    with FLOOR.held(patience):
        return endpoint(**given)


def _in_turn(endpoint: Callable[..., T], is_order: bool) -> Callable[..., Any]:
    patience = CLICK if is_order else LOOK

    async def turned(**given: Any) -> T:
        return await gate().through(functools.partial(_with_the_floor, patience, endpoint, given), is_order)

    named: Any = turned
    named.__name__, named.__doc__, named.__signature__ = (
        endpoint.__name__,
        endpoint.__doc__,
        inspect.signature(endpoint),
    )
    return turned
