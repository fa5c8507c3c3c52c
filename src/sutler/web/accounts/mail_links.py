"""Links by mail, by which a person is known again on another device, without a password or an account.

Of an address only a digest is stored, which is slow to compute and needs the server's key. The cookie by which the person's browser is
known is encrypted under a secret computed from the address. A request for a link is answered with the same text in the same time
whether the address is known or not; only the person who reads the mail can tell, and only in the browser that asked.
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

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from sutler.core.text.language import _
from sutler.web.accounts.device_transfer import decrypt_cookie_chain, move_person, require_cookie
from sutler.web.accounts.encryption import decrypt, encrypt
from sutler.web.accounts.mailer import SmtpServer, smtp_server_from_env
from sutler.web.errors import Refused, TooMany, Used
from sutler.web.jobs.job_queue import HINT_LANE, JobQueue
from sutler.web.rate_limits import Limits, Rate
from sutler.web.storage.schema import MAILS
from sutler.web.storage.store import Store, ensure_utc
from sutler.web.tokens import hash_browser

LOG = logging.getLogger("sutler.web")
LINK_TTL_S = 1200
"""Seconds for which a link can be opened."""
NAME_PREFIX = "mail "
"""The beginning of the names under which links are stored."""
MAX_ADDRESSES = 3
"""The most mail addresses of one person."""
SCRYPT_N = 2**14
"""The cost of the digest: about 50 ms and 16 MB for each guess of an address."""
RATES = {"address": Rate(3, 1200.0), "house": Rate(60, 10.0)}
"""Limits on mails: to one address 3 at once, then one every 20 minutes, whoever asks; from the whole server 60, then one every 10 s."""
_ADDRESS = re.compile(r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+")


@dataclass
class LinkMailer:
    """The mail server that links are sent by, and the limits on sending them."""

    post: SmtpServer
    limits: Limits = field(default_factory=lambda: Limits(rates=dict(RATES)))


def link_mailer_from_env(settings: Mapping[str, str]) -> LinkMailer | None:
    """The mailer that these environment variables name; None where they name none.

    Raises ValueError, with an error message, for bad settings.
    """
    found = smtp_server_from_env(settings)
    return LinkMailer(found) if found is not None else None


@dataclass(frozen=True)
class StoredAddress:
    """A stored mail address as its owner sees it: when it was added and used. The address itself is not stored."""

    id: str
    made: datetime
    used: datetime | None


# --- Requesting a link --------------------------------------------------------------------------------


def parse_address(text: str) -> str:
    """The mail address in normal form. Raises Refused for text that is no address, or one that mail cannot be sent to."""
    name, at, domain = text.strip().rpartition("@")
    with contextlib.suppress(UnicodeError):
        found = f"{name}{at}{domain.encode('idna').decode()}".lower()
        if len(found) <= 200 and _ADDRESS.fullmatch(found):
            return found
    raise Refused("This is no mail address that the house can write to.")


def request_link(store: Store, jobs: JobQueue, mailer: LinkMailer, origin: str, browser: str, address: str) -> None:
    """Send a link to an address, for the person whose browser has this cookie. Raises TooMany where the server has sent too much mail.

    `origin`: the server's own address (scheme and host), from its settings and never from the request. The work is queued, so that the
    answer takes the same time for every address.
    """
    to, here = parse_address(address), copy_context()
    require_cookie(browser)
    if mailer.limits.count_request("", "house"):
        raise TooMany("The house sends no more mail just now; try again in a few minutes.")
    jobs.add_job(lambda: here.run(_send_link, store, mailer, origin, browser, to), HINT_LANE)


def _send_link(store: Store, mailer: LinkMailer, origin: str, browser: str, address: str) -> None:
    """Send a new link to the address, and store it for the person with this cookie; do nothing where the address was sent too many."""
    secret = _derive_address_secret(store, address)
    if mailer.limits.count_request(_hash_address_secret(secret), "address"):
        LOG.info("a mail was not sent: its address was sent many")
        return
    store.drop_expired()
    token = secrets.token_urlsafe(24)
    until = store.now() + timedelta(seconds=LINK_TTL_S)
    store.set_value(_link_key(token, browser), f"{until.isoformat()} {encrypt(token.encode(), secret.hex())}")
    try:
        mailer.post.send_mail(address, _("Your link to Sutler"), _format_mail(f"{origin}/me/mail/{token}"))
    except Exception as error:  # the error's text may hold the address, so it is not logged
        code = error.smtp_code if isinstance(error, SMTPResponseException) else ""
        LOG.warning("a mail could not be sent: %s %s", type(error).__name__, code)


def _format_mail(link: str) -> str:
    """The text of the mail that carries a link."""
    asked = _("Somebody, you we hope, asked for a link by which Sutler keeps your tables or brings them back:")
    how = _(
        "It works once, within twenty minutes, in the browser in which it was asked for. If it opens elsewhere, copy it there."
    )
    other = _("If it was not you, do nothing. Nobody comes to anything of yours without this link.")
    return f"{asked}\n\n{link}\n\n{how}\n\n{other}\n"


# --- Opening a link -----------------------------------------------------------------------------------


def is_link_valid(store: Store, token: str, browser: str) -> bool:
    """Is this link valid in this browser (its cookie)?"""
    return _parse_unless_expired(store, store.get_value(_link_key(token, browser))) is not None


def open_link(
    store: Store, token: str, current_cookie: str, settings: Mapping[str, str], move_tables: bool = True
) -> tuple[str, dict[str, str]]:
    """(the cookie of the person to whom this link's address belongs, that person's settings).

    `current_cookie`: the cookie of this browser; `settings`: those of the person who uses it; `move_tables`: are the tables of this
    browser moved to the owner of the address? Raises Used where the link is not valid.
    """
    found = _parse_unless_expired(store, store.pop_value(_link_key(token, require_cookie(current_cookie))))
    if found is None:
        raise Used(
            "This link opens nothing: it works once, for twenty minutes, and only in the browser that asked for it."
        )
    secret = bytes.fromhex(decrypt(token.encode(), found))
    query = select(MAILS.c.covered, MAILS.c.settings).where(MAILS.c.id == _hash_address_secret(secret))
    with store.engine.connect() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        _store_address(store, secret, current_cookie, settings)
        return current_cookie, {}
    browser = decrypt_cookie_chain(row.covered, secret)
    used = (
        update(MAILS)
        .where(MAILS.c.id == _hash_address_secret(secret))
        .values(used=store.now(), covered=encrypt(secret, browser))
    )
    store.run_in_transaction(lambda connection: connection.execute(used))
    if move_tables:
        move_person(store, current_cookie, browser)
    return browser, dict(json.loads(row.settings))


def _store_address(store: Store, secret: bytes, browser: str, settings: Mapping[str, str]) -> None:
    """Store an address for the person with this cookie. Raises Refused where they have too many, Used where it was stored meanwhile."""
    if len(list_addresses(store, browser)) >= MAX_ADDRESSES:
        raise Refused("{n} mail addresses are enough; remove one of them first.", n=MAX_ADDRESSES)
    row = {
        "id": _hash_address_secret(secret),
        "browser": hash_browser(browser),
        "covered": encrypt(secret, browser),
        "settings": json.dumps(dict(settings)),
        "made": store.now(),
    }
    try:
        store.run_in_transaction(lambda connection: connection.execute(MAILS.insert(), [row]))
    except IntegrityError:
        raise Used("This address was kept at the same moment elsewhere; ask for another link.") from None


def _parse_unless_expired(store: Store, stored: str | None) -> str | None:
    """The data stored with a link; None where no data are stored or the link has expired."""
    until, _space, found = (stored or "").partition(" ")
    return found if stored and datetime.fromisoformat(until) >= store.now() else None


# --- Stored addresses ---------------------------------------------------------------------------------


def list_addresses(store: Store, browser: str) -> list[StoredAddress]:
    """The stored addresses of the person whose browser has this cookie, oldest first."""
    kept = MAILS.c
    query = select(kept.id, kept.made, kept.used).where(kept.browser == hash_browser(browser)).order_by(kept.made)
    with store.engine.connect() as connection:
        return [
            StoredAddress(row.id, ensure_utc(row.made), row.used and ensure_utc(row.used))
            for row in connection.execute(query)
        ]


def _derive_address_secret(store: Store, address: str) -> bytes:
    """The secret computed from an address with the server's key: 32 bytes that are slow to compute."""
    salt = hmac.new(store.get_server_key(), b"mail/salt", hashlib.sha256).digest()
    return hashlib.scrypt(address.encode(), salt=salt, n=SCRYPT_N, r=8, p=1, dklen=32)


def _hash_address_secret(secret: bytes) -> str:
    """The digest under which an address is stored. `secret`: computed from the address (`_derive_address_secret`)."""
    return hashlib.sha256(b"id/" + secret).hexdigest()


def _link_key(token: str, browser: str) -> str:
    """The name under which a link is stored; it depends on the browser's cookie, so that no other browser can open the link."""
    told = f"{hash_browser(browser)} {token}".encode()
    return NAME_PREFIX + hashlib.sha256(told).hexdigest()[: 32 - len(NAME_PREFIX)]
