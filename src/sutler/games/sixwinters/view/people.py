"""Characters and cards as people see them: mats, progress cards with their paths, missions, an overcome under way."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sutler.core.fast_record_reading import cache_piece_of_view
from sutler.games.sixwinters.box import ABILITIES, CELLS, FACES, GOALS, PAY, RES, SIDE
from sutler.games.sixwinters.cards.card_texts import Called, sentences_of_card
from sutler.games.sixwinters.cards.vocabulary import CONDITIONS, REGIONS, RESOURCES, SKILLS, TRACKS
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules.land import difficulty, n_stress_dice
from sutler.games.sixwinters.rules.missions import is_met, symbol
from sutler.games.sixwinters.rules.overcome import counts_dice
from sutler.games.sixwinters.state import DEAD, LOCKED, OVERCOME_IT, PART, WANTED, n_threat_tags
from sutler.games.sixwinters.view.land import asset_die, names_of_bits

RELATIONS = ("", "+1", "-1", "=")


# --- Characters ------------------------------------------------------------------------------------------


def people_view(box: Any, state: Any, names: Any) -> list[dict[str, Any]]:
    """Every character of the box as plain data: in play, in reserve, locked or dead."""
    full = int(box.rules.shared_dice if _has_seat_with_two_heroes(state) else box.rules.action_dice[state.n_seats])
    learns = bool(state.part == PART.advance)
    out = []
    for c in range(int(box.n_characters)):
        h = hero_number(state, c)
        one = [state.heroes[h]] if h >= 0 else []
        dice = tuple(unspent_dice(state, one[0].seat)) if one and one[0].seat >= 0 else ()
        out.append(_person_view(box, names, [state.people[c], *one], c, dice, full, learns and h >= 0))
    return out


def hero_number(state: Any, character: int) -> int:
    """The index of a character among those in play; -1 if it is not in play."""
    for h in range(int(state.n_heroes)):
        if state.heroes[h].character == character:
            return h
    return -1


@cache_piece_of_view
def _person_view(
    box: Any, names: Any, rows: list[Any], character: int, dice: tuple[int, ...], n_full_dice: int, may_learn: bool
) -> dict[str, Any]:
    """A character as plain data; `rows`: its sheet and, if it is in play, its mat.

    `dice`: the unspent action dice of its seat; `n_full_dice`: how many a turn brings; `may_learn`: it may spend experience now.
    """
    person, one = rows[0], rows[1] if len(rows) > 1 else None
    seat = int(one.seat) if one is not None and one.seat >= 0 else None
    kind = "locked" if person.state == LOCKED else "dead" if person.state == DEAD else "reserve"
    if one is not None and kind != "dead":
        kind = "out" if one.out else "active"
    card = (
        None
        if one is None or one.card < 0
        else _filled_card_view(box, names, one.card, one.n_path, one.path, one.path_die)
    )
    return {
        "ch": character,
        "name": names["character"][character],
        "title": Called(names)["character_title"][character],
        "seat": seat,
        "state": kind,
        "slot": int(one.slot) if one is not None and one.slot >= 0 else None,
        "dice": list(dice),
        "full": n_full_dice,
        "stress": {track: _stress_view(person, one, i) for i, track in enumerate(TRACKS)},
        "skills": {name: int(person.skills[i]) for i, name in enumerate(SKILLS)},
        "deed": Called(names)["character_deed"][character],
        "achievements": int(person.achievements),
        "abilities": _abilities_view(box, names, person, one, character),
        "xp": int(person.xp),
        "conditions": conditions_of_person(person.marks),
        "card": card,
        "reserve_actions": names_of_bits(person.reserves, names["reserve"]),
        "prices": _experience_prices(box, person, character) if may_learn else None,
        "next_achievement": _text_of_next_achievement(box, names, person, character),
    }


def _has_seat_with_two_heroes(state: Any) -> bool:
    """Does one seat lead two characters, which share its action dice?"""
    seats = [int(state.heroes[h].seat) for h in range(int(state.n_heroes))]
    return len(seats) > len(set(seats))


def unspent_dice(state: Any, seat: int) -> list[int]:
    """The values of a seat's unspent action dice, ascending."""
    return [v + 1 for v in range(FACES) for _ in range(int(state.seats[seat].dice[v]))]


