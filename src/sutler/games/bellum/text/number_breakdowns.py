"""The parts that add up to numbers on the table: a seat's score, a power's supply, and its strength year by year."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sutler.core.events import Told
from sutler.core.fast_record_reading import list_set_members
from sutler.core.record import NOBODY
from sutler.core.text.sentences import Line, Sentence, Speaker
from sutler.games.bellum import state as s
from sutler.games.bellum.box import NO_ALLIES
from sutler.games.bellum.phases_actions_events import P
from sutler.games.bellum.rules.supply import range_of, site_supply
from sutler.games.bellum.scoring import (
    are_allied_seats,
    higher_level,
    power_score,
    seat_score,
    seat_tokens,
    tokens_lost,
    tokens_won,
    verdict_points,
)
from sutler.games.bellum.text import _
from sutler.games.bellum.view import powers_led_by

BATTLES, FIELDS = "8.2", "11.2"
"""The paragraphs that lines about battles and about feeding cite."""


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """The parts of a seat's score: each power's higher level, and tokens won and lost; those of allies as well (13.4, 14.12)."""
    lines = []
    value = int(box.rules.token_value)
    powers = powers_led_by(state, seat)
    if state.allied != NO_ALLIES:
        powers += [ally for power in powers if (ally := s.ally_of(box, state, power)) not in (NOBODY, *powers)]
    counted = 0
    for power in powers:
        of = (speaker.word("power", power), ": ") if len(powers) > 1 else ()
        lines.append(Line((*of, _("supply or strength")), int(higher_level(state, power)), "13.4"))
        if tokens_won(state, power):
            lines.append(Line((*of, _("tokens won")), value * int(tokens_won(state, power)), "13.4"))
        if tokens_lost(state, power):
            lines.append(Line((*of, _("tokens lost")), -value * int(tokens_lost(state, power)), "13.4"))
        counted += int(power_score(box, state, power))
    total = int(seat_score(box, state, seat))
    if total != counted:
        lines.append(Line((_("only the stronger power counts"),), total - counted, "14.7"))
    beyond = int(verdict_points(box, state, seat))
    if beyond > 0:
        lines.append(Line((_("every enemy headquarters besieged"),), beyond, "13.1"))
    elif beyond < 0:
        lines.append(Line((_("barred: a power of the alliance is broken"),), beyond, "14.7"))
    if state.phase == P.over and _is_tied_on_score(box, state, seat):
        tokens = int(seat_tokens(box, state, seat))
        lines.append(Line(speaker.say("tied, with {n} {n:#token|tokens} on the board", n=tokens), 0, "13.5"))
    return lines


def account(box: Any, state: Any, speaker: Speaker, kind: str, key: str) -> list[Line]:
    """The parts of a power's supply, a line each: its HQ and cities in range, and the difference to the level shown at present (10.3).

    `kind`: "supply", for any other the result is empty; `key`: the power's name.
    """
    powers = list(speaker.names["power"])
    if kind != "supply" or key not in powers:
        return []
    power = powers.index(key)
    reached, lines = set(list_set_members(range_of(box, state, power))), []
    for site in range(int(box.n_sites)):
        worth = int(site_supply(box, state, power, site))
        if worth:
            there = int(box.site_hex[site]) in reached
            label = (speaker.word("site", site),) if there else speaker.say("{site}, out of range", site=site)
            lines.append(Line(label, worth if there else 0, "10.3" if there else "10.5"))
    late = int(state.powers[power].supply) - sum(int(line.points) for line in lines)
    return [*lines, Line((_("until the next supply phase"),), late, "10.3")] if late else lines


def _is_tied_on_score(box: Any, state: Any, seat: int) -> bool:
    """Does another side have as high a score as this seat, so that tokens on the board decide (13.5)?"""
    mine = int(seat_score(box, state, seat)) + int(verdict_points(box, state, seat))
    rivals = [one for one in range(int(state.n_seats)) if one != seat and not are_allied_seats(box, state, seat, one)]
    return any(mine == int(seat_score(box, state, one)) + int(verdict_points(box, state, one)) for one in rivals)


def account_past(opening: Any, events: Sequence[Told], speaker: Speaker, kind: str, key: str) -> list[Line]:
    """The parts of a power's strength, a line each: its value at the beginning, and the changes by battles and by feeding in each year.

    `opening`: the state at the beginning; `events`: the public events since; `kind`: "strength" (the result is empty for any other);
    `key`: the power's name.
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
    """A year and the cause of a change of strength in it, in words; `rule`: BATTLES or FIELDS."""
    fought, fed = _("{year}: battles"), _("{year}: feeding the army")
    return speaker.say(fought if rule == BATTLES else fed, year=year)
