"""The folder of a card game, file by file: its tables and records (`box.py`), its rules, its words, its guide, its box."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sutler.cardkit.amounts import Condition, Most, Name
from sutler.cardkit.declaration import TRIGGERS, CardGame, Deed, Stage
from sutler.cardkit.paragraphs import Numbering
from sutler.cardkit.rule_source import (
    ACT,
    AFTER,
    BEGIN,
    DEPTH,
    EACH_TURN,
    MAX_IDLE,
    WAITING,
    WORTH_OF_A_CARD,
    WORTH_OF_A_TOKEN,
    Lines,
    Names,
    RuleSource,
    Site,
    field_of,
    quoted,
)
from sutler.core.events import Event

SPARE = 8
"""Cards are counted in this many together, so that one card more leaves the records as they are."""
MAX_ROUNDS = 99
NO_CARD = Names("me", "-1", "-1", "-1")


def files_of(name: str, game: CardGame, text: str) -> dict[str, str]:
    """The files of a game's folder, by name; `text` is the designer's own file, which is kept among them."""
    numbering = Numbering(game)
    rules = GameRules(game, numbering)
    source = rules.source(name)  # first: it finds where somebody chooses
    return {
        "cards.toml": text,
        "box.toml": box_toml(game, rules, numbering),
        "box.py": TableSource(game, rules, numbering).source(name),
        "rules.py": source,
        "words.py": WORDS.format(name=name),
        "__init__.py": INIT.format(name=name, title=game.title.replace('"', "'").replace("\\", "")),
        "terminal.py": TERMINAL,
        "guide.md": numbering.guide(),
        "README.md": f"# {game.title}\n\nMade from a card game's file, `cards.toml`, by sutler.cardkit: change that file, not these.\n",
        "cover.toml": 'wash = "road"\n',
    }


INIT = '''"""{title}: made from a card game's file by sutler.cardkit."""

from sutler.core.definition import Definition
from sutler.games.{name} import box, rules, words

GAME = Definition(__name__, __file__, box, rules, words)
'''
WORDS = '''"""The table in words and as plain data."""

from pathlib import Path

from sutler.cardkit.table_view import Face
from sutler.games.{name} import box, rules

FACE = Face(Path(__file__).parent, vars(box), vars(rules))
view, parts, left, label, effect, breakdown = FACE.view, FACE.parts, FACE.left, FACE.label, FACE.effect, FACE.breakdown
SPOTS = {{"card": "card:{{}}", "seat": "seat:{{}}"}}
SCALE = FACE.scale
COOPERATIVE = FACE.game.together
'''
TERMINAL = '''"""The table in the terminal."""

from sutler.cardkit.terminal_table import draw

__all__ = ["draw"]
'''
RULES_HEAD = '''"""The rules of {title}, made from its file by sutler.cardkit."""

