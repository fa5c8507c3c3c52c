"""The parts of a power's strength level: what battles and feeding have brought, year by year (guide 8.2, 11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sutler.core.events import Told
from sutler.core.text.sentences import Line, Sentence, Speaker
from sutler.games.bellum.text import _

BATTLES, FIELDS = "8.2", "11.2"
"""The paragraphs that lines about battles and about feeding cite."""


def account_past(opening: Any, events: Sequence[Told], speaker: Speaker, kind: str, key: str) -> list[Line]:
    """The parts of a power's strength, a line for the beginning and one for each year's battles and feeding.

    `opening`: the state at the beginning; `events`: the public events since; `kind`: "strength", for any other the result is empty; `key`:
    the power's name.
    """
    powers = list(speaker.names["power"])
    if kind != "strength" or key not in powers:
        return []
    power, year = powers.index(key), int(opening.round_no)
    found: dict[tuple[int, str], int] = {}
    for one in events:
        if one.kind == "year":
            year = one.get_part("year")
        elif one.kind in ("strength", "fed") and one.get_part("power") == power:
            rule = BATTLES if one.kind == "strength" else FIELDS
            was, now = one.args[1:3] if rule == BATTLES else one.args[2:4]
            found[year, rule] = found.get((year, rule), 0) + now - was
    begin = Line((_("at the beginning"),), int(opening.powers[power].strength), "2.3")
    rest = [Line(_year_and_cause(speaker, when, rule), n, rule) for (when, rule), n in found.items() if n]
    return [begin, *rest]


def _year_and_cause(speaker: Speaker, year: int, rule: str) -> Sentence:
    """A year, and what changed the strength in it, in words; `rule`: BATTLES or FIELDS."""
    fought, fed = _("{year}: battles"), _("{year}: feeding the army")
    return speaker.say(fought if rule == BATTLES else fed, year=year)
