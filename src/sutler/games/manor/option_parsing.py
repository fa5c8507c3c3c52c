"""Parsing of the options of Medieval Manor that are given as text: the map, the hardships left out, a handicap."""

from __future__ import annotations

import re

from sutler.core.files.box import BoxError
from sutler.core.record import NOBODY
from sutler.games.manor.box import COLUMNS, LANDS, SEATS, TOKEN_NAMES, TOKEN_ONE, Sheet

MAX_HANDICAP = 20  # the largest difference that a handicap may give a seat, up or down
HANDICAP_THINGS = dict(zip(TOKEN_ONE, TOKEN_NAMES, strict=True)) | {"card": "cards", "upgrade": "upgrades"}


def parse_map(sheet: Sheet, wanted: str) -> list[int]:
    """Parse the option `map`: the numbers of the lands in reading order, padded with NOBODY; BoxError where the map breaks 2.1 or 2.2."""
    if wanted.strip().casefold() == "random":
        return [NOBODY] * LANDS
    by_name = {land.name.casefold(): i for i, land in enumerate(sheet.land)}
    if wanted.strip().casefold() == "printed":
        order = [i for i, land in enumerate(sheet.land) if not land.extra]
        order += [i for i, land in enumerate(sheet.land) if land.extra]
    else:
        order = []
        for name in wanted.split(","):
            if name.strip().casefold() not in by_name:
                raise BoxError(f"option map: there is no land {name.strip()!r}")
            order.append(by_name[name.strip().casefold()])
    basic = sum(not land.extra for land in sheet.land)
    if len(set(order)) != len(order) or len(order) not in (basic, len(sheet.land)):
        raise BoxError(f"option map: name each of the {basic} basic lands once, or all {len(sheet.land)} lands (2.1)")
    if len(order) == basic and any(sheet.land[i].extra for i in order):
        raise BoxError("option map: a map of basic lands only has none of the extra ones (2.1)")
    for n_spaces in {basic, len(order)}:
        for place, land in enumerate(order[:n_spaces]):
            if sheet.land[land].edge and not is_edge_place(place, n_spaces):
                raise BoxError(f"option map: {sheet.land[land].name} must lie on an edge of the map (2.2)")
    return order + [NOBODY] * (LANDS - len(order))


def parse_without(sheet: Sheet, names: str) -> list[int]:
    """Parse the option `without`, names of hardships between commas: the numbers of their cards (9.18); BoxError for any other name."""
    known = {card.name.casefold(): i for i, card in enumerate(sheet.card) if card.type == "hardship" and card.count}
    wanted = [" ".join(name.split()) for name in names.split(",") if name.strip()]
    for name in wanted:
        if name.casefold() not in known:
            raise BoxError(f"option without: there is no hardship {name!r}; there are {', '.join(known)} (9.18)")
    return [known[name.casefold()] for name in wanted]


def parse_handicap(text: str) -> list[tuple[int, str, int]]:
    """Parse the option `handicap` into (seat, thing, difference) (9.21); BoxError if it cannot be read.

    The text reads "seat 2: 3 gold, 1 upgrade; seat 3: -2 crops". In the result seats count from 0; things are tokens, "cards", "upgrades".
    """
    found = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        match = re.fullmatch(r"seat ([1-9]) *: *(.+)", part, re.IGNORECASE)
        if match is None or int(match[1]) > SEATS:
            raise BoxError(f"option handicap: {part!r} does not read like 'seat 2: 3 gold, 1 upgrade' (9.21)")
        for one in match[2].split(","):
            amount = re.fullmatch(r" *([+-]?\d{1,2}) +(\w+) *", one)
            what = HANDICAP_THINGS.get(amount[2].casefold(), amount[2].casefold()) if amount else ""
            if amount is None or what not in HANDICAP_THINGS.values():
                raise BoxError(
                    f"option handicap: {one.strip()!r} is no number of {', '.join(HANDICAP_THINGS.values())} (9.21)"
                )
            n = int(amount[1])
            if abs(n) > MAX_HANDICAP or (what == "upgrades" and n < 0):
                raise BoxError(
                    f"option handicap: {one.strip()!r} is outside -{MAX_HANDICAP} to {MAX_HANDICAP}, or less than none (9.21)"
                )
            found.append((int(match[1]) - 1, what, n))
    return found


def is_edge_place(place: int, n_spaces: int) -> bool:
    """Does a place lie on the edge of a map with `n_spaces` places? `place`: its number in reading order."""
    row, column = divmod(place, COLUMNS)
    return row in (0, n_spaces // COLUMNS - 1) or column in (0, COLUMNS - 1)
