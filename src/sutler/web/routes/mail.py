"""Routes for links by mail: ask for one, open it, remove an address. Only where the server sends mail and knows its own name."""

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response

from sutler.core.text.language import _
from sutler.web.accounts import device_transfer, mail_links
from sutler.web.accounts.passkeys import Site
from sutler.web.errors import Lost, RequestError, Used
from sutler.web.root_path import get_root_path
from sutler.web.routes.dependencies import (
    Html,
    TheGuest,
    TheHouse,
    read_settings,
    set_identity_cookies,
    set_settings_cookies,
)
from sutler.web.routes.forms import MailAddressForm, OpenLinkForm, RemoveMailForm
from sutler.web.routes.lobby import respond_with_my_page
from sutler.web.routes.passkey import get_mail_site
from sutler.web.storage.schema import MAILS
from sutler.web.tokens import draw_browser_id
from sutler.web.view import jinja_templates

at = APIRouter(prefix="/me/mail")


def _require_mail_site(request: Request) -> Site:
    """The site that links lead to. Raises Lost where the server sends no mail, or does not go by the name in the request."""
    site = get_mail_site(request)
    if site is None:
        raise Lost("This house sends no mail.")
    return site


Here: TypeAlias = Annotated[Site, Depends(_require_mail_site)]


@at.post("", response_class=Html)
def request_mail_link(
    request: Request, guest: TheGuest, house: TheHouse, site: Here, form: Annotated[MailAddressForm, Form()]
) -> Response:
    """Send a link to a mail address. The answer is the same whether the address is known or not."""
    browser = guest.browser or draw_browser_id()
    status, told = (
        200,
        _("If mail reaches this address, a link is on its way. Open it in this browser, within twenty minutes."),
    )
    try:
        mail_links.request_link(
            house.store, house.outgoing, request.app.state.postman, site.origin + get_root_path(), browser, form.address
        )
    except RequestError as trouble:
        status, told = trouble.status, trouble.text
    response = respond_with_my_page(request, guest, house, browser, status, notice=told)
    if not guest.browser:
        set_identity_cookies(response, browser=browser)
    return response


@at.post("/remove", response_class=Html, status_code=303)
def remove_address(guest: TheGuest, house: TheHouse, form: Annotated[RemoveMailForm, Form()]) -> Response:
    """Delete one of the person's mail addresses."""
    device_transfer.remove_sign_in_method(house.store, MAILS, guest.browser, form.address)
    return RedirectResponse("/me", status_code=303)


@at.get("/{token}", response_class=Html)
def show_mail_link(guest: TheGuest, house: TheHouse, site: Here, token: str) -> Html:
    """Show a button that opens the link. This request changes nothing, because mail programs open links before people do."""
    is_good = mail_links.is_link_valid(house.store, token, guest.browser)
    text = jinja_templates.render(
        "maillink.html", is_good=is_good, token=token, theme=guest.theme, sprite=jinja_templates.sprite_url(), site=site
    )
    return Html(text, status_code=200 if is_good else Used.status)


@at.post("/{token}", response_class=Html, status_code=303)
def open_mail_link(
    request: Request, guest: TheGuest, house: TheHouse, site: Here, token: str, form: Annotated[OpenLinkForm, Form()]
) -> Response:
    """Sign in: from now on this browser is known as the person to whom the mail was sent."""
    browser, settings = mail_links.open_link(
        house.store, token, guest.browser, read_settings(request), bool(form.bring)
    )
    response = RedirectResponse("/me", status_code=303)
    set_identity_cookies(response, browser=browser)
    set_settings_cookies(response, settings)
    return response
