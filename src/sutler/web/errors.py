"""Errors that answer a request: an error message for the person who asked, and an HTTP status."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sutler.core.text.language import _


class RequestError(Exception):
    """A request that cannot be done.

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
    """An answer to a decision that is no longer open."""

    status = 409


class Used(RequestError):
    """A link, code or challenge that works once and has been used already, or is too old."""

    status = 410


class Refused(RequestError):
    """A request that the rules of the game or the settings of the table forbid."""

    status = 422


class Secret(RequestError):
    """A request for something that stays secret until the game is over."""

    status = 403


class TooMany(RequestError):
    """Too many requests within a short time."""

    status = 429


class Lost(RequestError):
    """A request for an address at which there is nothing."""

    status = 404
