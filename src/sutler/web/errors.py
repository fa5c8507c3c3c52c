"""Errors that answer a request: an error message for the person who asked, and an HTTP status."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sutler.core.text.language import _


class RequestError(Exception):
    """An error: a request cannot be fulfilled. It is answered with a message and an HTTP status.

    `text`: the reason as a sentence, which is translated for the person who asked; `rule`: the paragraph of the game's rules it comes from;
    `status`: the HTTP status, None for that of the class; `fields`: values for the blanks in `text`.
    """

    status = 400
    headers: Mapping[str, str] = MappingProxyType({})
    """Headers of the answer in addition to the usual ones."""

    def __init__(self, text: str, /, rule: str = "", status: int | None = None, **fields: object) -> None:
        self.text = _(text, **fields)
        super().__init__(self.text)
        self.rule = rule
        if status is not None:
            self.status = status


class Stale(RequestError):
    """An error: the decision that was answered is no longer open."""

    status = 409


class Used(RequestError):
    """An error: a link, code or challenge that works only once was used before, or is too old."""

    status = 410


class Refused(RequestError):
    """An error: the rules of the game or the settings of the table forbid the request."""

    status = 422


class Secret(RequestError):
    """An error: the request is for something that stays secret until the game is over."""

    status = 403


class TooMany(RequestError):
    """An error: too many requests came within a short time."""

    status = 429


class Lost(RequestError):
    """An error: there is nothing at the address that was requested."""

    status = 404
