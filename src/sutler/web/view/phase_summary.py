"""The summary of a phase that is over: for each seat its actions and gains, from the lines of the log alone.

A game's board says which phases are summed up, and which events are worth mentioning:

    {% set SUMMARY = {"of": "phase", "until": ["phase", "turn", "ended"], "told": ["placed", "fed"]} %}

`of`: the kind of heading that begins such a phase; `until`: the kinds of headings that end it; `told`: kinds of events. Gains and costs
are added up. Several lines of a kind become one ("plays Wheat, Mill and Inn"); where they hold numbers, the last line is shown.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.core.text.language import _, get_language
from sutler.core.text.sentences import Sentence, Word
from sutler.web import sentence_html
from sutler.web.view import jinja_templates

if TYPE_CHECKING:
    from sutler.core.text.sentences import LogLine

MIN_LINES = 4
"""The least lines of a phase with a summary; a shorter phase can still be seen whole."""
MAX_NAMES = 4
"""The most cards or places that a summary names one by one."""
SUBJECTS = ("seat", "power")


@dataclass(frozen=True)
class Part:
    """One seat's part of a phase's summary: a sentence, and the lines with the seat's gains and costs."""

    sentence: Sentence
    counted: tuple[LogLine, ...]


@dataclass(frozen=True)
class Summary:
    """The summary of a phase: its heading, and a part for each seat."""

    heading: str
    parts: tuple[Part, ...]


@functools.cache
def _read_summary_settings(game: str, language_code: str) -> dict[str, Any]:
    """The settings SUMMARY of a game's board; empty where it has none. `language_code`: the language, as part of the cache key."""
    bare: dict[str, Any] = {"lit": {}, "reasons": {}, "before": None, "symbol": str}
    found: dict[str, Any] = getattr(jinja_templates.load_board_macros(game, bare), "SUMMARY", {})
    return found


def summarise_phase_before(
    lines: Sequence[LogLine], heading: int, game: str, counted_kinds: frozenset[str]
) -> Summary | None:
    """The summary of the phase that ends with the heading `lines[heading]`; None where none ends there, or it is too short.

    `game`: its name; `counted_kinds`: kinds of events whose amounts are added up.
    """
    asked = _read_summary_settings(game, get_language())
    if not asked or not lines[heading].heading or lines[heading].kind not in asked["until"]:
        return None
    begins = heading - 1
    while begins >= 0 and not (lines[begins].heading and lines[begins].kind in asked["until"]):
        begins -= 1
    if begins < 0 or lines[begins].kind != asked["of"]:
        return None
    told = [one for one in lines[begins + 1 : heading] if one.kind in asked["told"] or one.kind in counted_kinds]
    if len(told) < MIN_LINES:
        return None
    return Summary(sentence_html.to_plain_text(lines[begins].sentence), _build_parts(told, counted_kinds))


def _build_parts(phase_lines: Sequence[LogLine], counted: frozenset[str]) -> tuple[Part, ...]:
    """A part for each seat or power, in the order of their first lines; lines about none of them follow, each by itself."""
    by: dict[str, list[LogLine]] = {}
    for line in phase_lines:
        subject = _find_subject(line)
        by.setdefault(subject.key if subject else "", []).append(line)
    parts = [_build_part(lines, counted) for key, lines in by.items() if key]
    return (*parts, *(Part(line.sentence, ()) for line in by.get("", ())))


def _find_subject(log_line: LogLine) -> Word | None:
    """The seat or power that a line begins with; None where it begins with another word."""
    first = log_line.sentence[0] if log_line.sentence else None
    return first if isinstance(first, Word) and first.kind in SUBJECTS else None


def _build_part(lines: Sequence[LogLine], counted: frozenset[str]) -> Part:
    """All actions of one seat or power, in one sentence. `lines`: those about it."""
    kinds: dict[str, list[LogLine]] = {}
    for line in lines:
        if line.kind not in counted:
            kinds.setdefault(line.kind, []).append(line)
    subject = _find_subject(lines[0])
    said: list[Any] = [subject or ""]
    for number, alike in enumerate(kinds.values()):
        said += ["; " if number else "", *_join_lines(alike, leading_gap=not number)]
    return Part(tuple(part for part in said if part != ""), tuple(one for one in lines if one.kind in counted))


def _join_lines(lines: Sequence[LogLine], leading_gap: bool) -> list[Any]:
    """Lines of one kind joined, without their subject: the last line where they hold numbers, else the names of all things.

    `leading_gap`: does the text begin with the space that separates it from the subject?
    """
    rest = list(lines[-1].sentence[1:])
    if isinstance(rest[0], str) and not leading_gap:
        rest[0] = rest[0].lstrip(" :")
    named = [next((part for part in one.sentence[1:] if isinstance(part, Word)), None) for one in lines]
    if len(lines) == 1 or any(one is None or one.kind == "num" for one in named):
        return rest
    times = Counter(one for one in named if one is not None)
    shown: list[Any] = [rest[0]] if isinstance(rest[0], str) else []
    for number, (one, n) in enumerate(list(times.items())[:MAX_NAMES]):
        shown += [", " if number else "", one, f" ×{n}" if n > 1 else ""]
    return shown + ([" ", _("and {n} more", n=len(times) - MAX_NAMES)] if len(times) > MAX_NAMES else [])
