"""Lessons at a table: where the learner stands in one, what is said to a click, and what the others then do.

A lesson's table is a room like any other, made of the same events; how far it has come is one more kind of event (`Taught`), so
that it is there again after a pause, on another device, after a restart. What a lesson holds is data (`core.lesson`).
"""

from __future__ import annotations

import base64
import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sutler.core.language import _
from sutler.core.lesson import Lesson, Step, action_there, lessons_in, opening, spots_of
from sutler.web.errors import Lost, Refused, Stale
from sutler.web.events import Created, SeatPlan, Taught, Undone
from sutler.web.table import moves
from sutler.web.wording import plain, quoted

if TYPE_CHECKING:
    from sutler.core.speech import Choice
    from sutler.web.table.registry import House
    from sutler.web.table.room import Room
    from sutler.web.table.snapshot import Look


@functools.cache
def lessons_of(folder: Path) -> dict[str, Lesson]:
    """A game's lessons by name, read once."""
    return lessons_in(folder)


def created(house: House, game_name: str, name: str) -> Created:
    """The table of a lesson. Lost when there is no such lesson."""
    return table_of(house, _found(house, game_name, name), name)


def table_of(house: House, lesson: Lesson, name: str, script: dict[str, Any] | None = None) -> Created:
    """The table at which this lesson is taught. `script`: what its file holds, where it is none of the game's own."""
    from sutler.bots import bot

    game_name = lesson.game
    game = house.shelf.game(game_name, lesson.options)
    pos = opening(lesson, game, bots=bot)
    seats = tuple(
        SeatPlan(kind="me" if seat == lesson.you else "file", name=called) for seat, called in enumerate(lesson.names)
    )
    return Created(
        game=game_name,
        options=lesson.options,
        seed=lesson.seed,
        seats=seats,
        open_to_watch=False,
        box_hash=str(game.box_hash),
        opening=base64.b64encode(pos.to_bytes()).decode(),
        lesson=name,
        script=script or {},
    )


def sit_down(house: House, browser: str, game_name: str, name: str) -> tuple[Room, int]:
    """The table of this lesson at which somebody stopped half way, or a new one; and the seat."""
    held = house.store.seats_of(browser)
    house.bring_up_to_date(list(held))
    for _at, standing in house.store.standings(list(held), over=False):
        if (standing.game, standing.lesson) == (game_name, name):
            return house.room(standing.table), held[standing.table][0]
    room = house.open(created(house, game_name, name))
    seat = _found(house, game_name, name).you
    house.store.seated(browser, room.id, (seat,))
    return room, seat


@functools.lru_cache(maxsize=64)
def _scripted(script: str) -> Lesson:
    """A lesson that came as a file; it was rehearsed before it was kept."""
    return Lesson.model_validate(json.loads(script))


def _found(house: House, game_name: str, name: str) -> Lesson:
    listed = lessons_of(house.shelf.folder(game_name)) if game_name in house.shelf.installed() else {}
    if name not in listed:
        raise Lost("There is no such lesson.")
    return listed[name]


# --- Where the learner stands ------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A step of a lesson, and how many decisions were made since it began."""

    lesson: Lesson
    number: int
    done: int

    @property
    def step(self) -> Step:
        """The step."""
        return self.lesson.step[self.number]

    @property
    def is_last(self) -> bool:
        """Nothing comes after it."""
        return self.number == len(self.lesson.step) - 1


def place(room: Room) -> Place | None:
    """Where a room's lesson stands; None for every other game."""
    if not room.created.lesson:
        return None
    made = room.created
    lesson = _scripted(json.dumps(made.script)) if made.script else _found(room.house, made.game, made.lesson)
    number = min(len(room.taught), len(lesson.step)) - 1
    return Place(lesson, max(number, 0), room.decision - (room.taught[number] if number >= 0 else 0))


def how_far(room: Room) -> tuple[int, int]:
    """(the step a lesson has come to, from 1; how many it has); zeros for every other game."""
    now = place(room)
    return (now.number + 1, len(now.lesson.step)) if now else (0, 0)


def said_step(name: str, step: int, steps: int) -> str:
    """The same in words, for the lobby."""
    return _("{lesson}, step {n} of {most}", lesson=_called(name), n=step, most=steps)


