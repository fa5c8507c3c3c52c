"""Writing of a card game's rules for the course of a round: phases, turns, ends; and the base class for writing rules."""

from __future__ import annotations

from collections.abc import Iterable

from sutler.cardkit.amounts import Condition, Most, Name
from sutler.cardkit.card_game_parts import CardGame, Ending, Stage, to_readable_name
from sutler.cardkit.guide_paragraphs import Numbering
from sutler.cardkit.operation_source import (
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


def build_stage_phase_name(stage_index: int) -> str:
    """The name of the phase in which the actions of a stage, given by its index, are asked for."""
    return f"turn_{stage_index + 1}"


class GameWriter:
    """Base of the code generators: the rules' source so far, the refusals used, and what the game file needs."""

    def __init__(self, game: CardGame, numbering: Numbering) -> None:
        self.game, self.numbering = game, numbering
        self.writer = RuleSource(game, numbering)
        self.out: list[str] = []
        self.refusals: dict[str, tuple[str, str]] = {}
        self.has_waiting = bool(self.writer.programs)
        self.works_each_turn = any("each_turn" in card.triggers for card in game.cards)

    def add_rule(self, name: str, arguments: str, doc: str, lines: Iterable[str]) -> None:
        """Append a rule with its name, arguments, docstring and source lines."""
        body = list(lines) or ["    return"]
        self.out.append("\n".join(["@rule", f"def {name}({arguments}):", f'    """{doc}"""', *body]))

    def add_refusal(self, key: str, text: str, rule: str = "") -> str:
        """An expression for a refusal, as source; the refusal is added to the game's table under `key`."""
        self.refusals.setdefault(key, (text, rule))
        return f"R.{key}"

    def build_tableau_loop(self, me: str, lines: Iterable[str]) -> Iterable[str]:
        """Source lines of a loop over the cards in a seat's open places, with `lines` as its body; `me`: an expression for the seat."""
        for spot in self.writer.list_open_places:
            place = self.writer.place_expression(spot.name, me)
            yield f"    card = first_from({place}, 0)"
            yield "    while card >= 0:"
            yield from (f"        {line}" for line in lines)
            yield f"        card = first_from({place}, card + 1)"


class RoundSource(GameWriter):
    """Writes the rules by which a round goes on."""

    def _write_next_at_work(self) -> None:
        """Write the rule that finds a seat's next card with an effect in each turn."""
        lines = ["    first = -1"]
        for spot in self.writer.list_open_places:
            place = self.writer.place_expression(spot.name, "me")
            lines += [
                f"    card = first_from({place}, int(state.cursor))",
                "    while card >= 0 and box.card[card].each_turn == 0:",
            ]
            lines += [
                f"        card = first_from({place}, card + 1)",
                "    if card >= 0 and (first < 0 or card < first):",
                "        first = card",
            ]
        self.add_rule(
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
            out.open_block(f"{'if' if i == 0 else 'elif'} state.stage == {i}:")
            out(f"return advance_{i}(box, state, events)")
            out.close_blocks()
            self._write_stage(i, stage)
        out("return False")
        self.add_rule("advance", "box, state, events", "The round goes on; True where something was done.", out.lines)

    def _write_stage(self, stage_index: int, stage: Stage) -> None:
        """Write the rule that plays one stage, given by its index, part by part: before, each turn, actions, after."""
        self._write_can_act(stage_index, stage)
        out, me = Lines(), Names("me", "-1", "-1", "-1")
        out("me = int(state.active)")
        out.open_block(f"if state.part == {BEGIN}:")
        opens = stage.who != "active"
        if stage.who == "table":
            out("state.left = 0")
            out("state.idle += 1")
        out("state.doer = me")
        out("state.done = 0")
        out("state.cursor = 0")
        out(f"state.part = {EACH_TURN if self.works_each_turn and stage.who == 'each' else ACT}")
        if stage.who != "table":
            out(f"state.left = {self.writer.amount_expression(stage.actions, me)}")
        if stage.before:
            self.writer.write_operations_start(stage.before, me, out, CLEARED_FIELDS)
            out("return True")
        out.close_blocks()
        if self.works_each_turn and opens and stage.who == "each":
            out.open_block(f"if state.part == {EACH_TURN}:")
            out("card = next_at_work(box, state, me)")
            out.open_block("if card >= 0:")
            out("state.cursor = card + 1")
            out("program = int(box.card[card].each_turn)")
            out("seat = me")
            for line in CARD_WORK_LINES:
                out(line[4:])
            out("return True")
            out.close_blocks()
            out(f"state.part = {ACT}")
            out.close_blocks()
        out.open_block(f"if state.part == {ACT}:")
        self._write_turn(stage_index, stage, out)
        out(f"state.part = {AFTER}")
        if stage.after:
            out("state.doer = me")
            self.writer.write_operations_start(stage.after, me, out, CLEARED_FIELDS)
            out("return True")
        out.close_blocks()
        out(f"state.part = {BEGIN}")
        self._write_what_follows(stage_index, stage, out)
        self.add_rule(
            f"advance_{stage_index}", "box, state, events", self.numbering.find_number("phase", stage_index), out.lines
        )

    def _write_turn(self, stage_index: int, stage: Stage, out: Lines) -> None:
        """Write the part of a stage in which the seat is asked for its actions."""
        if stage.who == "table":
            return
        may = (
            ""
            if stage.may_stop or self._has_action_always_open(stage_index)
            else f"can_act_{stage_index}(box, state, me)"
        )
        out.open_block("if state.left > 0:")
        if may:
            out.open_block(f"if {may}:")
        for line in (
            f"state.phase = P.{build_stage_phase_name(stage_index)}",
            "state.to_act = me",
            "state.doer = me",
            "state.idle = 0",
            "return False",
        ):
            out(line)
        if may:
            out.close_blocks()
            out("state.idle += 1")
            out("tell(events, E.nothing, me)")
        out.close_blocks()

    def _has_action_always_open(self, stage_index: int) -> bool:
        """Has the stage an action that can always be taken?"""
        return any(deed.is_always_open for deed in self.game.deeds if stage_index in deed.stages)

    def _write_can_act(self, stage_index: int, stage: Stage) -> None:
        """Write the rule that says whether a seat has a possible action in a stage, if it may have none."""
        if stage.who == "table" or stage.may_stop or self._has_action_always_open(stage_index):
            return
        lines = []
        for deed in self.game.deeds:
            if stage_index not in deed.stages:
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
        self.add_rule(
            f"can_act_{stage_index}",
            "box, state, seat",
            "Is there anything that this seat can do?",
            [*lines, "    return False"],
        )

    def _write_what_follows(self, stage_index: int, stage: Stage, out: Lines) -> None:
        """Write what follows a stage: the next stage of the turn, the next seat's turn, the next stage of the round, or the next round."""
        stages = self.game.stages
        first = stage_index
        while stages[first].who == "active":
            first -= 1
        if stage_index + 1 < len(stages) and stages[stage_index + 1].who == "active":
            out(f"state.stage = {stage_index + 1}")
            out("return False")
            return
        if stage.who != "table":
            self._write_ends("turn", out)
            out.open_block("if state.active + 1 < state.n_seats:")
            out("state.active += 1")
            out(f"state.stage = {first}")
            out("return False")
            out.close_blocks()
        out("state.active = 0")
        if stage_index + 1 < len(stages):
            out(f"state.stage = {stage_index + 1}")
            out("return False")
            return
        self._write_ends("round", out)
        out("state.stage = 0")
        out("state.round_no += 1")
        out.open_block(f"if state.idle >= {MAX_IDLE}:")
        out("state.why_over = -1")
        out("return True")
        out.close_blocks()
        out("tell(events, E.round, state.round_no)")
        out("return False")

    def _write_ends(self, at: str, out: Lines) -> None:
        """Write the tests for the ends of the file that are looked at now: "once", "turn" or "round"."""
        for i, end in enumerate(self.game.ends):
            if end.at != at:
                continue
            out.open_block(f"if state.why_over == 0 and {self._build_end_test(end)}:")
            out(f"state.why_over = {self.writer.add_ending(self.build_end_text(i), end.won)}")
            out(f"state.won = {int(bool(end.won))}")
            if at != "once":
                out("return True")
            out.close_blocks()

    def _build_end_test(self, end: Ending) -> str:
        """An expression that is true when it is time for an end of the file."""
        if end.rounds:
            return "state.round_no >= box.options.rounds"
        if end.empty:
            empty = f"is_empty({self.writer.place_expression(end.empty, 'seat')})"
            return (
                f"{self._add_any_seat_rule(empty, end.empty)}(box, state)"
                if self.game.places[end.empty].each
                else empty
            )
        assert end.when is not None
        if not self.is_about_one_seat(end.when):
            return self.writer.condition_expression(end.when, Names("0", "-1", "-1", "-1"))
        test = self.writer.condition_expression(end.when, Names("seat", "-1", "-1", "-1"))
        return f"{self._add_any_seat_rule(test, end.when)}(box, state)"

    def _add_any_seat_rule(self, test: str, key: object) -> str:
        """The name of the helper rule that says whether a test, in terms of `seat`, holds for any seat."""
        body = [
            "    for seat in range(state.n_seats):",
            f"        if {test}:",
            "            return True",
            "    return False",
        ]
        return self.writer.add_helper_rule(("any", key), "anybody", "box, state", "Is it so of any seat?", body)

    def is_about_one_seat(self, condition: Condition) -> bool:
        """Is this condition about something that each seat has for itself, such as its tokens or its hand?"""
        for amount in (condition.left, condition.right):
            for _, one in amount.parts:
                if isinstance(one, Name) and (
                    one.word == "score" or (one.word in self.game.tokens and not self.game.tokens[one.word].shared)
                ):
                    return True
                if not isinstance(one, Most) and (place := getattr(one, "place", "")) and self.game.places[place].each:
                    return True
        return False

    def build_end_text(self, number: int) -> str:
        """The text of the log for an end of the file, given by its index."""
        end = self.game.ends[number]
        if end.text:
            return end.text
        if end.rounds:
            return "The last round is over"
        what = (
            f"{to_readable_name(end.empty)} is empty"
            if end.empty
            else self.numbering.describe_condition(end.when)
            if end.when
            else ""
        )
        return f"{what[:1].upper()}{what[1:]}" + ("" if end.won is None else ": won" if end.won else ": lost")

    def _write_settling(self) -> None:
        """Write the rules that refill places and test for an immediate end, and the lines of the rule `go`."""
        out, write = Lines(), self.writer
        for spot in self.game.places.values():
            if not spot.refill:
                continue
            here, deck = write.place_expression(spot.name, "seat"), self.game.places[spot.refill]
            if spot.each:
                out.open_block("for seat in range(state.n_seats):")
            out.open_block(f"while {write.room_expression(spot, 'seat')}:")
            out(f"card = {write._add_random_card_rule(deck)}(box, state, 0)")
            out.open_block("if card < 0:")
            out("break")
            out.close_blocks()
            out(f"remove({write.place_expression(deck.name, '')}, card)")
            write.write_remove_from_order(deck, "0", "card", out)
            out(f"add({here}, card)")
            write.write_lay_on_top(spot, "seat", "card", out)
            n = write.places.index(spot.name)
            if spot.seen_by == "all":
                out(f"tell(events, E.filled, card, {n})")
            elif spot.seen_by == "owner":
                out(f"tell_to(events, 1 << seat, E.filled, card, {n})")
            out.close_blocks(2 if spot.each else 1)
        self._write_ends("once", out)
        self.add_rule("settle", "box, state, events", self.numbering.find_number("room"), out.lines)
        lines = Lines()
        lines("settle(box, state, events)")
        lines.open_block("while state.phase == P.moving:")
        lines.open_block("if state.why_over != 0:")
        lines("close(box, state, events)")
        lines.close_blocks()
        if write.has_steps:
            lines.open_block("elif state.step > 0:")
            lines("take_step(box, state, events)")
            lines("settle(box, state, events)")
            lines.close_blocks()
        if self.has_waiting:
            lines.open_block("elif state.n_waiting > 0:")
            lines("next_waiting(box, state, events)")
            lines("settle(box, state, events)")
            lines.close_blocks()
        lines.open_block("else:")
        lines("rest(state)")
        lines.open_block("if advance(box, state, events):")
        lines("settle(box, state, events)")
        self.write_rest_rule()
        self.go_lines = lines.lines

    def write_rest_rule(self) -> None:
        """Write the rule `rest`, which clears the fields of the action that was being carried out."""
        self.add_rule(
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
