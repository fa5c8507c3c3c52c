"""Passkeys: a person is known again on another device, without a password and without an account.

py_webauthn checks what a browser brings. The house keeps public keys. The cookie by which the person's browser is known is kept
covered with a secret that only the passkey holds (its user handle), so the database alone opens nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import ipaddress
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import IntegrityError

from sutler.web.accounts.device_transfer import bring_along, covered, uncovered, whole
from sutler.web.errors import Refused, Used
from sutler.web.storage.schema import PASSKEYS
from sutler.web.storage.store import Store, aware
from sutler.web.tokens import browser_hash

LASTS = 300
"""Seconds in which one may answer a challenge."""
ASKED = "ask "
"""What the names begin with under which the house remembers challenges."""
MOST = 10
"""Passkeys a person."""
HANDLE = 32
"""Bytes of a passkey's own secret."""
KEEP, ENTER = "keep", "enter"


@dataclass(frozen=True)
class Site:
    """Where passkeys are good: the house's name, and the origin from which a browser must speak."""

    name: str
    origin: str


@dataclass(frozen=True)
class Passkey:
    """A passkey as its owner sees it."""

    id: str
    called: str
    made: datetime
    used: datetime | None


def are_there() -> bool:
    """Is what checks them installed (`sutler[passkey]`)?"""
    return importlib.util.find_spec("webauthn") is not None


def site_of(names: Sequence[str], host: str) -> Site | None:
    """The site of a request to this host, if it is a name the house goes by, with https, or this very machine's.

    None elsewhere: browsers keep no passkeys for bare addresses, and a name that nobody has told the house is anybody's.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return None
    if name == "localhost":
        return Site(name, f"http://{host}")
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(name)
        return None
    return Site(name, f"https://{name}") if name in {one.casefold() for one in names} else None


# --- What there is ------------------------------------------------------------------------------------


def passkeys(store: Store, browser: str) -> list[Passkey]:
    """The passkeys of whoever has this cookie, the oldest first."""
    kept = PASSKEYS.c
    query = select(kept.id, kept.called, kept.made, kept.used).where(kept.browser == browser_hash(browser))
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(kept.made)).all()
    return [Passkey(row.id, row.called, aware(row.made), row.used and aware(row.used)) for row in rows]


# --- Keeping ------------------------------------------------------------------------------------------


def offer(store: Store, site: Site, browser: str, name: str) -> str:
    """What a browser needs to make a passkey for whoever has this cookie: options of WebAuthn as JSON."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import AuthenticatorSelectionCriteria as Wanted
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor as Known
    from webauthn.helpers.structs import ResidentKeyRequirement as Resident
    from webauthn.helpers.structs import UserVerificationRequirement as Verified

    mine = (PASSKEYS.c.browser == browser_hash(whole(browser)), PASSKEYS.c.site == site.name)
    with store.engine.connect() as connection:
        known = list(connection.scalars(select(PASSKEYS.c.credential).where(*mine)))
    if len(known) >= MOST:
        raise Refused("{n} passkeys are enough; remove one of them first.", n=MOST)
    challenge = _challenge(store, site, KEEP, browser)
    options = generate_registration_options(
        rp_id=site.name,
        rp_name="Sutler",
        user_name=name,
        user_id=_handle(browser, challenge),
        challenge=challenge,
        timeout=LASTS * 1000,
        authenticator_selection=Wanted(resident_key=Resident.REQUIRED, user_verification=Verified.REQUIRED),
        exclude_credentials=[Known(id=one) for one in known],
    )
    return str(options_to_json(options))


