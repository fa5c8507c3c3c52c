"""The coach of Six Winters: the dangers that the team faces next, computed from the view that people see.

Nothing here decides anything. It counts what lies open on the table: the dice on the scheme and their chances, threat tags in play, the
season symbols on the draw piles, the free condition boxes of the characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import fsum
from typing import Any

from sutler.core.text.language import get_language
from sutler.games.sixwinters.bot.round_outcome import Fighter, Outcome, Track, count_round
from sutler.games.sixwinters.bot.round_outcome_chances import outcomes_with_chances
from sutler.games.sixwinters.cards.card_texts import _, remove_beginning, translate_name

FACES = 6
FREE_TAGS = 2
"""Threat tags of a resource that raise no threat."""
ROW_OF_SEASON = {"spring": 0, "summer": 1, "fall": 2}
"""The row of the slot, from the top of a region, that each season wakes; winter wakes all three."""
LOW_STRESS = 2
"""Points of stress: a stress die that shows no more than this is named among the dangers."""


def add_dangers_to_view(view: dict[str, Any]) -> dict[str, Any]:
    """Add to the view, in place, the dangers that the team faces, and the exact odds of the next roll in an overcome; return the view.

    The dangers (`list_dangers`) stand under "danger", the odds (`compute_roll_odds`) under "odds" of the view's "overcome".
    """
    view["danger"] = list_dangers(view)
    if view["overcome"]:
        view["overcome"]["odds"] = compute_roll_odds(view["overcome"], view["characters"])
    return view


def list_dangers(view: dict[str, Any]) -> dict[str, Any]:
    """The dangers that the team faces, as plain data.

    They are the worst one as a sentence, the scheme, the rising threats, the waking obstacles, and the stress dice.
    """
    if view["stage"] != "year":
        return {"worst": "", "scheme": None, "tracks": [], "wakes": [], "close": []}
    told = {
        "scheme": _scheme_dangers(view),
        "tracks": _rising_threats(view),
        "wakes": _waking_slots(view),
        "close": _list_endangered_characters(view),
    }
    return {"worst": _worst_danger_sentence(view, told), **told}


# --- The scheme (guide: threats and scheme) --------------------------------------------------------


def chance_of_at_least_one(n_dice: int) -> float:
    """The chance (0-1) that at least one of `n_dice` rolled dice shows one given face."""
    return 1 - ((FACES - 1) / FACES) ** n_dice


def _scheme_dangers(view: dict[str, Any]) -> dict[str, Any] | None:
    """Each effect of the scheme, with the chance that it happens when the scheme is next rolled; None where there is no scheme.

    Each effect also has the number of assets that could cancel it. The chance is that of the dice on the scheme now and of those that
    the threats steps until then will add. Once the scheme has been rolled, the chance of an effect is 1 or 0: its die is there or not.
    """
    scheme = view["scheme"]
    if scheme is None:
        return None
    rolled = [die[1] for die in scheme["dice"] if die[1]]
    steps = 0 if rolled else _steps_to_roll(view["clock"])
    laid = {} if rolled else _count_dice_to_be_laid(view, steps)
    n, level = len(scheme["dice"]) + sum(laid.values()), _threat_level_at_roll(view, scheme["res"], steps)
    kinds = {res for res, _ in scheme["dice"]} | {res for res, more in laid.items() if more}
    assets = [die for slot in view["slots"] for die in slot["assets"]]
    rows = []
    for effect in scheme["effects"]:
        value = effect["value"]
        comes = (1.0 if value in rolled else 0.0) if rolled else chance_of_at_least_one(n)
        rows.append(
            {
                "value": value,
                "name": effect["name"],
                "text": effect["text"],
                "works": value <= level,
                "chance": comes if value <= level else 0.0,
                "shields": sum(1 for res, at in assets if res in kinds and at >= value),
            }
        )
    return {
        "name": scheme["name"],
        "res": scheme["res"],
        "dice": n,
        "adds": sum(laid.values()),
        "now": bool(rolled),
        "when": _next_roll_in_words(view),
        "rows": rows,
    }


def _steps_to_roll(clock: Sequence[dict[str, Any]]) -> int:
    """The number of threats steps until the scheme is next rolled, at the end of a bonus turn; 0 if no roll comes.

    The threats steps of the present turn and of the bonus turn are included.
    """
    here = next((i for i, one in enumerate(clock) if one["state"] == "now"), len(clock))
    bonus = next((i for i, one in enumerate(clock) if i >= here and one["bonus"]), None)
    return 0 if bonus is None else bonus - here + 1


def _count_dice_to_be_laid(view: dict[str, Any], steps: int) -> dict[str, int]:
    """{resource: the number of dice that the next `steps` threats steps (8.6) will lay on the scheme}.

    A die is laid for each threat tag of the scheme's resource, and for each step by which a threat would rise beyond the end of its
    track. A threat rises by one step for each tag in play beyond the first FREE_TAGS. No more dice are laid than the supply has.
    """
    laid = {}
    for track in view["tracks"]:
        if track["threat"] is not None:
            rises = max(0, track["tags"] - FREE_TAGS) * steps
            beyond = max(0, track["threat"] + rises - len(track["numbers"]))
            own = track["tags"] * steps if track["res"] == view["scheme"]["res"] else 0
            laid[track["res"]] = min(own + beyond, view["supply"][track["res"]])
    return laid


def _threat_level_at_roll(view: dict[str, Any], resource: str, steps: int) -> int:
    """The level of a resource's threat when the scheme is next rolled, after `steps` threats steps."""
    track = next(one for one in view["tracks"] if one["res"] == resource)
    space = track["threat"] + max(0, track["tags"] - FREE_TAGS) * steps
    return int(track["numbers"][min(space, len(track["numbers"])) - 1])


