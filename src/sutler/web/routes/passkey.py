"""Routes for a person's passkeys: make one, sign in with one, remove one. Browsers send them as JSON (`passkeys.js`)."""

import json
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response

from sutler.web.accounts import device_transfer, mail_links, passkeys
from sutler.web.accounts.passkeys import Site
from sutler.web.errors import Lost, Refused
from sutler.web.lobby import new_table
from sutler.web.root_path import get_root_path
from sutler.web.routes import my_page
from sutler.web.routes.dependencies import (
    Html,
    TheGuest,
    TheHouse,
    delete_identity_cookies,
    read_settings,
    set_identity_cookies,
    set_settings_cookies,
)
from sutler.web.routes.forms import NewPasskey, PasskeyAnswer, PasskeyForm
from sutler.web.storage.schema import PASSKEYS
from sutler.web.table.registry import House
from sutler.web.tokens import draw_browser_id

at = APIRouter(prefix="/me/passkeys")


def get_passkey_site(request: Request) -> Site | None:
    """The site of a request, for which passkeys are valid; None where passkeys cannot be used."""
    host = request.headers.get("host", "")
    return passkeys.find_site(request.app.state.hosts, host) if passkeys.are_passkeys_available() else None


def get_mail_site(request: Request) -> Site | None:
    """The site that links by mail lead to: the server's own name, never one from the request. None where the server sends no mail."""
    host = request.headers.get("host", "")
    return None if request.app.state.postman is None else passkeys.find_site(request.app.state.hosts, host)


def list_ways_back(request: Request, house: House, browser: str) -> my_page.WaysBack:
    """The passkeys and mail addresses of the person with this cookie, and which of the two the server supports."""
    return my_page.WaysBack(
        known=passkeys.are_passkeys_available(),
        site=get_passkey_site(request),
        keys=passkeys.list_passkeys(house.store, browser),
        mail=get_mail_site(request) is not None,
        mails=mail_links.list_addresses(house.store, browser),
    )


def require_passkey_site(request: Request) -> Site:
    """The site of a request. Raises Lost where passkeys cannot be used."""
    site = get_passkey_site(request)
    if site is None:
        raise Lost("This house keeps no passkeys: it was not told its name, or does not have what checks them.")
    return site


Here: TypeAlias = Annotated[Site, Depends(require_passkey_site)]


def _json_response(options: str) -> Response:
    """A response with this JSON."""
    return Response(options, media_type="application/json")


@at.post("/offer")
def send_registration_options(guest: TheGuest, house: TheHouse, site: Here) -> Response:
    """Answer with the options for making a passkey, as JSON."""
    browser = guest.browser or draw_browser_id()
    name = guest.name or new_table.make_default_name(browser)
    response = _json_response(passkeys.create_registration_options(house.store, site, browser, name))
    if not guest.browser:
        set_identity_cookies(response, browser=browser)
    return response


@at.post("")
def store_new_passkey(request: Request, guest: TheGuest, house: TheHouse, site: Here, brought: NewPasskey) -> Response:
    """Store a passkey that the browser has made."""
    passkeys.store_passkey(house.store, site, guest.browser, brought.credential, brought.called)
    device_transfer.store_settings(house.store, guest.browser, read_settings(request))
    return _json_response(json.dumps({"to": f"{get_root_path()}/me"}))


@at.post("/question")
def send_sign_in_options(guest: TheGuest, house: TheHouse, site: Here) -> Response:
    """Answer with the options for signing in with a passkey, as JSON."""
    browser = guest.browser or draw_browser_id()
    response = _json_response(passkeys.create_sign_in_options(house.store, site, browser))
    if not guest.browser:
        set_identity_cookies(response, browser=browser)
    return response


@at.post("/enter")
def sign_in_by_passkey(guest: TheGuest, house: TheHouse, site: Here, brought: PasskeyAnswer) -> Response:
    """Sign in: from now on this browser is known as the passkey's owner."""
    browser, settings = passkeys.sign_in(house.store, site, guest.browser, brought.credential, brought.bring)
    response = _json_response(json.dumps({"to": f"{get_root_path()}/me"}))
    set_identity_cookies(response, browser=browser)
    set_settings_cookies(response, settings)
    return response


@at.post("/remove", response_class=Html, status_code=303)
def remove_passkey(guest: TheGuest, house: TheHouse, form: Annotated[PasskeyForm, Form()]) -> Response:
    """Delete one of the person's passkeys."""
    device_transfer.remove_sign_in_method(house.store, PASSKEYS, guest.browser, form.key)
    return RedirectResponse("/me", status_code=303)


@at.post("/leave", response_class=Html, status_code=303)
def sign_out(request: Request, guest: TheGuest, house: TheHouse) -> Response:
    """Delete the cookies by which this browser is known, for a machine that others use too.

    Raises Refused unless a passkey or a mail address leads back to the person's tables.
    """
    if not list_ways_back(request, house, guest.browser).leads_back:
        raise Refused("Nothing would lead back to your tables; keep them with a passkey or a mail address first.")
    response = RedirectResponse("/", status_code=303)
    delete_identity_cookies(response)
    return response
