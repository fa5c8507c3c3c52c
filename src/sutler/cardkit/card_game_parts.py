"""The parts of a card game as checked data: tokens, places, kinds of card, cards, phases, actions, ends and scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sutler.cardkit.amounts import Condition, Sum
from sutler.cardkit.operation_types import Operation


@dataclass(frozen=True)
class Token:
    """A kind of token: each seat has its own, or the table where they are `shared`; `worth` is for bots, in points (None: estimated).

    `start` and `limit` (0: none) are numbers of tokens; `secret`: only their owner knows how many; `one`: the name of a single token.
    """

    name: str
    start: int = 0
    limit: int = 0
    shared: bool = False
    secret: bool = False
    one: str = ""
    worth: float | None = None
    icon: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of card. Each of its fields holds a number (an empty tuple of words) or one of the given words.

    `icon` is the picture of its cards; `icons` gives pictures for cards by a word of a field.
    """

    name: str
    fields: Mapping[str, tuple[str, ...]]
    icon: str = ""
    icons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Spot:
    """A place for cards of one kind (`of`): one for the table, or one for `each` seat.

    `all`: the cards of the kind begin here; `limit`: the most cards it holds (0: any number); `refill`: the place that fills it up to its
    limit; `again`: the place whose cards return here when it is empty; `worth`: of one card here, for bots, in points (None: estimated);
    `idle`: cards here neither work each turn nor count for themselves at the end.
    """

    name: str
    of: str
    each: bool = False
    all: bool = False
    limit: int = 0
    refill: str = ""
    again: str = ""
    seen_by: str = "all"
    worth: float | None = None
    ordered: bool = False
    idle: bool = False


@dataclass(frozen=True)
class Card:
    """A card with what is printed on it. `triggers`: operations by when they happen; `at_end`: the points it counts before its owner.

    `fields` holds numbers, or for words their index; `amounts` the card's own numbers, moved out of its operations (`Sum.with_slots`).
    """

    name: str
    kind: str
    copies: int
    fields: Mapping[str, int]
    text: str
    triggers: Mapping[str, tuple[Operation, ...]]
    at_end: Sum | None
    amounts: tuple[int, ...]
    icon: str = ""


@dataclass(frozen=True)
class Stage:
    """A phase of a round: who acts in it, how many actions a seat has, and which operations come before and after."""

    name: str
    who: str
    actions: Sum
    may_stop: bool
    before: tuple[Operation, ...]
    after: tuple[Operation, ...]
    text: str


@dataclass(frozen=True)
class Deed:
    """An action that the file describes: its card or seat, its price, its condition and its operations.

    `key` is its name in actions; `stages` the phases, by index, in which it may be taken; `source` the place of its card ("": no card);
    `only` what that card's fields must be; `seat` "other" or "any" if it is about a seat; `refuse` the text of its refusal; `told` that
    of its log entry.
    """

    key: str
    name: str
    stages: tuple[int, ...]
    source: str
    only: tuple[tuple[str, str], ...]
    seat: str
    pay: tuple[tuple[str, Sum], ...]
    needs: Condition | None
    refuse: str
    once: bool
    free: bool
    do: tuple[Operation, ...]
    told: str
    text: str

    @property
    def argument_kinds(self) -> tuple[str, ...]:
        """The kinds of the action's arguments, in their order: "card", "seat", both or none."""
        return (("card",) if self.source else ()) + (("seat",) if self.seat else ())

    @property
    def is_always_open(self) -> bool:
        """Is the action legal whenever its phase asks for it, because it has no card, seat, price or condition?"""
        return not (self.argument_kinds or self.pay or self.needs or self.once)


@dataclass(frozen=True)
class Ending:
    """A way in which the game ends: after a number of rounds, when a place is empty, or when a condition holds.

    `at` says when this is looked at: "once" (after every change), "turn" or "round"; `won` whether all have won (None: points decide).
    """

    rounds: int = 0
    empty: str = ""
    when: Condition | None = None
    at: str = "round"
    won: bool | None = None
    text: str = ""


@dataclass(frozen=True)
class Score:
    """A line of the score: the amount of points, and its text."""

    count: Sum
    text: str


@dataclass
class CardGame:
    """The whole contents of a card game's file, checked."""

    title: str = ""
    tagline: str = ""
    blurb: str = ""
    designer: str = ""
    minutes: str = ""
    seats: tuple[int, int] = (2, 4)
    together: bool = False
    ties: tuple[str, ...] = ()
    numbers: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    places: dict[str, Spot] = field(default_factory=dict)
    cards: list[Card] = field(default_factory=list)
    setup: tuple[Operation, ...] = ()
    setup_seat: tuple[Operation, ...] = ()
    stages: list[Stage] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    ends: list[Ending] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)

    @property
    def n_cards(self) -> int:
        """The number of cards, with all copies."""
        return sum(card.copies for card in self.cards)

    @property
    def start_amounts(self) -> dict[str, int]:
        """The number of tokens of each kind at the start, by name."""
        return {token.name: token.start for token in self.tokens.values()}

    @property
    def limits_by_name(self) -> dict[str, int]:
        """The limits of the tokens and places that have one, by name."""
        limited = {token.name: token.limit for token in self.tokens.values() if token.limit}
        return limited | {spot.name: spot.limit for spot in self.places.values() if spot.limit}

    def iter_operations(self) -> Iterable[Operation]:
        """Yield every operation of the file, each followed by the operations within it."""
        for top in self.iter_operation_lists():
            yield from _flatten_operations(top)

    def iter_operation_lists(self) -> Iterable[tuple[Operation, ...]]:
        """Yield every list of operations of the file, without lists within operations."""
        yield from (self.setup, self.setup_seat)
        for stage in self.stages:
            yield from (stage.before, stage.after)
        for deed in self.deeds:
            yield deed.do
        for card in self.cards:
            yield from card.triggers.values()

    def iter_amounts(self) -> Iterable[Sum]:
        """Every amount of the file: those of operations, actions, phases, ends, cards and scores, and both sides of every condition."""
        conditions = [*(deed.needs for deed in self.deeds), *(end.when for end in self.ends)]
        found = [*(stage.actions for stage in self.stages), *(score.count for score in self.scores)]
        for op in self.iter_operations():
            conditions.append(op.condition)
            found += [*(amount for _, amount in op.tokens), *(one for one in (op.n, op.most, op.least) if one)]
        for deed in self.deeds:
            found += [amount for _, amount in deed.pay]
        yield from (*found, *(card.at_end for card in self.cards if card.at_end))
        for condition in conditions:
            if condition:
                yield from (condition.left, condition.right)

    @property
    def fields_by_kind(self) -> dict[str, tuple[str, ...]]:
        """{field of a card: the words it may hold, () for a number}, over all kinds of card."""
        return {name: words for kind in self.kinds.values() for name, words in kind.fields.items()}


def _flatten_operations(ops: Iterable[Operation]) -> Iterable[Operation]:
    """All operations of some lists, each followed by those within it."""
    for op in ops:
        yield op
        yield from _flatten_operations(op.do)
        yield from _flatten_operations(op.other)
        for option in op.options:
            yield from _flatten_operations(option.do)


def to_readable_name(name: str) -> str:
    """A name of the file as people read it, with spaces for underscores."""
    return name.replace("_", " ")
