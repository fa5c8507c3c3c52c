"""A game's guide as numbered paragraphs, which every action, event, refusal and prompt cites."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from pathlib import Path

from sutler.core.text.language import Tongue

_CHAPTER = re.compile(r"^## +(\d+)\.? +(.+)$")
_PARAGRAPH = re.compile(r"^\*\*(\d+\.\d+)\*\* *(.*)$")
_PRINTED_TERMS = re.compile(r"^<!-- printed terms\b.*?$(.*?)^-->$", re.MULTILINE | re.DOTALL)
_TERM = re.compile(r"^(.+?): *(\d+\.\d+(?:, *\d+\.\d+)*)$")


@dataclass(frozen=True)
class Paragraph:
    """One numbered paragraph: its number ("5.4"), its chapter's name, its Markdown, its kind, and its terms for the search."""

    number: str
    chapter: str
    text: str
    kind: str  # "rule", "ruling" (this project's answer to an open question), "option" or "reconstruction"
    terms: tuple[str, ...] = ()  # words of the printed rulebook for it that its text does not use

    @cached_property
    def weights(self) -> dict[str, float]:
        """{stem: its weight in a search}: 3 in the title and the printed terms, 1 in the text, 0.5 in the chapter's name."""
        found = dict.fromkeys(list_stems(self.chapter), 0.5)
        found |= dict.fromkeys(list_stems(self.text), 1.0)
        return found | dict.fromkeys(list_stems(self.title) + list_stems(" ".join(self.terms)), 3.0)

    @property
    def title(self) -> str:
        """The words in italics that open the paragraph; without them its first six words."""
        opening = re.match(r"\*(.+?)\.?\*", self.text)
        return opening.group(1) if opening else " ".join(self.text.split()[:6])

    @cached_property
    def html(self) -> str:
        """The paragraph as HTML."""
        from markdown_it import MarkdownIt

        return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(self.text))


class Guide:
    """A game's guide, from the text of its `guide.md`: all paragraphs in order, found by number, chapter or words."""

    def __init__(self, text: str) -> None:
        self.title = next((line[2:].strip() for line in text.splitlines() if line.startswith("# ")), "")
        self.chapters: dict[str, str] = {}
        self.paragraphs: list[Paragraph] = []
        self._parse_markdown(text)
        self._by_number = {paragraph.number: paragraph for paragraph in self.paragraphs}

    @classmethod
    def read_file(cls, path: Path) -> Guide:
        """Read a `guide.md`."""
        return cls(path.read_text(encoding="utf-8"))

    def translate(self, tongue: Tongue) -> Guide:
        """The guide in the reader's language; each paragraph keeps its kind and its printed terms."""
        guide = Guide("")
        guide.title = tongue(self.title)
        guide.chapters = {number: tongue(name) for number, name in self.chapters.items()}
        guide.paragraphs = [replace(one, chapter=tongue(one.chapter), text=tongue(one.text)) for one in self.paragraphs]
        guide._by_number = {paragraph.number: paragraph for paragraph in guide.paragraphs}
        return guide

    def _parse_markdown(self, text: str) -> None:
        """Read the chapters and paragraphs of a guide's Markdown."""
        terms = _parse_terms(text)
        text = _PRINTED_TERMS.sub("", text)
        chapter, number, lines = "", "", list[str]()
        for line in [*text.splitlines(), "## 0 end"]:
            opening, heading = _PARAGRAPH.match(line), _CHAPTER.match(line)
            if (opening or heading) and number:
                self.paragraphs.append(
                    _build_paragraph(number, chapter, "\n".join(lines).strip(), terms.get(number, ()))
                )
                number, lines = "", []
            if opening:
                number, lines = opening.group(1), [opening.group(2)]
            elif heading:
                chapter = heading.group(2).strip()
                self.chapters[heading.group(1)] = chapter
            elif number:
                lines.append(line)
        self.chapters.pop("0", None)

    def find_paragraph(self, number: str) -> Paragraph | None:
        """The paragraph of this number ("5.4"); None where there is none."""
        return self._by_number.get(number)

    def list_chapter(self, number: str) -> list[Paragraph]:
        """The paragraphs of the chapter of this number ("5")."""
        return [paragraph for paragraph in self.paragraphs if paragraph.number.split(".")[0] == number]

    @cached_property
    def _stem_counts(self) -> Counter[str]:
        """The number of paragraphs that have each stem."""
        return Counter(stem for paragraph in self.paragraphs for stem in paragraph.weights)

    def search_paragraphs(self, words: str) -> list[Paragraph]:
        """Paragraphs that mention any of the words in any form; first those with the most of the words, then those with rarer ones."""
        wanted = list(dict.fromkeys(list_stems(words)))
        found = []
        for paragraph in self.paragraphs:
            hits = [
                _compute_match_score(paragraph.weights, stem, self._stem_counts, len(self.paragraphs))
                for stem in wanted
            ]
            if any(hits):
                found.append((sum(map(bool, hits)), sum(hits), paragraph))
        return [paragraph for _, _, paragraph in sorted(found, key=lambda one: one[:2], reverse=True)]


