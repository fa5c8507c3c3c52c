"""Parts of the lab's pages as HTML: style sheets, figures, tables, and numbers as text."""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

import sutler

REPORT_FOLDER = Path(__file__).parent
STATIC_FOLDER = Path(sutler.__file__).parent / "web" / "static"  # with the colours and fonts of the web pages
EMBEDDED_FONTS = (
    "im-fell-dw-pica-latin-400-normal",
    "alegreya-sans-latin-500-normal",
    "alegreya-sans-latin-700-normal",
)


def load_report_css() -> str:
    """The style sheet of a report: the web pages' style sheet with fonts embedded, and the report's own styles."""
    return load_page_css() + (REPORT_FOLDER / "report.css").read_text(encoding="utf-8")


TABLES_CSS = """.sort { all: unset; cursor: pointer; } .sort:hover, .sort:focus-visible { text-decoration: underline; }
.sort:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px; }
[aria-sort="ascending"] .sort::after { content: " ↑"; } [aria-sort="descending"] .sort::after { content: " ↓"; }
.find { font: inherit; color: inherit; background: transparent; border: 1px solid var(--ink-3); padding: .3rem .6rem; min-height: 2.5rem;
  margin-block-start: .75rem; max-width: 16rem; display: block; } @media print { .find { display: none; } }
"""


def load_tables_script() -> str:
    """A script with its style, as HTML, that makes the tables of a page sortable and searchable."""
    return f"<style>{TABLES_CSS}</style><script>{(REPORT_FOLDER / 'tables.js').read_text(encoding='utf-8')}</script>"


@functools.cache
def load_page_css() -> str:
    """The colours, sizes and report fonts of the web pages as CSS, with the fonts embedded."""
    tokens = (STATIC_FOLDER / "tokens.css").read_text(encoding="utf-8")
    faces = re.findall(r"@font-face \{.*?\}\n", tokens)
    for face in faces:
        name = re.search(r"fonts/([\w-]+)\.woff2", face)
        tokens = tokens.replace(face, _embed_font(face, name[1]) if name and name[1] in EMBEDDED_FONTS else "")
    return tokens


@functools.cache
def load_page_css_with_all_fonts() -> str:
    """The colours, sizes and all fonts of the web pages as CSS, with the fonts embedded."""
    tokens = (STATIC_FOLDER / "tokens.css").read_text(encoding="utf-8")
    for name in re.findall(r"fonts/([\w-]+)\.woff2", tokens):
        tokens = _embed_font(tokens, name)
    return tokens


def _embed_font(face: str, name: str) -> str:
    """The CSS `face` in which the address of the font `name` is replaced by the font's data."""
    data = base64.b64encode((STATIC_FOLDER / "fonts" / f"{name}.woff2").read_bytes()).decode()
    return face.replace(f"fonts/{name}.woff2", f"data:font/woff2;base64,{data}")


# --- pieces ---


def render_figure(title: str, picture: str, caption: str) -> str:
    """A figure with its title and caption, as HTML. `picture`: SVG; `caption`: plain text, with *emphasis* and `code`."""
    return f"<figure>{picture}<figcaption><b>{escape(title)}</b>{render_emphasis(caption)}</figcaption></figure>"


def render_emphasis(words: str) -> str:
    """A plain text as HTML: words between asterisks in italics, words between backticks as code."""
    said = re.sub(r"\*(\w[^*]*?)\*", r"<em>\1</em>", escape(" ".join(words.split())))
    return re.sub(r"`(.+?)`", r"<code>\1</code>", said)


def keep_options_whole(text: str) -> str:
    """HTML in which no line ends within an option of a command: --games never stands as "--" with "games" below it."""
    return re.sub(r"(?<![\w-])--[a-z][a-z-]*", r'<span class="option">\g<0></span>', text)


def render_side_by_side(*figures: str) -> str:
    """Figures and tables as HTML, side by side where there is room."""
    return f'<div class="pictures">{"".join(figures)}</div>'


def render_table(
    caption: str,
    headers: Sequence[str],
    rows: Sequence[Sequence[Any]],
    word_columns: int = 1,
    uncertain_rows: Sequence[int] = (),
) -> str:
    """A table as HTML.

    The first `word_columns` columns hold words, the others numbers; rows whose index is in `uncertain_rows` are shown as uncertain.
    """
    head = "".join(
        f'<th scope="col"{_format_cell_class(i < word_columns)}>{escape(name)}</th>' if name else "<td></td>"
        for i, name in enumerate(headers)
    )
    body = "".join(
        f"<tr{' class=few' if i in uncertain_rows else ''}>"
        + "".join(
            f'<th scope="row">{escape(str(cell))}</th>'
            if k == 0
            else f"<td{_format_cell_class(k < word_columns)}>{escape(str(cell))}</td>"
            for k, cell in enumerate(row)
        )
        + "</tr>"
        for i, row in enumerate(rows)
    )
    return (
        f'<div class="sheet" tabindex="0" role="region" aria-label="{escape(caption)}"><table><caption>{escape(caption)}'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _format_cell_class(is_words: bool) -> str:
    """The HTML attribute with the CSS class of a table cell that holds words; "" for a cell with a number."""
    return " class=words" if is_words else ""


def format_cells(frame: pl.DataFrame, formatters: Sequence[Any]) -> list[list[str]]:
    """The rows of a data frame as texts, each column formatted by the function at its place in `formatters`; a dash for null."""
    return [
        ["–" if cell is None else how(cell) for how, cell in zip(formatters, row, strict=True)]
        for row in frame.iter_rows()
    ]


def format_count(value: float) -> str:
    """A count as text: "1,234"."""
    return f"{value:,.0f}"


def format_rate(value: float) -> str:
    """A rate per game as text: "1.25"."""
    return f"{value:,.2f}"


def find_caption(function: Any) -> str:
    """The caption of the table that a function makes, which is the function's docstring."""
    return str(function.__doc__ or "")


def format_interval(row: dict[str, Any]) -> str:
    """The interval of a share as text: "20.1 to 24.9 %". `row` has the shares `low` and `high`."""
    return f"{row['low'] * 100:.1f} to {row['high'] * 100:.1f} %"


def shorten_name(name: str, max_chars: int = 20) -> str:
    """The name cut to at most `max_chars` letters, with an ellipsis where it was longer."""
    return name if len(name) <= max_chars else name[: max_chars - 1].rstrip() + "…"