from sutler.core.bits import add, allow, allow_range, assign, clear, count, first_from, has, is_empty, merge, nth, remove
from sutler.core.chance import below, die
from sutler.core.events import Event, EventTable, tell, tell_to
from sutler.core.record import HEADER, field, record, set_of
from sutler.core.rule import rule
from sutler.core.tables import FaultTable, Refusal, RefusalTable
from sutler.games.{name}.box import A, CARDS, P, SEATS
'''


def literal(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {literal(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else str(value)


def box_toml(game: CardGame, rules: GameRules, numbering: Numbering) -> str:
    """What is printed, with everything that an experiment may turn: numbers, starts, limits and cards."""
    rounds = next((end.rounds for end in game.ends if end.rounds), 0)
    info = {
        "title": game.title,
        "designer": game.designer,
        "tagline": game.tagline,
        "blurb": game.blurb,
        "minutes": game.minutes,
        "weight": 1,
        "seats": list(game.seats),
        "source": "Made from a card game's file.",
    }
    out = ["[game]", *(f"{key} = {literal(value)}" for key, value in info.items())]
    if rounds:
        at = next(i for i, end in enumerate(game.ends) if end.rounds)
        option = {
            "label": "Rounds",
            "text": "The game ends after so many rounds.",
            "rule": numbering.of("end", at),
            "kind": "number",
            "default": rounds,
            "low": max(1, rounds // 4),
            "high": min(MAX_ROUNDS, rounds * 3),
        }
        out += ["", "[options.rounds]", *(f"{key} = {literal(value)}" for key, value in option.items())]
    for title, table in (("numbers", game.numbers), ("starts", rules.starts), ("limits", rules.limits)):
        if table:
            out += ["", f"[{title}]", *(f"{key} = {value}" for key, value in table.items())]
    for card in game.cards:
        fields = game.kinds[card.kind].fields
        told: dict[str, Any] = {"name": card.name}
        told |= {name: words[card.fields[name]] if words else card.fields[name] for name, words in fields.items()}
        if card.copies > 1:
            told["copies"] = card.copies
        if card.amounts:
            told["amounts"] = list(card.amounts)
        out += ["", f"[[{card.kind}]]", *(f"{key} = {literal(value)}" for key, value in told.items())]
    return "\n".join(out) + "\n"


def capacity(game: CardGame) -> int:
    """The number of cards that the records have room for."""
    return (game.n_cards + SPARE - 1) // SPARE * SPARE


class TableSource:
    """Writes `box.py`: sizes, phases, actions and the record of the box."""

    def __init__(self, game: CardGame, rules: GameRules, numbering: Numbering) -> None:
        self.game, self.rules, self.numbering = game, rules, numbering

    def source(self, name: str) -> str:
        """The module."""
        game, lines = self.game, list[str]()
        lines += [
            f'"""The tables and the box of {game.title.replace(chr(34), chr(39))}, made from its file by sutler.cardkit."""'.replace(
                "\\", ""
            ),
            "",
        ]
        lines += ["from pathlib import Path", ""]
        lines += [
            "from sutler.cardkit.sheet_of_cards import sheet_and_pack",
            "from sutler.core.actions import ActionTable, Block",
        ]
        lines += ["from sutler.core.options import Options", "from sutler.core.record import field, record, set_of"]
        lines += ["from sutler.core.tables import Phase, PhaseTable", ""]
        lines += [f"SEATS, CARDS = {game.seats[1]}, {capacity(game)}", ""]
        lines += ["PHASES = PhaseTable(", *self._phases(), ")", "ACTIONS = ActionTable("]
        lines += [
            f'    {{"card": CARDS, "seat": SEATS, "option": {max(1, self.rules.writer.n_options)}}},',
            *self._actions(),
            ")",
        ]
        lines += ["P, A = PHASES.numbers, ACTIONS.numbers", "", *self._records(), ""]
        lines += ["Sheet, pack = sheet_and_pack(Path(__file__).parent, BOX, PHASES.words)", ""]
        return "\n".join(lines)

    def _phases(self) -> Iterable[str]:
        number = self.numbering.of
        yield f'    moving=Phase("{number("round")}"),'
        for i, stage in enumerate(self.game.stages):
            if stage.who == "table":
                continue
            deeds = [deed.name for deed in self.game.deeds if i in deed.stages]
            told = ", ".join(re.sub(r"\{(\w+)\}", r"a \1", name) for name in deeds)
            help_text = stage.text or f"You may: {told}{' or stop' if stage.may_stop else ''}."
            asked = "{{seat}}: " + stage.name.rstrip(".") + "."
            yield f'    {phase_of(i)}=Phase("{number("phase", i)}", {quoted(asked).replace("{{{{seat}}}}", "{seat}")}, help={quoted(help_text)}, stage="turn"),'
        for site in self.rules.writer.sites:
            yield f"    {site.phase}=Phase({self._question(site)}, midway=True),"
        yield f'    over=Phase("{number("winner")}", over=True),'

    def _question(self, site: Site) -> str:
        op, number = site.op, self.numbering.of("op", site.op.word)
        usual = {
            "pick": f"Choose a card of {said(op.source)}" + (f" for {said(op.to)}" if op.to else ""),
            "seat": "Choose a player",
            "choose": "Choose one",
        }[op.word]
        asked = (op.text or usual).rstrip(".")
        rest = self.numbering.in_words(op.do)
        help_text = (
            f"Then: {'; '.join(rest)}."
            if rest
            else "You may choose none."
            if op.optional
            else "Choose one of what is lit."
        )
        return (
            f'"{number}", "{{seat}}: " {quoted(asked + ".")}, help={quoted(help_text)}, now={quoted(asked + " first.")}'
        )

    def _actions(self) -> Iterable[str]:
        game, number = self.game, self.numbering.of
        for i, deed in enumerate(game.deeds):
            label = quoted(deed.name[:1].upper() + deed.name[1:])
            for part in deed.parts:
                label = label.replace("{{" + part + "}}", "{" + part + "}")
            free = ", free=True" if deed.is_always_open else ""
            ask = "" if deed.parts else ", ask=True"
            verb = deed.key.replace("_", " ")
            yield (
                f'    {deed.key}=Block("{number("action", i)}", {deed.parts!r}, when={tuple(map(phase_of, deed.stages))!r}'
                f"{free}{ask}, label={label}, verb={verb!r}),"
            )
        stops = tuple(phase_of(i) for i, stage in enumerate(game.stages) if stage.may_stop)
        if stops:
            yield f'    stop=Block("{number("stop")}", when={stops!r}, free=True, label="Stop", tone="commit"),'
        for word, key, parts, label in (
            ("pick", "pick", ("card",), "{card}"),
            ("seat", "to", ("seat",), "{seat}"),
            ("choose", "choose", ("option",), "{option}"),
        ):
            when = tuple(site.phase for site in self.rules.writer.sites if site.op.word == word)
            if when:
                yield f'    {key}=Block("{number("choice")}", {parts!r}, when={when!r}, label={label!r}),'
        when = tuple(site.phase for site in self.rules.writer.sites if site.op.optional)
        if when:
            yield f'    none=Block("{number("choice")}", when={when!r}, free=True, label="None", tone="quiet"),'

    def _records(self) -> Iterable[str]:
        game, parts = self.game, list[str]()
        if any(end.rounds for end in game.ends):
            yield 'OPTIONS = Options(Path(__file__).with_name("box.toml"))'
            parts.append('field("options", OPTIONS)')
        for title, table in (("numbers", game.numbers), ("starts", self.rules.starts), ("limits", self.rules.limits)):
            if table:
                fields = ", ".join(f'("{field_of(word)}", "i4")' for word in table)
                yield f'{title.upper()} = record("{title.capitalize()}", {fields})'
                parts.append(f'field("{title}", {title.upper()})')
        fields = [
            '("before", "i2")',
            f'("amounts", "i2", {max(1, max((len(card.amounts) for card in game.cards), default=0))})',
        ]
        fields += [f'("{when}", "i2")' for when in (*TRIGGERS, "at_end")]
        fields += [f'("{field_of(name)}", "i2")' for name in game.fields]
        yield f'CARD = record("Card", {", ".join(fields)})'
        parts.append('field("card", CARD, CARDS)')
        parts += [f'set_of("card", "all_{kind}", CARDS)' for kind in game.kinds]
        yield f'BOX = record("Box", {", ".join(parts)})'


def phase_of(stage: int) -> str:
    """The name of the phase in which a stage's actions are asked for."""
    return f"turn_{stage + 1}"


def said(name: str) -> str:
    """A name of the file in words."""
    return name.replace("_", " ")


def told_of(deed: Deed) -> str:
    """The sentence of the log for an action: the designer's, else made of its name ("{seat} buys {card}")."""
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


class GameRules:
    """Writes `rules.py`."""

    def __init__(self, game: CardGame, numbering: Numbering) -> None:
        self.game, self.numbering = game, numbering
        self.writer = RuleSource(game, numbering)
        self.out: list[str] = []
        self.refusals: dict[str, tuple[str, str]] = {}
        self.starts = {token.name: token.start for token in game.tokens.values()}
        self.limits = {one.name: one.limit for one in (*game.tokens.values(), *game.places.values()) if one.limit}
        self.ends_rounds = any(end.rounds for end in game.ends)
        self.has_waiting = bool(self.writer.programs)
        self.works_each_turn = any("each_turn" in card.triggers for card in game.cards)

    def rule(self, name: str, arguments: str, doc: str, lines: Iterable[str]) -> None:
        """Write a rule."""
        body = list(lines) or ["    return"]
        self.out.append("\n".join(["@rule", f"def {name}({arguments}):", f'    """{doc}"""', *body]))

    def source(self, name: str) -> str:
        """The module."""
        self._deeds()
        self._programs()
        self._stages()
        self._settling()
        self._choices()
        self._steps()
        self._setup()
        self._checks()
        self._points()
        self._redeal()
        head = RULES_HEAD.format(name=name, title=self.game.title.replace('"', "'").replace("\\", ""))
        tables = [
            self._state(),
            self._events(),
            self._refusals(),
            self._faults(),
            "E, R, F = EVENTS.numbers, REFUSALS.numbers, FAULTS.numbers",
        ]
        return "\n\n".join([head, *tables, "\n\n".join([*self.writer.helpers.values(), *self.out])]) + "\n"

    def refuse(self, key: str, text: str, rule: str = "") -> str:
        """The number of a reason, as source."""
        self.refusals.setdefault(key, (text, rule))
        return f"R.{key}"

    # --- Tables ---

    def _state(self) -> str:
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
                f'("{field_of(token.name)}", "i4")'
                if token.shared
                else f'field("{field_of(token.name)}", "i4", SEATS, by="seat"{seen})'
            )
        for spot in game.places.values():
            where = ', SEATS, by="seat"' if spot.each else ""
            seen = {"all": "", "owner": ', seen_by="holder"', "nobody": ', seen_by="nobody", counted=True'}[
                spot.seen_by
            ]
            fields.append(f'set_of("card", "{field_of(spot.name)}", CARDS{where}{seen})')
        fields.append(
            'set_of("card", "unknown", CARDS, seen_by="derived")'
        )  # always empty but while cards are dealt again
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
            fields += ['("n_waiting", "i1")', f'field("waiting_card", "i2", {WAITING}, of="card")']
            fields += [f'("waiting_does", "i2", {WAITING})', f'("waiting_seat", "i1", {WAITING})']
        return 'STATE = record(\n    "State",\n' + "".join(f"    {one},\n" for one in fields) + ")"

    def _events(self) -> str:
        number = self.numbering.of
        rows = {f"did_{deed.key}": (number("action", i), told_of(deed), "") for i, deed in enumerate(self.game.deeds)}
        round_rule, room, choice = number("round"), number("room"), number("choice")
        token = {"gained": "gets", "lost": "gives up"}
        rows |= {key: (choice, f"{{seat}} {verb} {{n}} {{token}}", "") for key, verb in token.items()}
        rows |= {
            "round": (round_rule, "Round {n}", ", heading=True"),
            "rose": (choice, "{token}: now {n}", ""),
            "fell": (choice, "{token}: now {n}", ""),
            "gave": (choice, "{seat} gives {n} {token} to {other:seat}", ""),
            "took": (choice, "{seat} takes {n} {token} from {other:seat}", ""),
            "drew": (choice, "{seat} draws {card} ({place})", ""),
            "drew_own": (choice, "{seat} draws to {place}: {card}", ", listed=True"),
            "drew_some": (choice, "{seat} draws {n} {n:#card|cards} ({place})", ""),
            "moved": (choice, "{card} goes to {place}", ""),
            "filled": (room, "{card} comes to {place}", ""),
            "rolled": (choice, "{seat} rolls {n}", ""),
            "chose": (choice, "{seat} chooses: {option}", ""),
            "named": (choice, "{seat} chooses {other:seat}", ""),
            "chose_none": (choice, "{seat} chooses none", ""),
            "works": (number("order"), "{card} works", ""),
            "nothing": (number("stop"), "{seat} can do nothing more", ""),
        }
        out = [f'    {key}=Event("{rule}", {text!r}{more}),' for key, (rule, text, more) in rows.items()]
        stalled = "Nobody can do anything any more" + (": lost" if self.game.together else "")
        out.append(f'    ended_stalled=Event("{number("stalled")}", {stalled!r}, heading=True, ending=True),')
        for i, (text, won) in enumerate(self.writer.endings):
            if i:
                said_so = text or ("Won" if won else "Lost" if won is False else "The game is over")
                out.append(
                    f'    ended_{i}=Event("{self.rule_of_ending(i)}", {quoted(said_so.rstrip("."))}, heading=True, ending=True),'
                )
        return "EVENTS = EventTable(\n" + "\n".join(out) + "\n)"

    def rule_of_ending(self, number: int) -> str:
        """The paragraph of a way to end."""
        for i, end in enumerate(self.game.ends):
            if (self.text_of_end(i), end.won) == self.writer.endings[number]:
                return self.numbering.of("end", i)
        return self.numbering.of("op", "end")

    def text_of_end(self, number: int) -> str:
        """The sentence of the log for an end of the file."""
        end = self.game.ends[number]
        if end.text:
            return end.text
        if end.rounds:
            return "The last round is over"
        what = f"{said(end.empty)} is empty" if end.empty else self.numbering.condition(end.when) if end.when else ""
        return f"{what[:1].upper()}{what[1:]}" + ("" if end.won is None else ": won" if end.won else ": lost")

    def _refusals(self) -> str:
        rows = [f"    {key}=Refusal({quoted(text)}, {rule!r})," for key, (text, rule) in self.refusals.items()]
        return "REFUSALS = RefusalTable(\n" + "\n".join(rows) + "\n)"

    def _faults(self) -> str:
        return 'FAULTS = FaultTable(lost_card="a card is in two places, or in none", debt="somebody has less than nothing", beyond="a number is out of range")'

    # --- Actions ---

    def _deeds(self) -> None:
        for i, deed in enumerate(self.game.deeds):
            arguments = "".join(
                f", {part}" for part in ("card", "other") if {"card": deed.source, "other": deed.seat}[part]
            )
            names = Names("seat", "card" if deed.source else "-1", "other" if deed.seat else "-1", "-1")
            if not deed.is_always_open:
                self.rule(
                    f"why_not_{deed.key}",
                    f"box, state, seat{arguments}",
                    self.numbering.of("action", i),
                    self._against(i, deed, names),
                )
                if deed.parts == ("card",):
                    self._allow(deed)
            out = Lines()
            told = ", ".join(name for name, _ in Event("", told_of(deed)).parts)
            out(f"tell(events, E.did_{deed.key}{', ' if told else ''}{told})")
            if not deed.free:
                out("state.left -= 1")
            if deed.once:
                out(f"state.done |= {1 << i}")
            self.writer.pay(deed.pay, names, out)
            names = replace(names, told=deed.source)
            self.writer.begin(
                deed.do,
                names,
                out,
                [("doer", "seat"), ("acting", names.card), ("target", names.target), ("source", "-1")],
            )
            self.rule(
                f"do_{deed.key}", f"box, state, events, seat{arguments}", self.numbering.of("action", i), out.lines
            )

    def _allow(self, deed: Deed) -> None:
        """The cards that may be chosen, found among those that lie there."""
        place = self.writer.place(deed.source, "seat")
        lines = [f"    card = first_from({place}, 0)", "    while card >= 0:"]
        lines += [
            f"        if why_not_{deed.key}(box, state, seat, card) == R.fine:",
            f"            allow(out, A.{deed.key} + card)",
        ]
        lines += [f"        card = first_from({place}, card + 1)"]
        self.rule(f"allow_{deed.key}", "box, state, seat, out", "All cards that nothing is against.", lines)

    def _against(self, number: int, deed: Deed, names: Names) -> Iterable[str]:
        write, rule = self.writer, self.numbering.of("action", number)
        if deed.source:
            yield from self._against_card(deed.source, deed.only, "seat")
        if deed.seat:
            yield "    if other >= state.n_seats:"
            yield f"        return {self.refuse('no_player', 'Nobody sits there.')}"
        if deed.seat == "other":
            yield "    if other == seat:"
            yield f"        return {self.refuse('yourself', 'Choose another player, not yourself.')}"
        if deed.once:
            yield f"    if (state.done >> {number}) & 1 == 1:"
            yield f"        return {self.refuse('done_already', 'You have done that in this turn already.')}"
        for name, amount in deed.pay:
            yield f"    if {write.tokens_of(name, 'seat')} < {write.amount(amount, names)}:"
            yield f"        return {self.refuse(f'too_few_{name}', f'You have too few {said(name)}.')}"
        if deed.needs:
            text = deed.refuse or f"That is done only if {self.numbering.condition(deed.needs)}."
            yield f"    if not ({write.condition(deed.needs, names)}):"
            yield f"        return {self.refuse(f'needs_{deed.key}', text, rule)}"
        for spot in write.deed_moves(deed):
            if not deed.needs and deed.refuse:
                reason = self.refuse(f"full_for_{deed.key}", deed.refuse, rule)
            else:
                reason = self.refuse(
                    f"full_{spot.name}",
                    f"There is no room in {said(spot.name)}.",
                    self.numbering.of("place", spot.name),
                )
            yield f"    if not ({write.room(spot, 'seat')}):"
            yield f"        return {reason}"
        yield "    return R.fine"

    def _against_card(self, source: str, only: Iterable[tuple[str, str]], me: str) -> Iterable[str]:
        """What is against choosing a card of a place."""
        write, place = self.writer, self.writer.place(source, me)
        text = f"That card is not in {said(source)}."
        yield f"    if not has({place}, card):"
        yield f"        return {self.refuse(f'not_in_{source}', text, self.numbering.of('place', source))}"
        for name, value in only:
            yield f"    if box.card[card].{field_of(name)} != {write.value(value, me, 'card')}:"
            yield f"        return {self.refuse('other_sort', 'It must be a card of another sort.')}"
        kind = self.game.places[source].of
        if any(card.kind == kind and card.copies > 1 for card in self.game.cards):
            yield "    other_copy = box.card[card].before"
            yield "    while other_copy >= 0:"
            yield f"        if has({place}, other_copy):"
            yield f"            return {self.refuse('another_copy', 'There is another card like it there: take that one.', self.numbering.of('choice'))}"
            yield "        other_copy = box.card[other_copy].before"

    # --- Cards that work ---

    def _programs(self) -> None:
        write, out = self.writer, Lines()
        names = Names("me", "card", "-1", "card")
        out("me = int(state.doer)")
        out("card = int(state.acting)")
        for i, ops in enumerate(write.programs, 1):
            out.open(f"if program == {i}:")
            write.begin(ops, names, out)
            if out.lines[-1].endswith(":"):
                out("pass")
            out.shut()
        if self.has_waiting:
            self.rule(
                "begin_program",
                "box, state, events, program",
                "What a card says begins: its doer and the card are in the state.",
                out.lines,
            )
            self.rule(
                "wait",
                "state, card, program, seat",
                "A card is to do what it says, after what is being done.",
                [
                    f"    if state.n_waiting < {WAITING}:",
                    "        n = state.n_waiting",
                    "        state.waiting_card[n] = card",
                    "        state.waiting_does[n] = program",
                    "        state.waiting_seat[n] = seat",
                    "        state.n_waiting += 1",
                ],
            )
            self.rule(
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
                    *WORK,
                ],
            )
        self._worths()

    def _worths(self) -> None:
        write = self.writer
        if write.worths:
            out = Lines()
            for i, amount in enumerate(write.worths, 1):
                out.open(f"if box.card[card].at_end == {i}:")
                out(f"return {write.amount(amount, Names('me', 'card', '-1', 'card'))}")
                out.shut()
            out("return 0")
            self.rule("worth_at_end", "box, state, me, card", "The points that a card counts where it lies.", out.lines)

    def _next_at_work(self) -> None:
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

    def tableau_loop(self, me: str, lines: Iterable[str]) -> Iterable[str]:
        """Source that does something with each `card` before a seat."""
        for spot in self.writer.tableaus:
            place = self.writer.place(spot.name, me)
            yield f"    card = first_from({place}, 0)"
            yield "    while card >= 0:"
            yield from (f"        {line}" for line in lines)
            yield f"        card = first_from({place}, card + 1)"

    # --- The course of a round ---

    def _stages(self) -> None:
        game, out = self.game, Lines()
        if self.works_each_turn:
            self._next_at_work()
        for i, stage in enumerate(game.stages):
            out.open(f"{'if' if i == 0 else 'elif'} state.stage == {i}:")
            out(f"return advance_{i}(box, state, events)")
            out.shut()
            self._stage(i, stage)
        out("return False")
        self.rule("advance", "box, state, events", "The round goes on; True where something was done.", out.lines)

    def _stage(self, i: int, stage: Stage) -> None:
        self._can_act(i, stage)
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
            self.writer.begin(stage.before, me, out, CLEAN)
            out("return True")
        out.shut()
        if self.works_each_turn and opens and stage.who == "each":
            out.open(f"if state.part == {EACH_TURN}:")
            out("card = next_at_work(box, state, me)")
            out.open("if card >= 0:")
            out("state.cursor = card + 1")
            out("program = int(box.card[card].each_turn)")
            out("seat = me")
            for line in WORK:
                out(line[4:])
            out("return True")
            out.shut()
            out(f"state.part = {ACT}")
            out.shut()
        out.open(f"if state.part == {ACT}:")
        self._acting(i, stage, out)
        out(f"state.part = {AFTER}")
        if stage.after:
            out("state.doer = me")
            self.writer.begin(stage.after, me, out, CLEAN)
            out("return True")
        out.shut()
        out(f"state.part = {BEGIN}")
        self._next(i, stage, out)
        self.rule(f"advance_{i}", "box, state, events", self.numbering.of("phase", i), out.lines)

    def _acting(self, i: int, stage: Stage, out: Lines) -> None:
        if stage.who == "table":
            return
        may = "" if stage.may_stop or self._always(i) else f"can_act_{i}(box, state, me)"
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

    def _always(self, i: int) -> bool:
        return any(deed.is_always_open for deed in self.game.deeds if i in deed.stages)

    def _can_act(self, i: int, stage: Stage) -> None:
        if stage.who == "table" or stage.may_stop or self._always(i):
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

    def _next(self, i: int, stage: Stage, out: Lines) -> None:
        """From a stage to the next: of the same turn, of the next seat, of the round, of the next round."""
        stages = self.game.stages
        first = i
        while stages[first].who == "active":
            first -= 1
        if i + 1 < len(stages) and stages[i + 1].who == "active":
            out(f"state.stage = {i + 1}")
            out("return False")
            return
        if stage.who != "table":
            self._ends("turn", out)
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
        self._ends("round", out)
        out("state.stage = 0")
        out("state.round_no += 1")
        out.open(f"if state.idle >= {MAX_IDLE}:")
        out("state.why_over = -1")
        out("return True")
        out.shut()
        out("tell(events, E.round, state.round_no)")
        out("return False")

    def _ends(self, at: str, out: Lines) -> None:
        for i, end in enumerate(self.game.ends):
            if end.at != at:
                continue
            if end.rounds:
                test = "state.round_no >= box.options.rounds"
            elif end.empty:
                spot = self.game.places[end.empty]
                test = (
                    f"{self._any_seat(f'is_empty({self.writer.place(end.empty, chr(115) + chr(101) + chr(97) + chr(116))})', end.empty)}(box, state)"
                    if spot.each
                    else f"is_empty({self.writer.place(end.empty, '')})"
                )
            else:
                assert end.when is not None
                if self.is_own(end.when):
                    test = f"{self._any_seat(self.writer.condition(end.when, Names('seat', '-1', '-1', '-1')), end.when)}(box, state)"
                else:
                    test = self.writer.condition(end.when, Names("0", "-1", "-1", "-1"))
            out.open(
                f"if state.why_over == 0 and {test}:" if not at == "once" else f"if state.why_over == 0 and ({test}):"
            )
            out(f"state.why_over = {self.writer.ending(self.text_of_end(i), end.won)}")
            out(f"state.won = {int(bool(end.won))}")
            if at != "once":
                out("return True")
            out.shut()

    def _any_seat(self, test: str, key: object) -> str:
        body = [
            "    for seat in range(state.n_seats):",
            f"        if {test}:",
            "            return True",
            "    return False",
        ]
        return self.writer.helper(("any", key), "anybody", "box, state", "Is it so of any seat?", body)

    def is_own(self, condition: Condition) -> bool:
        """Is a condition about something that each seat has for itself?"""
        for amount in (condition.left, condition.right):
            for _, one in amount.parts:
                if isinstance(one, Name) and (
                    one.word == "score" or (one.word in self.game.tokens and not self.game.tokens[one.word].shared)
                ):
                    return True
                if not isinstance(one, Most) and (place := getattr(one, "place", "")) and self.game.places[place].each:
                    return True
        return False

    def _settling(self) -> None:
        """Rows are filled, and it is seen whether the game is over at once."""
        out, write = Lines(), self.writer
        for spot in self.game.places.values():
            if not spot.refill:
                continue
            here, deck = write.place(spot.name, "seat"), self.game.places[spot.refill]
            if spot.each:
                out.open("for seat in range(state.n_seats):")
            out.open(f"while {write.room(spot, 'seat')}:")
            out(f"card = {write._random_rule(deck)}(box, state, 0)")
            out.open("if card < 0:")
            out("break")
            out.shut()
            out(f"remove({write.place(deck.name, '')}, card)")
            out(f"add({here}, card)")
            n = write.places.index(spot.name)
            if spot.seen_by == "all":
                out(f"tell(events, E.filled, card, {n})")
            elif spot.seen_by == "owner":
                out(f"tell_to(events, 1 << seat, E.filled, card, {n})")
            out.shut(2 if spot.each else 1)
        self._ends("once", out)
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
        self.rest_and_close()
        self.go_lines = lines.lines

    def rest_and_close(self) -> None:
        """The rules that forget what was being done, and that end the game."""
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

    def _choices(self) -> None:
        """What may be chosen in the middle of something, and what choosing does."""
        write = self.writer
        for site in write.sites:
            if site.op.word == "pick":
                lines = [*self._against_card(site.op.source, site.op.only, "me")]
                spot = self.game.places.get(site.op.to)
                if spot and spot.limit:
                    lines += [f"    if not ({write.room(spot, 'me')}):"]
                    lines += [
                        f"        return {self.refuse(f'full_{spot.name}', f'There is no room in {said(spot.name)}.', self.numbering.of('place', spot.name))}"
                    ]
                self.rule(
                    f"why_not_{site.phase}",
                    "box, state, me, card",
                    "Why a card cannot be chosen here.",
                    [*lines, "    return R.fine"],
                )
                self.rule(
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
                self._options(site)
        self._dispatch("pick", "pick", "card", [])
        self._dispatch(
            "choose", "choose", "option", ["    state.chosen = option", "    tell(events, E.chose, seat, option)"]
        )
        self._dispatch("seat", "to", "other", ["    state.target = other", "    tell(events, E.named, seat, other)"])
        if any(site.op.optional for site in write.sites):
            lines = []
            for site in write.sites:
                if site.op.optional:
                    lines += [f"    if state.phase == P.{site.phase}:", f"        state.step = {site.after}"]
            self.rule(
                "do_none",
                "box, state, events, seat",
                self.numbering.of("choice"),
                ["    tell(events, E.chose_none, seat)", *lines],
            )
        if any(stage.may_stop for stage in self.game.stages):
            self.rule("do_stop", "box, state, events, seat", self.numbering.of("stop"), ["    state.left = 0"])

    def _options(self, site: Site) -> None:
        write, lines = (
            self.writer,
            ["    card = int(state.acting)", "    target = int(state.target)", "    source = int(state.source)"],
        )
        for i, option in enumerate(site.op.options):
            lines.append(f"    if option == {site.first + i}:")
            tests = [write.condition(option.needs, site.names)] if option.needs else []
            if option.do and option.do[0].word == "pay":
                tests.append(write.can_pay(option.do[0].tokens, site.names))
            for test in tests:
                lines += [
                    f"        if not ({test}):",
                    f"            return {self.refuse('not_possible', 'That is not possible now.')}",
                ]
            lines.append("        return R.fine")
        lines.append(f"    return {self.refuse('not_offered', 'That is not one of the things to choose from now.')}")
        self.rule(f"why_not_{site.phase}", "box, state, me, option", "Why something cannot be chosen here.", lines)
        last = site.first + len(site.op.options)
        self.rule(
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

    def _dispatch(self, word: str, block: str, part: str, does: list[str]) -> None:
        sites = [site for site in self.writer.sites if site.op.word == word]
        if not sites:
            return
        lines, doing = list[str](), list[str]()
        for site in sites:
            lines.append(f"    if state.phase == P.{site.phase}:")
            if word == "seat":
                lines += [
                    "        if other >= state.n_seats:",
                    f"            return {self.refuse('no_player', 'Nobody sits there.')}",
                ]
                if site.op.who == "others":
                    lines += [
                        "        if other == seat:",
                        f"            return {self.refuse('yourself', 'Choose another player, not yourself.')}",
                    ]
                lines.append("        return R.fine")
            else:
                lines.append(f"        return why_not_{site.phase}(box, state, seat, {part})")
            if word == "pick":
                doing += [f"    if state.phase == P.{site.phase}:", f"        state.picked[{site.names.depth}] = card"]
        self.rule(
            f"why_not_{block}", f"box, state, seat, {part}", self.numbering.of("choice"), [*lines, "    return R.fine"]
        )
        self.rule(f"do_{block}", f"box, state, events, seat, {part}", self.numbering.of("choice"), doing or does)

    def _steps(self) -> None:
        """The steps, and the rule that takes the next one."""
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
                self.rule(f"step_{i}", "box, state, events", "One step of what is being done.", [*head, *lines])
            self._tree(1, len(write.steps) + 1, out)
            self.rule("take_step", "box, state, events", "The next step.", ["    step = int(state.step)", *out.lines])
        out = Lines()
        out("state.phase = P.over")
        out("state.step = 0")
        if self.has_waiting:
            out("state.n_waiting = 0")
            out.open(f"for i in range({WAITING}):")
            out("state.waiting_card[i] = -1")
            out("state.waiting_does[i] = 0")
            out("state.waiting_seat[i] = 0")
            out.shut()
        out("rest(state)")
        out.open("if state.why_over < 0:")
        out("tell(events, E.ended_stalled)")
        out.shut()
        for i in range(1, len(write.endings)):
            out.open(f"if state.why_over == {i}:")
            out(f"tell(events, E.ended_{i})")
            out.shut()
        self.rule("close", "box, state, events", "The game is over.", out.lines)
        self.rule(
            "go",
            "box, state, events",
            "All that follows, until somebody must decide or the game is over.",
            self.go_lines,
        )
        self.rule(
            "proceed",
            "box, state, events",
            "After an action, all that follows.",
            ["    state.phase = P.moving", "    go(box, state, events)"],
        )
        self.rule(
            "start",
            "box, state, events",
            "To the first decision.",
            ["    tell(events, E.round, 1)", "    go(box, state, events)"],
        )

    def _tree(self, low: int, high: int, out: Lines) -> None:
        """Source of a binary search over steps."""
        if high - low == 1:
            out(f"step_{low}(box, state, events)")
            return
        half = (low + high) // 2
        out.open(f"if step < {half}:")
        self._tree(low, half, out)
        out.shut()
        out.open("else:")
        self._tree(half, high, out)
        out.shut()

    # --- Setting up, checking, counting ---

    def _setup(self) -> None:
        out, game, write = Lines(), self.game, self.writer
        quiet = Names("seat", "-1", "-1", "-1", quiet=True)
        out("state.phase = P.moving")
        out("state.round_no = 1")
        out("rest(state)")
        if self.has_waiting:
            out.open(f"for i in range({WAITING}):")
            out("state.waiting_card[i] = -1")
            out.shut()
        for spot in game.places.values():
            if spot.all:
                out(f"assign(state.{field_of(spot.name)}, box.all_{spot.of})")
        for token in game.tokens.values():
            if token.shared:
                out(f"state.{field_of(token.name)} = box.starts.{field_of(token.name)}")
        out.open("for seat in range(state.n_seats):")
        out("pass")
        for token in game.tokens.values():
            if not token.shared:
                out(f"state.{field_of(token.name)}[seat] = box.starts.{field_of(token.name)}")
        write.run(game.setup_seat, quiet, out)
        out.shut()
        out("seat = 0")
        write.run(game.setup, quiet, out)
        self.rule("setup", "box, state", self.numbering.of("setup"), out.lines)
        self.rule("recount", "box, state", "Nothing is kept only for speed.", ["    return"])

    def _checks(self) -> None:
        game, out = self.game, Lines()
        for kind in game.kinds:
            out.open(f"for w in range(len(box.all_{kind})):")
            out(f"found = box.all_{kind}[w] & ~box.all_{kind}[w]")
            for spot in game.places.values():
                if spot.of != kind:
                    continue
                if spot.each:
                    out.open("for seat in range(state.n_seats):")
                here = f"{self.writer.place(spot.name, 'seat')}[w]"
                out.open(f"if (found & {here}) != (box.all_{kind}[w] & ~box.all_{kind}[w]):")
                out("return F.lost_card")
                out.shut()
                out(f"found |= {here}")
                out.shut(1 if spot.each else 0)
            out.open(f"if found != box.all_{kind}[w]:")
            out("return F.lost_card")
            out.shut(2)
        out.open("for seat in range(state.n_seats):")
        out("pass")
        for token in game.tokens.values():
            if not token.shared:
                out.open(f"if state.{field_of(token.name)}[seat] < 0:")
                out("return F.debt")
                out.shut()
        out.shut()
        shared = [f"state.{field_of(token.name)} < 0" for token in game.tokens.values() if token.shared]
        tests = [
            *shared,
            "state.round_no < 1",
            f"state.stage < 0 or state.stage >= {len(game.stages)}",
            "state.active < 0 or state.active >= state.n_seats",
            "state.doer < 0 or state.doer >= state.n_seats",
            "state.to_act < 0 or state.to_act >= state.n_seats",
            "state.target >= state.n_seats",
            f"state.step < 0 or state.step > {len(self.writer.steps)}",
            f"state.part < 0 or state.part > {EACH_TURN}",
            "state.cursor < 0 or state.cursor > CARDS",
            "not is_empty(state.unknown)",
        ]
        if self.has_waiting:
            tests.append(f"state.n_waiting < 0 or state.n_waiting >= {WAITING}")
        for test in tests:
            out.open(f"if {test}:")
            out("return F.beyond")
            out.shut()
        out.open(f"for i in range({DEPTH}):")
        out.open("if state.back[i] < 0 or state.back[i] >= state.n_seats:")
        out("return F.beyond")
        out.shut(2)
        out("return 0")
        self.rule("check", "box, state", "0, or the number of the fault in FAULTS.", out.lines)

    def _points(self) -> None:
        game, write = self.game, self.writer
        me = Names("seat", "-1", "-1", "-1")
        for i, score in enumerate(game.scores):
            self.rule(
                f"line_{i}",
                "box, state, seat",
                self.numbering.of("score", i),
                [f"    return {write.amount(score.count, me)}"],
            )
        lines = ["    total = 0", *(f"    total += line_{i}(box, state, seat)" for i in range(len(game.scores)))]
        if write.worths:
            lines += self.tableau_loop("seat", ["total += worth_at_end(box, state, seat, card)"])
        self.rule("points", "box, state, seat", self.numbering.of("winner"), [*lines, "    return total"])
        if game.together:
            self.rule(
                "score",
                "box, state, out",
                self.numbering.of("winner"),
                [
                    "    for seat in range(state.n_seats):",
                    "        out[seat] = state.won",
                ],
            )
            self.rule(
                "rank",
                "box, state, out",
                self.numbering.of("winner"),
                [
                    "    for seat in range(state.n_seats):",
                    "        out[seat] = 1",
                    "        if state.phase == P.over and state.won == 0:",
                    "            out[seat] = state.n_seats",
                ],
            )
        else:
            self.rule(
                "score",
                "box, state, out",
                self.numbering.of("winner"),
                [
                    "    for seat in range(state.n_seats):",
                    "        out[seat] = points(box, state, seat)",
                ],
            )
            lines = [
                "    if points(box, state, a) != points(box, state, b):",
                "        return points(box, state, a) > points(box, state, b)",
            ]
            for tie in game.ties:
                held = f"state.{field_of(tie)}"
                lines += [f"    if {held}[a] != {held}[b]:", f"        return {held}[a] > {held}[b]"]
            self.rule("is_ahead", "box, state, a, b", self.numbering.of("winner"), [*lines, "    return False"])
        self._judgement()

    def _judgement(self) -> None:
        """How well a seat stands, for bots: points, and what tokens and cards in hand are still good for."""
        game, write = self.game, self.writer
        lines = ["    value = 1.0 * points(box, state, seat)"]
        for token in game.tokens.values():
            worth = self.worth_of(token.name)
            if worth:
                lines.append(f"    value += {worth} * int({write.tokens_of(token.name, 'seat')})")
        counted = {getattr(one, "place", "") for score in game.scores for _, one in score.count.parts}
        for spot in game.places.values():
            worth = (
                spot.worth
                if spot.worth is not None
                else 0.0
                if not spot.each or spot.name in counted
                else WORTH_OF_A_CARD
            )
            if worth:
                lines.append(f"    value += {worth} * count({write.place(spot.name, 'seat')})")
        if game.together:
            lines += self._hopes()
            self.rule(
                "evaluate",
                "box, state, seat",
                "How near the end is that all want, and how far the one that nobody wants.",
                [
                    "    if state.phase == P.over:",
                    "        return 100.0 * state.won - 50.0",
                    *lines,
                    "    return value",
                ],
            )
            return
        self.rule("standing", "box, state, seat", "What a seat has, in points.", [*lines, "    return value"])
        self.rule(
            "evaluate",
            "box, state, seat",
            "What a seat has, less half the points of the best other seat.",
            [
                "    best = -1000.0",
                "    for other in range(state.n_seats):",
                "        if other != seat:",
                "            best = max(best, 1.0 * points(box, state, other))",
                "    return standing(box, state, seat) - 0.5 * best",
            ],
        )

    def worth_of(self, token: str) -> float:
        """What a token is worth to bots: what the file says; else something where it pays, and nothing where the score counts it anyway."""
        one = self.game.tokens[token]
        if one.worth is not None:
            return one.worth
        scored = any(
            isinstance(part, Name) and part.word == token for score in self.game.scores for _, part in score.count.parts
        )
        pays = any(name == token for deed in self.game.deeds for name, _ in deed.pay)
        pays = pays or any(op.word == "pay" and token in dict(op.tokens) for op in self.game.operations())
        return WORTH_OF_A_TOKEN if pays and not scored else 0.0

    def _hopes(self) -> Iterable[str]:
        """For games that all win or lose together: each end that compares amounts, as a share of the way there."""
        for end in self.game.ends:
            if end.when is None or end.when.sign not in (">=", ">", "==", "<=", "<"):
                continue
            left, right = (
                self.writer.amount(one, Names("seat", "-1", "-1", "-1")) for one in (end.when.left, end.when.right)
            )
            sign = 1.0 if end.won else -1.0
            if end.when.sign in ("<=", "<"):
                yield f"    value -= {sign} * ({left})"
            else:
                yield f"    value += {10 * sign} * min(1.0, (1.0 * ({left})) / max(1, {right}))"

    def _redeal(self) -> None:
        """What a seat cannot know is dealt again."""
        game, out = self.game, Lines()
        self.rule(
            "knows_holder",
            "box, state, seat, of",
            self.numbering.of("secrets"),
            ["    return of == seat or state.phase == P.over"],
        )
        self.rule(
            "knows_doer",
            "box, state, seat, of",
            "What is in somebody's hands just now is known to whoever acts.",
            ["    return seat == state.doer"],
        )
        for kind in game.kinds:
            hidden = [spot for spot in game.places.values() if spot.of == kind and spot.seen_by != "all"]
            if hidden:
                out(f"deal_{kind}_again(box, state, seat, luck)")
                self._deal_again(kind)
        for token in game.tokens.values():
            if token.secret:
                held = f"state.{field_of(token.name)}"
                out.open("if state.phase != P.over and state.n_seats > 2:")
                out.open("for i in range(state.n_seats - 1, 0, -1):")
                out("a = (seat + i) % state.n_seats")
                out("b = (seat + 1 + below(luck, i)) % state.n_seats")
                out(f"held = int({held}[a])")
                out(f"{held}[a] = {held}[b]")
                out(f"{held}[b] = held")
                out.shut(2)
        self.rule("redeal", "box, state, seat, luck", self.numbering.of("secrets"), out.lines)

    def _deal_again(self, kind: str) -> None:
        """All cards that the seat cannot know are put together, then each place gets as many of them as it had."""
        out = Lines()
        spots = [spot for spot in self.game.places.values() if spot.of == kind and spot.seen_by != "all"]
        for again in (False, True):
            for spot in spots:
                here = self.writer.place(spot.name, "holder")
                if spot.each:
                    out.open("for holder in range(state.n_seats):")
                if spot.seen_by == "owner":
                    out.open("if holder != seat and state.phase != P.over:")
                if not again:
                    out(f"merge(state.unknown, {here})")
                else:
                    out(f"n = count({here})")
                    out(f"clear({here})")
                    out.open("for _ in range(n):")
                    out("card = nth(state.unknown, below(luck, count(state.unknown)))")
                    out("remove(state.unknown, card)")
                    out(f"add({here}, card)")
                    out.shut()
                out.shut(spot.each + (spot.seen_by == "owner"))
        self.rule(
            f"deal_{kind}_again",
            "box, state, seat, luck",
            "The cards of this kind that a seat cannot know are dealt again.",
            out.lines,
        )


CLEAN = [("acting", "-1"), ("target", "-1"), ("source", "-1")]
WORK = [
    "    state.doer = seat",
    "    state.acting = card",
    "    state.source = card",
    "    state.target = -1",
    "    tell(events, E.works, card)",
    "    begin_program(box, state, events, program)",
]
"""Source that lets a card do what it says: `card`, `program` and `seat` are given."""
