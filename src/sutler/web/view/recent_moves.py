"""Recent moves of other players, one act for each decision: who moved, its costs and gains, and whether it affects the viewer."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.core.text.language import get_language
from sutler.core.text.sentences import Sentence, Word
from sutler.web.table.table_as_seen import get_log, get_view_at
from sutler.web.view import game_log, jinja_templates

if TYPE_CHECKING:
    from sutler.web.table.room import Room

MAX_ACTS = 40
"""The most acts that are shown one by one (the newest)."""


@dataclass(frozen=True)
class NewsRequest:
    """A page's request for the acts after decision `since`. `at_once`: show the present table, instead of following them one by one."""

    since: int
    at_once: bool = False


@dataclass(frozen=True)
class Figure:
    """A number of a seat that has changed."""

    label: str
    icon: str
    was: int
    now: int


@dataclass(frozen=True)
class Act:
    """The effects of one decision, as shown to the viewer.

    `decision`: the number of decisions after it; `arms`: the colour (1 to 6) of the seat that the sentence names; `also`: a second effect;
    `touches`: does it affect the viewer?
    """

    decision: int
    seat: int
    arms: int
    icon: str
    sentence: Sentence
    also: Sentence
    figures: tuple[Figure, ...]
    touches: bool


def list_acts_since(room: Room, eyes: int | None, since: int) -> list[Act]:
    """The acts after decision `since`, as the seat `eyes` may know them (None: a watcher). The caller holds the lock."""
    by_decision: dict[int, list[Any]] = {}
    if room.chairs.waiting:
        return []
    actors = [seat for seat, _ in room.actions]
    for entry in game_log.group_entries([one for one in get_log(room, eyes) if one.decision > since], actors):
        if not entry.head.heading:
            by_decision.setdefault(entry.head.decision, []).append(entry)
    counted = get_counted_numbers(room.created.game)
    found = []
    for decision in sorted(by_decision)[-MAX_ACTS:]:
        seat = room.actions[decision - 1][0]
        before, after = get_view_at(room, eyes, decision - 1), get_view_at(room, eyes, decision)
        lines = [line for entry in by_decision[decision] for line in entry.lines]
        changed = _compare_numbers(before, after, seat, counted)
        mine = _compare_numbers(before, after, eyes, counted) if eyes is not None and eyes != seat else []
        arms, shown = after.get("arms") or [], find_named_seat(lines[0].sentence, seat)
        found.append(
            Act(
                decision,
                seat,
                int(arms[shown]) if shown < len(arms) else shown % 6 + 1,
                game_log.choose_icon(lines[0], room.created.game, after),
                lines[0].sentence,
                lines[1].sentence if len(lines) > 1 else (),
                tuple(changed[:2]),
                bool(mine) or (eyes != seat and any(_names_seat(line.sentence, eyes) for line in lines)),
            )
        )
    return found


def find_first_act_to_follow(acts: list[Act], own_seats: tuple[int, ...], is_own_turn: bool) -> Act | None:
    """The act from which on a page shows acts one by one; None where it need not.

    `own_seats`: the viewer's seats; `is_own_turn`: does the viewer decide now? A single act of another player before the viewer's own
    decision is not shown, unless it affects them.
    """
    others = [act for act in acts if act.seat not in own_seats]
    if not others or (is_own_turn and len(others) == 1 and not others[0].touches):
        return None
    return others[0]


def find_named_seat(sentence: Sentence, default: int) -> int:
    """The first seat that a sentence names, whose arms are shown (a pass may let another seat draw); `default` where it names none."""
    first = next((part for part in sentence if isinstance(part, Word) and part.kind == "seat"), None)
    return int(first.key) if first is not None and str(first.key).isdigit() else default


def _names_seat(sentence: Sentence, seat: int | None) -> bool:
    """Does a sentence name this seat?"""
    return any(isinstance(part, Word) and part.kind == "seat" and part.key == str(seat) for part in sentence)


def get_counted_numbers(game: str) -> dict[str, tuple[str, str]]:
    """The numbers of a seat that a game's board declares as counted: key to (icon, name)."""
    return _read_counted_numbers(game, get_language())


@functools.cache
def _read_counted_numbers(game: str, wanted: str) -> dict[str, tuple[str, str]]:
    """The numbers that a game's board declares as counted. `wanted`: the language, as part of the cache key."""
    names: dict[str, tuple[str, str]] = getattr(
        jinja_templates.load_board_macros(game, dict(BARE_CONTEXT, symbol=str)), "COUNTED", {}
    )
    return names


BARE_CONTEXT: dict[str, Any] = {"lit": {}, "reasons": {}, "before": None}


def _read_counted_values(view: dict[str, Any], seat: int, keys: Any) -> dict[str, int]:
    """A seat's numbers by key; if the seat leads several powers, the powers' numbers are added."""
    leads = [one for one in (view.get("powers") or {}).values() if one.get("seat") == seat]
    found: dict[str, int] = {}
    for key in keys:
        for one in (view["seats"][seat], *leads):
            value: Any = one
            for part in key.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if isinstance(value, int):
                found[key] = found.get(key, 0) + value
    return found


def find_certain_changes(
    game: str, seat: int, outcomes: Sequence[tuple[dict[str, Any], dict[str, Any]]]
) -> list[Figure]:
    """The changes of a seat's numbers that a move is certain to make: those in which all its possible outcomes agree.

    `outcomes`: pairs of views, before and after the move.
    """
    told = [_compare_numbers(before, after, seat, get_counted_numbers(game)) for before, after in outcomes]
    return [one for one in told[0] if all(one in other for other in told[1:])] if told else []


def _compare_numbers(
    before: dict[str, Any], after: dict[str, Any], seat: int, counted: dict[str, tuple[str, str]]
) -> list[Figure]:
    """The numbers of a seat that differ between two views. `counted`: from `get_counted_numbers`."""
    was, now = _read_counted_values(before, seat, counted), _read_counted_values(after, seat, counted)
    return [
        Figure(label, icon, was[key], now[key])
        for key, (icon, label) in counted.items()
        if key in was and key in now and was[key] != now[key]
    ]