def keep(store: Store, site: Site, browser: str, brought: dict[str, Any], called: str = "") -> None:
    """Keep the passkey that a browser has made. Refused, in words, where it is not what was asked for."""
    from webauthn import verify_registration_response

    challenge = _answered(store, site, KEEP, whole(browser), brought)
    with _in_words():
        made = verify_registration_response(
            credential=brought,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    person = browser_hash(browser)

    def write(connection: Connection) -> None:
        have = connection.scalar(select(func.count()).select_from(PASSKEYS).where(PASSKEYS.c.browser == person)) or 0
        row = {
            "id": _id(made.credential_id),
            "browser": person,
            "site": site.name,
            "credential": made.credential_id,
            "key": made.credential_public_key,
            "counter": made.sign_count,
            "called": called or f"Passkey {have + 1}",
            "made": store.now(),
            "covered": covered(_handle(browser, challenge), browser.encode()).hex(),
            "settings": "{}",
        }
        connection.execute(PASSKEYS.insert(), [row])

    try:
        store.write(write)
    except IntegrityError:
        raise Refused("This passkey is kept already.") from None


# --- Coming in ----------------------------------------------------------------------------------------


def question(store: Store, site: Site, here: str) -> str:
    """What a browser needs to ask for a passkey of this site, whosever it is: options of WebAuthn as JSON."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement as Verified

    challenge = _challenge(store, site, ENTER, here)
    options = generate_authentication_options(
        rp_id=site.name, challenge=challenge, timeout=LASTS * 1000, user_verification=Verified.REQUIRED
    )
    return str(options_to_json(options))


def enter(
    store: Store, site: Site, here: str, brought: dict[str, Any], bring: bool = True
) -> tuple[str, dict[str, str]]:
    """(the cookie of whoever has this passkey, their settings). Refused, in words, where it opens nothing.

    `here`: the cookie of the browser they come with; `bring`: does what it sat at come along?
    """
    from webauthn import verify_authentication_response

    challenge = _answered(store, site, ENTER, here, brought)
    with _in_words():
        id = _id(_bytes(brought["rawId"]))
        handle = _bytes(brought["response"]["userHandle"])
    kept = PASSKEYS.c
    with store.engine.connect() as connection:
        row = connection.execute(select(PASSKEYS).where(kept.id == id, kept.site == site.name)).one_or_none()
    if row is None:
        raise Refused("This house does not know this passkey. Perhaps it was removed.", status=403)
    with _in_words():
        found = verify_authentication_response(
            credential=brought,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            credential_public_key=row.key,
            credential_current_sign_count=row.counter,
            require_user_verification=True,
        )
        browser = uncovered(row.covered, handle)
        if browser_hash(browser) != row.browser:
            raise ValueError("the user handle is another's")
    same = (kept.id == id, kept.counter == row.counter)  # of two who bring the same count one is too late
    used, done = {"counter": found.new_sign_count, "used": store.now()}, []
    store.write(
        lambda connection: done.append(connection.execute(update(PASSKEYS).where(*same).values(**used)).rowcount)
    )
    if done[-1] != 1:
        raise Used("This passkey was used at the same moment elsewhere; try again.")
    if bring:
        bring_along(store, here, browser)
    return browser, dict(json.loads(row.settings))


# --- Challenges ---------------------------------------------------------------------------------------


def _challenge(store: Store, site: Site, purpose: str, browser: str) -> bytes:
    """Something new to sign, for this browser, at this site, to this end, once and soon."""
    store.drop_older(ASKED, store.now().isoformat())
    challenge = secrets.token_bytes(32)
    until = store.now() + timedelta(seconds=LASTS)
    store.remember(_name(site, purpose, browser, challenge), until.isoformat())
    return challenge


def _answered(store: Store, site: Site, purpose: str, browser: str, brought: Mapping[str, Any]) -> bytes:
    """The challenge that this answers, which answers no second time. Used where it is none, another's, or too old."""
    with _in_words():
        challenge = _bytes(json.loads(_bytes(brought["response"]["clientDataJSON"]))["challenge"])
    until = store.taken_out(_name(site, purpose, browser, challenge))
    if until is None or datetime.fromisoformat(until) < store.now():
        raise Used("This took too long, or it was done already. Try again.")
    return challenge


def _name(site: Site, purpose: str, browser: str, challenge: bytes) -> str:
    told = f"{purpose} {site.name} {browser_hash(browser)} ".encode() + challenge
    return ASKED + hashlib.sha256(told).hexdigest()[: 32 - len(ASKED)]


def _handle(browser: str, challenge: bytes) -> bytes:
    """The secret that a passkey is given to hold: made from what nobody else has, so that it need not be kept."""
    return hashlib.sha512(b"handle/" + browser.encode() + b"/" + challenge).digest()[:HANDLE]


def _id(credential: bytes) -> str:
    return hashlib.sha256(credential).hexdigest()


def _bytes(text: Any) -> bytes:
    """What WebAuthn writes in base 64. ValueError, TypeError where it is something else."""
    from webauthn import base64url_to_bytes

    return bytes(base64url_to_bytes(text))


@contextlib.contextmanager
def _in_words() -> Iterator[None]:
    """Whatever is wrong with what a browser brought is told in one sentence: it may be anything, and so may the error."""
    try:
        yield
    except Refused:
        raise
    except Exception as error:
        raise Refused("This passkey does not fit what was asked for; nothing was done.", status=403) from error
