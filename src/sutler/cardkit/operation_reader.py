"""Parses the amounts, conditions and operations within an entry of a card game's file, and checks the names in them.

`OperationReader` is the part of the reader of files (`game_file_reader`) that knows nothing of sections and of the order they are read in.
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
    parse_amount,
    parse_condition,
)
from sutler.cardkit.card_game_parts import CardGame
from sutler.cardkit.file_faults import Faults, Place, Table
from sutler.cardkit.operation_types import OPERATIONS, Operation, Option

MAX_DEPTH = 3
"""The deepest nesting of lists of operations."""


@dataclass(frozen=True)
class Scope:
    """The context in which a part of the game file is read: which cards and seats its words can refer to.

    `card`: the kind of the card it is about ("": none); `seat`: was a seat chosen? `own`: does a seat act? `choices`: may operations
    ask for a choice? `points`: may amounts name the score? `depth`: the number of lists around this one.
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

    def find_card_kind(self, place: str) -> str:
        """The kind of card that a place is for; "" if there is no such place."""
        return self.game.places[place].of if place in self.game.places else ""

    def read_required_fields(self, table: Table, kind: str, taken: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """The fields that a card must have, as in `sort = "cloth"`, as (field, value) pairs."""
        found = []
        for name in table.data:
            if name in taken:
                continue
            words = self.game.kinds[kind].fields.get(name) if kind in self.game.kinds else None
            if words is None:
                known = (*taken, *(self.game.kinds[kind].fields if kind in self.game.kinds else ()))
                self.faults.add_unknown_word(table.place.at_field(name), "field called", name, known)
            else:
                found.append(
                    (name, self._read_field_value(table.place.at_field(name), name, words, str(table.data[name])))
                )
        return tuple(found)

    def _read_field_value(self, place: Place, name: str, words: tuple[str, ...], value: str) -> str:
        """A value that a card's field is compared with: the index of one of its words, a number, or a reference such as "wish.sort"."""
        if "." in value:
            spot, _, other = value.partition(".")
            if spot not in self.game.places and spot != "card":
                self.faults.add_unknown_word(place, "place called", spot, self.game.places)
            elif spot != "card" and other not in self.game.kinds[self.find_card_kind(spot)].fields:
                self.faults.add_unknown_word(
                    place, f"field of a card in {spot} called", other, self.game.kinds[self.find_card_kind(spot)].fields
                )
            return value
        if words and value not in words:
            self.faults.add_unknown_word(place, f"{name} called", value, words)
            return words[0]
        if not words and not value.lstrip("-").isdigit():
            self.faults.add_fault(place, f"{name} is a number, not {value!r}")
            return "0"
        return str(words.index(value)) if words else value

    def read_amount(self, place: Place, value: Any, scope: Scope) -> Sum:
        """The amount that a field of the game file states; 0 if it is faulty, which is noted."""
        if value is None:
            self.faults.add_fault(place, "an amount is missing here, such as 2")
            return parse_amount(0)
        try:
            return self._check_amount_names(place, parse_amount(value), scope)
        except AmountError as error:
            self.faults.add_fault(place, str(error), value if isinstance(value, str) else "")
            return parse_amount(0)

    def read_condition(self, place: Place, value: Any, scope: Scope) -> Condition | None:
        """The condition that a field of the game file states; None if it is faulty, which is noted."""
        try:
            found = parse_condition(value)
        except AmountError as error:
            self.faults.add_fault(place, str(error), value if isinstance(value, str) else "")
            return None
        return Condition(
            self._check_amount_names(place, found.left, scope),
            found.sign,
            self._check_amount_names(place, found.right, scope),
        )

    def _check_amount_names(self, place: Place, amount: Sum, scope: Scope) -> Sum:
        """The amount with all its names checked in this context; unknown ones are noted as faults."""
        return Sum(tuple((sign, self._check_part_names(place, one, scope)) for sign, one in amount.parts))

    def _check_part_names(self, place: Place, part: Any, scope: Scope) -> Any:
        """One part of an amount with its name checked; 0 after a fault."""
        game = self.game
        if isinstance(part, Name):
            fields = game.kinds[scope.card].fields if scope.card in game.kinds else {}
            tokens = [token.name for token in game.tokens.values() if token.shared or scope.own]
            words = [word for word in WORDS if scope.points or word != "score"]
            known = (*words, *game.numbers, *tokens, *(name for name, words in fields.items() if not words))
            if part.word not in known:
                if part.word in game.fields_by_kind and not scope.card:
                    self.faults.add_fault(
                        place, f"{part.word!r} is a field of a card, and nothing here is about a card", part.word
                    )
                elif part.word in game.tokens:
                    self.faults.add_fault(
                        place,
                        f"{part.word!r} are tokens of a seat, and here no seat acts; share them, or use each",
                        part.word,
                    )
                else:
                    self.faults.add_unknown_word(place, "amount called", part.word, known)
                return Number(0)
        if isinstance(part, Most):
            own = [token.name for token in game.tokens.values() if not token.shared]
            if part.token not in own:
                self.faults.add_unknown_word(place, "kind of tokens of a seat called", part.token, own)
                return Number(0)
        if isinstance(part, Count):
            if part.place not in game.places:
                self.faults.add_unknown_word(place, "place called", part.place, game.places)
                return Number(0)
            fields = game.kinds[self.find_card_kind(part.place)].fields
            if part.field and fields.get(part.field) != ():
                self.faults.add_unknown_word(
                    place,
                    f"number on cards in {part.place} called",
                    part.field,
                    [n for n, w in fields.items() if not w],
                )
                return Number(0)
            if part.only:
                if part.only not in fields:
                    self.faults.add_unknown_word(place, f"field of cards in {part.place} called", part.only, fields)
                    return Number(0)
                return replace(part, value=self._read_field_value(place, part.only, fields[part.only], part.value))
        return part

    def read_token_amounts(
        self, table: Table, scope: Scope, taken: tuple[str, ...], own: bool = False
    ) -> tuple[tuple[str, Sum], ...]:
        """The tokens that a table names and their amounts, as in `coins = 2`.

        Fields in `taken` mean something else; with `own`, shared tokens cannot be named.
        """
        found = []
        known = [token.name for token in self.game.tokens.values() if not (own and token.shared)]
        for name, value in table.data.items():
            if name in taken:
                continue
            if name not in known:
                self.faults.add_unknown_word(
                    table.place.at_field(name), "kind of tokens called", name, [*known, *taken]
                )
            else:
                found.append((name, self.read_amount(table.place.at_field(name), value, scope)))
        return tuple(found)

    def read_operations(self, table: Table, name: str, scope: Scope) -> tuple[Operation, ...]:
        """The list of operations in the field `name` of a table."""
        found = []
        if scope.depth > MAX_DEPTH:
            table.add_fault(name, f"lists within lists deeper than {MAX_DEPTH} are too deep")
            return ()
        for number, data in enumerate(table.read_list(name)):
            inner = Table(self.faults, table.place.at_field(name), data)
            if not isinstance(data, Mapping):
                continue
            word = inner.read_text("op", "")
            if not word:
                inner.add_fault("", f'number {number + 1} says no op: {{ op = "gain", coins = 2 }}, for instance')
            elif word not in OPERATIONS:
                self.faults.add_unknown_word(inner.place, "op called", word, OPERATIONS)
            else:
                found.append(self._read_operation(inner, word, scope))
        return tuple(found)

    def _read_operation(self, table: Table, word: str, scope: Scope) -> Operation:
        """The operation that a table describes; `word` is its `op`."""
        row = OPERATIONS[word]
        game = self.game
        op = Operation(word)
        inner = replace(scope, depth=scope.depth + 1)
        if row.chooses and not scope.choices:
            table.add_fault("", f"op {word} asks somebody to choose, which is too early here")
        if "who" in row.fields:
            words = ("me", "others", "all", *(("seat",) if scope.seat else ()))
            op = replace(op, who=table.read_word("who", words, row.who))
            if op.who == "me" and not scope.own and word == "draw":
                places = (game.places.get(str(table.data.get(end))) for end in ("from", "to"))
                if not any(spot and spot.each for spot in places):
                    op = replace(op, who="table")
            if op.who == "me" and not scope.own and not row.tokens:
                table.add_fault("who", 'here no seat acts: say who = "all"')
            inner = replace(inner, own=True)
        if row.seat and not scope.seat:
            table.add_fault(
                "", f"op {word} is about a seat that was chosen, and none was: use an action with {{seat}}, or op seat"
            )
        if "from" in row.fields and word != "choose":
            op = replace(op, source=table.read_word("from", game.places, None))
        if "to" in row.fields:
            op = replace(op, to=table.read_word("to", game.places, None if row.needs_to else ""))
        if "card" in row.fields:
            table.read_word("card", ("card",), "card")
            if not scope.card and not op.source:
                table.add_fault("", f"op {word} is about a card, and nothing here is")
        if op.source and op.to and self.find_card_kind(op.source) != self.find_card_kind(op.to):
            table.add_fault("to", f"{op.to!r} is for cards of another kind than {op.source!r}", op.to)
        if word == "move" and op.to and scope.card and self.find_card_kind(op.to) != scope.card:
            table.add_fault(
                "to", f"{op.to!r} is a place for {self.find_card_kind(op.to)}, and the card is a {scope.card}", op.to
            )
        spot = game.places.get(op.source)
        if word == "reveal" and spot and not (spot.each and spot.seen_by == "owner"):
            table.add_fault(
                "from", f'{op.source!r} hides nothing that its owner knows: say each = true and seen_by = "owner" there'
            )
        if word == "shuffle" and spot and not spot.ordered:
            table.add_fault(
                "from",
                f"{op.source!r} has no order: cards are drawn from it at random anyway; say ordered = true there",
            )
        return self._read_inner_lists(table, self._read_amounts_and_texts(table, op, scope), scope, inner)

    def _read_amounts_and_texts(self, table: Table, op: Operation, scope: Scope) -> Operation:
        """The operation with its amounts, its condition and its texts read from the table."""
        row, word, game = OPERATIONS[op.word], op.word, self.game
        inner = replace(scope, depth=scope.depth + 1, own=scope.own or "who" in row.fields)
        for name in ("n", "most", "least"):
            if name in row.fields and (name in table or name == "n"):
                about = replace(inner, card="", own=True) if word == "compare" else inner
                changed: Any = {name: self.read_amount(table.place.at_field(name), table.read_raw(name, 1), about)}
                op = replace(op, **changed)
        if word == "compare" and (op.most is None) == (op.least is None):
            table.add_fault("", 'who is meant? say most = "coins" or least = "coins"')
        if "is" in row.fields:
            op = replace(op, condition=self.read_condition(table.place.at_field("is"), table.read_raw("is"), scope))
        if "sides" in row.fields:
            op = replace(op, sides=table.read_number("sides", 6, 2, 100))
        if "may" in row.fields:
            op = replace(op, optional=table.read_flag("may"))
        if "won" in row.fields:
            op = replace(op, won=table.read_flag("won") if "won" in table else None, text=table.read_text("text"))
            if game.together and op.won is None:
                table.add_fault("", "is the game won or lost then? say won = true or won = false")
            table.read_raw("won")
        if "ask" in row.fields:
            op = replace(op, text=table.read_text("ask"))
        return op

    def _read_inner_lists(self, table: Table, op: Operation, scope: Scope, inner: Scope) -> Operation:
        """The operation with its inner lists, options, tokens and required cards read; `inner` is the context of the inner lists."""
        row, word, game = OPERATIONS[op.word], op.word, self.game
        if "do" in row.fields:
            within = replace(inner, card=self.find_card_kind(op.source)) if word == "pick" else inner
            within = replace(within, seat=True) if word == "seat" else within
            within = replace(within, own=True) if word in ("each", "compare") else within
            op = replace(op, do=self.read_operations(table, "do", within))
        if "else" in row.fields:
            op = replace(op, other=self.read_operations(table, "else", inner))
        if word == "choose":
            op = replace(op, options=self._read_options(table, inner))
        fields = (*row.fields, "op")
        if row.tokens:
            op = replace(op, tokens=self.read_token_amounts(table, scope, fields))
            if not op.tokens:
                table.add_fault("", f"op {word} names no tokens: coins = 2, for instance")
            if not scope.own and op.who == "me" and any(not game.tokens[name].shared for name, _ in op.tokens):
                table.add_fault("who", 'here no seat acts: say who = "all"')
        elif word == "pick":
            op = replace(op, only=self.read_required_fields(table, self.find_card_kind(op.source), fields))
        else:
            table.add_unread_field_faults(fields)
        return op

    def _read_options(self, table: Table, scope: Scope) -> tuple[Option, ...]:
        """The options of a choice."""
        found = []
        for data in table.read_list("from"):
            inner = Table(self.faults, table.place.at_field("from"), data)
            text = inner.read_text("text", None)
            needs = (
                self.read_condition(inner.place.at_field("needs"), inner.read_raw("needs"), scope)
                if "needs" in inner
                else None
            )
            found.append(Option(text, needs, self.read_operations(inner, "do", scope)))
            inner.read_raw("needs")
            inner.add_unread_field_faults()
        if len(found) < 2:
            table.add_fault("from", 'a choice has two options or more: from = [{ text = "…", do = […] }, { … }]')
        return tuple(found)
