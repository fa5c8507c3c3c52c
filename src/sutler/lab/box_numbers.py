"""The numbers and options of a game's box that a designer can change, each with its value, its bounds and its paragraph.

The bounds are those with which the box is checked. The paragraph of a number is that of the rule which reads it: functions of the rules
that use `box.rules.buy_price` name their paragraph in their docstrings. A number of a card has the paragraph of its card. Where neither
is known, "cf." stands before the paragraph of the guide that matches the number's name best.
"""

from __future__ import annotations

import ast
import difflib
import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sutler.core.files.box import list_box_differences, read_options
from sutler.core.play.game import Game
from sutler.core.text.guide import Paragraph
from sutler.lab.parameters import NO_BOX, list_number_names

PARAGRAPH = re.compile(r"\b\d{1,2}\.\d{1,2}\b")
# modules for bots and for display, which read the box but are no rules
NO_RULES = {
    "evaluate",
    "pruning",
    "worth",
    "weights",
    "forecast",
    "personas",
    "box",
    "labels",
    "view",
    "terminal",
    "printing",
}
ROOMS = ("bot", "cards", "text", "rules", "rules/effects", ".")
"""The folders of a game whose code may read its box."""


@dataclass(frozen=True)
class Part:
    """A changeable number or option of a box: name (as in `--set`), value, bounds (None: unbounded), paragraph, label."""

    name: str
    value: int | bool | str
    low: int | None
    high: int | None
    rule: str
    label: str = ""
    choices: tuple[str, ...] = ()

    @property
    def bounds(self) -> str:
        """The bounds, or the choices of an option, in words."""
        if self.choices:
            return ", ".join(self.choices)
        if self.low is None and self.high is None:
            return "" if isinstance(self.value, str) else "yes or no" if isinstance(self.value, bool) else "any"
        return f"{'' if self.low is None else self.low} to {'' if self.high is None else self.high}".strip()

    @property
    def value_text(self) -> str:
        """The present value, in words."""
        return format_value(self.value)

    def matches(self, words: str) -> bool:
        """Does the name, label or paragraph contain all of these words? The word `options` matches every option."""
        asked = words.casefold().split()
        if asked in (["option"], ["options"]):
            return "." not in self.name
        held = f"{self.name} {self.label} {self.rule}".casefold()
        return all(one in held for one in asked)


def find_similar_names(parts: Sequence[Part], words: str) -> list[str]:
    """The names of at most three parts that are spelled much like these words."""
    spelled = {piece.casefold(): piece for one in parts for piece in one.name.split(".")}
    return [spelled[one] for one in difflib.get_close_matches(words.strip().casefold(), spelled, n=3)]


