"""Web Push messages: encrypted for one browser (RFC 8291), signed by this server (RFC 8292), sent to a push service (RFC 8030).

A browser itself names the address for its messages, so that address is not trusted: only https, only addresses of the public
internet, the connection goes to the very address that was checked, and redirects are not followed.

Not pywebpush: it sends by libraries that resolve the name themselves and follow redirects, so none of this would hold. http-ece and
py-vapid would save about 30 lines of encryption and signing here, all of which are calls of `cryptography`, for two more
dependencies.
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

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sutler.web.errors import Refused
from sutler.web.jobs.socket_deadline import shut_socket_after

TIMEOUT_S = 10.0
"""Seconds for each step of a request."""
DEADLINE_S = 15.0
"""Seconds for a whole request."""
RECORD_BYTES = 4096
MAX_ENDPOINT_CHARS = 2000
"""The longest address of a push service."""
SIGNATURE_TTL_S = 12 * 3600
"""Seconds for which a signature is valid; the standard allows a day."""
MESSAGE_TTL_S = 24 * 3600
"""Seconds for which a push service keeps a message for a browser that is off."""


@dataclass(frozen=True)
class Subscription:
    """The address for one browser's messages, and its keys to encrypt them (65 and 16 bytes)."""

    endpoint: str
    public: bytes
    auth: bytes


def encode_base64url(data: bytes) -> str:
    """The bytes in base 64 for addresses, without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode_base64url(text: str) -> bytes:
    """The bytes of base 64 text without padding. Raises ValueError for anything else."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def parse_subscription(endpoint: str, public: str, auth: str, trusted: tuple[str, ...] = ()) -> Subscription:
    """A browser's push subscription. Raises Refused where no message can be sent by it.

    `public`, `auth`: its keys in base 64; `trusted`: origins that are accepted without checks.
    """
    try:
        found = Subscription(endpoint, decode_base64url(public), decode_base64url(auth))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), found.public)
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise Refused("This is no address for messages.") from None
    plain = (
        parts.scheme == "https" and port in (None, 443) and parts.hostname and not parts.username and not parts.password
    )
    if len(found.auth) != 16 or len(endpoint) > MAX_ENDPOINT_CHARS or not (plain or _parse_origin(endpoint) in trusted):
        raise Refused("This is no address for messages.")
    return found


def _parse_origin(endpoint: str) -> str:
    """The scheme and host of a push service's address."""
    parts = urlsplit(endpoint)
    return f"{parts.scheme}://{parts.netloc}"


# --- The server's signature -----------------------------------------------------------------------------


class Signature:
    """The signing key by which push services recognise this server.

    It is derived from the server's own key, so that it is the same in every process. `contact`: the address for push services to write
    to ("mailto:…" or https).
    """

    def __init__(self, key: bytes, contact: str) -> None:
        order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
        number = int.from_bytes(hmac.new(key, b"push/signature", hashlib.sha512).digest(), "big")
        self._private = ec.derive_private_key(number % (order - 1) + 1, ec.SECP256R1())
        self.contact = contact

    @property
    def public(self) -> bytes:
        """The public key for browsers: 65 bytes."""
        return _public_key_bytes(self._private.public_key())

    def authorization_header(self, endpoint: str, now: float) -> str:
        """The header `Authorization` for a message to this endpoint. `now`: seconds since 1970."""
        said = {"aud": _parse_origin(endpoint), "exp": int(now) + SIGNATURE_TTL_S, "sub": self.contact}
        token = ".".join(encode_base64url(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, said))
        r, s = decode_dss_signature(self._private.sign(token.encode(), ec.ECDSA(hashes.SHA256())))
        signed = f"{token}.{encode_base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
        return f"vapid t={signed}, k={encode_base64url(self.public)}"


def _public_key_bytes(key: object) -> bytes:
    """A public key as 65 bytes (uncompressed point)."""
    return bytes(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))  # type: ignore[attr-defined]


# --- Encryption -------------------------------------------------------------------------------------------


def encrypt_message(message: bytes, subscription: Subscription) -> bytes:
    """The message encrypted for one browser, as one record of `aes128gcm`."""
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), subscription.public)
    once = ec.generate_private_key(ec.SECP256R1())
    mine, salt = _public_key_bytes(once.public_key()), secrets.token_bytes(16)
    shared = _derive_key(
        subscription.auth, once.exchange(ec.ECDH(), theirs), b"WebPush: info\0" + subscription.public + mine, 32
    )
    key = _derive_key(salt, shared, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive_key(salt, shared, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def _derive_key(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """A key of this many bytes, derived by HKDF-SHA256."""
    return bytes(HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret))


# --- Sending ------------------------------------------------------------------------------------------------


class NotPublic(OSError):
    """An error: a host name leads to an address outside of the public internet."""


def resolve_public_address(host: str, port: int) -> str:
    """An address of this host.

    Raises NotPublic when any of its addresses is not public, since a name may lead into the server's own network.
    """
    found = {str(one[4][0]).split("%")[0] for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    if not found or not all(_is_public(address) for address in found):
        raise NotPublic(f"{host} leads to no address of the open internet")
    return sorted(found, key=lambda address: ":" in address)[0]


def _is_public(address: str) -> bool:
    """Does this IP address, with any IPv4 address inside it, belong to the public internet?"""
    one = ipaddress.ip_address(address)
    inner = getattr(one, "ipv4_mapped", None) or getattr(one, "sixtofour", None)
    return one.is_global and not one.is_multicast and (inner is None or inner.is_global)


class _PinnedConnection(http.client.HTTPSConnection):
    """An HTTPS connection to an IP address that was checked before, under the host name that was asked for."""

    def __init__(self, host: str, address: str) -> None:
        context = ssl.create_default_context()
        super().__init__(host, 443, timeout=TIMEOUT_S, context=context)
        self._address, self._tls = address, context

    def connect(self) -> None:
        """Open the connection to the checked address."""
        line = socket.create_connection((self._address, 443), TIMEOUT_S)
        self.sock = tls = self._tls.wrap_socket(line, server_hostname=self.host, do_handshake_on_connect=False)
        tls.do_handshake()


def post_message(
    subscription: Subscription,
    message: bytes,
    signature: Signature,
    topic: str,
    now: float,
    trusted: tuple[str, ...] = (),
) -> int:
    """Send a message; return the HTTP status. Raises OSError where nobody answers, or the address may not be used.

    `topic`: a later message replaces an earlier one of the same topic; `now`: seconds since 1970; `trusted`: origins that are used without
    checks.
    """
    parts = urlsplit(subscription.endpoint)
    host, where = parts.hostname or "", parts.path + (f"?{parts.query}" if parts.query else "")
    line: http.client.HTTPConnection
    if _parse_origin(subscription.endpoint) in trusted:
        line = http.client.HTTPConnection(host, parts.port or 80, timeout=TIMEOUT_S)
    else:
        line = _PinnedConnection(host, resolve_public_address(host, 443))
    headers = {"TTL": str(MESSAGE_TTL_S), "Urgency": "normal", "Topic": topic, "Content-Encoding": "aes128gcm"}
    headers |= {
        "Content-Type": "application/octet-stream",
        "Authorization": signature.authorization_header(subscription.endpoint, now),
    }
    try:
        with shut_socket_after(DEADLINE_S, lambda: line.sock):
            line.request("POST", where or "/", encrypt_message(message, subscription), headers)
            return line.getresponse().status
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        line.close()
