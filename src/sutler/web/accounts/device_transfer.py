"""Continue on another device: a code that works once, for ten minutes, hands over the cookie by which a browser is known.

Of a code only its scrypt hash is used: one half is the name under which the encrypted cookie is stored, the other half is the key.
Anybody who has the database alone must try 2^50 codes at about 50 ms and 16 MB each, and finds none that is older than ten minutes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection, Table, delete, select, update

from sutler.web.accounts import ignore_list
from sutler.web.accounts.encryption import decrypt, encrypt, stretch_secret
from sutler.web.errors import Refused, Used
from sutler.web.storage.schema import LISTED, MAILS, PASSKEYS, PUSHES
from sutler.web.storage.store import Store
from sutler.web.tokens import hash_browser

CODE_TTL_S = 600
"""Seconds for which a code works."""
CODE_LETTERS = 10
"""Letters of a code, each one of 32: 50 bits, too many to be tried within ten minutes."""
CORRECTIONS = str.maketrans("018", "olb")
"""Digits that occur in no code, and the letters that are misread for them."""
NAME_PREFIX = "way "
"""The beginning of the names under which codes are stored."""
MAX_COOKIE_BYTES = 64
"""The length of the longest valid cookie of a browser."""
WAYS_BACK = (PASSKEYS, MAILS)
"""The database tables of passkeys and mail addresses, by which a person comes back on another device."""


def create_code(store: Store, browser: str) -> str:
    """A new code for the person whose browser has this cookie, with a dash in the middle. Raises Refused where there is no cookie."""
    require_cookie(browser)
    store.drop_expired()
    code = base64.b32encode(secrets.token_bytes(16)).decode().lower()[:CODE_LETTERS]
    until = store.now() + timedelta(seconds=CODE_TTL_S)
    name, secret = _derive_name_and_secret(store, code)
    store.set_value(name, f"{until.isoformat()} {encrypt(secret, browser)}")
    return f"{code[: CODE_LETTERS // 2]}-{code[CODE_LETTERS // 2 :]}"


def redeem_code(store: Store, code: str, current_cookie: str) -> str:
    """The cookie of the person who made this code; the code is used up. Raises Used where there is no such code any more.

    `current_cookie`: the cookie of this browser, whose tables are moved to the person of the code.
    """
    plain = "".join(one for one in code.lower() if one.isalnum()).translate(CORRECTIONS)
    name, secret = _derive_name_and_secret(store, plain) if len(plain) == CODE_LETTERS else ("", b"")
    kept = store.pop_value(name) if name else None
    if kept is None or datetime.fromisoformat(kept.split(" ")[0]) < store.now():
        raise Used("This code opens nothing: it works once, and for ten minutes. Ask for another on the other device.")
    browser = decrypt(secret, kept.split(" ")[1])
    move_person(store, current_cookie, browser)
    return browser


def require_cookie(browser: str) -> str:
    """The browser's cookie. Raises Refused where it has none, or one that this server has not made."""
    if not 0 < len(browser.encode()) <= MAX_COOKIE_BYTES:
        raise Refused("This browser keeps no cookies, so nothing of it can be handed over.")
    return browser


def move_person(store: Store, current_cookie: str, browser: str) -> None:
    """Move everything but the settings from the person with the cookie `current_cookie` to the person with the cookie `browser`."""
    if not current_cookie or current_cookie == browser:
        return
    old, new = hash_browser(current_cookie), hash_browser(browser)
    for table, seats in store.load_seats_of_browser(old).items():
        store.record_seats(new, table, seats)

    def write(connection: Connection) -> None:
        """Move the rows within one transaction."""
        for kept in WAYS_BACK:
            for id, way in connection.execute(select(kept.c.id, kept.c.covered).where(kept.c.browser == old)).all():
                further = f"{way} {encrypt(current_cookie.encode(), browser)}"
                connection.execute(update(kept).where(kept.c.id == id).values(browser=new, covered=further))
        mine = select(LISTED.c.browser).where(LISTED.c.browser == new)
        if connection.execute(mine).first() is None:
            connection.execute(update(LISTED).where(LISTED.c.browser == old).values(browser=new))
        connection.execute(update(PUSHES).where(PUSHES.c.browser == old).values(browser=new))
        ignore_list.move_list(connection, old, new)

    store.run_in_transaction(write)


def store_settings(store: Store, browser: str, settings: Mapping[str, str]) -> None:
    """Store a person's settings beside their passkeys and mail addresses, for devices on which they sign in later."""
    told = json.dumps(dict(settings))

    def write(connection: Connection) -> None:
        """Update the rows within one transaction."""
        for kept in WAYS_BACK:
            others = (kept.c.browser == hash_browser(browser), kept.c.settings != told)
            connection.execute(update(kept).where(*others).values(settings=told))

    store.run_in_transaction(write)


def remove_sign_in_method(store: Store, methods_table: Table, browser: str, id: str) -> None:
    """Delete one passkey or mail address (`id`) of the person with this cookie; another person's is left.

    `methods_table`: the database table of passkeys or of addresses.
    """
    mine = (methods_table.c.id == id, methods_table.c.browser == hash_browser(browser))
    store.run_in_transaction(lambda connection: connection.execute(delete(methods_table).where(*mine)))


def _derive_name_and_secret(store: Store, code: str) -> tuple[str, bytes]:
    """(the name under which a code's row is stored, the secret that encrypts the cookie in that row)."""
    salt = hmac.new(store.get_server_key(), b"way/salt", hashlib.sha256).digest()
    found = stretch_secret(code, salt)
    return NAME_PREFIX + found[:32].hex()[: 32 - len(NAME_PREFIX)], found[32:]


def decrypt_cookie_chain(chain: str, secret: bytes) -> str:
    """The newest cookie of a chain: `secret` decrypts the first one, and each cookie decrypts the one after it.

    `chain`: cookies separated by spaces, each encrypted under the one before, the first under the secret. Raises ValueError for another
    secret.
    """
    for step in chain.split():
        secret = decrypt(secret, step).encode() if "." in step else _decrypt_legacy(secret, bytes.fromhex(step))
    return secret.decode()


def _decrypt_legacy(secret: bytes, encrypted: bytes) -> bytes:
    """Decrypt a value stored before 0.2.0: XOR with SHA-512 of a secret of 192 bits or more. Nothing new is written this way."""
    return bytes(a ^ b for a, b in zip(encrypted, hashlib.sha512(b"veil/" + secret).digest(), strict=False))
