"""Where a browser says that it wants to be told of its turns, and that no more; and what it runs in order to hear it."""

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response

from sutler.web import bells, pages, push
from sutler.web.asking import TheGuest, TheHouse
from sutler.web.bells import Tower
from sutler.web.house import House
from sutler.web.links import browser_hash
from sutler.web.protocol import Lost, Refused
from sutler.web.sent import Bell, Silence

at = APIRouter()


@at.get("/bell-worker.js")
def worker() -> FileResponse:
    """It stands at the root, so that it serves every page."""
    return FileResponse(
        pages.STATIC / "bell-worker.js", media_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


@at.post("/me/bell", status_code=204)
def ring_me(request: Request, guest: TheGuest, house: TheHouse, bell: Bell) -> Response:
    tower = _tower(house)
    if not guest.browser:
        raise Refused("This browser keeps no cookies, so nobody knows whose turn to tell it of.")
    bells.ask_for(
        house.store, browser_hash(guest.browser), push.read(bell.endpoint, bell.public, bell.auth, tower.trusted)
    )
    return Response(status_code=204)


@at.post("/me/bell/off", status_code=204)
def silence(guest: TheGuest, house: TheHouse, bell: Silence) -> Response:
    bells.leave_out(house.store, browser_hash(guest.browser), bell.endpoint)
    return Response(status_code=204)


def _tower(house: House) -> Tower:
    if house.tower is None:
        raise Lost("This house tells nobody of their turns.")
    return house.tower
