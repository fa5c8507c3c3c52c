"""Dangers of a position as numbers, which studies ask for before a decision."""

from __future__ import annotations

from typing import Any

from sutler.games.sixwinters.bot.odds import Fighter, Outcome
from sutler.games.sixwinters.bot.rolls import outcomes
from sutler.games.sixwinters.picture.people import overcome


def knock_out(box: Any, state: Any) -> float:
    """The exact chance (0-1) that the stress dice about to be rolled in an overcome knock a character out; 0 with no overcome under way."""
    return _chance(box, state, lambda one: any(out for out, _, _ in one.harm))


def success(box: Any, state: Any) -> float:
    """The exact chance (0-1) that the obstacle is overcome with the stress dice about to be rolled; 0 with no overcome under way."""
    return _chance(box, state, lambda one: one.won)


def _chance(box: Any, state: Any, wanted: Any) -> float:
    """The sum of the chances of the outcomes for which `wanted(outcome)` is true; 0 with no overcome under way."""
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
    """A character who takes part in the overcome, for `outcomes`; `tracks`: the stress tracks that the obstacle harms (0: psyche)."""
    person = state.people[who["ch"]]
    hero = state.heroes[person.hero]
    dice = tuple(sorted(die[1] for die in who["progress"]))
    hurt = tuple((int(hero.stress[t]), int(person.start[t]), int(hero.box_no[t]), int(person.marks[t])) for t in tracks)
    return Fighter(str(who["ch"]), who["rank"], dice, hurt)
