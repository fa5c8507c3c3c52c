"""The printed texts of cards as lists of strings among a box's names, and reading them back by a card's number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sutler.core.text.language import ENGLISH, get_language, load_tongue

_ = load_tongue(Path(__file__).parents[1])

NEXT, PART = "\n", "\t"
"""The separators: NEXT between the sentences of a card, PART between the parts of a sentence."""
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
"""The words before a card's sentence, by the moment at which its effect happens."""
SETUP = {"base": "", "difficult": "If difficult: "}
"""The words before a line of a mission's setup, by the difficulty that it belongs to."""
MAX_BUTTON_CHARS = 64
"""The most characters that fit on a button."""
NOT_SHORT = (
    (r"^Reroll any dice, .*", "Reroll any dice of one pool"),
    (r"^Explode (\w+) in one pool .*", r"Roll one more die for each of the \1 in one pool"),
    (r"^Spend (an? \w+) asset here; gain two .*", r"Split \1 asset here into two that add up to it"),
    (r"^Spend (an? \w+) asset here; roll two (\w+) dice .*", r"Turn \1 asset here into two \2 assets, rolled"),
    (r"^Spend any asset here; place", "Turn any asset here into"),
    (r" here, with the same value$| of the same value here$", ", same value"),
    (
        r"^Any (\w+) pool die may be turned into an unspent action die .*",
        r"Turn a \1 pool die into an action die of its value",
    ),
    (r"^Take 1 (\w+) stress in place of .*", r"Take \1 stress in place of another character, 1 by 1"),
    (
        r"^Discard every obstacle in play that inflicts (\w+) stress, put (\w+) into play, and burn",
        r"Discard all \1 stress obstacles, place \2, burn",
    ),
    (
        r"^May put the top card of any obstacle discard pile on top .*",
        "Put a discard pile’s top obstacle back on its draw pile",
    ),
    (r",? of the same kind as the die spent", ""),
    (r"this character’s |this character's ", "the "),
    (r"this character ", ""),
    (r" \(guide [\d.]+\)$", ""),
)
"""Regular expressions and replacements that shorten a card's sentence for a button."""


def build_card_texts(sheet: Any) -> dict[str, list[str]]:
    """The texts of every card, as lists by kind, to be added to a box's names; `sheet`: the checked box.toml."""
    return {
        "obstacle_title": list(dict.fromkeys(one.title_or_name for one in sheet.obstacle)),
        "obstacle_called": [one.title_or_name for one in sheet.obstacle],
        "obstacle_text": [_effects_text(one.effect) for one in sheet.obstacle],
        "location_called": [one.title_or_name for one in sheet.location],
        "location_text": [_effects_text(one.effect) for one in sheet.location],
        "mission_text": [_mission_text(one) for one in sheet.mission],
        "mission_setup": [NEXT.join(SETUP[line.at] + line.text for line in one.setup) for one in sheet.mission],
        "scheme_text": _scheme_texts(sheet),
        "scheme_effect": [one.split(PART)[0] for one in _scheme_texts(sheet)],
        **_event_texts(sheet),
        "effect_text": [one.text for one in sheet.campaign_effect],
        "reserve_text": [one.text for one in sheet.reserve_action],
        "character_title": [one.title for one in sheet.character],
        "character_deed": [one.deed.text for one in sheet.character],
        **_ability_texts(sheet),
        "title": [f"{one.least}{PART}{one.title}" for one in sheet.titles],
    }


def shortened_for_button(text: str) -> str:
    """A card's sentence in a shorter form that fits on a button."""
    text = text.rstrip(".")
    for long, short in NOT_SHORT:
        text = re.sub(long, short, text)
    return text if len(text) <= MAX_BUTTON_CHARS else text[:MAX_BUTTON_CHARS].rsplit(" ", 1)[0] + " …"


def _effects_text(effects: Sequence[Any]) -> str:
    """The effects of a card as one text; each sentence begins with the words for the moment when it happens."""
    return NEXT.join(WHEN[one.when] + one.text for one in effects)


def _mission_text(mission: Any) -> str:
    """The special goal and the results of a mission as one text."""
    return NEXT.join(
        [
            *([mission.special_goal] if mission.special_goal else []),
            *(f"Passed: {line.text}" for line in mission.passed),
            *(f"Failed: {line.text}" for line in mission.failed),
        ]
    )