_ENDING = re.compile(r"(?<=...)(?:ation|[ae]nces?|ments?|[ae]nc|ing|ers|es|ed|er|ly|s|e)$")
_PLAIN = (
    " a an and any are as at be by can do for from how i if in is it its may my no not of on or that the their there this to "
    "when with you your "
)
"""Words too common to search for."""


def stem(word: str) -> str:
    """The stem of a word, equal for all its forms: ally, allied and alliance; influence and influenced."""
    for ending in ("ies", "ied", "y"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + "i"
    if not word.endswith("ss") and (found := _ENDING.search(word)):
        return stem(word[: found.start()])
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def list_stems(text: str) -> list[str]:
    """The stems of the words of a text worth searching for, in order."""
    words = re.findall(r"\d+(?:\.\d+)*|[^\W\d_]+", text.casefold())
    return [stem(word) for word in words if f" {word} " not in _PLAIN]


def _compute_match_score(weights: dict[str, float], wanted: str, spread: Counter[str], n: int) -> float:
    """The score of a paragraph for one wanted stem; half of it where the stem only begins a longer one.

    `weights`: the paragraph's; `spread`: how many of all `n` paragraphs have each stem, so that rare stems score more.
    """
    exact = weights.get(wanted, 0.0) * log(1 + n / max(1, spread[wanted]))
    if exact or len(wanted) < 3:
        return exact
    return 0.5 * max((weights[one] for one in weights if one.startswith(wanted)), default=0.0)


def _parse_terms(text: str) -> dict[str, tuple[str, ...]]:
    """{paragraph: the printed rulebook's terms for it}, from the comment at the end of a guide with lines such as `over-paying: 5.5`."""
    found: dict[str, tuple[str, ...]] = {}
    for block in _PRINTED_TERMS.findall(text):
        for line in filter(None, map(str.strip, block.splitlines())):
            if not (told := _TERM.match(line)):
                raise ValueError(f"printed terms: `words: paragraph` is expected, not {line!r}")
            for number in re.split(r", *", told[2]):
                found[number] = (*found.get(number, ()), told[1])
    return found


def _build_paragraph(number: str, chapter: str, text: str, terms: tuple[str, ...]) -> Paragraph:
    """A paragraph with its kind, which is found in its text and its chapter's name."""
    low = text.casefold()
    kind = "rule"
    if "> reconstruction:" in low:
        kind = "reconstruction"
    elif "> ruling:" in low or "> **ruling" in low:
        kind = "ruling"
    elif chapter.casefold().startswith(("options", "variants")):
        kind = "option"
    return Paragraph(number, chapter, text, kind, terms)
