"""Writing of a card game's operations as Python source: statements, steps and helper rules for the module `rules.py` of its folder.

Operations without a choice become plain statements of the action that runs them. A list of operations with a choice is cut into steps: each
step ends by naming the next one in `state.step`, or by asking. `go` carries on with steps, then with waiting cards (drawn or played), then
with the round, until a decision is open.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sutler.cardkit.amounts import Condition, Count, Most, Name, Number, Sum
from sutler.cardkit.card_game_parts import CardGame, Deed, Spot, Token
from sutler.cardkit.game_file_reader import TRIGGERS
from sutler.cardkit.guide_paragraphs import Numbering
from sutler.cardkit.operation_types import Operation
from sutler.core.record import Row

OWN_FIELDS = {
    *(
        "phase",
        "to_act",
        "n_seats",
        "rng",
        "round_no",
        "stage",
        "part",
        "active",
        "left",
        "done",
        "idle",
        "step",
        "doer",
    ),
    *(
        "acting",
        "source",
        "target",
        "picked",
        "rolled",
        "chosen",
        "won",
        "why_over",
        "loops",
        "back",
        "cursor",
        "unknown",
    ),
    *("n_waiting", "waiting_card", "waiting_does", "waiting_seat", "options", "numbers", "starts", "limits", "card"),
    *("amounts", "before", "kind", *TRIGGERS, "at_end"),
}
MAX_WAITING, DEPTH = 24, 8
MAX_REPEATS, MAX_IDLE = 99, 400
MAX_IN_ORDER = 16
"""The cards on top of a pile whose order is kept; those below are as if they were shuffled."""
BEGIN, ACT, AFTER, EACH_TURN = range(4)
WORTH_OF_A_TOKEN, WORTH_OF_A_CARD, HOPE = 0.4, 0.3, 30
"""The worth for bots, in points, of a token that pays for something, of a card in a place, and of the whole way to a common end."""


def to_field_name(word: str) -> str:
    """The name of the record field for a word of the file: the word itself, with "_" added if records or the kit use it."""
    return word + "_" if word in OWN_FIELDS or hasattr(Row, word) or keyword.iskeyword(word) else word


def quote_source(text: str) -> str:
    """A text of the file as Python source of a template, with its braces escaped."""
    return repr(text.replace("{", "{{").replace("}", "}}"))


@dataclass(frozen=True)
class Names:
    """The source expressions for the things that operations concern: the acting seat, the card, the chosen seat, the card with the numbers.

    `quiet`: no events are told, because the table is being set up. `told`: the place where the action's card still lies, if the log has
    named the card. `depth`: the number of choices and loops around the operations.
    """

    me: str = "me"
    card: str = "card"
    target: str = "target"
    source: str = "source"
    quiet: bool = False
    told: str = ""
    depth: int = 0


@dataclass(frozen=True)
class Site:
    """A choice in the file: its phase, its operation, the number of its first option, and the step that follows it (`after`)."""

    phase: str
    op: Operation
    names: Names
    first: int = 0
    after: int = 0


class Lines:
    """Source lines with their indentation."""

    def __init__(self, indent: int = 1) -> None:
        self.lines: list[str] = []
        self.indent = indent

    def __call__(self, line: str) -> None:
        """Append a line at the present indentation."""
        self.lines.append("    " * self.indent + line)

    def open_block(self, line: str) -> None:
        """Append a line that opens a block, and indent what follows."""
        self(line)
        self.indent += 1

    def close_blocks(self, count: int = 1) -> None:
        """Close `count` blocks."""
        self.indent -= count


class RuleSource:
    """Writes the operations of one game as source."""

    def __init__(self, game: CardGame, numbering: Numbering) -> None:
        self.game, self.numbering = game, numbering
        self.helpers: dict[str, str] = {}
        self.keys: dict[object, str] = {}
        self.steps: list[list[str]] = []
        self.sites: list[Site] = []
        self.programs: list[tuple[Operation, ...]] = []
        self.worths: list[Sum] = []
        self.endings: list[tuple[str, bool | None]] = [("", None)]
        self.n_fresh = 0
        self.option_texts: list[str] = []
        self.tokens, self.places = list(game.tokens), list(game.places)
        for card in game.cards:
            for ops in card.triggers.values():
                if ops not in self.programs:
                    self.programs.append(ops)
            if card.at_end is not None and card.at_end not in self.worths:
                self.worths.append(card.at_end)

    def new_variable_name(self, stem: str) -> str:
        """A variable name that is used nowhere else."""
        self.n_fresh += 1
        return f"{stem}{self.n_fresh}"

    # --- Amounts ---

    def place_expression(self, name: str, me: str) -> str:
        """An expression for the set of cards in a place; `me` is an expression for the seat that owns it."""
        return f"state.{to_field_name(name)}[{me}]" if self.game.places[name].each else f"state.{to_field_name(name)}"

    def tokens_expression(self, name: str, me: str) -> str:
        """An expression for the number of tokens of a kind; `me` is an expression for the seat."""
        return f"state.{to_field_name(name)}" if self.game.tokens[name].shared else f"state.{to_field_name(name)}[{me}]"

    def amount_expression(self, amount: Sum, names: Names) -> str:
        """An amount as a source expression."""
        out = ""
        for sign, one in amount.parts:
            text = self._part_expression(one, names)
            out += (" - " if sign < 0 else " + ") + text if out else ("-" if sign < 0 else "") + text
        return out

    def _part_expression(self, part: Number | Name | Count | Most, names: Names) -> str:
        """One part of an amount as a source expression."""
        if isinstance(part, Number):
            return str(part.value) if part.slot < 0 else f"int(box.card[{names.source}].amounts[{part.slot}])"
        if isinstance(part, Most):
            return f"{self._add_most_rule(part.token)}(state)"
        if isinstance(part, Count):
            return f"{self._add_count_rule(part)}(box, state, {names.me}, {names.card})"
        if part.word in self.game.tokens:
            return f"int({self.tokens_expression(part.word, names.me)})"
        if part.word in self.game.numbers:
            return f"int(box.numbers.{to_field_name(part.word)})"
        known = {"seats": "int(state.n_seats)", "round": "int(state.round_no)", "roll": "int(state.rolled)"}
        if part.word == "score":
            return f"points(box, state, {names.me})"
        return known.get(part.word) or f"int(box.card[{names.card}].{to_field_name(part.word)})"

    def condition_expression(self, condition: Condition, names: Names) -> str:
        """A condition as a source expression."""
        return f"{self.amount_expression(condition.left, names)} {condition.sign} {self.amount_expression(condition.right, names)}"

    def add_helper_rule(self, key: object, stem: str, arguments: str, doc: str, body: Sequence[str]) -> str:
        """The name of the helper rule for `key`, which is written when it is first asked for; `stem` begins its name."""
        if key not in self.keys:
            name = self.keys[key] = f"{stem}_{len(self.keys) + 1}"
            self.helpers[name] = "\n".join(["@rule", f"def {name}({arguments}):", f'    """{doc}"""', *body])
        return self.keys[key]

    def _add_most_rule(self, token: str) -> str:
        """The name of the helper rule for the most tokens of a kind that any seat has."""
        body = [
            "    best = 0",
            "    for seat in range(state.n_seats):",
            f"        best = max(best, int({self.tokens_expression(token, 'seat')}))",
            "    return best",
        ]
        return self.add_helper_rule(("most", token), f"most_{token}", "state", "The most that any seat has.", body)

    def value_expression(self, value: str, me: str, card: str) -> str:
        """A value that a card's field must have, as an expression: a number, or the field of another card."""
        if "." not in value:
            return value
        spot, _, field = value.partition(".")
        if spot == "card":
            return f"int(box.card[{card}].{to_field_name(field)})"
        return f"{self._add_field_rule(spot, field)}(box, state, {me})"

    def _add_field_rule(self, spot: str, field: str) -> str:
        """The name of the helper rule for a field of the first card in a place; the rule returns -1 if the place is empty."""
        body = [
            f"    card = first_from({self.place_expression(spot, 'me')}, 0)",
            "    if card < 0:",
            "        return -1",
            f"    return int(box.card[card].{to_field_name(field)})",
        ]
        return self.add_helper_rule(
            ("field", spot, field), f"{field}_of_{spot}", "box, state, me", "A field of the first card there.", body
        )

    def _add_count_rule(self, one: Count) -> str:
        """The name of the helper rule that counts cards, or sums a field over them."""
        place = self.place_expression(one.place, "me")
        if not one.only and not one.field:
            body = [f"    return count({place})"]
        else:
            body = ["    total = 0"]
            if one.only:
                body.append(f"    wanted = {self.value_expression(one.value, 'me', 'about')}")
            body += [f"    card = first_from({place}, 0)", "    while card >= 0:"]
            add = f"int(box.card[card].{to_field_name(one.field)})" if one.field else "1"
            if one.only:
                body += [
                    f"        if box.card[card].{to_field_name(one.only)} == wanted:",
                    f"            total += {add}",
                ]
            else:
                body.append(f"        total += {add}")
            body += [f"        card = first_from({place}, card + 1)", "    return total"]
        return self.add_helper_rule(
            one,
            "sum" if one.field else "count_of",
            "box, state, me, about",
            "Cards counted, or what they come to.",
            body,
        )

    # --- Tokens and cards ---

    def _add_gain_rule(self, token: Token) -> str:
        """The name of the helper rule that gives a seat tokens, up to their limit, and returns how many it got."""
        held = self.tokens_expression(token.name, "seat")
        body = ["    n = max(0, n)"]
        if token.limit:
            body.append(f"    n = min(n, max(0, int(box.limits.{to_field_name(token.name)}) - int({held})))")
        return self.add_helper_rule(
            ("gain", token.name),
            f"gain_{token.name}",
            "box, state, seat, n",
            "Tokens come, up to their limit; how many.",
            [*body, f"    {held} += n", "    return n"],
        )

    def _add_lose_rule(self, token: Token) -> str:
        """The name of the helper rule that takes tokens from a seat, as many as it has, and returns how many."""
        held = self.tokens_expression(token.name, "seat")
        return self.add_helper_rule(
            ("lose", token.name),
            f"lose_{token.name}",
            "box, state, seat, n",
            "Tokens go, as many as there are; how many.",
            [f"    n = min(max(0, n), int({held}))", f"    {held} -= n", "    return n"],
        )

    def _add_random_card_rule(self, spot: Spot) -> str:
        """The name of the helper rule for a random card of a place, or -1; an empty place is refilled from `again` first."""
        here, body = self.place_expression(spot.name, "me"), list[str]()
        if spot.ordered:
            n = self.ordered_count_expression(spot, "me")
            body += [f"    if {n} > 0:", f"        return int({self.order_expression(spot, 'me', f'int({n}) - 1')})"]
        if spot.again:
            other = self.place_expression(spot.again, "me")
            body += [f"    if is_empty({here}):", f"        merge({here}, {other})", f"        clear({other})"]
        body += [
            f"    n = count({here})",
            "    if n == 0:",
            "        return -1",
            f"    return nth({here}, below(state, n))",
        ]
        return self.add_helper_rule(
            ("random", spot.name),
            f"random_{spot.name}",
            "box, state, me",
            "A card of it at random; -1: there is none.",
            body,
        )

    def add_lift_rule(self, kind: str) -> str:
        """The name of the helper rule that takes a card of this kind out of the place where it lies."""
        body = []
        for spot in self.game.places.values():
            if spot.of != kind:
                continue
            forgotten = [f"{self.add_forget_rule(spot)}(state, {'seat' if spot.each else '0'}, card)"] * spot.ordered
            if spot.each:
                body += [
                    "    for seat in range(state.n_seats):",
                    f"        remove(state.{to_field_name(spot.name)}[seat], card)",
                    *(f"        {line}" for line in forgotten),
                ]
            else:
                body += [f"    remove(state.{to_field_name(spot.name)}, card)", *(f"    {line}" for line in forgotten)]
        return self.add_helper_rule(
            ("lift", kind), f"lift_{kind}", "state, card", "The card is taken up, wherever it is.", body
        )

    def room_expression(self, spot: Spot, me: str) -> str:
        """An expression that is true if there is room in a place; "" if there always is."""
        return (
            f"count({self.place_expression(spot.name, me)}) < box.limits.{to_field_name(spot.name)}"
            if spot.limit
            else ""
        )

    def _add_move_rule(self, spot: Spot) -> str:
        """The name of the helper rule that moves a card to a place, unless the place is full."""
        here, body = self.place_expression(spot.name, "me"), ["    if card < 0:", "        return"]
        if room := self.room_expression(spot, "me"):
            body += [f"    if not ({room}):", "        return"]
        body += [f"    {self.add_lift_rule(spot.of)}(state, card)", f"    add({here}, card)"]
        on_top = Lines()
        self.write_lay_on_top(spot, "me", "card", on_top)
        body += on_top.lines
        n = self.places.index(spot.name)
        public = spot.seen_by == "all"
        body.append(
            f"    tell(events, E.moved, card, {n})" if public else f"    tell_to(events, 1 << me, E.moved, card, {n})"
        )
        return self.add_helper_rule(
            ("move", spot.name), f"move_to_{spot.name}", "box, state, events, me, card", "A card goes there.", body
        )

    # --- Piles with an order: the cards that were laid on top, the last one first ---

    def order_expression(self, spot: Spot, me: str, index: str) -> str:
        """An expression for the card at a position in the order of a place's pile."""
        return f"state.{to_field_name(spot.name)}_order[{f'{me}, ' if spot.each else ''}{index}]"

    def ordered_count_expression(self, spot: Spot, me: str) -> str:
        """An expression for the number of cards from the top of a pile whose order is known."""
        return f"state.{to_field_name(spot.name)}_n" + (f"[{me}]" if spot.each else "")

    def write_lay_on_top(self, spot: Spot, me: str, card: str, out: Lines) -> None:
        """Write statements that lay a card on top of the place to which it has come, if the place keeps an order."""
        if not spot.ordered:
            return
        n = self.ordered_count_expression(spot, "me")

        def card_at(i: str) -> str:
            return self.order_expression(spot, "me", i)

        body = [
            f"    if {n} == {MAX_IN_ORDER}:",
            f"        for i in range({MAX_IN_ORDER - 1}):",
            f"            {card_at('i')} = {card_at('i + 1')}",
            f"        {n} -= 1",
            f"    {card_at(f'int({n})')} = card",
            f"    {n} += 1",
        ]
        rule = self.add_helper_rule(
            ("top", spot.name), f"lay_on_{spot.name}", "state, me, card", "It lies on top.", body
        )
        out(f"{rule}(state, {me}, {card})")

    def add_forget_rule(self, spot: Spot) -> str:
        """The name of the helper rule that takes a card out of the order of its pile."""
        n = self.ordered_count_expression(spot, "me")

        def card_at(i: str) -> str:
            return self.order_expression(spot, "me", i)

        body = [
            "    found = -1",
            f"    for i in range({n}):",
            f"        if {card_at('i')} == card:",
            "            found = i",
            "    if found < 0:",
            "        return",
            f"    for i in range(found, {n} - 1):",
            f"        {card_at('i')} = {card_at('i + 1')}",
            f"    {n} -= 1",
            f"    {card_at(f'int({n})')} = -1",
        ]
        return self.add_helper_rule(
            ("forget", spot.name), f"take_out_of_{spot.name}", "state, me, card", "It lies there no more.", body
        )

    def write_remove_from_order(self, spot: Spot, me: str, card: str, out: Lines) -> None:
        """Write statements that take a card out of the order of the place that it has left, if the place keeps one."""
        if spot.ordered:
            out(f"{self.add_forget_rule(spot)}(state, {me}, {card})")

    def write_forget_order(self, spot: Spot, me: str, out: Lines) -> None:
        """Write statements that make the order of a place's cards unknown from now on."""
        if spot.ordered:
            out.open_block(f"for i in range({MAX_IN_ORDER}):")
            out(f"{self.order_expression(spot, me, 'i')} = -1")
            out.close_blocks()
            out(f"{self.ordered_count_expression(spot, me)} = 0")

    # --- Operations without a choice ---

    def write_statements(self, ops: Sequence[Operation], names: Names, out: Lines) -> None:
        """Write operations without a choice as plain statements."""
        depth = 0
        if ops and ops[0].word == "move" and names.told:
            self._write_quiet_move(ops[0], names, out)
            ops = ops[1:]
        names = replace(names, told="")
        for op in ops:
            if op.word == "pay":
                out.open_block(f"if {self.can_pay_expression(op.tokens, names)}:")
                depth += 1
                self.write_payment(op.tokens, names, out)
            else:
                getattr(self, f"_write_{op.word}")(op, names, out)
        if depth and out.lines[-1].endswith(":"):
            out("pass")
        out.close_blocks(depth)

    def can_pay_expression(self, tokens: Sequence[tuple[str, Sum]], names: Names) -> str:
        """An expression that is true if the seat has all these tokens."""
        return " and ".join(
            f"{self.tokens_expression(name, names.me)} >= {self.amount_expression(n, names)}" for name, n in tokens
        )

    def write_payment(self, tokens: Sequence[tuple[str, Sum]], names: Names, out: Lines) -> None:
        """Write statements by which a seat gives tokens to the supply."""
        self._write_token_change("lose", "lost", tokens, names, out)

    def _write_token_change(
        self, how: str, told: str, tokens: Sequence[tuple[str, Sum]], names: Names, out: Lines
    ) -> None:
        """Write that a seat gains or loses tokens; `how` is "gain" or "lose", `told` the event that the log shows."""
        for name, amount in tokens:
            token, n = self.game.tokens[name], self.new_variable_name("n")
            rule = self._add_gain_rule(token) if how == "gain" else self._add_lose_rule(token)
            out(f"{n} = {rule}(box, state, {names.me}, {self.amount_expression(amount, names)})")
            if names.quiet:
                continue
            which = self.tokens.index(name)
            out.open_block(f"if {n} > 0:")
            if token.shared:
                out(
                    f"tell(events, E.{'rose' if how == 'gain' else 'fell'}, {which}, {self.tokens_expression(name, '')})"
                )
            elif token.secret:
                out(f"tell_to(events, 1 << {names.me}, E.{told}, {names.me}, {n}, {which})")
            else:
                out(f"tell(events, E.{told}, {names.me}, {n}, {which})")
            out.close_blocks()

    def _open_seat_loop(self, who: str, names: Names, out: Lines) -> tuple[Names, int]:
        """Open a loop over the seats that `who` means; returns the names within it, and the number of blocks opened."""
        if who in ("me", "table"):
            return names, 0
        if who == "seat":
            return replace(names, me=names.target), 0
        turn, seat = self.new_variable_name("i"), self.new_variable_name("seat")
        out.open_block(f"for {turn} in range({1 if who == 'others' else 0}, state.n_seats):")
        out(f"{seat} = ({names.me} + {turn}) % state.n_seats")
        return replace(names, me=seat), 1

    def _write_gain(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `gain`."""
        self._write_token_changes("gain", "gained", op, names, out)

    def _write_lose(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `lose`."""
        self._write_token_changes("lose", "lost", op, names, out)

    def _write_token_changes(self, how: str, told: str, op: Operation, names: Names, out: Lines) -> None:
        """Write a gain or loss of tokens: shared ones once, others for every seat that the operation means."""
        shared = [pair for pair in op.tokens if self.game.tokens[pair[0]].shared]
        own = [pair for pair in op.tokens if pair not in shared]
        self._write_token_change(how, told, shared, names, out)
        if own:
            inner, blocks = self._open_seat_loop(op.who, names, out)
            self._write_token_change(how, told, own, inner, out)
            out.close_blocks(blocks)

    def _write_give(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `give`."""
        self._write_token_transfer(op, names.me, names.target, "gave", names, out)

    def _write_steal(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `steal`."""
        self._write_token_transfer(op, names.target, names.me, "took", names, out)

    def _write_token_transfer(self, op: Operation, giver: str, taker: str, told: str, names: Names, out: Lines) -> None:
        """Write statements that move tokens from one seat to another."""
        for name, amount in op.tokens:
            token, n = self.game.tokens[name], self.new_variable_name("n")
            out(f"{n} = {self._add_lose_rule(token)}(box, state, {giver}, {self.amount_expression(amount, names)})")
            out(f"{self._add_gain_rule(token)}(box, state, {taker}, {n})")
            out.open_block(f"if {n} > 0:")
            out(f"tell(events, E.{told}, {names.me}, {n}, {self.tokens.index(name)}, {names.target})")
            out.close_blocks()

    def _write_draw(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `draw`."""
        source, to = self.game.places[op.source], self.game.places[op.to]
        inner, blocks = self._open_seat_loop(op.who, names, out)
        card, taken = self.new_variable_name("drawn"), self.new_variable_name("taken")
        assert op.n is not None
        out(f"{taken} = 0")
        out.open_block(f"for _ in range(min({MAX_REPEATS}, {self.amount_expression(op.n, names)})):")
        if room := self.room_expression(to, inner.me):
            out.open_block(f"if not ({room}):")
            out("break")
            out.close_blocks()
        out(f"{card} = {self._add_random_card_rule(source)}(box, state, {inner.me})")
        out.open_block(f"if {card} < 0:")
        out("break")
        out.close_blocks()
        out(f"{taken} += 1")
        out(f"remove({self.place_expression(op.source, inner.me)}, {card})")
        self.write_remove_from_order(source, inner.me, card, out)
        out(f"add({self.place_expression(op.to, inner.me)}, {card})")
        self.write_lay_on_top(to, inner.me, card, out)
        if not names.quiet:
            where = self.places.index(op.to)
            if op.who == "table":
                out(f"tell(events, E.filled, {card}, {where})" if to.seen_by == "all" else "pass")
            elif to.seen_by == "all":
                out(f"tell(events, E.drew, {inner.me}, {card}, {where})")
            elif to.seen_by == "owner":
                out(f"tell_to(events, 1 << {inner.me}, E.drew_own, {inner.me}, {where}, {card})")
            if any("drawn" in one.triggers and one.kind == source.of for one in self.game.cards):
                out.open_block(f"if box.card[{card}].drawn > 0:")
                out(f"wait(state, {card}, box.card[{card}].drawn, {inner.me})")
                out.close_blocks()
        out.close_blocks()
        if not names.quiet and to.seen_by != "all" and op.who != "table":
            out.open_block(f"if {taken} > 0:")
            out(f"tell(events, E.drew_some, {inner.me}, {taken}, {self.places.index(op.to)})")
            out.close_blocks()
        out.close_blocks(blocks)

    def _write_move(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `move`."""
        out(f"{self._add_move_rule(self.game.places[op.to])}(box, state, events, {names.me}, {names.card})")

    def _write_quiet_move(self, op: Operation, names: Names, out: Lines) -> None:
        """Write statements that move the card of an action from its place to one with room, and refuse the action if there is no room."""
        out(f"remove({self.place_expression(names.told, names.me)}, {names.card})")
        out(f"add({self.place_expression(op.to, names.me)}, {names.card})")
        self.write_lay_on_top(self.game.places[op.to], names.me, names.card, out)

    def _write_empty(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `empty`."""
        here, there = self.place_expression(op.source, names.me), self.place_expression(op.to, names.me)
        out.open_block(f"if not is_empty({here}):")
        out(f"merge({there}, {here})")
        out(f"clear({here})")
        for end in (op.source, op.to):
            self.write_forget_order(self.game.places[end], names.me, out)
        if not names.quiet:
            out(f"tell(events, E.emptied, {self.places.index(op.source)}, {self.places.index(op.to)})")
        out.close_blocks()

    def _write_reveal(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `reveal`: the cards that each seat has laid down go to another place, and the log says whose they were."""
        seat, card = self.new_variable_name("seat"), self.new_variable_name("card")
        here, there = self.place_expression(op.source, seat), self.place_expression(op.to, seat)
        out.open_block(f"for {seat} in range(state.n_seats):")
        out(f"{card} = first_from({here}, 0)")
        out.open_block(f"while {card} >= 0:")
        out(f"remove({here}, {card})")
        out(f"add({there}, {card})")
        self.write_lay_on_top(self.game.places[op.to], seat, card, out)
        if not names.quiet:
            out(f"tell(events, E.shown, {seat}, {card}, {self.places.index(op.to)})")
        out(f"{card} = first_from({here}, {card} + 1)")
        out.close_blocks(2)

    def _write_shuffle(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `shuffle`."""
        self.write_forget_order(self.game.places[op.source], names.me, out)

    def _write_roll(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `roll`."""
        out(f"state.rolled = die(state, {op.sides})")
        if not names.quiet:
            out(f"tell(events, E.rolled, {names.me}, state.rolled)")

    def _write_if(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `if`, without choices within it."""
        assert op.condition is not None
        out.open_block(f"if {self.condition_expression(op.condition, names)}:")
        out("pass")
        self.write_statements(op.do, names, out)
        out.close_blocks()
        if op.other:
            out.open_block("else:")
            self.write_statements(op.other, names, out)
            out.close_blocks()

    def _write_repeat(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `repeat`, without choices within it."""
        assert op.n is not None
        out.open_block(f"for _ in range(min({MAX_REPEATS}, {self.amount_expression(op.n, names)})):")
        out("pass")
        self.write_statements(op.do, names, out)
        out.close_blocks()

    def _write_each(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `each`, without choices within it."""
        inner, blocks = self._open_seat_loop(op.who, names, out)
        self.write_statements(op.do, inner, out)
        if out.lines[-1].endswith(":"):
            out("pass")
        out.close_blocks(blocks)

    def _write_compare(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `compare`, without choices within it."""
        who = self.new_variable_name("who")
        out(f"{who} = {self.add_first_seat_rule(op)}(box, state, {names.me})")
        self.write_statements(op.do, replace(names, me=who), out)

    def add_first_seat_rule(self, op: Operation) -> str:
        """The name of the helper rule that finds the seat with most, or least, of an operation's amount."""
        amount, sign = (op.most, ">") if op.most is not None else (op.least, "<")
        assert amount is not None
        one = self.amount_expression(amount, Names("seat", "-1", "-1", "-1"))
        body = [
            "    best = me",
            "    seat = me",
            f"    most = {one}",
            "    for i in range(1, state.n_seats):",
            "        seat = (me + i) % state.n_seats",
            f"        here = {one}",
            f"        if here {sign} most:",
            "            most = here",
            "            best = seat",
            "    return best",
        ]
        return self.add_helper_rule(
            ("first", amount, sign), "first_with", "box, state, me", "The seat that has most, or least, of it.", body
        )

    def _write_play(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `play`."""
        out.open_block(f"if {names.card} >= 0 and box.card[{names.card}].played > 0:")
        out(f"wait(state, {names.card}, box.card[{names.card}].played, {names.me})")
        out.close_blocks()

    def _write_end(self, op: Operation, names: Names, out: Lines) -> None:
        """Write the operation `end`."""
        out.open_block("if state.why_over == 0:")
        out(f"state.why_over = {self.add_ending(op.text, op.won)}")
        out(f"state.won = {int(bool(op.won))}")
        out.close_blocks()

    def add_ending(self, text: str, won: bool | None) -> int:
        """The number of an ending in `endings`, to which it is added if it is new."""
        if (text, won) not in self.endings:
            self.endings.append((text, won))
        return self.endings.index((text, won))

    # --- Operations with a choice: steps ---

    def write_steps(self, ops: Sequence[Operation], names: Names, after: int) -> int:
        """Write operations as steps that continue with step `after` (0: none); returns the number of the first step."""
        if not ops:
            return after
        still = next((i for i, op in enumerate(ops) if op.has_choice), len(ops))
        if still:
            out = Lines()
            rest = self.write_steps(ops[still:], names, after)
            for op in ops[:still]:
                if op.word == "pay":
                    out.open_block(f"if not ({self.can_pay_expression(op.tokens, names)}):")
                    out(f"state.step = {after}")
                    out("return")
                    out.close_blocks()
                    self.write_payment(op.tokens, names, out)
                else:
                    getattr(self, f"_write_{op.word}")(op, names, out)
            out(f"state.step = {rest}")
            return self._add_step(out)
        rest = self.write_steps(ops[1:], names, after)
        found: int = getattr(self, f"_write_steps_of_{ops[0].word}")(ops[0], names, rest)
        return found

    def _add_step(self, out: Lines, number: int = 0) -> int:
        """Add a step with the written lines, or fill the reserved one with this number; returns the step's number."""
        if number:
            self.steps[number - 1] = out.lines
            return number
        self.steps.append(out.lines)
        return len(self.steps)

    def _reserve_step(self) -> int:
        """The number of a new step that is filled later, because steps before it must name it."""
        self.steps.append([])
        return len(self.steps)

    def _write_steps_of_if(self, op: Operation, names: Names, after: int) -> int:
        """Write the operation `if` as steps that continue with step `after`; returns the number of the first step."""
        assert op.condition is not None
        yes, no, out = self.write_steps(op.do, names, after), self.write_steps(op.other, names, after), Lines()
        out(f"state.step = {no}")
        out.open_block(f"if {self.condition_expression(op.condition, names)}:")
        out(f"state.step = {yes}")
        return self._add_step(out)

    def _write_steps_of_repeat(self, op: Operation, names: Names, after: int) -> int:
        """Write the operation `repeat` as steps that continue with step `after`; returns the number of the first step."""
        assert op.n is not None
        head, d = self._reserve_step(), names.depth
        body = self.write_steps(op.do, replace(names, depth=d + 1), head)
        out = Lines()
        out(f"state.step = {after}")
        out.open_block(f"if state.loops[{d}] > 0:")
        out(f"state.loops[{d}] -= 1")
        out(f"state.step = {body}")
        self._add_step(out, head)
        first = Lines()
        first(f"state.loops[{d}] = min({MAX_REPEATS}, {self.amount_expression(op.n, names)})")
        first(f"state.step = {head}")
        return self._add_step(first)

    def _write_steps_of_each(self, op: Operation, names: Names, after: int) -> int:
        """Write the operation `each` as steps that continue with step `after`; returns the number of the first step."""
        head, d = self._reserve_step(), names.depth
        body = self.write_steps(op.do, replace(names, depth=d + 1), head)
        out = Lines()
        out.open_block(f"for i in range({d + 1}, {DEPTH}):  # what one has picked is not known to the next")
        out("state.picked[i] = -1")
        out.close_blocks()
        out.open_block(f"if state.loops[{d}] < state.n_seats:")
        out(f"state.doer = (state.back[{d}] + state.loops[{d}]) % state.n_seats")
        out(f"state.loops[{d}] += 1")
        out(f"state.step = {body}")
        out.close_blocks()
        out.open_block("else:")
        out(f"state.doer = state.back[{d}]")
        out(f"state.step = {after}")
        self._add_step(out, head)
        first = Lines()
        first(f"state.loops[{d}] = {1 if op.who == 'others' else 0}")
        first(f"state.back[{d}] = state.doer")
        first(f"state.step = {head}")
        return self._add_step(first)

    def _write_steps_of_compare(self, op: Operation, names: Names, after: int) -> int:
        """Write the operation `compare` as steps that continue with step `after`; returns the number of the first step."""
        d, last = names.depth, Lines()
        last(f"state.doer = state.back[{d}]")
        last(f"state.step = {after}")
        body = self.write_steps(op.do, replace(names, depth=d + 1), self._add_step(last))
        first = Lines()
        first(f"state.back[{d}] = state.doer")
        first(f"state.doer = {self.add_first_seat_rule(op)}(box, state, me)")
        first(f"state.step = {body}")
        return self._add_step(first)

    def _add_choice_site(self, op: Operation, names: Names, after: int) -> Site:
        """A new choice with a phase of its own; its options are numbered after those of earlier choices."""
        site = Site(f"choice_{len(self.sites) + 1}", op, names, len(self.option_texts), after)
        self.option_texts += [option.text for option in op.options]
        self.sites.append(site)
        return site

    def _add_question_step(self, site: Site, possible: str, then: int) -> int:
        """Add the step that asks for a choice if `possible` is true, and goes on with step `then` after it; returns its number."""
        out = Lines()
        out.open_block(f"if {possible}:")
        out(f"state.phase = P.{site.phase}")
        out("state.to_act = me")
        out(f"state.step = {then}")
        out.close_blocks()
        out.open_block("else:")
        out(f"state.step = {site.after}")
        return self._add_step(out)

    def _write_steps_of_pick(self, op: Operation, names: Names, after: int) -> int:
        """Write the operation `pick` as steps that continue with step `after`; returns the number of the first step."""
        if op.n is not None and op.n.constant != 1:
            return self._write_steps_of_repeat(Operation("repeat", n=op.n, do=(replace(op, n=None),)), names, after)
        d = names.depth
        inner = replace(names, card=f"int(state.picked[{d}])", depth=d + 1)
        site = self._add_choice_site(op, names, after)
        out = Lines()
        if op.to:
            out(f"{self._add_move_rule(self.game.places[op.to])}(box, state, events, me, {inner.card})")
        out(f"state.step = {self.write_steps(op.do, inner, after)}")
        return self._add_question_step(site, f"can_{site.phase}(box, state, me)", self._add_step(out))

    def _write_steps_of_seat(self, op: Operation, names: Names, after: int) -> int:
        """Write the operation `seat` as steps that continue with step `after`; returns the number of the first step."""
        site = self._add_choice_site(op, names, after)
        then = self.write_steps(op.do, replace(names, depth=names.depth + 1), after)
        return self._add_question_step(site, "state.n_seats > 1" if op.who == "others" else "True", then)

    def _write_steps_of_choose(self, op: Operation, names: Names, after: int) -> int:
        """Write the operation `choose` as steps that continue with step `after`; returns the number of the first step."""
        site = self._add_choice_site(op, names, after)
        out = Lines()
        out(f"state.step = {after}")
        for i, option in enumerate(op.options):
            then = self.write_steps(option.do, replace(names, depth=names.depth + 1), after)
            out.open_block(f"if state.chosen == {site.first + i}:")
            out(f"state.step = {then}")
            out.close_blocks()
        return self._add_question_step(site, f"can_{site.phase}(box, state, me)", self._add_step(out))

    def write_operations_start(
        self, ops: Sequence[Operation], names: Names, out: Lines, about: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Write the operations where they begin: as statements or, if they have a choice, as a jump to their first step.

        `about` lists the fields of the state, with source expressions, that the steps need.
        """
        if not any(op.has_choice for op in ops):
            self.write_statements(ops, names, out)
            return
        if ops[0].word == "move" and names.told:
            self._write_quiet_move(ops[0], names, out)
            ops = ops[1:]
        first = self.write_steps(
            ops, Names(card="int(state.acting)", target="int(state.target)", source="int(state.source)"), 0
        )
        for field, value in about:
            out(f"state.{field} = {value}")
        out(f"state.step = {first}")

    @cached_property
    def has_steps(self) -> bool:
        """Does any operation of the file ask for a choice?"""
        return any(op.has_choice for op in self.game.iter_operations())

    @cached_property
    def list_open_places(self) -> Iterable[Spot]:
        """The places before each seat that all can see and that are not idle: cards there act each turn and count at the end."""
        return [spot for spot in self.game.places.values() if spot.each and spot.seen_by == "all" and not spot.idle]

    def list_limited_targets(self, deed: Deed) -> list[Spot]:
        """The places with a limit to which the card of an action goes at once."""
        ops = [op for op in deed.do if op.word == "move"]
        return [self.game.places[op.to] for op in ops if self.game.places[op.to].limit]