def _next_roll_in_words(view: dict[str, Any]) -> str:
    """The time of the scheme's next roll, in words: the end of this bonus turn, or of the next one if a pile shows its season; or ""."""
    clock = view["clock"]
    here = next((i for i, one in enumerate(clock) if one["state"] == "now"), None)
    if here is None:
        return ""
    if clock[here]["bonus"]:
        return _("at the end of this turn")
    later = [one for one in clock[here + 1 :] if one["bonus"]]
    if not later:
        return ""
    season = later[0]["season"]
    n = sum(1 for region in view["regions"] if region["season"] == season)
    named = translate_name("season", season)
    few = {0: _("no pile shows it now"), 1: _("one pile shows it now")}
    showing = few.get(n) or _("{n} piles show it now", n=n)
    return _("in the {season} bonus turn, if a pile then shows {season} ({showing})", season=named, showing=showing)


# --- Tracks, piles, mats ------------------------------------------------------------------------------


def _rising_threats(view: dict[str, Any]) -> list[dict[str, Any]]:
    """The threats that rise in the next threats step, each with its level before and after, and its tags beyond the free ones."""
    out = []
    for track in view["tracks"]:
        if track["threat"] is None or track["tags"] <= FREE_TAGS:
            continue
        numbers = track["numbers"]
        now, then = numbers[track["threat"] - 1], numbers[min(track["next"], len(numbers)) - 1]
        out.append(
            {
                "res": track["res"],
                "tags": track["tags"],
                "over": track["tags"] - FREE_TAGS,
                "level": now,
                "then": then,
                "feeds": track["feeds"],
                "full": track["threat"] == len(numbers),
            }
        )
    return sorted(out, key=lambda one: (-(one["then"] - one["level"]), -one["then"], -one["over"]))


def _waking_slots(view: dict[str, Any]) -> list[dict[str, Any]]:
    """The slots that wake in the next activation, each with what its obstacles do; for an empty slot, the obstacle that moves there."""
    out = []
    for slot in view["slots"]:
        if not slot["wakes"]:
            continue
        here = [view["obstacles"][str(ob)] for ob in slot["obstacles"]]
        acts = [{"name": one["name"], "text": text} for one in here for text in _activation_texts(one)]
        mover = _name_of_moving_obstacle(view, slot) if not here and not _does_pile_show_winter(view, slot) else None
        if acts or mover:
            out.append({"slot": slot["slot"], "place": slot["name"], "acts": acts, "moves": mover})
    return out


