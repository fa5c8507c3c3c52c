"""The queue for requests at the tables: orders (clicks) run before views (pages), and only a few requests at the same time.

Python runs one thread at a time, and each thread that returns from a wait (the disk, compiled rules) competes with all others. Many
pages drawn at once would delay every click. So requests wait here before they begin, where waiting costs nothing: orders go first, and
a view begins only while few requests run. Of those that run, one at a time holds the priority lock (`gil_priority`). Pages away from the
tables (the lobby, a person's own page) wait in a line of their own, so that whoever asks for many of them delays no table.
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
MAX_PAGES = 1
"""The most pages away from the tables that are drawn at the same time."""
MAX_ORDERS = 8
"""The most orders that run at the same time; more than one, since an order may wait for the disk or for another machine."""
MAX_VIEWS = 2
"""The most views that run at the same time; more than one, so that a slow view does not stop all others."""


@dataclass(eq=False)
class _RequestClass:
    """The waiting requests of one class: orders (clicks) or views (pages).

    `most`: how many may run at a time; `inside`: how many run now.
    """

    most: int
    inside: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class RequestGate:
    """The gate of one event loop, which decides when each waiting request starts in a thread."""

    def __init__(self, orders: int = MAX_ORDERS, looks: int = MAX_VIEWS) -> None:
        self._orders, self._views, self._pages = _RequestClass(orders), _RequestClass(looks), _RequestClass(MAX_PAGES)

    async def run_in_turn(self, job: Callable[[], T], is_order: bool, at_table: bool = True) -> T:
        """The result of `job`, run in a thread when it is its turn, with the context variables of the caller.

        `is_order`: is it a click, not a view? `at_table`: is it a view of a table, not another page?
        """
        lane = self._orders if is_order else self._views if at_table else self._pages
        lane.waiting.append(turn := asyncio.get_running_loop().create_future())
        self._start_waiting_requests()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was admitted and cancelled at the same moment
                self._finish_request(lane)
            raise
        try:
            return await anyio.to_thread.run_sync(job)
        finally:
            self._finish_request(lane)

    def _finish_request(self, lane: _RequestClass) -> None:
        """Record that a request has finished, and start others."""
        lane.inside -= 1
        self._start_waiting_requests()

    def _start_waiting_requests(self) -> None:
        """Start waiting clicks, then views of tables, then other pages, as many of each as its class allows.

        While a click runs, one view may run beside it, so that no view waits for ever.
        """
        while self._orders.waiting and self._orders.inside < self._orders.most:
            self._start_next(self._orders)
        while self._views.waiting and self._views.inside < (1 if self._orders.inside else self._views.most):
            self._start_next(self._views)
        while self._pages.waiting and self._pages.inside < self._pages.most:
            self._start_next(self._pages)

    @staticmethod
    def _start_next(lane: _RequestClass) -> None:
        """Start the first waiting request of this class, unless it was cancelled."""
        turn = lane.waiting.popleft()
        if not turn.cancelled():  # the request was not cancelled while it waited
            lane.inside += 1
            turn.set_result(None)


_gate: RunVar[RequestGate] = RunVar("gate")


def get_gate() -> RequestGate:
    """The gate of the running event loop, made when it is first asked for."""
    found: RequestGate | None = _gate.get(None)
    if found is None:
        _gate.set(found := RequestGate())
    return found


class QueuedRoute(APIRoute):
    """A route whose function waits for its turn and then runs in a thread. POST is an order, any other method a view."""

    at_table = True

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        if not inspect.iscoroutinefunction(endpoint):
            endpoint = _queue_endpoint(endpoint, "POST" in (more.get("methods") or ()), self.at_table)
        super().__init__(path, endpoint, **more)


class QueuedPageRoute(QueuedRoute):
    """A queued route for pages away from the tables; its views wait in a line of their own."""

    at_table = False


def _call_with_lock(patience_s: float, endpoint: Callable[..., T], given: dict[str, Any]) -> T:
    """The result of the endpoint for these arguments, computed while this thread holds the priority lock."""
    with GIL_LOCK.hold(patience_s):
        return endpoint(**given)


def _queue_endpoint(endpoint: Callable[..., T], is_order: bool, at_table: bool) -> Callable[..., Any]:
    """A coroutine function that runs this endpoint (a function of a route) in a thread when it is its turn.

    `is_order`: is it a click, not a view? `at_table`: is it a view of a table, not another page?
    """
    patience = CLICK_PATIENCE_S if is_order else VIEW_PATIENCE_S

    async def run_queued(**given: Any) -> T:
        job = functools.partial(_call_with_lock, patience, endpoint, given)
        return await get_gate().run_in_turn(job, is_order, at_table)

    named: Any = run_queued
    named.__name__, named.__doc__, named.__signature__ = (
        endpoint.__name__,
        endpoint.__doc__,
        inspect.signature(endpoint),
    )
    return run_queued
