"""Many tables at once in one browser: one line to the house for all of them, so that orders always find a free one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from sutler.web.events import Said
from sutler.web.table.people import chat

from .conftest import run_apart, served
from .test_rate_limits import TWO

TABS = 12
ALL = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "me", "name_1": "Perrin"}
AT_ONCE_S = 6.0
"""Of an order on a busy machine; without a free line it waits for ever."""


@pytest.mark.browser
def test_twelve_tabs_hear_of_everything_and_orders_find_a_line(visit: Callable[..., Any]) -> None:
    first = visit(calm=True)
    tabs = [first, *(first.context.new_page() for _ in range(TABS - 1))]
    for tab in tabs:
        tab.goto(tab.request.post("/tables", form=ALL, max_redirects=0).headers["location"])
        tab.wait_for_selector("body[data-live=yes]")
    assert [tab.evaluate("sutler.line.leads") for tab in tabs].count(True) == 1
    took = []
    for tab in (tabs[0], tabs[5], tabs[-1]):
        before = tab.get_attribute("#table", "data-decision")
        begun = time.monotonic()
        tab.locator("[data-action]").first.evaluate("one => one.click()")
        tab.wait_for_function("was => document.getElementById('table').dataset.decision !== was", arg=before)
        took.append(time.monotonic() - begun)
    print(f"orders with {TABS} tabs: {', '.join(f'{one * 1000:.0f} ms' for one in took)}")
    assert max(took) < AT_ONCE_S


@pytest.mark.browser
def test_a_tab_in_the_back_hears_and_another_listens_when_the_listening_one_closes(visit: Callable[..., Any]) -> None:
    """What somebody else does at a table reaches its tab, whichever tab holds the line; no tab is left without."""
    mine, friend = visit(calm=True), visit(calm=True)
    back, front = mine, mine.context.new_page()
    back.goto(back.request.post("/tables", form=TWO, max_redirects=0).headers["location"])
    friend.goto(back.input_value("#invite-1") if back.locator("#invite-1").count() else back.url)
    front.goto(front.request.post("/tables", form=ALL, max_redirects=0).headers["location"])
    for tab in (back, front):
        tab.wait_for_selector("body[data-live=yes]")
    assert front.evaluate("sutler.line.leads")
    assert not back.evaluate("sutler.line.leads")
    words = "heard in the back"
    friend.request.post(f"{back.url}/say", form={"text": words})
    back.wait_for_function("words => document.getElementById('talk').textContent.includes(words)", arg=words)
    front.close()
    back.wait_for_function("() => sutler.line.leads")
    friend.request.post(f"{back.url}/say", form={"text": "and again"})
    back.wait_for_function("words => document.getElementById('talk').textContent.includes(words)", arg="and again")


@pytest.mark.browser
def test_an_order_that_is_not_answered_says_so(visit: Callable[..., Any]) -> None:
    page = visit(calm=True)
    page.goto(page.request.post("/tables", form=ALL, max_redirects=0).headers["location"])
    page.wait_for_selector("body[data-live=yes]")
    page.route("**/play", lambda route: None)  # never answered
    page.locator("[data-action]").first.evaluate("one => one.click()")
    page.wait_for_selector("text=Your order is on its way")


def test_one_stream_tells_of_several_tables() -> None:
    with served("sqlite://") as address:

        async def listens() -> list[str]:
            async with httpx.AsyncClient(base_url=address, timeout=60) as one:
                seats = [(await one.post("/tables", data=TWO)).headers["location"] for _ in range(2)]
                asked = [("at", seat) for seat in (*seats, "/seat/none", "/watch/none", "/nowhere\nevent: table")]
                heard: list[str] = []
                async with one.stream("GET", "/events", params=asked) as news:
                    async for line in news.aiter_lines():
                        if line.startswith(("event", "data")):
                            heard.append(line)
                        if len(heard) == 10:
                            await one.post(f"{seats[1]}/say", data={"text": "a word"})
                        if len(heard) == 12:
                            break
                assert heard[0:6] == [
                    *("event: gone", "data: /seat/none"),
                    *("event: gone", "data: /watch/none"),
                    *("event: gone", "data: /nowhere event: table"),
                ]
                assert [line.split()[1] for line in heard[7:10:2]] == seats
                assert heard[11].split()[1] == seats[1]
                assert heard[11] != heard[9]
                return heard

        assert len(run_apart(listens())) == 12


def test_one_browser_may_watch_the_table_at_which_it_sits() -> None:
    """Two views of one table in one stream do not stand in each other's way."""
    form = {**TWO, "watch": "yes"}
    server = served("sqlite://")
    with server as address:

        async def listens() -> set[str]:
            async with httpx.AsyncClient(base_url=address, timeout=60) as one:
                seat = (await one.post("/tables", data=form)).headers["location"]
                house = server.app.state.house
                watch = f"/watch/{house.list_loaded_rooms()[0].id}"
                heard: list[str] = []
                async with one.stream("GET", "/events", params=[("at", seat), ("at", watch)]) as news:
                    async for line in news.aiter_lines():
                        heard += [line] if line.startswith("data") else []
                        if len(heard) == 2:
                            room = house.list_loaded_rooms()[0]
                            assert len(room.subscribers) == 2
                            await asyncio.to_thread(chat.add_chat_line, room, Said(seat=0, name="Agnes", text="a word"))
                        if len(heard) == 4:
                            return {one.split()[1] for one in heard[2:]}
                return set()

        assert len(run_apart(listens())) == 2
