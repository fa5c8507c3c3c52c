"""What a request can be refused with: a sentence for who asked, and a status of HTTP."""

from __future__ import annotations

from sutler.core.language import _


class Trouble(Exception):
    """Something asked for cannot be done: a sentence for who asked, in their language; a rule's paragraph."""

    status = 400

    def __init__(self, text: str, /, rule: str = "", status: int | None = None, **fields: object) -> None:
        self.text = _(text, **fields)
        super().__init__(self.text)
        self.rule = rule
        if status is not None:
            self.status = status


class Stale(Trouble):
    """An answer to a question that is no longer asked."""

    status = 409


class Used(Trouble):
    """What works once has been used."""

    status = 410


class Refused(Trouble):
    """The rules, or the table's manners, stand in the way."""

    status = 422


class Secret(Trouble):
    """It will be told when the game is over, and to nobody before."""

    status = 403


class TooMany(Trouble):
    """More than the house bears."""

    status = 429


class Lost(Trouble):
    """Nothing is found under this address."""

    status = 404