def _activation_texts(obstacle: dict[str, Any]) -> list[str]:
    """The texts of an obstacle's activation effects."""
    told = [remove_beginning(text, "Activation: ") for text in obstacle["text"]]
    return [one for one in told if one is not None]


def _does_pile_show_winter(view: dict[str, Any], slot: dict[str, Any]) -> bool:
    """Does the pile of this slot's region show winter, so that all three slots of the region wake and no obstacle moves?"""
    region = next(one for one in view["regions"] if one["id"] == slot["region"])
    return region["season"] not in ROW_OF_SEASON


def _name_of_moving_obstacle(view: dict[str, Any], slot: dict[str, Any]) -> str | None:
    """The name of the obstacle that moves to an empty slot that wakes: the hardest one of the region; None where the region has none."""
    others = [other for other in view["slots"] if other["region"] == slot["region"]]
    found = [view["obstacles"][str(ob)] for other in others for ob in other["obstacles"]]
    return max(found, key=lambda one: one["difficulty"])["name"] if found else None


def _list_endangered_characters(view: dict[str, Any]) -> list[dict[str, Any]]:
    """The characters whose stress dice will soon run out, each with its number of free condition boxes; the most endangered first."""
    out = []
    for one in view["characters"]:
        if one["state"] != "active":
            continue
        for track, die in one["stress"].items():
            left = sum(1 for box in range(die["at"], len(die["marked"])) if not die["marked"][box])
            if die["value"] <= LOW_STRESS or not left:
                out.append({"ch": one["ch"], "name": one["name"], "track": track, "value": die["value"], "boxes": left})
    return sorted(out, key=lambda one: (one["boxes"], one["value"]))


def _worst_danger_sentence(view: dict[str, Any], dangers: dict[str, Any]) -> str:
    """A sentence about the greatest danger: first knock-outs, then lasting harm (scheme, threats), then costs."""
    for one in dangers["close"]:
        if not one["boxes"]:
            return _(
                "{name} is out for the year at {n} more {track} stress.",
                name=one["name"],
                n=one["value"],
                track=translate_name("track", one["track"]),
            )
    scheme = dangers["scheme"]
    if scheme and scheme["dice"] and scheme["when"]:
        working = [row for row in scheme["rows"] if row["works"]]
        if working:
            top = working[-1]
            dangers = {
                "scheme": translate_name("scheme", scheme["name"]),
                "chance": format_percent(top["chance"]),
                "effect": top["name"],
            }
            return _("{scheme}: {chance} for {effect}, {when}.", **dangers, when=scheme["when"])
    for one in dangers["tracks"]:
        if one["then"] > one["level"]:
            res = translate_name("resource", one["res"].capitalize())
            return _(
                "{resource} threat goes up to level {n}: {tags} tags in play.",
                resource=res,
                n=one["then"],
                tags=one["tags"],
            )
    for one in dangers["wakes"]:
        if one["acts"]:
            name, text = translate_name("obstacle_called", one["acts"][0]["name"]), one["acts"][0]["text"]
            return _(
                "{name} wakes at {place}: {text}",
                name=name,
                place=translate_name("location_called", one["place"]),
                text=text,
            )
    for one in dangers["close"]:
        track = translate_name("track", one["track"])
        return _("{name} has {n} {track} left before the next mark.", name=one["name"], n=one["value"], track=track)
    return _("Nothing presses: no threat rises and nothing harmful wakes.")


def format_percent(chance: float) -> str:
    """A chance (0-1) as a percentage in words; "under 1%" and "over 99%" instead of 0% and 100% for what is not certain."""
    if 0 < chance < 0.005:
        return _("under 1%")
    if 0.995 < chance < 1:
        return _("over 99%")
    return f"{chance:.0%}"


# --- The chances of an overcome ---------------------------------------------------------------------------


