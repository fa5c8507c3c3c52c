"""Errors that answer a request: a sentence for the person who asked, and an HTTP status."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sutler.core.text.language import _


class RequestError(Exception):
    """A request cannot be done. `text`: a sentence in the language of the person who asked; `rule`: the paragraph it comes from.

    `fields`: its blanks.
    """

    status = 400
    headers: Mapping[str, str] = MappingProxyType({})
    """Headers of the answer, beside the usual ones."""

    def __init__(self, text: str, /, rule: str = "", status: int | None = None, **fields: object) -> None:
        self.text = _(text, **fields)
        super().__init__(self.text)
        self.rule = rule
        if status is not None:
            self.status = status


class Stale(RequestError):
    """An answer to a question that is no longer open."""

    status = 409


class Used(RequestError):
    """A link, code or challenge that works once has been used, or is too old."""

    status = 410


class Refused(RequestError):
    """The rules of the game, or the settings of the table, forbid it."""

    status = 422


class Secret(RequestError):
    """It stays secret until the game is over."""

    status = 403


class TooMany(RequestError):
    """Too many requests at once."""

    status = 429


class Lost(RequestError):
    """There is nothing at this address."""

    status = 404