def _scheme_texts(sheet: Any) -> list[str]:
    """The effects of all schemes, six for each: name, text and duration, separated by PART."""
    out = []
    for scheme in sheet.scheme:
        by_value = {effect.value: effect for effect in scheme.effect}
        for value in range(1, FACES + 1):
            effect = by_value.get(value)
            parts = (effect.name, effect.text, effect.lasts) if effect else ("nothing", "", "instant")
            out.append(PART.join(parts))
    return out


def _event_texts(sheet: Any) -> dict[str, list[str]]:
    """The names and texts of the seasonal events, by season and by the number of piles that show it."""
    found = {(one.season, one.symbols): one for one in sheet.event}
    order = [found.get((season, n)) for season in SEASONS for n in range(PILES + 1)]
    return {
        "event": [one.name if one else "no event" for one in order],
        "event_text": [one.text if one else "" for one in order],
    }


def _ability_texts(sheet: Any) -> dict[str, list[str]]:
    """The texts of abilities, by character and place, and of achievements, by character and number; in full, and shortened."""
    n = ABILITIES * len(sheet.character)
    told, gained = [""] * n, [""] * n
    for c, one in enumerate(sheet.character):
        for k, ability in enumerate(one.ability):
            told[ABILITIES * c + k] = (ability.ruling or ability).text
            if ability.achievement:
                gained[ABILITIES * c + ability.achievement] = told[ABILITIES * c + k]
    full = {"ability_text": told, "achievement_text": gained}
    return full | {f"{kind}_called": [shortened_for_button(text) for text in listed] for kind, listed in full.items()}


# --- In the reader's language -------------------------------------------------------------------------


def translate_name(kind: str, name: str) -> str:
    """The name or sentence of a thing in the reader's language; `kind`: the list of names that it comes from."""
    return _(name, kind)


class Called:
    """The names of a box in the reader's language: `Called(names)["card"][3]` is the name of card 3.

    Sentences of one text and parts of a sentence are translated one by one.
    """

    def __init__(self, names: Any) -> None:
        self.names = names

    def __getitem__(self, kind: str) -> Any:
        listed = self.names[kind]
        return listed if get_language() == ENGLISH else _Listed(kind, listed)


class _Listed(Sequence[str]):
    """One list of names of a box; an item is translated when it is read."""

    def __init__(self, kind: str, listed: Sequence[str]) -> None:
        self.kind, self.listed = kind, listed

    def __len__(self) -> int:
        return len(self.listed)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[i] for i in range(len(self))[at]]
        return re.sub(rf"[^{NEXT}{PART}]+", lambda found: translate_name(self.kind, found[0]), self.listed[at])


def translate_sentence_beginnings() -> dict[str, str]:
    """The words with which sentences of cards begin, each with its translation into the reader's language."""
    return {
        "On entering: ": _("On entering: "),
        "On leaving: ": _("On leaving: "),
        "Activation: ": _("Activation: "),
        "Overcome: ": _("Overcome: "),
        "Action: ": _("Action: "),
        "Free: ": _("Free: "),
        "On coming into play: ": _("On coming into play: "),
        "If difficult: ": _("If difficult: "),
        "Passed: ": _("Passed: "),
        "Failed: ": _("Failed: "),
    }


def remove_beginning(sentence: str, begins: str) -> str | None:
    """The sentence without its opening words `begins`, in English or as translated; None if it does not begin with them."""
    for one in (translate_sentence_beginnings()[begins], begins):
        if sentence.startswith(one):
            return sentence.removeprefix(one)
    return None


# --- Reading them back --------------------------------------------------------------------------------


def sentences_of_card(names: Any, kind: str, number: int) -> list[str]:
    """The sentences of a card in the reader's language; `kind`: a list of texts such as "obstacle_text", `number`: the card's."""
    text = Called(names)[kind][number]
    return text.split(NEXT) if text else []


def list_sentence_parts(names: Any, kind: str, number: int) -> list[str]:
    """The parts of a sentence in the reader's language; `kind`: a list of texts such as "scheme_text", `number`: its index."""
    return list(Called(names)[kind][number].split(PART))
