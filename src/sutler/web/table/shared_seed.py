"""A shuffle that anyone can check: the players' own numbers, and what is told of seed, seal and numbers at the end.

Each player's browser gives a number when it first comes to the table, before it has seen a card; as long as nobody has
moved all is dealt anew with it. A table that never gets one begins all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sutler.core.chance import drawn_again
from sutler.core.seal import bond_of, sealed_text
from sutler.web.errors import Refused
from sutler.web.events import Event, Joined, Mixed

if TYPE_CHECKING:
    from sutler.web.table.room import Room

WAIT = 3.0
"""Seconds that a bot waits with the first move of a game for the numbers of those who play."""


@dataclass(frozen=True)
class Shuffle:
    """What is told of a table's luck: the seal from the start; seed, nonce and all else once nobody plays any more."""

    seal: str
    bond: str
    wanted: bool
    """Is the browser that looks to give a number?"""
    may_change: bool
    """Can anything be dealt anew yet?"""
    opened: bool = False
    text: str = ""
    """What the seal was made of; seed and nonce are in it."""
    seed: str = ""
    nonce: str = ""
    numbers: tuple[tuple[str, str], ...] = ()
    """The players' names and numbers."""
    luck: str = ""
    """The seed of the deal."""
    again: tuple[tuple[int, int, str], ...] = ()
    """Where something was taken back: after how many decisions, the how-manieth time, and the seed of what came then."""


def bond(room: Room) -> str:
    """What binds the seal and all numbers given so far."""
    return bond_of(room.created.seal, [one.number for one in room.numbers])


def may_change(room: Room) -> bool:
    """Is there a deal of cards and dice, sealed, that nobody has acted upon yet?"""
    made = room.created
    fixed = made.opening or made.lesson or not made.seal or not room.house.asks_for_numbers
    return not fixed and not room.begun and room.running


def wanted(room: Room, seats: tuple[int, ...]) -> bool:
    """Have those who play at these seats a number to give?"""
    return bool(seats) and may_change(room) and all(one.seat not in seats for one in room.numbers)


def pause(room: Room, event: Event | None = None) -> float:
    """How long a bot waits with its decision: at the beginning, for the numbers of those who have come.

    `event`: it is about to take effect.
    """
    people = {i for i, plan in enumerate(room.seats) if plan.kind in ("me", "link") and room.taken[i]}
    if isinstance(event, Joined):
        people.add(event.seat)
    if isinstance(event, Mixed):
        people.difference_update(room.group(event.seat))
    if any(wanted(room, room.group(seat)) for seat in people):
        return max(WAIT, room.house.bot_pause)
    return room.house.bot_pause


def mix(room: Room, seats: tuple[int, ...], number: str, seen: str) -> bool:
    """Mix a number into the seed and deal anew. False where somebody gave one since the giver looked: look again."""
    with room.lock:
        if not wanted(room, seats):
            raise Refused("The cards are dealt: nothing more is mixed into the shuffle.")
        if seen != bond(room):
            return False
        room.commit(Mixed(seat=seats[0], number=number))
        return True


def told(room: Room, seats: tuple[int, ...]) -> Shuffle | None:
    """What these seats are told; None where nothing was sealed. The caller holds the lock."""
    made = room.created
    if not made.seal:
        return None
    shuffle = Shuffle(made.seal, bond(room), wanted(room, seats), may_change(room))
    if room.running:
        return shuffle
    luck = room.seed
    return Shuffle(
        made.seal,
        shuffle.bond,
        wanted=False,
        may_change=False,
        opened=True,
        text=sealed_text(room.game, len(made.seats), made.seed, made.nonce),
        seed=str(made.seed),
        nonce=made.nonce,
        numbers=tuple((room.seats[one.seat].name, one.number) for one in room.numbers),
        luck=str(luck),
        again=tuple((decision, number, str(drawn_again(luck, number))) for decision, number in room.again),
    )
