"""Lessons at a table: the learner's present step, replies to clicks, and the moves of the other seats.

A lesson's table is a room like any other, with the same events; the step is set by one more kind of event (`Taught`), so that it is kept
after a pause, on another device, or after a restart. The content of a lesson is data (`core.text.lesson`).
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sutler.core.text.language import _
from sutler.core.text.lesson import Lesson, Step, is_awaited, list_spot_names, read_lessons
from sutler.web.errors import Lost, Refused, Stale
from sutler.web.events import Taught, Undone
from sutler.web.sentence_html import escape_html, to_plain_text
from sutler.web.table.room import Room
from sutler.web.table.teaching.puzzles import is_puzzle

if TYPE_CHECKING:
    from sutler.core.text.sentences import Choice
    from sutler.web.game_shelf import Shelf
    from sutler.web.table.table_as_seen import Look


@functools.cache
def load_lessons(folder: Path) -> dict[str, Lesson]:
    """The lessons of the game in this folder, by name, read once."""
    return read_lessons(folder)


@functools.lru_cache(maxsize=64)
def _parse_script(script: str) -> Lesson:
    """An uploaded lesson, which was tested by the upload. `script`: its content as JSON."""
    return Lesson.model_validate(json.loads(script))


def find_lesson(shelf: Shelf, game_name: str, name: str) -> Lesson:
    """A game's own lesson by its name. Raises Lost when there is none."""
    listed = load_lessons(shelf.find_game_folder(game_name)) if game_name in shelf.list_installed_games() else {}
    if name not in listed:
        raise Lost("There is no such lesson.")
    return listed[name]


# --- The learner's present step ----------------------------------------------------------------------


@dataclass(frozen=True)
class PresentStep:
    """A step of a lesson (`number`, from 0), and how many decisions were made since it began (`done`)."""

    lesson: Lesson
    number: int
    done: int

    @property
    def step(self) -> Step:
        """The content of the step."""
        return self.lesson.step[self.number]

    @property
    def is_last(self) -> bool:
        """Is this the last step of the lesson?"""
        return self.number == len(self.lesson.step) - 1


def find_present_step(room: Room) -> PresentStep | None:
    """The present step of the lesson at a table; None where no lesson is taught."""
    if not room.created.lesson or is_puzzle(room.created.lesson):
        return None
    made = room.created
    lesson = (
        _parse_script(json.dumps(made.script))
        if made.script
        else find_lesson(room.services.shelf, made.game, made.lesson)
    )
    number = min(len(room.taught), len(lesson.step)) - 1
    return PresentStep(lesson, max(number, 0), room.decision - (room.taught[number] if number >= 0 else 0))


def count_progress(room: Room) -> tuple[int, int]:
    """(the present step of a lesson from 1, the number of its steps); zeros at a table without a lesson."""
    now = find_present_step(room)
    return (now.number + 1, len(now.lesson.step)) if now else (0, 0)


def format_step(name: str, step: int, steps: int) -> str:
    """The present step of a lesson in words for the lobby. `name`: the lesson's; `step`: from 1; `steps`: their number."""
    return _("{lesson}, step {n} of {most}", lesson=_lesson_title(name), n=step, most=steps)


def is_lesson_finished(room: Room) -> bool:
    """Has the learner reached the last step?"""
    now = find_present_step(room)
    return now is not None and now.is_last


def _lesson_title(name: str) -> str:
    """The title of a lesson by its name ("first")."""
    called = {"first": _("First lesson"), "second": _("Second lesson"), "third": _("Third lesson")}
    return called.get(name, _("Lesson"))


# --- The learner's clicks -----------------------------------------------------------------------------


def count_awaited_in_a_row(room: Room, action: str) -> int:
    """How many times in a row the present step of the lesson waits for this action, by its name; 0 where it waits for another."""
    now = find_present_step(room)
    times = 0
    while now is not None and is_awaited(action, now.step.list_awaited_actions(now.done + times)):
        times += 1
    return times


def limit_times(room: Room, choices: list[Choice]) -> list[Choice]:
    """The choices, none of them offered more times in a row than the lesson's present step waits for it; unchanged without a lesson."""
    if find_present_step(room) is None:
        return choices
    return [
        replace(one, times=min(one.times, max(1, count_awaited_in_a_row(room, one.name)))) if one.times > 1 else one
        for one in choices
    ]


