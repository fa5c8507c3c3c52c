"""Who is notified of what happens at a table: everybody who subscribed, in one order, and nobody of what could not be stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from sutler.web.errors import Stale
from sutler.web.events import Event, Renamed, Said, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table import bot_turns, moves
from sutler.web.table.people import chat, joining
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.services import Listeners

from .test_company import AGNES, Time, Waiting, table

TURN_STAYS = {
    *("asked_back", "answered_back", "proposed", "noticed", "noted", "said", "hidden", "agreed", "taught"),
    *("rematch", "removed", "renamed", "ended", "created"),
}
"""Events after which whoever was to decide still is."""


@pytest.fixture
def house() -> Iterator[House]:
    one = House(Store("sqlite://"), Shelf(), bot_pause=0.0, job_queue=Waiting(Time()))
    yield one
    one.close()


def kind_of(event: type[Event]) -> str:
    """The name by which events of this class are stored."""
    return str(event.model_fields["kind"].default)


def heard(room: Room) -> list[tuple[str, list[str]]]:
    """A list that fills with what two listeners of a room, and its pages, are told."""
    told: list[tuple[str, list[str]]] = []

    def listener(name: str) -> Any:
        return lambda room, events: told.append((name, [one.kind for one in events]))

    room.services.listeners = Listeners(
        committed=(listener("first"), listener("second")),
        caught_up=(listener("elsewhere"),),
        redraw=(lambda room: told.append(("redraw", [])),),
    )
    return told


def test_every_listener_hears_of_every_event_in_the_written_order(house: House) -> None:
    room = table(house, AGNES, SeatPlan(kind="link", name="Friend"), sit=False)
    told = heard(room)
    joining.take_seat(room, 1, "Bo")
    chat.add_chat_line(room, Said(seat=0, name="Agnes", text="Welcome"))
    moves.play_action(room, (room.pos.seat or 0,), 0, room.pos.actions()[0].name)
    assert [name for name, _ in told] == ["first", "second"] * 3
    assert [kinds for name, kinds in told if name == "first"] == [["joined"], ["said"], ["acted"]]


def test_nobody_hears_of_what_could_not_be_stored(house: House) -> None:
    """Somebody else wrote first: the room is read again, and only its pages are."""
    room = table(house, AGNES, SeatPlan(kind="link", name="Friend"), sit=False)
    house.store.append_events(room.id, room.seq, [Renamed(seat=0, name="Berta")])
    told = heard(room)
    with pytest.raises(Stale):
        joining.take_seat(room, 1, "Bo")
    assert told == [("redraw", [])]


def test_what_another_process_has_stored_is_told_as_that(house: House) -> None:
    room = table(house, AGNES, SeatPlan(kind="link", name="Friend"), sit=False)
    house.store.append_events(room.id, room.seq, [Renamed(seat=0, name="Berta")])
    told = heard(room)
    assert room.read_new_events()
    assert told == [("elsewhere", ["renamed"])]


def test_a_bots_turn_is_noticed_whatever_event_begins_it(house: House) -> None:
    """Each kind of event is either one after which bots are looked for, or known to change nobody's turn: a new kind must be entered."""
    looked_for = {kind_of(one) for one in bot_turns.TURN_CHANGES.__args__}
    kinds = {kind_of(one) for one in Event.__subclasses__()}
    assert looked_for | TURN_STAYS == kinds
    assert not looked_for & TURN_STAYS


def test_lobby_and_pages_hear_before_bots(house: House) -> None:
    """The order of the house's own list: what people see does not wait for what bots think."""
    names = [getattr(one, "__module__", "") or one.func.__module__ for one in house.services.listeners.committed]
    assert [name.rpartition(".")[2] for name in names[:-1]] == ["registry", "clocks", "subscribers", "bot_turns"]


def test_a_private_event_makes_no_line_in_the_lobby(house: House) -> None:
    from sutler.web.events import Noted

    room = table(house, AGNES, SeatPlan(kind="link", name="Friend"), sit=False)
    lines: list[Sequence[Event]] = []
    committed = (lambda room, events: lines.append(events), *house.services.listeners.committed)
    house.services.listeners = replace(house.services.listeners, committed=committed)
    house._due.clear()
    room.commit_events(Noted(seat=0, decision=0, text="Too dear"))
    assert (len(lines), dict(house._due)) == (1, {})
    room.commit_events(Said(seat=0, name="Agnes", text="Hello"))
    assert set(house._due) == {room.id}
