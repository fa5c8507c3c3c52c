"""Passkeys, by which a person is known again on another device, without a password or an account.

py_webauthn checks the data that a browser sends. The database holds public keys; the cookie by which the person's browser is known is
encrypted under a secret that only the passkey holds (its user handle), so the database alone gives no access.
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

from sutler.web.accounts.device_transfer import decrypt_cookie_chain, move_person, require_cookie
from sutler.web.accounts.encryption import encrypt
from sutler.web.errors import Refused, Used
from sutler.web.storage.schema import PASSKEYS
from sutler.web.storage.store import Store, ensure_utc
from sutler.web.tokens import hash_browser

CHALLENGE_TTL_S = 300
"""Seconds within which a challenge must be answered."""
NAME_PREFIX = "ask "
"""The beginning of the names under which challenges are stored."""
MAX_PASSKEYS = 10
"""The most passkeys of one person."""
HANDLE_BYTES = 32
"""Length of a passkey's user handle, which is its secret."""
KEEP, ENTER = "keep", "enter"


@dataclass(frozen=True)
class Site:
    """A site for which passkeys are made: its host name, and the origin that a browser must report."""

    name: str
    origin: str


@dataclass(frozen=True)
class Passkey:
    """A passkey as its owner sees it: its id, the name it has, when it was made and last used."""

    id: str
    called: str
    made: datetime
    used: datetime | None


def are_passkeys_available() -> bool:
    """Is the library that checks passkeys installed (`sutler[passkey]`)?"""
    return importlib.util.find_spec("webauthn") is not None


def find_site(names: Sequence[str], host: str) -> Site | None:
    """The site of a request to this host: one of the server's own `names` under https, or localhost; None for any other.

    Browsers keep no passkeys for IP addresses, and a name that is not the server's own may lead to anybody.
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


# --- Stored passkeys ----------------------------------------------------------------------------------


def list_passkeys(store: Store, browser: str) -> list[Passkey]:
    """The passkeys of the person whose browser has this cookie, oldest first."""
    kept = PASSKEYS.c
    query = select(kept.id, kept.called, kept.made, kept.used).where(kept.browser == hash_browser(browser))
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(kept.made)).all()
    return [Passkey(row.id, row.called, ensure_utc(row.made), row.used and ensure_utc(row.used)) for row in rows]


# --- Making and storing a passkey ---------------------------------------------------------------------


def create_registration_options(store: Store, site: Site, browser: str, name: str) -> str:
    """The WebAuthn options, as JSON, for making a passkey for the person whose browser has this cookie.

    Raises Refused where they have too many.

    `name`: the person's name, as the browser shows it.
    """
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import AuthenticatorSelectionCriteria as Wanted
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor as Known
    from webauthn.helpers.structs import ResidentKeyRequirement as Resident
    from webauthn.helpers.structs import UserVerificationRequirement as Verified

    mine = (PASSKEYS.c.browser == hash_browser(require_cookie(browser)), PASSKEYS.c.site == site.name)
    with store.engine.connect() as connection:
        known = list(connection.scalars(select(PASSKEYS.c.credential).where(*mine)))
    if len(known) >= MAX_PASSKEYS:
        raise Refused("{n} passkeys are enough; remove one of them first.", n=MAX_PASSKEYS)
    challenge = _create_challenge(store, site, KEEP, browser)
    options = generate_registration_options(
        rp_id=site.name,
        rp_name="Sutler",
        user_name=name,
        user_id=_derive_user_handle(browser, challenge),
        challenge=challenge,
        timeout=CHALLENGE_TTL_S * 1000,
        authenticator_selection=Wanted(resident_key=Resident.REQUIRED, user_verification=Verified.REQUIRED),
        exclude_credentials=[Known(id=one) for one in known],
    )
    return str(options_to_json(options))


def store_passkey(store: Store, site: Site, browser: str, browser_answer: dict[str, Any], label: str = "") -> None:
    """Check and store a passkey that a browser has made. Raises Refused where it does not answer the challenge.

    `browser`: its cookie; `browser_answer`: the browser's answer; `label`: a name for the passkey.
    """
    from webauthn import verify_registration_response

    challenge = _consume_challenge(store, site, KEEP, require_cookie(browser), browser_answer)
    with _errors_as_refused():
        made = verify_registration_response(
            credential=browser_answer,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    person = hash_browser(browser)

    def write(connection: Connection) -> None:
        """Insert the passkey within one transaction. Raises Refused where the person has too many."""
        have = connection.scalar(select(func.count()).select_from(PASSKEYS).where(PASSKEYS.c.browser == person)) or 0
        row = {
            "id": _hash_credential(made.credential_id),
            "browser": person,
            "site": site.name,
            "credential": made.credential_id,
            "key": made.credential_public_key,
            "counter": made.sign_count,
            "called": label or f"Passkey {have + 1}",
            "made": store.now(),
            "covered": encrypt(_derive_user_handle(browser, challenge), browser),
            "settings": "{}",
        }
        connection.execute(PASSKEYS.insert(), [row])

    try:
        store.run_in_transaction(write)
    except IntegrityError:
        raise Refused("This passkey is kept already.") from None


# --- Signing in ---------------------------------------------------------------------------------------


def create_sign_in_options(store: Store, site: Site, current_cookie: str) -> str:
    """The WebAuthn options, as JSON, for signing in with any passkey of this site. `current_cookie`: the cookie of this browser."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement as Verified

    challenge = _create_challenge(store, site, ENTER, current_cookie)
    options = generate_authentication_options(
        rp_id=site.name, challenge=challenge, timeout=CHALLENGE_TTL_S * 1000, user_verification=Verified.REQUIRED
    )
    return str(options_to_json(options))


