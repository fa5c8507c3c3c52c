"""Checks that a box of Six Winters makes sense for the rules; each row of `SOUND` is one thing that rulebook and guide presuppose.

Each check yields the places in box.toml that break it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sutler.core.files.constraints import Constraint, format_entry_place, has_falling_step, list_repeated
from sutler.games.sixwinters.box import FACES, N_REGIONS, NO_END
from sutler.games.sixwinters.cards.vocabulary import SEASONS, SKILLS


def _find_tags_without_a_track(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the obstacles with threat tags of a resource whose track has no threats."""
    calm = {track.resource for track in sheet.track if not track.threats}
    for one in sheet.obstacle:
        for field in ("threats", "conditional_threats"):
            if calm & set(getattr(one, field)):
                yield format_entry_place("obstacle", one.name, field)


def _find_schemes_without_a_track(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the schemes of a resource whose track has no threats."""
    calm = {track.resource for track in sheet.track if not track.threats}
    return (format_entry_place("scheme", one.name, "resource") for one in sheet.scheme if one.resource in calm)


def _find_doubled_locations(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the regions with a starting location that another slot has too."""
    placed = [(region.region, slot.starting_location) for region in sheet.region for slot in region.slots]
    doubled = list_repeated(name for _, name in placed)
    return (
        format_entry_place("region", region, "slots.starting_location") for region, name in placed if name in doubled
    )


def _build_end_check(sign: str, is_start: bool) -> Any:
    """A check that yields the cards that do not have exactly one cell with this sign.

    `is_start`: the sign stands before the cell, else behind it.
    """

    def find_wrong_cards(sheet: Any, box: Any) -> Iterator[str]:
        for card in sheet.card:
            words = [word for line in card.picture for word in line.split()]
            if sum(word.startswith(sign) if is_start else word.endswith(sign) for word in words) != 1:
                yield format_entry_place("card", card.name, "picture")

    return find_wrong_cards


def _find_unfinishable_cards(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the progress cards that no dice can complete."""
    for i, card in enumerate(sheet.card):
        row = box.card[i]
        if min(int(n) for n in row.need[row.start]) >= NO_END:
            yield format_entry_place("card", card.name, "picture")


def _find_ranks_above_limit(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the characters with a starting rank above the highest one allowed."""
    most = sheet.rules.max_skill_rank
    for one in sheet.character:
        for skill in SKILLS:
            if getattr(one.skills, skill) > most:
                yield format_entry_place("character", one.name, f"skills.{skill}")


def _find_falling_tracks(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the tracks on which a later space has a lower level."""
    for track in sheet.track:
        for field in ("numbers", "published_v20"):
            if has_falling_step(getattr(track, field)):
                yield format_entry_place("track", track.resource, field)


def _find_misnumbered_achievements(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the characters whose achievements are not numbered 1, 2, 3 and so on."""
    for one in sheet.character:
        numbers = sorted(ability.achievement for ability in one.ability if ability.achievement is not None)
        if numbers != list(range(1, len(numbers) + 1)):
            yield format_entry_place("character", one.name, "ability.achievement")


def _find_incomplete_schemes(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the schemes that do not have exactly one effect for each value of a die."""
    whole = list(range(1, FACES + 1))
    return (
        format_entry_place("scheme", one.name, "effect.value")
        for one in sheet.scheme
        if sorted(e.value for e in one.effect) != whole
    )


def _find_goals_not_extended(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the missions whose difficult goal leaves out something of their base goal."""
    return (
        format_entry_place("mission", one.name, "goal_difficult")
        for one in sheet.mission
        if Counter(one.goal_base) - Counter(one.goal_difficult)
    )


def _find_missing_events(sheet: Any, box: Any) -> Iterator[str]:
    """Yield each season and number of piles that does not have exactly one event."""
    given = Counter((one.season, one.symbols) for one in sheet.event)
    for season in SEASONS:
        for n in range(N_REGIONS + 1):
            if given[season, n] != 1:
                yield f"[[event]]: {given[season, n]} for {season} and {n} symbols"


def _find_regions_without_obstacle(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the regions without a starting obstacle."""
    full = {one.region for one in sheet.obstacle if one.starting}
    return (format_entry_place("region", one.region) for one in sheet.region if one.region not in full)


def _find_doubled_stages(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the stages that are entered more than once."""
    return (f"[[stage]]: stage {stage}" for stage in list_repeated(one.stage for one in sheet.stage))


def _find_doubled_wheel_resources(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the resources that are on the wheel of trade more than once."""
    return (f"field wheel: {name}" for name in list_repeated(sheet.wheel))


def _find_obstacles_without_stress(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the obstacles that inflict no stress."""
    return (format_entry_place("obstacle", one.name, "stress") for one in sheet.obstacle if not one.stress)


def _find_too_few_characters(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the section of characters, if too few are unlocked at the start."""
    if sum(one.unlocked_at_start for one in sheet.character) < LEAST_PEOPLE:
        yield "[[character]]"


def _find_stages_with_too_few_cards(sheet: Any, box: Any) -> Iterator[str]:
    """Yield the stages with fewer cards than are staged."""
    n = Counter(card.stage for card in sheet.card if card.stage is not None)
    return (f"[[card]]: stage {stage}" for stage in sorted(n) if n[stage] < STAGED_CARDS)


LEAST_PEOPLE, STAGED_CARDS = 2, 4

SOUND = (
    Constraint("two characters at least are unlocked when a campaign begins (3.6)", _find_too_few_characters),
    Constraint("a stage has the four cards that are staged (3.11)", _find_stages_with_too_few_cards),
    Constraint("a resource whose track has no threats is no threat (1.2)", _find_tags_without_a_track),
    Constraint(
        "a scheme grows with the threats of its resource, and this one has none (3.5)", _find_schemes_without_a_track
    ),
    Constraint("a location lies on one slot only (1.9)", _find_doubled_locations),
    Constraint("a card has one start (>) (6.1)", _build_end_check(">", True)),
    Constraint("a card has one end (<) (6.1)", _build_end_check("<", False)),
    Constraint("no dice can finish this card (6.1)", _find_unfinishable_cards),
    Constraint("a rank is at most rules.max_skill_rank (1.7)", _find_ranks_above_limit),
    Constraint("the levels of a track never fall (1.2)", _find_falling_tracks),
    Constraint("achievements are numbered from 1, each number once (9.6)", _find_misnumbered_achievements),
    Constraint("a scheme has one effect for each value from 1 to 6 (8.9)", _find_incomplete_schemes),
    Constraint("the difficult goal asks for all that the base goal asks for, and more (3.3)", _find_goals_not_extended),
    Constraint("each season has one event for every number of piles that show it (4.2)", _find_missing_events),
    Constraint("the deck of a region has starting obstacles (2.4)", _find_regions_without_obstacle),
    Constraint("each stage stands there once (6.6)", _find_doubled_stages),
    Constraint("a resource stands on the wheel of trade once (5.7)", _find_doubled_wheel_resources),
    Constraint("an obstacle gives stress of the psyche, of the body, or both (1.11)", _find_obstacles_without_stress),
)
"""The checks, each with the message that a designer reads."""
