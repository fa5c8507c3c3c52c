"""The operations of a card game's file: a row for each, with its fields and its paragraph of the guide."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sutler.cardkit.amounts import Condition, Sum


@dataclass(frozen=True)
class Row:
    """A kind of operation: the fields that it has in addition to `op`, and its paragraph of the guide.

    `tokens`: does it name tokens? `chooses`: does it ask for a choice? `seat`: does it need a chosen seat? `needs_to`: must it say `to`?
    `who` is the default of that field.
    """

    fields: tuple[str, ...]
    rule: str
    tokens: bool = False
    chooses: bool = False
    seat: bool = False
    needs_to: bool = True
    who: str = "me"


OPERATIONS = {
    "gain": Row(
        ("who",), "*Gain.* Take so many tokens from the supply, which never runs out; a limit stops it.", tokens=True
    ),
    "pay": Row(
        (),
        "*Pay.* Give so many tokens to the supply. Who has too few pays nothing, and what follows is not done.",
        tokens=True,
    ),
    "lose": Row(("who",), "*Lose.* Give back so many tokens, or as many as there are.", tokens=True),
    "give": Row(
        (), "*Give.* The chosen seat gets so many of your tokens, or as many as you have.", tokens=True, seat=True
    ),
    "steal": Row(
        (), "*Steal.* You get so many tokens of the chosen seat, or as many as it has.", tokens=True, seat=True
    ),
    "draw": Row(
        ("from", "to", "n", "who"),
        "*Draw.* Cards come at random from one place to another, as long as there are any and there is room.",
    ),
    "move": Row(("card", "to"), "*Move.* A card goes to another place; where that is full, it stays."),
    "empty": Row(("from", "to"), "*Empty.* All cards of a place go to another."),
    "reveal": Row(
        ("from", "to"),
        "*Reveal.* What all players have laid in a place of theirs is turned over at once, and goes to another place.",
    ),
    "shuffle": Row(("from",), "*Shuffle.* The cards of a pile that has an order are mixed."),
    "pick": Row(
        ("from", "to", "n", "may", "ask", "do"),
        "*Pick.* Choose a card of a place; it goes where it is said. Where it says *may*, you may also choose none.",
        chooses=True,
        needs_to=False,
    ),
    "seat": Row(("who", "ask", "do"), "*Choose a player.* Say whom it concerns.", chooses=True, who="others"),
    "choose": Row(("ask", "from"), "*Choose.* One of the options, of those that can be paid.", chooses=True),
    "roll": Row(("sides",), "*Roll.* A die is rolled; what follows asks for the number."),
    "if": Row(("is", "do", "else"), "*If.* What is said happens only then; else what is said after *else*."),
    "repeat": Row(("n", "do"), "*Repeat.* It is done so many times."),
    "each": Row(("who", "do"), "*Each.* Every player does it, from the one whose turn it is on.", who="all"),
    "compare": Row(
        ("most", "least", "do"),
        "*Most or least.* The player who has it does what is said; of equal ones the first from the one whose turn it is.",
    ),
    "play": Row(("card",), "*Play.* What the card says happens, after all else that is being done."),
    "end": Row(("won", "text"), "*The end.* The game is over at once."),
}
"""The row of each operation, by the word that the file uses for it."""


@dataclass(frozen=True)
class Option:
    """One of the options of a choice: its text, the condition it needs, and the operations that it starts."""

    text: str
    needs: Condition | None
    do: tuple[Operation, ...]

    def with_slots(self, numbers: list[int]) -> Option:
        """A copy of the option whose plain numbers are replaced by slots (`Sum.with_slots`)."""
        needs = self.needs and self.needs.with_slots(numbers)
        return replace(self, needs=needs, do=tuple(one.with_slots(numbers) for one in self.do))


@dataclass(frozen=True)
class Operation:
    """One operation of the file; fields that its row does not have stay empty."""

    word: str
    tokens: tuple[tuple[str, Sum], ...] = ()
    who: str = "me"
    source: str = ""
    to: str = ""
    n: Sum | None = None
    most: Sum | None = None
    least: Sum | None = None
    condition: Condition | None = None
    sides: int = 6
    optional: bool = False
    won: bool | None = None
    text: str = ""
    only: tuple[tuple[str, str], ...] = ()
    do: tuple[Operation, ...] = ()
    other: tuple[Operation, ...] = ()
    options: tuple[Option, ...] = ()

    @property
    def has_choice(self) -> bool:
        """Does this operation, or one within it, ask for a choice?"""
        inner = (*self.do, *self.other, *(one for option in self.options for one in option.do))
        return OPERATIONS[self.word].chooses or any(one.has_choice for one in inner)

    def with_slots(self, numbers: list[int]) -> Operation:
        """A copy of the operation whose plain numbers are replaced by slots (`Sum.with_slots`).

        Cards that differ only in such numbers then share one rule.
        """
        return replace(
            self,
            tokens=tuple((name, amount.with_slots(numbers)) for name, amount in self.tokens),
            n=self.n and self.n.with_slots(numbers),
            most=self.most and self.most.with_slots(numbers),
            least=self.least and self.least.with_slots(numbers),
            condition=self.condition and self.condition.with_slots(numbers),
            do=tuple(one.with_slots(numbers) for one in self.do),
            other=tuple(one.with_slots(numbers) for one in self.other),
            options=tuple(one.with_slots(numbers) for one in self.options),
        )
