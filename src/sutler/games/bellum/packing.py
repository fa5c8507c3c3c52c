"""The box of Bellum packed as one record: options, numbers, rounds, the map with its rivers, and what each scenario has in play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from sutler.core.bits import add, has, members
from sutler.core.files.box import BoxError, Option
from sutler.core.files.entry_records import write_entry
from sutler.core.record import NOBODY
from sutler.games.bellum.box import (
    BOX,
    CITY,
    CUT,
    FORCES,
    HEXES,
    HQ,
    LANDS,
    NO_WAY,
    OPTIONS,
    OUTSIDE,
    POWERS,
    ROUNDS,
    SIDES,
    SITES,
    STANDARD,
    WORDS,
    Scenario,
    Sheet,
)


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The packed box record made of the checked sheet and the chosen options; BoxError where options contradict each other or the sheet."""
    box = BOX.new()
    _pack_options(box, sheet, options)
    _pack_rules(box, sheet)
    _pack_rounds(box, sheet)
    codes = _list_checked_hex_codes(sheet)
    index = {code: i for i, code in enumerate(codes)}
    box.n_land, box.n_hexes, box.n_sites = len(sheet.map.land), len(codes), len(sheet.site)
    for one in sheet.map.land:
        add(box.land, index[one[:4]])
    for one in sheet.map.sea:
        add(box.sea, index[one[:4]])
    for i, site in enumerate(sheet.site):
        box.site_hex[i] = index[site.hex]
    for code in codes:
        for other in neighbour_codes(code):
            if other in index:
                add(box.near[index[code]], index[other])
    box.dry[:] = box.near
    for hex_ in range(len(codes)):
        ring = members(box.near[hex_])
        box.within_two[hex_] = np.bitwise_or.reduce(box.near[[hex_, *ring]])
        add(box.within_two[hex_], hex_)
    _pack_rivers(box, sheet, index)
    plans = {one.scenario: one for one in sheet.scenario}
    if set(plans) != {"standard", "alternative", "cut"}:
        raise BoxError("box: the scenarios standard, alternative and cut are wanted, each once")
    standard = plans["alternative"] if box.options.alternative_hqs else plans["standard"]
    _pack_scenario_map(box, box.plan[STANDARD], sheet, standard, index)
    _pack_scenario_map(box, box.plan[CUT], sheet, plans["cut"], index)
    return box


def _pack_options(box: Any, sheet: Sheet, options: dict[str, Any]) -> None:
    """Pack the options and the alliances."""
    names = [power.name for power in sheet.power]
    if len(sheet.power) != POWERS:
        raise BoxError(f"box: {POWERS} powers are wanted")
    for i, power in enumerate(sheet.power):
        if power.ally not in names or sheet.power[names.index(power.ally)].ally != power.name:
            raise BoxError(f'[[power]] "{power.name}", field ally: allies must name each other')
        if len(power.leaders) != 2:
            raise BoxError(f'[[power]] "{power.name}", field leaders: two leaders are wanted')
        box.ally[i] = names.index(power.ally)
    OPTIONS.write_options(box.options, options)
    lowered = [name.casefold() for name in names]
    box.leads_pair = NOBODY if options["pair"] == "drawn" else lowered.index(str(options["pair"]))


def _pack_rules(box: Any, sheet: Sheet) -> None:
    """Pack the numbers of the rules."""
    write_entry(box.rules, sheet.rules)
    if not 0 < sheet.rules.most_committed < FORCES:
        raise BoxError(f"rules.most_committed: from 1 to {FORCES - 1}")
    if not 1 <= sheet.rules.steps <= 3 or not 0 <= sheet.rules.steps_abroad <= 2:
        raise BoxError("rules.steps: from 1 to 3; rules.steps_abroad: from 0 to 2")


def _pack_rounds(box: Any, sheet: Sheet) -> None:
    """Pack the rounds."""
    if not 2 <= len(sheet.round) <= ROUNDS or not sheet.round[-1].peace:
        raise BoxError(f"box: 2 to {ROUNDS} rounds are wanted, the last one with peace = true")
    box.n_rounds = len(sheet.round)
    for i, one in enumerate(sheet.round):
        write_entry(box.year[i], one)


def _list_checked_hex_codes(sheet: Sheet) -> list[str]:
    """The codes of all hexes, by number; BoxError for a map with wrong or doubled codes, or with too many hexes."""
    codes = sheet.hex_codes()
    for text in (*sheet.map.land, *sheet.map.sea):
        if not (text[:4].isdigit() and text[4:5] == " " and text[5:].strip()):
            raise BoxError(f'box: {text!r} of the map should be four digits, a space and a name, as in "0108 Picardie"')
    twice = sorted({code for code in codes if codes.count(code) > 1})
    if twice:
        raise BoxError(f"box: the map's hex {', '.join(twice)} is named twice")
    if len(sheet.map.land) > LANDS or len(codes) > HEXES or len(sheet.site) > SITES:
        raise BoxError(f"box: on the map at most {LANDS} land areas, {HEXES} hexes and {SITES} sites fit")
    return codes


def neighbour_codes(code: str) -> Iterator[str]:
    """The codes of the six hexes around a hex, clockwise from north; some may lie outside the map."""
    column, row = int(code[:2]), int(code[2:])
    low = 1 - column % 2  # even columns sit half a hex lower
    for across, down in ((0, -1), (1, low - 1), (1, low), (0, 1), (-1, low), (-1, low - 1)):
        yield f"{column + across:02d}{row + down:02d}"


def hex_centre(code: str) -> tuple[int, int]:
    """The centre of a hex, in thirds of a hex's width and halves of its height."""
    column, row = int(code[:2]), int(code[2:])
    return 3 * column, 2 * row + (1 - column % 2)


