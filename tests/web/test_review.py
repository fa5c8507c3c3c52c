"""The turning points on the page of a game that is over, and playing on from them at a new table."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.core.rule import PLAIN_ONLY
from sutler.lab.studies import costly_decisions as study
from sutler.lab.studies.costly_decisions import CostlyDecision
from sutler.web.events import Created, Joined, SeatPlan
from sutler.web.table import moves
from sutler.web.table.room import Room
from sutler.web.table.teaching import turning_points

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(PLAIN_ONLY, reason="in plain Python no game is looked back on")]
SEATS = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="link", name="Perrin"))


@pytest.fixture
def room(app: FastAPI, client: TestClient) -> Room:
    """A short table of two people."""
    opened: Room = app.state.house.open_table(
        Created(game="manor", seed=4, seats=SEATS, options={"victory": 5, "offers": 0})
    )
    opened.commit_events(Joined(seat=1, name="Perrin"))
    return opened


def to_the_end(room: Room) -> None:
    """Both play whatever comes first."""
    while not room.pos.over:
        moves.play_action(room, (room.pos.seat or 0,), room.decision, room.pos.actions()[0].name)


def plant(monkeypatch: pytest.MonkeyPatch, *decisions: int) -> list[frozenset[int]]:
    """Have the study find these decisions; gives the seats it is asked about, once for each time."""
    asked: list[frozenset[int]] = []

    def found(pos: Any, seats: frozenset[int]) -> list[CostlyDecision]:
        asked.append(seats)
        names = pos.game.action_names
        return [
            CostlyDecision(one, made.seat, names[made.action], names[0], 0.2, 0.5, 0.1, 100)
            for one in decisions
            for made in [pos.decisions[one]]
        ]

    monkeypatch.setattr(study, "find_costly_decisions", found)
    return asked


def test_a_game_is_looked_back_on_when_it_is_over(
    room: Room, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, nobody hears a word of it: it would tell what the others hold. Afterwards it is found once, for all who look."""
    asked = plant(monkeypatch, 3)
    seat, watch = f"/seat/{room.make_seat_token(0)}", f"/watch/{room.id}"
    for base in (seat, watch):
        assert client.get(f"{base}/review").status_code == 403
        assert 'id="review"' not in client.get(base).text
    to_the_end(room)
    whole = client.get(seat).text
    assert f'hx-get="{seat}/review"' in whole
    taken = room.pos.game.action_names[room.pos.decisions[3].action].name
    told = client.get(f"{seat}/review").text
    assert "wins more often from there: 50 games in 100, not 20." in told
    assert f'href="{seat}?moment=3"' in told
    assert taken.split()[0].casefold() in told.casefold()
    assert "100 times with either choice" in client.get(f"{watch}/review").text
    assert asked == [frozenset({0, 1})]
    again = client.get(seat).text
    assert 'hx-get="' + seat + '/review"' not in again, "found already: the page has it"
    assert "50 games in 100" in again


def test_only_peoples_decisions_are_looked_at(room: Room) -> None:
    """Bots are not taught; where nobody else played, they are looked at all the same."""
    assert turning_points.list_reviewed_seats(room) == {0, 1}
    room.seats[1] = SeatPlan(kind="bot", name="Perrin")
    assert turning_points.list_reviewed_seats(room) == {0}
    room.seats[0] = SeatPlan(kind="bot", name="Agnes")
    assert turning_points.list_reviewed_seats(room) == {0, 1}


def test_where_nothing_was_lost_it_says_so(room: Room, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    to_the_end(room)
    assert "nothing else was clearly better" in client.get(f"/seat/{room.make_seat_token(1)}/review").text


def test_a_finished_game_goes_on_otherwise_at_a_new_table(room: Room, client: TestClient, app: FastAPI) -> None:
    """The same state to the byte, one's own seat, bots in the others; nothing changes at the old table."""
    seat = f"/seat/{room.make_seat_token(1)}"
    assert client.post(f"{seat}/play-on", data={"decision": 3}).status_code == 403, "its cards would be told"
    to_the_end(room)
    before, decisions = room.pos.at(3).to_bytes(), room.decision
    for wrong in (-1, decisions, 10**9):
        assert client.post(f"{seat}/play-on", data={"decision": wrong}).status_code == 422
    answer = client.post(f"{seat}/play-on", data={"decision": 3})
    there = answer.headers["HX-Redirect"]
    assert client.get(there).status_code == 200
    newest = next(one for one in app.state.house.list_loaded_rooms() if one.id != room.id)
    assert there == f"/seat/{newest.make_seat_token(1)}"
    assert base64.b64decode(newest.created.opening) == before
    assert [(one.kind, one.name) for one in newest.seats] == [("bot", "Agnes"), ("me", "Perrin")]
    assert not newest.created.open_to_watch
    assert (room.decision, room.pos.over) == (decisions, True)


def test_a_watcher_plays_on_from_the_seat_that_decided(room: Room, client: TestClient, app: FastAPI) -> None:
    to_the_end(room)
    decided = room.pos.decisions[5].seat
    answer = client.post(f"/watch/{room.id}/play-on", data={"decision": 5})
    newest = next(one for one in app.state.house.list_loaded_rooms() if one.id != room.id)
    assert answer.headers["HX-Redirect"] == f"/seat/{newest.make_seat_token(decided)}"
    assert [plan.kind for plan in newest.seats].index("me") == decided


def test_a_look_back_that_failed_is_tried_again(
    room: Room, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error is told once; whoever looks afterwards gets the turning points."""
    to_the_end(room)
    monkeypatch.setattr(study, "find_costly_decisions", lambda pos, seats: 1 / 0)
    address = f"/seat/{room.make_seat_token(0)}/review"
    with pytest.raises(ZeroDivisionError):
        client.get(address)
    assert client.get(f"/seat/{room.make_seat_token(0)}").status_code == 200
    plant(monkeypatch, 3)
    assert "50 games in 100, not 20." in client.get(address).text
