"""How visible a danger was: numbers about a position, for the lab to ask before a decision."""

from __future__ import annotations

from typing import Any

from sutler.games.sixwinters.bot.odds import Fighter, Outcome
from sutler.games.sixwinters.bot.rolls import outcomes
from sutler.games.sixwinters.picture.people import overcome


def knock_out(box: Any, state: Any) -> float:
    """Before the stress dice of an overcome are rolled: the chance that somebody is knocked out in this round, exact."""
    return _chance(box, state, lambda one: any(out for out, _, _ in one.harm))


def success(box: Any, state: Any) -> float:
    """Before the stress dice of an overcome are rolled: the chance that it is overcome in this round, exact."""
    return _chance(box, state, lambda one: one.won)


def _chance(box: Any, state: Any, wanted: Any) -> float:
    over = overcome(box, state)
    if over is None:
        return 0.0
    tracks = [("psyche", "body").index(kind) for kind in over["kinds"]]
    fighters = tuple(_fighter(state, who, tracks) for who in over["who"])
    reaction = tuple(sorted(die[1] for who in over["who"] for die in who["reaction"]))
    found: tuple[tuple[Outcome, float], ...] = outcomes(
        fighters, over["stress_dice"], reaction, over["total"], over["difficulty"]
    )
    return float(sum(chance for one, chance in found if wanted(one)))


def _fighter(state: Any, who: dict[str, Any], tracks: list[int]) -> Fighter:
    person = state.people[who["ch"]]
    hero = state.heroes[person.hero]
    dice = tuple(sorted(die[1] for die in who["progress"]))
    hurt = tuple((int(hero.stress[t]), int(person.start[t]), int(hero.box_no[t]), int(person.marks[t])) for t in tracks)
    return Fighter(str(who["ch"]), who["rank"], dice, hurt)
