"""Who asks: the house behind a request, the browser and its cookies, the table behind a link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias
from urllib.parse import quote, unquote

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, Response

from sutler.web.house import House
from sutler.web.viewers import Viewer

YEAR = 365 * 24 * 3600
Html = HTMLResponse


def house_of(request: Request) -> House:
    """The house this application keeps."""
    house: House = request.app.state.house
    return house


TheHouse: TypeAlias = Annotated[House, Depends(house_of)]


# --- A browser --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Guest:
    """What a browser's cookies say, empty where they say nothing."""

    theme: str
    name: str
    browser: str


def guest_of(request: Request) -> Guest:
    """Whose browser it is."""
    theme = request.cookies.get("sutler_theme", "")
    return Guest(
        theme=theme if theme in ("day", "candle") else "",
        name=unquote(request.cookies.get("sutler_name", ""))[:24].strip(),
        browser=request.cookies.get("sutler_browser", ""),
    )


TheGuest: TypeAlias = Annotated[Guest, Depends(guest_of)]


def remember(response: Response, browser: str = "", name: str = "") -> None:
    """Give a browser its secret id, its owner's name, or both, for a year."""
    if browser:
        response.set_cookie("sutler_browser", browser, max_age=YEAR, httponly=True, samesite="lax")
    if name:
        response.set_cookie("sutler_name", quote(name), max_age=YEAR, samesite="lax")


# --- A table ----------------------------------------------------------------------------------------


def at_seat(request: Request, house: TheHouse, token: str) -> None:
    """Whoever comes by a seat's secret link."""
    room, seat = house.seat(token)
    request.state.viewer = Viewer(room, room.group(seat), f"/seat/{token}", str(request.base_url).rstrip("/"))


def beside_the_table(request: Request, house: TheHouse, table: str) -> None:
    """Whoever comes to watch."""
    request.state.viewer = Viewer(house.watched(table), (), f"/watch/{table}", str(request.base_url).rstrip("/"))


async def viewer_of(request: Request) -> Viewer:
    """Who looks at a table, found by the link before anything else was asked."""
    viewer: Viewer = request.state.viewer
    return viewer


Who: TypeAlias = Annotated[Viewer, Depends(viewer_of)]
