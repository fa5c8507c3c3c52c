"""A game's guide as numbered paragraphs: what every action, event, refusal and prompt points to."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_CHAPTER = re.compile(r"^## +(\d+)\.? +(.+)$")
_PARAGRAPH = re.compile(r"^\*\*(\d+\.\d+)\*\* *(.*)$")


@dataclass(frozen=True)
class Paragraph:
    """One numbered paragraph: its number, its chapter, its Markdown, and whether it holds a ruling of ours."""

    number: str
    chapter: str
    text: str
    kind: str  # "rule", "ruling", "option" or "reconstruction"

    @property
    def title(self) -> str:
        """The words in italics that open the paragraph, or its first few words."""
        opening = re.match(r"\*(.+?)\.?\*", self.text)
        return opening.group(1) if opening else " ".join(self.text.split()[:6])

    @cached_property
    def html(self) -> str:
        """The paragraph as HTML."""
        from markdown_it import MarkdownIt

        return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(self.text))


class Guide:
    """All paragraphs in order; `find("5.4")` gives one."""

    def __init__(self, text: str) -> None:
        self.title = next((line[2:].strip() for line in text.splitlines() if line.startswith("# ")), "")
        self.chapters: dict[str, str] = {}
        self.paragraphs: list[Paragraph] = []
        self._read(text)
        self._by_number = {paragraph.number: paragraph for paragraph in self.paragraphs}

    @classmethod
    def load(cls, path: Path) -> Guide:
        """Read a `guide.md`."""
        return cls(path.read_text(encoding="utf-8"))

    def _read(self, text: str) -> None:
        chapter, number, lines = "", "", list[str]()
        for line in [*text.splitlines(), "## 0 end"]:
            opening, heading = _PARAGRAPH.match(line), _CHAPTER.match(line)
            if (opening or heading) and number:
                self.paragraphs.append(_paragraph(number, chapter, "\n".join(lines).strip()))
                number, lines = "", []
            if opening:
                number, lines = opening.group(1), [opening.group(2)]
            elif heading:
                chapter = heading.group(2).strip()
                self.chapters[heading.group(1)] = chapter
            elif number:
                lines.append(line)
        self.chapters.pop("0", None)

    def find(self, number: str) -> Paragraph | None:
        """The paragraph of this number."""
        return self._by_number.get(number)

    def chapter(self, number: str) -> list[Paragraph]:
        """The paragraphs of one chapter."""
        return [paragraph for paragraph in self.paragraphs if paragraph.number.split(".")[0] == number]

    def search(self, words: str) -> list[Paragraph]:
        """Paragraphs that hold all the words."""
        wanted = [html.escape(word.casefold()) for word in words.split()]
        return [p for p in self.paragraphs if all(word in html.escape(p.text.casefold()) for word in wanted)]


def _paragraph(number: str, chapter: str, text: str) -> Paragraph:
    low = text.casefold()
    kind = "rule"
    if "> reconstruction:" in low:
        kind = "reconstruction"
    elif "> ruling:" in low or "> **ruling" in low:
        kind = "ruling"
    elif chapter.casefold().startswith(("options", "variants")):
        kind = "option"
    return Paragraph(number, chapter, text, kind)