def conditions_of_person(marks: Any) -> list[str]:
    """The names of the conditions marked on a character's sheet; `marks`: a bit set for each track."""
    return [CONDITIONS[3 * t + i].capitalize() for t in range(2) for i in range(3) if int(marks[t]) >> i & 1]


def _stress_view(person: Any, one: Any, track: int) -> dict[str, Any]:
    """A stress die of a character: its value, base value, box, and the marked boxes."""
    base, marks = int(person.start[track]), int(person.marks[track])
    return {
        "value": base if one is None else int(one.stress[track]),
        "base": base,
        "at": 0 if one is None else int(one.box_no[track]),
        "marked": [bool(marks >> i & 1) for i in range(3)],
    }


def _abilities_view(box: Any, names: Any, person: Any, one: Any, character: int) -> list[dict[str, Any]]:
    """The abilities that a character has gained, with their costs and the dice that lie on them."""
    out = []
    for k, achievement, price in _printed_abilities(box.character[character]):
        if achievement > person.achievements:
            continue
        used, stash = (int(one.used[k]), int(one.stash[k])) if one is not None else (0, 0)
        out.append(
            {
                "k": k,
                "text": Called(names)["ability_text"][character * ABILITIES + k],
                "short": Called(names)["ability_text_called"][character * ABILITIES + k],
                "pay": dict(price),
                "used": die_of_source(used - 1) if used else None,
                "may": False,
                "stash": [asset_die(stash - 1)] if stash else [],
            }
        )
    return out


@lru_cache(maxsize=64)
def _printed_abilities(sheet: Any) -> list[tuple[int, int, dict[str, Any]]]:
    """The abilities on a character's sheet, each as (place, the achievement that grants it, its cost)."""
    listed = [(k, sheet.ability[k]) for k in range(ABILITIES)]
    return [(k, int(one.achievement), ability_price(one)) for k, one in listed if one.there]


def ability_price(printed: Any) -> dict[str, Any]:
    """The printed cost of an ability."""
    return {
        "kind": list(PAY)[printed.pay],
        "value": max(0, int(printed.value)),
        "res": RESOURCES[printed.resource] if printed.resource >= 0 else None,
        "track": TRACKS[printed.track] if printed.track >= 0 else None,
    }


def die_of_source(source: int) -> list[Any]:
    """The die of a source number (see `POOL`), as [resource or "action", value]."""
    return ["action", source + 1] if source < FACES else asset_die((source - FACES) % (RES * FACES))


def _experience_prices(box: Any, person: Any, character: int) -> dict[str, Any]:
    """The price in experience of each thing that this character can buy now."""
    rules = box.rules
    ranks = {name: int(person.skills[i]) for i, name in enumerate(SKILLS)}
    skills = {
        name: int(rules.new_skill) if n == 0 else int(rules.skill_factor) * (n + 1)
        for name, n in ranks.items()
        if n < rules.most_skill
    }
    left = person.achievements < box.character[character].n_achievements
    clear = {
        CONDITIONS[3 * t + i].capitalize(): int(rules.clear[i])
        for t in range(2)
        for i in range(3)
        if int(person.marks[t]) >> i & 1
    }
    return {"skills": skills, "next": int(rules.xp_achievement) if left else None, "clear": clear}


def _text_of_next_achievement(box: Any, names: Any, person: Any, character: int) -> str | None:
    """The text of the ability that the character's next achievement grants; None if there is none left."""
    following = int(person.achievements) + 1
    for k, achievement, _price in _printed_abilities(box.character[character]):
        if achievement == following:
            return str(Called(names)["ability_text"][character * ABILITIES + k])
    return None


# --- Progress cards ------------------------------------------------------------------------------------------


