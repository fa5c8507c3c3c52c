"""Dependencies of routes: the server, the browser and its cookies, the viewer behind a table's link."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias
from urllib.parse import quote, unquote

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, Response

from sutler.web.jobs.guest_process import GuestProcess
from sutler.web.rate_limits import to_client_key
from sutler.web.root_path import get_root_path
from sutler.web.table.people import subscribers
from sutler.web.table.registry import House
from sutler.web.tokens import hash_browser
from sutler.web.typed_text import MAX_NAME_CHARS, clean_text
from sutler.web.view.viewer import Viewer

YEAR_S = 365 * 24 * 3600
MAX_COOKIE_CHARS = 400
"""The most characters that are read of a name in a cookie."""
Html = HTMLResponse


def get_house(request: Request) -> House:
    """The tables of this server (its House)."""
    house: House = request.app.state.house
    return house


def get_guest_process(request: Request) -> GuestProcess:
    """The process in which visitors' files and positions are tried out."""
    guests: GuestProcess = request.app.state.guests
    return guests


def get_client_key(request: Request) -> str:
    """The client that a request counts for in rate limits; "" where there is none."""
    return to_client_key(request.client.host) if request.client else ""


async def _get_house(request: Request) -> House:
    """The server's tables, as a dependency of routes."""
    return get_house(request)  # a coroutine runs at once; a plain function would be sent to a thread


TheHouse: TypeAlias = Annotated[House, Depends(_get_house)]


# --- A browser --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Guest:
    """The cookies of a browser: theme, the person's name, and its secret id; "" for each that it lacks."""

    theme: str
    name: str
    browser: str


def read_guest_cookies(request: Request) -> Guest:
    """The cookies of the browser that sent a request."""
    theme = request.cookies.get("sutler_theme", "")
    return Guest(
        theme=theme if theme in ("day", "candle") else "",
        name=clean_text(unquote(request.cookies.get("sutler_name", ""))[:MAX_COOKIE_CHARS])[:MAX_NAME_CHARS].strip(),
        browser=request.cookies.get("sutler_browser", ""),
    )


async def _read_guest(request: Request) -> Guest:
    """The cookies of the browser, as a dependency of routes."""
    return read_guest_cookies(request)


TheGuest: TypeAlias = Annotated[Guest, Depends(_read_guest)]


def set_identity_cookies(response: Response, browser: str = "", name: str = "") -> None:
    """Set the cookies of a browser's secret id, its person's name, or both, for a year."""
    if browser:
        response.set_cookie("sutler_browser", browser, max_age=YEAR_S, httponly=True, samesite="lax")
    if name:
        response.set_cookie("sutler_name", quote(name), max_age=YEAR_S, samesite="lax")


SETTINGS = ("theme", "pace", "sound")
"""Cookies in which pages store a person's settings (`house.js`), besides their name."""
_SETTING = re.compile("[a-z]{1,12}")
_VERSION = re.compile("([0-9a-f]{6})[.]([0-9]{1,7})")


def read_settings(request: Request) -> dict[str, str]:
    """The settings and the name of the person who sent a request; values that no page would have stored are left out."""
    found = {one: request.cookies.get(f"sutler_{one}", "") for one in SETTINGS}
    told = {one: said for one, said in found.items() if _SETTING.fullmatch(said)}
    return told | ({"name": name} if (name := read_guest_cookies(request).name) else {})


def set_settings_cookies(response: Response, settings: Mapping[str, str]) -> None:
    """Set a person's settings as cookies of this browser. Scripts of pages read them."""
    set_identity_cookies(response, name=settings.get("name", ""))
    for one in SETTINGS:
        if one in settings:
            response.set_cookie(f"sutler_{one}", settings[one], max_age=YEAR_S, samesite="lax")


def delete_identity_cookies(response: Response) -> None:
    """Delete the cookies by which a browser and its person's name are known."""
    for one in ("browser", "name"):
        response.delete_cookie(f"sutler_{one}", samesite="lax")


# --- A table ----------------------------------------------------------------------------------------


async def load_seat_viewer(request: Request, house: TheHouse, token: str) -> None:
    """Find the viewer for a seat's secret link, as a dependency of routes.

    A game that is not in memory is replayed in a thread, so that nobody else waits.
    """
    room_if_open = house.find_loaded_room(house.parse_seat_link(token)[0])
    room, seat = house.find_seat(token) if room_if_open else await asyncio.to_thread(house.find_seat, token)
    await _store_viewer(
        request,
        house,
        Viewer(
            room,
            room.list_seats_of_same_link(seat),
            f"{get_root_path()}/seat/{token}",
            *_get_address_and_push_key(request, house),
            _hash_cookie(request),
        ),
    )


async def load_watching_viewer(request: Request, house: TheHouse, table: str) -> None:
    """Find the viewer for a watcher of a table."""
    room_if_open = house.find_loaded_room(table)
    room = (
        house.find_watchable_room(table) if room_if_open else await asyncio.to_thread(house.find_watchable_room, table)
    )
    await _store_viewer(
        request, house, Viewer(room, (), f"{get_root_path()}/watch/{table}", *_get_address_and_push_key(request, house))
    )


def _hash_cookie(request: Request) -> str:
    """The hash of the cookie by which the browser is known; "" where it has none."""
    cookie = request.cookies.get("sutler_browser", "")
    return hash_browser(cookie) if cookie else ""


def get_site_address(request: Request) -> str:
    """Scheme and host of the site as the request names them, such as https://play.example."""
    return str(request.base_url).rstrip("/")


def _get_address_and_push_key(request: Request, house: House) -> tuple[str, str]:
    """(the server's address as the request names it, its public key for notices of turns)."""
    return get_site_address(request) + get_root_path(), house.notifier.public if house.notifier else ""


async def _store_viewer(request: Request, house: House, viewer: Viewer) -> None:
    """Store the viewer for this request; where processes share the database, first read new events of the table.

    The page may come from another process. If it sends an order, or names a later version, this process lacks events.
    """
    if viewer.room.services.store.shared:
        heard = request.headers.get("sutler-news", "")
        if request.method == "POST" or _is_newer(heard, subscribers.compute_page_version(viewer.room, viewer.seats)):
            if not await asyncio.to_thread(viewer.room.read_new_events):
                house.drop_table(viewer.room.id)
    request.state.viewer = viewer


def _is_newer(heard: str, known: str) -> bool:
    """Is the version that a page has heard of (`heard`) later than the known one? Clients may send anything as `heard`."""
    house, _, change = known.partition(".")
    found = _VERSION.fullmatch(heard)
    return found is not None and found[1] == house and int(found[2]) > int(change)


async def get_viewer(request: Request) -> Viewer:
    """The viewer of a table, which `load_seat_viewer` or `load_watching_viewer` has stored with the request."""
    viewer: Viewer = request.state.viewer
    return viewer


Who: TypeAlias = Annotated[Viewer, Depends(get_viewer)]
