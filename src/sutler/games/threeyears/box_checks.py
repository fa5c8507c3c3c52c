"""Checks of a Three Years of War box beyond its form, one row each: what the rulebook and the guide take for granted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.files.constraints import Constraint, format_entry_place, list_repeated


def _find_hand_limits_below_start(sheet: Any, box: Any) -> Iterator[str]:
    if sheet.rules.hand_limit < sheet.rules.starting_hand:
        yield "field rules.hand_limit"


def _find_doubled_spaces(sheet: Any, box: Any) -> Iterator[str]:
    doubled = list_repeated((one.seats, one.space) for one in sheet.marker)
    return (f"[[marker]]: {seats} seats, space {space}" for seats, space in doubled)


def _find_empty_writs(sheet: Any, box: Any) -> Iterator[str]:
    return (format_entry_place("writ", one.name, "gain") for one in sheet.writ if one.count and not any(one.gain.row()))


def _find_doubled_values(sheet: Any, box: Any) -> Iterator[str]:
    return (f"[[despair]]: value {value}" for value in list_repeated(one.value for one in sheet.despair))


def _find_prices_beyond_tracks(sheet: Any, box: Any) -> Iterator[str]:
    most = sheet.rules.track_max
    for one in sheet.marketplace:
        if any(row.price > most for row in one.rows):
            yield format_entry_place("marketplace", one.name, "rows.price")
    for one in sheet.reaping:
        if one.pay_food > most:
            yield format_entry_place("reaping", one.name, "pay_food")


def _find_missing_despair(sheet: Any, box: Any) -> Iterator[str]:
    if not any(one.count for one in sheet.despair):
        yield "[[despair]]"


def _find_despair_without_cost(sheet: Any, box: Any) -> Iterator[str]:
    return (f"[[despair]]: value {one.value}" for one in sheet.despair if one.value < 1)


def _find_idle_events(sheet: Any, box: Any) -> Iterator[str]:
    for one in sheet.bitter:
        if not any((*one.more.row(), *one.equal.row(), *one.fewer.row())):
            yield format_entry_place("bitter", one.name)
    for one in sheet.battle:
        if not any((*one.first.row(), *one.second.row(), *one.last.row())):
            yield format_entry_place("battle", one.name)


SOUND = (
    Constraint("there is Despair to take (1.7)", _find_missing_despair),
    Constraint("a Despair costs at least 1 renown (1.7)", _find_despair_without_cost),
    Constraint("something comes of the comparison (9.1)", _find_idle_events),
    Constraint("no track holds so much that this could be paid (9.2)", _find_prices_beyond_tracks),
    Constraint("a hand may hold what it begins with (2.3)", _find_hand_limits_below_start),
    Constraint("a space of the marker track stands there once (2.4)", _find_doubled_spaces),
    Constraint("a Writ brings something (1.9)", _find_empty_writs),
    Constraint("tokens of one value are told in one entry (1.7)", _find_doubled_values),
)
