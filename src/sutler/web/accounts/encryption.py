"""Encryption of text under a secret that the database does not hold: Fernet (AES-128-CBC with HMAC-SHA256), its key derived by HKDF-SHA256.

A secret that a person types has too few bits for a key: `stretch` first makes a long one of it by scrypt.
"""

from __future__ import annotations

import base64
import hashlib
import secrets

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SCRYPT_N = 1 << 14
"""The cost of `stretch`: about 50 ms and 16 MB for each guess of a secret."""
SALT_BYTES = 16


def stretch_secret(secret: str, salt: bytes) -> bytes:
    """64 bytes computed from a short secret by scrypt; for one salt always the same, so that a part can serve as a name in the database."""
    return hashlib.scrypt(secret.encode(), salt=salt, n=SCRYPT_N, r=8, p=1, dklen=64)


def encrypt(secret: bytes, text: str) -> str:
    """The text encrypted under a secret, as `SALT.TOKEN`; different each time. `secret`: 16 random bytes or more."""
    salt = secrets.token_bytes(SALT_BYTES)
    return f"{base64.urlsafe_b64encode(salt).decode()}.{_derive_cipher(secret, salt).encrypt(text.encode()).decode()}"


def decrypt(secret: bytes, encrypted: str) -> str:
    """The text that was encrypted as `encrypted`. Raises ValueError where the secret is another one, or anything was changed."""
    salt, _, token = encrypted.partition(".")
    try:
        return _derive_cipher(secret, base64.urlsafe_b64decode(salt)).decrypt(token.encode()).decode()
    except InvalidToken:
        raise ValueError("this secret does not open it") from None


def _derive_cipher(secret: bytes, salt: bytes) -> Fernet:
    """The cipher whose key is derived from secret and salt."""
    key = HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=b"sutler/encryption").derive(secret)
    return Fernet(base64.urlsafe_b64encode(key))
