"""The table of a lesson: planned, opened for a learner, or found again."""

from __future__ import annotations

import base64
from typing import Any

from sutler.core.text.lesson import Lesson, build_opening_position
from sutler.web.events import Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.teaching.lessons import find_lesson


def plan_lesson_table(house: House, game_name: str, name: str) -> Created:
    """The plan of the table for one of a game's own lessons. Raises Lost when there is no such lesson."""
    return plan_from_lesson(house.shelf, find_lesson(house.shelf, game_name, name), name)


def plan_from_lesson(shelf: Shelf, lesson: Lesson, name: str, script: dict[str, Any] | None = None) -> Created:
    """The plan of the table for this lesson. `script`: the content of its file, if it is an uploaded one."""
    from sutler.bots import bot

    game_name = lesson.game
    game = shelf.load_game(game_name, lesson.options)
    pos = build_opening_position(lesson, game, bots=bot)
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


def open_lesson_table(house: House, browser: str, game_name: str, name: str) -> tuple[Room, int]:
    """(the learner's unfinished table of this lesson, or a new one; the learner's seat there). `browser`: the hash of its cookie."""
    held = house.store.load_seats_of_browser(browser)
    house.write_listings(list(held))
    for _at, standing in house.store.load_standings(list(held), over=False):
        if (standing.game, standing.lesson) == (game_name, name):
            return house.get_room(standing.table), held[standing.table][0]
    room = house.open_table(plan_lesson_table(house, game_name, name))
    seat = find_lesson(house.shelf, game_name, name).you
    house.store.record_seats(browser, room.id, (seat,))
    return room, seat
