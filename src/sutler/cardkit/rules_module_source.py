"""Writing of `rules.py`, the rules module of a card game's folder: its state record, events, refusals, actions and other rules in order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from sutler.cardkit.card_game_parts import Deed, Spot, to_readable_name
from sutler.cardkit.operation_source import (
    DEPTH,
    MAX_IN_ORDER,
    MAX_WAITING,
    Lines,
    Names,
    Site,
    quote_source,
    to_field_name,
)
from sutler.cardkit.round_source import CARD_WORK_LINES, OTHER_SORT
from sutler.cardkit.setup_and_scoring_source import PointsSource
from sutler.core.events import Event

RULES_HEAD = '''"""The rules of {title}, made from its file by sutler.cardkit."""

from sutler.core.bits import add, allow, allow_range, assign, clear, count, first_from, has, is_empty, merge, nth, remove
from sutler.core.chance import below, die
from sutler.core.events import Event, EventTable, tell, tell_to
from sutler.core.record import HEADER, field, record, set_of
from sutler.core.rule import rule
from sutler.core.tables import FaultTable, Refusal, RefusalTable
from sutler.games.{name}.box import A, CARDS, P, SEATS
'''


def build_log_template(deed: Deed) -> str:
    """The template of an action's log entry: the designer's text, or one made from the action's name ("{seat} buys {card}")."""
    text = deed.told
    if not text:
        first, _, rest = deed.name.partition(" ")
        if not re.search(r"(ed|s)$", first):
            first = (
                first[:-1] + "ies"
                if re.search(r"[^aeiou]y$", first)
                else first + ("es" if re.search(r"(s|x|z|ch|sh|o)$", first) else "s")
            )
        text = "{me} " + f"{first} {rest}".strip()
    else:
        text = text.replace("{seat}", "{me}", 1) if "{me}" not in text else text
    out = text.replace("{", "{{").replace("}", "}}")
    out = out.replace("{{me}}", "{seat}").replace("{{card}}", "{card}" if deed.source else "a card")
    return out.replace("{{seat}}", "{other:seat}" if deed.seat else "a player")


