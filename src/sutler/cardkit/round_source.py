"""Writing of a card game's rules for the course of a round: phases, turns, ends; and the base class for writing rules."""

from __future__ import annotations

from collections.abc import Iterable

from sutler.cardkit.amounts import Condition, Most, Name
from sutler.cardkit.card_parts import CardGame, Ending, Stage
from sutler.cardkit.paragraphs import Numbering
from sutler.cardkit.rule_source import (
    ACT,
    AFTER,
    BEGIN,
    DEPTH,
    EACH_TURN,
    MAX_IDLE,
    Lines,
    Names,
    RuleSource,
)

OTHER_SORT = "It must be a card of another sort."
CLEARED_FIELDS = [("acting", "-1"), ("target", "-1"), ("source", "-1")]
CARD_WORK_LINES = [
    "    state.doer = seat",
    "    state.acting = card",
    "    state.source = card",
    "    state.target = -1",
    "    tell(events, E.works, card)",
    "    begin_program(box, state, events, program)",
]
"""Source lines that start what a card does; they use the variables `card`, `program` and `seat`."""


def phase_of(stage: int) -> str:
    """The name of the phase in which the actions of a stage, given by its index, are asked for."""
    return f"turn_{stage + 1}"


def readable_name(name: str) -> str:
    """A name of the file as people read it, with spaces for underscores."""
    return name.replace("_", " ")


class GameWriter:
    """The rules of one game while they are written: their source lines, refusals, and what the file asks for."""

    def __init__(self, game: CardGame, numbering: Numbering) -> None:
        self.game, self.numbering = game, numbering
        self.writer = RuleSource(game, numbering)
        self.out: list[str] = []
        self.refusals: dict[str, tuple[str, str]] = {}
        self.ends_rounds = any(end.rounds for end in game.ends)
        self.has_waiting = bool(self.writer.programs)
        self.works_each_turn = any("each_turn" in card.triggers for card in game.cards)

    def rule(self, name: str, arguments: str, doc: str, lines: Iterable[str]) -> None:
        """Append a rule with its name, arguments, docstring and source lines."""
        body = list(lines) or ["    return"]
        self.out.append("\n".join(["@rule", f"def {name}({arguments}):", f'    """{doc}"""', *body]))

    def refuse(self, key: str, text: str, rule: str = "") -> str:
        """An expression for a refusal, as source; the refusal is added to the game's table under `key`."""
        self.refusals.setdefault(key, (text, rule))
        return f"R.{key}"

    def tableau_loop(self, me: str, lines: Iterable[str]) -> Iterable[str]:
        """Source lines that run `lines` for each `card` in the open places before a seat; `me` is an expression for the seat."""
        for spot in self.writer.tableaus:
            place = self.writer.place(spot.name, me)
            yield f"    card = first_from({place}, 0)"
            yield "    while card >= 0:"
            yield from (f"        {line}" for line in lines)
            yield f"        card = first_from({place}, card + 1)"


