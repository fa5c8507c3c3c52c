"""Secret links: made from the table, the seat and the house's key, so none of them has to be kept anywhere."""

from __future__ import annotations

import base64
import functools
import hashlib
import hmac
import re
import secrets
from urllib.parse import SplitResult, urlsplit

SEAT, INVITATION = b"seat/", b"invitation/"
TAG = 17
"""Bytes: 136 bits nobody can guess."""
_SAID = re.compile(rb"([a-z2-7]{12})([0-5])")
_TOKEN = re.compile(r"([a-z2-7]{28})([a-z2-7]{21})")


def parts_of(address: str) -> SplitResult:
    """The parts of an address that somebody says; none where it is no address."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", "", "", "")


def new_table_id() -> str:
    """A name for a table: public, and not to be guessed."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()[:12]


def new_browser_id() -> str:
    """What a browser's cookie says; 192 bits."""
    return secrets.token_urlsafe(24)


def browser_hash(browser: str) -> str:
    """What is kept of a browser: enough to know it again, not enough to be it."""
    return hashlib.sha256(browser.encode()).hexdigest()


def seat_token(key: bytes, table: str, seat: int) -> str:
    """The secret part of a seat's link. Nobody can guess it, and nobody can read the table's name in it."""
    return _sealed(key, SEAT, table, seat)


def invitation_token(key: bytes, table: str, seat: int) -> str:
    """The secret part of an invitation: it takes the seat once and shows nothing of the game.

    Who gives it to a friend does not learn the seat's own link by it.
    """
    return _sealed(key, INVITATION, table, seat)


def seat_luck(key: bytes, table: str, seat: int) -> int:
    """What a bot's luck in a seat comes from: nobody who plays can work out what it will draw."""
    return int.from_bytes(_mac(key, f"luck/{table}/{seat}".encode())[:7], "big")


def read_token(key: bytes, token: str) -> tuple[str, int] | None:
    """The table and seat of a seat's link; None when it is not one of ours."""
    return _opened(key, SEAT, token)


def read_invitation(key: bytes, token: str) -> tuple[str, int] | None:
    """The table and seat of an invitation; None when it is not one of ours."""
    return _opened(key, INVITATION, token)


def _sealed(key: bytes, purpose: bytes, table: str, seat: int) -> str:
    """A synthetic seal: the tag over what is said is the key of the veil over it, so that both stand in one word."""
    said = f"{table}{seat}".encode()
    tag = _mac(key, purpose + b"tag" + said)[:TAG]
    return _letters(tag) + _letters(_veiled(key, purpose, tag, said))


@functools.lru_cache(maxsize=4096)
def _opened(key: bytes, purpose: bytes, token: str) -> tuple[str, int] | None:
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    tag, veiled = _bytes(match[1]), _bytes(match[2])
    said = _veiled(key, purpose, tag, veiled)
    plain = _SAID.fullmatch(said)
    if plain is None:
        return None
    table, seat = plain[1].decode(), int(plain[2])
    return (table, seat) if hmac.compare_digest(token, _sealed(key, purpose, table, seat)) else None


def _veiled(key: bytes, purpose: bytes, tag: bytes, said: bytes) -> bytes:
    """Covered, or uncovered again: exclusive or with what key and tag yield."""
    return bytes(a ^ b for a, b in zip(said, _mac(key, purpose + b"veil" + tag), strict=False))


def _mac(key: bytes, said: bytes) -> bytes:
    return hmac.new(key, said, hashlib.sha256).digest()


def _letters(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=").lower()


def _bytes(letters: str) -> bytes:
    return base64.b32decode(letters.upper() + "=" * (-len(letters) % 8))