class GameRules(PointsSource):
    """Writes the source of the module `rules.py`."""

    def build_source(self, name: str) -> str:
        """The source of the whole module; `name` is the name of the game."""
        self._write_action_rules()
        self._write_card_programs()
        self._write_stages()
        self._write_settling()
        self._write_choice_rules()
        self._write_steps()
        self._write_setup()
        self._write_check()
        self._write_points()
        self._write_redeal()
        head = RULES_HEAD.format(name=name, title=self.game.title.replace('"', "'").replace("\\", ""))
        tables = [
            self._build_state_record_source(),
            self._build_event_table_source(),
            self._build_refusal_table_source(),
            self._build_fault_table_source(),
            "E, R, F = EVENTS.numbers, REFUSALS.numbers, FAULTS.numbers",
        ]
        return "\n\n".join([head, *tables, "\n\n".join([*self.writer.helpers.values(), *self.out])]) + "\n"

    def _build_state_record_source(self) -> str:
        """The source of the game's state record."""
        game, fields = self.game, ["*HEADER"]
        fields += [f'("{name}", "i2")' for name in ("round_no", "left", "idle", "rolled", "why_over", "cursor")]
        fields += [
            '("stage", "i1")',
            '("part", "i1")',
            '("won", "i1")',
            '("done", "i4")',
            'field("active", "i1", of="seat")',
        ]
        for token in game.tokens.values():
            seen = ', seen_by="holder"' if token.secret else ""
            fields.append(
                f'("{to_field_name(token.name)}", "i4")'
                if token.shared
                else f'field("{to_field_name(token.name)}", "i4", SEATS, by="seat"{seen})'
            )
        for spot in game.places.values():
            where = ', SEATS, by="seat"' if spot.each else ""
            seen = {"all": "", "owner": ', seen_by="holder"', "nobody": ', seen_by="nobody", counted=True'}[
                spot.seen_by
            ]
            fields.append(f'set_of("card", "{to_field_name(spot.name)}", CARDS{where}{seen})')
            if spot.ordered:
                shape, each = (f"(SEATS, {MAX_IN_ORDER})", ', SEATS, by="seat"') if spot.each else (MAX_IN_ORDER, "")
                fields.append(f'field("{to_field_name(spot.name)}_order", "i2", {shape}, of="card", seen_by="nobody")')
                fields.append(f'field("{to_field_name(spot.name)}_n", "i1"{each})')
        fields.append(
            'set_of("card", "unknown", CARDS, seen_by="derived")'
        )  # always empty, except while cards are dealt anew
        fields += [
            '("step", "i2")',
            'field("doer", "i1", of="seat")',
            'field("target", "i1", of="seat")',
            '("chosen", "i2")',
        ]
        fields += [f'field("{name}", "i2", of="card", seen_by="doer")' for name in ("acting", "source")]
        fields += [
            f'field("picked", "i2", {DEPTH}, of="card", seen_by="doer")',
            f'("loops", "i2", {DEPTH})',
            f'("back", "i1", {DEPTH})',
        ]
        if self.has_waiting:
            fields += ['("n_waiting", "i1")', f'field("waiting_card", "i2", {MAX_WAITING}, of="card")']
            fields += [f'("waiting_does", "i2", {MAX_WAITING})', f'("waiting_seat", "i1", {MAX_WAITING})']
        return 'STATE = record(\n    "State",\n' + "".join(f"    {one},\n" for one in fields) + ")"

    def _build_event_table_source(self) -> str:
        """The source of the game's event table."""
        number = self.numbering.find_number
        rows = {
            f"did_{deed.key}": (number("action", i), build_log_template(deed), "")
            for i, deed in enumerate(self.game.deeds)
        }
        round_rule, room, choice = number("round"), number("room"), number("choice")
        token = {"gained": "gets", "lost": "gives up"}
        rows |= {key: (choice, f"{{seat}} {verb} {{n}} {{token}}", ", summed=True") for key, verb in token.items()}
        rows |= {
            "round": (round_rule, "Round {n}", ", heading=True"),
            "rose": (choice, "{token}: now {n}", ""),
            "fell": (choice, "{token}: now {n}", ""),
            "gave": (choice, "{seat} gives {n} {token} to {other:seat}", ", summed=True"),
            "took": (choice, "{seat} takes {n} {token} from {other:seat}", ", summed=True"),
            "drew": (choice, "{seat} draws {card} ({place})", ""),
            "drew_own": (choice, "{seat} draws to {place}: {card}", ", listed=True"),
            "drew_some": (choice, "{seat} draws {n} {n:#card|cards} ({place})", ", summed=True"),
            "moved": (choice, "{card} goes to {place}", ""),
            "emptied": (choice, "All cards of {place} go to {to:place}", ""),
            "filled": (room, "{card} comes to {place}", ""),
            "rolled": (choice, "{seat} rolls {n}", ""),
            "chose": (choice, "{seat} chooses: {option}", ""),
            "named": (choice, "{seat} chooses {other:seat}", ""),
            "chose_none": (choice, "{seat} chooses none", ""),
            "works": (number("order"), "{card} works", ""),
            "stopped": (number("stop"), "{seat} stops", ""),
            "nothing": (number("stop"), "{seat} can do nothing more", ""),
        }
        if any(op.word == "reveal" for op in self.game.iter_operations()):
            rows["shown"] = (number("op", "reveal"), "{seat} shows {card} ({place})", "")
        out = [f'    {key}=Event("{rule}", {text!r}{more}),' for key, (rule, text, more) in rows.items()]
        stalled = "Nobody can do anything any more" + (": lost" if self.game.together else "")
        out.append(f'    ended_stalled=Event("{number("stalled")}", {stalled!r}, heading=True, ending=True),')
        for i, (text, won) in enumerate(self.writer.endings):
            if i:
                said_so = text or ("Won" if won else "Lost" if won is False else "The game is over")
                rule, log_text = self.find_rule_of_ending(i), quote_source(said_so.rstrip("."))
                out.append(f'    ended_{i}=Event("{rule}", {log_text}, heading=True, ending=True),')
        return "EVENTS = EventTable(\n" + "\n".join(out) + "\n)"

    def find_rule_of_ending(self, number: int) -> str:
        """The paragraph of the guide on an ending, given by its number in `writer.endings`."""
        for i, end in enumerate(self.game.ends):
            if (self.build_end_text(i), end.won) == self.writer.endings[number]:
                return self.numbering.find_number("end", i)
        return self.numbering.find_number("op", "end")

    def _build_refusal_table_source(self) -> str:
        """The source of the game's refusal table."""
        rows = [f"    {key}=Refusal({quote_source(text)}, {rule!r})," for key, (text, rule) in self.refusals.items()]
        return "REFUSALS = RefusalTable(\n" + "\n".join(rows) + "\n)"

    def _build_fault_table_source(self) -> str:
        """The source of the game's fault table."""
        faults = {
            "lost_card": "a card is in two places, or in none",
            "debt": "somebody has less than nothing",
            "beyond": "a number is out of range",
        }
        return f"FAULTS = FaultTable({', '.join(f'{key}={text!r}' for key, text in faults.items())})"

    def _write_action_rules(self) -> None:
        """Write for each action of the file the rules that refuse it, allow it and carry it out."""
        for i, deed in enumerate(self.game.deeds):
            arguments = "".join(
                f", {part}" for part in ("card", "other") if {"card": deed.source, "other": deed.seat}[part]
            )
            names = Names("seat", "card" if deed.source else "-1", "other" if deed.seat else "-1", "-1")
            if not deed.is_always_open:
                self.add_rule(
                    f"why_not_{deed.key}",
                    f"box, state, seat{arguments}",
                    self.numbering.find_number("action", i),
                    self._build_refusal_lines(i, deed, names),
                )
                if deed.argument_kinds == ("card",):
                    self._write_allow_rule(deed)
            out = Lines()
            told = ", ".join(name for name, _ in Event("", build_log_template(deed)).parts)
            out(f"tell(events, E.did_{deed.key}{', ' if told else ''}{told})")
            if not deed.free:
                out("state.left -= 1")
            if deed.once:
                out(f"state.done |= {1 << i}")
            self.writer.write_payment(deed.pay, names, out)
            names = replace(names, told=deed.source)
            self.writer.write_operations_start(
                deed.do,
                names,
                out,
                [("doer", "seat"), ("acting", names.card), ("target", names.target), ("source", "-1")],
            )
            self.add_rule(
                f"do_{deed.key}",
                f"box, state, events, seat{arguments}",
                self.numbering.find_number("action", i),
                out.lines,
            )

    def _write_allow_rule(self, deed: Deed) -> None:
        """Write the rule that allows an action for every card of its place that may be chosen."""
        place = self.writer.place_expression(deed.source, "seat")
        lines = [f"    card = first_from({place}, 0)", "    while card >= 0:"]
        lines += [
            f"        if why_not_{deed.key}(box, state, seat, card) == R.fine:",
            f"            allow(out, A.{deed.key} + card)",
        ]
        lines += [f"        card = first_from({place}, card + 1)"]
        self.add_rule(f"allow_{deed.key}", "box, state, seat, out", "All cards that nothing is against.", lines)

    def _build_refusal_lines(self, number: int, deed: Deed, names: Names) -> Iterable[str]:
        """Source lines that refuse an action, given by its number, for every reason that can stand against it."""
        write, rule = self.writer, self.numbering.find_number("action", number)
        if deed.source:
            yield from self._build_card_refusal_lines(deed.source, deed.only, "seat")
        if deed.seat:
            yield "    if other >= state.n_seats:"
            yield f"        return {self.add_refusal('no_player', 'Nobody sits there.')}"
        if deed.seat == "other":
            yield "    if other == seat:"
            yield f"        return {self.add_refusal('yourself', 'Choose another player, not yourself.')}"
        if deed.once:
            yield f"    if (state.done >> {number}) & 1 == 1:"
            yield f"        return {self.add_refusal('done_already', 'You have done that in this turn already.')}"
        for name, amount in deed.pay:
            yield f"    if {write.tokens_expression(name, 'seat')} < {write.amount_expression(amount, names)}:"
            yield f"        return {self.add_refusal(f'too_few_{name}', f'You have too few {to_readable_name(name)}.')}"
        if deed.needs:
            text = deed.refuse or f"That is done only if {self.numbering.describe_condition(deed.needs)}."
            yield f"    if not ({write.condition_expression(deed.needs, names)}):"
            yield f"        return {self.add_refusal(f'needs_{deed.key}', text, rule)}"
        for spot in write.list_limited_targets(deed):
            if not deed.needs and deed.refuse:
                reason = self.add_refusal(f"full_for_{deed.key}", deed.refuse, rule)
            else:
                reason = self.build_no_room_refusal(spot)
            yield f"    if not ({write.room_expression(spot, 'seat')}):"
            yield f"        return {reason}"
        yield "    return R.fine"

    def build_no_room_refusal(self, spot: Spot) -> str:
        """An expression for the refusal that a place is full, as source."""
        return self.add_refusal(
            f"full_{spot.name}",
            f"There is no room in {to_readable_name(spot.name)}.",
            self.numbering.find_number("place", spot.name),
        )

    def _build_card_refusal_lines(self, source: str, only: Iterable[tuple[str, str]], me: str) -> Iterable[str]:
        """Source lines that refuse cards of a place which cannot be chosen; `me` is an expression for the seat."""
        write, place = self.writer, self.writer.place_expression(source, me)
        text = f"That card is not in {to_readable_name(source)}."
        yield f"    if not has({place}, card):"
        yield f"        return {self.add_refusal(f'not_in_{source}', text, self.numbering.find_number('place', source))}"
        for name, value in only:
            yield f"    if box.card[card].{to_field_name(name)} != {write.value_expression(value, me, 'card')}:"
            yield f"        return {self.add_refusal('other_sort', OTHER_SORT)}"
        kind = self.game.places[source].of
        if any(card.kind == kind and card.copies > 1 for card in self.game.cards):
            yield "    other_copy = box.card[card].before"
            yield "    while other_copy >= 0:"
            yield f"        if has({place}, other_copy):"
            text = "There is another card like it there: take that one."
            yield f"            return {self.add_refusal('another_copy', text, self.numbering.find_number('choice'))}"
            yield "        other_copy = box.card[other_copy].before"

    def _write_card_programs(self) -> None:
        """Write the rules that run what cards do, and the queue of cards waiting to do it."""
        write, out = self.writer, Lines()
        names = Names("me", "card", "-1", "card")
        out("me = int(state.doer)")
        out("card = int(state.acting)")
        for i, ops in enumerate(write.programs, 1):
            out.open_block(f"if program == {i}:")
            write.write_operations_start(ops, names, out)
            if out.lines[-1].endswith(":"):
                out("pass")
            out.close_blocks()
        if self.has_waiting:
            self.add_rule(
                "begin_program",
                "box, state, events, program",
                "What a card says begins: its doer and the card are in the state.",
                out.lines,
            )
            self.add_rule(
                "wait",
                "state, card, program, seat",
                "A card is to do what it says, after what is being done.",
                [
                    f"    if state.n_waiting < {MAX_WAITING}:",
                    "        n = state.n_waiting",
                    "        state.waiting_card[n] = card",
                    "        state.waiting_does[n] = program",
                    "        state.waiting_seat[n] = seat",
                    "        state.n_waiting += 1",
                ],
            )
            self.add_rule(
                "next_waiting",
                "box, state, events",
                "The card that has waited longest does what it says.",
                [
                    "    card = int(state.waiting_card[0])",
                    "    program = int(state.waiting_does[0])",
                    "    seat = int(state.waiting_seat[0])",
                    "    state.n_waiting -= 1",
                    "    for i in range(state.n_waiting):",
                    "        state.waiting_card[i] = state.waiting_card[i + 1]",
                    "        state.waiting_does[i] = state.waiting_does[i + 1]",
                    "        state.waiting_seat[i] = state.waiting_seat[i + 1]",
                    "    n = state.n_waiting",
                    "    state.waiting_card[n] = -1",
                    "    state.waiting_does[n] = 0",
                    "    state.waiting_seat[n] = 0",
                    *CARD_WORK_LINES,
                ],
            )
        self._write_worth_at_end()

    def _write_worth_at_end(self) -> None:
        """Write the rule for the points that a card counts at the end, if any card counts some."""
        write = self.writer
        if write.worths:
            out = Lines()
            for i, amount in enumerate(write.worths, 1):
                out.open_block(f"if box.card[card].at_end == {i}:")
                out(f"return {write.amount_expression(amount, Names('me', 'card', '-1', 'card'))}")
                out.close_blocks()
            out("return 0")
            self.add_rule(
                "worth_at_end", "box, state, me, card", "The points that a card counts where it lies.", out.lines
            )

    def _write_choice_rules(self) -> None:
        """Write the rules by which a seat makes a choice in the middle of an action."""
        write = self.writer
        for site in write.sites:
            if site.op.word == "pick":
                lines = [*self._build_card_refusal_lines(site.op.source, site.op.only, "me")]
                spot = self.game.places.get(site.op.to)
                if spot and spot.limit:
                    lines += [f"    if not ({write.room_expression(spot, 'me')}):"]
                    lines += [f"        return {self.build_no_room_refusal(spot)}"]
                self.add_rule(
                    f"why_not_{site.phase}",
                    "box, state, me, card",
                    "Why a card cannot be chosen here.",
                    [*lines, "    return R.fine"],
                )
                self.add_rule(
                    f"can_{site.phase}",
                    "box, state, me",
                    "Can any card be chosen?",
                    [
                        "    for card in range(CARDS):",
                        f"        if why_not_{site.phase}(box, state, me, card) == R.fine:",
                        "            return True",
                        "    return False",
                    ],
                )
            elif site.op.word == "choose":
                self._write_option_rules(site)
        self._write_choice_dispatch("pick", "pick", "card", [])
        self._write_choice_dispatch(
            "choose", "choose", "option", ["    state.chosen = option", "    tell(events, E.chose, seat, option)"]
        )
        self._write_choice_dispatch(
            "seat", "to", "other", ["    state.target = other", "    tell(events, E.named, seat, other)"]
        )
        if any(site.op.optional for site in write.sites):
            lines = []
            for site in write.sites:
                if site.op.optional:
                    lines += [f"    if state.phase == P.{site.phase}:", f"        state.step = {site.after}"]
            self.add_rule(
                "do_none",
                "box, state, events, seat",
                self.numbering.find_number("choice"),
                ["    tell(events, E.chose_none, seat)", *lines],
            )
        if any(stage.may_stop for stage in self.game.stages):
            self.add_rule(
                "do_stop",
                "box, state, events, seat",
                self.numbering.find_number("stop"),
                ["    tell(events, E.stopped, seat)", "    state.left = 0"],
            )

    def _write_option_rules(self, site: Site) -> None:
        """Write the rules that say which options of a choice are possible."""
        write, lines = (
            self.writer,
            ["    card = int(state.acting)", "    target = int(state.target)", "    source = int(state.source)"],
        )
        for i, option in enumerate(site.op.options):
            lines.append(f"    if option == {site.first + i}:")
            tests = [write.condition_expression(option.needs, site.names)] if option.needs else []
            if option.do and option.do[0].word == "pay":
                tests.append(write.can_pay_expression(option.do[0].tokens, site.names))
            for test in tests:
                lines += [
                    f"        if not ({test}):",
                    f"            return {self.add_refusal('not_possible', 'That is not possible now.')}",
                ]
            lines.append("        return R.fine")
        lines.append(
            f"    return {self.add_refusal('not_offered', 'That is not one of the things to choose from now.')}"
        )
        self.add_rule(f"why_not_{site.phase}", "box, state, me, option", "Why something cannot be chosen here.", lines)
        last = site.first + len(site.op.options)
        self.add_rule(
            f"can_{site.phase}",
            "box, state, me",
            "Can anything be chosen?",
            [
                f"    for option in range({site.first}, {last}):",
                f"        if why_not_{site.phase}(box, state, me, option) == R.fine:",
                "            return True",
                "    return False",
            ],
        )

    def _write_choice_dispatch(self, word: str, block: str, part: str, does: list[str]) -> None:
        """Write the rules of a block of choice actions, which call those of the choice that is open."""
        sites = [site for site in self.writer.sites if site.op.word == word]
        if not sites:
            return
        lines, doing = list[str](), list[str]()
        for site in sites:
            lines.append(f"    if state.phase == P.{site.phase}:")
            if word == "seat":
                lines += [
                    "        if other >= state.n_seats:",
                    f"            return {self.add_refusal('no_player', 'Nobody sits there.')}",
                ]
                if site.op.who == "others":
                    lines += [
                        "        if other == seat:",
                        f"            return {self.add_refusal('yourself', 'Choose another player, not yourself.')}",
                    ]
                lines.append("        return R.fine")
            else:
                lines.append(f"        return why_not_{site.phase}(box, state, seat, {part})")
            if word == "pick":
                doing += [f"    if state.phase == P.{site.phase}:", f"        state.picked[{site.names.depth}] = card"]
        self.add_rule(
            f"why_not_{block}",
            f"box, state, seat, {part}",
            self.numbering.find_number("choice"),
            [*lines, "    return R.fine"],
        )
        self.add_rule(
            f"do_{block}", f"box, state, events, seat, {part}", self.numbering.find_number("choice"), doing or does
        )

    def _write_steps(self) -> None:
        """Write the steps of actions with choices, and the rules that carry on with them."""
        write = self.writer
        if write.has_steps:
            out = Lines()
            for i, lines in enumerate(write.steps, 1):
                head = [
                    "    me = int(state.doer)",
                    "    card = int(state.acting)",
                    "    target = int(state.target)",
                    "    source = int(state.source)",
                ]
                self.add_rule(f"step_{i}", "box, state, events", "One step of what is being done.", [*head, *lines])
            self._write_step_search(1, len(write.steps) + 1, out)
            self.add_rule(
                "take_step", "box, state, events", "The next step.", ["    step = int(state.step)", *out.lines]
            )
        out = Lines()
        out("state.phase = P.over")
        out("state.step = 0")
        if self.has_waiting:
            out("state.n_waiting = 0")
            out.open_block(f"for i in range({MAX_WAITING}):")
            out("state.waiting_card[i] = -1")
            out("state.waiting_does[i] = 0")
            out("state.waiting_seat[i] = 0")
            out.close_blocks()
        out("rest(state)")
        out.open_block("if state.why_over < 0:")
        out("tell(events, E.ended_stalled)")
        out.close_blocks()
        for i in range(1, len(write.endings)):
            out.open_block(f"if state.why_over == {i}:")
            out(f"tell(events, E.ended_{i})")
            out.close_blocks()
        self.add_rule("close", "box, state, events", "The game is over.", out.lines)
        self.add_rule(
            "go",
            "box, state, events",
            "All that follows, until somebody must decide or the game is over.",
            self.go_lines,
        )
        self.add_rule(
            "proceed",
            "box, state, events",
            "After an action, all that follows.",
            ["    state.phase = P.moving", "    go(box, state, events)"],
        )
        self.add_rule(
            "start",
            "box, state, events",
            "To the first decision.",
            ["    tell(events, E.round, 1)", "    go(box, state, events)"],
        )

    def _write_step_search(self, low: int, high: int, out: Lines) -> None:
        """Write a binary search that calls the rule of a step from `low` to `high` - 1."""
        if high - low == 1:
            out(f"step_{low}(box, state, events)")
            return
        half = (low + high) // 2
        out.open_block(f"if step < {half}:")
        self._write_step_search(low, half, out)
        out.close_blocks()
        out.open_block("else:")
        self._write_step_search(half, high, out)
        out.close_blocks()
