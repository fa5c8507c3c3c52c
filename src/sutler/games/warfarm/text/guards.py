"""The guards of a part of a farm, that is the units that must fall before it can be hit (guide 7.8), as the lines of a sum in the view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.text.sentences import Line, Speaker
from sutler.games.warfarm.box import GUARD_FARMERS, GUARD_SOLDIERS, LAND_FARMER, LAND_SOLDIER, SEATS
from sutler.games.warfarm.rules.common import is_at_peace
from sutler.games.warfarm.text import _


def guard_lines(box: Any, state: Any, speaker: Speaker, key: str) -> list[Line]:
    """The lines on the guards of a target ("0:land", "0:card:2", "0:trap:1"), and on what sets them aside or forbids an attack.

    The points are the numbers of units that must be hit first. [] for a key that names no target.
    """
    number, _colon, target = key.partition(":")
    if not number.isdecimal() or int(number) >= SEATS or not state.seats[int(number)].is_alive:
        return []
    seat = int(number)
    guards = _guard_counts(state.seats[seat], target)
    if guards is None:
        return []
    soldiers, farmers = guards
    lines = [
        Line((_("Soldiers on guard, who fall first"),), soldiers, "6.2"),
        Line((_("Farmers on guard"),), farmers, "11.3"),
    ]
    lines = [line for line in lines if line.points] or [Line((_("nobody guards it"),), 0, "7.8")]
    if state.is_surprise and soldiers + farmers:
        lines.append(Line((_("a Surprise Attack passes them by"),), -(soldiers + farmers), "12.9"))
    return [*lines, *_peace_lines(state, speaker, seat)]


def _guard_counts(me: Any, target: str) -> tuple[int, int] | None:
    """The numbers of Soldiers and of Farmers that guard a target of a seat; None if there is no such target."""
    kind, _colon, place = target.partition(":")
    at = int(place) if place.isdecimal() else -1
    if target == "land":
        return int(me.spots[LAND_SOLDIER]), int(me.spots[LAND_FARMER])
    if kind == "card" and 0 <= at < int(me.n_table):
        return int(me.posts[GUARD_SOLDIERS, at]), int(me.posts[GUARD_FARMERS, at])
    if kind == "trap" and 0 <= at < int(me.n_traps):
        return int(me.trap_guards[at]), 0
    return None


def _peace_lines(state: Any, speaker: Speaker, seat: int) -> Iterator[Line]:
    """A line for each seat that a Peace Contract keeps from attacking this one (11.7)."""
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive and is_at_peace(state, other, seat):
            yield Line(speaker.say("{seat} may not attack: a Peace Contract", seat=other), 0, "11.7")
