"""Several orders at the same moment, over lines of their own or one behind the other on one, against a server that runs.

What is sent is bytes: no client's good manners stand between. Whichever order comes first, the game is one that could have been
played one order after the other, and is the same when it is read from the store again.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from sutler.web.table.room import Room

from .conftest import served

TWO = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "me", "name_1": "Perrin"}
INVITED = TWO | {"seat_1": "link"}
HEALTH = "/healthz"


class Wire:
    """A house, and what is said to it letter by letter."""

    def __init__(self, house: served) -> None:
        self.house, self.at = house, ("127.0.0.1", house.port)
        self.host = f"Host: 127.0.0.1:{house.port}\r\n".encode()

    def head(self, method: str, path: str, *lines: bytes) -> bytes:
        """A request as far as its body."""
        return b"".join(
            [f"{method} {path} HTTP/1.1\r\n".encode(), self.host, *(b"%s\r\n" % one for one in lines), b"\r\n"]
        )

    def post(self, path: str, *lines: bytes, **form: Any) -> bytes:
        """An order, whole."""
        body = urlencode(form).encode()
        kind = b"Content-Type: application/x-www-form-urlencoded"
        return self.head("POST", path, kind, b"Content-Length: %d" % len(body), *lines) + body

    def answers(self, said: bytes) -> bytes:
        """All that comes back before the house hangs up; it is asked to, once it has heard all."""
        with socket.create_connection(self.at, timeout=60) as line:
            line.sendall(said)
            heard = b""
            while more := line.recv(65536):
                heard += more
        return heard

    def codes(self, said: bytes) -> list[int]:
        """The same, only how each was answered."""
        return [int(one) for one in re.findall(rb"HTTP/1\.1 (\d+)", self.answers(said))]

    def last(self) -> bytes:
        """A request after which the house hangs up."""
        return self.head("GET", HEALTH, b"Connection: close")

    def at_once(self, *said: bytes) -> list[int]:
        """Each over a line of its own; none is said before all stand at the door."""
        found: dict[int, int] = {}
        together = threading.Barrier(len(said))

        def one(k: int) -> None:
            with socket.create_connection(self.at, timeout=60) as line:
                together.wait(60)
                line.sendall(said[k])
                found[k] = int(line.recv(65536).split()[1])

        lines = [threading.Thread(target=one, args=(k,)) for k in range(len(said))]
        for each in lines:
            each.start()
        for each in lines:
            each.join(60)
        return [found[k] for k in range(len(said))]

    def table(self, form: dict[str, str]) -> tuple[str, Any]:
        """A new table: its maker's seat, and the room."""
        seat = re.search(rb"(?i)location: (\S+)", self.answers(self.post("/tables", **form) + self.last()))
        assert seat is not None
        room, _ = self.house.app.state.house.find_seat(seat.group(1).decode().rpartition("/")[2])
        return seat.group(1).decode(), room

    def read_again(self, room: Any) -> Any:
        """The same table, as the store has it."""
        return Room.load_from_events(room.services, room.id, room.services.store.load_events(room.id))


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One house for all of this."""
    house = served(f"sqlite:///{tmp_path_factory.mktemp('house') / 'tables.sqlite'}")
    with house:
        yield Wire(house)


def play(wire: Wire, seat: str, room: Any) -> bytes:
    """The first action on offer that can be taken back."""
    first = next(one for one in room.pos.actions() if reveals_nothing(room.pos, one))
    return wire.post(f"{seat}/play", action=first.name, decision=room.decision)


def reveals_nothing(pos: Any, action: Any) -> bool:
    """Could whoever takes it take it back?"""
    then = pos.copy()
    then.play(action)
    return bool(then.can_undo(pos.seat))


def test_one_move_over_four_lines_is_made_once(wire: Wire) -> None:
    seat, room = wire.table(TWO)
    move = play(wire, seat, room)
    assert sorted(wire.at_once(move, move, move, move)) == [200, 409, 409, 409]
    assert room.decision == 1
    assert wire.read_again(room).pos.to_bytes() == room.pos.to_bytes()


def test_two_moves_at_once_are_one(wire: Wire) -> None:
    """Of one seat, and not the same: what comes second was meant for another table."""
    seat, room = wire.table(TWO)
    first, second = (wire.post(f"{seat}/play", action=one.name, decision=0) for one in room.pos.actions()[:2])
    assert sorted(wire.at_once(first, second)) == [200, 409]
    assert room.decision == 1
    assert wire.read_again(room).pos.to_bytes() == room.pos.to_bytes()


def test_a_move_and_its_taking_back_at_once(wire: Wire) -> None:
    """The taking back comes first and finds nothing, or second and takes it back: never in between."""
    for _ in range(4):
        seat, room = wire.table(TWO)
        move, back = play(wire, seat, room), wire.post(f"{seat}/undo", decision=1)
        moved, taken = wire.at_once(move, back)
        assert (moved, taken) in ((200, 200), (200, 409))
        assert room.decision == (taken == 409)
        assert wire.read_again(room).pos.to_bytes() == room.pos.to_bytes()


def test_one_move_is_taken_back_once(wire: Wire) -> None:
    seat, room = wire.table(TWO)
    first = room.pos.to_bytes()
    assert wire.codes(play(wire, seat, room) + wire.last()) == [200, 200]
    back = wire.post(f"{seat}/undo", decision=1)
    assert sorted(wire.at_once(back, back, back)) == [200, 409, 409]
    assert (room.decision, room.pos.to_bytes()) == (0, first)


def test_one_invitation_over_three_lines_seats_one(wire: Wire) -> None:
    seat, room = wire.table(INVITED)
    page = wire.answers(wire.head("GET", seat) + wire.last()).decode()
    found = re.search(r"/invited/[^\"]+", page)
    assert found is not None
    joins = [wire.post(found.group(), name=name) for name in ("Wulf", "Osric", "Ebba")]
    answered = wire.at_once(*joins)
    assert sorted(answered) == [303, 410, 410]
    assert room.seats[1].name == ("Wulf", "Osric", "Ebba")[answered.index(303)]


def test_orders_one_behind_the_other_on_one_line(wire: Wire) -> None:
    """Nobody waits for an answer; each is decided when those before it are."""
    seat, room = wire.table(TWO)
    move, back = play(wire, seat, room), wire.post(f"{seat}/undo", decision=1)
    assert wire.codes(move * 3 + wire.last()) == [200, 409, 409, 200]
    assert room.decision == 1
    assert wire.codes(back + back + move + move + wire.last()) == [200, 409, 200, 409, 200]
    assert room.decision == 1
    assert wire.read_again(room).pos.to_bytes() == room.pos.to_bytes()


CHUNKED = b"Transfer-Encoding: chunked"
BORDERS = {
    "its length, and in chunks": ([b"Content-Length: 5", CHUNKED], b"0\r\n\r\n"),
    "in chunks, and its length": ([CHUNKED, b"Content-Length: 4"], b"0\r\n\r\n"),
    "in chunks after a tab, and its length": ([b"Transfer-Encoding:\tchunked", b"Content-Length: 6"], b"0\r\n\r\n"),
    "two lengths": ([b"Content-Length: 0", b"Content-Length: 7"], b""),
    "a list of lengths": ([b"Content-Length: 0, 0"], b""),
    "a length with a sign": ([b"Content-Length: +0"], b""),
    "a length below nothing": ([b"Content-Length: -1"], b""),
    "a length in another system": ([b"Content-Length: 0x0"], b""),
    "a length beyond 64 bits": ([b"Content-Length: 18446744073709551616"], b""),
    "a length behind a space": ([b"Content-Length : 0"], b""),
    "a length on a line that goes on": ([b"X: y", b" Content-Length: 3"], b""),
    "a length behind half an end of a line": ([b"X: a\rContent-Length: 3"], b""),
    "an unknown way": ([b"Transfer-Encoding: xchunked"], b""),
    "an unknown way, and its length": ([b"Transfer-Encoding: xchunked", b"Content-Length: 3"], b"abc"),
    "chunks, and then another way": ([b"Transfer-Encoding: chunked, identity"], b"0\r\n\r\n"),
    "chunks, then another line": ([CHUNKED, b"Transfer-Encoding: identity"], b"0\r\n\r\n"),
    "a way behind a strange space": ([b"Transfer-Encoding: \x0bchunked", b"Content-Length: 3"], b"abc"),
    "a chunk that ends with half an end": ([CHUNKED], b"0\n\n"),
    "a chunk below nothing": ([CHUNKED], b"-1\r\n\r\n"),
    "a chunk in another system": ([CHUNKED], b"0x0\r\n\r\n"),
    "a chunk beyond 64 bits": ([CHUNKED], b"f" * 17 + b"\r\n\r\n"),
    "a length behind the chunks": ([CHUNKED], b"0\r\nContent-Length: 5\r\n\r\n"),
    "a zero byte": ([b"X: a\0b", b"Content-Length: 0"], b""),
}


@pytest.mark.parametrize("border", BORDERS)
def test_where_a_request_ends_is_not_for_two_to_read_differently(wire: Wire, border: str) -> None:
    """A proxy may see the end elsewhere than the house: what might hide behind it is not heard, and the line is closed."""
    seat, room = wire.table(TWO)
    lines, body = BORDERS[border]
    assert wire.codes(wire.head("POST", HEALTH, *lines) + body + play(wire, seat, room)) == [400]
    assert room.decision == 0


def test_an_order_inside_a_body_is_not_heard(wire: Wire) -> None:
    """Neither in one that belongs to a look, nor in one that is too large to be read."""
    seat, room = wire.table(TWO)
    order = play(wire, seat, room)
    looked = wire.head("GET", HEALTH, b"Content-Length: %d" % len(order)) + order
    assert wire.codes(looked + wire.last()) == [200, 200]
    large = wire.head("POST", f"{seat}/say", b"Content-Length: 99999999", b"Connection: close") + order
    assert wire.codes(large) == [413]
    assert room.decision == 0
