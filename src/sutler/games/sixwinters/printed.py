"""What is printed on the cards, as the lists of words that a table's names carry; read back by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

NEXT, PART = "\n", "\t"
"""Between the sentences of a card; between the parts of a sentence."""
FACES, ABILITIES, SEASONS, PILES = 6, 10, ("winter", "spring", "summer", "fall"), 3
WHEN = {
    "passive": "",
    "enter": "On entering: ",
    "leave": "On leaving: ",
    "activation": "Activation: ",
    "overcome": "Overcome: ",
    "action": "Action: ",
    "free": "Free: ",
    "enter_play": "On coming into play: ",
}
SETUP = {"base": "", "difficult": "If difficult: "}


def texts(sheet: Any) -> dict[str, list[str]]:
    """The texts of every card, to stand among a box's names; `sheet` is the checked box.toml."""
    return {
        "obstacle_title": list(dict.fromkeys(one.called for one in sheet.obstacle)),
        "obstacle_called": [one.called for one in sheet.obstacle],
        "obstacle_text": [_effects(one.effect) for one in sheet.obstacle],
        "location_called": [one.called for one in sheet.location],
        "location_text": [_effects(one.effect) for one in sheet.location],
        "mission_text": [_mission(one) for one in sheet.mission],
        "mission_setup": [NEXT.join(SETUP[line.at] + line.text for line in one.setup) for one in sheet.mission],
        "scheme_text": _schemes(sheet),
        **_events(sheet),
        "effect_text": [one.text for one in sheet.campaign_effect],
        "reserve_text": [one.text for one in sheet.reserve_action],
        "character_title": [one.title for one in sheet.character],
        "character_deed": [one.deed.text for one in sheet.character],
        "ability_text": _abilities(sheet),
        "title": [f"{one.least}{PART}{one.title}" for one in sheet.titles],
    }


def _effects(effects: Sequence[Any]) -> str:
    return NEXT.join(WHEN[one.when] + one.text for one in effects)


def _mission(one: Any) -> str:
    return NEXT.join(
        [
            *([one.special_goal] if one.special_goal else []),
            *(f"Passed: {line.text}" for line in one.passed),
            *(f"Failed: {line.text}" for line in one.failed),
        ]
    )


def _schemes(sheet: Any) -> list[str]:
    out = []
    for scheme in sheet.scheme:
        by_value = {effect.value: effect for effect in scheme.effect}
        for value in range(1, FACES + 1):
            effect = by_value.get(value)
            parts = (effect.name, effect.text, effect.lasts) if effect else ("nothing", "", "instant")
            out.append(PART.join(parts))
    return out


def _events(sheet: Any) -> dict[str, list[str]]:
    found = {(one.season, one.symbols): one for one in sheet.event}
    order = [found.get((season, n)) for season in SEASONS for n in range(PILES + 1)]
    return {
        "event": [one.name if one else "no event" for one in order],
        "event_text": [one.text if one else "" for one in order],
    }


def _abilities(sheet: Any) -> list[str]:
    out = []
    for one in sheet.character:
        told = [(ability.ruling or ability).text for ability in one.ability]
        out += [*told, *[""] * (ABILITIES - len(told))]
    return out


# --- Reading them back --------------------------------------------------------------------------------


def sentences(names: Any, kind: str, number: int) -> list[str]:
    """The sentences of a card."""
    text = names[kind][number]
    return text.split(NEXT) if text else []


def parts(names: Any, kind: str, number: int) -> list[str]:
    """The parts of a sentence."""
    return list(names[kind][number].split(PART))
