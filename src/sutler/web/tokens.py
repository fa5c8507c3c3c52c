"""Secret links to seats, computed from the table, the seat and the server's key, so that none has to be stored."""

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
"""Length of the authentication tag in a token: 136 bits, which nobody can guess."""
_PLAIN = re.compile(rb"([a-z2-7]{12})([0-5])")
_TOKEN = re.compile(r"([a-z2-7]{28})([a-z2-7]{21})")


def parse_url(address: str) -> SplitResult:
    """The parts of an address that a client sent; all parts are empty where it cannot be parsed."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", "", "", "")


def draw_table_id() -> str:
    """A random table id of 12 letters and digits (60 bits): it may be known to all, and cannot be guessed."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()[:12]


def draw_browser_id() -> str:
    """A random value of 192 bits for the cookie by which a browser is known."""
    return secrets.token_urlsafe(24)


def hash_browser(browser: str) -> str:
    """The hash of a browser's cookie, under which it is stored; the cookie cannot be computed from the hash."""
    return hashlib.sha256(browser.encode()).hexdigest()


def make_seat_token(key: bytes, table: str, seat: int) -> str:
    """The secret part of a seat's link. It cannot be guessed, and the table's id cannot be read from it. `key`: the server's key."""
    return _encrypt_token(key, SEAT, table, seat)


def make_invitation_token(key: bytes, table: str, seat: int) -> str:
    """The secret part of an invitation, which takes a seat once and shows nothing of the game.

    The person who passes an invitation on cannot compute the seat's own link from it. `key`: the server's key.
    """
    return _encrypt_token(key, INVITATION, table, seat)


def derive_bot_seed(key: bytes, table: str, seat: int) -> int:
    """The seed (56 bits) of a bot's random choices in a seat; players cannot compute it. `key`: the server's key."""
    return int.from_bytes(_compute_mac(key, f"luck/{table}/{seat}".encode())[:7], "big")


def read_seat_token(key: bytes, token: str) -> tuple[str, int] | None:
    """The table and seat of a seat's link; None where the token is of another kind or was made with another key."""
    return _open_sealed(key, SEAT, token)


def read_invitation_token(key: bytes, token: str) -> tuple[str, int] | None:
    """The table and seat of an invitation; None where the token is of another kind or was made with another key."""
    return _open_sealed(key, INVITATION, token)


def _encrypt_token(key: bytes, purpose: bytes, table: str, seat: int) -> str:
    """Table and seat, encrypted and authenticated in one token (authenticated encryption with a synthetic IV).

    The authentication tag over the text also serves as the IV from which the mask over the text is made.
    """
    said = f"{table}{seat}".encode()
    tag = _compute_mac(key, purpose + b"tag" + said)[:TAG_BYTES]
    return _encode_base32(tag) + _encode_base32(_apply_mask(key, purpose, tag, said))


@functools.lru_cache(maxsize=4096)
def _open_sealed(key: bytes, purpose: bytes, token: str) -> tuple[str, int] | None:
    """The table and seat in a token; None where its authentication tag is wrong, so that this server has not made it."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    tag, veiled = _decode_base32(match[1]), _decode_base32(match[2])
    said = _apply_mask(key, purpose, tag, veiled)
    plain = _PLAIN.fullmatch(said)
    if plain is None:
        return None
    table, seat = plain[1].decode(), int(plain[2])
    return (table, seat) if hmac.compare_digest(token, _encrypt_token(key, purpose, table, seat)) else None


def _apply_mask(key: bytes, purpose: bytes, tag: bytes, text: bytes) -> bytes:
    """The text combined by exclusive or with a mask made from key and tag; this encrypts plain text and decrypts encrypted text."""
    return bytes(a ^ b for a, b in zip(text, _compute_mac(key, purpose + b"veil" + tag), strict=False))


def _compute_mac(key: bytes, text: bytes) -> bytes:
    """The HMAC-SHA256 of a text under the key."""
    return hmac.new(key, text, hashlib.sha256).digest()


def _encode_base32(data: bytes) -> str:
    """The bytes in base 32, in small letters and without padding."""
    return base64.b32encode(data).decode().rstrip("=").lower()


def _decode_base32(letters: str) -> bytes:
    """The bytes that these letters stand for, in base 32 as `_encode_base32` writes it."""
    return base64.b32decode(letters.upper() + "=" * (-len(letters) % 8))
