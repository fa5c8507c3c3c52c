"""Two processes, one table, one moment: what is ordered of both at once is done once, and both show the same game afterwards.

Two processes that order at the same moment have read the same table, and neither has heard of the other: so one of them is
made deaf here. Where threads race in earnest, either may win, and the test holds whichever does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest

from sutler.web.accounts import moderation
from sutler.web.errors import Lost, Refused, RequestError, Stale, Used
from sutler.web.events import Acted, Joined, Removed
from sutler.web.table import moves, undo
from sutler.web.table.people import joining
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.tokens import hash_browser

from .conftest import house_of
from .test_races import reveals_nothing
from .test_shared import CREATED, LONG, decide, open_house

__all__ = ["open_house"]
ROUNDS = 12


@pytest.fixture
def two(open_house: Callable[..., House]) -> tuple[Room, Room]:
    """One table in two processes; the second hears nothing of what the first does, until it writes itself."""
    here, there = open_house(), open_house()
    room = here.open_table(CREATED)
    far = there.get_room(room.id)
    there._alive.pop(room.id)
    return room, far


def at_once(*jobs: Callable[[], object]) -> list[RequestError | None]:
    """What was said to each; none begins before all stand ready."""
    together, told = threading.Barrier(len(jobs)), dict[int, RequestError | None]()

    def one(k: int) -> None:
        together.wait(LONG)
        try:
            jobs[k]()
            told[k] = None
        except RequestError as trouble:
            told[k] = trouble

    threads = [threading.Thread(target=one, args=(k,)) for k in range(len(jobs))]
    for each in threads:
        each.start()
    for each in threads:
        each.join(LONG)
    return [told[k] for k in range(len(jobs))]


def same(*rooms: Room) -> None:
    """They show one table, and it is the one that is kept."""
    for one in rooms:
        one.read_new_events()
    kept = rooms[0].services.store.load_events(rooms[0].id)
    assert [one.seq for one in kept] == list(range(len(kept)))
    read = Room.load_from_events(rooms[0].services, rooms[0].id, kept)
    assert {(one.decision, one.pos.to_bytes()) for one in rooms} == {(read.decision, read.pos.to_bytes())}


def moves_kept(room: Room) -> Sequence[Acted]:
    return [one.event for one in room.services.store.load_events(room.id) if isinstance(one.event, Acted)]


def move_openly(room: Room) -> None:
    """The first action there is that can be taken back."""
    action = next(one for one in room.pos.actions() if reveals_nothing(room.pos, one))
    assert room.pos.seat is not None
    moves.play_action(room, (room.pos.seat,), room.decision, action.name)


def move(room: Room) -> Callable[[], None]:
    """The first action there is, as somebody's page sends it."""
    seat, decision, action = room.pos.seat, room.decision, room.pos.actions()[0].name
    assert seat is not None
    return lambda: moves.play_action(room, (seat,), decision, action)


def test_of_two_who_take_one_seat_one_sits(two: tuple[Room, Room]) -> None:
    room, far = two
    joining.take_seat(room, 1, "Perrin")
    with pytest.raises(Stale):
        joining.take_seat(far, 1, "Wulf")
    with pytest.raises(Used):
        joining.take_seat(far, 1, "Wulf")
    assert far.seats[1].name == "Perrin"
    assert sum(isinstance(one.event, Joined) for one in room.services.store.load_events(room.id)) == 1


def test_one_move_sent_to_both_is_made_once(two: tuple[Room, Room]) -> None:
    room, far = two
    for decision in range(ROUNDS):
        told = at_once(move(room), move(far))
        assert sum(one is None for one in told) == 1
        assert all(isinstance(one, Stale) for one in told if one)
        same(room, far)
        assert room.decision == decision + 1
    assert len(moves_kept(room)) == ROUNDS


def test_a_move_is_taken_back_or_gone_on_from_never_both(open_house: Callable[..., House]) -> None:
    """Whoever has moved takes it back here, and there the game goes on from it."""
    here, there = open_house(), open_house()
    for _ in range(ROUNDS // 2):
        room = here.open_table(CREATED)
        move_openly(room)
        far = there.get_room(room.id)
        seat = room.actions[-1][0]
        back, on = at_once(lambda room=room, seat=seat: undo.undo_decision(room, (seat,), 1), move(far))  # type: ignore[misc]
        assert (back is None) != (on is None)
        same(room, far)
        assert room.decision == (0 if back is None else 2)


def test_a_taking_back_comes_too_late_for_a_move_made_elsewhere(two: tuple[Room, Room]) -> None:
    room, far = two
    move_openly(room)
    far.read_new_events()
    decide(room)
    with pytest.raises(Stale):
        undo.undo_decision(far, (far.actions[-1][0],), far.decision)
    same(room, far)
    assert far.decision == 2


def test_a_move_comes_too_late_for_a_taking_back_made_elsewhere(two: tuple[Room, Room]) -> None:
    room, far = two
    move_openly(room)
    far.read_new_events()
    undo.undo_decision(room, (room.actions[-1][0],), room.decision)
    with pytest.raises(Stale):
        move(far)()
    same(room, far)
    assert far.decision == 0


def test_at_a_table_taken_away_elsewhere_no_move_is_kept(two: tuple[Room, Room]) -> None:
    room, far = two
    decide(room)
    far.read_new_events()
    house_of(room).remove_table(room.id)
    with pytest.raises(Lost):
        move(far)()
    assert all(isinstance(one.event, Removed) for one in room.services.store.load_events(room.id))


def test_a_move_and_the_taking_away_of_its_table_at_once(open_house: Callable[..., House]) -> None:
    """The move may have been made before; afterwards nothing of it is kept, nor of anything else."""
    here, there = open_house(), open_house()
    for _ in range(4):
        room = here.open_table(CREATED)
        far = there.get_room(room.id)
        moved, taken = at_once(move(far), lambda room=room: here.remove_table(room.id))  # type: ignore[misc]
        assert taken is None
        assert moved is None or isinstance(moved, Lost | Refused)
        assert all(isinstance(one.event, Removed) for one in here.store.load_events(room.id))
        assert moves_kept(room) == []


def test_who_is_shut_out_in_one_is_shut_out_in_the_other_and_their_moves_stay(two: tuple[Room, Room]) -> None:
    """A move that was begun before is made; from the next look into the book on nobody of that browser comes in."""
    room, far = two
    who = hash_browser("browser")
    room.services.store.record_seats(who, room.id, (0,))
    moved, shut = at_once(move(far), lambda: moderation.ban(room.services.store, who))
    assert (moved, shut) == (None, None)
    for house in map(house_of, (room, far)):
        house.ban_list.refresh()
        assert house.ban_list.find_ban_reason("127.0.0.1", who)
        assert not house.ban_list.find_ban_reason("127.0.0.1", hash_browser("another"))
    same(room, far)
    assert room.decision == 1
