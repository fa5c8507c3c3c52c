"""Whoever clicks goes before whoever looks on, and few are at work at a time. Jobs are held by the tests; nothing here takes time."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sutler.core.text.language import get_language, use_language
from sutler.web.jobs import request_queue
from sutler.web.jobs.request_queue import QueuedPageRoute, RequestGate, get_gate
from sutler.web.routes import lobby, table

from .conftest import run_apart


class Jobs:
    """Jobs that note when they begin; some of them go on only when the test says so."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.may_end = threading.Event()

    def quick(self, name: str) -> Callable[[], str]:
        return lambda: self.begun.append(name) or name  # type: ignore[func-returns-value]

    def held(self, name: str) -> Callable[[], str]:
        def job() -> str:
            self.begun.append(name)
            assert self.may_end.wait(60)
            return name

        return job

    async def has_begun(self, name: str) -> None:
        """A thread takes a job up when it likes."""
        while name not in self.begun:
            await asyncio.sleep(0)


async def asked(
    gate: RequestGate, job: Callable[[], str], is_order: bool = False, at_table: bool = True
) -> asyncio.Task[str]:
    """Asked for, and in line before anybody who asks later."""
    task = asyncio.create_task(gate.run_in_turn(job, is_order, at_table))
    await asyncio.sleep(0)
    return task


def test_an_order_does_not_wait_for_pictures_that_are_drawn_or_wait_to_be() -> None:
    async def evening() -> None:
        gate, jobs = RequestGate(orders=2, looks=1), Jobs()
        looks = [await asked(gate, jobs.held("a look")), await asked(gate, jobs.quick("a later look"))]
        await jobs.has_begun("a look")
        assert await gate.run_in_turn(jobs.quick("an order"), True) == "an order"
        assert jobs.begun == ["a look", "an order"]
        jobs.may_end.set()
        await asyncio.gather(*looks)
        assert jobs.begun == ["a look", "an order", "a later look"]

    run_apart(evening())


def test_beside_an_order_one_picture_is_drawn_and_never_two() -> None:
    async def evening() -> None:
        gate, jobs = RequestGate(orders=2, looks=2), Jobs()
        order = await asked(gate, jobs.held("an order"), True)
        first = await asked(gate, jobs.held("a look"))
        await jobs.has_begun("an order")
        await jobs.has_begun("a look")
        second = await asked(gate, jobs.quick("another"))
        assert await gate.run_in_turn(jobs.quick("a second order"), True) == "a second order"
        assert not second.done()
        assert "another" not in jobs.begun
        jobs.may_end.set()
        await asyncio.gather(order, first, second)
        assert jobs.begun[-1] == "another"

    run_apart(evening())


def test_pages_away_from_the_tables_are_drawn_one_at_a_time_and_hold_up_no_table() -> None:
    """One client that asked for the lobby as often as it may made everybody's orders wait for seconds."""

    async def evening() -> None:
        gate, jobs = RequestGate(), Jobs()
        pages = [await asked(gate, jobs.held("the lobby"), at_table=False)]
        pages += [await asked(gate, jobs.quick("the lobby again"), at_table=False) for _ in range(40)]
        await jobs.has_begun("the lobby")
        assert await gate.run_in_turn(jobs.quick("an order"), True) == "an order"
        assert await gate.run_in_turn(jobs.quick("a look"), False) == "a look"
        assert jobs.begun == ["the lobby", "an order", "a look"]
        jobs.may_end.set()
        await asyncio.gather(*pages)

    run_apart(evening())


def test_the_lobbys_pages_wait_in_their_line_and_a_check_of_the_house_in_none(client: TestClient) -> None:
    pages = [route for route in lobby.at.routes if isinstance(route, QueuedPageRoute)]
    assert len(pages) == len(lobby.at.routes)
    assert all(inspect.iscoroutinefunction(route.endpoint) and not route.at_table for route in pages)
    assert {lobby.check_health, lobby.check_readiness} < {route.endpoint for route in pages}
    assert [client.get(path).status_code for path in ("/", "/healthz", "/readyz")] == [200] * 3


def test_a_gate_for_one_holds_up_no_other_gate() -> None:
    async def evening() -> None:
        jobs = Jobs()
        press = RequestGate(looks=1)
        first, second = await asked(press, jobs.held("sheets")), await asked(press, jobs.quick("more sheets"))
        await jobs.has_begun("sheets")
        assert await get_gate().run_in_turn(jobs.quick("a look"), False) == "a look"
        assert jobs.begun == ["sheets", "a look"]
        jobs.may_end.set()
        await asyncio.gather(first, second)
        assert jobs.begun == ["sheets", "a look", "more sheets"]

    run_apart(evening())


def test_whoever_goes_away_while_waiting_holds_nobody_up() -> None:
    async def evening() -> None:
        gate, jobs = RequestGate(orders=1, looks=1), Jobs()
        first = await asked(gate, jobs.held("first"))
        gone, next_one = await asked(gate, jobs.quick("gone")), await asked(gate, jobs.quick("next"))
        gone.cancel()
        jobs.may_end.set()
        await asyncio.gather(first, next_one)
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert jobs.begun == ["first", "next"]
        assert await gate.run_in_turn(jobs.quick("later"), False) == "later"

    run_apart(evening())


def test_whoever_is_let_in_and_goes_away_at_the_same_moment_leaves_the_place_free() -> None:
    async def evening() -> None:
        gate, jobs = RequestGate(orders=1, looks=1), Jobs()
        first = await asked(gate, jobs.held("first"))
        second, third = await asked(gate, jobs.quick("second")), await asked(gate, jobs.quick("third"))
        jobs.may_end.set()
        first.add_done_callback(lambda _: second.cancel())  # its place was given to the second by then
        assert await third == "third"
        assert await gate.run_in_turn(jobs.quick("later"), False) == "later"

    run_apart(evening())


def test_what_goes_wrong_is_told_and_leaves_the_place_free() -> None:
    async def evening() -> None:
        gate = RequestGate(orders=1, looks=1)
        for is_order in (True, False):
            with pytest.raises(ZeroDivisionError):
                await gate.run_in_turn(lambda: 1 / 0, is_order)
            assert await gate.run_in_turn(lambda: "well", is_order) == "well"

    run_apart(evening())


def test_a_job_is_done_in_the_language_of_whoever_asks() -> None:
    async def evening() -> str:
        with use_language("de"):
            return await RequestGate().run_in_turn(get_language, False)

    assert run_apart(evening()) == "de"


def test_every_page_of_a_table_is_answered_in_turn(
    client: TestClient, new_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is posted is an order, all else a look; only what waits by itself has no turn."""
    for route in table.at.routes:
        assert isinstance(route, request_queue.QueuedRoute)
        assert inspect.iscoroutinefunction(route.endpoint), route.path
    seen: list[bool] = []

    class Watched(RequestGate):
        async def run_in_turn(self, job: Callable[[], Any], is_order: bool, at_table: bool = True) -> Any:
            seen.append(is_order)
            return await super().run_in_turn(job, is_order, at_table)

    monkeypatch.setattr(request_queue, "RequestGate", Watched)
    with TestClient(client.app, follow_redirects=False) as other:
        seat = new_table(seat_0="me", seat_1="link")
        assert other.get(f"{seat}/now").status_code == 200
        assert other.post(f"{seat}/say", data={"text": "Bread!"}).status_code == 200
    assert seen == [False, True]