def format_value(value: int | bool | str | None) -> str:
    """A value as text: a bool as "yes" or "no"."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def group_parts_by_table(parts: Sequence[Part]) -> dict[str, list[Part]]:
    """Numbers and options grouped by the table of the box they stand in; options under "options"."""
    found: dict[str, list[Part]] = {}
    for one in parts:
        head, dot, _ = one.name.partition(".")
        found.setdefault(head if dot else "options", []).append(one)
    return found


def list_parts(game: Game) -> list[Part]:
    """All options of a game, then all numbers of its box in the order of the box."""
    options = read_options(game.data, game.name)
    found = [
        Part(
            one.name,
            game.chosen[one.name],
            one.low,
            one.high,
            one.rule,
            one.label,
            tuple(str(c.value) for c in one.choices),
        )
        for one in options.values()
    ]
    schema, sheet, rules = (
        game.definition.Sheet.model_json_schema(),
        game.sheet.model_dump(),
        map_rule_fields_to_paragraphs(game),
    )
    search = functools.cache(game.guide.search_paragraphs)  # numbers of many entries are looked for by the same words
    for name in list_number_names(game.name):
        if name in options or name.partition(".")[0] in NO_BOX:
            continue
        entry, steps = find_value_at_path(sheet, name)
        if isinstance(entry, int):
            low, high = find_schema_bounds(schema, steps)
            found.append(Part(name, entry, low, high, _find_paragraph(game, rules, search, name, steps)))
    return found


def _find_paragraph(
    game: Game, rules: Mapping[str, str], search: Callable[[str], list[Paragraph]], name: str, fields: list[str]
) -> str:
    """The paragraph of a number: that of the rule that reads it, else of its entry, else "cf." and the best match in the guide.

    `rules`: paragraphs by field of the box's rules; `search`: finds paragraphs by words; `fields`: the fields on the way to the number.
    """
    head, field = fields[0], next((one for one in fields[1:] if one != "[]"), "")
    if head == "rules" and field in rules:
        return rules[field]
    entries = game.data.get(head)
    if isinstance(entries, list):
        own = [one.get("rule") for one in entries if name.startswith(f"{head}.{one.get('name')}.")]
        if own and isinstance(own[0], str):
            return own[0]
    words = " ".join([head if head != "rules" else "", *fields[1:]]).replace("_", " ").replace("[]", "")
    near = search(words) or search(head)
    return f"cf. {near[0].number}" if near else ""


def find_value_at_path(sheet: Any, name: str) -> tuple[Any, list[str]]:
    """(the value at a path such as `card.Wheat.gain.crops`, or None if there is none; the fields on the way to it).

    In these fields, `[]` stands for the choice of an entry by its name.
    """
    here, rest, steps = sheet, name, list[str]()
    while rest:
        if isinstance(here, list):
            named = [one for one in here if isinstance(one, Mapping) and rest.startswith(f"{one.get('name')}.")]
            if not named:
                return None, steps
            here = max(named, key=lambda one: len(str(one["name"])))
            rest = rest[len(str(here["name"])) + 1 :]
            steps.append("[]")
            continue
        head, _, rest = rest.partition(".")
        if not isinstance(here, Mapping) or head not in here:
            return None, steps
        here = here[head]
        steps.append(head)
    return here, steps


def find_schema_bounds(schema: Mapping[str, Any], fields: list[str]) -> tuple[int | None, int | None]:
    """The (low, high) bounds of a number, from the JSON schema of the box; None where it is unbounded."""
    here: Mapping[str, Any] = schema
    for step in fields:
        here = _resolve_schema_references(schema, here)
        inner = (
            here.get("items")
            if step == "[]"
            else here.get("properties", {}).get(step, here.get("additionalProperties"))
        )
        if not isinstance(inner, Mapping):
            return None, None
        here = inner
    here = _resolve_schema_references(schema, here)
    return here.get("minimum"), here.get("maximum")


def _resolve_schema_references(schema: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of the schema with its references followed; of alternatives, the first that is not null."""
    while "$ref" in part or "anyOf" in part:
        if "anyOf" in part:
            part = next(one for one in part["anyOf"] if one.get("type") != "null")
        else:
            part = schema["$defs"][str(part["$ref"]).rpartition("/")[2]]
    return part


def map_rule_fields_to_paragraphs(game: Game) -> dict[str, str]:
    """{field of the box's rules: the paragraph cited most often by the functions that read the field}."""
    found: dict[str, Counter[str]] = {}
    for field, rule in _iter_box_fields_read(game.folder):
        found.setdefault(field, Counter())[rule] += 1
    return {field: counted.most_common(1)[0][0] for field, counted in found.items()}


def _iter_box_fields_read(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (field, paragraph) for each function of the game that reads a field of `box.rules` and cites a paragraph."""
    there = [path for room in ROOMS for path in (folder / room).glob("*.py")]
    for path in sorted(there, key=lambda path: [one for one in path.relative_to(folder).parts if one not in ROOMS[:3]]):
        if path.stem in NO_RULES:
            continue
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                told = PARAGRAPH.search(ast.get_docstring(function) or "")
                fields = {
                    node.attr
                    for node in ast.walk(function)
                    if isinstance(node, ast.Attribute)
                    and isinstance(node.value, ast.Attribute)
                    and node.value.attr == "rules"
                }
                yield from ((field, told[0]) for field in sorted(fields) if told)


def list_changes_from_printed(game: Game) -> list[str]:
    """The differences of this game from the printed one, one line each: options first, then entries of the box."""
    printed = Game(game.definition)
    labels = {one.name: one for one in game.options()}
    found = [
        f"{labels[name].label} ({labels[name].rule}): {printed.chosen.get(name)} → {value}"
        for name, value in game.chosen.items()
        if value != printed.chosen.get(name)
    ]
    return found + list(list_box_differences(collect_box_contents(printed), collect_box_contents(game)))


def collect_box_contents(game: Game) -> dict[str, Any]:
    """The contents of a game's box as plain data, without the tables about the game itself and without options."""
    dumped: dict[str, Any] = game.sheet.model_dump()
    return {key: value for key, value in dumped.items() if key not in NO_BOX}
