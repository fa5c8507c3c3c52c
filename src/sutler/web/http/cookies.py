"""Cookies by which somebody is known, under the names that browsers protect where the house is reached by https.

`__Host-…` is taken by a browser only over https, from this very host and for all its pages; `__Secure-…` only over https. So nobody
on the way, and no other house of the same domain, can put one of theirs in its place. Routes know the plain names; they are
translated here, for each request and each answer.
"""

from __future__ import annotations

from collections.abc import Iterable

PROTECTED = {b"sutler_browser": b"__Host-sutler_browser", b"sutler_admin": b"__Secure-sutler_admin"}
"""Plain name to the name over https."""
_PLAIN = {protected: plain for plain, protected in PROTECTED.items()}
_Headers = list[tuple[bytes, bytes]]


def received(headers: Iterable[tuple[bytes, bytes]]) -> _Headers:
    """The headers of a request by https with plain names of cookies. One that came under its plain name is not believed."""
    return [(name, _translated(value) if name.lower() == b"cookie" else value) for name, value in headers]


def sent(headers: Iterable[tuple[bytes, bytes]]) -> _Headers:
    """The headers of an answer by https: every cookie is `Secure`, and those by which somebody is known have protected names."""
    return [(name, _secured(value) if name.lower() == b"set-cookie" else value) for name, value in headers]


def _translated(cookies: bytes) -> bytes:
    kept = []
    for part in cookies.split(b";"):
        name, equals, value = part.strip().partition(b"=")
        if name not in PROTECTED:
            kept.append(_PLAIN.get(name, name) + equals + value)
    return b"; ".join(kept)


def _secured(cookie: bytes) -> bytes:
    name, equals, rest = cookie.partition(b"=")
    told = PROTECTED.get(name, name) + equals + rest
    attributes = {part.strip().lower() for part in rest.split(b";")[1:]}
    return told if b"secure" in attributes else told + b"; Secure"