def compute_roll_odds(overcome: dict[str, Any], characters: list[dict[str, Any]]) -> dict[str, Any]:
    """The odds of the next roll in an overcome: of success, of each kind of ending, and of harm to each character."""
    people = {one["ch"]: one for one in characters}
    fighters = tuple(
        Fighter(
            people[who["ch"]]["name"],
            who["rank"],
            tuple(sorted(die[1] for die in who["progress"])),
            tuple(_read_stress_die(people[who["ch"]]["stress"][kind]) for kind in overcome["kinds"]),
        )
        for who in overcome["who"]
    )
    reaction = tuple(sorted(die[1] for who in overcome["who"] for die in who["reaction"]))
    found = outcomes_with_chances(
        fighters, overcome["stress_dice"], reaction, overcome["total"], overcome["difficulty"]
    )
    left = [one["value"] for one in overcome["rolled"] if not one["by"] and not one["gone"]]
    now = count_round(fighters, left, overcome["total"], overcome["difficulty"]) if overcome["rolled"] else None
    full = overcome["total"] + sum(value + one.rank for one in fighters for value in one.progress)
    return {
        "win": _sum_of_chances([chance for one, chance in found if one.won]),
        "full": full,
        "now": now and {"won": now.won, "total": now.total, "harm": _harm_in_words(now.harm, _fighter_names(fighters))},
        "spent": [die for who in overcome["who"] for die in who["reaction"]]
        + [die for who in overcome["who"] for die in who["progress"] if die[0] != "action"],
        "rows": _group_outcomes(found, fighters),
        "who": [
            {
                "ch": who["ch"],
                "name": fighter.name,
                "out": _sum_of_chances([chance for one, chance in found if one.harm[i][0]]),
                "marks": _sum_of_chances([chance for one, chance in found if one.harm[i][1] and not one.harm[i][0]]),
                "stress": sum([chance * one.harm[i][2] for one, chance in found]),
            }
            for i, (who, fighter) in enumerate(zip(overcome["who"], fighters, strict=True))
        ],
    }


def _sum_of_chances(chances: Iterable[float]) -> float:
    """The sum of some chances, rounded so that certainty is exactly 1."""
    return round(fsum(chances), 12)


def _read_stress_die(die: dict[str, Any]) -> Track:
    """The numbers that `outcomes_with_chances` needs of a stress die in the view: value, base value, box, marked boxes as a bit set."""
    marked = sum(1 << i for i, one in enumerate(die["marked"]) if one)
    return int(die["value"]), int(die["base"]), int(die["at"]), marked


def _group_outcomes(outcomes: tuple[tuple[Outcome, float], ...], fighters: tuple[Fighter, ...]) -> list[dict[str, Any]]:
    """The endings that people tell apart (overcome or not, harm in words), each with the sum of its chances; the likeliest first."""
    rows: dict[tuple[bool, str], float] = {}
    names = _fighter_names(fighters)
    for one, chance in outcomes:
        key = (one.won, _harm_in_words(one.harm, names))
        rows[key] = rows.get(key, 0.0) + chance
    return [
        {"won": won, "harm": harm, "chance": chance}
        for (won, harm), chance in sorted(rows.items(), key=lambda row: -row[1])
    ]


def _fighter_names(fighters: tuple[Fighter, ...]) -> tuple[str, ...]:
    """The names of the fighters, in order."""
    return tuple(one.name for one in fighters)


def _harm_in_words(harm: tuple[tuple[bool, int, int], ...], names: tuple[str, ...]) -> str:
    """The harm done to the fighters, in the reader's language."""
    return _harm_in_language(get_language(), harm, names)


@lru_cache(maxsize=4096)
def _harm_in_language(language: str, harm: tuple[tuple[bool, int, int], ...], names: tuple[str, ...]) -> str:
    """The harm done to the fighters, in words; `language`: the reader's language, part of the cache key."""
    words = []
    for name, (out, marks, _taken) in zip(names, harm, strict=True):
        if out:
            words.append(_("{name} is knocked out", name=name))
        elif marks:
            words.append(_.many("{name} marks a condition", "{name} marks {n} conditions", marks, name=name))
    return ", ".join(words) or _("no new condition")
