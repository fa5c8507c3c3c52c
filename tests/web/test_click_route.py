"""The short way for a click answers as the long one does: the same status, the same words, the same picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.routes.click import ClickRoute

FORM = {"content-type": "application/x-www-form-urlencoded"}
LOOKS = (
    "",
    "?eyes=0",
    "?moment=1",
    "?since=0&at_once=true&eyes=0",
    "?eyes=9",
    "?eyes=",
    "?moment=-1",
    "?moment=1000001",
)
ODD_LOOKS = ("?eyes=0&eyes=1", "?since=x", "?at_once=maybe", "?moment=9999999", "?eyes=%30", "?lang=de", "?eyes=\u0660")
BODIES = (
    b"",
    b"action=x",
    b"decision=0",
    b"action=x&decision=zero",
    b"action=&decision=0",
    b"action=x&decision=0&eyes=",
)
ODD_BODIES = (
    b"action=x&decision=" + b"9" * 5000,
    b"action=%ff&decision=0",
    b"a=1&" * 30 + b"action=x&decision=0",
    b"action=x&action=y&decision=0",
)
PATHS = ("/seat/nobody", "/watch/nothing", "/seat/%2e%2e", "/watch/" + "a" * 200)


@pytest.fixture
def ways(app: FastAPI, client: TestClient, new_table: Callable[..., str]) -> Callable[..., Any]:
    """Ask both ways: (status, text) of the short one and of the long one."""
    seat = new_table(seat_0="me", seat_1="me", name_0="Agnes", name_1="Perrin")
    (short,) = (one for one in app.router.routes if isinstance(one, ClickRoute))

    def ask(method: str, path: str, **more: Any) -> list[tuple[int, str]]:
        found = []
        for routes in (list(app.router.routes), [one for one in app.router.routes if one is not short]):
            before, app.router.routes = app.router.routes, routes
            try:
                answer = client.request(method, path.replace("SEAT", seat), **more)
            finally:
                app.router.routes = before
            found.append((answer.status_code, answer.text))
        return found

    return ask


@pytest.mark.parametrize("query", LOOKS + ODD_LOOKS)
def test_a_look_is_answered_alike(ways: Callable[..., Any], query: str) -> None:
    short, long = ways("GET", f"SEAT/now{query}")
    assert short == long


@pytest.mark.parametrize("body", BODIES + ODD_BODIES)
def test_a_click_that_is_refused_is_refused_alike(ways: Callable[..., Any], body: bytes) -> None:
    short, long = ways("POST", "SEAT/play", content=body, headers=FORM | {"hx-request": "true"})
    assert short[0] == long[0] >= 400
    assert short == long


@pytest.mark.parametrize("path", PATHS)
def test_links_that_lead_nowhere_are_answered_alike(ways: Callable[..., Any], path: str) -> None:
    for method, what in (("GET", "now"), ("POST", "play"), ("DELETE", "play"), ("POST", "now")):
        short, long = ways(method, f"{path}/{what}", headers=FORM)
        assert short == long
        assert short[0] >= 400


def test_clicks_and_looks_of_pages_go_the_short_way(
    app: FastAPI, client: TestClient, new_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, taken = new_table(seat_0="me", seat_1="me"), []
    handle = ClickRoute.handle

    async def noted(self: ClickRoute, scope: Any, receive: Any, send: Any) -> None:
        taken.append(scope["route"].path)
        await handle(self, scope, receive, send)

    monkeypatch.setattr(ClickRoute, "handle", noted)
    room = app.state.house.rooms()[0]
    told = {"action": room.pos.actions()[0].name, "decision": room.decision, "eyes": 0}
    assert client.post(f"{seat}/play", data=told).status_code == 200
    assert client.get(f"{seat}/now?eyes=0&since=0&at_once=true").status_code == 200
    assert client.get(f"/watch/{room.id}/now").status_code in (200, 404)
    assert taken == ["/seat/{token}/play", "/seat/{token}/now", "/watch/{table}/now"]
