"""The marches that a leader may make, for people: the way, why it ends there, sieges, and enemies that could come near."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from sutler.core.fast_record_reading import list_set_members
from sutler.core.record import NOBODY
from sutler.core.text.language import join_with_and
from sutler.games.bellum import state as s
from sutler.games.bellum.box import HQ, LEADERS, RUIN, SITES, WORDS
from sutler.games.bellum.phases_actions_events import P
from sutler.games.bellum.rules.influence import leader_reach, site_reach
from sutler.games.bellum.rules.march import destinations, halting_areas, is_in_hand, reach_of
from sutler.games.bellum.text import _

March = dict[str, Any]


def build_possible_marches(box: Any, state: Any, names: Any) -> dict[str, March]:
    """The marches that are possible now, each with its path and its notes, by the code of the area.

    Where either of two leaders may be sent, the keys are "leader:code".
    """
    if state.phase != P.move:
        return {}
    seen = _collect_enemy_reaches(box, state)
    round_about = read_sites(box, state)
    asked = [one for one in range(LEADERS) if one >> 1 == state.power and is_in_hand(box, state, one)]
    found: dict[str, March] = {}
    for leader in asked:
        at = s.where_is(state, leader)
        if at == NOBODY:
            continue
        ways = _shortest_ways(box, state, leader)
        for area in list_set_members(destinations(box, state, leader)):
            if area != at and area in ways:
                key = names["code"][area] if len(asked) == 1 else f"{names['leader'][leader]}:{names['code'][area]}"
                found[key] = {
                    "leader": names["leader"][leader],
                    "path": [names["code"][one] for one in ways[area]],
                    "title": _distance_in_words(len(ways[area]) - 1),
                    "told": _march_notes(box, state, names, leader, area, seen, round_about),
                }
    return found


def _distance_in_words(n_areas: int) -> str:
    """The distance of a march in words; `n_areas`: how many areas it goes."""
    return {1: _("the next area"), 2: _("the second area")}.get(n_areas, _("the third area"))


def _shortest_ways(box: Any, state: Any, leader: int) -> dict[int, list[int]]:
    """The shortest way to each area that a leader can reach, as a list of areas that begins with the leader's own (12.1)."""
    power, start = leader >> 1, int(s.where_is(state, leader))
    land = set(list_set_members(box.plan[state.plan].land)) - set(list_set_members(s.all_leaders(state)))
    halts = set(list_set_members(halting_areas(box, state, power)))
    own = set(list_set_members(s.tokens_of(state, power))) - halts
    steps, abroad = int(box.rules.steps), int(box.rules.steps_abroad)
    ways = {start: [start]}
    best = {start: steps}
    line = [start]
    while line:
        here = line.pop(0)
        for area in list_set_members(box.near[here]):
            if best[here] == 0 or area not in land:
                continue
            left = 0 if area in halts else best[here] - 1 if area in own else min(best[here] - 1, abroad)
            if area not in ways:
                ways[area] = [*ways[here], area]
            if left > best.get(area, -1):
                best[area] = left
                line.append(area)
    return ways


Seen = tuple[list[tuple[int, str, set[int]]], list[tuple[int, set[int]]]]
"""The areas where a leader may be stopped, as (power, kind, areas); and for each enemy leader the areas next to where it could come."""


def _collect_enemy_reaches(box: Any, state: Any) -> Seen:
    """The areas where enemies would stop a leader, and those to which each enemy leader could come, for the notes on all marches."""
    stops = []
    for other in range(LEADERS >> 1):
        if s.is_in_play(box, state, other):
            for kind, areas in (
                ("influence", s.tokens_of(state, other)),
                ("leader", leader_reach(box, state, other)),
                ("city", site_reach(box, state, other)),
            ):
                stops.append((other, kind, set(list_set_members(areas))))
    comers = []
    for one in range(LEADERS):
        if s.where_is(state, one) != NOBODY and s.is_enemy(box, state, int(state.power), one >> 1):
            goals = list_set_members(reach_of(box, state, one))
            comers.append((one, {area for goal in goals for area in list_set_members(box.near[goal])}))
    return stops, comers


class Site(NamedTuple):
    """A site for the notes on marches: the land next to it, its holder, its besieger, whose HQ it is, and whether it can be besieged."""

    number: int
    before: frozenset[int]
    is_goal: bool
    holder: int
    besieger: int
    whose: int


def read_sites(box: Any, state: Any) -> list[Site]:
    """All sites, read from the state at once."""
    plan, slots = box.plan[state.plan], state.site[: int(box.n_sites)]
    columns = (slots["extent"], plan.role, slots["holder"], slots["besieger"], plan.whose)
    rows = zip(*(column.tolist() for column in columns), strict=False)
    near = _land_beside_sites(plan.before.tobytes())
    return [
        Site(number, near[number], extent > RUIN or role == HQ, holder, besieger, whose)
        for number, (extent, role, holder, besieger, whose) in enumerate(rows)
    ]


@lru_cache(maxsize=64)
def _land_beside_sites(packed_sets: bytes) -> list[frozenset[int]]:
    """For each site, the land hexes next to it with no river between.

    `packed_sets`: the bytes of these sets, a row of bits for each site; bytes, so that the result can be cached.
    """
    return [frozenset(list_set_members(row)) for row in np.frombuffer(packed_sets, "<u8").reshape(SITES, WORDS)]


def _march_notes(
    box: Any, state: Any, names: Any, leader: int, area: int, reaches: Seen, sites: list[Site]
) -> list[tuple[str, str]]:
    """At most four notes on a march, the most important first, each as (name of an icon, sentence) (12.2, 9.1, 9.5)."""
    power, was, mate = leader >> 1, s.where_is(state, leader), s.where_is(state, leader ^ 1)
    told = [("flying-flag", why) for why in _halt_sentences(box, state, names, power, area, reaches)]
    for site in sites:
        name = names["site"][site.number]
        if area in site.before and site.is_goal and power not in (site.holder, site.whose):
            told.append(("siege-tower", _("He stands before {site}.", site=name)))
        elif site.besieger == power and was in site.before and area not in site.before:
            alone = mate != NOBODY and mate in site.before
            keeps = _("{leader} alone keeps the siege of {site}.", leader=names["leader"][leader ^ 1], site=name)
            told.append(("siege-tower", keeps if alone else _("The siege of {site} is given up.", site=name)))
    comers = [names["leader"][one] for one, near in reaches[1] if area in near]
    if comers:
        one, more = _("{leader} could come up to him."), _("{leaders} could come up to him.")
        told.append(
            ("crossed-swords", (more if comers[1:] else one).format(leader=comers[0], leaders=join_with_and(comers)))
        )
    return told[:4]


def _halt_sentences(box: Any, state: Any, names: Any, power: int, area: int, reaches: Seen) -> list[str]:
    """A list with the sentence that says what stops a leader in an area; empty if nothing stops it (12.2)."""
    words = {"influence": _("influence of {power}"), "leader": _("a leader of {power}"), "city": _("a city of {power}")}
    reasons = [
        words[kind].format(power=_(names["power"][other], "power"))
        for other, kind, areas in reaches[0]
        if area in areas and s.is_enemy(box, state, power, other)
    ]
    return [_("He halts there: {reasons}.", reasons=", ".join(reasons))] if reasons else []
