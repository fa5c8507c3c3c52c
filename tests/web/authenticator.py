"""A passkey's side of WebAuthn, in a few lines, so that tests can also say what no honest one would."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn import base64url_to_bytes
from webauthn.helpers import bytes_to_base64url

PRESENT, VERIFIED, NEW = 1, 4, 64


@dataclass
class Authenticator:
    """One passkey. `origin`: the site from which its browser says it speaks."""

    origin: str
    site: str
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    secret: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    handle: str = ""
    counter: int = 0
    flags: int = PRESENT | VERIFIED

    def make(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Answer the house's offer with a new passkey."""
        self.handle = wanted["user"]["id"]
        point = self.secret.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        data = self._data(NEW) + bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        told = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", wanted["challenge"])
        return self._brought(clientDataJSON=client, attestationObject=told)

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Sign the house's question."""
        self.counter += 1
        data, client = self._data(), self._client("webauthn.get", asked["challenge"])
        signed = self.secret.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        handle = base64url_to_bytes(self.handle)
        return self._brought(clientDataJSON=client, authenticatorData=data, signature=signed, userHandle=handle)

    def _data(self, more: int = 0) -> bytes:
        return (
            hashlib.sha256(self.site.encode()).digest() + bytes([self.flags | more]) + self.counter.to_bytes(4, "big")
        )

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _brought(self, **response: bytes) -> dict[str, Any]:
        told = {name: bytes_to_base64url(one) for name, one in response.items()}
        id = bytes_to_base64url(self.id)
        return {"id": id, "rawId": id, "type": "public-key", "response": told, "clientExtensionResults": {}}
