"""Lines of the log, as text or JSON: each with its time and the id of the request, and none with a secret in it."""

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
"""Loggers that follow the chosen level; those of libraries write warnings only."""
ACCESS = logging.getLogger("sutler.access")
FIGURES = ("method", "route", "status", "ms")
"""Attributes of a request's line that are fields of their own in JSON."""
REQUEST_ID_HEADER = "X-Request-Id"
HIDDEN = "…"
SECRET_PREFIXES = ("seat", "watch")
"""First parts of a table's address; the same routes are mounted behind each of them."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{28,}")
_PLAIN_NAME = re.compile(r"_*[a-z]+(_[a-z]+)+")
"""A name from a program (words and underscores), which is no secret token however long it is."""
_MAIL = re.compile(r"[^\s@<>'\"(),:;=/]+@[^\s@<>'\"(),:;=/]+\.\w+")
_INPUT = re.compile(r"input_value=.*?(?=, input_type=|$)", re.MULTILINE | re.DOTALL)
"""A value that was refused, as Pydantic repeats it in its error messages."""

_request_id: ContextVar[str] = ContextVar("request_id", default="")


def assign_request_id() -> str:
    """Give the current request an id, by which its log lines are found again; return the id."""
    number = secrets.token_hex(6)
    _request_id.set(number)
    return number


def get_request_id() -> str:
    """The id of the request that is being answered; "" outside of a request."""
    return _request_id.get()


def get_route_pattern(scope: Scope) -> str:
    """The pattern of a request's address without its secret part, such as /seat/act; "other" where no route was found."""
    route = str(getattr(scope.get("route"), "path", "other"))
    door = scope["path"].split("/", 2)[1:2]
    if door and door[0] in SECRET_PREFIXES and not route.startswith(f"/{door[0]}"):
        route = f"/{door[0]}{route}"
    return route


def log_answer(scope: Scope, status: int, started_at: float) -> None:
    """Write the log line of a request that is being answered. `status`: of HTTP; `started_at`: `time.perf_counter()` when it came in."""
    if ACCESS.isEnabledFor(logging.INFO):
        ms = round(1000 * (time.perf_counter() - started_at), 1)
        told = {"method": scope["method"], "route": get_route_pattern(scope), "status": status, "ms": ms}
        ACCESS.info("%s %s %d, %s ms", *told.values(), extra=told)


def redact_secrets(text: str) -> str:
    """The text without links, cookies, keys, mail addresses and values that people typed; "…" stands in their place."""
    text = _INPUT.sub(f"input_value={HIDDEN}", text)
    text = _TOKEN.sub(lambda found: found[0] if _PLAIN_NAME.fullmatch(found[0]) else HIDDEN, text)
    return _MAIL.sub(HIDDEN, text)


class _Lines(logging.Formatter):
    """Formats log lines for people: time in UTC, level, logger, id of the request, message."""

    def format(self, record: logging.LogRecord) -> str:
        """The log record as one line; as several lines where it holds an exception."""
        number = f" {get_request_id()}" if get_request_id() else ""
        return f"{_format_time(record)} {record.levelname} {record.name}{number}: {redact_secrets(self._format_message(record))}"

    def _format_message(self, record: logging.LogRecord) -> str:
        """The message, and the traceback of the exception if the record has one."""
        text = record.getMessage()
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return text + (f"\n{record.stack_info}" if record.stack_info else "")


class _JsonLines(_Lines):
    """Formats log lines as JSON, an object a line: time, level, logger, message; and the id and figures of the request being answered."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        line: dict[str, Any] = {"time": _format_time(record), "level": record.levelname.lower(), "logger": record.name}
        line["message"] = redact_secrets(record.getMessage())
        if get_request_id():
            line["request"] = get_request_id()
        line |= {name: getattr(record, name) for name in FIGURES if hasattr(record, name)}
        if record.exc_info:
            line["trace"] = redact_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def _format_time(record: logging.LogRecord) -> str:
    """The time of a log record in UTC, to the millisecond."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class LogSettings:
    """The log of a process: the lowest level that is written, and whether lines are JSON."""

    level: str = "warning"
    as_json: bool = False

    def create_formatter(self) -> logging.Formatter:
        """The formatter for these settings."""
        return _JsonLines() if self.as_json else _Lines()

    def apply(self) -> None:
        """Write the log to standard error from now on. From level "info" on, each request has a line."""
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(self.create_formatter())
        logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
        for name in OWN_LOGGERS:
            logging.getLogger(name).setLevel(self.level.upper())
