"""Web push on the wire: a message covered so that only its browser reads it (RFC 8291), signed by the house (RFC 8292), sent (RFC 8030).

Where a browser wants its messages sent it says itself, so its word is not taken for where this machine may ask: only https, only at
addresses of the open internet, at the very address that was looked at, and no answer leads anywhere else.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import ipaddress
import json
import secrets
import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

from sutler.web.errors import Refused

TIMEOUT = 10.0
"""Seconds for each step of a request."""
RECORD = 4096
LONGEST = 2000
"""Letters of an endpoint."""
GOOD_FOR = 12 * 3600
"""Seconds a signature holds; the standard allows a day."""
LASTS = 24 * 3600
"""Seconds for which a push service keeps a message for a browser that is asleep."""


def is_there() -> bool:
    """Is what covers and signs messages installed (the extra `push`)?"""
    try:
        import cryptography  # noqa: F401
    except ImportError:
        return False
    return True


@dataclass(frozen=True)
class Address:
    """Where one browser's messages go, and what only it can uncover them with: 65 and 16 bytes."""

    endpoint: str
    public: bytes
    auth: bytes


def letters(data: bytes) -> str:
    """Base 64 as in addresses, without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unlettered(text: str) -> bytes:
    """Read back. ValueError for what is none."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def read(endpoint: str, public: str, auth: str, trusted: tuple[str, ...] = ()) -> Address:
    """What a browser says of itself; Refused where no message can be sent by it."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        found = Address(endpoint, unlettered(public), unlettered(auth))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), found.public)
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise Refused("This is no address for messages.") from None
    plain = (
        parts.scheme == "https" and port in (None, 443) and parts.hostname and not parts.username and not parts.password
    )
    if len(found.auth) != 16 or len(endpoint) > LONGEST or not (plain or _origin(endpoint) in trusted):
        raise Refused("This is no address for messages.")
    return found


def _origin(endpoint: str) -> str:
    parts = urlsplit(endpoint)
    return f"{parts.scheme}://{parts.netloc}"


# --- The house's signature ------------------------------------------------------------------------------


class Signature:
    """The key by which push services know the house: made of its own key, so it is the same for good, in every process.

    `contact`: whom a push service may write to ("mailto:…" or an https address).
    """

    def __init__(self, key: bytes, contact: str) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
        number = int.from_bytes(hmac.new(key, b"push/signature", hashlib.sha512).digest(), "big")
        self._private = ec.derive_private_key(number % (order - 1) + 1, ec.SECP256R1())
        self.contact = contact

    @property
    def public(self) -> bytes:
        """What browsers are told: 65 bytes."""
        return _point(self._private.public_key())

    def header(self, endpoint: str, now: float) -> str:
        """What goes with a message sent there. `now`: seconds since 1970."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        said = {"aud": _origin(endpoint), "exp": int(now) + GOOD_FOR, "sub": self.contact}
        token = ".".join(letters(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, said))
        r, s = decode_dss_signature(self._private.sign(token.encode(), ec.ECDSA(hashes.SHA256())))
        signed = f"{token}.{letters(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
        return f"vapid t={signed}, k={letters(self.public)}"


def _point(key: object) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return bytes(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))  # type: ignore[attr-defined]


# --- The cover --------------------------------------------------------------------------------------------


def covered(message: bytes, to: Address) -> bytes:
    """A message that only this browser can read, as one record of `aes128gcm`."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), to.public)
    once = ec.generate_private_key(ec.SECP256R1())
    mine, salt = _point(once.public_key()), secrets.token_bytes(16)
    shared = _drawn(to.auth, once.exchange(ec.ECDH(), theirs), b"WebPush: info\0" + to.public + mine, 32)
    key = _drawn(salt, shared, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _drawn(salt, shared, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def _drawn(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return bytes(HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret))


# --- Sending ------------------------------------------------------------------------------------------------


class Elsewhere(OSError):
    """A name that leads to no address of the open internet."""


def open_address(host: str, port: int) -> str:
    """An address of this name. Elsewhere when any of its addresses is no public one: a name may lead home."""
    found = {str(one[4][0]).split("%")[0] for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    if not found or not all(_is_open(address) for address in found):
        raise Elsewhere(f"{host} leads to no address of the open internet")
    return sorted(found, key=lambda address: ":" in address)[0]


def _is_open(address: str) -> bool:
    one = ipaddress.ip_address(address)
    inner = getattr(one, "ipv4_mapped", None) or getattr(one, "sixtofour", None)
    return one.is_global and not one.is_multicast and (inner is None or inner.is_global)


class _Pinned(http.client.HTTPSConnection):
    """A line to the very address that was looked at, under the name it was asked for."""

    def __init__(self, host: str, address: str) -> None:
        context = ssl.create_default_context()
        super().__init__(host, 443, timeout=TIMEOUT, context=context)
        self._address, self._tls = address, context

    def connect(self) -> None:
        """Open it."""
        line = socket.create_connection((self._address, 443), TIMEOUT)
        self.sock = self._tls.wrap_socket(line, server_hostname=self.host)


def post(
    to: Address, message: bytes, signature: Signature, topic: str, now: float, trusted: tuple[str, ...] = ()
) -> int:
    """Send a message; the status that came back. OSError where nobody answers, or where none may be asked.

    `topic`: of several messages with one the last replaces the others; `trusted`: origins that are asked as they stand.
    """
    parts = urlsplit(to.endpoint)
    host, where = parts.hostname or "", parts.path + (f"?{parts.query}" if parts.query else "")
    line: http.client.HTTPConnection
    if _origin(to.endpoint) in trusted:
        line = http.client.HTTPConnection(host, parts.port or 80, timeout=TIMEOUT)
    else:
        line = _Pinned(host, open_address(host, 443))
    headers = {"TTL": str(LASTS), "Urgency": "normal", "Topic": topic, "Content-Encoding": "aes128gcm"}
    headers |= {"Content-Type": "application/octet-stream", "Authorization": signature.header(to.endpoint, now)}
    try:
        line.request("POST", where or "/", covered(message, to), headers)
        return line.getresponse().status
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        line.close()
