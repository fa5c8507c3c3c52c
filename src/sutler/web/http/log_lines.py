"""Lines of the log: with their time and the number of the request, as text or JSON, and never with a secret in them."""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import time
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from starlette.types import Scope

LEVELS = ("debug", "info", "warning", "error")
OWN_LOGGERS = ("sutler", "uvicorn")
"""Loggers that follow the chosen level; those of libraries tell warnings only."""
ACCESS = logging.getLogger("sutler.access")
FIGURES = ("method", "route", "status", "ms")
"""Attributes of the line of a request that stand by themselves in JSON."""
REQUEST_ID_HEADER = "X-Request-Id"
HIDDEN = "…"
SECRET_PREFIXES = ("seat", "watch")
"""First parts of a table's address, behind which the same routes are mounted."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{28,}")
_PLAIN_NAME = re.compile(r"_*[a-z]+(_[a-z]+)+")
"""A name of a program, which is no token however long it is."""
_MAIL = re.compile(r"[^\s@<>'\"(),:;=/]+@[^\s@<>'\"(),:;=/]+\.\w+")
_INPUT = re.compile(r"input_value=.*?(?=, input_type=|$)", re.MULTILINE | re.DOTALL)
"""A value that did not fit, as Pydantic repeats it."""

_request_id: ContextVar[str] = ContextVar("request_id", default="")


def begin_request() -> str:
    """Give this request a number of its own, by which its lines are found again; return it."""
    number = secrets.token_hex(6)
    _request_id.set(number)
    return number


def request_id() -> str:
    """The number of the request that is being answered; "" outside of one."""
    return _request_id.get()


def route_of(scope: Scope) -> str:
    """The pattern of a request's address without its secret, such as /seat/act; "other" where no route was found."""
    route = str(getattr(scope.get("route"), "path", "other"))
    door = scope["path"].split("/", 2)[1:2]
    if door and door[0] in SECRET_PREFIXES and not route.startswith(f"/{door[0]}"):
        route = f"/{door[0]}{route}"
    return route


def note_answer(scope: Scope, status: int, begun: float) -> None:
    """Write the line of a request that is being answered. `begun`: `time.perf_counter()` when it came in."""
    if ACCESS.isEnabledFor(logging.INFO):
        ms = round(1000 * (time.perf_counter() - begun), 1)
        told = {"method": scope["method"], "route": route_of(scope), "status": status, "ms": ms}
        ACCESS.info("%s %s %d, %s ms", *told.values(), extra=told)


def without_secrets(text: str) -> str:
    """The text without links, cookies, keys, mail addresses and values that people typed."""
    text = _INPUT.sub(f"input_value={HIDDEN}", text)
    text = _TOKEN.sub(lambda found: found[0] if _PLAIN_NAME.fullmatch(found[0]) else HIDDEN, text)
    return _MAIL.sub(HIDDEN, text)


class _Lines(logging.Formatter):
    """Lines for people: time in UTC, level, logger, number of the request, what happened."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, or more where a program stumbled."""
        number = f" {request_id()}" if request_id() else ""
        return f"{_time(record)} {record.levelname} {record.name}{number}: {without_secrets(self.told(record))}"

    def told(self, record: logging.LogRecord) -> str:
        """The message, with where it came from if a program stumbled."""
        text = record.getMessage()
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return text + (f"\n{record.stack_info}" if record.stack_info else "")


class _JsonLines(_Lines):
    """One object of JSON a line: time, level, logger, message; request, where one is being answered, and its figures."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line: dict[str, Any] = {"time": _time(record), "level": record.levelname.lower(), "logger": record.name}
        line["message"] = without_secrets(record.getMessage())
        if request_id():
            line["request"] = request_id()
        line |= {name: getattr(record, name) for name in FIGURES if hasattr(record, name)}
        if record.exc_info:
            line["trace"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class LogSettings:
    """The lines a process writes: from which level on, and whether as JSON."""

    level: str = "warning"
    as_json: bool = False

    def formatter(self) -> logging.Formatter:
        """The formatter of the lines."""
        return _JsonLines() if self.as_json else _Lines()

    def apply(self) -> None:
        """Write lines to the standard error from now on. Requests have a line each from level info on."""
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(self.formatter())
        logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
        for name in OWN_LOGGERS:
            logging.getLogger(name).setLevel(self.level.upper())
