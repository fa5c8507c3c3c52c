"""A bot among people, in a step without turns: it waits to be asked, and does not end the step by itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import sutler
from sutler.core.play.position import Position
from sutler.web.table.out_of_turn import STEP_IN, find_yielding_action

PERSON, BOT = 0, 1


def table(first: int = PERSON) -> Any:
    """A room at the first actions step of a campaign for two: a person and a bot, whose word it is at the start."""
    pos = sutler.load("sixwinters").new(2, seed=4)
    while not entered(pos):
        pos.play(pos.actions()[0])
    kinds = ["me", "bot"] if first == PERSON else ["bot", "me"]
    seats = [SimpleNamespace(kind=kind) for kind in kinds]
    chairs = SimpleNamespace(is_person=lambda seat: seats[seat].kind == "me")
    return SimpleNamespace(pos=pos, seats=seats, chairs=chairs, actions=[])


def entered(pos: Position) -> bool:
    return any(action.block == "done" for action in pos.actions())


def play(room: Any, action: str) -> None:
    room.actions.append((room.pos.seat, action))
    room.pos.play(action)


def done(room: Any) -> str:
    return next(action.name for action in room.pos.actions() if action.block == "done")


def something(room: Any) -> str:
    """Anything that a bot may want to do, beside being done."""
    return next(action.name for action in room.pos.actions() if action.block not in ("done", STEP_IN))


def block(room: Any, action: str | None) -> str:
    return "" if action is None else str(room.pos.game.action_names.find_action(action).block)


def test_the_word_goes_to_the_person_first() -> None:
    room = table(first=BOT)
    assert room.pos.seat == 0
    way = find_yielding_action(room, 0, something(room))
    assert block(room, way) == STEP_IN
    play(room, str(way))
    assert room.pos.seat == 1, "the person acts"
    play(room, done(room))
    assert room.pos.seat == 0
    assert find_yielding_action(room, 0, something(room)) is None, "the person is done: now the bot acts"


def test_a_bot_that_is_given_the_word_acts() -> None:
    room = table()
    turn = room.pos.state["turn_no"]
    play(room, next(action.name for action in room.pos.actions() if action.block == STEP_IN))
    assert room.pos.seat == BOT
    assert find_yielding_action(room, BOT, something(room)) is None
    assert find_yielding_action(room, BOT, done(room)) is None, "done, it leaves the rest to the person"
    play(room, done(room))
    assert (room.pos.seat, room.pos.state["turn_no"]) == (PERSON, turn)


def test_a_bot_does_not_end_the_step_by_itself() -> None:
    room = table()
    turn = room.pos.state["turn_no"]
    play(room, done(room))
    assert room.pos.seat == BOT
    assert find_yielding_action(room, BOT, something(room)) is None
    way = find_yielding_action(room, BOT, done(room))
    assert block(room, way) == STEP_IN, "a last word for the person"
    play(room, str(way))
    assert (room.pos.seat, room.pos.state["turn_no"]) == (PERSON, turn)
    play(room, done(room))
    assert find_yielding_action(room, BOT, done(room)) is None, "there was no wish: the turn may end"
    play(room, done(room))
    assert room.pos.state["turn_no"] != turn or not entered(room.pos)


@pytest.mark.parametrize("kind", ["bot", "file"])
def test_among_bots_nobody_waits(kind: str) -> None:
    room = table(first=BOT)
    room.seats[1].kind = kind
    assert find_yielding_action(room, 0, something(room)) is None
    assert find_yielding_action(room, 0, done(room)) is None


def test_a_game_with_turns_knows_no_partners() -> None:
    pos = sutler.load("manor").new(2, seed=1)
    room = SimpleNamespace(pos=pos, seats=[SimpleNamespace(kind="bot"), SimpleNamespace(kind="me")], taken=[True, True])
    assert find_yielding_action(room, 0, pos.actions()[0].name) is None