def play_lesson_action(room: Room, seats: tuple[int, ...], decision: int, action: str, times: int = 1) -> None:
    """Play the action that the lesson waits for; raises Refused, with the lesson's reason, for any other. The caller holds the lock.

    `seats`: those of the person who clicks; `decision`: the number of decisions that their page has seen; raises Stale where it is old.
    `times`: how many times in a row; never more often than the step waits for it.
    """
    now = find_present_step(room)
    assert now is not None
    if decision != room.decision:
        raise Stale("The lesson has moved on. Here it is as it stands.")
    if refusal := room.pos.why_not(action):
        raise Refused(refusal.text, refusal.rule)
    if room.pos.seat not in seats or not is_awaited(action, now.step.list_awaited_actions(now.done)):
        raise Refused(room.game.tongue(now.step.find_reply(action)))
    played = min(times, count_awaited_in_a_row(room, action))
    for _again in range(played):
        room.play_action(now.lesson.you, action)
    if now.done + played >= len(now.step.wait):
        _finish_step(room)


def press_button(room: Room, seats: tuple[int, ...], button: str, step: int) -> None:
    """Carry out a button of the lesson's panel (`button`): "on", "back", "show" (the move), or "again" (from the beginning).

    `step`: the number of the step that the page shows, from 0; raises Stale where it is old.
    """
    with room.lock:
        room.require_sound()
        now = find_present_step(room)
        if now is None or now.lesson.you not in seats:
            raise Refused("Nobody is being taught here.")
        if step != now.number:
            raise Stale("The lesson has moved on. Here it is as it stands.")
        waits = now.step.list_awaited_actions(now.done)
        if button == "on" and not waits:
            _finish_step(room)
        elif button == "show" and waits:
            play_lesson_action(room, seats, room.decision, next(one for one in waits if room.pos.why_not(one) is None))
        elif button == "back":
            _rewind_to_step(room, now, now.number if now.done else max(now.number - 1, 0))
        elif button == "again":
            _rewind_to_step(room, now, 0)
        else:
            raise Refused("Do it first, or let it be shown to you.")


def _finish_step(room: Room) -> None:
    """Play the moves that the lesson has for the other seats, then begin the next step."""
    now = find_present_step(room)
    if now is None:
        return
    for action in now.step.others[max(now.done - len(now.step.wait), 0) :]:
        room.play_action(room.pos.seat or 0, action)
    if not now.is_last:
        room.commit_events(Taught(step=now.number + 1, decision=room.decision))


def _rewind_to_step(room: Room, now: PresentStep, number: int) -> None:
    """Take the game back to the beginning of step `number` (from 0)."""
    began = room.taught[number]
    if began < room.decision:
        room.commit_events(Undone(seat=now.lesson.you, to=began))
    room.commit_events(Taught(step=number, decision=began))


# --- The panel on the page ----------------------------------------------------------------------------


def build_lesson_panel(room: Room, look: Look, answer: str = "") -> dict[str, Any] | None:
    """The template context of the lesson's panel on the page; None where no lesson is taught. `answer`: the reply to a wrong click."""
    now = find_present_step(room)
    if now is None:
        return None
    step, waits, told = now.step, now.step.list_awaited_actions(now.done), room.game.tongue
    offered = {one.name.casefold(): one for one in look.choices}
    wanted = next((offered[one.casefold()] for one in waits if one.casefold() in offered), None)
    return {
        "head": _lesson_title(room.created.lesson),
        "title": told(now.lesson.title),
        "number": now.number + 1,
        "of": len(now.lesson.step),
        "say": render_bold_stars(told(step.say)),
        "more": render_bold_stars(told(step.more)),
        "wait": bool(waits),
        "do": to_plain_text(wanted.label) if wanted else "",
        "answer": answer,
        "first": now.number == 0 and not now.done,
        "last": now.is_last,
        "spots": _choose_spots(room, step, wanted),
        "action": wanted.name if wanted else "",
        "game": room.created.game,
        "others": [
            name
            for name in load_lessons(room.services.shelf.find_game_folder(room.created.game))
            if name > room.created.lesson
        ],
    }


def _choose_spots(room: Room, step: Step, wanted: Choice | None) -> list[str]:
    """The spots to light up: the spot of the awaited action (`wanted`) if it has one, else the spots to which the step points."""
    names = room.game.names
    aimed = [wanted.at] if wanted is not None and wanted.at else []
    return [*aimed, *([] if wanted is not None else list_spot_names(step.point, names))]


def render_bold_stars(text: str) -> Markup:
    """A sentence as HTML, with parts between stars in bold."""
    return Markup(re.sub(r"\*([^*]+)\*", r"<b>\1</b>", escape_html(text)))
