"""A table's page in parts: each is drawn and marked by itself, and sent only to pages that do not show it yet.

A part's mark is a digest of what is in it. The page says back the marks of what it shows, so nothing about it is remembered here:
whoever comes back after a lost line, or is answered by another process, is sent exactly what differs. A part is drawn from what its
viewer may see and from nothing else, and so is its mark.

A board may mark large pieces that seldom change, `<g id="still-waters" data-still>…</g><!--/still-->`: each has a mark of its own, and
where the page shows it already, the part is sent with an empty one in its place, which the page passes over (`table.js`).
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from sutler.core.language import language
from sutler.web.view import render
from sutler.web.view.fast_jinja import Shared, kept_by

PARTS = {
    "top": "#top",
    "seats": "#seats",
    "prompt": "#at-prompt",
    "between": "#between",
    "plate": "#plate",
    "hand": "#at-hand",
    "talk": "#talk",
    "phase_rules": "#phase-rules",
    "seal": "#shuffled",
    "lesson": "#lesson",
    "orders": "#orders",
    "telling": "#telling",
}
"""Every part, by the template it is drawn with, and where it stands on the page."""
NOW_ONLY = ("talk", "phase_rules", "telling")
"""Stand as they are while one looks back."""
NEEDED = {"seal": "shuffle", "lesson": "lesson", "orders": "has_orders", "telling": "telling"}
"""Stand on the page only where there is this."""
ALIKE = {"phase_rules": ("name_of_game", "phase_rules")}
"""Parts that many tables show alike, and all that each of them is drawn from: one is drawn once for all. None that holds a table's own
links: what is kept would grow with the tables, and secrets would lie there when they are long over."""
OWN = {"orders": ("orders", "base"), "seal": ("shuffle", "symbol")}
"""Parts that seldom change, and all that each is drawn from: whoever looks is shown the same drawing until that is another. They are
kept with the table, for each address by itself."""
STILL = re.compile(r'(<g id="still-(\w+)" data-still>)(.*?)</g><!--/still-->', re.DOTALL)
LONGEST = 400
"""Letters of all marks together; what a page says beyond that it has not from here."""


class Shown(NamedTuple):
    """What a page says that it shows: so far of the log, and parts with these marks."""

    log: str = ""
    parts: str = ""


NOTHING = Shown()


def drawn(context: Shared, left_out: Collection[str] = ()) -> dict[str, Markup]:
    """The parts of the page that this context is for, by name."""
    absent = {*left_out, *(name for name, needed in NEEDED.items() if not context[needed])}
    return {name: _part(name, context) for name in PARTS if name not in absent}


def _part(name: str, context: Shared) -> Markup:
    """A part of the page. What is kept is found by its language and everything it is drawn from."""

    def draw() -> Markup:
        return Markup(render.render_with(f"parts/{name}.html", context))

    if name in ALIKE:
        return kept_by(name, [context[one] for one in ALIKE[name]], draw)
    if name not in OWN:
        return draw()
    drawn: dict[Any, tuple[tuple[Any, ...], Markup]] = context["drawn"]
    at, by = (context["base"], language(), name), tuple(context[one] for one in OWN[name])
    found = drawn.get(at)
    if found is None or found[0] != by:
        found = drawn[at] = (by, draw())
    return found[1]


def mark(html: str) -> str:
    """Eight letters that are others when the part is."""
    return base64.urlsafe_b64encode(hashlib.blake2b(html.encode(), digest_size=6).digest()).decode()


def marks_of(parts: Mapping[str, str]) -> dict[str, str]:
    """The marks of these parts."""
    return {name: mark(html) for name, html in parts.items()}


def told(marks: Mapping[str, str]) -> str:
    """Marks as the page keeps them: "top:h3Kd0a_q seats:…"."""
    return " ".join(f"{name}:{one}" for name, one in marks.items())


def read(text: str) -> dict[str, str]:
    """What a page says that it shows."""
    pairs = (one.partition(":") for one in text[:LONGEST].split())
    return {name: one for name, _, one in pairs if one and (name in PARTS or name.startswith("~"))}


def without_stills(html: str, shown: Mapping[str, str]) -> tuple[Markup, dict[str, str]]:
    """(a part without those of its still pieces that are `shown`, the marks of all of them)."""
    marks: dict[str, str] = {}

    def sent(found: re.Match[str]) -> str:
        name = f"~{found[2]}"
        marks[name] = mark(found[3])
        return f"{found[1]}</g>" if shown.get(name) == marks[name] else f"{found[1]}{found[3]}</g>"

    return Markup(STILL.sub(sent, html)), marks


def context_of(context: Shared, shown: str = "") -> Shared:
    """The context with its parts: all of them, which of them differ from what is shown, and what is shown then."""
    before = read(shown)
    looks_back = bool(before) and context["look"].moment is not None
    parts = drawn(context, NOW_ONLY if looks_back else ())
    marks = marks_of(parts)
    changed = {name: PARTS[name] for name in parts if before.get(name) != marks[name]}
    stills: dict[str, str] = {}
    for name, html in parts.items():
        if "data-still" in html:
            parts[name], found = without_stills(html, before)
            stills |= found
    kept = {name: one for name, one in before.items() if name in PARTS}
    context.update(parts=parts, changed=changed, marks=told({**kept, **marks, **stills}), whole=not kept)
    return context
