"""Exact chances of the next roll in an overcome that is under way: of a knock-out and of success."""

from __future__ import annotations

from typing import Any

from sutler.games.sixwinters.bot.round_outcome import Fighter, Outcome
from sutler.games.sixwinters.bot.round_outcome_chances import outcomes_with_chances
from sutler.games.sixwinters.view.people import overcome_view


def chance_of_knock_out(box: Any, state: Any) -> float:
    """The exact chance (0-1) that the next roll of stress dice knocks a character out; 0 if no overcome is under way."""
    return _chance_of_outcomes(box, state, lambda one: any(out for out, _, _ in one.harm))


def chance_of_success(box: Any, state: Any) -> float:
    """The exact chance (0-1) that the obstacle is overcome with the next roll of stress dice; 0 if no overcome is under way."""
    return _chance_of_outcomes(box, state, lambda one: one.won)


def _chance_of_outcomes(box: Any, state: Any, is_wanted: Any) -> float:
    """The sum of the chances of the outcomes for which `is_wanted(outcome)` is true; 0 with no overcome under way."""
    over = overcome_view(box, state)
    if over is None:
        return 0.0
    tracks = [("psyche", "body").index(kind) for kind in over["kinds"]]
    fighters = tuple(_build_fighter(state, who, tracks) for who in over["who"])
    reaction = tuple(sorted(die[1] for who in over["who"] for die in who["reaction"]))
    found: tuple[tuple[Outcome, float], ...] = outcomes_with_chances(
        fighters, over["stress_dice"], reaction, over["total"], over["difficulty"]
    )
    return float(sum(chance for one, chance in found if is_wanted(one)))


def _build_fighter(state: Any, who: dict[str, Any], tracks: list[int]) -> Fighter:
    """A character who takes part in the overcome, in the form that `outcomes_with_chances` reads.

    `tracks`: the stress tracks that the obstacle harms (0: psyche).
    """
    person = state.people[who["ch"]]
    hero = state.heroes[person.hero]
    dice = tuple(sorted(die[1] for die in who["progress"]))
    hurt = tuple((int(hero.stress[t]), int(person.start[t]), int(hero.box_no[t]), int(person.marks[t])) for t in tracks)
    return Fighter(str(who["ch"]), who["rank"], dice, hurt)
