"""Mail delivery: one message at a time over an encrypted connection to the SMTP server that the environment names.

The settings are environment variables, so that no password stands in a command line or in the database:
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

from sutler.web.jobs.socket_deadline import shut_socket_after

VARIABLES = ("SUTLER_MAIL", "SUTLER_MAIL_FROM", "SUTLER_MAIL_PASSWORD")
DEFAULT_PORTS = {"smtp": 587, "smtps": 465}
TIMEOUT_S = 20.0
"""Seconds for each step of a conversation with the mail server."""
DEADLINE_S = 60.0
"""Seconds for a whole conversation with the mail server."""


@dataclass(frozen=True)
class SmtpServer:
    """The SMTP server that delivers this server's mail.

    `tls_from_start`: is the connection encrypted from its first byte (`smtps`)? Otherwise encryption begins by STARTTLS. `sender`: the
    address that mail comes from.
    """

    host: str
    port: int
    tls_from_start: bool
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)

    @property
    def is_local(self) -> bool:
        """Is the mail server on this machine? Then nobody can listen in, and the connection need not be encrypted."""
        with contextlib.suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return self.host == "localhost"

    def send_mail(self, recipient: str, subject: str, text: str) -> None:
        """Send one message.

        Raises OSError or smtplib.SMTPException where that fails; nothing is ever sent unencrypted to another machine.
        """
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, recipient, subject
        message["Date"], message["Auto-Submitted"] = localtime(), "auto-generated"
        message["Message-ID"] = make_msgid(domain=self.sender.rpartition("@")[2].rstrip(">"))
        message.set_content(text)
        with contextlib.closing(self._create_connection()) as line, shut_socket_after(DEADLINE_S, lambda: line.sock):
            line.connect(self.host, self.port)
            if not self.tls_from_start and not self.is_local:
                line.starttls(context=ssl.create_default_context())
            if self.user:
                line.login(self.user, self.password)
            line.send_message(message)
            with contextlib.suppress(OSError):  # the server has accepted the message already
                line.quit()

    def _create_connection(self) -> smtplib.SMTP:
        """A connection to the mail server that is not open yet."""
        line = (
            smtplib.SMTP_SSL(timeout=TIMEOUT_S, context=ssl.create_default_context())
            if self.tls_from_start
            else smtplib.SMTP(timeout=TIMEOUT_S)
        )
        setattr(line, "_host", self.host)  # noqa: B010 - the name its certificate must have; said to the constructor it would connect at once
        return line


def smtp_server_from_env(settings: Mapping[str, str]) -> SmtpServer | None:
    """The mail server that these environment variables name; None where they name none.

    Raises ValueError, with an error message for the user, where the settings cannot be used.
    """
    where, sender, password = (settings.get(name, "") for name in VARIABLES)
    if not where:
        return None
    parts = urlsplit(where)
    try:
        port = parts.port
    except ValueError:
        port = 0
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname or port == 0:
        raise ValueError(
            f"{VARIABLES[0]} names no mail server; write smtps://user@mail.example, or smtp://… for one that covers the line later"
        )
    if parts.password:
        raise ValueError(f"the mail server’s password belongs into {VARIABLES[2]}, not into {VARIABLES[0]}")
    if not _is_address(sender):
        raise ValueError(f"{VARIABLES[1]} says no address that mail comes from, such as sutler@{parts.hostname}")
    user = unquote(parts.username or "")
    if user and not password:
        raise ValueError(f"{VARIABLES[0]} names a user, but {VARIABLES[2]} says no password")
    return SmtpServer(
        parts.hostname, port or DEFAULT_PORTS[parts.scheme], parts.scheme == "smtps", sender, user, password
    )


def _is_address(text: str) -> bool:
    """Is this text a mail address in ASCII?"""
    try:
        found = Address(addr_spec=text)
    except Exception:  # the parser raises errors of many kinds
        return False
    return bool(found.username and found.domain and text.isascii())
