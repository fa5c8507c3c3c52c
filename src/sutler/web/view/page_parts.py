"""A table's page in parts, each of which is rendered and hashed by itself, and sent only to pages that do not show it yet.

A part's mark is a digest of its content. The page sends the marks of the parts it shows, so the server remembers nothing about the page:
one that was disconnected, or is answered by another process, is sent exactly the parts that differ. A part is rendered from what its
viewer may see and from nothing else, and so is its mark.

A board may mark large pieces that seldom change, `<g id="still-waters" data-still>…</g><!--/still-->`. Each has a mark of its own, and
where the page shows it already, an empty one is sent in its place, which the page's script skips (`table.js`).
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from sutler.core.text.language import get_language
from sutler.web.view import jinja_templates
from sutler.web.view.fast_jinja import SharedContext, get_or_draw_cached

PARTS = {
    "top": "#top",
    "seats": "#seats",
    "prompt": "#at-prompt",
    "between": "#between",
    "plate": "#plate",
    "hand": "#at-hand",
    "talk": "#talk",
    "muting": "#muting",
    "phase_rules": "#phase-rules",
    "seal": "#shuffled",
    "lesson": "#lesson",
    "orders": "#orders",
    "telling": "#telling",
}
"""All parts: the name of a part's template, and the selector of its place on the page."""
PRESENT_ONLY = ("talk", "muting", "phase_rules", "telling")
"""Parts that stay unchanged while the viewer looks at an earlier moment."""
CONDITIONS = {"muting": "others", "seal": "shuffle", "lesson": "lesson", "orders": "has_orders", "telling": "telling"}
"""Parts that are on the page only if this variable of the context is true."""
SHARED_PARTS = {"phase_rules": ("name_of_game", "phase_rules")}
"""Parts that are alike at many tables, and all variables that each is rendered from: one rendering serves all. None may hold a table's
links, since the cache would grow with the tables and keep secrets after they are over."""
CACHED_PARTS = {"orders": ("orders", "base"), "seal": ("shuffle", "symbol")}
"""Parts that seldom change, and all variables that each is rendered from: a rendering is kept with the table, for each page address,
until one of them changes."""
STILL_BEGINS = re.compile(r'<g id="still-(\w+)" data-still>')
STILL_ENDS = "</g><!--/still-->"
MAX_MARKS_CHARS = 400
"""The most characters of marks that are read from a page; the rest is ignored."""


class PageState(NamedTuple):
    """The state that a page reports: how far its log has come, and the marks of its parts."""

    log: str = ""
    parts: str = ""


EMPTY_PAGE = PageState()


def render_parts(context: SharedContext, left_out: Collection[str] = ()) -> dict[str, Markup]:
    """The parts of the page for this context, by name, without those in `left_out`."""
    absent = {*left_out, *(name for name, needed in CONDITIONS.items() if not context[needed])}
    return {name: _render_part(name, context) for name in PARTS if name not in absent}


def _render_part(name: str, context: SharedContext) -> Markup:
    """One part of the page; cached ones are looked up by language and all variables they are rendered from."""

    def draw() -> Markup:
        """The part's template, rendered."""
        return Markup(jinja_templates.render_with(f"parts/{name}.html", context))

    if name in SHARED_PARTS:
        return get_or_draw_cached(name, [context[one] for one in SHARED_PARTS[name]], draw)
    if name not in CACHED_PARTS:
        return draw()
    drawn: dict[Any, tuple[tuple[Any, ...], Markup]] = context["drawn"]
    at, by = (context["base"], get_language(), name), tuple(context[one] for one in CACHED_PARTS[name])
    found = drawn.get(at)
    if found is None or found[0] != by:
        found = drawn[at] = (by, draw())
    return found[1]


def compute_mark(html: str) -> str:
    """A digest of a part's HTML, eight characters."""
    return base64.urlsafe_b64encode(hashlib.blake2b(html.encode(), digest_size=6).digest()).decode()


def compute_marks(parts: Mapping[str, str]) -> dict[str, str]:
    """The marks of these parts, by name."""
    return {name: compute_mark(html) for name, html in parts.items()}


def format_marks(marks: Mapping[str, str]) -> str:
    """Marks as the page stores them: "top:h3Kd0a_q seats:…"."""
    return " ".join(f"{name}:{one}" for name, one in marks.items())


def parse_marks(text: str) -> dict[str, str]:
    """The marks that a page sent, by the names of parts; anything else in the text is ignored."""
    pairs = (one.partition(":") for one in text[:MAX_MARKS_CHARS].split())
    return {name: one for name, _, one in pairs if one and (name in PARTS or name.startswith("~"))}


def omit_drawings_page_has(html: str, shown: Mapping[str, str]) -> tuple[Markup, dict[str, str]]:
    """(a part's HTML without the content of still pieces that the page has, {name: mark} of all its still pieces).

    A still piece is a group of a drawing that rarely changes. `shown`: the marks that the page sent.
    """
    marks: dict[str, str] = {}
    pieces, done = [], 0
    while (found := STILL_BEGINS.search(html, done)) is not None:
        ends = html.index(STILL_ENDS, found.end())
        name, still = f"~{found[1]}", html[found.end() : ends]
        marks[name] = compute_mark(still)
        pieces.append(html[done : found.end()])
        if shown.get(name) != marks[name]:
            pieces.append(still)
        pieces.append("</g>")
        done = ends + len(STILL_ENDS)
    pieces.append(html[done:])
    return Markup("".join(pieces)), marks


def add_parts_to_context(context: SharedContext, shown: str = "") -> SharedContext:
    """The context with the parts of the page added (`parts`), which of them to send (`changed`), and the marks for the page (`marks`).

    `shown`: the marks that the page sent.
    """
    before = parse_marks(shown)
    looks_back = bool(before) and context["look"].moment is not None
    parts = render_parts(context, PRESENT_ONLY if looks_back else ())
    marks = compute_marks(parts)
    changed = {name: PARTS[name] for name in parts if before.get(name) != marks[name]}
    stills: dict[str, str] = {}
    for name, html in parts.items():
        if "data-still" in html:
            parts[name], found = omit_drawings_page_has(html, before)
            stills |= found
    kept = {name: one for name, one in before.items() if name in PARTS}
    context.update(parts=parts, changed=changed, marks=format_marks({**kept, **marks, **stills}), whole=not kept)
    return context
