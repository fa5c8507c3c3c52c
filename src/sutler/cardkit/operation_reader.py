"""Reading what stands within an entry of a card game's file: amounts, conditions, operations and the names in them.

`OperationReader` is the part of the reader of files (`declaration`) that knows nothing of sections and of the order they are read in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sutler.cardkit.amounts import (
    WORDS,
    AmountError,
    Condition,
    Count,
    Most,
    Name,
    Number,
    Sum,
    amount_of,
    condition_of,
)
from sutler.cardkit.card_parts import CardGame
from sutler.cardkit.faults import Faults, Place, Table
from sutler.cardkit.operations_of_cards import OPERATIONS, Operation, Option

MAX_DEPTH = 3
"""The deepest nesting of lists of operations."""


@dataclass(frozen=True)
class Scope:
    """The context in which a part of the file is read, which decides what words mean there.

    `card`: the kind of the card it is about ("": none); `seat`: was a seat chosen? `own`: does a seat act? `choices`: may operations ask
    for a choice? `points`: may amounts name the score? `depth`: the number of lists around this one.
    """

    card: str = ""
    seat: bool = False
    own: bool = True
    choices: bool = True
    points: bool = True
    depth: int = 0


class OperationReader:
    """Reads the amounts, conditions and operations of one file, with their names checked against what `game` has so far."""

    def __init__(self, faults: Faults, game: CardGame) -> None:
        self.faults, self.game = faults, game

    def kind_in(self, place: str) -> str:
        """The kind of card that a place is for; "" if there is no such place."""
        return self.game.places[place].of if place in self.game.places else ""

    def read_required_fields(self, one: Table, kind: str, taken: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """The fields that a card must have, as in `sort = "cloth"`: pairs of field and value. Fields in `taken` mean something else."""
        found = []
        for name in one.data:
            if name in taken:
                continue
            words = self.game.kinds[kind].fields.get(name) if kind in self.game.kinds else None
            if words is None:
                known = (*taken, *(self.game.kinds[kind].fields if kind in self.game.kinds else ()))
                self.faults.unknown(one.place.at(name), "field called", name, known)
            else:
                found.append((name, self._read_field_value(one.place.at(name), name, words, str(one.data[name]))))
        return tuple(found)

    def _read_field_value(self, place: Place, name: str, words: tuple[str, ...], value: str) -> str:
        """A value that a card's field is compared with: the index of one of its words, a number, or a reference such as "wish.sort"."""
        if "." in value:
            spot, _, other = value.partition(".")
            if spot not in self.game.places and spot != "card":
                self.faults.unknown(place, "place called", spot, self.game.places)
            elif spot != "card" and other not in self.game.kinds[self.kind_in(spot)].fields:
                self.faults.unknown(
                    place, f"field of a card in {spot} called", other, self.game.kinds[self.kind_in(spot)].fields
                )
            return value
        if words and value not in words:
            self.faults.unknown(place, f"{name} called", value, words)
            return words[0]
        if not words and not value.lstrip("-").isdigit():
            self.faults.say(place, f"{name} is a number, not {value!r}")
            return "0"
        return str(words.index(value)) if words else value

    def read_amount(self, place: Place, value: Any, scope: Scope) -> Sum:
        """The amount that a field's value means; 0 after a fault."""
        if value is None:
            self.faults.say(place, "an amount is missing here, such as 2")
            return amount_of(0)
        try:
            return self._checked_amount(place, amount_of(value), scope)
        except AmountError as error:
            self.faults.say(place, str(error), value if isinstance(value, str) else "")
            return amount_of(0)

    def read_condition(self, place: Place, value: Any, scope: Scope) -> Condition | None:
        """The condition that a field's value means; None after a fault."""
        try:
            found = condition_of(value)
        except AmountError as error:
            self.faults.say(place, str(error), value if isinstance(value, str) else "")
            return None
        return Condition(
            self._checked_amount(place, found.left, scope), found.sign, self._checked_amount(place, found.right, scope)
        )

    def _checked_amount(self, place: Place, amount: Sum, scope: Scope) -> Sum:
        """The amount with all its names checked in this context; unknown ones are noted as faults."""
        return Sum(tuple((sign, self._checked_part(place, one, scope)) for sign, one in amount.parts))

    def _checked_part(self, place: Place, one: Any, scope: Scope) -> Any:
        """One part of an amount with its name checked; 0 after a fault."""
        game = self.game
        if isinstance(one, Name):
            fields = game.kinds[scope.card].fields if scope.card in game.kinds else {}
            tokens = [token.name for token in game.tokens.values() if token.shared or scope.own]
            words = [word for word in WORDS if scope.points or word != "score"]
            known = (*words, *game.numbers, *tokens, *(name for name, words in fields.items() if not words))
            if one.word not in known:
                if one.word in game.fields and not scope.card:
                    self.faults.say(
                        place, f"{one.word!r} is a field of a card, and nothing here is about a card", one.word
                    )
                elif one.word in game.tokens:
                    self.faults.say(
                        place,
                        f"{one.word!r} are tokens of a seat, and here no seat acts; share them, or use each",
                        one.word,
                    )
                else:
                    self.faults.unknown(place, "amount called", one.word, known)
                return Number(0)
        if isinstance(one, Most):
            own = [token.name for token in game.tokens.values() if not token.shared]
            if one.token not in own:
                self.faults.unknown(place, "kind of tokens of a seat called", one.token, own)
                return Number(0)
        if isinstance(one, Count):
            if one.place not in game.places:
                self.faults.unknown(place, "place called", one.place, game.places)
                return Number(0)
            fields = game.kinds[self.kind_in(one.place)].fields
            if one.field and fields.get(one.field) != ():
                self.faults.unknown(
                    place, f"number on cards in {one.place} called", one.field, [n for n, w in fields.items() if not w]
                )
                return Number(0)
            if one.only:
                if one.only not in fields:
                    self.faults.unknown(place, f"field of cards in {one.place} called", one.only, fields)
                    return Number(0)
                return replace(one, value=self._read_field_value(place, one.only, fields[one.only], one.value))
        return one

    def read_token_amounts(
        self, one: Table, scope: Scope, taken: tuple[str, ...], own: bool = False
    ) -> tuple[tuple[str, Sum], ...]:
        """The tokens that a table names, with their amounts, as in `coins = 2`.

        Fields in `taken` mean something else; with `own`, shared tokens cannot be named.
        """
        found = []
        known = [token.name for token in self.game.tokens.values() if not (own and token.shared)]
        for name, value in one.data.items():
            if name in taken:
                continue
            if name not in known:
                self.faults.unknown(one.place.at(name), "kind of tokens called", name, [*known, *taken])
            else:
                found.append((name, self.read_amount(one.place.at(name), value, scope)))
        return tuple(found)

    def read_operations(self, one: Table, name: str, scope: Scope) -> tuple[Operation, ...]:
        """The list of operations in the field `name` of a table."""
        found = []
        if scope.depth > MAX_DEPTH:
            one.fault(name, f"lists within lists deeper than {MAX_DEPTH} are too deep")
            return ()
        for number, data in enumerate(one.tables(name)):
            inner = Table(self.faults, one.place.at(name), data)
            if not isinstance(data, Mapping):
                continue
            word = inner.text("op", "")
            if not word:
                inner.fault("", f'number {number + 1} says no op: {{ op = "gain", coins = 2 }}, for instance')
            elif word not in OPERATIONS:
                self.faults.unknown(inner.place, "op called", word, OPERATIONS)
            else:
                found.append(self._read_operation(inner, word, scope))
        return tuple(found)

    def _read_operation(self, one: Table, word: str, scope: Scope) -> Operation:
        """The operation that a table describes; `word` is its `op`."""
        row = OPERATIONS[word]
        game = self.game
        op = Operation(word)
        inner = replace(scope, depth=scope.depth + 1)
        if row.chooses and not scope.choices:
            one.fault("", f"op {word} asks somebody to choose, which is too early here")
        if "who" in row.fields:
            words = ("me", "others", "all", *(("seat",) if scope.seat else ()))
            op = replace(op, who=one.one_of("who", words, row.who))
            if op.who == "me" and not scope.own and word == "draw":
                places = (game.places.get(str(one.data.get(end))) for end in ("from", "to"))
                if not any(spot and spot.each for spot in places):
                    op = replace(op, who="table")
            if op.who == "me" and not scope.own and not row.tokens:
                one.fault("who", 'here no seat acts: say who = "all"')
            inner = replace(inner, own=True)
        if row.seat and not scope.seat:
            one.fault(
                "", f"op {word} is about a seat that was chosen, and none was: use an action with {{seat}}, or op seat"
            )
        if "from" in row.fields and word != "choose":
            op = replace(op, source=one.one_of("from", game.places, None))
        if "to" in row.fields:
            op = replace(op, to=one.one_of("to", game.places, None if row.needs_to else ""))
        if "card" in row.fields:
            one.one_of("card", ("card",), "card")
            if not scope.card and not op.source:
                one.fault("", f"op {word} is about a card, and nothing here is")
        if op.source and op.to and self.kind_in(op.source) != self.kind_in(op.to):
            one.fault("to", f"{op.to!r} is for cards of another kind than {op.source!r}", op.to)
        if word == "move" and op.to and scope.card and self.kind_in(op.to) != scope.card:
            one.fault("to", f"{op.to!r} is a place for {self.kind_in(op.to)}, and the card is a {scope.card}", op.to)
        spot = game.places.get(op.source)
        if word == "reveal" and spot and not (spot.each and spot.seen_by == "owner"):
            one.fault(
                "from", f'{op.source!r} hides nothing that its owner knows: say each = true and seen_by = "owner" there'
            )
        if word == "shuffle" and spot and not spot.ordered:
            one.fault(
                "from",
                f"{op.source!r} has no order: cards are drawn from it at random anyway; say ordered = true there",
            )
        return self._with_inner_lists(one, self._with_amounts_and_texts(one, op, scope), scope, inner)

    def _with_amounts_and_texts(self, one: Table, op: Operation, scope: Scope) -> Operation:
        """The operation with its amounts, its condition and its texts read from the table."""
        row, word, game = OPERATIONS[op.word], op.word, self.game
        inner = replace(scope, depth=scope.depth + 1, own=scope.own or "who" in row.fields)
        for name in ("n", "most", "least"):
            if name in row.fields and (name in one or name == "n"):
                about = replace(inner, card="", own=True) if word == "compare" else inner
                changed: Any = {name: self.read_amount(one.place.at(name), one.raw(name, 1), about)}
                op = replace(op, **changed)
        if word == "compare" and (op.most is None) == (op.least is None):
            one.fault("", 'who is meant? say most = "coins" or least = "coins"')
        if "is" in row.fields:
            op = replace(op, condition=self.read_condition(one.place.at("is"), one.raw("is"), scope))
        if "sides" in row.fields:
            op = replace(op, sides=one.number("sides", 6, 2, 100))
        if "may" in row.fields:
            op = replace(op, optional=one.flag("may"))
        if "won" in row.fields:
            op = replace(op, won=one.flag("won") if "won" in one else None, text=one.text("text"))
            if game.together and op.won is None:
                one.fault("", "is the game won or lost then? say won = true or won = false")
            one.raw("won")
        if "ask" in row.fields:
            op = replace(op, text=one.text("ask"))
        return op

    def _with_inner_lists(self, one: Table, op: Operation, scope: Scope, inner: Scope) -> Operation:
        """The operation with its inner lists, options, tokens and required cards read; `inner` is the context of the inner lists."""
        row, word, game = OPERATIONS[op.word], op.word, self.game
        if "do" in row.fields:
            within = replace(inner, card=self.kind_in(op.source)) if word == "pick" else inner
            within = replace(within, seat=True) if word == "seat" else within
            within = replace(within, own=True) if word in ("each", "compare") else within
            op = replace(op, do=self.read_operations(one, "do", within))
        if "else" in row.fields:
            op = replace(op, other=self.read_operations(one, "else", inner))
        if word == "choose":
            op = replace(op, options=self._read_options(one, inner))
        fields = (*row.fields, "op")
        if row.tokens:
            op = replace(op, tokens=self.read_token_amounts(one, scope, fields))
            if not op.tokens:
                one.fault("", f"op {word} names no tokens: coins = 2, for instance")
            if not scope.own and op.who == "me" and any(not game.tokens[name].shared for name, _ in op.tokens):
                one.fault("who", 'here no seat acts: say who = "all"')
        elif word == "pick":
            op = replace(op, only=self.read_required_fields(one, self.kind_in(op.source), fields))
        else:
            one.done(fields)
        return op

    def _read_options(self, one: Table, scope: Scope) -> tuple[Option, ...]:
        """The options of a choice."""
        found = []
        for data in one.tables("from"):
            inner = Table(self.faults, one.place.at("from"), data)
            text = inner.text("text", None)
            needs = (
                self.read_condition(inner.place.at("needs"), inner.raw("needs"), scope) if "needs" in inner else None
            )
            found.append(Option(text, needs, self.read_operations(inner, "do", scope)))
            inner.raw("needs")
            inner.done()
        if len(found) < 2:
            one.fault("from", 'a choice has two options or more: from = [{ text = "…", do = […] }, { … }]')
        return tuple(found)
