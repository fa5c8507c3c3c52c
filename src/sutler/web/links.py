"""Secret links: made from the table, the seat and the house's key, so none of them has to be kept anywhere."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

_TOKEN = re.compile(r"([a-z2-7]{12})([0-5])([a-z2-7]{26})")


def new_table_id() -> str:
    """A name for a table: public, and not to be guessed."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()[:12]


def new_browser_id() -> str:
    """What a browser's cookie says; 192 bits."""
    return secrets.token_urlsafe(24)


def browser_hash(browser: str) -> str:
    """What is kept of a browser: enough to know it again, not enough to be it."""
    return hashlib.sha256(browser.encode()).hexdigest()


def _seal(key: bytes, table: str, seat: int) -> str:
    digest = hmac.new(key, f"{table}/{seat}".encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode().lower()[:26]


def seat_token(key: bytes, table: str, seat: int) -> str:
    """The secret part of a seat's link: 130 bits nobody can guess."""
    return f"{table}{seat}{_seal(key, table, seat)}"


def read_token(key: bytes, token: str) -> tuple[str, int] | None:
    """The table and seat of a token; None when it is not one of ours."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    table, seat, seal = match[1], int(match[2]), match[3]
    return (table, seat) if hmac.compare_digest(seal, _seal(key, table, seat)) else None
