"""The parts of a card game as checked data: tokens, places, kinds, cards, phases, actions, ends and points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sutler.cardkit.amounts import Condition, Sum
from sutler.cardkit.operations_of_cards import Operation


@dataclass(frozen=True)
class Token:
    """Tokens of one kind: each seat has some, or the table where they are `shared`."""

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
    """A kind of card: its fields, each numbers (empty) or one of some words."""

    name: str
    fields: Mapping[str, tuple[str, ...]]
    icon: str = ""
    icons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Spot:
    """A place for cards of one kind: one for the table, or one for `each` seat."""

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


@dataclass(frozen=True)
class Card:
    """A card: what is printed on it. `triggers`: what it does and when; `at_end`: what it is worth where it lies before its owner."""

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
    """A part of a round: who acts in it, how often, and what happens before and after."""

    name: str
    who: str
    actions: Sum
    may_stop: bool
    before: tuple[Operation, ...]
    after: tuple[Operation, ...]
    text: str


@dataclass(frozen=True)
class Deed:
    """An action: what it is about, what it costs, what it needs, what it does."""

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
    def parts(self) -> tuple[str, ...]:
        """The parts of its name in braces, in the order of an action's arguments."""
        return (("card",) if self.source else ()) + (("seat",) if self.seat else ())

    @property
    def is_always_open(self) -> bool:
        """May it always be done?"""
        return not (self.parts or self.pay or self.needs or self.once)


@dataclass(frozen=True)
class Ending:
    """When the game is over: after so many rounds, when a place is empty, or when something is so."""

    rounds: int = 0
    empty: str = ""
    when: Condition | None = None
    at: str = "round"
    won: bool | None = None
    text: str = ""


@dataclass(frozen=True)
class Score:
    """A line of the score."""

    count: Sum
    text: str


@dataclass
class CardGame:
    """All that a file says."""

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
        """How many cards there are, copies counted."""
        return sum(card.copies for card in self.cards)

    @property
    def starts(self) -> dict[str, int]:
        """The tokens of each kind to begin with."""
        return {token.name: token.start for token in self.tokens.values()}

    @property
    def limits(self) -> dict[str, int]:
        """The limits of tokens and places that have one."""
        limited = {token.name: token.limit for token in self.tokens.values() if token.limit}
        return limited | {spot.name: spot.limit for spot in self.places.values() if spot.limit}

    def operations(self) -> Iterable[Operation]:
        """Every operation of the file, those within others too."""
        for top in self.lists():
            yield from _flat(top)

    def lists(self) -> Iterable[tuple[Operation, ...]]:
        """Every list of operations of the file."""
        yield from (self.setup, self.setup_seat)
        for stage in self.stages:
            yield from (stage.before, stage.after)
        for deed in self.deeds:
            yield deed.do
        for card in self.cards:
            yield from card.triggers.values()

    @property
    def fields(self) -> dict[str, tuple[str, ...]]:
        """The fields of all kinds."""
        return {name: words for kind in self.kinds.values() for name, words in kind.fields.items()}


def _flat(ops: Iterable[Operation]) -> Iterable[Operation]:
    for op in ops:
        yield op
        yield from _flat(op.do)
        yield from _flat(op.other)
        for option in op.options:
            yield from _flat(option.do)
