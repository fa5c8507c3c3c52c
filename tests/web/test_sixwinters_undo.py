"""Taking back in Six Winters: what revealed nothing and drew no luck goes back at once, all else asks the others, and says why."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from games.sixwinters.scene import Scene
from sutler.web.errors import Refused
from sutler.web.events import Created, SeatPlan
from sutler.web.table import moves, undo
from sutler.web.table.room import Room


def table(app: FastAPI) -> Room:
    """Ada's Keel and Bo's Fuscus in the actions step; dice in a pool, an obstacle in the way."""
    scene = Scene().heroes("Keel at Eastkeep", "Fuscus at Guild of Strategy").dice([2, 3, 4, 5], [3, 3, 4])
    pos = scene.pools(technology=[2, 3, 6]).obstacles("Eastkeep", "Legionary 1").go()
    plans = tuple(SeatPlan(kind="me", name=name) for name in ("Ada", "Bo"))
    opening = base64.b64encode(pos.to_bytes()).decode()
    room: Room = app.state.house.open_table(Created(game="sixwinters", seed=1, seats=plans, opening=opening))
    return room


def does(room: Room, *actions: str) -> None:
    """Whoever is to act does one after another."""
    for action in actions:
        seat = room.pos.seat
        assert seat is not None
        moves.play_action(room, (seat,), room.decision, action)


def test_a_move_and_created_assets_are_taken_back_step_by_step(app: FastAPI, client: TestClient) -> None:
    """Nothing was hidden in them: dice paid lie there again, the asset is in its pool, to the byte."""
    room = table(app)
    states = [room.pos.to_bytes()]
    for action in ("step in second", "create with action 3", "take die 2"):
        does(room, action)
        states.append(room.pos.to_bytes())
    while room.decision:
        states.pop()
        undo.undo_decision(room, (0, 1), room.decision)
        assert room.pos.to_bytes() == states[-1]
    with pytest.raises(Refused, match="not yours"):
        undo.undo_decision(room, (0, 1), 0)


def test_only_who_decided_takes_it_back(app: FastAPI, client: TestClient) -> None:
    """Another seat is told to ask."""
    room = table(app)
    does(room, "step in second", "create with action 3")
    with pytest.raises(Refused, match="The last decision was not yours"):
        undo.undo_decision(room, (0,), room.decision)


def until_luck(room: Room) -> None:
    """An obstacle is overcome as far as to the stress dice."""
    does(room, next(one.name for one in room.pos.actions() if one.name.startswith("overcome")))
    for _ in range(20):
        before = room.pos.state.rng.tobytes()
        legal = {one.name: one for one in room.pos.actions()}
        does(room, "roll" if "roll" in legal else next(iter(legal)))
        if room.pos.state.rng.tobytes() != before:
            return
    raise AssertionError("nobody rolled")


def test_what_was_rolled_stays(app: FastAPI, client: TestClient) -> None:
    """7.4: the stress dice are luck; the refusal says so, and asking goes back with other luck to come."""
    room = table(app)
    until_luck(room)
    decision, kept = room.decision, room.pos.to_bytes()
    assert not room.pos.can_undo()
    with pytest.raises(Refused, match="Something was revealed or drawn since"):
        undo.undo_decision(room, (0, 1), decision)
    assert (room.decision, room.pos.to_bytes()) == (decision, kept), "a refusal changes nothing"
    luck: Any = room.pos.at(decision - 1).state.rng.tolist()
    undo.ask_for_undo(room, (0, 1), decision)
    assert room.decision == decision - 1
    assert room.pos.state.rng.tolist() != luck, "nobody rolls the same dice twice"


def test_a_turns_end_draws_cards_and_stays(app: FastAPI, client: TestClient) -> None:
    """8: as the last seat is done the pools are rolled and new obstacles drawn from the piles: hidden until then."""
    room = table(app)
    turn = int(room.pos.state.turn_no)
    while int(room.pos.state.turn_no) == turn and not room.pos.over:
        names = [one.name for one in room.pos.actions()]
        does(room, next((one for one in names if one.startswith(("done", "let"))), names[0]))
        assert room.decision < 200
    with pytest.raises(Refused, match="Something was revealed or drawn since"):
        undo.undo_decision(room, (0, 1), room.decision)
