"""Checks that a box of Bellum makes sense for the rules; each row of `SOUND` is one thing that rulebook and guide presuppose.

Each check yields the places in box.toml that break it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from sutler.core.files.constraints import Constraint, format_entry_place, has_falling_step, list_repeated


def _find_years_out_of_order(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the rounds whose year is not one more than the year of the round before."""
    years = [one.year for one in sheet.round]
    return (f"[[round]]: year {after}" for before, after in pairwise(years) if after <= before)


def _find_early_peace(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the round with peace, if that is not the last round."""
    peace = [i for i, one in enumerate(sheet.round) if one.peace]
    if peace and peace != [len(sheet.round) - 1]:
        yield f"[[round]]: year {sheet.round[peace[0]].year}"


def _find_doubled_leader_names(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the powers with a leader whose name another leader has too."""
    doubled = list_repeated(leader.name for power in sheet.power for leader in power.leaders)
    return (
        format_entry_place("power", power.name, "leaders")
        for power in sheet.power
        for one in power.leaders
        if one.name in doubled
    )


def _find_doubled_sites(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the sites that are entered more than once."""
    return (f"[[site]]: {name}" for name in list_repeated(one.site for one in sheet.site))


def _find_cities_counting_less(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the fields in which a larger city counts less than a smaller one."""
    return (
        f"field rules.{name}"
        for name in ("city_supply", "city_defence")
        if has_falling_step(getattr(sheet.rules, name))
    )


def _find_rising_supply(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the rounds in which an HQ supplies more than in the round before."""
    return (f"[[round]]: year {one.year}" for before, one in pairwise(sheet.round) if one.hq_supply > before.hq_supply)


SOUND = (
    Constraint("a larger city is worth no less than a smaller one (10.3)", _find_cities_counting_less),
    Constraint("what a headquarters brings never rises with the years (10.3)", _find_rising_supply),
    Constraint("the years of the rounds follow one another (1.2)", _find_years_out_of_order),
    Constraint("peace ends the game, so it stands in the last round alone (13.3)", _find_early_peace),
    Constraint("each leader has a name of its own (2.1)", _find_doubled_leader_names),
    Constraint("each site stands there once (3.1)", _find_doubled_sites),
)