class RoundSource(GameWriter):
    """Writes the rules by which a round goes on."""

    def _write_next_at_work(self) -> None:
        """Write the rule for the next card before a seat that does something each turn."""
        lines = ["    first = -1"]
        for spot in self.writer.tableaus:
            place = self.writer.place(spot.name, "me")
            lines += [
                f"    card = first_from({place}, int(state.cursor))",
                "    while card >= 0 and box.card[card].each_turn == 0:",
            ]
            lines += [
                f"        card = first_from({place}, card + 1)",
                "    if card >= 0 and (first < 0 or card < first):",
                "        first = card",
            ]
        self.rule(
            "next_at_work",
            "box, state, me",
            "The next card before a seat that does something each turn; -1: none.",
            [*lines, "    return first"],
        )

    def _write_stages(self) -> None:
        """Write the rules that carry on the round, one for each stage."""
        game, out = self.game, Lines()
        if self.works_each_turn:
            self._write_next_at_work()
        for i, stage in enumerate(game.stages):
            out.open(f"{'if' if i == 0 else 'elif'} state.stage == {i}:")
            out(f"return advance_{i}(box, state, events)")
            out.shut()
            self._write_stage(i, stage)
        out("return False")
        self.rule("advance", "box, state, events", "The round goes on; True where something was done.", out.lines)

    def _write_stage(self, i: int, stage: Stage) -> None:
        """Write the rule that carries on a stage, given by its index, part by part: before, each turn, actions, after."""
        self._write_can_act(i, stage)
        out, me = Lines(), Names("me", "-1", "-1", "-1")
        out("me = int(state.active)")
        out.open(f"if state.part == {BEGIN}:")
        opens = stage.who != "active"
        if stage.who == "table":
            out("state.left = 0")
            out("state.idle += 1")
        out("state.doer = me")
        out("state.done = 0")
        out("state.cursor = 0")
        out(f"state.part = {EACH_TURN if self.works_each_turn and stage.who == 'each' else ACT}")
        if stage.who != "table":
            out(f"state.left = {self.writer.amount(stage.actions, me)}")
        if stage.before:
            self.writer.write_beginning(stage.before, me, out, CLEARED_FIELDS)
            out("return True")
        out.shut()
        if self.works_each_turn and opens and stage.who == "each":
            out.open(f"if state.part == {EACH_TURN}:")
            out("card = next_at_work(box, state, me)")
            out.open("if card >= 0:")
            out("state.cursor = card + 1")
            out("program = int(box.card[card].each_turn)")
            out("seat = me")
            for line in CARD_WORK_LINES:
                out(line[4:])
            out("return True")
            out.shut()
            out(f"state.part = {ACT}")
            out.shut()
        out.open(f"if state.part == {ACT}:")
        self._write_turn(i, stage, out)
        out(f"state.part = {AFTER}")
        if stage.after:
            out("state.doer = me")
            self.writer.write_beginning(stage.after, me, out, CLEARED_FIELDS)
            out("return True")
        out.shut()
        out(f"state.part = {BEGIN}")
        self._write_what_follows(i, stage, out)
        self.rule(f"advance_{i}", "box, state, events", self.numbering.of("phase", i), out.lines)

    def _write_turn(self, i: int, stage: Stage, out: Lines) -> None:
        """Write the part of a stage in which the seat is asked for its actions."""
        if stage.who == "table":
            return
        may = "" if stage.may_stop or self._has_action_always_open(i) else f"can_act_{i}(box, state, me)"
        out.open("if state.left > 0:")
        if may:
            out.open(f"if {may}:")
        for line in (
            f"state.phase = P.{phase_of(i)}",
            "state.to_act = me",
            "state.doer = me",
            "state.idle = 0",
            "return False",
        ):
            out(line)
        if may:
            out.shut()
            out("state.idle += 1")
            out("tell(events, E.nothing, me)")
        out.shut()

    def _has_action_always_open(self, i: int) -> bool:
        """Has the stage an action that can always be taken?"""
        return any(deed.is_always_open for deed in self.game.deeds if i in deed.stages)

    def _write_can_act(self, i: int, stage: Stage) -> None:
        """Write the rule that says whether a seat has a possible action in a stage, if there is any doubt."""
        if stage.who == "table" or stage.may_stop or self._has_action_always_open(i):
            return
        lines = []
        for deed in self.game.deeds:
            if i not in deed.stages:
                continue
            indent, arguments = "    ", ""
            if deed.source:
                lines.append(f"{indent}for card in range(CARDS):")
                indent, arguments = indent + "    ", ", card"
            if deed.seat:
                lines.append(f"{indent}for other in range(state.n_seats):")
                indent, arguments = indent + "    ", arguments + ", other"
            lines += [
                f"{indent}if why_not_{deed.key}(box, state, seat{arguments}) == R.fine:",
                f"{indent}    return True",
            ]
        self.rule(
            f"can_act_{i}", "box, state, seat", "Is there anything that this seat can do?", [*lines, "    return False"]
        )

    def _write_what_follows(self, i: int, stage: Stage, out: Lines) -> None:
        """Write what follows a stage: the next stage of the turn, the next seat's turn, the next stage of the round, or the next round."""
        stages = self.game.stages
        first = i
        while stages[first].who == "active":
            first -= 1
        if i + 1 < len(stages) and stages[i + 1].who == "active":
            out(f"state.stage = {i + 1}")
            out("return False")
            return
        if stage.who != "table":
            self._write_ends("turn", out)
            out.open("if state.active + 1 < state.n_seats:")
            out("state.active += 1")
            out(f"state.stage = {first}")
            out("return False")
            out.shut()
        out("state.active = 0")
        if i + 1 < len(stages):
            out(f"state.stage = {i + 1}")
            out("return False")
            return
        self._write_ends("round", out)
        out("state.stage = 0")
        out("state.round_no += 1")
        out.open(f"if state.idle >= {MAX_IDLE}:")
        out("state.why_over = -1")
        out("return True")
        out.shut()
        out("tell(events, E.round, state.round_no)")
        out("return False")

    def _write_ends(self, at: str, out: Lines) -> None:
        """Write the tests for the ends of the file that are looked at now: "once", "turn" or "round"."""
        for i, end in enumerate(self.game.ends):
            if end.at != at:
                continue
            out.open(f"if state.why_over == 0 and {self._end_test(end)}:")
            out(f"state.why_over = {self.writer.ending(self.text_of_end(i), end.won)}")
            out(f"state.won = {int(bool(end.won))}")
            if at != "once":
                out("return True")
            out.shut()

    def _end_test(self, end: Ending) -> str:
        """An expression that is true when it is time for an end of the file."""
        if end.rounds:
            return "state.round_no >= box.options.rounds"
        if end.empty:
            empty = f"is_empty({self.writer.place(end.empty, 'seat')})"
            return f"{self._any_seat_test(empty, end.empty)}(box, state)" if self.game.places[end.empty].each else empty
        assert end.when is not None
        if not self.is_own(end.when):
            return self.writer.condition(end.when, Names("0", "-1", "-1", "-1"))
        return f"{self._any_seat_test(self.writer.condition(end.when, Names('seat', '-1', '-1', '-1')), end.when)}(box, state)"

    def _any_seat_test(self, test: str, key: object) -> str:
        """The name of the helper rule that says whether a test, in terms of `seat`, holds for any seat."""
        body = [
            "    for seat in range(state.n_seats):",
            f"        if {test}:",
            "            return True",
            "    return False",
        ]
        return self.writer.helper(("any", key), "anybody", "box, state", "Is it so of any seat?", body)

    def is_own(self, condition: Condition) -> bool:
        """Does a condition speak of something that each seat has for itself?"""
        for amount in (condition.left, condition.right):
            for _, one in amount.parts:
                if isinstance(one, Name) and (
                    one.word == "score" or (one.word in self.game.tokens and not self.game.tokens[one.word].shared)
                ):
                    return True
                if not isinstance(one, Most) and (place := getattr(one, "place", "")) and self.game.places[place].each:
                    return True
        return False

    def text_of_end(self, number: int) -> str:
        """The text of the log for an end of the file, given by its index."""
        end = self.game.ends[number]
        if end.text:
            return end.text
        if end.rounds:
            return "The last round is over"
        what = (
            f"{readable_name(end.empty)} is empty"
            if end.empty
            else self.numbering.condition(end.when)
            if end.when
            else ""
        )
        return f"{what[:1].upper()}{what[1:]}" + ("" if end.won is None else ": won" if end.won else ": lost")

    def _write_settling(self) -> None:
        """Write the rules that fill rows and look for an immediate end, and the lines of `go`."""
        out, write = Lines(), self.writer
        for spot in self.game.places.values():
            if not spot.refill:
                continue
            here, deck = write.place(spot.name, "seat"), self.game.places[spot.refill]
            if spot.each:
                out.open("for seat in range(state.n_seats):")
            out.open(f"while {write.room_test(spot, 'seat')}:")
            out(f"card = {write._random_rule(deck)}(box, state, 0)")
            out.open("if card < 0:")
            out("break")
            out.shut()
            out(f"remove({write.place(deck.name, '')}, card)")
            write.take_out(deck, "0", "card", out)
            out(f"add({here}, card)")
            write.lay_on_top(spot, "seat", "card", out)
            n = write.places.index(spot.name)
            if spot.seen_by == "all":
                out(f"tell(events, E.filled, card, {n})")
            elif spot.seen_by == "owner":
                out(f"tell_to(events, 1 << seat, E.filled, card, {n})")
            out.shut(2 if spot.each else 1)
        self._write_ends("once", out)
        self.rule("settle", "box, state, events", self.numbering.of("room"), out.lines)
        lines = Lines()
        lines("settle(box, state, events)")
        lines.open("while state.phase == P.moving:")
        lines.open("if state.why_over != 0:")
        lines("close(box, state, events)")
        lines.shut()
        if write.has_steps:
            lines.open("elif state.step > 0:")
            lines("take_step(box, state, events)")
            lines("settle(box, state, events)")
            lines.shut()
        if self.has_waiting:
            lines.open("elif state.n_waiting > 0:")
            lines("next_waiting(box, state, events)")
            lines("settle(box, state, events)")
            lines.shut()
        lines.open("else:")
        lines("rest(state)")
        lines.open("if advance(box, state, events):")
        lines("settle(box, state, events)")
        self.write_rest()
        self.go_lines = lines.lines

    def write_rest(self) -> None:
        """Write the rule `rest`, which clears the fields of the action that was being carried out."""
        self.rule(
            "rest",
            "state",
            "Nothing is being done.",
            [
                "    state.acting = -1",
                "    state.source = -1",
                "    state.target = -1",
                "    state.chosen = -1",
                f"    for i in range({DEPTH}):",
                "        state.picked[i] = -1",
                "        state.loops[i] = 0",
                "        state.back[i] = 0",
            ],
        )