def open_cards_view(box: Any, state: Any, names: Any) -> dict[str, dict[str, Any]]:
    """Every progress card that lies open, as printed, by name."""
    open_cards = [int(card) for card in state.staged] + [int(one.card) for one in state.heroes] + [int(state.shared)]
    open_cards += [int(card) for task in state.tasks for card in task.card]
    return {names["card"][card]: _printed(box.card[card]) for card in sorted(set(open_cards)) if card >= 0}


def printed_card(card: Any) -> dict[str, Any]:
    """A progress card as printed."""
    rewards = [*RESOURCES, "any"]
    return {
        "stage": max(0, int(card.stage)),
        "slot": int(card.slot) if card.slot >= 0 else None,
        "reward": [rewards[r] for r in range(RES + 1) for _ in range(int(card.reward[r]))],
        "icons": 0,
        "cells": [_cell_view(card, at) for at in range(CELLS) if card.cells[at].there],
    }


def _cell_view(one: Any, index: int) -> dict[str, Any]:
    """A cell of a progress card as plain data."""
    cell = one.cells[index]
    return {
        "r": index // SIDE,
        "c": index % SIDE,
        "type": "any" if not 0 <= cell.kind < RES else RESOURCES[cell.kind],
        "value": max(0, int(cell.value)),
        "region": REGIONS[cell.region] if cell.region >= 0 else "",
        "relation": RELATIONS[cell.relation],
        "start": bool(one.start == index),
        "end": bool(one.end == index),
    }


_printed = lru_cache(maxsize=256)(printed_card)
"""`printed_card` with a cache: the plain data of a box are read once, so their cards serve as cache keys."""


