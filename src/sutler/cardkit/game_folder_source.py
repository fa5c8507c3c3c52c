"""The folder of a card game, file by file: tables and records (`box.py`), rules, texts, guide and box."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from sutler.cardkit.card_game_parts import CardGame, to_readable_name
from sutler.cardkit.game_file_reader import TRIGGERS
from sutler.cardkit.guide_paragraphs import Numbering
from sutler.cardkit.operation_source import (
    Site,
    quote_source,
    to_field_name,
)
from sutler.cardkit.round_source import build_stage_phase_name
from sutler.cardkit.rules_module_source import GameRules

CARD_CAPACITY_STEP = 8
"""The records have room for cards in multiples of this number, so that one card more mostly leaves the records as they are."""
MAX_ROUNDS = 99
INIT_TEMPLATE = '''"""{title}: made from a card game's file by sutler.cardkit."""

from sutler.core.definition import Definition
from sutler.games.{name} import box, rules, words

GAME = Definition(__name__, __file__, box, rules, words)
'''
WORDS_TEMPLATE = '''"""The table in words and as plain data."""

from pathlib import Path

from sutler.cardkit.table_view import Face
from sutler.games.{name} import box, rules

FACE = Face(Path(__file__).parent, vars(box), vars(rules))
view, prompt_values, left, breakdown = FACE.view, FACE.prompt_values, FACE.left, FACE.breakdown
label, effect = FACE.label, FACE.effect
SPOTS = {{"card": "card:{{}}", "seat": "seat:{{}}"}}
SCALE = FACE.scale
COOPERATIVE = FACE.game.together
'''
TERMINAL_MODULE = '''"""The table in the terminal."""

from sutler.cardkit.terminal_drawing import draw

__all__ = ["draw"]
'''
PRINTING_MODULE = '''"""The pieces of paper."""

from sutler.cardkit.printed_pieces import sheets

