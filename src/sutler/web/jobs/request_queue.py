"""A queue for requests at the tables: orders (clicks) before views, and only few at a time.

Python runs one thread at a time, and each thread that returns from a wait (the disk, compiled rules) competes with all others. Many
pictures drawn at once would delay every click many times over. Here requests wait before they begin, where waiting costs nothing:
orders go first, and a view begins only while few others run. Of those that run, one at a time holds the priority lock
(`gil_priority`).
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

from sutler.web.jobs.gil_priority import CLICK_PATIENCE_S, GIL_LOCK, VIEW_PATIENCE_S

T = TypeVar("T")
MAX_ORDERS = 8
"""The most orders that run at the same time: they wait for the disk, or for another machine's."""
MAX_VIEWS = 2
"""The most views that run at the same time: one that takes long does not stop all others."""


@dataclass(eq=False)
class _Class:
    most: int
    inside: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class RequestGate:
    """Admits jobs to threads, for one event loop."""

    def __init__(self, orders: int = MAX_ORDERS, looks: int = MAX_VIEWS) -> None:
        self._orders, self._looks = _Class(orders), _Class(looks)

    async def run_in_turn(self, job: Callable[[], T], is_order: bool) -> T:
        """Run the job in a thread when it is its turn, in the caller's context."""
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

    def _leave(self, lane: _Class) -> None:
        lane.inside -= 1
        self._admit()

    def _admit(self) -> None:
        """Start waiting orders, then views. Beside an order no second view begins, but one always may, so nobody waits for ever."""
        while self._orders.waiting and self._orders.inside < self._orders.most:
            self._start_next(self._orders)
        while self._looks.waiting and self._looks.inside < (1 if self._orders.inside else self._looks.most):
            self._start_next(self._looks)

    @staticmethod
    def _start_next(lane: _Class) -> None:
        turn = lane.waiting.popleft()
        if not turn.cancelled():  # whoever waited is still there
            lane.inside += 1
            turn.set_result(None)


_gate: RunVar[RequestGate] = RunVar("gate")


def gate() -> RequestGate:
    """The gate of the running event loop."""
    found: RequestGate | None = _gate.get(None)
    if found is None:
        _gate.set(found := RequestGate())
    return found


class QueuedRoute(APIRoute):
    """A route that runs when it is its turn: a POST is an order, anything else a view. Coroutines are not queued."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        if not inspect.iscoroutinefunction(endpoint):
            endpoint = _queued(endpoint, is_order="POST" in (more.get("methods") or ()))
        super().__init__(path, endpoint, **more)


def _with_lock(patience: float, endpoint: Callable[..., T], given: dict[str, Any]) -> T:
    with GIL_LOCK.hold(patience):
        return endpoint(**given)


def _queued(endpoint: Callable[..., T], is_order: bool) -> Callable[..., Any]:
    """The endpoint as a coroutine that runs it in a thread when it is its turn."""
    patience = CLICK_PATIENCE_S if is_order else VIEW_PATIENCE_S

    async def turned(**given: Any) -> T:
        return await gate().run_in_turn(functools.partial(_with_lock, patience, endpoint, given), is_order)

    named: Any = turned
    named.__name__, named.__doc__, named.__signature__ = (
        endpoint.__name__,
        endpoint.__doc__,
        inspect.signature(endpoint),
    )
    return turned
