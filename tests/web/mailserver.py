"""A mail server on this machine that keeps what it is given: no more of SMTP than a house speaks."""

from __future__ import annotations

import email
import email.policy
import queue
import socketserver
import threading
from email.message import EmailMessage
from typing import Any


class MailServer(socketserver.ThreadingTCPServer):
    """Takes messages into `letters`; everything a client says stands in `said`. `refuses`: the answer to every recipient."""

    daemon_threads = True

    def __init__(self, refuses: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.refuses = refuses
        self.letters: queue.Queue[EmailMessage] = queue.Queue()
        self.said: list[str] = []
        self.hung_up: queue.Queue[None] = queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def next(self) -> EmailMessage:
        """The next letter, as soon as it is there."""
        return self.letters.get(timeout=60)

    def __exit__(self, *args: Any) -> None:
        self.shutdown()
        super().__exit__(*args)


class _Talk(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.answer("220 here")
        while line := self.rfile.readline().decode().strip():
            self.server.said.append(line)
            order = line.split()[0].upper()
            if order == "EHLO":
                self.answer("250-here")
                self.answer("250 AUTH PLAIN LOGIN")
            elif order == "RCPT" and self.server.refuses:
                self.answer(self.server.refuses)
            elif order == "DATA":
                self.answer("354 go on")
                self.take()
                self.answer("250 taken")
            elif order == "QUIT":
                self.answer("221 bye")
                break
            elif order == "AUTH":
                self.answer("235 come in")
            elif order == "STARTTLS":
                self.answer("502 not here")
            else:
                self.answer("250 well")
        self.server.hung_up.put(None)

    def take(self) -> None:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b"."))
        found = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        assert isinstance(found, EmailMessage)
        self.server.letters.put(found)

    def answer(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())
