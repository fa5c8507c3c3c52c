"""Checks of the sense of a box of Three Years of War beyond its form, a row each: what rulebook and guide take for granted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.files.sound import Constraint, at, twice


def _hand(sheet: Any, box: Any) -> Iterator[str]:
    if sheet.rules.hand_limit < sheet.rules.starting_hand:
        yield "field rules.hand_limit"


def _doubled_spaces(sheet: Any, box: Any) -> Iterator[str]:
    doubled = twice((one.seats, one.space) for one in sheet.marker)
    return (f"[[marker]]: {seats} seats, space {space}" for seats, space in doubled)


def _empty_writs(sheet: Any, box: Any) -> Iterator[str]:
    return (at("writ", one.name, "gain") for one in sheet.writ if one.count and not any(one.gain.row()))


def _doubled_values(sheet: Any, box: Any) -> Iterator[str]:
    return (f"[[despair]]: value {value}" for value in twice(one.value for one in sheet.despair))


def _too_dear(sheet: Any, box: Any) -> Iterator[str]:
    most = sheet.rules.track_max
    for one in sheet.marketplace:
        if any(row.price > most for row in one.rows):
            yield at("marketplace", one.name, "rows.price")
    for one in sheet.reaping:
        if one.pay_food > most:
            yield at("reaping", one.name, "pay_food")


def _no_despair(sheet: Any, box: Any) -> Iterator[str]:
    if not any(one.count for one in sheet.despair):
        yield "[[despair]]"


def _painless(sheet: Any, box: Any) -> Iterator[str]:
    return (f"[[despair]]: value {one.value}" for one in sheet.despair if one.value < 1)


def _idle_events(sheet: Any, box: Any) -> Iterator[str]:
    for one in sheet.bitter:
        if not any((*one.more.row(), *one.equal.row(), *one.fewer.row())):
            yield at("bitter", one.name)
    for one in sheet.battle:
        if not any((*one.first.row(), *one.second.row(), *one.last.row())):
            yield at("battle", one.name)


SOUND = (
    Constraint("there is Despair to take (1.7)", _no_despair),
    Constraint("a Despair costs at least 1 renown (1.7)", _painless),
    Constraint("something comes of the comparison (9.1)", _idle_events),
    Constraint("no track holds so much that this could be paid (9.2)", _too_dear),
    Constraint("a hand may hold what it begins with (2.3)", _hand),
    Constraint("a space of the marker track stands there once (2.4)", _doubled_spaces),
    Constraint("a Writ brings something (1.9)", _empty_writs),
    Constraint("tokens of one value are told in one entry (1.7)", _doubled_values),
)
