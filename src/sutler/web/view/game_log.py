"""The log as HTML, one entry for each decision: its text, gains and costs at the end of the line, other effects folded under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.core.text.language import _
from sutler.core.text.sentences import Word
from sutler.web import sentence_html
from sutler.web.view import jinja_templates
from sutler.web.view.phase_summary import Part, summarise_phase_before

if TYPE_CHECKING:
    from sutler.core.text.sentences import LogLine, Speaker

View = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """Lines of the log that belong together: a decision, and its effects on the seat that made it."""

    lines: tuple[LogLine, ...]

    @property
    def head(self) -> LogLine:
        """The line of the decision itself."""
        return self.lines[0]

    @property
    def effects(self) -> list[LogLine]:
        """The lines that are folded under it: all others but amounts."""
        return [one for one in self.lines[1:] if not sum_amounts([one])]

    def adds_up_with(self, other: Entry) -> bool:
        """Can this entry and `other` be merged: equal decisions, with gains and costs of the same goods and no other effect?"""
        if not self.head.adds_up_with(other.head) or self.effects or other.effects:
            return False
        goods, theirs = ([sum_.good for sum_ in sum_amounts(one.lines[1:])] for one in (self, other))
        return goods == theirs


def group_entries(lines: Sequence[LogLine], actors: Sequence[int]) -> list[Entry]:
    """Lines grouped into entries: effects on the seat that decided stand under its decision; headings and all other lines stand alone.

    `actors`: the seat that made each decision.
    """
    found: list[list[LogLine]] = []
    for line in lines:
        head = found[-1][0] if found else None
        if head and not (head.heading or line.heading) and _belongs_under(head, line, actors):
            found[-1].append(line)
        else:
            found.append([line])
    return [Entry(tuple(one)) for one in found]


def _belongs_under(head: LogLine, line: LogLine, actors: Sequence[int]) -> bool:
    """Is this line an effect of the decision in `head` on the seat that made it?"""
    if head.decision != line.decision or not 0 < line.decision <= len(actors):
        return False
    return head.seat == line.seat == actors[line.decision - 1] and head.kind != line.kind


def render_lines(
    lines: Sequence[LogLine], actors: Sequence[int], speaker: Speaker, game: str, view: View, start: int = 0
) -> str:
    """The entries of these lines from `start` on as HTML, with a summary of each phase before the heading that ends it.

    `actors`: the seat that made each decision; `speaker`: puts sums into words; `game`: its name; `view`: the viewer's. The page's script
    marks lines that are new, and shows one line with their sum for entries that add up.
    """
    if start >= len(lines):
        return ""
    html, run = list[str](), list[Entry]()
    for one in group_entries(lines[_find_run_begin(lines, start) :], actors):
        run = [*run, one] if run and run[-1].adds_up_with(one) else [one]
        if one.head.index >= lines[start].index:
            html.append(_render_phase_summary(lines, one, start, game) + _render_entry(run, speaker, game, view))
    return "".join(html)


def _find_run_begin(lines: Sequence[LogLine], start: int) -> int:
    """The index of the first decision before `start` whose lines may be merged with those from `start` on."""
    begin = start
    while begin and not lines[begin - 1].heading and start - begin < MAX_LINES_BACK:
        begin -= 1
    while begin < start and begin and lines[begin - 1].decision == lines[begin].decision:
        begin += 1
    return begin


def _render_phase_summary(lines: Sequence[LogLine], entry: Entry, start: int, game: str) -> str:
    """The summary of the phase that this entry's heading ends, as HTML; "" where it ends none."""
    head = entry.head
    if not head.heading:
        return ""
    at = head.index - lines[start].index + start
    found = summarise_phase_before(lines, at, game, frozenset(GAINS))
    if found is None:
        return ""
    title = sentence_html.escape_html(_("{phase}, in short", phase=found.heading[:1].upper() + found.heading[1:]))
    return (
        f'<li class="in-short" id="s{head.index}"><h4>{title}</h4>'
        + "".join(_render_summary_part(one, game) for one in found.parts)
        + "</li>"
    )


def _render_summary_part(part: Part, game: str) -> str:
    """One seat's part of a phase's summary as HTML."""
    gains = "".join(
        f'<span class="{one.good}">{one.text}</span>'
        for one in _render_sums([one for one in sum_amounts(part.counted) if one.n], game)
    )
    return (
        f"<p><span>{sentence_html.render_sentence_html(part.sentence)}</span>"
        + (f'<span class="sums">{gains}</span>' if gains else "")
        + "</p>"
    )


