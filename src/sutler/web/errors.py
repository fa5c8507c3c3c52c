"""Errors that answer a request: a sentence for the person who asked, and an HTTP status."""

from __future__ import annotations

from sutler.core.language import _


class Trouble(Exception):
    """A request cannot be done. `text`: a sentence in the language of the person who asked; `rule`: the paragraph it comes from.

    `fields`: its blanks.
    """

    status = 400

    def __init__(self, text: str, /, rule: str = "", status: int | None = None, **fields: object) -> None:
        self.text = _(text, **fields)
        super().__init__(self.text)
        self.rule = rule
        if status is not None:
            self.status = status


class Stale(Trouble):
    """An answer to a question that is no longer open."""

    status = 409


class Used(Trouble):
    """A link, code or challenge that works once has been used, or is too old."""

    status = 410


class Refused(Trouble):
    """The rules of the game, or the settings of the table, forbid it."""

    status = 422


class Secret(Trouble):
    """It stays secret until the game is over."""

    status = 403


class TooMany(Trouble):
    """Too many requests at once."""

    status = 429


class Lost(Trouble):
    """There is nothing at this address."""

    status = 404
