"""How a house sends mail, where its keeper has said by whom: one message at a time, over a line that nobody reads along.

The settings stand in the environment, so that no password stands in a command line or in the database:
`SUTLER_MAIL` (`smtps://user@mail.example` or `smtp://mail.example:587`), `SUTLER_MAIL_FROM`, and `SUTLER_MAIL_PASSWORD`.
"""

from __future__ import annotations

import contextlib
import ipaddress
import smtplib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from urllib.parse import unquote, urlsplit

NAMES = ("SUTLER_MAIL", "SUTLER_MAIL_FROM", "SUTLER_MAIL_PASSWORD")
PORTS = {"smtp": 587, "smtps": 465}
TIMEOUT = 20.0
"""Seconds for each step with the mail server."""


@dataclass(frozen=True)
class Post:
    """Who takes the house's mail. `covered`: is the line covered from the start (`smtps`), or once the server agrees?"""

    host: str
    port: int
    covered: bool
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)

    @property
    def is_here(self) -> bool:
        """Is the server on this very machine? Then nobody reads along, and the line need not be covered."""
        with contextlib.suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return self.host == "localhost"

    def send(self, to: str, subject: str, text: str) -> None:
        """Hand one message over. OSError or smtplib.SMTPException where that fails; nothing is said over an open line."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, to, subject
        message["Date"], message["Auto-Submitted"] = localtime(), "auto-generated"
        message["Message-ID"] = make_msgid(domain=self.sender.rpartition("@")[2].rstrip(">"))
        message.set_content(text)
        with self._line() as line:
            if self.user:
                line.login(self.user, self.password)
            line.send_message(message)

    def _line(self) -> smtplib.SMTP:
        if self.covered:
            return smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT, context=ssl.create_default_context())
        line = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT)
        try:
            if not self.is_here:
                line.starttls(context=ssl.create_default_context())
        except BaseException:
            line.close()
            raise
        return line


def post_of(settings: Mapping[str, str]) -> Post | None:
    """The post that these settings (an environment) name; None where they name none. ValueError, in words, for what cannot be used."""
    where, sender, password = (settings.get(name, "") for name in NAMES)
    if not where:
        return None
    parts = urlsplit(where)
    try:
        port = parts.port
    except ValueError:
        port = 0
    if parts.scheme not in PORTS or not parts.hostname or port == 0:
        raise ValueError(
            f"{NAMES[0]} names no mail server; write smtps://user@mail.example, or smtp://… for one that covers the line later"
        )
    if parts.password:
        raise ValueError(f"the mail server’s password belongs into {NAMES[2]}, not into {NAMES[0]}")
    if not _is_address(sender):
        raise ValueError(f"{NAMES[1]} says no address that mail comes from, such as sutler@{parts.hostname}")
    user = unquote(parts.username or "")
    if user and not password:
        raise ValueError(f"{NAMES[0]} names a user, but {NAMES[2]} says no password")
    return Post(parts.hostname, port or PORTS[parts.scheme], parts.scheme == "smtps", sender, user, password)


def _is_address(text: str) -> bool:
    try:
        found = Address(addr_spec=text)
    except Exception:  # the parser's faults are of many kinds
        return False
    return bool(found.username and found.domain and text.isascii())
