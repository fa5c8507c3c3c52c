"""Who asks: the house behind a request, the browser and its cookies, the table behind a link."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias
from urllib.parse import quote, unquote

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, Response

from sutler.web.table import subscribers
from sutler.web.table.registry import House
from sutler.web.view.viewer import Viewer

YEAR = 365 * 24 * 3600
Html = HTMLResponse


def house_of(request: Request) -> House:
    """The house this application keeps."""
    house: House = request.app.state.house
    return house


async def _house(request: Request) -> House:
    return house_of(request)  # asked for on the spot: a plain function would be sent to a thread


TheHouse: TypeAlias = Annotated[House, Depends(_house)]


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


async def _guest(request: Request) -> Guest:
    return guest_of(request)


TheGuest: TypeAlias = Annotated[Guest, Depends(_guest)]


def remember(response: Response, browser: str = "", name: str = "") -> None:
    """Give a browser its secret id, its owner's name, or both, for a year."""
    if browser:
        response.set_cookie("sutler_browser", browser, max_age=YEAR, httponly=True, samesite="lax")
    if name:
        response.set_cookie("sutler_name", quote(name), max_age=YEAR, samesite="lax")


SETTINGS = ("theme", "pace", "sound")
"""Cookies in which pages keep how somebody likes it (`house.js`), beside their name."""
_SETTING = re.compile("[a-z]{1,12}")
_VERSION = re.compile("([0-9a-f]{6})[.]([0-9]{1,7})")


def settings_of(request: Request) -> dict[str, str]:
    """How whoever asks likes it, their name too; nothing that pages would not have written."""
    found = {one: request.cookies.get(f"sutler_{one}", "") for one in SETTINGS}
    told = {one: said for one, said in found.items() if _SETTING.fullmatch(said)}
    return told | ({"name": name} if (name := guest_of(request).name) else {})


def remember_settings(response: Response, settings: Mapping[str, str]) -> None:
    """Give a browser how its owner likes it elsewhere; pages read it, so scripts may."""
    remember(response, name=settings.get("name", ""))
    for one in SETTINGS:
        if one in settings:
            response.set_cookie(f"sutler_{one}", settings[one], max_age=YEAR, samesite="lax")


def forget_browser(response: Response) -> None:
    """The browser is nobody's any more."""
    for one in ("browser", "name"):
        response.delete_cookie(f"sutler_{one}", samesite="lax")


# --- A table ----------------------------------------------------------------------------------------


async def at_seat(request: Request, house: TheHouse, token: str) -> None:
    """Whoever comes by a seat's secret link. A game that is not open is played again aside: nobody else waits for that."""
    at_hand = house.at_hand(house.linked(token)[0])
    room, seat = house.seat(token) if at_hand else await asyncio.to_thread(house.seat, token)
    await _looks(request, Viewer(room, room.group(seat), f"/seat/{token}", str(request.base_url).rstrip("/")))


async def beside_the_table(request: Request, house: TheHouse, table: str) -> None:
    """Whoever comes to watch."""
    at_hand = house.at_hand(table)
    room = house.watched(table) if at_hand else await asyncio.to_thread(house.watched, table)
    await _looks(request, Viewer(room, (), f"/watch/{table}", str(request.base_url).rstrip("/")))


async def _looks(request: Request, viewer: Viewer) -> None:
    """The page came from another process, or hears from another: whoever orders, or has heard more than is known here, knows more."""
    if viewer.room.house.store.shared:
        heard = request.headers.get("sutler-news", "")
        if request.method == "POST" or _is_newer(heard, subscribers.version(viewer.room, viewer.seats)):
            await asyncio.to_thread(viewer.room.catch_up)
    request.state.viewer = viewer


def _is_newer(heard: str, known: str) -> bool:
    """Is what a page says it has heard the name of a later version? It may say anything."""
    house, _, change = known.partition(".")
    found = _VERSION.fullmatch(heard)
    return found is not None and found[1] == house and int(found[2]) > int(change)


async def viewer_of(request: Request) -> Viewer:
    """Who looks at a table, found by the link before anything else was asked."""
    viewer: Viewer = request.state.viewer
    return viewer


Who: TypeAlias = Annotated[Viewer, Depends(viewer_of)]