def hex_corners(code: str) -> set[tuple[int, int]]:
    """The six corners of a hex, in the units of `hex_centre`."""
    x, y = hex_centre(code)
    return {(x + 2, y), (x - 2, y), (x + 1, y + 1), (x + 1, y - 1), (x - 1, y + 1), (x - 1, y - 1)}


def _pack_rivers(box: Any, sheet: Sheet, index: dict[str, int]) -> None:
    """Pack the river sides: their banks, the hexes that touch them and the sides that they join."""
    ends: list[set[tuple[int, int]]] = []
    for river in sheet.river:
        where = f'[[river]] "{river.river}"'
        if river.mouth and river.mouth not in index:
            raise BoxError(f"{where}, field mouth: there is no hex {river.mouth}")
        for k, text in enumerate(river.sides):
            a, _, b = text.partition("-")
            if a not in index or b not in index or b not in set(neighbour_codes(a)):
                raise BoxError(f"{where}, field sides: {text!r} is no side between two hexes of the map")
            side = len(ends)
            if side >= SIDES:
                raise BoxError(f"box: on the map at most {SIDES} river sides fit")
            ends.append(hex_corners(a) & hex_corners(b))
            if k and not ends[side] & ends[side - 1]:
                raise BoxError(f"{where}, field sides: {text!r} does not go on where the side before it ended")
            one, two = index[a], index[b]
            box.banks[side] = (one, two)
            box.dry[one][two >> 6] &= ~(np.uint64(1) << np.uint64(two & 63))
            box.dry[two][one >> 6] &= ~(np.uint64(1) << np.uint64(one & 63))
            touched = [one, two]
            if river.mouth and k == len(river.sides) - 1:
                touched.append(index[river.mouth])
            for touching in touched:
                add(box.shore[side], touching)
                add(box.sides_at[touching], side)
    box.n_sides = len(ends)
    for i, mine in enumerate(ends):
        for j, other in enumerate(ends):
            if i != j and mine & other:
                add(box.joins[i], j)


def _pack_scenario_map(box: Any, plan: Any, sheet: Sheet, scenario: Scenario, index: dict[str, int]) -> None:
    """Pack a scenario's map: the sites in play, and the land and areas around them."""
    where = f'[[scenario]] "{scenario.scenario}"'
    sites = [one.site for one in sheet.site]
    powers = [one.name for one in sheet.power]
    plan.hq[:] = NOBODY
    plan.whose[:] = NOBODY
    plan.site_at[:] = NOBODY
    for name in (*scenario.hq.values(), *scenario.cities):
        if name not in sites:
            raise BoxError(f"{where}: there is no site {name!r}")
        site = sites.index(name)
        if plan.role[site] != OUTSIDE or plan.site_at[box.site_hex[site]] != NOBODY:
            raise BoxError(f"{where}: {name} is in play twice")
        plan.role[site] = CITY
        plan.site_at[box.site_hex[site]] = site
    plan.n_cities = len(scenario.cities)
    if sum(sheet.rules.city_tiles) < plan.n_cities:
        raise BoxError(f"{where}: {plan.n_cities} cities, but rules.city_tiles has fewer tiles")
    for name, site_name in scenario.hq.items():
        if name not in powers:
            raise BoxError(f"{where}, field hq: there is no power {name!r}")
        site, power = sites.index(site_name), powers.index(name)
        plan.role[site] = HQ
        plan.whose[site] = power
        plan.hq[power] = site
        plan.in_play[power] = 1
    _require_headquarters_apart(box, sheet, scenario, where)
    closed = np.zeros(WORDS, np.uint64)
    for code in scenario.closed:
        if code not in index:
            raise BoxError(f"{where}, field closed: there is no hex {code}")
        add(closed, index[code])
    plan.land[:] = box.land & ~closed
    plan.areas[:] = (box.land | box.sea) & ~closed
    for site in range(len(sites)):
        if plan.role[site] == OUTSIDE:
            continue
        at = int(box.site_hex[site])
        plan.around[site] = box.near[at] & plan.areas
        plan.before[site] = box.dry[at] & plan.land
        for h in range(len(index)):
            if has(box.near[at], h):
                plan.touches[h] |= np.uint64(1) << np.uint64(site)
            if has(box.dry[at], h):
                plan.touches_dry[h] |= np.uint64(1) << np.uint64(site)
        plan.stood_at[members(plan.before[site])] |= 1 << site
        plan.marches[site] = _march_distances(box, plan, site, len(index))


def _require_headquarters_apart(box: Any, sheet: Sheet, scenario: Scenario, where: str) -> None:
    """Raise BoxError where an area lies next to two HQs: each lays a token on every area next to it (4.3)."""
    sites = [one.site for one in sheet.site]
    around = {name: set(members(box.near[box.site_hex[sites.index(name)]])) for name in scenario.hq.values()}
    for one, other in combinations(around, 2):
        if around[one] & around[other] or int(box.site_hex[sites.index(other)]) in around[one]:
            raise BoxError(f"{where}, field hq: {one} and {other} are too near: an area lies next to both")


def _march_distances(box: Any, plan: Any, site: int, n_hexes: int) -> Any:
    """For each hex the number of land areas to enter on the way to stand at `site`, enemies ignored; NO_WAY where there is no way."""
    far = np.full(HEXES, NO_WAY, np.int8)
    edge = members(plan.before[site])
    far[edge] = 0
    for n in range(1, NO_WAY):
        around = {near for h in edge if has(plan.land, h) for near in members(box.near[h]) if far[near] == NO_WAY}
        edge = [h for h in around if h < n_hexes]
        far[edge] = n
    return far
