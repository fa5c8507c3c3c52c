"""Figures for a monitoring system at /metrics: requests, how long they take, open tables, listening pages. No names, no links."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector
from starlette.types import Scope

from sutler.web.errors import Lost
from sutler.web.http.log_lines import get_route_pattern
from sutler.web.jobs.job_queue import LANES

if TYPE_CHECKING:
    from sutler.web.table.registry import House

LOCAL_ADDRESSES = ("127.0.0.1", "::1")
"""Only programs on this machine may read the figures."""
BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0, 2.5, 10.0)


class Metrics:
    """The figures of one server, in the format of Prometheus."""

    def __init__(self, house: "House") -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "sutler_requests", "Requests, by what for and how answered", ("route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "sutler_request_seconds",
            "Seconds until an answer began",
            ("route",),
            buckets=BUCKETS_S,
            registry=self.registry,
        )
        self.registry.register(_HouseCollector(house))

    def count_answer(self, scope: Scope, status: int, started_at: float) -> None:
        """Count a request that was answered. Only the route's pattern is kept, because the address itself is a secret.

        `status`: of HTTP; `started_at`: `time.perf_counter()` when the request came in.
        """
        route = get_route_pattern(scope)
        self.requests.labels(route, str(status)).inc()
        self.seconds.labels(route).observe(time.perf_counter() - started_at)

    def build_router(self) -> APIRouter:
        """A router with the route /metrics, which answers only programs on this machine."""
        at = APIRouter()

        @at.get("/metrics")
        def metrics(request: Request) -> Response:
            """The figures in Prometheus's text format. Raises Lost for a request from another machine."""
            if request.client is None or request.client.host not in LOCAL_ADDRESSES:
                raise Lost("There is nothing at this address.")
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

        return at


class _HouseCollector(Collector):
    """Figures that are read from the server at the moment they are asked for."""

    def __init__(self, house: "House") -> None:
        self.house = house

    def collect(self) -> Iterator[Metric]:
        """Yield the number of tables in memory, of listening pages, and of waiting jobs by lane."""
        rooms = self.house.list_loaded_rooms()
        yield GaugeMetricFamily("sutler_tables_open", "Tables held in memory", value=len(rooms))
        listening = sum(len(room.subscribers) for room in rooms)
        yield GaugeMetricFamily("sutler_listeners", "Pages that listen for news", value=listening)
        waiting = GaugeMetricFamily("sutler_errands_waiting", "Errands that are due and not begun", labels=["lane"])
        for lane, number in self.house.job_queue.count_waiting_by_lane(*LANES).items():
            waiting.add_metric([lane], number)
        yield waiting
