"""Sentences from numbers: a game's events, prompts and choices put into words.

A sentence marks its parts that stand for things (a seat, a card, a good); it is shown as plain text, or marked up on the page.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Sequence
from dataclasses import dataclass, field

from sutler.core.actions import Names
from sutler.core.events import AMOUNT, COUNT, Told
from sutler.core.tables import Refusal as Refusal
from sutler.core.text.language import HOUSE, Tongue


@dataclass(frozen=True)
class Prompt:
    """The question of the open decision: a sentence, a line of help, the paragraph (`rule`), and what remains ("2 actions left")."""

    text: Sentence
    help: Sentence = ()
    rule: str = ""
    left: Sentence = ()


@dataclass(frozen=True)
class Choice:
    """One legal action as the page shows it.

    `at` names the spot on the table that can be clicked for it ("space:3", "card:Wheat"), `effect` says what it would do. `tone` is "" for
    a plain choice, "quiet" for one that declines or avoids something, "commit" for one that ends or binds. Programs read the action's
    `block` and `args`, never its name.
    """

    id: int
    name: str
    label: Sentence
    effect: Sentence = ()
    at: str | None = None
    rule: str = ""
    tone: str = ""
    block: str = ""
    args: tuple[int, ...] = ()
    amount: int | None = None
    """The number in the action's last part, if that part is a number, such as strength committed or gold paid; else None."""
    times: int = 1
    """How many times in a row the action can be taken; more than 1 only for actions that the game lists in its `REPEATED`."""


def number_choices(choices: Sequence[Choice]) -> list[int]:
    """The number to type for each choice: its `amount`, if amounts are all different; the other choices get the numbers after those."""
    amounts = [choice.amount for choice in choices if choice.amount is not None]
    if len(set(amounts)) < len(amounts):
        amounts = []  # equal amounts of different things: numbered in order, like anything else
    following = itertools.count(max(amounts, default=0) + 1)
    return [choice.amount if amounts and choice.amount is not None else next(following) for choice in choices]


@dataclass(frozen=True)
class Line:
    """One line of a score: its label, its points, its paragraph."""

    label: Sentence
    points: float
    rule: str


