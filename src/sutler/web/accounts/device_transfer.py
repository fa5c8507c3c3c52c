"""Going on from another device: what makes a browser known is handed over, by a code that works once and soon; what else leads back there.

Of a code only a hash is kept, and what it opens is covered with a key made from it: the database alone opens nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection, Table, delete, select, update

from sutler.web.errors import Refused, Used
from sutler.web.storage.schema import MAILS, PASSKEYS, PUSHES
from sutler.web.storage.store import Store
from sutler.web.tokens import browser_hash

LASTS = 600
"""Seconds."""
LETTERS = 10
"""Of 32 each: 50 bits, which nobody tries out in ten minutes."""
MISREAD = str.maketrans("018", "olb")
"""Digits that are in no code, and what was meant."""
KEPT = "way "
"""What the names begin with under which the house remembers codes."""
LONGEST = 64
"""Letters of a browser's cookie."""
LEAD_BACK = (PASSKEYS, MAILS)
"""What a person keeps to be known by in any browser."""


def new_code(store: Store, browser: str) -> str:
    """A code for whoever has this cookie, in two halves for the eye."""
    whole(browser)
    store.drop_older(KEPT, store.now().isoformat())
    code = base64.b32encode(secrets.token_bytes(16)).decode().lower()[:LETTERS]
    until = store.now() + timedelta(seconds=LASTS)
    store.remember(_name(code), f"{until.isoformat()} {covered(code.encode(), browser.encode()).hex()}")
    return f"{code[: LETTERS // 2]}-{code[LETTERS // 2 :]}"


def redeemed(store: Store, code: str, here: str) -> str:
    """The cookie that a code hands over; it works once. The tables of this browser (`here`) come along. Used: no such code."""
    plain = "".join(one for one in code.lower() if one.isalnum()).translate(MISREAD)
    kept = store.taken_out(_name(plain)) if len(plain) == LETTERS else None
    if kept is None or datetime.fromisoformat(kept.split(" ")[0]) < store.now():
        raise Used("This code opens nothing: it works once, and for ten minutes. Ask for another on the other device.")
    browser = covered(plain.encode(), bytes.fromhex(kept.split(" ")[1])).decode()
    bring_along(store, here, browser)
    return browser


def whole(browser: str) -> str:
    """A browser's cookie. Refused where it has none, or none of ours."""
    if not 0 < len(browser.encode()) <= LONGEST:
        raise Refused("This browser keeps no cookies, so nothing of it can be handed over.")
    return browser


def bring_along(store: Store, here: str, browser: str) -> None:
    """Who was `here` is from now on `browser` (cookies, both): their seats come along, their passkeys and mail addresses open the same."""
    if not here or here == browser:
        return
    old, new = browser_hash(here), browser_hash(browser)
    for table, seats in store.seats_of(old).items():
        store.seated(new, table, seats)

    def write(connection: Connection) -> None:
        for kept in LEAD_BACK:
            for id, way in connection.execute(select(kept.c.id, kept.c.covered).where(kept.c.browser == old)).all():
                further = f"{way} {covered(here.encode(), browser.encode()).hex()}"
                connection.execute(update(kept).where(kept.c.id == id).values(browser=new, covered=further))
        connection.execute(update(PUSHES).where(PUSHES.c.browser == old).values(browser=new))

    store.write(write)


def note_settings(store: Store, browser: str, settings: Mapping[str, str]) -> None:
    """How a person likes it, for the devices on which they come in by what they keep."""
    told = json.dumps(dict(settings))

    def write(connection: Connection) -> None:
        for kept in LEAD_BACK:
            others = (kept.c.browser == browser_hash(browser), kept.c.settings != told)
            connection.execute(update(kept).where(*others).values(settings=told))

    store.write(write)


def remove(store: Store, kept: Table, browser: str, id: str) -> None:
    """One passkey, or one mail address, leads nowhere any more; another's is left alone."""
    mine = (kept.c.id == id, kept.c.browser == browser_hash(browser))
    store.write(lambda connection: connection.execute(delete(kept).where(*mine)))


def _name(code: str) -> str:
    return KEPT + hashlib.sha256(b"name/" + code.encode()).hexdigest()[: 32 - len(KEPT)]


def covered(secret: bytes, said: bytes) -> bytes:
    """Covered, or uncovered again: exclusive or with what the secret yields. At most 64 bytes."""
    return bytes(a ^ b for a, b in zip(said, hashlib.sha512(b"veil/" + secret).digest(), strict=False))


def uncovered(way: str, secret: bytes) -> str:
    """The cookie that a secret opens: its owner's first, and from there the one they went on as, and so on."""
    for step in way.split():
        secret = covered(secret, bytes.fromhex(step))
    return secret.decode()