def _render_entry(run: Sequence[Entry], speaker: Speaker, game: str, view: View) -> str:
    """The last entry of `run` as HTML, with one line that stands for all entries of `run` (`data-run`: their number)."""
    entry = run[-1]
    head = entry.head
    if head.heading:
        size = "part" if head.kind in ("phase", "stage", "part") else "turn"
        text = sentence_html.to_plain_text(head.sentence)
        return f'<li class="{size}" id="l{head.index}"><h3>{sentence_html.escape_html(text[:1].upper() + text[1:])}</h3></li>'
    rest = entry.effects
    shown = "".join(
        f"<li>{sentence_html.render_sentence_html(one.sentence)}{_render_rule_link(one.rule)}</li>" for one in rest
    )
    summary = '<summary aria-label="' + sentence_html.escape_html(_("What came of it")) + '"></summary>'
    more = f'<details class="more">{summary}<ul>{shown}</ul></details>' if rest else ""
    figures, together, length = _render_figures(entry.lines[1:], game), "", ""
    if len(run) > 1:
        told = speaker.tell(*(one for part in run for one in part.head.told))
        total = _render_figures([line for part in run for line in part.lines[1:]], game)
        together = f"<template><span>{sentence_html.render_sentence_html(told)}</span>{total}</template>"
        length = f' data-run="{len(run)}"'
    return (
        f'<li class="line" id="l{head.index}" data-decision="{head.decision}"{length}>'
        f'<button type="button" class="line-at" data-moment="{head.decision}"><svg class="icon" aria-hidden="true">'
        f'<use href="#{sentence_html.escape_html(choose_icon(head, game, view))}"/></svg>'
        f"<span>{sentence_html.render_sentence_html(head.sentence)}</span>{figures}</button>"
        f"{_render_rule_link(head.rule)}{more}{together}</li>"
    )


def _render_figures(lines: Sequence[LogLine], game: str) -> str:
    """The gains and costs in these lines as HTML; "" for none."""
    gains = "".join(f'<span class="{sum_.good}">{sum_.text}</span>' for sum_ in _render_sums(sum_amounts(lines), game))
    return f'<span class="sums">{gains}</span>' if gains else ""


def _render_rule_link(number: str) -> str:
    """A link to a paragraph of the rules as HTML; "" for none."""
    if not number:
        return ""
    rule = sentence_html.escape_html(str(number))
    return f'<a class="para" href="#rule-{rule}" data-rule="{rule}">{rule}</a>'


def choose_icon(line: LogLine, game: str, view: View) -> str:
    """The id of the icon for a line: that of the first card it names, if the card has one, else the event's."""
    symbol = jinja_templates.make_symbol_finder(game)
    cards = view.get("cards")
    for part in line.sentence:
        if isinstance(part, Word) and part.kind == "card" and isinstance(cards, dict):
            card = cards.get(part.key)
            if isinstance(card, dict) and card.get("icon"):
                return str(symbol(str(card["icon"])))
    return str(symbol(line.icon or "quill-ink"))


@dataclass(frozen=True)
class Sum:
    """The amount of one good that a decision gained or cost."""

    good: str
    n: int
    text: str = ""
    one: str = ""
    """The word for a single one of the good, if a line used it."""


MAX_LINES_BACK = 40
"""The most lines that are read again, to find entries that add up with new ones."""
GAINS = {"gained": 1, "paid": -1, "lost": -1}
"""Kinds of events that only record an amount of a good, with the sign of the amount."""


def sum_amounts(lines: Sequence[LogLine]) -> list[Sum]:
    """The gains and costs in these lines, one sum for each good."""
    total: dict[str, int] = {}
    single: dict[str, str] = {}
    for line in lines:
        sign = GAINS.get(line.kind)
        words = [part for part in line.sentence if isinstance(part, Word) and part.kind != "seat"]
        if sign is None or len(words) != 2 or words[0].kind != "num" or words[1].kind not in ("good", "token"):
            continue
        n = sign * int(words[0].text)
        total[words[1].key] = total.get(words[1].key, 0) + n
        if abs(n) == 1:
            single[words[1].key] = words[1].text
    return [Sum(good, n, one=single.get(good, "") if abs(n) == 1 else "") for good, n in total.items()]


def _render_sums(found: Sequence[Sum], game: str) -> list[Sum]:
    """The sums as HTML, with the good's symbol where the game has one, else its name."""
    out = []
    for one in found:
        have = f"good-{one.good}" in jinja_templates.list_symbols(game)
        key, said = (
            sentence_html.escape_html(one.good),
            sentence_html.escape_html(one.one or sentence_html.get_game_texts(game)(one.good, "token")),
        )
        drawn = f'<svg class="icon" role="img" aria-label="{said}"><use href="#good-{key}"/></svg>' if have else said
        out.append(Sum(key, one.n, f"<b>{one.n:+d}</b>".replace("-", "−") + drawn))
    return out
