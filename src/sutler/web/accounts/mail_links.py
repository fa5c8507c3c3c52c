"""A link by mail: a person is known again on another device, without a password and without an account.

Of an address only a digest is kept that is slow to make and made with the house's key. The cookie by which the person's browser is
known is covered with what the address itself yields. Whoever asks for a link is told the same and waits for the same whether the
address is known or not; what is known shows only to who reads the mail, and only in the browser that asked.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import logging
import re
import secrets
from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from smtplib import SMTPResponseException
from typing import TYPE_CHECKING

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from sutler.core.language import _
from sutler.web.accounts.device_transfer import bring_along, covered, uncovered, whole
from sutler.web.accounts.mailer import Post, post_of
from sutler.web.errors import Refused, TooMany, Used
from sutler.web.jobs.queue import HINT
from sutler.web.rate_limits import Limits, Rate
from sutler.web.storage.schema import MAILS
from sutler.web.storage.store import Store, aware
from sutler.web.tokens import browser_hash

if TYPE_CHECKING:
    from sutler.web.table.registry import House

LOG = logging.getLogger("sutler.web")
LASTS = 1200
"""Seconds in which a link can be opened."""
KEPT = "mail "
"""What the names begin with under which the house remembers links."""
MOST = 3
"""Addresses a person."""
COST = 2**14
"""How slow the digest is: some 50 ms and 16 MB, each time somebody guesses an address."""
RATES = {"address": Rate(3, 1200.0), "house": Rate(60, 10.0)}
"""Mails to one address, whoever asks, and of the whole house: three at once, then one every 20 minutes; 60, then one every 10 s."""
_ADDRESS = re.compile(r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+")


@dataclass
class Postman:
    """What a house sends links with: its post, and how much it may send."""

    post: Post
    limits: Limits = field(default_factory=lambda: Limits(rates=dict(RATES)))


def postman_of(settings: Mapping[str, str]) -> Postman | None:
    """The postman of a house whose environment says by whom it sends mail; None where it says nothing. ValueError, in words."""
    found = post_of(settings)
    return Postman(found) if found is not None else None


@dataclass(frozen=True)
class Kept:
    """A mail address as its owner sees it: that there is one. Nobody can say any more which."""

    id: str
    made: datetime
    used: datetime | None


# --- Asking -------------------------------------------------------------------------------------------


def read(text: str) -> str:
    """A mail address as everybody writes it. Refused for what is none, or what the house cannot write to."""
    name, at, domain = text.strip().rpartition("@")
    with contextlib.suppress(UnicodeError):
        found = f"{name}{at}{domain.encode('idna').decode()}".lower()
        if len(found) <= 200 and _ADDRESS.fullmatch(found):
            return found
    raise Refused("This is no mail address that the house can write to.")


def ask(house: House, postman: Postman, origin: str, browser: str, address: str) -> None:
    """Have a link sent, for whoever has this cookie. What is done for it is done later, the same for every address.

    `origin`: the house's own, from its settings and never from a request.
    """
    to, here = read(address), copy_context()
    whole(browser)
    if postman.limits.wait("", "house"):
        raise TooMany("The house sends no more mail just now; try again in a few minutes.")
    house.errands.add(lambda: here.run(_send, house.store, postman, origin, browser, to), HINT)


def _send(store: Store, postman: Postman, origin: str, browser: str, to: str) -> None:
    yields = _yielded(store, to)
    if postman.limits.wait(_id(yields), "address"):
        LOG.info("a mail was not sent: its address was sent many")
        return
    store.drop_older(KEPT, store.now().isoformat())
    token = secrets.token_urlsafe(24)
    until = store.now() + timedelta(seconds=LASTS)
    store.remember(_name(token, browser), f"{until.isoformat()} {covered(token.encode(), yields).hex()}")
    try:
        postman.post.send(to, _("Your link to Sutler"), _letter(f"{origin}/me/mail/{token}"))
    except Exception as error:  # what it says may hold the address
        code = error.smtp_code if isinstance(error, SMTPResponseException) else ""
        LOG.warning("a mail could not be sent: %s %s", type(error).__name__, code)


def _letter(link: str) -> str:
    asked = _("Somebody, you we hope, asked for a link by which Sutler keeps your tables or brings them back:")
    how = _(
        "It works once, within twenty minutes, in the browser in which it was asked for. If it opens elsewhere, copy it there."
    )
    other = _("If it was not you, do nothing. Nobody comes to anything of yours without this link.")
    return f"{asked}\n\n{link}\n\n{how}\n\n{other}\n"


# --- Opening ------------------------------------------------------------------------------------------


def is_good(store: Store, token: str, browser: str) -> bool:
    """Would this link open something in this browser?"""
    return _still(store, store.remembered(_name(token, browser))) is not None


def opened(
    store: Store, token: str, here: str, settings: Mapping[str, str], bring: bool = True
) -> tuple[str, dict[str, str]]:
    """(the cookie of whoever has this address, their settings); a new address is kept for whoever asked. Used where the link is no good.

    `here`: the cookie of the browser; `settings`: how its owner likes it; `bring`: does what it sat at come along?
    """
    found = _still(store, store.taken_out(_name(token, whole(here))))
    if found is None:
        raise Used(
            "This link opens nothing: it works once, for twenty minutes, and only in the browser that asked for it."
        )
    yields = covered(token.encode(), bytes.fromhex(found))
    query = select(MAILS.c.covered, MAILS.c.settings).where(MAILS.c.id == _id(yields))
    with store.engine.connect() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        _keep(store, yields, here, settings)
        return here, {}
    browser = uncovered(row.covered, yields)
    used = update(MAILS).where(MAILS.c.id == _id(yields)).values(used=store.now())
    store.write(lambda connection: connection.execute(used))
    if bring:
        bring_along(store, here, browser)
    return browser, dict(json.loads(row.settings))


def _keep(store: Store, yields: bytes, browser: str, settings: Mapping[str, str]) -> None:
    """From now on this address leads to whoever has this cookie."""
    if len(mails(store, browser)) >= MOST:
        raise Refused("{n} mail addresses are enough; remove one of them first.", n=MOST)
    row = {
        "id": _id(yields),
        "browser": browser_hash(browser),
        "covered": covered(yields, browser.encode()).hex(),
        "settings": json.dumps(dict(settings)),
        "made": store.now(),
    }
    try:
        store.write(lambda connection: connection.execute(MAILS.insert(), [row]))
    except IntegrityError:
        raise Used("This address was kept at the same moment elsewhere; ask for another link.") from None


def _still(store: Store, kept: str | None) -> str | None:
    """What a link was kept with, if it is not too old."""
    until, _space, found = (kept or "").partition(" ")
    return found if kept and datetime.fromisoformat(until) >= store.now() else None


# --- What there is ------------------------------------------------------------------------------------


def mails(store: Store, browser: str) -> list[Kept]:
    """The addresses of whoever has this cookie, the oldest first."""
    kept = MAILS.c
    query = select(kept.id, kept.made, kept.used).where(kept.browser == browser_hash(browser)).order_by(kept.made)
    with store.engine.connect() as connection:
        return [Kept(row.id, aware(row.made), row.used and aware(row.used)) for row in connection.execute(query)]


def _yielded(store: Store, address: str) -> bytes:
    """What an address yields, with the house's key: 32 bytes that nobody makes quickly."""
    salt = hmac.new(store.key(), b"mail/salt", hashlib.sha256).digest()
    return hashlib.scrypt(address.encode(), salt=salt, n=COST, r=8, p=1, dklen=32)


def _id(yields: bytes) -> str:
    return hashlib.sha256(b"id/" + yields).hexdigest()


def _name(token: str, browser: str) -> str:
    told = f"{browser_hash(browser)} {token}".encode()
    return KEPT + hashlib.sha256(told).hexdigest()[: 32 - len(KEPT)]