def _filled_card_view(box: Any, names: Any, card: int, n_dice: int, path: Any, dice: Any) -> dict[str, Any]:
    """A progress card as plain data, with the dice on it and the cells that may come next; `n_dice`: the number of dice on it."""
    printed = _printed(box.card[card])
    laid = [int(at) for at in path[: int(n_dice)]]
    free = [(one["r"], one["c"]) for one in printed["cells"] if one["r"] * SIDE + one["c"] not in laid]
    if laid:
        last = laid[-1] // SIDE, laid[-1] % SIDE
        next_cells = [[r, c] for r, c in free if max(abs(r - last[0]), abs(c - last[1])) == 1]
    else:
        next_cells = [[one["r"], one["c"]] for one in printed["cells"] if one["start"]]
    return {
        "name": names["card"][card],
        "cells": printed["cells"],
        "path": [[at // SIDE, at % SIDE, *asset_die(dice[i])] for i, at in enumerate(laid)],
        "next": next_cells,
    }


def shared_card_view(box: Any, state: Any, names: Any) -> dict[str, Any] | None:
    """The card that all players fill together, with its dice; None: it is not in play."""
    if state.shared < 0:
        return None
    return _filled_card_view(box, names, state.shared, state.shared_n, state.shared_path, state.shared_die)


# --- Missions ----------------------------------------------------------------------------------------------------


def missions_view(box: Any, state: Any, names: Any) -> list[dict[str, Any]]:
    """The missions of this session with what has been done for them."""
    return [_mission_view(box, state, names, k) for k in range(2) if state.tasks[k].mission >= 0]


def _mission_view(box: Any, state: Any, names: Any, task_index: int) -> dict[str, Any]:
    """A mission of this session as plain data."""
    task = state.tasks[task_index]
    number = int(task.mission)
    printed = box.mission[number]
    goals = []
    for i in range(GOALS):
        res = int(symbol(box, state, task_index, i))
        if res >= 0:
            card = int(task.card[i])
            goals.append({"res": RESOURCES[res], "met": names["card"][card] if card >= 0 else ""})
    return {
        "name": names["mission"][number],
        "difficult": bool(task.difficult),
        "goals": goals,
        "then": [_asked_obstacle_view(box, state, names, task, printed, i) for i in range(int(printed.n_then))],
        "text": sentences_of_card(names, "mission_text", number),
        "met": bool(is_met(box, state, task_index)),
        "setup": sentences_of_card(names, "mission_setup", number),
        "severing": int(state.severing) if printed.severing and state.severing else None,
    }


def _asked_obstacle_view(box: Any, state: Any, names: Any, task: Any, printed: Any, index: int) -> dict[str, Any]:
    """An obstacle that a mission asks for: its title, difficulty, and whether it waits, is in play or is overcome."""
    group, card = int(printed.then_group[index]), int(task.then_card[index])
    word = {WANTED: "in play", OVERCOME_IT: "done"}.get(int(task.then[index]), "waiting")
    if card >= 0 and word == "in play":
        hard = int(difficulty(box, state, card))
    else:
        hard = int(box.obstacle[printed.then_card[index]].difficulty + box.rules.harder[state.n_seats])
    return {"name": names["obstacle_title"][group], "state": word, "difficulty": hard}


# --- An overcome under way ------------------------------------------------------------------------------------------


def overcome_view(box: Any, state: Any) -> dict[str, Any] | None:
    """The overcome under way as plain data: pools, stress dice, progress so far; None: there is none."""
    over = state.over
    if over.obstacle < 0:
        return None
    card = int(over.obstacle)
    one = box.obstacle[card]
    rolled = [_stress_roll_view(v, None) for v in range(FACES) for _ in range(int(over.rolled[v]))]
    for v in range(FACES):
        for by in range(FACES):
            rolled += [_stress_roll_view(v, by) for _ in range(int(over.cancelled[v, by]))]
    dice = len(rolled) if rolled else int(n_stress_dice(box, state, card))
    return {
        "obstacle": card,
        "round": int(over.round_no),
        "stage": _overcome_step(state),
        "total": int(over.total),
        "difficulty": int(difficulty(box, state, card)),
        "stress_dice": dice,
        "kinds": names_of_bits(one.stress_mask, TRACKS),
        "skill": SKILLS[one.skill],
        "who": _fighters_view(box, state, int(one.skill)),
        "rolled": sorted(rolled, key=lambda row: row["value"]),
        "level_of": _resource_of_stress_dice(box, state, card),
        "done_up_to": int(over.at) if over.hits else 0,
        "sum": int(over.total),
        "asks": {"value": int(over.at)} if state.phase == P.choose_hero and over.hits else None,
    }


def _stress_roll_view(value_index: int, cancelled_by: int | None) -> dict[str, Any]:
    """A rolled stress die as plain data.

    `value_index`: its value less one, `cancelled_by`: the value less one of the reaction die that cancelled it, None if none did.
    """
    return {
        "value": value_index + 1,
        "by": None if cancelled_by is None else ["action", cancelled_by + 1],
        "gone": False,
    }


def _overcome_step(state: Any) -> str:
    """The step of an overcome's round: "pools" (setting dice), "cancel", "take" or "again"."""
    if state.phase == P.cancel:
        return "cancel"
    if state.phase == P.again:
        return "again"
    return "take" if any(state.over.rolled) or state.over.hits else "pools"


def _resource_of_stress_dice(box: Any, state: Any, card: int) -> str:
    """The resource whose threat level sets the number of an obstacle's stress dice; "" if it has none.

    It is the one with the highest level among the obstacle's threats.
    """
    levels = {
        r: int(box.track[r].levels[state.threat[r] - 1]) for r in range(RES) if n_threat_tags(box, state, card, r)
    }
    return RESOURCES[max(levels, key=lambda r: levels[r])] if levels else ""


def _fighters_view(box: Any, state: Any, skill: int) -> list[dict[str, Any]]:
    """The characters who take part in the overcome, with their rank, reaction dice and progress dice."""
    out = []
    for h in range(int(state.n_heroes)):
        if not int(state.over.joined) >> h & 1:
            continue
        hero = state.heroes[h]
        seat = int(hero.seat)
        react = [die_of_source(s) for s in range(FACES + RES * FACES) for _ in range(int(state.over.react[h, s]))]
        free = [["action", v] for v in unspent_dice(state, seat)] if counts_dice(box, state, h, skill) else []
        added = [asset_die(a) for a in range(RES * FACES) for _ in range(int(state.over.add[h, a]))]
        rank = int(state.people[hero.character].skills[skill])
        out.append({"ch": int(hero.character), "rank": rank, "reaction": react, "progress": free + added})
    return out
