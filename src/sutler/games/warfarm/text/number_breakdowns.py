"""The lines of sums in the view: what a farm will have at its next turn (guide 3.5 to 3.7, 11.4), and the guards of its parts (7.8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.text.sentences import Line, Speaker
from sutler.games.warfarm.box import (
    CATHEDRAL,
    DISCIPLE,
    FARMER,
    FARMLAND,
    GOOD_NAMES,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HARVEST,
    LAND_FARMER,
    LAND_SOLDIER,
    PRODUCE,
    RELIGION,
    SEATS,
    TITHE,
    TOKENS,
    WATER,
)
from sutler.games.warfarm.rules.common import is_at_peace
from sutler.games.warfarm.rules.upkeep import is_manned, n_working
from sutler.games.warfarm.text import _


def income_lines(box: Any, state: Any, speaker: Speaker, key: str) -> list[Line]:
    """The lines on a seat's tokens of one kind: what it has, and the income of its next turn if nothing changes before.

    `key`: "water:0" for the Water of seat 0. A gain that the seat may decline (12.8) is not counted. [] for a key that names no token
    or no farm in the game.
    """
    name, _colon, number = key.partition(":")
    if name not in GOOD_NAMES[:TOKENS] or not number.isdecimal() or int(number) >= SEATS:
        return []
    good, seat = GOOD_NAMES.index(name), int(number)
    if not state.seats[seat].is_alive:
        return []
    had = Line((_("in store"),), int(state.seats[seat].goods[good]), "1.2")
    return [had, *(line for line in _income_lines_by_source(box, state, speaker, seat, good) if line.points)]


def _income_lines_by_source(box: Any, state: Any, speaker: Speaker, seat: int, good: int) -> Iterator[Line]:
    """A line for each source of income of one token, zeros included."""
    me = state.seats[seat]
    if good == WATER:
        yield Line((_("from Farmers that farmed"),), int(me.farming), "3.5")
        yield Line((_("from Farmers that guard the Farmland"),), int(me.spots[LAND_FARMER]), "6.4")
        yield Line((_("from Farmers at work on cards"),), int(n_working(box, state, seat, FARMER)), "6.3")
    if good == RELIGION:
        stayed = int(me.praying + n_working(box, state, seat, DISCIPLE))
        yield Line((_("from Disciples that stayed"),), stayed, "3.6")
        yield Line((_("from them again, by Cathedrals"),), stayed * int(me.works[CATHEDRAL]), "3.6")
    yield from _income_lines_from_cards(box, state, speaker, seat, good)


def _income_lines_from_cards(box: Any, state: Any, speaker: Speaker, seat: int, good: int) -> Iterator[Line]:
    """A line for each card that brings the token, in the order of the table.

    Harvests are last, since they count the Farmland there is by then.
    """
    me = state.seats[seat]
    left = [{good: int(other.goods[good]) for good in (WATER, FARMLAND)} for other in state.seats]
    land, harvests = int(me.goods[FARMLAND]), []
    for slot in range(int(me.n_table)):
        card = int(me.table[slot])
        row, label = box.card[card], (speaker.word("card", card),)
        if row.does == PRODUCE and not row.optional:
            land += int(row.gain[FARMLAND])
            yield Line(label, int(row.gain[good]), "3.7")
        elif row.does == TITHE and is_manned(box, state, seat, slot):
            taken = _goods_taken_by_tithe(state, seat, int(row.count), left)
            land += taken[FARMLAND]
            yield Line(label, taken.get(good, 0), "13.1")
        elif row.does == HARVEST and is_manned(box, state, seat, slot):
            harvests.append(label)
    if good == WATER:
        yield from (Line(label, land, "11.4") for label in harvests)


def _goods_taken_by_tithe(state: Any, seat: int, count: int, left: list[dict[int, int]]) -> dict[int, int]:
    """The goods that a Tithe takes (13.1): a Water of each opponent, or else a Farmland, `count` times.

    `left` is what each seat still has; what is taken is subtracted, so that the next card does not find it.
    """
    taken = {WATER: 0, FARMLAND: 0}
    for victim in range(SEATS):
        for _time in range(count if victim != seat and state.seats[victim].is_alive else 0):
            good = WATER if left[victim][WATER] else FARMLAND
            if left[victim][good]:
                left[victim][good] -= 1
                taken[good] += 1
    return taken


def guard_lines(box: Any, state: Any, speaker: Speaker, key: str) -> list[Line]:
    """The lines on the guards of a target, and on what sets guards aside or forbids an attack.

    `key`: the target, "0:land", "0:card:2" or "0:trap:1" (seat, place). The points are the numbers of units that must be hit first. []
    for a key that names no target.
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
