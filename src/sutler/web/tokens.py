"""Secret links, made from the table, the seat and the house's key, so that none of them has to be stored."""

from __future__ import annotations

import base64
import functools
import hashlib
import hmac
import re
import secrets
from urllib.parse import SplitResult, urlsplit

SEAT, INVITATION = b"seat/", b"invitation/"
TAG_BYTES = 17
"""136 bits, which nobody can guess."""
_PLAIN = re.compile(rb"([a-z2-7]{12})([0-5])")
_TOKEN = re.compile(r"([a-z2-7]{28})([a-z2-7]{21})")


def parts_of(address: str) -> SplitResult:
    """The parts of an address that a client sent; empty parts where it is not one."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", "", "", "")


def new_table_id() -> str:
    """A random table id: public, but not to be guessed."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()[:12]


def new_browser_id() -> str:
    """A random value for a browser's cookie, of 192 bits."""
    return secrets.token_urlsafe(24)


def browser_hash(browser: str) -> str:
    """The hash by which a browser is known: its cookie cannot be made from it."""
    return hashlib.sha256(browser.encode()).hexdigest()


def seat_token(key: bytes, table: str, seat: int) -> str:
    """The secret part of a seat's link. It cannot be guessed, and the table's id cannot be read in it."""
    return _sealed(key, SEAT, table, seat)


def invitation_token(key: bytes, table: str, seat: int) -> str:
    """The secret part of an invitation: it takes the seat once, and shows nothing of the game.

    The person who hands it on does not learn the seat's own link from it.
    """
    return _sealed(key, INVITATION, table, seat)


def seat_luck(key: bytes, table: str, seat: int) -> int:
    """The seed of a bot's random choices in a seat; players cannot work it out."""
    return int.from_bytes(_mac(key, f"luck/{table}/{seat}".encode())[:7], "big")


def read_token(key: bytes, token: str) -> tuple[str, int] | None:
    """The table and seat of a seat's link; None for a token of another kind or house."""
    return _opened(key, SEAT, token)


def read_invitation(key: bytes, token: str) -> tuple[str, int] | None:
    """The table and seat of an invitation; None for a token of another kind or house."""
    return _opened(key, INVITATION, token)


def _sealed(key: bytes, purpose: bytes, table: str, seat: int) -> str:
    """Table and seat, encrypted and authenticated in one word.

    It is a synthetic IV: the tag over the text is also the key of the mask over it.
    """
    said = f"{table}{seat}".encode()
    tag = _mac(key, purpose + b"tag" + said)[:TAG_BYTES]
    return _base32(tag) + _base32(_masked(key, purpose, tag, said))


@functools.lru_cache(maxsize=4096)
def _opened(key: bytes, purpose: bytes, token: str) -> tuple[str, int] | None:
    """The table and seat of a token; None where its tag does not fit."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    tag, veiled = _from_base32(match[1]), _from_base32(match[2])
    said = _masked(key, purpose, tag, veiled)
    plain = _PLAIN.fullmatch(said)
    if plain is None:
        return None
    table, seat = plain[1].decode(), int(plain[2])
    return (table, seat) if hmac.compare_digest(token, _sealed(key, purpose, table, seat)) else None


def _masked(key: bytes, purpose: bytes, tag: bytes, said: bytes) -> bytes:
    """Exclusive or with a mask made from key and tag: encrypts, and decrypts again."""
    return bytes(a ^ b for a, b in zip(said, _mac(key, purpose + b"veil" + tag), strict=False))


def _mac(key: bytes, said: bytes) -> bytes:
    return hmac.new(key, said, hashlib.sha256).digest()


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=").lower()


def _from_base32(letters: str) -> bytes:
    return base64.b32decode(letters.upper() + "=" * (-len(letters) % 8))
