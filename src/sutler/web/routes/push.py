"""Routes for push notices: a browser subscribes or unsubscribes, and fetches the service worker that receives them."""

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response

from sutler.web.accounts import web_push
from sutler.web.errors import Lost, Refused
from sutler.web.routes.dependencies import TheGuest, TheHouse
from sutler.web.routes.forms import PushSubscription, PushUnsubscription
from sutler.web.table.people import turn_notices
from sutler.web.table.people.turn_notices import Notifier
from sutler.web.table.registry import House
from sutler.web.tokens import hash_browser
from sutler.web.view import jinja_templates

at = APIRouter()


@at.get("/bell-worker.js")
def serve_service_worker() -> FileResponse:
    """The service worker's script, at the root of the site so that it serves every page."""
    return FileResponse(
        jinja_templates.STATIC / "bell-worker.js", media_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


@at.post("/me/bell", status_code=204)
def subscribe(request: Request, guest: TheGuest, house: TheHouse, bell: PushSubscription) -> Response:
    """Subscribe this browser to notices of its person's turns. Raises Refused where it keeps no cookies."""
    notifier = _require_notifier(house)
    if not guest.browser:
        raise Refused("This browser keeps no cookies, so nobody knows whose turn to tell it of.")
    turn_notices.store_subscription(
        house.store,
        hash_browser(guest.browser),
        web_push.parse_subscription(bell.endpoint, bell.public, bell.auth, notifier.trusted),
    )
    return Response(status_code=204)


@at.post("/me/bell/off", status_code=204)
def unsubscribe(guest: TheGuest, house: TheHouse, bell: PushUnsubscription) -> Response:
    """Unsubscribe this browser from notices."""
    turn_notices.delete_subscription(house.store, hash_browser(guest.browser), bell.endpoint)
    return Response(status_code=204)


def _require_notifier(house: House) -> Notifier:
    """The server's sender of notices. Raises Lost where it has none."""
    if house.notifier is None:
        raise Lost("This house tells nobody of their turns.")
    return house.notifier
