"""Amounts and conditions in a card game's file: `3`, `"cost"`, `"count(stall, sort = cloth) + 1"`, `"danger >= 8"`.

| an amount | is |
|---|---|
| `3` | the number |
| `coins` | the tokens of the seat that acts, or of the table where they are shared |
| `wage` | a number of `[numbers]` |
| `cost` | this field of the card that the operation is about |
| `seats`, `round`, `roll`, `score` | the number of seats; the round; the last roll; the points of the seat so far |
| `count(stall)`, `count(stall, sort = cloth)` | the number of cards in that place, of that sort |
| `sum(stall, worth, sort = wish.sort)` | the sum of a field over the cards in that place; `wish.sort`: the sort of the one card in `wish` |
| `most(coins)` | the most that any seat has |

Amounts are joined by `+` and `-`; a condition compares two amounts by `<`, `<=`, `=`, `>=`, `>` or `!=`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)?)|(?P<sign>[-+(),=]))"
)
FUNCTIONS = ("count", "sum", "most")
WORDS = ("seats", "round", "roll", "score")


class AmountError(ValueError):
    """An error: a text is no amount or condition; the message says why."""


@dataclass(frozen=True)
class Number:
    """A whole number; `slot` is its index in the card's list of numbers if it was moved there (`Sum.with_slots`), else -1."""

    value: int
    slot: int = -1


@dataclass(frozen=True)
class Name:
    """A single word: a kind of token, a number of the file, a field of the card, or one of WORDS."""

    word: str


@dataclass(frozen=True)
class Count:
    """The number of cards in a place, or the sum of their numbers in `field`."""

    place: str
    field: str = ""
    only: str = ""
    value: str = ""


@dataclass(frozen=True)
class Most:
    """An amount: the most tokens of one kind that any seat has."""

    token: str


@dataclass(frozen=True)
class Sum:
    """A sum of amounts; each part comes with its sign, 1 or -1."""

    parts: tuple[tuple[int, Number | Name | Count | Most], ...]

    @property
    def constant(self) -> int | None:
        """The value of a sum that is one plain number; None for any other sum, and for a number that each card has of its own."""
        ((sign, one), *rest) = self.parts
        return sign * one.value if not rest and isinstance(one, Number) and one.slot < 0 else None

    def with_slots(self, numbers: list[int]) -> Sum:
        """A copy of the sum whose plain numbers are replaced by slots; the numbers themselves are appended to `numbers`."""
        parts: list[tuple[int, Number | Name | Count | Most]] = []
        for sign, one in self.parts:
            if isinstance(one, Number):
                numbers.append(sign * one.value)
                parts.append((1, Number(0, len(numbers) - 1)))
            else:
                parts.append((sign, one))
        return Sum(tuple(parts))


@dataclass(frozen=True)
class Condition:
    """A comparison of two amounts by a sign such as ">="."""

    left: Sum
    sign: str
    right: Sum

    def with_slots(self, numbers: list[int]) -> Condition:
        """A copy of the condition whose plain numbers are replaced by slots (`Sum.with_slots`)."""
        return Condition(self.left.with_slots(numbers), self.sign, self.right.with_slots(numbers))


def parse_amount(text: int | str) -> Sum:
    """The amount that a number or a text of the file means; AmountError if it means none."""
    if isinstance(text, bool) or not isinstance(text, int | str):
        raise AmountError(f'an amount is a number, or words such as "cost" or "count(hand)", not {text!r}')
    if isinstance(text, int):
        return Sum(((1 if text >= 0 else -1, Number(abs(text))),))
    reader = _Reader(text)
    found = reader.read_amount()
    if reader.next_word is not None:
        raise AmountError(f"{text!r} makes no sense from {reader.next_word!r} on: between amounts stand + and - alone")
    return found


def parse_condition(text: str) -> Condition:
    """The condition that a text of the file means; AmountError if it means none."""
    if not isinstance(text, str):
        raise AmountError(f'a condition is a text such as "coins >= 3", not {text!r}')
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter in "<>=!":
            sign = text[i : i + 2] if text[i : i + 2] in ("<=", ">=", "!=", "==") else letter
            if sign == "!":
                break
            left, right = parse_amount(text[:i]), parse_amount(text[i + len(sign) :])
            return Condition(left, "==" if sign == "=" else sign, right)
    raise AmountError(
        f'{text!r} compares nothing: a condition is two amounts with <, <=, =, >= or > between, such as "coins >= 3"'
    )


class _Reader:
    """Reads the words of one text into an amount; AmountError where the text makes no sense."""

    def __init__(self, text: str) -> None:
        self.text, self.words = text, list[str]()
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            if not found:
                raise AmountError(
                    f"{text!r}: {text[at:].strip()[0]!r} means nothing in an amount; there are + and - alone"
                )
            self.words.append(found.group().strip())
            at = found.end()

    @property
    def next_word(self) -> str | None:
        """The next word of the text; None at its end."""
        return self.words[0] if self.words else None

    def take_word(self, wanted: str = "") -> str:
        """Take the next word, which must be `wanted` if that is given."""
        if not self.words or (wanted and self.words[0] != wanted):
            raise AmountError(
                f"{self.text!r}: {wanted or 'an amount'!r} is missing"
                + (f" before {self.next_word!r}" if self.next_word else "")
            )
        return self.words.pop(0)

    def read_amount(self) -> Sum:
        """Read an amount: parts joined by + and -."""
        sign = 1
        if self.next_word in ("-", "+"):
            sign = -1 if self.take_word() == "-" else 1
        parts = [(sign, self.read_part())]
        while self.next_word in ("+", "-"):
            sign = -1 if self.take_word() == "-" else 1
            parts.append((sign, self.read_part()))
        return Sum(tuple(parts))

    def read_part(self) -> Number | Name | Count | Most:
        """One part of an amount: a number, a name, or a function with its brackets."""
        word = self.take_word()
        if word.isdigit():
            return Number(int(word))
        if not re.match(r"[A-Za-z_]", word):
            raise AmountError(f"{self.text!r}: an amount is expected where {word!r} stands")
        if self.next_word != "(":
            return Name(word)
        if word not in FUNCTIONS:
            from sutler.core.names import did_you_mean

            near = did_you_mean(word, FUNCTIONS) or f"; there are {', '.join(FUNCTIONS)}"
            raise AmountError(f"{self.text!r}: there is no {word}(…){near}")
        self.take_word("(")
        found = self.read_function(word)
        self.take_word(")")
        return found

    def read_function(self, function: str) -> Count | Most:
        """The amount that a function with its brackets means; `function`: its name."""
        place = self.take_word()
        if function == "most":
            return Most(place)
        field = only = value = ""
        if function == "sum":
            self.take_word(",")
            field = self.take_word()
        if self.next_word == ",":
            self.take_word(",")
            only = self.take_word()
            self.take_word("=")
            value = self.take_word()
        return Count(place, field, only, value)