__all__ = ["sheets"]
'''


def build_game_files(name: str, game: CardGame, designer_text: str) -> dict[str, str]:
    """The text of each file of a game's folder, by file name; `designer_text` is the designer's own file, which is included."""
    numbering = Numbering(game)
    rules = GameRules(game, numbering)
    source = rules.build_source(name)  # must come first: it finds the choices that box.py lists
    return {
        "cards.toml": designer_text,
        "box.toml": build_box_toml(game, rules, numbering),
        "box.py": TableSource(game, rules, numbering).build_source(name),
        "rules.py": source,
        "words.py": WORDS_TEMPLATE.format(name=name),
        "__init__.py": INIT_TEMPLATE.format(name=name, title=game.title.replace('"', "'").replace("\\", "")),
        "terminal.py": TERMINAL_MODULE,
        "printing.py": PRINTING_MODULE,
        "guide.md": numbering.build_guide(),
        "README.md": f"# {game.title}\n\nMade from a card game's file, `cards.toml`, by sutler.cardkit: change that file, not these.\n",
        "cover.toml": 'wash = "road"\n',
    }


def to_toml_literal(value: Any) -> str:
    """A value written as TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {to_toml_literal(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(to_toml_literal, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else str(value)


def build_box_toml(game: CardGame, rules: GameRules, numbering: Numbering) -> str:
    """The text of `box.toml`, with everything that an experiment may change: numbers, starts, limits and cards."""
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
    out = ["[game]", *(f"{key} = {to_toml_literal(value)}" for key, value in info.items())]
    if rounds:
        at = next(i for i, end in enumerate(game.ends) if end.rounds)
        option = {
            "label": "Rounds",
            "text": "The game ends after so many rounds.",
            "rule": numbering.find_number("end", at),
            "kind": "number",
            "default": rounds,
            "low": max(1, rounds // 4),
            "high": min(MAX_ROUNDS, rounds * 3),
        }
        out += ["", "[options.rounds]", *(f"{key} = {to_toml_literal(value)}" for key, value in option.items())]
    for title, table in (("numbers", game.numbers), ("starts", game.start_amounts), ("limits", game.limits_by_name)):
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
        out += ["", f"[[{card.kind}]]", *(f"{key} = {to_toml_literal(value)}" for key, value in told.items())]
    return "\n".join(out) + "\n"


def compute_card_capacity(game: CardGame) -> int:
    """The number of cards that the records have room for."""
    return (game.n_cards + CARD_CAPACITY_STEP - 1) // CARD_CAPACITY_STEP * CARD_CAPACITY_STEP


class TableSource:
    """Writes the source of `box.py`: sizes, phases, actions and the record of the box."""

    def __init__(self, game: CardGame, rules: GameRules, numbering: Numbering) -> None:
        self.game, self.rules, self.numbering = game, rules, numbering

    def build_source(self, name: str) -> str:
        """The source of the whole module; `name` is the name of the game."""
        game, lines = self.game, list[str]()
        lines += [
            f'"""The tables and the box of {game.title.replace(chr(34), chr(39))}, made from its file by sutler.cardkit."""'.replace(
                "\\", ""
            ),
            "",
        ]
        lines += ["from pathlib import Path", ""]
        lines += [
            "from sutler.cardkit.box_model import sheet_and_pack",
            "from sutler.core.actions import ActionTable, Block",
        ]
        lines += [
            "from sutler.core.files.options import Options",
            "from sutler.core.record import field, record, set_of",
        ]
        lines += ["from sutler.core.tables import Phase, PhaseTable", ""]
        lines += [f"SEATS, CARDS = {game.seats[1]}, {compute_card_capacity(game)}", ""]
        lines += ["PHASES = PhaseTable(", *self._build_phase_lines(), ")", "ACTIONS = ActionTable("]
        lines += [
            f'    {{"card": CARDS, "seat": SEATS, "option": {max(1, len(self.rules.writer.option_texts))}}},',
            *self._build_action_lines(),
            ")",
        ]
        lines += ["P, A = PHASES.numbers, ACTIONS.numbers", "", *self._build_record_lines(), ""]
        lines += [
            f"Sheet, pack = sheet_and_pack(Path(__file__).parent, BOX, PHASES.words, {tuple(self.rules.writer.option_texts)!r})",
            "",
        ]
        return "\n".join(lines)

    def _build_phase_lines(self) -> Iterable[str]:
        """Source lines of the phase table: one phase for each stage and each choice."""
        number = self.numbering.find_number
        yield f'    moving=Phase("{number("round")}"),'
        for i, stage in enumerate(self.game.stages):
            if stage.who == "table":
                continue
            deeds = [deed.name for deed in self.game.deeds if i in deed.stages]
            told = ", ".join(re.sub(r"\{(\w+)\}", r"a \1", name) for name in deeds)
            help_text = stage.text or f"You may: {told}{' or stop' if stage.may_stop else ''}."
            asked = f'"{{seat}}: " {quote_source(stage.name.rstrip(".") + ".")}'
            yield f'    {build_stage_phase_name(i)}=Phase("{number("phase", i)}", {asked}, help={quote_source(help_text)}, stage="turn"),'
        for site in self.rules.writer.sites:
            yield f"    {site.phase}=Phase({self._build_phase_question(site)}, midway=True),"
        yield f'    over=Phase("{number("winner")}", over=True),'

    def _build_phase_question(self, site: Site) -> str:
        """The arguments of a choice's phase: its paragraph, question and help, as source."""
        op, number = site.op, self.numbering.find_number("op", site.op.word)
        usual = {
            "pick": f"choose a card from {to_readable_name(op.source)}",
            "seat": "choose a player",
            "choose": "choose one",
        }[op.word]
        asked = op.text.rstrip(".") if op.text else f"{usual[:1].upper()}{usual[1:]}"
        to = f"; it goes to {to_readable_name(op.to)}" if op.word == "pick" and op.to else ""
        said = (
            f'"{{seat}}: " {quote_source(asked + ".")}' if op.text else f'"{{seat}}, " {quote_source(usual + to + ".")}'
        )
        rest = self.numbering.describe_operations(op.do)
        help_text = (
            f"Then: {'; '.join(rest)}."
            if rest
            else "You may choose none."
            if op.optional
            else "Choose one of what is lit."
        )
        now = quote_source(asked + " first.")
        return f'"{number}", {said}, help={quote_source(help_text)}, now={now}'

    def _build_action_lines(self) -> Iterable[str]:
        """Source lines of the action table: one block for each action and each kind of choice."""
        game, number = self.game, self.numbering.find_number
        for i, deed in enumerate(game.deeds):
            label = quote_source(deed.name[:1].upper() + deed.name[1:])
            for part in deed.argument_kinds:
                label = label.replace("{{" + part + "}}", "{" + part + "}")
            free = ", free=True" if deed.is_always_open else ""
            ask = "" if deed.argument_kinds else ", ask=True"
            verb = deed.key.replace("_", " ")
            yield (
                f'    {deed.key}=Block("{number("action", i)}", {deed.argument_kinds!r}, '
                f"when={tuple(map(build_stage_phase_name, deed.stages))!r}"
                f"{free}{ask}, label={label}, verb={verb!r}),"
            )
        stops = tuple(build_stage_phase_name(i) for i, stage in enumerate(game.stages) if stage.may_stop)
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
            yield f'    none=Block("{number("choice")}", when={when!r}, free=True, label="No card", tone="quiet"),'

    def _build_record_lines(self) -> Iterable[str]:
        """Source lines of the box record and its parts."""
        game, parts = self.game, list[str]()
        if any(end.rounds for end in game.ends):
            yield 'OPTIONS = Options(Path(__file__).with_name("box.toml"))'
            parts.append('field("options", OPTIONS)')
        for title, table in (
            ("numbers", game.numbers),
            ("starts", self.game.start_amounts),
            ("limits", self.game.limits_by_name),
        ):
            if table:
                numbers = ", ".join(f'("{to_field_name(word)}", "i4")' for word in table)
                yield f'{title.upper()} = record("{title.capitalize()}", {numbers})'
                parts.append(f'field("{title}", {title.upper()})')
        fields = [
            '("before", "i2")',
            f'("amounts", "i2", {max(1, max((len(card.amounts) for card in game.cards), default=0))})',
        ]
        fields += [f'("{when}", "i2")' for when in (*TRIGGERS, "at_end")]
        fields += [f'("{to_field_name(name)}", "i2")' for name in game.fields_by_kind]
        yield f'CARD = record("Card", {", ".join(fields)})'
        parts.append('field("card", CARD, CARDS)')
        parts += [f'set_of("card", "all_{kind}", CARDS)' for kind in game.kinds]
        yield f'BOX = record("Box", {", ".join(parts)})'
