"""Sentences from numbers: how a game's events, prompts and choices are put into words."""

from __future__ import annotations

import itertools
import string
from collections.abc import Sequence
from dataclasses import dataclass

from sutler.core.actions import Names
from sutler.core.events import Told
from sutler.core.tables import Refusal as Refusal
from sutler.core.text.language import HOUSE, Tongue
from sutler.core.text.marked_text import Fragment, Sentence, Word


@dataclass(frozen=True)
class Prompt:
    """The question asked: one sentence, a line of help, its paragraph, and what is left ("2 actions left")."""

    text: Sentence
    help: Sentence = ()
    rule: str = ""
    left: Sentence = ()


@dataclass(frozen=True)
class Choice:
    """One legal action as the page shows it.

    `at` names the spot on the table that stands for it ("space:3", "card:Wheat"), `effect` what it would do, `tone` how
    weighty it is: "" a plain choice, "quiet" a way round, "commit" what ends or binds. `block` and `args` are the action's:
    read those, never its name.
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
    """The number of its last part where that is shown as a number: strength committed, tokens that feed, gold paid."""
    times: int = 1
    """How many times in a row it can be taken, where the game says that people do so (its `REPEATED`)."""


def keys_of(choices: Sequence[Choice]) -> list[int]:
    """The number key for each choice. An amount is its own key; the others follow, from 1."""
    amounts = [choice.amount for choice in choices if choice.amount is not None]
    if len(set(amounts)) < len(amounts):
        amounts = []  # equal amounts of different things: numbered in order, like anything else
    following = itertools.count(max(amounts, default=0) + 1)
    return [choice.amount if amounts and choice.amount is not None else next(following) for choice in choices]


@dataclass(frozen=True)
class Line:
    """A part of a score: its label, its points, its paragraph."""

    label: Sentence
    points: float
    rule: str


@dataclass(frozen=True)
class Sum:
    """How a number that tells its parts (`account`) is titled: a game's row of `SUMS`, by kind.

    `title` may speak of `{what}`, the thing in the number's key. `zeros`: parts of 0 points are shown too. `apart`: its parts are
    several numbers that are not added up. `of`: the list of names that the thing is in, by which it is translated.
    """

    title: str
    zeros: bool = False
    apart: bool = False
    of: str = "card"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One sentence of the log: its place, the decision it followed, its paragraph, the seat it is about."""

    index: int
    decision: int
    sentence: Sentence
    rule: str
    kind: str
    icon: str = ""
    heading: bool = False
    seat: int | None = None


class Speaker:
    """Turns numbers into words: `say("{seat} plays {card}", seat=1, card=5)`.

    A part in braces is `name` or `name:kind`; kinds with a list of names are looked up, others are written as numbers. Where several
    things share one name (`names["obstacle_called"]` beside `names["obstacle"]`), people read the shared one. Everything is in the
    reader's language; a word's key is the box's own name, in every language. A kind that is drawn as dice has their keys
    beside its names: `names["asset:die"]`, "technology:5" each; a die without a symbol is "action:3:plain".
    """

    def __init__(self, names: Names, seats: Sequence[str] = (), tongue: Tongue = HOUSE) -> None:
        self.names = names
        self.seats = tuple(seats)
        self.tongue = tongue

    def word(self, kind: str, number: int) -> Fragment:
        """One number as a word of its kind."""
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
        """A template with its numbers put into words; a part given as text is kept, several numbers are listed.

        `{n:#good|goods}` is the first word for 1, else the second; a language with more than two forms lists them in its own order.
        After a 1, a kind with singular names (`names["good:one"]`) is written in the singular.
        """
        out: list[Fragment] = []
        for text, name, kind, _ in string.Formatter().parse(self.tongue(template)):
            if text:
                out.append(text)
            if name is not None:
                value = parts[name]
                if isinstance(value, list):
                    out += self._listed(kind or name.rstrip("0123456789"), value)
                    continue
                if kind and kind.startswith("#"):
                    forms = kind[1:].split("|")
                    out.append(forms[min(self.tongue.plural(int(value)), len(forms) - 1)])
                    continue
                kind = kind or name.rstrip("0123456789")
                out.append(value if isinstance(value, str) else self._counted(kind, int(value), out))
        return tuple(out)

    def _listed(self, kind: str, numbers: list[int]) -> list[Fragment]:
        """Numbers as words of their kind, with commas between them."""
        words = [self.word(kind, int(number)) for number in numbers]
        return [one for word in words for one in (", ", word)][1:]

    def _counted(self, kind: str, number: int, before: list[Fragment]) -> Fragment:
        word = self.word(kind, number)
        told = "".join(str(part) for part in before[-2:])
        singular = self.names.get(f"{kind}:one")
        if singular is None or not (told == "1 " or told.endswith((" 1 ", "+1 "))) or not isinstance(word, Word):
            return word
        return Word(kind, self.tongue(singular[number], f"{kind}:one"), word.key)

    def tell(self, told: Told, *more: Told) -> Sentence:
        """An event as its sentence; `more`: those that go on with it (`Told.goes_on`), whose last parts are listed."""
        names = [name for name, _ in told.event.parts]
        parts: dict[str, int | str | list[int]] = dict(zip(names, told.args, strict=True))
        if more:
            parts[names[-1]] = [one.args[-1] for one in (told, *more)]
        return self.say(told.event.text, **parts)
