"""A person's passkeys: one is made, one is used to come in, one is removed. Browsers bring them as JSON, by `passkeys.js`."""

import json
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response

from sutler.web.accounts import device_transfer, mail_links, passkeys
from sutler.web.accounts.passkeys import Site
from sutler.web.errors import Lost, Refused
from sutler.web.lobby import new_table
from sutler.web.routes import my_page
from sutler.web.routes.dependencies import (
    Html,
    TheGuest,
    TheHouse,
    forget_browser,
    remember,
    remember_settings,
    settings_of,
)
from sutler.web.routes.forms import Answering, Brought, OnePasskey
from sutler.web.storage.schema import PASSKEYS
from sutler.web.table.registry import House
from sutler.web.tokens import new_browser_id

at = APIRouter(prefix="/me/passkeys")


def site_of(request: Request) -> Site | None:
    """The site of a request; None where there are no passkeys."""
    host = request.headers.get("host", "")
    return passkeys.site_of(request.app.state.hosts, host) if passkeys.are_there() else None


def mail_site_of(request: Request) -> Site | None:
    """Where a link by mail leads: the house's own name, never one that a request says. None where there is none, or no mail."""
    host = request.headers.get("host", "")
    return None if request.app.state.postman is None else passkeys.site_of(request.app.state.hosts, host)


def ring_of(request: Request, house: House, browser: str) -> my_page.KeyRing:
    """What leads back to whoever has this cookie, here."""
    return my_page.KeyRing(
        known=passkeys.are_there(),
        site=site_of(request),
        keys=passkeys.passkeys(house.store, browser),
        mail=mail_site_of(request) is not None,
        mails=mail_links.mails(house.store, browser),
    )


def the_site(request: Request) -> Site:
    """The site of a request. Lost where there are no passkeys."""
    site = site_of(request)
    if site is None:
        raise Lost("This house keeps no passkeys: it was not told its name, or does not have what checks them.")
    return site


Here: TypeAlias = Annotated[Site, Depends(the_site)]


def _json(options: str) -> Response:
    return Response(options, media_type="application/json")


@at.post("/offer")
def offer(guest: TheGuest, house: TheHouse, site: Here) -> Response:
    """What a browser needs to make a passkey."""
    browser = guest.browser or new_browser_id()
    name = guest.name or new_table.name_for(browser)
    response = _json(passkeys.offer(house.store, site, browser, name))
    if not guest.browser:
        remember(response, browser=browser)
    return response


@at.post("")
def keep(request: Request, guest: TheGuest, house: TheHouse, site: Here, brought: Brought) -> Response:
    """A passkey that a browser has made is kept."""
    passkeys.keep(house.store, site, guest.browser, brought.credential, brought.called)
    device_transfer.note_settings(house.store, guest.browser, settings_of(request))
    return _json(json.dumps({"to": "/me"}))


@at.post("/question")
def question(guest: TheGuest, house: TheHouse, site: Here) -> Response:
    """What a browser needs to ask for a passkey."""
    browser = guest.browser or new_browser_id()
    response = _json(passkeys.question(house.store, site, browser))
    if not guest.browser:
        remember(response, browser=browser)
    return response


@at.post("/enter")
def enter(guest: TheGuest, house: TheHouse, site: Here, brought: Answering) -> Response:
    """Whoever has a passkey is from now on known by this browser too."""
    browser, settings = passkeys.enter(house.store, site, guest.browser, brought.credential, brought.bring)
    response = _json(json.dumps({"to": "/me"}))
    remember(response, browser=browser)
    remember_settings(response, settings)
    return response


@at.post("/remove", response_class=Html, status_code=303)
def remove(guest: TheGuest, house: TheHouse, form: Annotated[OnePasskey, Form()]) -> Response:
    device_transfer.remove(house.store, PASSKEYS, guest.browser, form.key)
    return RedirectResponse("/me", status_code=303)


@at.post("/leave", response_class=Html, status_code=303)
def leave(request: Request, guest: TheGuest, house: TheHouse) -> Response:
    """This browser is nobody's any more: for somebody else's machine. Only where a passkey or a mail address leads back."""
    if not ring_of(request, house, guest.browser).leads_back:
        raise Refused("Nothing would lead back to your tables; keep them with a passkey or a mail address first.")
    response = RedirectResponse("/", status_code=303)
    forget_browser(response)
    return response
