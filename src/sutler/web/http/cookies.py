"""The cookies by which a person is known, under names that browsers protect where the server is reached by https.

A browser accepts `__Host-…` only over https, from this very host and for all its pages, and `__Secure-…` only over https. So neither
an eavesdropper nor another site of the same domain can replace them. Routes know the plain names; they are translated here, for each
request and each answer. A server below the root of its site (`root_path`) shares the host with others, which `__Host-` does not allow:
all its cookies are `__Secure-…`.
"""

from __future__ import annotations

from collections.abc import Iterable

from sutler.web.root_path import get_root_path

PROTECTED = {b"sutler_browser": b"__Host-sutler_browser", b"sutler_admin": b"__Secure-sutler_admin"}
"""The plain names of cookies, and their names over https."""
BELOW_ROOT = {plain: b"__Secure-" + plain for plain in PROTECTED}
"""The plain names of cookies, and their names over https for a server below the root of its site."""
_Headers = list[tuple[bytes, bytes]]


def restore_plain_cookie_names(headers: Iterable[tuple[bytes, bytes]]) -> _Headers:
    """The headers of a request by https, with the plain names of cookies. A cookie that came under its plain name is dropped as forged."""
    return [(name, _restore_plain_names(value) if name.lower() == b"cookie" else value) for name, value in headers]


def protect_response_cookies(headers: Iterable[tuple[bytes, bytes]]) -> _Headers:
    """The headers of an answer by https: every cookie is `Secure`, and those by which a person is known have protected names."""
    return [(name, _protect_cookie(value) if name.lower() == b"set-cookie" else value) for name, value in headers]


def _map_protected_names() -> dict[bytes, bytes]:
    """{plain name: protected name} of the cookies by which a person is known, for this server's path on its site."""
    return BELOW_ROOT if get_root_path() else PROTECTED


def _restore_plain_names(cookies: bytes) -> bytes:
    """The value of the header `Cookie` of a request, with plain names instead of protected ones."""
    plain_names = {protected: plain for plain, protected in _map_protected_names().items()}
    kept = []
    for part in cookies.split(b";"):
        name, equals, value = part.strip().partition(b"=")
        if name not in PROTECTED:
            kept.append(plain_names.get(name, name) + equals + value)
    return b"; ".join(kept)


def _protect_cookie(cookie: bytes) -> bytes:
    """The value of the header `Set-Cookie` of an answer, with `Secure` and with the protected name."""
    name, equals, rest = cookie.partition(b"=")
    told = _map_protected_names().get(name, name) + equals + rest
    attributes = {part.strip().lower() for part in rest.split(b";")[1:]}
    return told if b"secure" in attributes else told + b"; Secure"