def sign_in(
    store: Store, site: Site, current_cookie: str, browser_answer: dict[str, Any], move_tables: bool = True
) -> tuple[str, dict[str, str]]:
    """(the cookie of the passkey's owner, their settings). Raises Refused where the passkey is unknown or does not answer the challenge.

    `current_cookie`: the cookie of this browser; `browser_answer`: its answer to the challenge; `move_tables`: are the tables of this
    browser moved to the passkey's owner?
    """
    from webauthn import verify_authentication_response

    challenge = _consume_challenge(store, site, ENTER, current_cookie, browser_answer)
    with _errors_as_refused():
        id = _hash_credential(_decode_base64url(browser_answer["rawId"]))
        handle = _decode_base64url(browser_answer["response"]["userHandle"])
    kept = PASSKEYS.c
    with store.engine.connect() as connection:
        row = connection.execute(select(PASSKEYS).where(kept.id == id, kept.site == site.name)).one_or_none()
    if row is None:
        raise Refused("This house does not know this passkey. Perhaps it was removed.", status=403)
    with _errors_as_refused():
        found = verify_authentication_response(
            credential=browser_answer,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            credential_public_key=row.key,
            credential_current_sign_count=row.counter,
            require_user_verification=True,
        )
        browser = decrypt_cookie_chain(row.covered, handle)
        if hash_browser(browser) != row.browser:
            raise ValueError("the user handle is another's")
    # if two sign in with the same counter at once, only one succeeds
    same = (kept.id == id, kept.counter == row.counter)
    used: dict[str, Any] = {"counter": found.new_sign_count, "used": store.now(), "covered": encrypt(handle, browser)}
    done: list[int] = []
    store.run_in_transaction(
        lambda connection: done.append(connection.execute(update(PASSKEYS).where(*same).values(**used)).rowcount)
    )
    if done[-1] != 1:
        raise Used("This passkey was used at the same moment elsewhere; try again.")
    if move_tables:
        move_person(store, current_cookie, browser)
    return browser, dict(json.loads(row.settings))


# --- Challenges ---------------------------------------------------------------------------------------


def _create_challenge(store: Store, site: Site, purpose: str, browser: str) -> bytes:
    """Random bytes to sign, stored for this browser, site and purpose; valid once and for CHALLENGE_TTL_S."""
    store.drop_expired()
    challenge = secrets.token_bytes(32)
    until = store.now() + timedelta(seconds=CHALLENGE_TTL_S)
    store.set_value(_challenge_key(site, purpose, browser, challenge), until.isoformat())
    return challenge


def _consume_challenge(
    store: Store, site: Site, purpose: str, browser: str, browser_answer: Mapping[str, Any]
) -> bytes:
    """The challenge that a browser has answered, which is deleted. Raises Used where it is unknown, another browser's, or too old."""
    with _errors_as_refused():
        challenge = _decode_base64url(
            json.loads(_decode_base64url(browser_answer["response"]["clientDataJSON"]))["challenge"]
        )
    until = store.pop_value(_challenge_key(site, purpose, browser, challenge))
    if until is None or datetime.fromisoformat(until) < store.now():
        raise Used("This took too long, or it was done already. Try again.")
    return challenge


def _challenge_key(site: Site, purpose: str, browser: str, challenge: bytes) -> str:
    """The name under which a challenge is stored; it depends on site, purpose and the browser's cookie."""
    told = f"{purpose} {site.name} {hash_browser(browser)} ".encode() + challenge
    return NAME_PREFIX + hashlib.sha256(told).hexdigest()[: 32 - len(NAME_PREFIX)]


def _derive_user_handle(browser: str, challenge: bytes) -> bytes:
    """The user handle of a new passkey, computed from the cookie and the challenge, so that it need not be stored."""
    return hashlib.sha512(b"handle/" + browser.encode() + b"/" + challenge).digest()[:HANDLE_BYTES]


def _hash_credential(credential: bytes) -> str:
    """The hash under which a passkey is stored."""
    return hashlib.sha256(credential).hexdigest()


def _decode_base64url(text: Any) -> bytes:
    """The bytes of base 64 text as WebAuthn writes it. Raises ValueError or TypeError for anything else."""
    from webauthn import base64url_to_bytes

    return bytes(base64url_to_bytes(text))


@contextlib.contextmanager
def _errors_as_refused() -> Iterator[None]:
    """Raise Refused for any error in this block, since data from a browser may be anything and cause any error."""
    try:
        yield
    except Refused:
        raise
    except Exception as error:
        raise Refused("This passkey does not fit what was asked for; nothing was done.", status=403) from error
