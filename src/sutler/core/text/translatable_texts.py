"""The texts to translate that a game holds as data, in its tables, box, guide and lessons (texts in code are marked with `_("…")`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sutler.core.tables import NOT_ASKED
from sutler.core.text.coaching import FILE_NAME as COACH_FILE
from sutler.core.text.coaching import read_coaching
from sutler.core.text.guide import Guide
from sutler.core.text.language import NUMBER_FIELD, NUMBERED
from sutler.core.text.lesson import NOT_AWAITED_TEXT, READ_FIRST_TEXT, read_lessons

if TYPE_CHECKING:
    from sutler.core.definition import Definition

MANY_ALIKE = 10
"""From this many names on that differ only in a number, they are translated as one text."""
INTERNAL_NAME_LISTS = ("icon", "ground", "seat", "phase", "stage", "step", "does", "cypher", "evidence", "river")
"""Lists of names in a box that are not shown to people, unless the box also has their singular names (`step:one`)."""


def iter_messages(definition: Definition) -> Iterator[tuple[str, str, str]]:
    """Yield (file, context, text) for each text of a game, in reading order; `context` is as for `Tongue`."""
    yield from (("phases_actions_events.py", "", text) for text in _iter_table_texts(definition) if text)
    yield from (("box.toml", *one) for one in _iter_box_texts(definition) if one[1])
    reasons = definition.reasons
    yield from (("bot/reasons.py", "", text) for pair in (reasons.REASONS if reasons else ()) for text in pair)
    yield from (("bot/reasons.py", "", one.what) for one in getattr(reasons, "FIGURES", ()))
    ordered = dict.fromkeys(text for order in definition.orders.values() for text in (order.text, order.ends))
    yield from (("standing_orders.py", "", text) for text in ordered)
    yield from (("text/labels.py", "leaning", text) for text in (definition.LEANINGS or {}).values())
    yield from (("text/labels.py", "sum", one.title) for one in (definition.SUMS or {}).values())
    yield from (("lessons", "", text) for text in (NOT_AWAITED_TEXT, READ_FIRST_TEXT, NOT_ASKED))
    coaching = read_coaching(definition.folder)
    told = (
        [one.text for one in coaching.say] + [one.why for one in coaching.rather] + [one.text for one in coaching.thumb]
    )
    told += [coaching.first_game.text] if coaching.first_game.text else []
    yield from ((COACH_FILE, "", text) for text in told)
    guide = Guide.read_file(definition.folder / "guide.md")
    yield from (("guide.md", "", text) for text in (guide.title, *guide.chapters.values()))
    yield from (("guide.md", "", paragraph.text) for paragraph in guide.paragraphs)
    for name, lesson in read_lessons(definition.folder).items():
        for step in lesson.step:
            texts = (step.say, step.more, *step.other.values())
            yield from ((f"lessons/{name}.toml", "", text) for text in texts if text)
        yield f"lessons/{name}.toml", "", lesson.title


def _iter_table_texts(definition: Definition) -> Iterator[str]:
    """Yield the texts in a game's tables of phases, actions, events and refusals."""
    for phase in definition.phases.rows:
        yield from (phase.ask, phase.help, phase.now)
    for block in definition.actions.blocks.values():
        yield from (block.label or block.verb, block.first)
    yield from (event.text for event in definition.events.events.values())
    yield from (refusal.text for refusal in definition.REFUSALS)


def _iter_box_texts(definition: Definition) -> Iterator[tuple[str, str]]:
    """Yield (context, text) of the texts and names in a game's box."""
    info, sheet = definition.info, definition.printed
    yield from (("", str(text)) for text in (info.tagline, getattr(info, "blurb", ""), getattr(info, "mood", "")))
    for option in sheet.get("options", {}).values():
        yield from (("", option.get(key, "")) for key in ("label", "text"))
        yield from (
            ("", choice[key]) for choice in option.get("choices", ()) for key in ("label", "text") if key in choice
        )
    names: dict[str, Any] = {**definition.Sheet.model_validate(sheet).names(), **getattr(definition, "OTHER_NAMES", {})}
    unread = {kind for kind in INTERNAL_NAME_LISTS if f"{kind}:one" not in names}
    unread |= {*getattr(definition, "UNREAD_NAMES", ()), *(kind for kind in names if kind.endswith(":die"))}
    for kind, listed in names.items():
        if kind not in unread:
            told = dict.fromkeys(_merge_numbered_names([one for text in listed for one in _split_name(kind, text)]))
            yield from ((kind, one) for one in told if any(letter.isalpha() for letter in one))


def _merge_numbered_names(names: list[str]) -> Iterator[str]:
    """Yield the names; where MANY_ALIKE or more differ only in a number at their end, "card {n}" instead (`language.NUMBERED`)."""
    found = [NUMBERED.fullmatch(name) for name in names]
    alike = Counter(one["what"] for one in found if one and any(letter.isalpha() for letter in one["what"]))
    for name, one in zip(names, found, strict=True):
        yield one["what"] + NUMBER_FIELD if one and alike[one["what"]] >= MANY_ALIKE else name


def _split_name(kind: str, text: str) -> list[str]:
    """The parts of a name that are translated one by one: the lines or columns of a text, each of several marks."""
    return text.split(", ") if kind == "marks" else re.split(r"[\n\t]", text)