def is_finished(room: Room) -> bool:
    """Has the learner come to the last step?"""
    now = place(room)
    return now is not None and now.is_last


def _called(name: str) -> str:
    called = {"first": _("First lesson"), "second": _("Second lesson"), "third": _("Third lesson")}
    return called.get(name, _("Lesson"))


# --- What the learner does ----------------------------------------------------------------------------


def act(room: Room, seats: tuple[int, ...], decision: int, action: str) -> None:
    """The learner chooses: what is waited for is played, all else is answered with the reason."""
    with room.lock:
        room.whole()
        now = place(room)
        if now is None:
            moves.act(room, seats, decision, action)
            return
        if decision != room.decision:
            raise Stale("The lesson has moved on. Here it is as it stands.")
        if refusal := room.pos.why_not(action):
            raise Refused(refusal.text, refusal.rule)
        if room.pos.seat not in seats or not action_there(action, now.step.awaited(now.done)):
            raise Refused(room.game.tongue(now.step.answer(action)))
        room.play(now.lesson.you, action)
        if now.done + 1 >= len(now.step.wait):
            _finish_step(room)


def guide(room: Room, seats: tuple[int, ...], do: str, step: int) -> None:
    """Go on, go back, show me, or from the beginning: the four buttons of the slip."""
    with room.lock:
        room.whole()
        now = place(room)
        if now is None or now.lesson.you not in seats:
            raise Refused("Nobody is being taught here.")
        if step != now.number:
            raise Stale("The lesson has moved on. Here it is as it stands.")
        waits = now.step.awaited(now.done)
        if do == "on" and not waits:
            _finish_step(room)
        elif do == "show" and waits:
            act(room, seats, room.decision, next(one for one in waits if room.pos.why_not(one) is None))
        elif do == "back":
            _back_to(room, now, now.number if now.done else max(now.number - 1, 0))
        elif do == "again":
            _back_to(room, now, 0)
        else:
            raise Refused("Do it first, or let it be shown to you.")


def _finish_step(room: Room) -> None:
    """The others do what the lesson says they do; then the next step begins."""
    now = place(room)
    if now is None:
        return
    for action in now.step.others[max(now.done - len(now.step.wait), 0) :]:
        room.play(room.pos.seat or 0, action)
    if not now.is_last:
        room.commit(Taught(step=now.number + 1, decision=room.decision))


def _back_to(room: Room, now: Place, number: int) -> None:
    """The game goes back to where a step began."""
    began = room.taught[number]
    if began < room.decision:
        room.commit(Undone(seat=now.lesson.you, to=began))
    room.commit(Taught(step=number, decision=began))


# --- What the slip shows ------------------------------------------------------------------------------


def slip(room: Room, look: Look, answer: str = "") -> dict[str, Any] | None:
    """What the lesson's slip is drawn from; None for every other game. `answer`: what is said to a wrong click."""
    now = place(room)
    if now is None:
        return None
    step, waits, told = now.step, now.step.awaited(now.done), room.game.tongue
    offered = {one.name.casefold(): one for one in look.choices}
    wanted = next((offered[one.casefold()] for one in waits if one.casefold() in offered), None)
    return {
        "head": _called(room.created.lesson),
        "title": told(now.lesson.title),
        "number": now.number + 1,
        "of": len(now.lesson.step),
        "say": starred(told(step.say)),
        "more": starred(told(step.more)),
        "wait": bool(waits),
        "do": plain(wanted.label) if wanted else "",
        "answer": answer,
        "first": now.number == 0 and not now.done,
        "last": now.is_last,
        "spots": _spots(room, step, wanted),
        "action": wanted.name if wanted else "",
        "game": room.created.game,
        "others": [
            name for name in lessons_of(room.house.shelf.folder(room.created.game)) if name > room.created.lesson
        ],
    }


def _spots(room: Room, step: Step, wanted: Choice | None) -> list[str]:
    """What is lit, the first that is on the table: what the action waited for aims at, else the step's point."""
    names = room.game.names
    aimed = [wanted.at] if wanted is not None and wanted.at else []
    return [*aimed, *([] if wanted is not None else spots_of(step.point, names))]


def starred(text: str) -> Markup:
    """A sentence as markup: what stands between stars is what it is about."""
    return Markup(re.sub(r"\*([^*]+)\*", r"<b>\1</b>", quoted(text)))