@dataclass(frozen=True)
class Sum:
    """The title and layout of the parts of a number on the table (`account`): the values of a game's `SUMS`, by kind of number.

    `title` may contain `{what}`, the name in the number's key. `zeros`: parts of 0 points are shown too. `apart`: the parts are separate
    numbers that are not added up. `of`: the list of names that the key's name belongs to, for its translation.
    """

    title: str
    zeros: bool = False
    apart: bool = False
    of: str = "card"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One sentence of the log: its index, the number of the decision it followed, its paragraph, the event's kind, the seat it is about.

    `told`: the events that it tells.
    """

    index: int
    decision: int
    sentence: Sentence
    rule: str
    kind: str
    icon: str = ""
    heading: bool = False
    seat: int | None = None
    told: tuple[Told, ...] = field(default=(), repr=False, compare=False)

    def adds_up_with(self, other: LogLine) -> bool:
        """Can two lines of the log be joined in one sentence, by a sum or a count (`Told.adds_up_with`)?"""
        return bool(self.told and other.told) and self.told[0].adds_up_with(other.told[0])


class Speaker:
    """Turns numbers into words: `say("{seat} plays {card}", seat=1, card=5)`.

    A part in braces is `name` or `name:kind`. Numbers of a kind with a list in `names` become names, others stay numbers. A list
    `names["obstacle_called"]` beside `names["obstacle"]` holds the names for people, which several things may share. A list
    `names["asset:die"]` marks a kind that is drawn as dice, and holds their keys, such as "technology:5" ("action:3:plain" without a
    symbol). Sentences are in the reader's language; the key of a word is the box's own name in every language.
    """

    def __init__(self, names: Names, seats: Sequence[str] = (), tongue: Tongue = HOUSE) -> None:
        self.names = names
        self.seats = tuple(seats)
        self.tongue = tongue

    def word(self, kind: str, number: int) -> Fragment:
        """The word for thing `number` of a kind, with its name; the number itself if the kind has no names."""
        if kind == "seat":
            known = 0 <= number < len(self.seats)
            return Word("seat", self.seats[number] if known else self.tongue("seat {n}", n=number), str(number))
        listed = self.names.get(kind)
        if listed is None:
            return Word("num", str(number))
        if not 0 <= number < len(listed):
            return Word(kind, f"{kind} {number}", f"{kind} {number}")
        shared = self.names.get(f"{kind}_called")
        called = self.tongue(listed[number], kind) if shared is None else self.tongue(shared[number], f"{kind}_called")
        dice = self.names.get(f"{kind}:die")
        return Word(kind, called, listed[number]) if dice is None else Word("die", called, dice[number])

    def say(self, template: str, **parts: int | str | list[int]) -> Sentence:
        """The sentence of a template, its parts filled in: a number becomes a word, a list of numbers is listed, a text is kept.

        `{n:#good|goods}` is the first word for 1, else the second; a language with more plural forms lists them all. Directly after a 1,
        a kind with singular names (`names["good:one"]`) is written in the singular.
        """
        out: list[Fragment] = []
        for text, name, kind, _ in string.Formatter().parse(self.tongue(template)):
            if text:
                out.append(text)
            if name is not None:
                value = parts[name]
                if isinstance(value, list):
                    out += self._list_words(kind or name.rstrip("0123456789"), value)
                    continue
                if kind and kind.startswith("#"):
                    forms = kind[1:].split("|")
                    out.append(forms[min(self.tongue.get_plural_index(int(value)), len(forms) - 1)])
                    continue
                kind = kind or name.rstrip("0123456789")
                out.append(value if isinstance(value, str) else self._word_after_count(kind, int(value), out))
        return tuple(out)

    def _list_words(self, kind: str, numbers: list[int]) -> list[Fragment]:
        """Numbers as words of their kind, with commas between them."""
        words = [self.word(kind, int(number)) for number in numbers]
        return [one for word in words for one in (", ", word)][1:]

    def _word_after_count(self, kind: str, number: int, before: list[Fragment]) -> Fragment:
        """The word for a thing, in the singular if the sentence so far (`before`) ends in a 1."""
        word = self.word(kind, number)
        told = "".join(str(part) for part in before[-2:])
        singular = self.names.get(f"{kind}:one")
        if singular is None or not (told == "1 " or told.endswith((" 1 ", "+1 "))) or not isinstance(word, Word):
            return word
        return Word(kind, self.tongue(singular[number], f"{kind}:one"), word.key)

    def tell(self, told: Told, *more: Told) -> Sentence:
        """The sentence of an event. `more`: events that continue it (`Told.shares_log_line_with`), which it lists, sums or counts."""
        names = [name for name, _ in told.event.parts]
        parts: dict[str, int | str | list[int]] = dict(zip(names, told.args, strict=True))
        parts[COUNT] = 1 + len(more)
        if more and told.event.listed:
            parts[names[-1]] = [one.args[-1] for one in (told, *more)]
        elif told.event.summed:
            parts[AMOUNT] = sum(one.get_part(AMOUNT) for one in (told, *more))
        return self.say(told.event.text, **parts)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence that stands for a thing: its kind ("seat", "card"), its text, its key (index or name)."""

    kind: str
    text: str
    key: str = ""

    def __str__(self) -> str:
        return self.text


Fragment = str | Word
Sentence = tuple[Fragment, ...]


def to_plain_text(sentence: Sentence) -> str:
    """A sentence as plain text."""
    return "".join(str(part) for part in sentence)


def sentence(*parts: Fragment) -> Sentence:
    """A sentence from its parts; empty strings are left out."""
    return tuple(part for part in parts if part != "")
